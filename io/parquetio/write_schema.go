package parquetio

import (
	"fmt"
	"slices"

	"github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/compress"
	"github.com/parquet-go/parquet-go/compress/zstd"

	"tidemark/stream"
)

// compressions are the values of the option compression.
var compressions = map[string]compress.Codec{
	"zstd":   &zstd.Codec{Level: zstd.SpeedFastest},
	"snappy": &parquet.Snappy,
	"gzip":   &parquet.Gzip,
	"none":   &parquet.Uncompressed,
}

// sinkColumn is a column of the files that a sink writes.
type sinkColumn struct {
	name string
	// typ.Kind is how values are kept; Any is JSON text.
	typ stream.Type
	// required columns have no nulls.
	required bool
	// at is the column's place among the fields of the batches.
	at int
}

// columnsOf gives the columns of the files, and those that only name folders, in the order of partitionBy. A field
// that schema says is never null is required. All others are optional: what an expression is expected to give is
// no promise.
func columnsOf(fields, schema []stream.Field, partitionBy []string) (columns, folders []sinkColumn, err error) {
	folders = make([]sinkColumn, len(partitionBy))
	for i, f := range fields {
		c := sinkColumn{name: f.Name, typ: f.Type, at: i}
		if slices.ContainsFunc(fields[:i], func(g stream.Field) bool { return g.Name == f.Name }) {
			return nil, nil, fmt.Errorf("two columns are called %q", f.Name)
		}
		for _, s := range schema {
			if s.Name == f.Name {
				c.typ, c.required = s.Type, !s.Type.Null && s.Type.Kind != stream.Any
			}
		}
		if p := slices.Index(partitionBy, f.Name); p >= 0 {
			folders[p] = c
		} else {
			columns = append(columns, c)
		}
	}
	for i, c := range folders {
		if c.name == "" {
			return nil, nil, fmt.Errorf("partition_by names %q, which is not among the columns", partitionBy[i])
		}
	}
	if len(columns) == 0 {
		return nil, nil, fmt.Errorf("no column is left for the files: partition_by takes all %d", len(fields))
	}
	return columns, folders, nil
}

// orderedRoot is the schema's root: a group whose fields keep their order.
type orderedRoot struct {
	parquet.Group
	fields []parquet.Field
}

// Fields implements [parquet.Node].
func (r orderedRoot) Fields() []parquet.Field { return r.fields }

// schemaOf makes the schema of a file. dictionary says of each column whether it has one.
func schemaOf(columns []sinkColumn, dictionary []bool) *parquet.Schema {
	r := orderedRoot{Group: parquet.Group{}}
	for i, c := range columns {
		node := nodeOf(c.typ)
		if dictionary[i] {
			node = parquet.Encoded(node, &parquet.RLEDictionary)
		} else if c.typ.Kind != stream.Bool {
			node = parquet.Encoded(node, &parquet.Plain)
		}
		if !c.required {
			node = parquet.Optional(node)
		}
		r.Group[c.name] = node
		r.fields = append(r.fields, parquet.Group{c.name: node}.Fields()[0])
	}
	return parquet.NewSchema("schema", r)
}

func nodeOf(t stream.Type) parquet.Node {
	switch t.Kind {
	case stream.Int:
		return parquet.Int(64)
	case stream.Float:
		return parquet.Leaf(parquet.DoubleType)
	case stream.Bool:
		return parquet.Leaf(parquet.BooleanType)
	case stream.String:
		return parquet.String()
	case stream.Instant:
		return parquet.Timestamp(parquet.Millisecond)
	}
	return parquet.JSON()
}
