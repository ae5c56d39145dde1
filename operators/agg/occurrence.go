package agg

import (
	"math"

	"tidemark/operators/state"
	"tidemark/stream"
)

// occurrence is the accumulators of first and last: the value of the row that came first, or last, in the
// input, nulls left out.
type occurrence struct {
	flip    uint64   // 0 for first, all ones for last
	place   []uint64 // (number of the row in the input + 1) ^ flip: the least is kept; nowhere where there is none
	class   []class
	bits    []int64
	texts   texts // of classes text, fine and other
	scratch []byte
	parts   parts
}

// nowhere comes after every place.
const nowhere = math.MaxUint64

func occurrenceKind(name, doc string, example Example, flip uint64) Kind {
	return Kind{
		Name:    name,
		Doc:     doc,
		Args:    "x",
		Example: example,
		MinArgs: 1,
		MaxArgs: 1,
		ResultType: func(args []stream.Type) stream.Type {
			t := args[0]
			t.Null = t.Null || t.Kind == stream.Any
			return t
		},
		New: func([]stream.Type) Accumulators { return &occurrence{flip: flip} },
	}
}

func (o *occurrence) Grow(n int) {
	o.place = grow(o.place, n, nowhere)
	o.class = grow(o.class, n, empty)
	o.bits = grow(o.bits, n, 0)
}

func (o *occurrence) Add(in *Input) {
	c := in.Args[0]
	switch plain := o.parts.split(in); c.Kind {
	case stream.Int:
		o.addInts(c.Ints, integer, plain)
	case stream.Instant:
		o.addInts(c.Ints, instant, plain)
	case stream.Float:
		o.addFloats(c.Floats, plain)
	default:
		o.addValues(c, plain.Rows, plain.IDs, in.Ordinal)
	}
	o.addValues(c, o.parts.oddRows, o.parts.oddIDs, in.Ordinal)
}

func (o *occurrence) addInts(values []int64, as class, in *Input) {
	first, flip, places, ids := in.Ordinal+1, o.flip, o.place, in.IDs
	for i, r := range in.Rows {
		id, place := ids[i], (first+uint64(r))^flip
		if place < places[id] {
			places[id], o.class[id], o.bits[id] = place, as, values[r]
		}
	}
}

func (o *occurrence) addFloats(values []float64, in *Input) {
	first, flip, places, ids := in.Ordinal+1, o.flip, o.place, in.IDs
	for i, r := range in.Rows {
		id, place := ids[i], (first+uint64(r))^flip
		if place < places[id] {
			places[id], o.class[id], o.bits[id] = place, float, int64(math.Float64bits(values[r]))
		}
	}
}

func (o *occurrence) addValues(c *stream.Column, rows []int32, ids []uint32, ordinal uint64) {
	for i, r := range rows {
		id, place := ids[i], (ordinal+uint64(r)+1)^o.flip
		if place < o.place[id] {
			o.take(id, place, valueAt(c, r))
		}
	}
}

// take makes a value the entry's, unless it is null.
func (o *occurrence) take(id uint32, place uint64, v value) {
	switch v.class {
	case empty:
		return
	case other:
		if v.text == nil {
			o.scratch = state.AppendValue(o.scratch[:0], v.boxed)
			v.text = o.scratch
		}
		fallthrough
	case text, fine:
		o.texts.set(id, v.text, len(o.place))
	}
	o.place[id], o.class[id], o.bits[id] = place, v.class, v.bits
}

// held gives what an entry holds.
func (o *occurrence) held(id uint32) value {
	v := value{class: o.class[id], bits: o.bits[id]}
	if v.class == text || v.class == fine || v.class == other {
		v.text = o.texts.get(id)
	}
	return v
}

func (o *occurrence) Merge(dst uint32, from Accumulators, src uint32) {
	other := from.(*occurrence)
	if place := other.place[src]; place < o.place[dst] {
		o.take(dst, place, other.held(src))
	}
}

func (o *occurrence) Clear(id uint32) {
	o.place[id], o.class[id] = nowhere, empty
	o.texts.drop(id)
}

func (o *occurrence) Append(id uint32, out *stream.Column) error {
	o.held(id).appendTo(out)
	return nil
}

func (o *occurrence) Reset() {
	o.place, o.class, o.bits = o.place[:0], o.class[:0], o.bits[:0]
	o.texts.reset()
}

func (o *occurrence) Bytes() int64 {
	return int64(8*cap(o.place)+cap(o.class)+8*cap(o.bits)+cap(o.scratch)) + o.texts.bytes() + o.parts.bytes()
}
