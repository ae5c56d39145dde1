package codec

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"strings"
	"testing"

	"tidemark/stream"
)

// paths asks for the values at dotted paths; "*" is the whole record and "-" the line.
func paths(dotted ...string) []Column {
	var columns []Column
	for _, d := range dotted {
		switch d {
		case "*":
			columns = append(columns, Column{})
		case "-":
			columns = append(columns, Column{Path: Raw})
		default:
			columns = append(columns, Column{Path: strings.Split(d, ".")})
		}
	}
	return columns
}

// scan reads text, whose last line need not have an end, with padding that holds a trap.
func scan(s *JSONScanner, text []byte, b *stream.Batch) {
	data := make([]byte, len(text), len(text)+Padding)
	copy(data, text)
	trap := data[len(text):cap(data)]
	for i := range trap {
		trap[i] = '"'
	}
	if len(trap) > 0 {
		trap[0] = '\n'
	}
	s.Scan(data, b)
}

// cell gives a value as a test compares it: the tag's meaning, or the value with its type.
func cell(c *stream.Column, row int) string {
	switch t := c.Tag(row); {
	case t == stream.TagMissing:
		return "missing"
	case t >= stream.TagParentOther:
		return fmt.Sprintf("other@%d:%s", t-stream.TagParentOther, show(c.Boxed[row]))
	case t >= stream.TagParentNil:
		return fmt.Sprintf("nil@%d", t-stream.TagParentNil)
	}
	return show(c.Value(row))
}

func show(v any) string {
	switch x := v.(type) {
	case float64:
		if x == 0 && math.Signbit(x) {
			return "float64(-0)"
		}
	case map[string]any, []any:
		text, _ := json.Marshal(typed(v))
		return string(text)
	}
	return fmt.Sprintf("%T(%v)", v, v)
}

// typed makes numbers inside a value tell their types.
func typed(v any) any {
	switch x := v.(type) {
	case int64, float64:
		return show(v)
	case []any:
		out := []any{}
		for _, e := range x {
			out = append(out, typed(e))
		}
		return out
	case map[string]any:
		out := map[string]any{}
		for k, e := range x {
			out[k] = typed(e)
		}
		return out
	}
	return v
}

// oracle reads a line by encoding/json: the record with exact numbers, or why not. Blank lines give no record.
func oracle(line []byte) (record map[string]any, bad, blank bool) {
	if len(bytes.Trim(line, " \t\r\n")) == 0 {
		return nil, false, true
	}
	if !json.Valid(line) {
		return nil, true, false
	}
	d := json.NewDecoder(bytes.NewReader(line))
	d.UseNumber()
	var v any
	if err := d.Decode(&v); err != nil {
		return nil, true, false
	}
	record, ok := v.(map[string]any)
	return record, !ok, false
}

// exact turns json.Numbers into int64 and float64; ok is false where one does not fit.
func exact(v any) (any, bool) {
	switch x := v.(type) {
	case json.Number:
		if !strings.ContainsAny(x.String(), ".eE") {
			i, err := x.Int64()
			return i, err == nil
		}
		f, err := x.Float64()
		return f, err == nil
	case []any:
		for i := range x {
			e, ok := exact(x[i])
			if !ok {
				return nil, false
			}
			x[i] = e
		}
	case map[string]any:
		for k := range x {
			e, ok := exact(x[k])
			if !ok {
				return nil, false
			}
			x[k] = e
		}
	}
	return v, true
}

// wanted is what the oracle says that a column of a record holds.
func wanted(record map[string]any, path stream.Path) (text string, ok bool) {
	var at any = record
	for i, name := range path {
		object, isObject := at.(map[string]any)
		if !isObject {
			if at == nil {
				return fmt.Sprintf("nil@%d", i-1), true
			}
			v, ok := exact(at)
			return fmt.Sprintf("other@%d:%s", i-1, show(v)), ok
		}
		next, there := object[name]
		if !there {
			if i == len(path)-1 {
				return "missing", true
			}
			return fmt.Sprintf("nil@%d", i), true
		}
		at = next
	}
	v, ok := exact(at)
	return show(v), ok
}

// expectation is what the oracle says of a line that is not blank.
type expectation struct {
	number int
	line   []byte
	bad    bool
	cells  []string
}

func expect(text []byte, columns []Column) []expectation {
	var out []expectation
	lines := bytes.Split(text, []byte("\n"))
	for number, line := range lines {
		_, bad, blank := oracle(line)
		if blank {
			continue
		}
		e := expectation{number, bytes.TrimSuffix(line, []byte("\r")), bad, make([]string, len(columns))}
		for i, c := range columns {
			if c.Path.Equal(Raw) {
				e.cells[i] = show(string(e.line))
			} else if !bad {
				// A fresh record for each column, since exact changes it.
				record, _, _ := oracle(line)
				var ok bool
				if e.cells[i], ok = wanted(record, c.Path); !ok {
					e.bad = true
				}
			}
		}
		out = append(out, e)
	}
	return out
}

// compare checks a scanned batch against the oracle, line by line.
func compare(t *testing.T, s *JSONScanner, columns []Column, text []byte, b *stream.Batch) {
	t.Helper()
	expected := expect(text, columns)
	if b.N != len(expected) {
		t.Fatalf("%q: %d rows, want %d", text, b.N, len(expected))
	}
	bad := s.Bad()
	for row, want := range expected {
		if got := s.LineNumber(row); got != want.number {
			t.Fatalf("row %d: line %d, want %d", row, got, want.number)
		}
		if got := s.Line(row); !bytes.Equal(got, want.line) {
			t.Fatalf("row %d: line %q, want %q", row, got, want.line)
		}
		listed := len(bad) > 0 && int(bad[0].Row) == row
		if listed != want.bad {
			t.Fatalf("%q: bad is %v, want %v (%v)", want.line, listed, want.bad, s.Bad())
		}
		if listed {
			bad = bad[1:]
		}
		for i, c := range columns {
			if want.bad && !c.Path.Equal(Raw) {
				continue
			}
			if got := cell(&b.Columns[i], row); got != want.cells[i] {
				t.Fatalf("%q: %s is %s, want %s", want.line, c.Path, got, want.cells[i])
			}
		}
	}
	if len(bad) > 0 {
		t.Fatalf("bad rows beside: %v", bad)
	}
	if got, want := s.Lines(), bytes.Count(text, []byte("\n")); got != want {
		t.Fatalf("%d line feeds, want %d", got, want)
	}
	checkShape(t, b)
}

// checkShape checks what every batch must be.
func checkShape(t testing.TB, b *stream.Batch) {
	t.Helper()
	for i := range b.Columns {
		c := &b.Columns[i]
		if c.Len() != b.N {
			t.Fatalf("column %d of kind %v has %d rows of %d", i, c.Kind, c.Len(), b.N)
		}
		odd := 0
		for row := range b.N {
			if c.Tag(row) != stream.TagOK {
				odd++
			}
			if c.Kind == stream.String {
				c.Bytes(row) // of any row: there must be no reference that leads out of the data
			}
		}
		if odd != c.Odd {
			t.Fatalf("column %d: Odd is %d, want %d", i, c.Odd, odd)
		}
		if len(c.Boxed) != 0 && len(c.Boxed) != b.N {
			t.Fatalf("column %d: %d boxed of %d", i, len(c.Boxed), b.N)
		}
	}
}
