package infer

import (
	"context"
	"errors"
	"io"

	"tidemark/io/codec"
	"tidemark/io/connector"
	"tidemark/io/parquetio"
	"tidemark/stream"
)

// parquetTable reads the columns of Parquet files that may have the time. Their types are those of the files.
func parquetTable(ctx context.Context, o Options) (t *table, more bool, err error) {
	source := &parquetio.SourceOptions{Path: o.Paths}
	for _, p := range source.Validate() {
		return nil, false, errors.New(p.Message + "; " + p.Hint)
	}
	fields, err := source.Fields(ctx, connector.Environment{})
	if err != nil {
		return nil, false, err
	}
	t = &table{}
	var columns []codec.Column
	for _, f := range fields {
		t.columns = append(t.columns, &column{name: f.Name, typ: f.Type})
		if f.Type.Kind == stream.Any {
			continue // a list or an object, which has no time
		}
		columns = append(columns, codec.Column{Path: stream.Path{f.Name}, Millis: f.Type.Kind == stream.Instant})
	}
	partitions, err := source.OpenColumns(ctx, connector.Environment{}, columns)
	if err != nil {
		return nil, false, err
	}
	for _, p := range partitions {
		ended, err := t.readColumns(ctx, p, max(1, o.Records/len(partitions)))
		p.Close()
		if err != nil {
			return nil, false, err
		}
		more = more || !ended
	}
	t.spread(columns)
	return t, more, nil
}

// readColumns reads the first rows of a file.
func (t *table) readColumns(ctx context.Context, p connector.ColumnPartition, rows int) (ended bool, err error) {
	for rows > 0 {
		c, err := p.Next(ctx)
		if errors.Is(err, io.EOF) {
			return true, nil
		}
		if err != nil {
			return false, err
		}
		out := part{file: p.Name()}
		if out.bad, err = p.Reader().Load(ctx, p, c, &out.batch); err != nil {
			return false, err
		}
		all := codec.AppendGood(nil, out.batch.N, out.bad)
		out.rows, out.bad = all[:min(rows, len(all))], nil
		t.parts = append(t.parts, out)
		if len(out.rows) < len(all) {
			return false, nil
		}
		rows -= len(out.rows)
	}
	_, err = p.Next(ctx)
	return errors.Is(err, io.EOF), nil
}

// spread gives the batches a place for every column, those that were not read with nothing in it.
func (t *table) spread(read []codec.Column) {
	for p := range t.parts {
		batch := &t.parts[p].batch
		all := make([]stream.Column, len(t.columns))
		next := 0
		for i, c := range t.columns {
			if next < len(read) && read[next].Path[0] == c.name {
				all[i] = batch.Columns[next]
				next++
				continue
			}
			all[i].Reset(stream.Any, batch.N)
		}
		batch.Columns = all
	}
}
