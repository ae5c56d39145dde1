package agg

import (
	"bytes"
	"cmp"
	"math"
	"strings"

	"tidemark/stream"
)

// extreme is the accumulators of min and max: the best value of each entry. NaN and null are skipped.
//
// A value is kept as a rank, an integer that compares as the value does (as the beginning of a text, for texts),
// xor'ed with flip, so that for both functions the least one is best. Where an integer equals a float the
// integer is better, and -0 is less than 0: the result must not hang on the order in which values come.
type extreme struct {
	name  string
	flip  int64 // 0 for min, -1 for max
	class []class
	best  []int64 // rank ^ flip; of class clash: the families met
	texts texts   // of classes text and fine
	parts parts
}

func extremeKind(name, doc string, example Example, flip int64) Kind {
	return Kind{
		Name:       name,
		Doc:        doc,
		Args:       "x",
		Example:    example,
		MinArgs:    1,
		MaxArgs:    1,
		ResultType: sameOrNull,
		New:        func([]stream.Type) Accumulators { return &extreme{name: name, flip: flip} },
		accepts:    orderable,
	}
}

// sameOrNull is the type of the argument. There may be nothing but NaNs among floats, hence null.
func sameOrNull(args []stream.Type) stream.Type {
	t := args[0]
	t.Null = t.Null || t.Kind == stream.Float || t.Kind == stream.Any
	return t
}

func (e *extreme) Grow(n int) {
	e.class = grow(e.class, n, empty)
	e.best = grow(e.best, n, 0)
}

func (e *extreme) Add(in *Input) {
	c := in.Args[0]
	switch plain := e.parts.split(in); c.Kind {
	case stream.Int:
		e.addInts(c.Ints, integer, plain)
	case stream.Instant:
		e.addInts(c.Ints, instant, plain)
	case stream.Float:
		e.addFloats(c.Floats, plain)
	case stream.String:
		e.addTexts(c, plain)
	default:
		for i, r := range plain.Rows {
			e.offer(plain.IDs[i], ranked(valueAt(c, r)))
		}
	}
	for i, r := range e.parts.oddRows {
		e.offer(e.parts.oddIDs[i], ranked(valueAt(c, r)))
	}
}

func (e *extreme) addInts(values []int64, as class, in *Input) {
	flip, best, classes, ids := e.flip, e.best, e.class, in.IDs
	for i, r := range in.Rows {
		id, v := ids[i], values[r]
		if classes[id] == as {
			best[id] = min(best[id], v^flip)
			continue
		}
		e.offer(id, value{class: as, bits: v})
	}
}

func (e *extreme) addFloats(values []float64, in *Input) {
	flip, best, classes, ids := e.flip, e.best, e.class, in.IDs
	for i, r := range in.Rows {
		id, v := ids[i], values[r]
		if v != v {
			continue
		}
		rank := rankOf(int64(math.Float64bits(v)))
		if classes[id] == float {
			best[id] = min(best[id], rank^flip)
			continue
		}
		e.offer(id, value{class: float, bits: rank})
	}
}

// addTexts compares the beginnings of texts first, which are at hand, and the rest only where these are equal.
func (e *extreme) addTexts(c *stream.Column, in *Input) {
	flip, best, classes, ids := e.flip, e.best, e.class, in.IDs
	for i, r := range in.Rows {
		id, b := ids[i], c.Bytes(int(r))
		rank := beginning(b)
		if classes[id] != text || rank^flip <= best[id] {
			e.offer(id, value{class: text, bits: rank, text: b})
		}
	}
}

// ranked gives a value its rank. NaN becomes empty, as null is.
func ranked(v value) value {
	switch v.class {
	case float:
		if f := math.Float64frombits(uint64(v.bits)); f != f {
			return value{}
		}
		v.bits = rankOf(v.bits)
	case text:
		v.bits = beginning(v.text)
	}
	return v
}

// offer takes a ranked value if it is better than the entry's. Values of two families make the entry a clash.
func (e *extreme) offer(id uint32, v value) {
	was := e.class[id]
	switch {
	case v.class == empty:
	case was == empty:
		e.take(id, v)
	case was == clash || v.class == clash:
		e.clash(id, e.met(id)|metIn(v))
	case was.family() != v.class.family():
		e.clash(id, was.family()|v.class.family())
	case e.better(v, e.held(id)):
		e.take(id, v)
	}
}

// met gives the families that an entry that isn't empty has met.
func (e *extreme) met(id uint32) family { return metIn(e.held(id)) }

func metIn(v value) family {
	if v.class == clash {
		return family(v.bits)
	}
	return v.class.family()
}

// held gives what an entry holds, as a ranked value.
func (e *extreme) held(id uint32) value {
	v := value{class: e.class[id], bits: e.best[id] ^ e.flip}
	switch v.class {
	case text, fine:
		v.text = e.texts.get(id)
	case clash:
		v.bits = e.best[id]
	}
	return v
}

func (e *extreme) take(id uint32, v value) {
	if v.class == clash {
		e.clash(id, family(v.bits))
		return
	}
	e.class[id], e.best[id] = v.class, v.bits^e.flip
	if v.class == text || v.class == fine {
		e.texts.set(id, v.text, len(e.class))
	}
}

func (e *extreme) clash(id uint32, met family) {
	e.class[id], e.best[id] = clash, int64(met)
	e.texts.drop(id)
}

// better reports whether a, of the same family as b, is the better one.
func (e *extreme) better(a, b value) bool {
	c := e.compare(a, b)
	return c < 0 || c == 0 && a.class < b.class && b.class == float
}

// compare gives less than 0 where a, of the same family as b, is the better one by its value, and 0 where they are
// equal.
func (e *extreme) compare(a, b value) int {
	var c int
	switch {
	case a.class == integer && b.class == float:
		c = compareIntFloat(a.bits, math.Float64frombits(uint64(floatOf(b.bits))))
	case a.class == float && b.class == integer:
		c = -compareIntFloat(b.bits, math.Float64frombits(uint64(floatOf(a.bits))))
	default:
		c = cmp.Compare(a.bits, b.bits)
		if c == 0 {
			c = bytes.Compare(a.text, b.text) // of times: nanoseconds; an instant of whole milliseconds has none
		}
	}
	if e.flip != 0 {
		return -c
	}
	return c
}

func (e *extreme) Merge(dst uint32, from Accumulators, src uint32) {
	e.offer(dst, from.(*extreme).held(src))
}

func (e *extreme) Clear(id uint32) {
	e.class[id] = empty
	e.texts.drop(id)
}

func (e *extreme) Append(id uint32, out *stream.Column) error {
	v := e.held(id)
	switch v.class {
	case clash:
		return &resultError{e.name, "the values can't be compared with each other: they are " + family(v.bits).String()}
	case float:
		v.bits = floatOf(v.bits)
	}
	v.appendTo(out)
	return nil
}

// String lists the families of a set.
func (f family) String() string {
	var names []string
	for i, name := range familyNames {
		if f&(1<<i) != 0 {
			names = append(names, name)
		}
	}
	return strings.Join(names, " and ")
}

func (e *extreme) Reset() {
	e.class, e.best = e.class[:0], e.best[:0]
	e.texts.reset()
}

func (e *extreme) Bytes() int64 {
	return int64(cap(e.class)+8*cap(e.best)) + e.texts.bytes() + e.parts.bytes()
}
