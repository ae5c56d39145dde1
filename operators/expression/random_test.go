package expression

import (
	"fmt"
	"math"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"tidemark/stream"
)

var (
	randomInts = []any{int64(0), int64(1), int64(-1), int64(2), int64(7), int64(-8), int64(16), int64(100), int64(math.MaxInt64),
		int64(math.MinInt64), int64(1<<53 + 1), int64(1 << 53), int64(1<<53 - 1), int64(1735689600), int64(1 << 31)}
	randomFloats = []any{0.0, math.Copysign(0, -1), 1.0, -1.0, 2.5, -2.5, 0.1, 7.0, 1e21, 1e8, math.NaN(), math.Inf(1), math.Inf(-1),
		float64(1 << 53), math.MaxFloat64, 1735689600.123}
	randomTexts = []any{"", "a", "ab", "abc", "b", "B", " x ", "é日", "ÀB", "7", "-12", "2.5", "2024-01-02", "2024-01-02T03:04:05Z",
		"2024-01-02T03:04:05.5+02:00", "2024-02-30T00:00:00Z", "a longer text that goes on for more than the sixty-four bytes of the memo", "\xff",
		"https://User@Example.COM:80/a?b", "http://a-b.De/x#y", "http://[::1]/", "http://é.de", "http://a/%zz", "http://a?b/c"}
	randomTimes = []any{time.UnixMilli(0).UTC(), time.UnixMilli(1735689600123).UTC(), time.UnixMilli(-1).UTC()}
	randomOther = []any{int64(3), 2.5, "abc", true, []any{int64(1), "x"}, map[string]any{"x": int64(1)}, time.UnixMilli(5).UTC(), int64(0), 1.0}
)

// randomValues are the values of each kind.
var randomValues = map[stream.Kind][]any{
	stream.Int: randomInts, stream.Float: randomFloats, stream.String: randomTexts, stream.Bool: {true, false},
	stream.Instant: randomTimes, stream.Any: randomOther,
}

// distinctRows is the number of rows that are drawn; larger batches repeat them.
const distinctRows = 21

// randomColumn draws a column, mostly of the kind that its name promises.
func randomColumn(t *rapid.T, path string, n int) stream.Column {
	kind := map[byte]stream.Kind{'i': stream.Int, 'f': stream.Float, 's': stream.String, 'b': stream.Bool, 'w': stream.Instant}[path[len(path)-1]]
	if rapid.IntRange(0, 9).Draw(t, "stray") == 0 {
		kind = stream.Kind(rapid.IntRange(0, 5).Draw(t, "kind"))
	}
	oddness := rapid.SampledFrom([]int{0, 0, 10, 50, 100}).Draw(t, "odd")
	mixed := path[0] == 'm'
	values := make([]any, n)
	for i := range values {
		if i >= distinctRows {
			values[i] = values[i%distinctRows]
			continue
		}
		values[i] = rapid.SampledFrom(randomValues[kind]).Draw(t, "value")
		switch {
		case mixed && rapid.Bool().Draw(t, "mixed"):
			values[i] = rapid.SampledFrom(append(randomInts[:len(randomInts):len(randomInts)], randomFloats...)).Draw(t, "number")
		case rapid.IntRange(1, 100).Draw(t, "is odd") <= oddness:
			values[i] = randomOdd(t, path)
		}
	}
	return columnOf(kind, values)
}

func randomOdd(t *rapid.T, path string) any {
	depth := strings.Count(path, ".")
	switch pick := rapid.IntRange(0, 5).Draw(t, "oddity"); {
	case pick == 0:
		return rapid.SampledFrom(randomOther).Draw(t, "other")
	case pick == 1 && depth > 0:
		return parentNil(rapid.IntRange(0, depth-1).Draw(t, "depth"))
	case pick == 2 && depth > 0:
		return parentOther(rapid.IntRange(0, depth-1).Draw(t, "depth"), rapid.SampledFrom([]any{int64(1), "text", []any{}}).Draw(t, "parent"))
	case pick <= 3:
		return missing
	}
	return oddRow{tag: stream.TagNull}
}

// grammar makes random expressions, mostly such as make sense.
type grammar struct{ t *rapid.T }

func (g grammar) pick(options ...string) string {
	return rapid.SampledFrom(options).Draw(g.t, "choice")
}

