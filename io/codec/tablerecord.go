package codec

import (
	"encoding/json"

	"tidemark/stream"
)

// takeRecord gives the row its record as a whole, as text and as a value. Cells that are not what the schema says are
// text there: whether they matter is for those to say who read the field itself.
func (t *table) takeRecord() {
	if t.object != nil {
		arena := t.object.out.Arena
		t.object.out.Arena = t.appendObject(arena)
		t.object.out.Refs[t.row] = stream.Ref{Off: uint32(len(arena)) | stream.ArenaBit, Len: uint32(len(t.object.out.Arena) - len(arena))}
	}
	if t.whole == nil {
		return
	}
	record := make(map[string]any, len(t.spans))
	for i, c := range t.spans {
		record[t.names[i]] = t.value(t.types[t.names[i]], t.text(c))
	}
	t.whole.box(t.row, t.rows, stream.TagOther, record)
}

func (t *table) appendObject(dst []byte) []byte {
	dst = append(dst, '{')
	for i, c := range t.spans {
		if t.keys[i] == nil {
			continue
		}
		dst = append(comma(dst), t.keys[i]...)
		dst = t.appendValue(dst, t.types[t.names[i]], t.text(c))
	}
	return append(dst, '}')
}

// appendValue appends a cell as JSON.
func (t *table) appendValue(dst []byte, typ stream.Type, text []byte) []byte {
	if t.nulls.is(text) {
		return append(dst, "null"...)
	}
	switch typ.Kind {
	case stream.Int:
		if v, problem := cellInt(text); problem == "" {
			return appendInt(dst, v)
		}
	case stream.Float:
		if v, problem := cellFloat(text); problem == "" {
			if json.Valid(text) {
				return append(dst, number(text)...)
			}
			dst = t.values.float(dst, v)
			return dst
		}
	case stream.Bool:
		if v, problem := cellBool(text); problem == "" {
			if v {
				return append(dst, "true"...)
			}
			return append(dst, "false"...)
		}
	}
	return appendQuoted(dst, text)
}

// value gives a cell boxed.
func (t *table) value(typ stream.Type, text []byte) any {
	if t.nulls.is(text) {
		return nil
	}
	switch typ.Kind {
	case stream.Int:
		if v, problem := cellInt(text); problem == "" {
			return v
		}
	case stream.Float:
		if v, problem := cellFloat(text); problem == "" {
			return v
		}
	case stream.Bool:
		if v, problem := cellBool(text); problem == "" {
			return v
		}
	}
	return string(text)
}
