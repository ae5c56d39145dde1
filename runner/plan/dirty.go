package plan

import (
	"slices"

	"tidemark/io/codec"
	"tidemark/stream"
)

// DirtyFields are the columns of every dirty output, after the record's text in column 0.
var DirtyFields = []string{"reason", "node", "field", "expr", "raw", "meta"}

// dirtyOutput makes the output of records that a node could not use. Its batches have the whole dirty record as
// text in column 0, DirtyFields behind it, then a column of nothing and those of Output.Paths.
func dirtyOutput(node string, readers int, bounded bool) *Output {
	out := &Output{Node: node, Name: node + ".dirty", Port: stream.Dirty, Open: true, Declared: true, Bounded: bounded, Readers: readers}
	for _, name := range DirtyFields {
		t := stream.Type{Kind: stream.String, Null: name == "field" || name == "expr"}
		if name == "raw" || name == "meta" {
			t = stream.Type{Null: true}
		}
		out.Fields = append(out.Fields, stream.Field{Name: name, Type: t})
	}
	out.column = func(path stream.Path) int {
		if len(path) > 0 && path[0] == stream.Meta { // its records have what was known of them in a field
			path = append(stream.Path{"meta"}, path[1:]...)
		}
		switch {
		case isRaw(path):
			return 0
		case len(path) == 1 && slices.Contains(DirtyFields, path[0]):
			return 1 + slices.Index(DirtyFields, path[0])
		case len(path) == 1 || len(path) > 1 && path[0] != "raw" && path[0] != "meta":
			return len(DirtyFields) + 1
		}
		at := slices.IndexFunc(out.Paths, path.Equal)
		if at < 0 {
			at = len(out.Paths)
			out.Paths = append(out.Paths, path)
		}
		return len(DirtyFields) + 2 + at
	}
	out.layout = func() codec.Layout { return codec.Layout{Base: 0} }
	return out
}
