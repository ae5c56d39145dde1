package agg

import "tidemark/stream"

func init() {
	register(Kind{
		Name:    "count",
		Doc:     "The number of records; with an argument, of those where it is not null.",
		Args:    "[x]",
		Example: Example{"count()", "4", "2"},
		MaxArgs: 1,
		ResultType: func([]stream.Type) stream.Type {
			return stream.Type{Kind: stream.Int}
		},
		New:   func([]stream.Type) Accumulators { return new(counts) },
		total: true,
	})
}

// counts are the accumulators of count, by entry.
type counts []int64

func (c *counts) Grow(n int) { *c = grow(*c, n, 0) }

func (c *counts) Add(in *Input) {
	n := *c
	if len(in.Args) == 0 || in.Args[0].Odd == 0 && in.Args[0].Kind != stream.Any {
		for _, id := range in.IDs {
			n[id]++
		}
		return
	}
	for i, r := range in.Rows {
		if present(in.Args[0], r) {
			n[in.IDs[i]]++
		}
	}
}

// present reports whether a row's value is not null.
func present(c *stream.Column, row int32) bool {
	switch t := c.Tag(int(row)); {
	case t == stream.TagOK && c.Kind != stream.Any:
		return true
	case t == stream.TagOK, t == stream.TagOther:
		return c.Boxed[row] != nil
	}
	return false
}

func (c *counts) Merge(dst uint32, from Accumulators, src uint32) {
	(*c)[dst] += (*from.(*counts))[src]
}

func (c *counts) Clear(id uint32) { (*c)[id] = 0 }

func (c *counts) Append(id uint32, out *stream.Column) error {
	out.AppendInt((*c)[id])
	return nil
}

func (c *counts) Reset() { *c = (*c)[:0] }

func (c *counts) Bytes() int64 { return int64(8 * cap(*c)) }

// grow gives s with n elements, new ones being v. It never shrinks.
func grow[T any](s []T, n int, v T) []T {
	old := len(s)
	if n <= old {
		return s
	}
	s = stream.Resize(s, n)
	for i := old; i < n; i++ {
		s[i] = v
	}
	return s
}
