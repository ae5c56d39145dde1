package expression

import "tidemark/stream"

// conditional is a ? b : c. Each side is evaluated for its own rows only.
type conditional struct {
	cond, yes, no kernel
	out           stream.Column
	yesRows       []int32
	noRows        []int32
}

func (k *conditional) eval(f frame, rows []int32) *stream.Column {
	c := k.cond.eval(f, rows)
	if c.Kind != stream.Bool {
		return redoAll(&k.out, stream.Int, f.n, rows)
	}
	k.yesRows, k.noRows = stream.Resize(k.yesRows, len(rows)), stream.Resize(k.noRows, len(rows))
	y, n, redo := 0, 0, false
	for _, r := range rows {
		if c.Odd > 0 && c.Tags[r] != stream.TagOK {
			redo = true
			continue
		}
		k.yesRows[y], k.noRows[n] = r, r
		one := bit(c.Bools[r])
		y, n = y+one, n+1-one
	}
	k.yesRows, k.noRows = k.yesRows[:y], k.noRows[:n]
	switch {
	case !redo && n == 0:
		return k.yes.eval(f, k.yesRows)
	case !redo && y == 0:
		return k.no.eval(f, k.noRows)
	}
	k.join(f, k.yes.eval(f, k.yesRows), k.no.eval(f, k.noRows))
	if redo {
		for _, r := range rows {
			if t := c.Tags[r]; t != stream.TagOK {
				tag(&k.out, r, orRedo(t))
			}
		}
	}
	return &k.out
}

// join puts the two sides together. The vector has the kind of the side with the first row that has a value.
func (k *conditional) join(f frame, yes, no *stream.Column) {
	a, b := firstValue(yes, k.yesRows), firstValue(no, k.noRows)
	kind := yes.Kind
	if a == len(k.yesRows) || b < len(k.noRows) && k.noRows[b] < k.yesRows[a] {
		kind = no.Kind
	}
	k.out.Reset(kind, f.n)
	untag(&k.out, f.n)
	merge(&k.out, yes, k.yesRows)
	merge(&k.out, no, k.noRows)
}

// firstValue gives the place in rows of the first row with a value of the vector's kind.
func firstValue(c *stream.Column, rows []int32) int {
	for i, r := range rows {
		if stateOf(c, r) == hasValue {
			return i
		}
	}
	return len(rows)
}

// merge copies rows of a vector, tags and all, into one that may be of another kind.
func merge(out, src *stream.Column, rows []int32) {
	if src.Kind == out.Kind && plain(src) {
		copyPlain(out, src, rows)
		return
	}
	with := copier{out: out}
	for _, r := range rows {
		switch t := src.Tag(int(r)); {
		case t == stream.TagOK && src.Kind == out.Kind:
			with.copy(src, r)
		case t == stream.TagOK:
			out.SetValue(int(r), src.Value(int(r)))
		case t == tagWhole && out.Kind == stream.Float:
			out.Floats[r] = src.Floats[r]
			tag(out, r, t)
		case t.Absent():
			tag(out, r, stream.TagNull)
		case t == stream.TagOther:
			out.SetValue(int(r), src.Boxed[r])
		default:
			tag(out, r, orRedo(t))
		}
	}
}

// copyPlain copies rows that all have values of the same kind.
func copyPlain(out, src *stream.Column, rows []int32) {
	switch out.Kind {
	case stream.Int, stream.Instant:
		for _, r := range rows {
			out.Ints[r] = src.Ints[r]
		}
	case stream.Float:
		for _, r := range rows {
			out.Floats[r] = src.Floats[r]
		}
	case stream.Bool:
		for _, r := range rows {
			out.Bools[r] = src.Bools[r]
		}
	default:
		with := copier{out: out}
		for _, r := range rows {
			with.copy(src, r)
		}
	}
}

// coalesce is a ?? b. The right side is evaluated for the rows of which the left side is nil.
type coalesce struct {
	left, right kernel
	out         stream.Column
	floats      stream.Column // small ints of the right side, as whole floats
	nils, rest  []int32
}

func (k *coalesce) eval(f frame, rows []int32) *stream.Column {
	a := k.left.eval(f, rows)
	if plain(a) {
		return a
	}
	k.nils, k.rest = k.nils[:0], k.rest[:0]
	for _, r := range rows {
		if stateOf(a, r) == isNull {
			k.nils = append(k.nils, r)
		} else {
			k.rest = append(k.rest, r)
		}
	}
	switch {
	case len(k.nils) == 0:
		return a
	case len(k.rest) == 0:
		return k.right.eval(f, k.nils)
	}
	b := k.right.eval(f, k.nils)
	kind := a.Kind
	if firstValue(a, k.rest) == len(k.rest) && !hasWhole(a, k.rest) {
		kind = b.Kind
	}
	if kind == stream.Float && b.Kind == stream.Int && b.Odd == 0 {
		b = k.wholes(f, b)
	}
	k.out.Reset(kind, f.n)
	untag(&k.out, f.n)
	merge(&k.out, a, k.rest)
	merge(&k.out, b, k.nils)
	return &k.out
}

func hasWhole(c *stream.Column, rows []int32) bool {
	for _, r := range rows {
		if c.Odd > 0 && c.Tags[r] == tagWhole {
			return true
		}
	}
	return false
}

// wholes makes whole floats of ints, so that amount ?? 0 stays in kernels.
func (k *coalesce) wholes(f frame, b *stream.Column) *stream.Column {
	k.floats.Reset(stream.Float, f.n)
	untag(&k.floats, f.n)
	for _, r := range k.nils {
		k.floats.Floats[r] = float64(b.Ints[r])
		if small(b, r) {
			tag(&k.floats, r, tagWhole)
		} else {
			tag(&k.floats, r, tagRedo)
		}
	}
	return &k.floats
}
