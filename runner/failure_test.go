package runner

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"tidemark/operators/window"
)

// faulty has a window, a union and sinks in and behind a source's region; every connector is faulty.
const faulty = `
sources:
  a: {type: faulty, timestamp: {expr: ts, unit: ms}, watermark: 5s}
  b: {type: faulty, timestamp: {expr: ts, unit: ms}, watermark: 5s}
transforms:
  counted: {from: a, key: k, window: {tumbling: 5s}, aggregate: {n: count()}}
  both: {from: [a, b], where: k > 2}
sinks:
  rows: {from: counted, type: faulty}
  raw: {from: a, type: faulty}
  mixed: {from: [both, counted], type: faulty}
`

// stages are the places where something can go wrong, with how often they are come to, at least.
var stages = map[string]int{"next": 42, "load": 36, "close": 6, "check": 3, "open": 3, "write": 60, "commit": 3}

// attempt runs the faulty pipeline and checks what must hold however a run ends.
func attempt(t *testing.T, ctx context.Context, o Options) (*Report, error) {
	t.Helper()
	type result struct {
		report *Report
		err    error
	}
	p := newTrial(t, faulty, nil)
	ended := make(chan result, 1)
	go func() {
		_, report, err := p.run(ctx, o)
		ended <- result{report, err}
	}()
	select {
	case r := <-ended:
		if left := fault.partitions.Load(); left != 0 {
			t.Errorf("%d partitions were not closed", left)
		}
		if opened := int32(min(fault.seen["open"], 3)); fault.committed.Load()+fault.aborted.Load() < opened-1 {
			t.Errorf("of %d sinks %d were committed and %d aborted", opened, fault.committed.Load(), fault.aborted.Load())
		}
		if r.err != nil && fault.committed.Load() > 0 && fault.stage != "commit" {
			t.Errorf("%d sinks were committed though the run failed", fault.committed.Load())
		}
		return r.report, r.err
	case <-time.After(10 * time.Second):
		panic("the run doesn't end")
	}
}

// everywhere calls f for each stage, at the first, a middle and the last time that it is come to, and settings.
func everywhere(t *testing.T, f func(t *testing.T, stage string, o Options)) {
	for stage, times := range stages {
		for _, at := range []int{1, times / 2, times} {
			for name, o := range settings {
				t.Run(fmt.Sprint(stage, " ", at, " ", name), func(t *testing.T) {
					fault.reset(stage, at, nil)
					f(t, stage, o)
				})
			}
		}
	}
}

func TestFaultlessRun(t *testing.T) {
	for name, o := range settings {
		fault.reset("", 0, nil)
		report, err := attempt(t, context.Background(), o)
		if err != nil || report.Stopped || report.Failed || fault.committed.Load() != 3 || fault.aborted.Load() != 0 {
			t.Errorf("%s: %v, %+v", name, err, report)
		}
		for stage, times := range stages {
			if fault.seen[stage] < times {
				t.Errorf("%s: %s was come to %d times, wants %d", name, stage, fault.seen[stage], times)
			}
		}
		for _, c := range report.Nodes {
			used := c.Filtered + c.Late + c.Dirty + c.Used
			if c.Kind == "source" {
				used = c.Out + c.Dirty
			}
			if c.In == 0 || c.In != used {
				t.Errorf("%s: %+v doesn't add up", name, c)
			}
		}
	}
}

// TestErrors says that an error at any stage ends the run, is given with the node's name, and takes sinks back.
func TestErrors(t *testing.T) {
	trouble := errors.New("the disk is on fire")
	everywhere(t, func(t *testing.T, stage string, o Options) {
		fault.happen = func(context.Context) error { return trouble }
		_, err := attempt(t, context.Background(), o)
		if !errors.Is(err, trouble) {
			t.Fatalf("the error is %v", err)
		}
		if name, _, found := strings.Cut(err.Error(), ":"); !found || !strings.Contains(faulty, "\n  "+name+": ") {
			t.Errorf("no node is named in %q", err)
		}
	})
}

