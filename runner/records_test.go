package runner

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"tidemark/io/connector"
	"tidemark/stream"
)

// TestRecords reads facts of records and writes keys, headers and times.
func TestRecords(t *testing.T) {
	in, out := newTape("in", 1), newShelf("out")
	in.all[0].put(taped{`{"user":"a","n":1}`, 1000, "k1"}, taped{`{"user":null,"n":2}`, 2000, "k2"}, taped{"", 3000, "k3"}, taped{"{\n\"user\":\"b\",\"n\":3}", 4000, "k4"})
	in.all[0].stop()
	p := newTrial(t, `
sources:
  in: {type: tape, name: in, ends: true}
transforms:
  with: {from: in, set: {key: meta.key, offset: meta.offset, at: meta.event_time}}
sinks:
  out: {from: with, type: shelf, name: out, key: user, headers: {n: n * 2, from: "'test'"}}
  dirty: {from: in.dirty, type: stdout}
`, nil)
	stdout, report, err := p.run(t.Context(), Options{})
	if err != nil {
		t.Fatal(err)
	}
	want := []string{
		`a={"user":"a","n":1,"key":"k1","offset":0,"at":"1970-01-01T00:00:01Z"} n:2 from:test`,
		`{"user":null,"n":2,"key":"k2","offset":1,"at":"1970-01-01T00:00:02Z"} n:4 from:test`,
		"b={\"user\":\"b\",\"n\":3,\"key\":\"k4\",\"offset\":3,\"at\":\"1970-01-01T00:00:04Z\"} n:6 from:test",
	}
	if !slices.Equal(out.records, want) {
		t.Errorf("%q", out.records)
	}
	if !strings.Contains(stdout, `"meta":{"offset":2,"topic":"in/0"}`) {
		t.Error(stdout)
	}
	if !strings.Contains(fmt.Sprint(report.Nodes), "in source 4 3") {
		t.Error(report.Nodes)
	}
	if position, _ := in.where("in/0"); position != 4 {
		t.Errorf("committed %d", position)
	}
}

// TestRecordKinds writes a changelog: what is taken back is not written, what is deleted is a tombstone.
func TestRecordKinds(t *testing.T) {
	out := newShelf("out")
	newTape("in", 1)
	text := `
sources:
  in: {type: tape, name: in, schema: {k: "string|null", j: int}}
sinks:
  out: {from: in, type: shelf, name: out, mode: upsert, key: KEY}
`
	for key, want := range map[string]string{
		"k":      `[a={"k":"a","j":0} b={"k":"b","j":2} b=-]`,
		"[k, j]": `[{"k":"a","j":0}={"k":"a","j":0} {"k":"b","j":2}={"k":"b","j":2} {"k":"b","j":3}=-]`,
	} {
		out.records = nil
		p := newTrial(t, strings.ReplaceAll(text, "KEY", key), nil).plan()
		e := newEngine(p, Options{})
		if err := e.open(t.Context(), p); err != nil {
			t.Fatal(err)
		}
		k, j := p.Sources[0].Main.Column(stream.Path{"k"}), p.Sources[0].Main.Column(stream.Path{"j"})
		raw := p.Sources[0].Main.Layout().Base
		b := &stream.Batch{N: 5, Columns: make([]stream.Column, len(p.Sources[0].Stage.Slots)), Times: make([]stream.Time, 5)}
		b.Kinds = []stream.RowKind{stream.Insert, stream.UpdateBefore, stream.UpdateAfter, stream.Delete, stream.Insert}
		for i := range b.Columns {
			b.Columns[i].Reset(stream.Any, 5)
		}
		b.Columns[raw].Reset(stream.String, 5)
		for i, v := range []any{"a", "b", "b", "b", nil} {
			b.Columns[k].SetValue(i, v)
			b.Columns[j].SetValue(i, int64(i))
			b.Columns[raw].SetString(i, fmt.Sprintf(`{"k":"%v","j":%d}`, v, i))
		}
		e.sinks[0].take(0, b)
		if got := fmt.Sprint(out.records); got != want {
			t.Errorf("key %s: %s, want %s", key, got, want)
		}
		if c := e.sinks[0].counts; c.Dirty != 1 || c.samples[0] != "the key is null" {
			t.Errorf("%+v", c)
		}
		e.closeReaders()
	}
}

