package codec

import (
	"encoding/csv"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"tidemark/stream"
)

// Each line: the schema's type, the cell's text, and what the column holds or why the row is bad.
const cellCases = `
int|5|int64(5)
int|-0|int64(0)
int| 12 |int64(12)
int|+7|int64(7)
int|007|int64(7)
int|1.0|int64(1)
int|1e3|int64(1000)
int|00.50e1|int64(5)
int|9223372036854775807|int64(9223372036854775807)
int|-9223372036854775808|int64(-9223372036854775808)
int|9223372036854775808|is 9223372036854775808, beyond an int of 64 bits
int|1e19|is 1e19, beyond an int of 64 bits
int|1.5|is "1.5", wants int
int|x|is "x", wants int
int|1_000|is "1_000", wants int
int|0x10|is "0x10", wants int
int|+-1|is "+-1", wants int
int|1e|is "1e", wants int
int|.|is ".", wants int
int||<nil>(<nil>)
int|""|<nil>(<nil>)
int|"5"|int64(5)
float|5|float64(5)
float|-.5|float64(-0.5)
float|1.25e2|float64(125)
float|0.1|float64(0.1)
float| 1 |float64(1)
float|inf|float64(+Inf)
float|-Infinity|float64(-Inf)
float|1e400|is 1e400, beyond a float of 64 bits
float|0x1p4|is "0x1p4", wants float
float|1_0|is "1_0", wants float
float|1,5|has 3 fields, and columns names 2
float|"1,5"|is "1,5", wants float
bool|true|bool(true)
bool|False|bool(false)
bool|1|bool(true)
bool|0|bool(false)
bool|yes|is "yes", wants bool
string|5|string(5)
string|NULL|<nil>(<nil>)
string|"NULL"|<nil>(<nil>)
string| x |string( x )
string|"a ""b"" c"|string(a "b" c)
string|a "b" c|string(a "b" c)
string|"a"b|field "v" goes on behind its closing quote: "a"b; a quote within quotes is written twice
timestamp|2024-05-01|string(2024-05-01)
any|5|string(5)
`

func TestCells(t *testing.T) {
	for line := range strings.Lines(strings.TrimSpace(cellCases)) {
		parts := strings.SplitN(strings.TrimSuffix(line, "\n"), "|", 3)
		typ := schemaTypes[parts[0]]
		f := CSVFormat{Delimiter: ',', Names: []string{"v", "w"}, Nulls: []string{"", "NULL"}, Fields: []stream.Field{{Name: "v", Type: typ}}}
		s := NewCSVScanner([]Column{{Path: stream.Path{"v"}, Type: typ, Typed: true}, {}}, f)
		if err := s.SetHead(nil, true); err != nil {
			t.Fatal(err)
		}
		var b stream.Batch
		s.Scan(trapped([]byte(parts[1]+",w\n")), &b)
		checkShape(t, &b)
		var got string
		if bad := s.Bad(); len(bad) > 0 {
			got = strings.TrimPrefix(bad[0].Reason, `field "v" is `)
			if got != bad[0].Reason {
				got = "is " + got
			}
		} else {
			got = cell(&b.Columns[0], 0)
			whole := b.Columns[1].Value(0).(map[string]any)
			if inside := show(whole["v"]); inside != got {
				t.Errorf("%s: in the whole record %s, not %s", line, inside, got)
			}
		}
		if got != parts[2] {
			t.Errorf("%s: %s", line, got)
		}
	}
}

