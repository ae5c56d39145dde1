package window

import (
	"sort"

	"tidemark/operators/agg"
	"tidemark/stream"
)

// machine is what kinds of windows differ in. Between two calls of advance the watermark is taken to be below
// stop.
type machine interface {
	// stop gives the least watermark at which something happens.
	stop() stream.Time
	// take takes rows in order and gives how many: all of them, or as many as may be taken at
	// once, or up to one after which stop is less.
	take(rows []int32) int
	// advance does what is due at the watermark.
	advance()
}

// core is what the operators have in common: the walk through a batch's rows and marks.
type core struct {
	steps
	emitter
	adding agg.Input
	ids    []uint32
	// cause and trigger are those of result rows.
	cause, trigger uint64
}

func newCore(l *layout, bounds bool) core {
	return core{steps: steps{watermark: stream.MinTime}, emitter: newEmitter(l, bounds)}
}

// run takes a batch.
func (c *core) run(m machine, in *Input, out Output) {
	c.walk(m, in, out)
	c.leave()
}

// walk takes rows up to a mark that makes something happen, that mark, and so on.
func (c *core) walk(m machine, in *Input, out Output) {
	c.begin(in)
	c.out = out
	for {
		stop := m.stop()
		mark := c.reaching(stop)
		through := c.through(mark)
		c.row += m.take(in.Rows[c.row:through])
		if c.row < through || m.stop() < stop {
			continue
		}
		if mark == len(in.Batch.Marks) {
			break
		}
		c.step(mark)
		c.cause, c.trigger = c.markCause(mark)
		m.advance()
		c.mark++
	}
	c.finish()
}

// leave ends a batch: what is left of rows and marks is passed on.
func (c *core) leave() {
	c.flush(&c.steps)
	c.in, c.out = nil, nil
	c.adding = agg.Input{}
}

// add adds rows to accumulators, at c.ids.
func (c *core) add(rows []int32, values accumulators, entries int) {
	in := c.in
	c.adding.Rows, c.adding.IDs, c.adding.Batch, c.adding.Ordinal = rows, c.ids, in.Batch, in.Ordinal
	for a, to := range values {
		c.adding.Args = in.Args[a]
		c.adding.Keys = nil
		if in.ArgKeys != nil {
			c.adding.Keys = in.ArgKeys[a]
		}
		to.Grow(entries)
		to.Add(&c.adding)
	}
}

// rowCause makes a row of the input the cause of the result rows that follow.
func (c *core) rowCause(row int32) {
	c.cause = c.in.Batch.Cause(int(row))
	c.trigger = 2*(c.in.Ordinal+uint64(row)) + 1
}

// at gives the place of rows of a window with the present cause.
func (c *core) at(w Window) place { return place{w, c.cause, c.trigger} }

// Watermark gives the watermark after the last step.
func (c *core) Watermark() stream.Time { return c.watermark }

// steps is the place in a batch.
type steps struct {
	in        *Input
	watermark stream.Time
	initial   stream.Time // the watermark before the batch
	row       int         // rows taken, of in.Rows
	mark      int         // marks taken
	passed    int         // marks passed on
}

func (s *steps) begin(in *Input) {
	s.in, s.initial = in, s.watermark
	s.row, s.mark, s.passed = 0, 0, 0
}

// reaching gives the first mark not taken that is at least w, or the number of marks.
func (s *steps) reaching(w stream.Time) int {
	marks := s.in.Batch.Marks[s.mark:]
	return s.mark + sort.Search(len(marks), func(i int) bool { return marks[i].Watermark >= w })
}

// through gives how many of in.Rows come before a mark; all if there is no such mark.
func (s *steps) through(mark int) int {
	rows := s.in.Rows
	if mark == len(s.in.Batch.Marks) || s.row == len(rows) {
		return len(rows)
	}
	limit := s.in.Batch.RowsUpTo(s.in.Batch.Marks[mark].Cause)
	if int(rows[len(rows)-1]) < limit {
		return len(rows)
	}
	return s.row + sort.Search(len(rows)-s.row, func(i int) bool { return int(rows[s.row+i]) >= limit })
}

// step takes all marks up to one, the last of which is being worked on.
func (s *steps) step(mark int) {
	s.watermark = s.in.Batch.Marks[mark].Watermark
	s.mark = mark
}

// markCause gives the cause and the trigger of rows fired by a mark.
func (s *steps) markCause(mark int) (cause, trigger uint64) {
	m := s.in.Batch.Marks[mark]
	return s.in.Batch.Base + m.Cause, 2 * (s.in.Ordinal + uint64(s.in.Batch.RowsUpTo(m.Cause)))
}

// finish takes the marks that are left, which make nothing happen.
func (s *steps) finish() {
	s.mark = len(s.in.Batch.Marks)
	if s.mark > 0 {
		s.watermark = s.in.Batch.Marks[s.mark-1].Watermark
	}
}

// before gives the watermark under which a row is taken.
func (s *steps) before(row int32) stream.Time {
	marks := s.in.Batch.Marks
	cause := uint64(row)
	if s.in.Batch.Causes != nil {
		cause = s.in.Batch.Causes[row]
	}
	n := sort.Search(len(marks), func(i int) bool { return marks[i].Cause >= cause })
	if n == 0 {
		return s.initial
	}
	return marks[n-1].Watermark
}

// appendMarks appends the marks taken and not passed on yet, with absolute causes. Of several with one cause
// only the last is passed on: rows that it fires have that cause too, and a mark comes after all rows of its
// cause.
func (s *steps) appendMarks(marks []stream.Mark) []stream.Mark {
	if s.in.Quiet {
		return marks
	}
	all := s.in.Batch.Marks
	for ; s.passed < s.mark; s.passed++ {
		m := all[s.passed]
		if next := s.passed + 1; next < len(all) && all[next].Cause == m.Cause {
			continue
		}
		m.Cause += s.in.Batch.Base
		marks = append(marks, m)
	}
	return marks
}
