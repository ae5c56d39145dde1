package runner

import (
	"fmt"
	"runtime/debug"
	"sync"
	"sync/atomic"

	"tidemark/operators/state"
	"tidemark/operators/window"
	"tidemark/stream"
)

// lanes is a window operator whose keys are dealt to several operators by their hash. These run side by side, and
// what they give is merged into the order that one operator would have given: by what brought a row about, then
// by window and first appearance of the key.
type lanes struct {
	lane    []lane
	workers int
	columns int // of the result
	merged  window.Rows
	order   merge
}

// lane is one operator and what it gave for the batch at hand.
type lane struct {
	operator window.Operator
	rows     []int32
	results  window.Rows
	late     []lateRow
	failed   []failedRow
}

type lateRow struct {
	row            int32
	uncovered      bool
	watermark, end stream.Time
}

type failedRow struct {
	row       int32
	aggregate int
	message   string
}

func newLanes(open func() (window.Operator, error), n, workers, columns int) (*lanes, error) {
	l := &lanes{columns: columns, lane: make([]lane, n), workers: min(workers, n)}
	for i := range l.lane {
		var err error
		if l.lane[i].operator, err = open(); err != nil {
			return nil, err
		}
		begin(&l.lane[i].results.Batch, columns)
	}
	return l, nil
}

// Process implements window.Operator.
func (l *lanes) Process(in *window.Input, out window.Output) {
	for i := range l.lane {
		l.lane[i].begin()
	}
	for _, row := range in.Rows {
		lane := &l.lane[state.Lane(in.Keys.Hash[row], len(l.lane))]
		lane.rows = append(lane.rows, row)
	}
	l.run(in)
	l.mergeLate(out)
	l.mergeRows(in.Batch, out)
}

// run drives all lanes over a batch. A lane without rows sees the marks all the same.
func (l *lanes) run(in *window.Input) {
	var taken atomic.Int32
	var fault atomic.Value
	drive := func() {
		defer func() {
			if p := recover(); p != nil {
				fault.Store(fmt.Sprintf("%v\n%s", p, debug.Stack()))
			}
		}()
		for {
			i := int(taken.Add(1)) - 1
			if i >= len(l.lane) {
				return
			}
			own := *in
			own.Rows, own.Quiet = l.lane[i].rows, true
			l.lane[i].operator.Process(&own, &l.lane[i])
		}
	}
	var others sync.WaitGroup
	for range l.workers - 1 {
		others.Go(drive)
	}
	drive()
	others.Wait()
	if text := fault.Load(); text != nil {
		panic(text)
	}
}

// mergeLate gives late and uncovered records in the order of their rows.
func (l *lanes) mergeLate(out window.Output) {
	late := func(e element) *lateRow { return &l.lane[e.sequence].late[e.index] }
	l.order.each(len(l.lane), func(i int) int { return len(l.lane[i].late) },
		func(a, b element) bool { return late(a).row < late(b).row },
		func(e element) {
			if r := late(e); r.uncovered {
				out.Uncovered(r.row)
			} else {
				out.Late(r.row, r.watermark, r.end)
			}
		})
}

// Watermark implements window.Operator.
func (l *lanes) Watermark() stream.Time { return l.lane[0].operator.Watermark() }

// NextFire implements window.Operator.
func (l *lanes) NextFire() stream.Time {
	next := stream.MaxTime
	for i := range l.lane {
		next = min(next, l.lane[i].operator.NextFire())
	}
	return next
}

// Entries implements window.Operator.
func (l *lanes) Entries() int { return l.sum(window.Operator.Entries) }

// Bytes implements window.Operator.
func (l *lanes) Bytes() int64 {
	return int64(l.sum(func(o window.Operator) int { return int(o.Bytes()) }))
}

// Oldest implements window.Operator.
func (l *lanes) Oldest() (ordinal uint64, ok bool) {
	for i := range l.lane {
		if o, held := l.lane[i].operator.Oldest(); held && (!ok || o < ordinal) {
			ordinal, ok = o, true
		}
	}
	return ordinal, ok
}

// Unwritten implements window.Operator.
func (l *lanes) Unwritten() (records, windows int) {
	for i := range l.lane {
		r, w := l.lane[i].operator.Unwritten()
		records, windows = records+r, windows+w
	}
	return records, windows
}

func (l *lanes) sum(f func(window.Operator) int) int {
	n := 0
	for i := range l.lane {
		n += f(l.lane[i].operator)
	}
	return n
}