// TestPanics says that a fault of a connector's own ends the run as an error does.
func TestPanics(t *testing.T) {
	everywhere(t, func(t *testing.T, stage string, o Options) {
		fault.happen = func(context.Context) error { panic("out of cheese") }
		_, err := attempt(t, context.Background(), o)
		var fault *PanicError
		if !errors.As(err, &fault) {
			t.Fatalf("the error is %v", err)
		}
		if !strings.Contains(faulty, "\n  "+fault.Node+": ") || fault.Value != "out of cheese" || !strings.Contains(string(fault.Stack), "faulty_test.go") {
			t.Errorf("%v", err)
		}
	})
}

// TestCancel stops a run at any stage: it ends soon, without an error. Its input has an end of its own, so sinks keep
// what was written only if it was drained, or if it had come to its end before it was stopped.
func TestCancel(t *testing.T) {
	everywhere(t, func(t *testing.T, stage string, o Options) {
		for _, o.Drain = range []bool{false, true} {
			ctx, cancel := context.WithCancel(context.Background())
			defer cancel()
			fault.reset(stage, fault.at, func(ctx context.Context) error {
				cancel()
				if stage != "next" {
					return nil
				}
				<-ctx.Done() // as a pipe does
				return ctx.Err()
			})
			report, err := attempt(t, ctx, o)
			kept, lost := int64(3), int64(0)
			if report.Stopped && !o.Drain {
				kept, lost = 0, 3 // a part must not pass for the whole
			}
			if err != nil || int64(fault.aborted.Load()) != lost || int64(fault.committed.Load()) != kept {
				t.Errorf("the error is %v; %d committed, %d aborted", err, fault.committed.Load(), fault.aborted.Load())
			}
			if stage == "next" && !report.Stopped {
				t.Error("the report doesn't say that the run was stopped")
			}
		}
	})
}

// broken is a window operator with a fault.
type broken struct {
	window.Operator
	batches int
}

// Process panics at the second batch with rows.
func (b *broken) Process(in *window.Input, out window.Output) {
	if len(in.Rows) > 0 {
		b.batches++
	}
	if b.batches > 1 {
		panic("a broken invariant")
	}
	b.Operator.Process(in, out)
}

func breakOperators(e *engine) {
	for _, n := range e.nodes {
		t, ok := n.(*transform)
		if !ok || t.operator == nil {
			continue
		}
		l, ok := t.operator.(*lanes)
		if !ok {
			t.operator = &broken{Operator: t.operator}
			continue
		}
		for i := range l.lane {
			l.lane[i].operator = &broken{Operator: l.lane[i].operator}
		}
	}
}

// TestPanicInOperator says that the fault of an operator is named with its node, in lanes too.
func TestPanicInOperator(t *testing.T) {
	for name, o := range settings {
		t.Run(name, func(t *testing.T) {
			fault.reset("", 0, nil)
			p := newTrial(t, faulty, nil)
			e := newEngine(p.plan(), o)
			err := e.open(context.Background(), p.plan())
			if err != nil {
				t.Fatal(err)
			}
			breakOperators(e)
			e.run(context.Background())
			err = e.end(e.close(&Report{}))
			var fault *PanicError
			if !errors.As(err, &fault) || fault.Node != "counted" || !strings.Contains(fmt.Sprint(fault.Value), "a broken invariant") {
				t.Fatalf("the error is %v", err)
			}
		})
	}
}

// TestCancelWhileCommitting takes a commit that did not come through for what it is, whatever stopped it.
func TestCancelWhileCommitting(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	fault.reset("commit", 2, func(context.Context) error {
		cancel()
		return fmt.Errorf("the broker: %w", context.Canceled)
	})
	if report, err := attempt(t, ctx, Options{}); err == nil || !report.Failed {
		t.Errorf("%v, %+v", err, report)
	}
}
