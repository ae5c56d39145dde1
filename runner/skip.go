package runner

import (
	"tidemark/io/connector"
	"tidemark/operators/expression"
	"tidemark/operators/watermark"
	"tidemark/stream"
)

// skip takes a chunk as read without reading it, if its statistics say that no reader of the source lets a row of
// it pass, and that all its rows have event times. The greatest of these moves the watermark.
func (w *work) skip(c connector.Chunk) bool {
	known, ok := w.partition.columns.(connector.Statistical)
	if !ok || len(w.source.plan.Skips) == 0 || w.source.readAll {
		return false
	}
	for _, bounds := range w.source.plan.Skips {
		if !excluded(known, c, bounds) {
			return false
		}
	}
	greatest := stream.MinTime
	if w.source.plan.Timestamp != nil {
		if greatest, ok = w.source.greatest(known, c); !ok {
			return false
		}
	}
	rows := int(c.End - c.Offset)
	w.failed, w.marks, w.greatest = w.failed[:0], w.marks[:0], greatest
	w.scanned.N = rows
	if m := w.source.plan.Watermark.Strategy.At(greatest); m > stream.MinTime {
		w.marks = append(w.marks, stream.Mark{Cause: uint64(rows - 1), Watermark: m})
	}
	return true
}

// excluded reports whether no row of a chunk satisfies all bounds. Every comparison up to the one that fails has
// to have a value in every row: else some rows are dirty, not filtered.
func excluded(known connector.Statistical, c connector.Chunk, bounds []expression.Bound) bool {
	for _, b := range bounds {
		least, greatest, ok := known.Statistics(c, b.Path)
		if !ok || !b.Comparable(least) {
			return false
		}
		if b.Excludes(least, greatest) {
			return true
		}
	}
	return false
}

// greatest gives the greatest event time of a chunk.
func (s *source) greatest(known connector.Statistical, c connector.Chunk) (stream.Time, bool) {
	least, greatest, ok := known.Statistics(c, s.plan.TimePath())
	if !ok {
		return 0, false
	}
	unit := s.plan.Timestamp.Unit
	from, isTime := least.(stream.Time)
	to, _ := greatest.(stream.Time)
	if !isTime {
		low, isInt := least.(int64)
		high, _ := greatest.(int64)
		if !isInt || unit == watermark.NoUnit {
			return 0, false
		}
		var fits bool
		if from, fits = unit.Millis(low); !fits {
			return 0, false
		}
		if to, fits = unit.Millis(high); !fits {
			return 0, false
		}
	}
	return to, from.InRange() && to.InRange()
}

// skipped gives a piece of a chunk that was not read to everything that reads its source: its rows are filtered, its
// marks count.
func (e *engine) skipped(s *source, piece piece) {
	n := int64(piece.hi - piece.lo)
	s.counts.In += n
	s.counts.Out += n
	s.counts.Skipped += n
	for _, r := range s.region {
		if r.from < 0 {
			r.transform.counts.In += n
			r.transform.counts.Filtered += n
		}
	}
	if len(piece.marks) > 0 {
		e.advance(s, stream.Batch{Base: piece.base, Marks: piece.marks})
	}
}

// size gives the number of the chunk's lines or rows.
func (w *work) size() int {
	if w.skipped {
		return w.scanned.N
	}
	return w.decoder.size()
}
