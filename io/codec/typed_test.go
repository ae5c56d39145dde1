package codec

import (
	"fmt"
	"strings"
	"testing"

	"tidemark/stream"
)

var schemaTypes = map[string]stream.Type{
	"int": {Kind: stream.Int}, "float": {Kind: stream.Float}, "string": {Kind: stream.String}, "bool": {Kind: stream.Bool},
	"timestamp": {Kind: stream.Instant}, "list": {Shape: stream.List}, "object": {Shape: stream.Object}, "any": {},
}

// Each line: the schema's type, the value's text, and what the column holds or why the row is bad. Without
// one it is null.
const typedCases = `
int | 5 | int64(5)
int | -0 | int64(0)
int | 1.0 | int64(1)
int | 1e3 | int64(1000)
int | 1200e-2 | int64(12)
int | -9223372036854775808 | int64(-9223372036854775808)
int | -9223372036854775808.0 | int64(-9223372036854775808)
int | 9007199254740993.000 | int64(9007199254740993)
int | 92233720368547758.07e2 | int64(9223372036854775807)
int | 0e999999999999999999999 | int64(0)
int | 9223372036854775808 | is 9223372036854775808, beyond an int of 64 bits
int | 1e19 | is 1e19, beyond an int of 64 bits
int | 1e400 | is 1e400, beyond an int of 64 bits
int | 1.5 | is 1.5, wants int
int | 1e-1 | is 1e-1, wants int
int | "5" | is text, wants int
int | true | is true or false, wants int
int | [1] | is a list, wants int
int | {"v":1} | is an object, wants int
int | null | <nil>(<nil>)
float | 5 | float64(5)
float | -0.5 | float64(-0.5)
float | 99999999999999999999 | float64(1e+20)
float | 123456789012345678 | float64(1.2345678901234568e+17)
float | 0.1e-2 | float64(0.001)
float | 1e400 | is 1e400, beyond a float of 64 bits
float | "x" | is text, wants float
float | null | <nil>(<nil>)
string | "x\ny" | string(x
y)
string | 5 | is a number, wants string
string | 1.5 | is a number, wants string
string | 99999999999999999999 | string(99999999999999999999)
string | -99999999999999999999 | string(-99999999999999999999)
string | {} | is an object, wants string
bool | true | bool(true)
bool | false | bool(false)
bool | "true" | is text, wants bool
bool | 1 | is a number, wants bool
timestamp | "2024-05-01" | string(2024-05-01)
timestamp | 1714557600 | int64(1714557600)
timestamp | 1714557600.5 | float64(1.7145576005e+09)
timestamp | true | is true or false, wants timestamp
timestamp | [] | is a list, wants timestamp
list | [1,"a"] | ["int64(1)","a"]
list | {} | is an object, wants list
list | "x" | is text, wants list
object | {"x":[1.5]} | {"x":["float64(1.5)"]}
object | [] | is a list, wants object
object | 5 | is a number, wants object
any | 5 | int64(5)
any | {"x":1} | {"x":"int64(1)"}
any | 99999999999999999999 | is 99999999999999999999, an integer beyond 64 bits: a schema that says float or string can hold it
any | [1e400] | holds 1e400, beyond a float of 64 bits
`

func TestTypedColumns(t *testing.T) {
	lines := strings.Split(strings.ReplaceAll(strings.TrimSpace(typedCases), "\ny)", "\x00"), "\n")
	for _, line := range lines {
		parts := strings.SplitN(line, " | ", 3)
		kind, value, want := parts[0], parts[1], strings.ReplaceAll(parts[2], "\x00", "\ny)")
		s := NewJSONScanner([]Column{{Path: stream.Path{"v"}, Type: schemaTypes[kind], Typed: true}, {}}, 0)
		var b stream.Batch
		// Twice: by the grammar, then along the trie.
		text := fmt.Sprintf("{\"v\":%s}\n{\"v\":%s}\n", value, value)
		scan(s, []byte(text), &b)
		checkShape(t, &b)
		for row := range 2 {
			var got string
			if bad := s.Bad(); len(bad) > 0 {
				if len(bad) != 2 || bad[row].Field != "v" || b.Sel == nil || len(b.Sel) != 0 {
					t.Fatalf("%s: %+v, selection %v", line, bad, b.Sel)
				}
				got = strings.TrimPrefix(bad[row].Reason, `field "v" `)
			} else {
				got = cell(&b.Columns[0], row)
				whole := b.Columns[1].Value(row).(map[string]any)
				if inside := show(whole["v"]); inside != got {
					t.Errorf("%s row %d: in the whole record %s, not %s", line, row, inside, got)
				}
			}
			if got != want {
				t.Errorf("%s row %d: %s", line, row, got)
			}
		}
	}
}

