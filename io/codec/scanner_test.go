package codec

import (
	"bytes"
	"encoding/json"
	"reflect"
	"slices"
	"strings"
	"testing"

	"tidemark/stream"
)

var projections = [][]Column{
	paths("a", "b", "c"),
	paths("-", "a.b", "a.c.d", "c"),
	paths("a", "a.b", "a.b.c", "*", "-"),
	paths("*"),
	paths("", "a.a.a"),
	paths("a", "b", "c", "d", "e", "f", "g", "h", "i", "j", "k", "a.k"),
	paths(),
}

func TestScanAgainstEncodingJSON(t *testing.T) {
	lines := []string{
		`{"a":1,"b":"x","c":2.5}`, `{"a":2,"b":"y","c":3.5}`, `{"c":1,"a":{"b":1,"c":{"d":"t"}}}`,
		`{"c":1,"a":{"b":2,"c":{"d":"u"}}}`, `{"a":{"b":{"c":[1,2,{"x":1}]}}}`, `{"a":{}}`, `{"a":null}`, `{"a":[1]}`,
		`{"a":[1e999]}`, `{"a":{"b":1e999}}`, `{"a":1e999,"a":1}`, `{"a":{"b":1},"a":{"c":{"d":4}}}`, `{"a":{"b":1,"b":"q"}}`,
		`{"a":99999999999999999999}`, `{"x":99999999999999999999,"a":-9223372036854775808}`, `{"a":9223372036854775808}`,
		`{"a":123456789012345678,"c":1234567890123456789}`, `{"a":-0,"b":-0.0,"c":0.1}`, `{"a":0.30000000000000004,"c":123456789.123456789}`,
		`{"a":01}`, `{"a":1.}`, `{"a":.5}`, `{"a":1e}`, `{"a":-}`, `{"a":+1}`, `{"a":1e5,"b":1E+2,"c":1e-2}`, `{"a":00}`, `{"a":-01}`,
		`{"a":"\u0041\n\ud83d\ude00\ud800x\udc00","b":"\ud800\u0041","c":"\ud800\ud800\udc00"}`, "{\"a\":\"\xff\xc3\x28\xed\xa0\x80\",\"b\":\"é日\"}",
		`{"\u0061":5,"b\u002ec":1}`, `{"a":1,"\u0061":"x","c":2}`, "{\"a\xff\":1}", `{"a":"\x"}`, `{"a":"\u12g4"}`, "{\"a\":\"\t\"}", "{\"a\":\"\x00\"}", "{\"a\":1}\x00",
		``, `   `, "\r", `{"a":1} x`, `{"a":1}{"b":2}`, `[1]`, `"s"`, `42`, `null`, `tru`, `{"a":tru}`, `{"a":true,"b":false,"c":null}`,
		`{"a":1,}`, `{,}`, `{"a"}`, `{"a":}`, `{a:1}`, `{'a':1}`, `{"a":1`, `{"a":"x`, `{"a":[1,]}`, `{"a":[1 2]}`, `{"a":{"b":1,}}`,
		"  { \"a\" :\t1 , \"b\" : [ ] , \"c\" : { } }  \r", `{}`, `{"":1}`, `{"A":1}`, "\xef\xbb\xbf{}", `{"a":1}]`, `{"x":{"y":[{}, []]}}`,
		`{"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa":1,"b":"` + strings.Repeat("x", 100) + `"}`,
	}
	for _, columns := range projections {
		s := NewJSONScanner(columns, 0)
		var b stream.Batch
		for _, line := range lines {
			for _, text := range []string{line, line + "\n", line + "\r\n", "{\"a\":1}\n" + line + "\n" + line + "\n\n{\"a\":\"s\"}", "{\"a\":\"s\"}\n" + line} {
				scan(s, []byte(text), &b)
				compare(t, s, columns, []byte(text), &b)
			}
		}
		all := []byte(strings.Join(append(lines, lines...), "\n"))
		scan(s, all, &b)
		compare(t, s, columns, all, &b)
	}
}

// As many brackets may be open as for encoding/json, wherever they are read.
func TestNestingLimit(t *testing.T) {
	for _, name := range []string{"x", "a", "b", "c"} {
		for _, n := range []int{9999, 10000} {
			for _, brackets := range [][2]string{{"[", "]"}, {`{"b":`, "}"}} {
				line := `{"` + name + `":` + strings.Repeat(brackets[0], n) + "1" + strings.Repeat(brackets[1], n) + "}\n"
				for i, columns := range projections {
					s := NewJSONScanner(columns, 0)
					var b stream.Batch
					// Also along the layout that a harmless line has taught.
					scan(s, []byte(`{"`+name+"\":1}\n"+line), &b)
					if got, want := len(s.Bad()) > 0, !json.Valid([]byte(line)); got != want {
						t.Errorf("%s, %d of %s, projection %d: bad is %v, want %v", name, n, brackets[0], i, got, want)
					}
				}
			}
		}
	}
}

