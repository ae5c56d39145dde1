package codec

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"tidemark/stream"
)

// separateValues puts texts into data with something between them. A nil text is no value.
func separateValues(texts []*string) (data []byte, values []Span) {
	for i, text := range texts {
		data = append(data, "\x00,\"\n"[:i%5]...)
		start, written := len(data), "{}"
		if text != nil {
			written = *text
		}
		data = append(data, written...)
		values = append(values, Span{Start: uint32(start), End: uint32(len(data)), Null: text == nil})
		data = append(data, '\n')
	}
	return trapped(data), values
}

// A value gives the row that a file with nothing else gives, if that is one row and the file has no more.
func TestCSVValuesAreFilesOfARecord(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	pieces := []string{"a", ",", "\"", "\n", "\r\n", "x\ny", "\"\"", "12345678", "\r", ",\"b\"\n"}
	format := CSVFormat{Names: []string{"a", "b"}, Delimiter: ',', Nulls: []string{""}, Fields: []stream.Field{{Name: "a"}, {Name: "b"}}}
	columns := []Column{{Path: stream.Path{"a"}}, {Path: stream.Path{"b"}}, {Path: Object}, {Path: Verbatim}, {Path: Raw}, {}}
	for range 300 {
		texts := make([]*string, r.IntN(20)+1)
		for i := range texts {
			if r.IntN(8) > 0 {
				var text strings.Builder
				for range r.IntN(6) {
					text.WriteString(pieces[r.IntN(len(pieces))])
				}
				texts[i] = new(string)
				*texts[i] = text.String()
			}
		}
		data, values := separateValues(texts)
		before := slices.Clone(data)
		s := NewCSVScanner(columns, format)
		var b, alone stream.Batch
		s.ScanValues(data, values, &b)
		checkShape(t, &b)
		if b.N != len(texts) || s.Lines() != len(texts) || !slices.Equal(data, before) {
			t.Fatalf("%d rows, %d values of %d", b.N, s.Lines(), len(texts))
		}
		for i, text := range texts {
			got := rowOf(s, &b, i)
			if text == nil {
				if got != "missing missing {} <nil>(<nil>) map[]" {
					t.Fatalf("no value is %s", got)
				}
				continue
			}
			one := NewCSVScanner(columns, format)
			one.Scan(trapped([]byte(*text)), &alone)
			want := "bad"
			if alone.N == 1 {
				want = rowOf(one, &alone, 0)
			}
			if got != want {
				t.Fatalf("%q is %s, wants %s", *text, got, want)
			}
		}
	}
}

// rowOf shows a row; "bad" where it could not be read.
func rowOf(s *CSVScanner, b *stream.Batch, row int) string {
	for _, bad := range s.Bad() {
		if int(bad.Row) == row {
			return "bad"
		}
	}
	return fmt.Sprint(cell(&b.Columns[0], row), " ", cell(&b.Columns[1], row), " ", string(b.Columns[2].Bytes(row)), " ",
		cell(&b.Columns[3], row), " ", b.Columns[5].Value(row))
}

func TestTextValues(t *testing.T) {
	a, b, c := "one\ntwo\r\n", "", "\xff\r"
	data, values := separateValues([]*string{&a, &b, nil, &c})
	s := NewTextScanner([]Column{{Path: stream.Path{Message}}, {Path: Object}, {}}, 0)
	var batch stream.Batch
	for range 2 {
		s.ScanValues(data, values, &batch)
		checkShape(t, &batch)
		for row, text := range []string{a, b, "", c} {
			if tag := batch.Columns[0].Tag(row); row == 2 && tag != stream.TagMissing || row != 2 && (tag != stream.TagOK || string(batch.Columns[0].Bytes(row)) != text) {
				t.Errorf("row %d: %v %q", row, tag, batch.Columns[0].Bytes(row))
			}
		}
		if string(batch.Columns[1].Bytes(2)) != "{}" || len(batch.Columns[2].Value(2).(map[string]any)) != 0 || s.Lines() != 4 || len(s.Bad()) > 0 {
			t.Errorf("%s, %v", batch.Columns[1].Bytes(2), s.Bad())
		}
		s.Scan([]byte("a\nb"), &batch)
		if s.Lines() != 1 {
			t.Error("values and lines are mixed up")
		}
	}
}

// The line feeds of a value are there again when it was read, and its text is what it was.
func TestValuesKeepTheirBytes(t *testing.T) {
	a, b := "{\n\"a\":\n1}\n", "{\"a\":\n"
	data, values := separateValues([]*string{&a, &b, nil})
	before := string(data)
	s := NewJSONScanner([]Column{{Path: Raw}, {Path: stream.Path{"a"}}}, 0)
	var batch stream.Batch
	for range 3 {
		s.ScanValues(data, values, &batch)
		if string(data) != before || string(batch.Columns[0].Bytes(0)) != "{\n\"a\":\n1}" || string(batch.Columns[0].Bytes(2)) != "{}" || len(s.Bad()) != 1 {
			t.Errorf("%q, %q, %v", data, batch.Columns[0].Bytes(0), s.Bad())
		}
	}
}
