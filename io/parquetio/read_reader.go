package parquetio

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"

	"tidemark/io/codec"
	"tidemark/io/connector"
	"tidemark/stream"
)

// reader decodes chunks of any partition of a source.
type reader struct {
	set     *fileSet
	of      *partition // whose row group the columns are set for
	group   int
	columns []columnReader
	rows    leafReader // finds the rows where no column is asked for

	bad []codec.Bad
	sel []int32
}

// columnReader reads one of the columns asked for.
type columnReader struct {
	access access
	flat   flat
	nested *nested
}

// Reader implements [connector.ColumnPartition].
func (p *partition) Reader() connector.ColumnReader {
	return &reader{set: p.set, columns: make([]columnReader, len(p.set.columns))}
}

// Load implements [connector.ColumnReader].
func (r *reader) Load(ctx context.Context, from connector.ColumnPartition, c connector.Chunk, b *stream.Batch) (bad []codec.Bad, err error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	p, ours := from.(*partition)
	if !ours || p.layout == nil {
		return nil, errors.New("a chunk of a partition that is no Parquet file, or that was not claimed")
	}
	file, release, err := p.acquire()
	if err != nil {
		return nil, err
	}
	defer release()
	reading := -1
	defer func() {
		// What a library makes of damaged bytes is the file's fault, not the run's.
		if fault := recover(); fault != nil {
			r.of, bad, err = nil, nil, r.damaged(p, c, reading, fmt.Errorf("%v", fault))
		}
	}()
	r.bad = r.bad[:0]
	b.Reset(len(r.columns))
	b.N = int(c.End - c.Offset)
	if err := r.turn(p, p.groupOf(c.Offset), file, &reading); err != nil {
		return nil, r.damaged(p, c, reading, err)
	}
	for i := range r.columns {
		reading = i
		if err := r.load(i, &b.Columns[i], c.Offset-p.starts[r.group], c.End-p.starts[r.group]); err != nil {
			return nil, r.damaged(p, c, i, err)
		}
	}
	r.choose(b)
	p.letGo(p.left.Add(-1))
	return r.bad, nil
}

// damaged says where a chunk can't be read.
func (r *reader) damaged(p *partition, c connector.Chunk, column int, err error) error {
	r.of = nil
	where := fmt.Sprintf("rows %d to %d", c.Offset+1, c.End)
	if column >= 0 && len(r.set.columns[column].Path) > 0 {
		where = fmt.Sprintf("column %q, %s", r.set.columns[column].Path.String(), where)
	}
	var failed *os.PathError
	switch {
	case errors.As(err, &failed) || errors.Is(err, io.ErrUnexpectedEOF):
		return fmt.Errorf("%s can't be read (%s): %w", p.path, where, err)
	case errors.Is(err, errDamaged):
		return damagedError(p.path, where)
	}
	return fmt.Errorf("%s can't be read (%s): %w", p.path, where, err)
}

// turn sets the columns for a row group.
func (r *reader) turn(p *partition, group int, file *os.File, reading *int) error {
	same := r.of == p && r.group == group
	if r.of != p {
		for i := range r.columns {
			r.columns[i].use(p.accesses[i], func(row int32, reason string) { r.reject(i, row, reason) })
		}
	}
	r.of, r.group = p, group
	used := 0
	for i := range r.columns {
		*reading = i
		for leaf := range r.columns[i].leaves() {
			used++
			if err := r.point(leaf, file, same); err != nil {
				return err
			}
		}
		if n := r.columns[i].nested; n != nil && !same {
			n.forget()
		}
	}
	*reading = -1
	if first := p.layout.record.leaves; used == 0 && len(first) > 0 && !same {
		// The footer alone isn't believed.
		r.rows.leaf = first[0]
		if err := p.layout.check(p.path, group, first[0], p.seen.Size()); err != nil {
			return err
		}
		return r.point(&r.rows, file, false)
	}
	return nil
}

// point sets a leaf for the row group.
func (r *reader) point(l *leafReader, file *os.File, same bool) (err error) {
	if same {
		l.in = file
		return nil
	}
	g := &r.of.layout.groups[r.group]
	l.open(file, r.of.seen.Size(), &g.columns[l.leaf.leaf])
	l.table, err = r.of.table(r.group, l.leaf.leaf, func() (*pageTable, error) { return l.readTable(g.rows) })
	return err
}

// use makes the reader one for a file.
func (c *columnReader) use(a access, reject func(row int32, reason string)) {
	c.access, c.nested = a, nil
	switch a.way {
	case byLeaf:
		c.flat.leaf, c.flat.want, c.flat.tags, c.flat.reject = a.shape, a.want, a.tags, reject
	case byNesting:
		c.nested = newNested(a.shape)
		c.flat.reject = reject
	}
}

// leaves gives the readers of the leaves that are read.
func (c *columnReader) leaves() func(yield func(*leafReader) bool) {
	return func(yield func(*leafReader) bool) {
		if c.access.way == byLeaf {
			yield(&c.flat.leafReader)
		}
		if c.nested == nil {
			return
		}
		for _, leaf := range c.nested.leaves {
			if !yield(&leaf.leafReader) {
				return
			}
		}
	}
}

// load reads some rows of the row group into column i.
func (r *reader) load(i int, out *stream.Column, from, to int64) error {
	c := &r.columns[i]
	switch c.access.way {
	case byLeaf:
		if err := c.flat.load(out, from, to); err != nil {
			return err
		}
	case byNesting:
		out.Reset(stream.Any, int(to-from))
		err := c.nested.load(from, to, func(row int, level uint8, v any, reason string) {
			if reason != "" {
				out.SetTag(row, stream.TagNull)
				r.reject(i, int32(row), reason)
				return
			}
			c.access.set(out, row, level, v)
		})
		if err != nil {
			return err
		}
	default:
		out.Reset(stream.Any, int(to-from))
		for row := range out.Boxed {
			out.SetTag(row, c.access.missing)
		}
	}
	if r.set.columns[i].Typed {
		r.enforce(i, out)
	}
	return nil
}

// reject makes a row of the batch a bad one because of a column.
func (r *reader) reject(column int, row int32, reason string) {
	name := r.set.columns[column].Path.String()
	if name == "" {
		reason = "the record has a value that " + reason
	} else {
		reason = fmt.Sprintf("field %q %s", name, reason)
	}
	r.bad = append(r.bad, codec.Bad{Row: row, Reason: reason, Field: name})
}

// choose leaves the bad rows, each of which counts once, out of the selection.
func (r *reader) choose(b *stream.Batch) {
	if len(r.bad) == 0 {
		return
	}
	slices.SortStableFunc(r.bad, func(a, b codec.Bad) int { return int(a.Row) - int(b.Row) })
	r.bad = slices.CompactFunc(r.bad, func(a, b codec.Bad) bool { return a.Row == b.Row })
	r.sel = codec.AppendGood(r.sel[:0], b.N, r.bad)
	b.Sel = r.sel
}