func TestFirstValueDecidesKind(t *testing.T) {
	for text, want := range map[string]stream.Kind{
		"{}\n{\"v\":null}\n{\"v\":1}\n{\"v\":\"x\"}": stream.Int,
		"{\"v\":\"x\" bad\n{\"v\":1.5}":              stream.Float,
		"{\"v\":\"x\",\"v\":true}":                   stream.Bool,
		"{\"v\":1e999}\n{\"v\":\"s\"}\n{\"v\":1}":    stream.String,
		"{\"v\":[]}\n{\"v\":1}":                      stream.Any,
		"{}":                                         stream.Any,
		"":                                           stream.Any,
	} {
		s := NewJSONScanner(paths("v"), 0)
		var b stream.Batch
		scan(s, []byte(text), &b)
		compare(t, s, paths("v"), []byte(text), &b)
		if got := b.Columns[0].Kind; got != want {
			t.Errorf("%q: %v, want %v", text, got, want)
		}
	}
}

func TestReasons(t *testing.T) {
	text := "{\"a\":1}\n\n   \n{\"a\":\nnot json\n{\"a\":2} trailing\n[1,2]\n\"text\"\n42\nnull\n" +
		"{\"a\":\"" + strings.Repeat("x", 100) + "\"}\r\n{\"a\":{\"b\":1e999}}\n{\"a\":3}"
	s := NewJSONScanner([]Column{{Path: stream.Path{"a"}}, {}, {Path: Raw}}, 100)
	var b stream.Batch
	scan(s, []byte(text), &b)
	want := []string{
		"4: not JSON: unexpected end of line at column 6",
		"5: not JSON: invalid character 'o' in literal null (expecting 'u') at column 2",
		"6: not JSON: invalid character 't' after top-level value at column 9",
		"7: not an object: a list", "8: not an object: a text", "9: not an object: a number", "10: not an object: null",
		"11: line of 108 bytes, longer than the limit of 100",
		`12: field "a" holds 1e999, beyond a float of 64 bits`,
	}
	var got []string
	for _, bad := range s.Bad() {
		got = append(got, fmt.Sprintf("%d: %s", s.LineNumber(int(bad.Row))+1, bad.Reason))
		if string(b.Columns[2].Bytes(int(bad.Row))) != string(s.Line(int(bad.Row))) {
			t.Errorf("row %d lacks its line", bad.Row)
		}
	}
	if strings.Join(got, "\n") != strings.Join(want, "\n") {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	if fmt.Sprint(b.Sel) != "[0 10]" || b.N != 11 || b.Columns[0].Ints[10] != 3 || s.Lines() != 12 {
		t.Errorf("%d rows, selected %v, %d line feeds", b.N, b.Sel, s.Lines())
	}
}

func TestAppendGood(t *testing.T) {
	for _, tt := range []struct {
		n    int
		bad  []Bad
		want string
	}{
		{3, nil, "[0 1 2]"},
		{3, []Bad{{Row: 1}}, "[0 2]"},
		{3, []Bad{{Row: 0}, {Row: 2}}, "[1]"},
		{2, []Bad{{Row: 0}, {Row: 1}}, "[]"},
		{0, nil, "[]"},
	} {
		if got := AppendGood(nil, tt.n, tt.bad); got == nil && len(tt.bad) > 0 || fmt.Sprint(got) != tt.want {
			t.Errorf("of %d rows without %v: got %v (nil: %v), want %s", tt.n, tt.bad, got, got == nil, tt.want)
		}
	}
}

// Columns asked for twice have the same values, in memory of their own.
func TestRepeatedColumns(t *testing.T) {
	s := NewJSONScanner(paths("a", "a", "*", "*", "-", "-"), 0)
	var b stream.Batch
	scan(s, []byte("{\"a\":\"x\\n\"}\n{\"a\":null}\n{\"a\":5}\n"), &b)
	for i := 0; i < 6; i += 2 {
		for row := range 3 {
			if x, y := cell(&b.Columns[i], row), cell(&b.Columns[i+1], row); x != y {
				t.Errorf("column %d row %d: %s and %s", i, row, x, y)
			}
		}
	}
	if &b.Columns[0].Refs[0] == &b.Columns[1].Refs[0] {
		t.Error("shared")
	}
}
