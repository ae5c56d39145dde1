package codec

import (
	"bytes"
	"encoding/json"
	"math"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"
	"time"

	"tidemark/stream"
)

// byStandard encodes a value as encoding/json does without HTML escaping.
func byStandard(t *testing.T, v any) string {
	t.Helper()
	var out bytes.Buffer
	e := json.NewEncoder(&out)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		t.Fatal(err)
	}
	return strings.TrimSuffix(out.String(), "\n")
}

func TestAppendValueAgainstEncodingJSON(t *testing.T) {
	values := []any{
		nil, true, false, int64(0), int64(math.MinInt64), int64(math.MaxInt64), 0.0, math.Copysign(0, -1), 1.0, -3.0, 0.1, 1e20, 1e21, 1e22,
		123456789012345678.0, 1e15, 999999999999999.0, 1e-6, 1e-7, 1.5e-9, 1e-10, 1e100, math.MaxFloat64, math.SmallestNonzeroFloat64, -2.5e-8,
		"", "plain", "a\"b\\c/<>&", "\x00\x01\b\f\n\r\t\x1f\x7f", "é日😀", "\xff\xc3(", "\u2028x\u2029", "\ufffd", "12345678\"", "1234567é90", "\xed\xa0\x80",
		[]any{}, []any{int64(1), "x", nil, []any{2.5}}, map[string]any{}, map[string]any{"b": int64(1), "a": map[string]any{"z": "1", "y": []any{}}, "\n": true},
	}
	for _, v := range values {
		if got, want := string(AppendValue(nil, v)), byStandard(t, v); got != want {
			t.Errorf("%T %v: %s, want %s", v, v, got, want)
		}
	}
	r := rand.New(rand.NewPCG(3, 4))
	for range 20_000 {
		f := math.Float64frombits(r.Uint64())
		if math.IsNaN(f) || math.IsInf(f, 0) {
			continue
		}
		if got, want := string(AppendValue(nil, f)), byStandard(t, f); got != want {
			t.Fatalf("%v: %s, want %s", f, got, want)
		}
	}
}

func FuzzAppendQuoted(f *testing.F) {
	f.Add("x\xff\u2028\"\\\n😀 and some more text")
	f.Fuzz(func(t *testing.T, text string) {
		if got, want := string(appendQuoted(nil, []byte(text))), byStandard(t, text); got != want {
			t.Fatalf("%q: %s, want %s", text, got, want)
		}
	})
}

// column makes a column of boxed values; the first decides its kind.
func column(values ...any) stream.Column {
	var c stream.Column
	kind := stream.Any
	for _, v := range values {
		if v != nil {
			kind = stream.KindOf(v)
			break
		}
	}
	c.Reset(kind, len(values))
	for i, v := range values {
		c.SetValue(i, v)
	}
	return c
}

func TestEncodeKinds(t *testing.T) {
	at := time.Date(2024, 5, 1, 10, 0, 0, 0, time.UTC)
	before := time.Date(1969, 12, 31, 23, 59, 58, 750e6, time.UTC)
	fine := time.Date(2024, 5, 1, 10, 0, 0, 123456, time.UTC)
	b := stream.Batch{N: 3, Columns: []stream.Column{
		column(int64(1), nil, "x"), column(2.5, math.NaN(), math.Inf(1)), column("a\"", int64(7), []any{math.NaN()}),
		column(true, false, nil), column(at, before, fine), column(map[string]any{"k": int64(1)}, nil, "s"),
	}}
	b.Columns[3].SetTag(2, stream.TagMissing)
	b.Columns[0].SetTag(1, stream.TagParentNil+1)
	fields := []LayoutField{{Name: "i", Column: 0}, {Name: "f", Column: 1}, {Name: "s\n", Column: 2}, {Name: "b", Column: 3}, {Name: "t", Column: 4}, {Name: "o", Column: 5}}
	for _, c := range []struct {
		times TimeFormat
		want  [3]string
	}{
		{RFC3339, [3]string{`"2024-05-01T10:00:00Z"`, `"1969-12-31T23:59:58.75Z"`, `"2024-05-01T10:00:00.000123456Z"`}},
		{Milliseconds, [3]string{`1714557600000`, `-1250`, `1714557600000`}},
		{Seconds, [3]string{`1714557600`, `-1.25`, `1714557600.000123456`}},
	} {
		e := NewJSONEncoder(Layout{Base: -1, Fields: fields, Meta: []LayoutField{{Name: "m", Column: 0}, {Name: "n", Column: 1}}}, c.times)
		var got []byte
		for row := range 3 {
			got = e.Append(got, &b, row)
		}
		want := `{"i":1,"f":2.5,"s\n":"a\"","b":true,"t":` + c.want[0] + `,"o":{"k":1},"meta":{"m":1,"n":2.5}}` + "\n" +
			`{"i":null,"f":null,"s\n":7,"b":false,"t":` + c.want[1] + `,"o":null,"meta":{"m":null,"n":null}}` + "\n" +
			`{"i":"x","f":null,"s\n":[null],"b":null,"t":` + c.want[2] + `,"o":"s","meta":{"m":"x","n":null}}` + "\n"
		if string(got) != want {
			t.Errorf("got\n%swant\n%s", got, want)
		}
		counts := map[string]int64{}
		e.NonFinite(func(field string, n int64) { counts[field] = n })
		if !reflect.DeepEqual(counts, map[string]int64{"f": 2, "s\n": 1, "n": 2}) {
			t.Errorf("not finite: %v", counts)
		}
	}
}

