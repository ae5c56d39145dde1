package window

import "tidemark/stream"

// tiles cuts all of time into windows that follow each other without gaps.
type tiles interface {
	// tile gives the window that a time is in. Times reach a little beyond ±beyond.
	tile(t stream.Time) Window
}

// tiling says which of the windows that follow each other have fired, and which have been dropped.
type tiling struct {
	tiles
	lateness stream.Time
	// open is the first window that has not fired, kept the first that has not been dropped.
	open, kept Window
}

func newTiling(of tiles, lateness int64) tiling {
	t := tiling{tiles: of, lateness: stream.Time(lateness)}
	t.rise(stream.MinTime)
	return t
}

// rise sets what has fired and closed at a watermark.
func (t *tiling) rise(w stream.Time) {
	w = min(max(w, -beyond), beyond)
	t.open = t.tile(w + 1)
	t.kept = t.tile(w - t.lateness + 1)
}

// fired reports whether the watermark has reached the end of a window, less 1.
func (t *tiling) fired(w Window) bool { return w.End <= t.open.Start }

// closed reports whether a window has been dropped.
func (t *tiling) closed(w Window) bool { return w.End <= t.kept.Start }

// next gives the least watermark at which more fires or closes.
func (t *tiling) next() stream.Time { return min(t.open.End-1, t.kept.End-1+t.lateness) }

// regular are windows of one size.
type regular struct{ size, offset stream.Time }

func (r *regular) tile(t stream.Time) Window {
	start := floor(t, r.size, r.offset)
	return Window{start, start + r.size}
}
