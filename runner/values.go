package runner

import (
	"tidemark/runner/plan"
	"tidemark/stream"
)

// extract makes dst the values at a path below the values of src, with the tags of a path that the codec reads.
func extract(dst, src *stream.Column, path stream.Path, n int) {
	dst.Reset(stream.Any, n)
	for row := range n {
		tag := src.Tag(row)
		v := src.Value(row)
		if tag >= stream.TagParentNil {
			dst.SetTag(row, tag)
			continue
		}
		for depth, name := range path {
			object, ok := v.(map[string]any)
			if !ok {
				tag = stream.TagParentNil + stream.Tag(depth)
				if v != nil {
					dst.SetBoxed(row, stream.TagParentOther+stream.Tag(depth), v)
				} else {
					dst.SetTag(row, tag)
				}
				break
			}
			if v, ok = object[name]; !ok {
				tag = stream.TagMissing
			} else if v == nil {
				tag = stream.TagNull
			} else {
				tag = stream.TagOK
			}
			if depth < len(path)-1 {
				continue
			}
			dst.Boxed[row] = v
			dst.SetTag(row, tag)
		}
	}
}

// gatherRecords makes dst whole records: the fields of a step laid over the record beneath.
func gatherRecords(dst *stream.Column, b *stream.Batch, step *plan.Step) {
	dst.Reset(stream.Any, b.N)
	each(b, func(row int32) {
		record := map[string]any{}
		if step.Base >= 0 {
			if base, ok := b.Columns[step.Base].Value(int(row)).(map[string]any); ok {
				for name, v := range base {
					record[name] = v
				}
			}
		}
		for _, name := range step.Drop {
			delete(record, name)
		}
		for i, name := range step.Names {
			record[name] = b.Columns[step.Columns[i]].Value(int(row))
		}
		dst.Boxed[row] = record
	})
}
