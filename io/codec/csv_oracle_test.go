package codec

import (
	"encoding/csv"
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"tidemark/stream"
)

// csvRows is what was read of a text, with all that must not depend on how it was cut.
type csvRows struct {
	rows  []string
	lines int
}

// scanCSV reads text that was cut into pieces at ends of records.
func scanCSV(t testing.TB, f CSVFormat, pieces [][]byte) csvRows {
	t.Helper()
	columns := []Column{{Path: Raw}}
	for _, name := range f.Names {
		columns = append(columns, Column{Path: stream.Path{name}})
	}
	s := NewCSVScanner(columns, f)
	if err := s.SetHead(nil, true); err != nil {
		t.Fatal(err)
	}
	var all csvRows
	var b stream.Batch
	for _, piece := range pieces {
		s.Scan(piece, &b)
		checkShape(t, &b)
		bad := s.Bad()
		for row := range b.N {
			text := fmt.Sprintf("line %d", all.lines+s.LineNumber(row)+1)
			if len(bad) > 0 && int(bad[0].Row) == row {
				text += " bad: " + bad[0].Reason
				bad = bad[1:]
			} else {
				for i := range f.Names {
					text += fmt.Sprintf(" %q", b.Columns[1+i].Bytes(row))
				}
			}
			if most := f.MaxRecord; most == 0 || len(s.Line(row)) <= most {
				text += fmt.Sprintf(" raw %q", b.Columns[0].Bytes(row))
			}
			all.rows = append(all.rows, text)
		}
		all.lines += s.Lines()
	}
	return all
}

// cutCSV cuts text that comes in pieces of random size, as those do who read files.
func cutCSV(r *rand.Rand, f CSVFormat, text []byte) [][]byte {
	c := NewCSVCutter(&f)
	var out [][]byte
	var open []byte
	excess := false
	for len(text) > 0 {
		n := 1 + r.IntN(min(len(text), 12))
		open = append(open, text[:n]...)
		cut := c.Cut(text[:n])
		excess = excess || c.Excess() > 0
		open = open[:len(open)-c.Excess()]
		if cut > 0 {
			excess = c.Excess() > 0
			cut += len(open) + c.Excess() - n
			if r.IntN(3) > 0 {
				out = append(out, trapped(open[:cut]))
				open = append([]byte(nil), open[cut:]...)
			}
		}
		text = text[n:]
	}
	if excess {
		open = append(open, '\n')
	}
	return append(out, trapped(open))
}

// trapped gives text with padding that must not be taken for text.
func trapped(text []byte) []byte {
	data := make([]byte, len(text)+Padding)
	trap := data[copy(data, text):]
	for i := range trap {
		trap[i] = '"'
	}
	if len(text) > 0 && text[len(text)-1] != '\n' {
		trap[0] = '\n'
	}
	return data[:len(text)]
}

// randomCSV draws text from bytes that matter.
func randomCSV(r *rand.Rand) []byte {
	alphabet := []string{"a", "b,", ",", ",\"", "\"", "\"\"", "\n", "\r\n", "\r", "\"\n", "\"x\"", "1.5", "é", ",,", "\"a\nb\"", "\xff"}
	var b []byte
	for range r.IntN(40) {
		b = append(b, alphabet[r.IntN(len(alphabet))]...)
	}
	return b
}

// compareCSV holds what the scanner reads against encoding/csv.
func compareCSV(t testing.TB, text []byte) {
	t.Helper()
	reader := csv.NewReader(strings.NewReader(string(text)))
	reader.FieldsPerRecord = -1
	f := CSVFormat{Delimiter: ',', Names: []string{"a", "b"}}
	got := scanCSV(t, f, [][]byte{trapped(text)}).rows
	for i := 0; ; i++ {
		record, err := reader.Read()
		switch {
		case errors.Is(err, csv.ErrBareQuote):
			return // a byte like others here
		case errors.Is(err, csv.ErrQuote):
			if i >= len(got) || !strings.Contains(got[i], " bad: ") {
				t.Fatalf("%q: row %d is %q, wants %v", text, i, got[i:], err)
			}
			return
		case err != nil:
			if len(got) != i {
				t.Fatalf("%q: %d rows, wants %d", text, len(got), i)
			}
			return
		case i >= len(got):
			t.Fatalf("%q: %d rows, then %q is missing", text, i, record)
		}
		line, _ := reader.FieldPos(0)
		want := fmt.Sprintf("line %d", line)
		if len(record) == 2 {
			want += fmt.Sprintf(" %q %q raw ", record[0], record[1])
		} else {
			want += fmt.Sprintf(" bad: has %s, and columns names 2 raw ", counted(len(record), "field"))
		}
		if row := strings.ReplaceAll(got[i], `\r\n`, `\n`); !strings.HasPrefix(row, want) {
			t.Fatalf("%q: row %d is\n%s\nwants\n%s", text, i, row, want)
		}
	}
}

func TestCSVAgainstEncodingCSV(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 20_000 {
		compareCSV(t, randomCSV(r))
	}
}

// However CSV is cut, and whatever the limit is, the same rows come of it, on the same lines.
func TestCSVCuts(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for range 20_000 {
		text := randomCSV(r)
		f := CSVFormat{Delimiter: ',', Names: []string{"a", "b"}, MaxRecord: r.IntN(20)}
		whole := scanCSV(t, f, [][]byte{trapped(text)})
		pieces := cutCSV(r, f, text)
		if got := scanCSV(t, f, pieces); fmt.Sprint(got.rows) != fmt.Sprint(whole.rows) {
			t.Fatalf("%q, limit %d, cut into %q:\n%s\nwants\n%s", text, f.MaxRecord, pieces,
				strings.Join(got.rows, "\n"), strings.Join(whole.rows, "\n"))
		}
	}
}

func FuzzCSV(f *testing.F) {
	f.Add([]byte("a,b\n\"x\ny\",\"say \"\"hi\"\"\"\r\n1\n"), uint64(1))
	f.Add([]byte("\"open,1\n2,3\n"), uint64(2))
	f.Fuzz(func(t *testing.T, text []byte, seed uint64) {
		compareCSV(t, text)
		r := rand.New(rand.NewPCG(seed, 1))
		format := CSVFormat{Delimiter: ',', Names: []string{"a", "b"}, MaxRecord: r.IntN(20)}
		whole, cut := scanCSV(t, format, [][]byte{trapped(text)}), scanCSV(t, format, cutCSV(r, format, text))
		if fmt.Sprint(cut.rows) != fmt.Sprint(whole.rows) {
			t.Fatalf("cut:\n%s\nwants\n%s", strings.Join(cut.rows, "\n"), strings.Join(whole.rows, "\n"))
		}
	})
}
