package codec

import (
	"encoding/json"
	"fmt"
	"strconv"

	"tidemark/stream"
)

// takeRecord gives the row its record as a whole, as text and as a value. It rejects a row with a cell that is not what
// the schema says: in JSON a text would stand where other records have a number.
func (t *table) takeRecord() {
	if t.object != nil {
		arena := t.object.out.Arena
		text, ok := t.appendObject(arena)
		if !ok {
			return
		}
		t.object.out.Arena = text
		t.object.out.Refs[t.row] = stream.Ref{Off: uint32(len(arena)) | stream.ArenaBit, Len: uint32(len(text) - len(arena))}
	}
	if t.whole == nil {
		return
	}
	record := make(map[string]any, len(t.spans))
	for i, c := range t.spans {
		v, problem := t.value(t.types[t.names[i]], t.text(c))
		if problem != "" && t.keys[i] != nil {
			t.rejectCell(i, problem)
			return
		}
		record[t.names[i]] = v
	}
	t.whole.box(t.row, t.rows, stream.TagOther, record)
}

// rejectCell rejects the row for its cell i.
func (t *table) rejectCell(i int, problem string) {
	t.reject(fmt.Sprintf("field %q %s", t.names[i], problem), t.names[i])
}

// appendObject appends the record as a JSON object, unless it rejects the row.
func (t *table) appendObject(dst []byte) (object []byte, ok bool) {
	dst = append(dst, '{')
	for i, c := range t.spans {
		if t.keys[i] == nil {
			continue
		}
		var problem string
		dst = append(comma(dst), t.keys[i]...)
		if dst, problem = t.appendValue(dst, t.types[t.names[i]], t.text(c)); problem != "" {
			t.rejectCell(i, problem)
			return dst, false
		}
		if t.values.nonFinite > 0 {
			t.values.nonFinite, t.nonFinite = 0, t.names[i]
		}
	}
	return append(dst, '}'), true
}

// appendValue appends a cell as JSON, or says what is wrong with it.
func (t *table) appendValue(dst []byte, typ stream.Type, text []byte) (value []byte, problem string) {
	if t.nulls.is(text) {
		return append(dst, "null"...), ""
	}
	switch typ.Kind {
	case stream.Int:
		v, problem := cellInt(text)
		return appendInt(dst, v), problem
	case stream.Float:
		v, problem := cellFloat(text)
		if problem == "" && json.Valid(text) {
			return append(dst, number(text)...), ""
		}
		return t.values.float(dst, v), problem
	case stream.Bool:
		v, problem := cellBool(text)
		return strconv.AppendBool(dst, v), problem
	}
	return appendQuoted(dst, text), ""
}

// value gives a cell boxed, or says what is wrong with it.
func (t *table) value(typ stream.Type, text []byte) (v any, problem string) {
	if t.nulls.is(text) {
		return nil, ""
	}
	switch typ.Kind {
	case stream.Int:
		return boxed(cellInt(text))
	case stream.Float:
		return boxed(cellFloat(text))
	case stream.Bool:
		return boxed(cellBool(text))
	}
	return string(text), ""
}

func boxed[T any](v T, problem string) (any, string) { return v, problem }
