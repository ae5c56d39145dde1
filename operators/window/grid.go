package window

import "tidemark/stream"

// grid is the arithmetic of windows of one size that start at regular distances. It reckons in starts.
type grid struct {
	size, every, offset, lateness stream.Time
	// fired and closed are the last starts of windows that have fired, and have been dropped.
	fired, closed stream.Time
}

// beyond is far from all times that a record or a window may have, and near enough to 0 to reckon with.
const beyond stream.Time = 1 << 62

func newGrid(size, every, offset, lateness int64) grid {
	g := grid{stream.Time(size), stream.Time(every), stream.Time(offset), stream.Time(lateness), 0, 0}
	g.rise(stream.MinTime)
	return g
}

// floor gives the last start at or before t.
func (g *grid) floor(t stream.Time) stream.Time { return floor(t, g.every, g.offset) }

// floor gives the last time at or before t that is a multiple of a step, plus an offset.
func floor(t, step, offset stream.Time) stream.Time {
	r := (t - offset) % step
	if r < 0 {
		r += step
	}
	return t - r
}

// rise sets what has fired and closed at a watermark.
func (g *grid) rise(w stream.Time) {
	w = min(max(w, -beyond), beyond)
	g.fired = g.floor(w - g.size + 1)
	g.closed = g.floor(w - g.size + 1 - g.lateness)
}

// last gives the watermark at which the window of a start fires.
func (g *grid) last(start stream.Time) stream.Time { return start + g.size - 1 }

// next gives the least watermark at which more fires or closes.
func (g *grid) next() stream.Time {
	return min(g.last(g.fired+g.every), g.last(g.closed+g.every)+g.lateness)
}

func (g *grid) window(start stream.Time) Window { return Window{start, start + g.size} }