func (g grammar) number(depth int) string {
	if depth == 0 || rapid.IntRange(0, 3).Draw(g.t, "leaf") == 0 {
		return g.pick("i", "ji", "f", "gf", "mi", "mf", "o.i", "o.p.f", "o?.p?.i", "row.i", `row["f"]`, "count", "0", "1", "-7", "2.5", "100", "16", "9007199254740993", "0.5")
	}
	d := depth - 1
	switch rapid.IntRange(0, 13).Draw(g.t, "number") {
	case 0, 1, 2:
		return fmt.Sprintf("(%s %s %s)", g.any(d, "number"), g.pick("+", "-", "*", "/", "%", "**"), g.any(d, "number"))
	case 3:
		return "-" + g.number(d)
	case 4:
		return fmt.Sprintf("(%s ?? %s)", g.any(d, "number"), g.number(d))
	case 5:
		return fmt.Sprintf("(%s ? %s : %s)", g.condition(d), g.number(d), g.number(d))
	case 6:
		return fmt.Sprintf("%s(%s)", g.pick("abs", "floor", "ceil", "round", "int", "float"), g.any(d, "number"))
	case 7:
		return fmt.Sprintf("%s(%s)", g.pick("len", "int", "float"), g.any(d, "text"))
	case 8:
		return fmt.Sprintf("%s(%s, %s)", g.pick("max", "min"), g.number(d), g.number(d))
	case 9:
		return fmt.Sprintf("(%s - %s).Seconds()", g.moment(d), g.moment(d))
	case 10:
		return fmt.Sprintf("(%s).%s", g.moment(d), g.pick("Year()", "Hour()", "UnixMilli()", "Day()", "Minute()", "Unix()", "Month()"))
	case 12:
		return fmt.Sprintf("hash(%s)", g.any(d, g.pick("text", "number", "condition")))
	case 11:
		return fmt.Sprintf("(let v = %s; v + 1)", g.number(d))
	}
	return fmt.Sprintf("%s[%s]", g.any(d, "text"), g.pick("0", "-1"))
}

func (g grammar) text(depth int) string {
	if depth == 0 || rapid.IntRange(0, 3).Draw(g.t, "leaf") == 0 {
		return g.pick("s", "ts", "o.s", "o?.s", `"abc"`, `""`, `"7"`, `"é日"`)
	}
	d := depth - 1
	switch rapid.IntRange(0, 6).Draw(g.t, "text") {
	case 0:
		return fmt.Sprintf("(%s + %s)", g.any(d, "text"), g.text(d))
	case 1:
		return fmt.Sprintf("%s(%s)", g.pick("lower", "upper", "trim"), g.any(d, "text"))
	case 2:
		return fmt.Sprintf("string(%s)", g.any(d, g.pick("number", "text", "condition", "moment")))
	case 3:
		return fmt.Sprintf("(%s ?? %s)", g.any(d, "text"), g.text(d))
	case 4:
		return fmt.Sprintf("(%s ? %s : %s)", g.condition(d), g.text(d), g.text(d))
	case 5:
		return fmt.Sprintf("format_time(%s, %s)", g.any(d, "moment"), g.pick(`"2006-01-02 15:04"`, `"Jan 2", "Asia/Tokyo"`, `"15", s`, `"MST", "Europe/Berlin"`))
	}
	return fmt.Sprintf(g.pick(`regex_extract(%s, "(.)", 1)`, `regex_extract(%s, "(b)(c)?", 2)`, `regex_extract(%s, s)`, "url_host(%s)"), g.any(d, "text"))
}

func (g grammar) moment(depth int) string {
	if depth == 0 {
		return g.pick("w", "w", "o.w", "now()")
	}
	d := depth - 1
	switch rapid.IntRange(0, 5).Draw(g.t, "moment") {
	case 0:
		return fmt.Sprintf("time(%s, %q)", g.any(d, "number"), g.pick("s", "ms", "us", "ns"))
	case 1:
		return fmt.Sprintf("date(%s)", g.any(d, "text"))
	case 2:
		return fmt.Sprintf("(%s ?? %s)", g.moment(d), g.moment(d))
	case 3:
		return fmt.Sprintf("trunc_time(%s, %s)", g.any(d, "moment"), g.pick(`"1h"`, `"7d"`, `"1ms"`, "s"))
	case 4:
		return fmt.Sprintf("date(%s, %s)", g.any(d, "text"), g.pick(`"2006-01-02"`, `"2006-01-02T15:04:05Z07:00"`, "s"))
	}
	return g.pick("w", "o.w", "o?.w")
}