// It does not matter what stands behind the data, or whether anything does.
func TestScanWithoutPadding(t *testing.T) {
	text := "{\"a\":\"x\"}\n{\"a\":12"
	for _, end := range []string{"", "}", "}\n", "}}"} {
		for _, behind := range []string{"", "\x00", "\n", "\"", "3}\n", "5", strings.Repeat("9", Padding), "\n" + strings.Repeat("}", Padding)} {
			all := []byte(text + end + behind)
			data := all[:len(text)+len(end)]
			s := NewJSONScanner(paths("a", "-"), 0)
			var b stream.Batch
			for range 2 {
				s.Scan(data, &b)
				compare(t, s, paths("a", "-"), data, &b)
			}
			if string(all) != text+end+behind {
				t.Fatal("the data was written to")
			}
		}
	}
}

func TestDecodeObject(t *testing.T) {
	got, err := DecodeObject([]byte(" {\"a\": [1, 2.0,\n\"x\"], \"b\": {\"c\": null}}\n"))
	want := map[string]any{"a": []any{int64(1), 2.0, "x"}, "b": map[string]any{"c": nil}}
	if err != nil || !reflect.DeepEqual(got, want) {
		t.Fatalf("%v, %v", got, err)
	}
	for text, want := range map[string]string{
		"":               "not JSON: unexpected end of line at column 1",
		"[]":             "not an object: a list",
		`{"a":1} {}`:     "not JSON: invalid character '{' after top-level value at column 9",
		`{"a":[1e999]}`:  `field "a" is 1e999, beyond a float of 64 bits`,
		"{\"a\":\"\n\"}": `not JSON: invalid character '\n' in string literal at column 7`,
	} {
		if _, err := DecodeObject([]byte(text)); err == nil || err.Error() != want {
			t.Errorf("%q: %v, want %s", text, err, want)
		}
	}
}

// TestScanValues gives each value a row, whatever there is between values, and between a value's own lines.
func TestScanValues(t *testing.T) {
	texts := []string{"", `{"a":1}`, " \t\r", `{"a":2}`, "{\n\"a\":3,\n \"b\":\"x\"}\n", "\n{\"a\":4}", "{\"b\":\"\n\"}", `{"a":5} {}`, `{"a":6}`}
	var data []byte
	var values []Span
	for i, text := range texts {
		data = append(data, "\n\x00{\"a\""[:i%6]...)
		values = append(values, Span{Start: uint32(len(data)), End: uint32(len(data) + len(text))})
		data = append(append(data, text...), '\n')
	}
	s := NewJSONScanner([]Column{{Path: stream.Path{"a"}}}, 0)
	for range 3 { // the layouts have been learned the second time
		var b stream.Batch
		s.ScanValues(padded(slices.Clone(data)), values, &b)
		if b.N != len(texts) || !slices.Equal(b.Sel, []int32{1, 3, 4, 5, 8}) || len(s.Bad()) != 4 || s.Bad()[0].Reason == "" {
			t.Fatalf("%d rows, %v, %v", b.N, b.Sel, s.Bad())
		}
		for i, row := range b.Sel {
			if got := b.Columns[0].Ints[row]; got != []int64{1, 2, 3, 4, 6}[i] {
				t.Errorf("row %d: %d", row, got)
			}
		}
		if s.LineNumber(3) != 3 || s.Lines() != len(texts) || string(s.Line(3)) != texts[3] {
			t.Errorf("line %d of %d, %q", s.LineNumber(3), s.Lines(), s.Line(3))
		}
	}
}

// TestScanValuesAsLines gives what Scan gives of the same lines.
func TestScanValuesAsLines(t *testing.T) {
	data := padded(bytes.ReplaceAll(mixed(500), []byte("\n\n"), []byte("\n")))
	var values []Span
	for at, line := range bytes.SplitAfter(data, []byte("\n")) {
		if from := uint32(0); len(line) > 0 {
			if at > 0 {
				from = values[at-1].End + 1
			}
			values = append(values, Span{Start: from, End: from + uint32(len(line)) - 1})
		}
	}
	columns := paths("a", "b", "c.d", "c.e", "-")
	var want, got stream.Batch
	NewJSONScanner(columns, 0).Scan(data, &want)
	NewJSONScanner(columns, 0).ScanValues(data, values, &got)
	for c := range columns {
		for row := range want.N {
			if w, g := want.Columns[c].Value(row), got.Columns[c].Value(row); got.N != want.N || !reflect.DeepEqual(w, g) {
				t.Fatalf("row %d of %d, column %d: %v, want %v", row, got.N, c, g, w)
			}
		}
	}
}
