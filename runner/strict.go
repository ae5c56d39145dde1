package runner

import (
	"fmt"

	"tidemark/spec"
	"tidemark/stream"
)

// DirtyError is a record that could not be used where on_dirty says that this ends the run.
type DirtyError struct{ Node, What string }

// Error says which record, and why.
func (e *DirtyError) Error() string {
	return fmt.Sprintf("%s: %s; settings.on_dirty says fail: keep_going goes on, and %s.dirty gets such records", e.Node, e.What, e.Node)
}

// LateError is a record that came after its windows were dropped, where on_late says that this ends the run.
type LateError struct {
	Node            string
	Time, Watermark stream.Time
}

// Error says how late the record is.
func (e *LateError) Error() string {
	return fmt.Sprintf("%s: a record at %s is late: the watermark is %s; settings.on_late says fail: keep_going goes on, and %s.late gets such records",
		e.Node, e.Time, e.Watermark, e.Node)
}

// MemoryError is state that has become larger than settings.memory allows.
type MemoryError struct {
	Node        string
	Bytes, Most int64
	Entries     int
}

// Error says whose state it is, and what to do about it.
func (e *MemoryError) Error() string {
	return fmt.Sprintf("%s holds %s for %s in open windows, and settings.memory allows %s in all: raise it, or take shorter windows, fewer keys or a "+
		"smaller allowed_lateness", e.Node, inBytes(e.Bytes), count(int64(e.Entries), "entry", "entries"), inBytes(e.Most))
}

// inBytes gives a number of bytes for people.
func inBytes(n int64) string {
	if n < 10<<20 {
		return fmt.Sprintf("%.1f MiB", float64(n)/(1<<20))
	}
	return fmt.Sprintf("%d MiB", n>>20)
}

// strict has an eye on what settings don't allow.
type strict struct {
	dirty, late bool
	memory      int64
	rows        int64 // since the memory was looked at
}

// lookEvery is how many rows are taken before the memory is looked at again.
const lookEvery = 1 << 16

// refuseDirty ends the run at a record that could not be used, if settings say so.
func (e *engine) refuseDirty(node, what string) {
	if e.strict.dirty {
		e.fail(&DirtyError{node, what})
	}
}

// checkMemory ends the run when windows hold more than they may. n rows have been taken since the last time.
func (e *engine) checkMemory(n int) {
	s := &e.strict
	if s.rows += int64(n); s.memory == 0 || s.rows < lookEvery {
		return
	}
	s.rows = 0
	var most *transform
	var sum, largest int64
	for _, node := range e.nodes {
		t, ok := node.(*transform)
		if !ok || t.operator == nil {
			continue
		}
		held := t.operator.Bytes()
		sum += held
		if most == nil || held > largest {
			most, largest = t, held
		}
	}
	if sum > s.memory {
		e.fail(&MemoryError{most.plan.Name, largest, s.memory, most.operator.Entries()})
	}
}

// leap is the greatest step that one record has made in the watermark of a source.
type leap struct {
	by, to stream.Time
	place  string
}

// longLeap is the least step that is worth telling of, where records are late behind it.
const longLeap = stream.Time(spec.Hour)

// leaps looks for the greatest step in what a chunk makes of the watermark of its partition.
func (s *source) leaps(p *partition, w *work, marks []stream.Mark) {
	from := p.watermark
	for _, m := range marks {
		if by := m.Watermark - from; from > stream.MinTime && by >= longLeap && by > s.leap.by {
			s.leap = leap{by, m.Watermark, w.where(int(m.Cause))}
		}
		from = m.Watermark
	}
}

// leapWarnings names the records that moved watermarks far, where records were late behind them.
func (e *engine) leapWarnings() (list []string) {
	late := int64(0)
	for _, c := range e.counts {
		late += c.Late
	}
	for _, s := range e.sources {
		if s.leap.place != "" && late > 0 {
			list = append(list, fmt.Sprintf("%s: %s moved the watermark by %s, to %s; records behind it are late. max_ahead: 1h lets such a record move nothing",
				s.plan.Name, s.leap.place, spec.Duration(s.leap.by), s.leap.to))
		}
	}
	return list
}