// Columns are found by the names of each file's header; of names that come again the last counts.
func TestCSVHeaders(t *testing.T) {
	fields := []stream.Field{{Name: "a", Type: stream.Type{Kind: stream.Int}}, {Name: "b", Type: stream.Type{Kind: stream.String}}}
	columns := []Column{
		{Path: stream.Path{"b"}, Type: fields[1].Type, Typed: true}, {Path: stream.Path{"a"}, Type: fields[0].Type, Typed: true},
		{Path: stream.Path{"b", "x"}}, {Path: Object}, {Path: Verbatim}, {Path: stream.Path{"b"}},
	}
	f := CSVFormat{Header: true, Delimiter: ',', Nulls: []string{""}, Fields: fields}
	s := NewCSVScanner(columns, f)
	for _, c := range []struct{ text, want string }{
		{"a,b\n1,x\n", `string(x) int64(1) other@0:string(x) {"a":1,"b":"x"} string(1,x)`},
		{"\n\"b\",a\r\n\"y\",2\r\n", `string(y) int64(2) other@0:string(y) {"b":"y","a":2} <nil>(<nil>)`},
		{"b\nz\n", `string(z) missing other@0:string(z) {"b":"z"} <nil>(<nil>)`},
		{"a\n3\n", `missing int64(3) nil@0 {"a":3} <nil>(<nil>)`},
		{"a,b,b\nno,,w\n", `field "a" is "no", wants int`},
		{"a,b,b\n4,v,w\n", `string(w) int64(4) other@0:string(w) {"a":4,"b":"w"} <nil>(<nil>)`},
		{"\"a\nb\",b,a\n,,5\n", `<nil>(<nil>) int64(5) nil@0 {"a\nb":null,"b":null,"a":5} <nil>(<nil>)`},
	} {
		head := f.Head([]byte(c.text), false)
		if err := s.SetHead(head, true); err != nil {
			t.Fatalf("%q: %v", c.text, err)
		}
		var b stream.Batch
		s.Scan(trapped([]byte(c.text)), &b)
		checkShape(t, &b)
		if b.N != 1 || s.LineNumber(0) != strings.Count(string(head), "\n") || s.Lines() != strings.Count(c.text, "\n") {
			t.Errorf("%q: %d rows, line %d of %d", c.text, b.N, s.LineNumber(0), s.Lines())
			continue
		}
		var got []string
		if bad := s.Bad(); len(bad) > 0 {
			got = append(got, bad[0].Reason)
		} else {
			for i := range 5 {
				text := cell(&b.Columns[i], 0)
				if i == 3 {
					text = string(b.Columns[3].Bytes(0))
				}
				got = append(got, text)
			}
			if again := cell(&b.Columns[5], 0); again != got[0] {
				t.Errorf("%q: the second time %s", c.text, again)
			}
		}
		if strings.Join(got, " ") != c.want {
			t.Errorf("%q: %s, wants %s", c.text, strings.Join(got, " "), c.want)
		}
	}
}

func TestBrokenHeaders(t *testing.T) {
	f := CSVFormat{Header: true, Delimiter: ';', MaxRecord: 10}
	for text, want := range map[string]string{
		"a;\"b\"c\n":          `the header: field 2 goes on behind its closing quote: "b"c; a quote within quotes is written twice`,
		"a;\"b\n":             `the header: field 2 has a quote that is not closed: "b`,
		"a;bbbbbbbbbbbbbbb\n": "the header is longer than the limit of 10 bytes",
	} {
		s := NewCSVScanner(nil, f)
		if err := s.SetHead(f.Head([]byte(text), true), true); err == nil || err.Error() != want {
			t.Errorf("%q: %v", text, err)
		}
	}
}

// What the encoder writes the standard's reader reads, and so does the scanner.
func TestCSVEncoder(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 8))
	values := []any{nil, int64(-5), 1.5, true, "", "plain", " x", "a,b", "say \"hi\"", "two\nlines", "cr\rlf", "é\xff",
		time.Date(2024, 5, 1, 10, 0, 0, 5e8, time.UTC), time.Date(2024, 5, 1, 10, 0, 0, 1500, time.UTC), []any{int64(1), "x,\""}, map[string]any{"k": nil},
		math.NaN(), math.Inf(-1), []any{math.Inf(1)}}
	texts := []string{"", "-5", "1.5", "true", "", "plain", " x", "a,b", "say \"hi\"", "two\nlines", "cr\rlf", "é\xff",
		"2024-05-01T10:00:00.5Z", "2024-05-01T10:00:00.0000015Z", `[1,"x,\""]`, `{"k":null}`, "", "", "[null]"}
	l := Layout{Base: -1, Fields: []LayoutField{{Name: "a", Column: 0}, {Name: "b,c", Column: 1}}}
	for range 2000 {
		var chosen [2][]int
		b := stream.Batch{N: 3, Columns: make([]stream.Column, 2)}
		lost := int64(0)
		for i := range b.Columns {
			b.Columns[i].Reset([]stream.Kind{stream.Any, stream.String, stream.Int, stream.Float, stream.Bool, stream.Instant}[r.IntN(6)], b.N)
			for row := range b.N {
				at := r.IntN(len(values))
				chosen[i] = append(chosen[i], at)
				b.Columns[i].SetValue(row, values[at])
				if at >= len(values)-3 {
					lost++
				}
			}
		}
		e := NewCSVEncoder(l, RFC3339)
		out := AppendCSVHeader(nil, l)
		for row := range b.N {
			out = e.Append(out, &b, row)
		}
		records, err := csv.NewReader(strings.NewReader(string(out))).ReadAll()
		if err != nil || len(records) != 1+b.N || fmt.Sprint(records[0]) != "[a b,c]" {
			t.Fatalf("%q: %q, %v", out, records, err)
		}
		for row := range b.N {
			if want := []string{texts[chosen[0][row]], texts[chosen[1][row]]}; fmt.Sprintf("%q", records[row+1]) != fmt.Sprintf("%q", want) {
				t.Fatalf("row %d: %q, wants %q", row, records[row+1], want)
			}
		}
		e.NonFinite(func(_ string, n int64) { lost -= n })
		if lost != 0 {
			t.Errorf("%d numbers that are not finite were counted wrong", lost)
		}
	}
}

