package parquetio

import "tidemark/stream"

// access is how a file gives the values of a path.
type access struct {
	way way
	// shape is what is read, at the path's name number depth; rest are the names below it.
	shape *shape
	depth int
	rest  stream.Path
	// tags are those of a row where the shape isn't there, by its definition level.
	tags []stream.Tag
	// missing is the tag of all rows where the file has nothing at the path.
	missing stream.Tag
	want    want
}

type way uint8

const (
	byNothing way = iota
	byLeaf
	byNesting
)

// resolve says how a file whose record is given has a path.
func resolve(record *shape, path stream.Path, w want) access {
	a := access{way: byNesting, shape: record, depth: -1, rest: path, want: w}
	for i, name := range path {
		if a.shape.form != formStruct {
			return a
		}
		part := a.shape.part(name)
		if part == nil {
			return a.without(len(path))
		}
		a.shape, a.depth, a.rest = part, i, path[i+1:]
		for len(a.tags) < int(part.def) {
			a.tags = append(a.tags, nothing(i, len(path)))
		}
	}
	if a.shape.form == formLeaf && len(path) > 0 {
		a.way = byLeaf
	}
	return a
}

// nothing is the tag of a value that isn't there because the name number i of a path of n has null.
func nothing(i, n int) stream.Tag {
	if i == n-1 {
		return stream.TagNull
	}
	return stream.TagParentNil + stream.Tag(i)
}

// without is for a struct that lacks the next name. Where the struct itself may be null it has to be read.
func (a access) without(n int) access {
	if len(a.tags) > 0 {
		return a
	}
	a.way = byNothing
	if a.missing = stream.TagMissing; a.depth+1 < n-1 {
		a.missing = stream.TagParentNil + stream.Tag(a.depth+1)
	}
	return a
}

// leaves are those that are read.
func (a access) leaves() []*shape {
	if a.way == byNothing {
		return nil
	}
	return a.shape.leaves
}

// set puts a value of the shape, or what is below it at the rest of the path, into a row of a column of kind Any.
func (a access) set(out *stream.Column, row int, level uint8, v any) {
	if v == nil && level < a.shape.def {
		out.SetTag(row, a.tags[level])
		return
	}
	for i, name := range a.rest {
		at := stream.Tag(a.depth + i)
		object, is := v.(map[string]any)
		switch {
		case v == nil:
			out.SetTag(row, stream.TagParentNil+at)
			return
		case !is:
			out.SetBoxed(row, stream.TagParentOther+at, v)
			return
		}
		var has bool
		if v, has = object[name]; !has {
			if i == len(a.rest)-1 {
				out.SetTag(row, stream.TagMissing)
			} else {
				out.SetTag(row, stream.TagParentNil+at+1)
			}
			return
		}
	}
	out.SetValue(row, v)
}
