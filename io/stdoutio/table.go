package stdoutio

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"slices"

	"tidemark/io/codec"
	"tidemark/io/connector"
	"tidemark/stream"
)

// Table prints rows in aligned columns. Numbers stand right, null is spelled out, a missing field is empty.
type Table struct {
	pen
	watermarks bool
	times      codec.TimeFormat

	names  []string
	widths []int
	headed bool   // the header for names has been printed
	begun  bool   // so has another before it
	rows   []cell // not yet laid out, len(names) a row
}

var (
	_ connector.ByteSink      = (*Table)(nil)
	_ connector.RowSink       = (*Table)(nil)
	_ connector.WatermarkSink = (*Table)(nil)
)

// waiting is how many rows are kept to find out how wide the columns are.
const waiting = 256

// NewTable gives a table that is printed on w.
func NewTable(w io.Writer) *Table { return &Table{pen: pen{w: w}} }

// WriteRows implements [connector.RowSink].
func (t *Table) WriteRows(b *stream.Batch, names []string) error {
	t.head(names)
	write := func(row int) {
		for i := range names {
			t.rows = append(t.rows, columnCell(&b.Columns[i], row, t.times))
		}
	}
	if b.Sel == nil {
		for row := range b.N {
			write(row)
		}
	}
	for _, row := range b.Sel {
		write(int(row))
	}
	return t.enough()
}

// Write implements [connector.ByteSink]: it takes JSON lines, and shows their fields in the order in which they
// stand in the first of them. A new field makes a new header.
func (t *Table) Write(p []byte) (int, error) {
	for line := range bytes.Lines(p) {
		if err := t.writeLine(line); err != nil {
			return 0, fmt.Errorf("table: %w", err)
		}
	}
	return len(p), t.enough()
}

func (t *Table) writeLine(line []byte) error {
	fields, err := fieldsOf(line)
	if err != nil {
		return err
	}
	names := slices.Clone(t.names)
	for _, f := range fields {
		if !slices.Contains(names, f.name) {
			names = append(names, f.name)
		}
	}
	t.head(names)
	from := len(t.rows)
	t.rows = append(t.rows, make([]cell, len(names))...)
	for _, f := range fields {
		t.rows[from+slices.Index(names, f.name)] = jsonCell(f.value)
	}
	return nil
}

// field is a name in a JSON object with the value's text.
type field struct {
	name  string
	value json.RawMessage
}

// fieldsOf takes a JSON object apart, keeping the order of its fields.
func fieldsOf(line []byte) ([]field, error) {
	d := json.NewDecoder(bytes.NewReader(line))
	if _, err := d.Token(); err != nil {
		return nil, err
	}
	var fields []field
	for d.More() {
		name, err := d.Token()
		if err != nil {
			return nil, err
		}
		f := field{name: fmt.Sprint(name)}
		if err := d.Decode(&f.value); err != nil {
			return nil, err
		}
		fields = append(fields, f)
	}
	return fields, nil
}

// head makes names the columns of the rows to come.
func (t *Table) head(names []string) {
	if slices.Equal(names, t.names) {
		return
	}
	t.layOut()
	t.names, t.headed = slices.Clone(names), false
	t.widths = make([]int, len(names))
	for i, name := range names {
		t.widths[i] = width(clean(name))
	}
}

// enough lays rows out when there are many.
func (t *Table) enough() error {
	if len(t.rows) >= waiting*max(1, len(t.names)) {
		t.layOut()
	}
	return t.full()
}

// layOut turns the rows that wait into lines, below the header if that has not been printed.
func (t *Table) layOut() {
	if len(t.rows) == 0 {
		return
	}
	columns := len(t.names)
	for i, c := range t.rows {
		t.widths[i%columns] = max(t.widths[i%columns], width(c.text))
	}
	if !t.headed {
		if t.begun {
			t.buf = append(t.buf, '\n')
		}
		for i, name := range t.names {
			t.put(i, cell{text: clean(name), right: t.rows[i].right})
		}
		t.headed, t.begun = true, true
	}
	for i, c := range t.rows {
		t.put(i%columns, c)
	}
	t.rows = t.rows[:0]
}

// put appends a cell of a column to the line.
func (t *Table) put(column int, c cell) {
	last := column == len(t.names)-1
	if column > 0 {
		t.buf = append(t.buf, "  "...)
	}
	fill := bytes.Repeat([]byte{' '}, t.widths[column]-width(c.text))
	if c.right {
		t.buf = append(append(t.buf, fill...), c.text...)
	} else {
		t.buf = append(t.buf, c.text...)
	}
	switch {
	case last:
		t.buf = append(bytes.TrimRight(t.buf, " "), '\n')
	case !c.right:
		t.buf = append(t.buf, fill...)
	}
}

// Watermarks implements [connector.WatermarkSink].
func (t *Table) Watermarks() bool { return t.watermarks }

// WriteWatermark implements [connector.WatermarkSink].
func (t *Table) WriteWatermark(w stream.Time) error {
	t.layOut()
	t.buf = append(append(append(t.buf, "-- watermark "...), w.String()...), '\n')
	return t.full()
}

// Flush implements [connector.Output].
func (t *Table) Flush() error {
	t.layOut()
	return t.pen.Flush()
}

// Commit implements [connector.Output].
func (t *Table) Commit() error { return t.Flush() }

// Abort implements [connector.Output].
func (t *Table) Abort() error {
	t.layOut()
	return t.pen.Abort()
}