// TestRefused takes records that the receiver does not want to the sink's dirty output, also those that it refuses at
// the very end.
func TestRefused(t *testing.T) {
	in, out := newTape("in", 1), newShelf("out")
	out.refuse = func(r *connector.Record) string {
		if strings.Contains(string(r.Value), "big") {
			return "too large"
		}
		return ""
	}
	in.all[0].put(taped{`{"user":"a","v":"small"}`, 1000, ""}, taped{`{"user":"b","v":"big"}`, 2000, ""})
	in.all[0].stop()
	p := newTrial(t, `
sources:
  in: {type: tape, name: in, ends: true}
sinks:
  out: {from: in, type: shelf, name: out, key: user}
  refused: {from: out.dirty, type: stdout}
`, nil)
	stdout, report, err := p.run(t.Context(), Options{})
	if err != nil {
		t.Fatal(err)
	}
	if want := `{"reason":"too large","node":"out","field":null,"expr":null,"raw":{"user":"b","v":"big"},"meta":{"event_time":"1970-01-01T00:00:02Z","key":"b"}}` + "\n"; stdout != want {
		t.Error(stdout)
	}
	if len(out.records) != 1 || report.Nodes[1].Dirty != 1 || report.Nodes[1].Out != 1 {
		t.Error(out.records, report.Nodes)
	}
}

// TestBoundedRecords merges partitions by event time whatever the chunks, workers and the order of arrival.
func TestBoundedRecords(t *testing.T) {
	text := `
sources:
  in: {type: tape, name: in, ends: true, watermark: 5s}
transforms:
  count: {from: in, key: {k: v % 3}, window: {tumbling: 10s}, aggregate: {n: count(), first: first(v)}}
sinks:
  out: {from: count, type: stdout}
  all: {from: in, type: shelf, name: out}
  late: {from: count.late, type: shelf, name: late}
`
	var want string
	for round := range 8 {
		in, out, late := newTape("in", 3), newShelf("out"), newShelf("late")
		for i, r := range in.all {
			var records []taped
			for n := range 200 {
				at := int64((n*977+i*31)%9000 + n*200)
				records = append(records, taped{fmt.Sprintf(`{"v":%d}`, at), at, ""})
			}
			go func() {
				for len(records) > 0 {
					n := min(1+round*7, len(records))
					r.chunks <- records[:n]
					records = records[n:]
					if round%3 == i {
						time.Sleep(time.Millisecond)
					}
				}
				r.stop()
			}()
		}
		o := Options{Parallelism: 1 + round%3, BatchRows: round % 4, Lanes: LaneMode(round % 3)}
		stdout, _, err := newTrial(t, text, nil).run(context.Background(), o)
		if err != nil {
			t.Fatal(err)
		}
		got := stdout + strings.Join(out.records, "\n") + strings.Join(late.records, "\n")
		if want == "" {
			want = got
		}
		if got != want {
			t.Fatalf("round %d differs", round)
		}
	}
}

// TestSinkFails ends a live run with the sink's error.
func TestSinkFails(t *testing.T) {
	in, out := newTape("in", 1), newShelf("out")
	out.fails = errShelf
	run := newTrial(t, "sources: {in: {type: tape, name: in}}\nsinks: {out: {from: in, type: shelf, name: out}}\n", nil).start(t, Options{})
	in.all[0].put(timed(1)...)
	select {
	case <-run.done:
	case <-time.After(5 * time.Second):
		t.Fatal("the run goes on")
	}
	if run.err == nil || run.err.Error() != "out: the shelf is full" {
		t.Error(run.err)
	}
	if _, commits := in.where("in/0"); commits != 0 {
		t.Error("positions were committed")
	}
}