func (g grammar) condition(depth int) string {
	if depth == 0 {
		return g.pick("b", "cb", "o.b", "true", "false")
	}
	d := depth - 1
	switch rapid.IntRange(0, 11).Draw(g.t, "condition") {
	case 0, 1:
		return fmt.Sprintf("(%s %s %s)", g.condition(d), g.pick("and", "or", "&&", "||"), g.any(d, "condition"))
	case 2:
		return "not " + g.condition(d)
	case 3, 4:
		return fmt.Sprintf("(%s %s %s)", g.any(d, "number"), g.pick("<", "<=", ">", ">=", "==", "!="), g.any(d, "number"))
	case 5:
		return fmt.Sprintf("(%s %s %s)", g.any(d, "text"), g.pick("<", "<=", ">", ">=", "==", "!="), g.text(d))
	case 6:
		return fmt.Sprintf("(%s %s %s)", g.any(d, g.pick("number", "text", "condition", "moment")), g.pick("==", "!="), g.pick("nil", "s", "i", "o.i", "b", "w"))
	case 7:
		return fmt.Sprintf("(%s %s %s)", g.any(d, g.pick("number", "text", "condition")), g.pick("in", "not in"),
			g.pick(`[1, 7.0, "abc"]`, "[2.5, 0, -8]", "1..10", "0..100", `["a", "", "b"]`, "[nil, true]", "[]", `["a","b","c","d","e","f","g","h","i"]`, "10..1"))
	case 8:
		return fmt.Sprintf("(%s %s %s)", g.any(d, "text"), g.pick("contains", "startsWith", "endsWith", "not contains"), g.any(d, "text"))
	case 9:
		return fmt.Sprintf("(%s matches %q)", g.any(d, "text"), g.pick("^a", "b$", "[0-9]+", "é"))
	case 10:
		return fmt.Sprintf("(%s < %s < %s)", g.number(d), g.number(d), g.number(d))
	}
	return fmt.Sprintf("(%s %s %s)", g.moment(d), g.pick("<", ">", "=="), g.moment(d))
}

// any gives an expression of a type, or now and then of another.
func (g grammar) any(depth int, what string) string {
	if rapid.IntRange(0, 11).Draw(g.t, "astray") == 0 {
		what = g.pick("number", "text", "condition", "moment")
	}
	switch what {
	case "number":
		return g.number(depth)
	case "text":
		return g.text(depth)
	case "condition":
		return g.condition(depth)
	}
	return g.moment(depth)
}

// TestKernelsAgree evaluates random expressions over random data by kernels and by the machine.
func TestKernelsAgree(t *testing.T) {
	compiled, vectorized := 0, 0
	rapid.Check(t, func(t *rapid.T) {
		g := grammar{t}
		src := g.any(rapid.IntRange(0, 4).Draw(t, "depth"), g.pick("number", "text", "condition", "moment"))
		p, err := Compile(src, Scope{Open: true})
		if err != nil {
			return
		}
		compiled++
		vectorized += bit(p.Vectorized())
		e, where := (*Evaluator)(nil), []int(nil)
		for range rapid.IntRange(1, 3).Draw(t, "batches") {
			n := rapid.SampledFrom([]int{0, 1, 2, 3, 20, 1024}).Draw(t, "rows")
			d := table{}
			for _, u := range p.Uses() {
				d[u.String()] = randomColumn(t, u.String(), n)
			}
			agree(d)
			var b *stream.Batch
			b, where = d.batchFor(p, n)
			if e == nil {
				e = p.NewEvaluator(where)
			}
			if problem := differ(p, e, b, where, randomRows(t, n)); problem != "" {
				t.Fatal(problem)
			}
		}
	})
	t.Logf("%d expressions, %d on kernels", compiled, vectorized)
}

// randomRows draws a selection; nil means all.
func randomRows(t *rapid.T, n int) []int32 {
	if rapid.Bool().Draw(t, "all") {
		return nil
	}
	rows := []int32{}
	chosen := rapid.SliceOfN(rapid.Bool(), 23, 23).Draw(t, "selected")
	for i := range n {
		if chosen[i%len(chosen)] {
			rows = append(rows, int32(i))
		}
	}
	return rows
}

// agree makes paths below the same parent say the same of it: the first one that tells decides.
func agree(d table) {
	names := []string{"o.i", "o.s", "o.b", "o.w", "o.p.f", "o.p.i"}
	for _, first := range names {
		for _, other := range names {
			a, ok := d[first]
			b, both := d[other]
			if !ok || !both || first == other {
				continue
			}
			shared := 1
			if strings.HasPrefix(first, "o.p.") && strings.HasPrefix(other, "o.p.") {
				shared = 2
			}
			for r := range a.Len() {
				copyParent(&a, &b, r, shared, strings.Count(other, "."))
			}
			d[other] = b
		}
	}
}

// copyParent gives b's row the state of an ancestor that it shares with a.
func copyParent(a, b *stream.Column, row, shared, depth int) {
	t := a.Tag(row)
	at := int(t - stream.TagParentNil)
	if t >= stream.TagParentOther {
		at = int(t - stream.TagParentOther)
	}
	if t < stream.TagParentNil || at >= shared || at >= depth {
		if bt := b.Tag(row); bt >= stream.TagParentNil && ancestor(bt) < shared {
			b.SetTag(row, stream.TagMissing)
		}
		return
	}
	if t >= stream.TagParentOther {
		b.SetBoxed(row, t, a.Boxed[row])
		return
	}
	b.SetTag(row, t)
}

func ancestor(t stream.Tag) int {
	if t >= stream.TagParentOther {
		return int(t - stream.TagParentOther)
	}
	return int(t - stream.TagParentNil)
}
