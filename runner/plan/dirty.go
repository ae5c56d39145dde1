package plan

import (
	"tidemark/io/codec"
	"tidemark/stream"
)

// DirtyFields are the columns of every dirty output, after the record's text in column 0.
var DirtyFields = []string{"reason", "node", "field", "expr", "raw", "meta"}

// dirtyOutput makes the output of records that a node could not use. Its batches have the whole dirty record as
// text in column 0 and DirtyFields behind it.
func dirtyOutput(node string, readers int) *Output {
	out := &Output{Node: node, Name: node + ".dirty", Port: stream.Dirty, Open: true, Declared: true, Bounded: true, Readers: readers}
	for _, name := range DirtyFields {
		t := stream.Type{Kind: stream.String, Null: true}
		if name == "raw" || name == "meta" {
			t = stream.Type{Null: true}
		}
		out.Fields = append(out.Fields, stream.Field{Name: name, Type: t})
	}
	out.column = func(path stream.Path) int {
		if isRaw(path) {
			return 0
		}
		for i, name := range DirtyFields {
			if len(path) == 1 && path[0] == name {
				return i + 1
			}
		}
		return len(DirtyFields) + 1
	}
	out.layout = func() codec.Layout { return codec.Layout{Base: 0} }
	return out
}