// A null alone in its record is not a blank line, and times are numbers where that is asked for.
func TestCSVEncoderAlone(t *testing.T) {
	b := stream.Batch{N: 2, Columns: []stream.Column{column(nil, time.UnixMilli(1500).UTC()), {}}}
	b.Columns[1].Reset(stream.String, 2)
	b.Columns[1].SetString(0, "7,\"raw\"")
	b.Columns[1].SetTag(1, stream.TagNull)
	for _, c := range []struct {
		base  int
		times TimeFormat
		want  string
	}{
		{-1, Milliseconds, "\"\"\n1500\n"}, {-1, Seconds, "\"\"\n1.5\n"}, {1, RFC3339, "7,\"raw\"\n1970-01-01T00:00:01.5Z\n"},
	} {
		e := NewCSVEncoder(Layout{Base: c.base, Fields: []LayoutField{{Name: "a", Column: 0}}}, c.times)
		if got := string(e.Append(e.Append(nil, &b, 0), &b, 1)); got != c.want {
			t.Errorf("%+v: %q", c, got)
		}
	}
}

// Reading and writing CSV costs no allocation for a record.
func TestCSVSteady(t *testing.T) {
	text := padded(bidRecords(2000, true))
	columns := paths(bidNames...)
	columns[1].Type, columns[1].Typed = stream.Type{Kind: stream.Int}, true
	columns[2].Type, columns[2].Typed = stream.Type{Kind: stream.Float}, true
	columns = append(columns, Column{Path: Object}, Column{Path: Raw}, Column{Path: Verbatim})
	s := NewCSVScanner(columns, bidFormat)
	if err := s.SetHead(nil, true); err != nil {
		t.Fatal(err)
	}
	var b stream.Batch
	e := NewCSVEncoder(Layout{Base: -1, Fields: []LayoutField{{Name: "a", Column: 1}, {Name: "b", Column: 2}, {Name: "c", Column: 3}}}, RFC3339)
	var out []byte
	both := func() {
		s.Scan(text, &b)
		out = out[:0]
		for row := range b.N {
			out = e.Append(out, &b, row)
		}
	}
	both()
	if n := testing.AllocsPerRun(10, both); n != 0 {
		t.Errorf("%v allocations", n)
	}
}

// Quotes that nobody closes cost no more time than others.
func TestHostileCSV(t *testing.T) {
	for name, text := range map[string]string{
		"open quotes": strings.Repeat("\"a,b\nc,\"d\n", 50_000), "one open quote": "\"" + strings.Repeat("a\n", 300_000),
		"quotes": strings.Repeat("\"", 500_000), "wide": strings.Repeat(",", 500_000),
	} {
		f := CSVFormat{Delimiter: ',', Names: []string{"a", "b"}, MaxRecord: 100}
		start := time.Now()
		scanCSV(t, f, [][]byte{trapped([]byte(text))})
		NewCSVCutter(&f).Cut([]byte(text))
		if took := time.Since(start); took > 5*time.Second {
			t.Errorf("%s: %v", name, took)
		}
	}
}

// TestBareCR: a file whose lines end in CR alone would be one header, and no record.
func TestBareCR(t *testing.T) {
	for head, want := range map[string]error{"a,b\r1,2\r3,4\r": ErrBareCR, "a\r": nil, "a,b\r\n": nil, "\"a\rb\",c\n": ErrBareCR} {
		s := NewCSVScanner([]Column{{Path: Object}}, CSVFormat{Header: true, Delimiter: ','})
		if err := s.SetHead([]byte(head), true); !errors.Is(err, want) {
			t.Errorf("%q: %v", head, err)
		}
	}
}