func TestAppendSeconds(t *testing.T) {
	for ms, want := range map[int64]string{0: "0", 1: "0.001", -1: "-0.001", -1000: "-1", -1001: "-1.001", 1500: "1.5", -999: "-0.999"} {
		e := valueEncoder{times: Seconds}
		if got := string(e.instant(nil, ms)); got != want {
			t.Errorf("%d: %s, want %s", ms, got, want)
		}
		if got := string(e.time(nil, time.UnixMilli(ms))); got != want {
			t.Errorf("time %d: %s, want %s", ms, got, want)
		}
	}
}

func TestEncodeOverBase(t *testing.T) {
	fields := []LayoutField{{Name: "a", Column: 1}, {Name: "n", Column: 2}}
	meta := []LayoutField{{Name: "line", Column: 1}}
	for _, c := range []struct {
		raw, want string
		layout    Layout
	}{
		{" {\"a\" : 1.50,\"x\":[ 1 ]} \r", `{"a" : 1.50,"x":[ 1 ]}`, Layout{}},
		{`{}`, `{}`, Layout{}},
		{`{"x": 1.0 , "a": "old" ,"y":{"a":1}}`, `{"x": 1.0,"a":5,"y":{"a":1},"n":"t"}`, Layout{Fields: fields}},
		{`{}`, `{"a":5,"n":"t"}`, Layout{Fields: fields}},
		{`{"a":1,"a":2,"b":3}`, `{"a":5,"b":3,"n":"t"}`, Layout{Fields: fields}},
		{`{"a":1,"b":2,"\u0062":3}`, `{"a":1}`, Layout{Drop: []string{"b"}}},
		{`{"a":1,"b":2}`, `{"b":2}`, Layout{Drop: []string{"a", "c"}}},
		{`{"a":1}`, `{}`, Layout{Drop: []string{"a"}}},
		{`{"a":1,"meta":2,"b":3}`, `{"a":1,"b":3,"meta":{"line":5}}`, Layout{Meta: meta}},
		{`{"b":3}`, `{"b":3,"n":"t","meta":{"line":5}}`, Layout{Fields: fields[1:], Drop: []string{"a"}, Meta: meta}},
	} {
		b := stream.Batch{N: 1, Columns: []stream.Column{column(c.raw), column(int64(5)), column("t")}}
		if got := string(NewJSONEncoder(c.layout, RFC3339).Append(nil, &b, 0)); got != c.want+"\n" {
			t.Errorf("%s: got %swant %s", c.raw, got, c.want)
		}
		if strings.Contains(c.raw, "1.") || strings.Count(c.raw, `"a":`) > 1 || strings.Contains(c.raw, `\u`) {
			continue
		}
		// The record decoded gives the same.
		record, err := DecodeObject([]byte(c.raw))
		if err != nil {
			t.Fatal(err)
		}
		b.Columns[0] = column(record)
		if got := string(NewJSONEncoder(c.layout, RFC3339).Append(nil, &b, 0)); got != c.want+"\n" {
			t.Errorf("%s decoded: got %swant %s", c.raw, got, c.want)
		}
	}
}

// What is scanned and encoded again is the same record.
func TestRoundTrip(t *testing.T) {
	text := strings.Join(seeds, "\n")
	s := NewJSONScanner(paths("a", "b", "c"), 0)
	var b stream.Batch
	scan(s, []byte(text), &b)
	e := NewJSONEncoder(Layout{Base: -1, Fields: []LayoutField{{Name: "a", Column: 0}, {Name: "b", Column: 1}, {Name: "c", Column: 2}}}, RFC3339)
	for _, row := range b.Sel {
		var got, want map[string]any
		if err := json.Unmarshal(e.Append(nil, &b, int(row)), &got); err != nil {
			t.Fatal(err)
		}
		if err := json.Unmarshal(s.Line(int(row)), &want); err != nil {
			t.Fatal(err)
		}
		for _, name := range []string{"a", "b", "c"} {
			if !reflect.DeepEqual(got[name], want[name]) {
				t.Errorf("%s: %v, want %v", s.Line(int(row)), got[name], want[name])
			}
		}
	}
}
