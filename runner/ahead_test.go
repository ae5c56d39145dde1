package runner

import (
	"bytes"
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"tidemark/io/connector"
	"tidemark/stream"
)

// inPieces gives records one by one, in pairs, and all at once.
func inPieces(records []taped) map[string][][]taped {
	ways := map[string][][]taped{"at once": {records}}
	for i, r := range records {
		ways["one by one"] = append(ways["one by one"], []taped{r})
		if i%2 == 0 {
			ways["in pairs"] = append(ways["in pairs"], records[i:min(i+2, len(records))])
		}
	}
	return ways
}

// TestAheadInAnyPieces counts the same whichever records of the future come together with others.
func TestAheadInAnyPieces(t *testing.T) {
	const day = 86_400_000
	for _, c := range []struct {
		watermark   string
		times       []int64
		dirty, late int64
	}{
		{"{bounded: 0s, max_ahead: 1h}", []int64{0, 1, day, 2, 120_000}, 0, 0},
		{"{bounded: 0s, max_ahead: 1h}", []int64{day, 0, day + 1, 1, 120_000}, 0, 0},
		{"{monotonous: true, on_regress: dirty, max_ahead: 1h}", []int64{0, 1, day, 2, 3, 120_000, 119_999}, 1, 0},
		{"{monotonous: true, on_regress: warn, max_ahead: 1h}", []int64{0, 1, day, 2, 3, 120_000}, 0, 0},
	} {
		clock := newClock()
		base := clock.now.UnixMilli()
		for i := range c.times {
			c.times[i] += base
		}
		for way, pieces := range inPieces(timed(c.times...)) {
			in := newTape("in", 1)
			newShelf("out")
			run := newTrial(t, oneMinute(c.watermark), nil).start(t, Options{Clock: clock.time})
			for _, piece := range pieces {
				in.all[0].put(piece...)
			}
			time.Sleep(50 * time.Millisecond)
			run.stop(t)
			if dirty, late := run.counts("in").Dirty, run.counts("count").Late; dirty != c.dirty || late != c.late {
				t.Errorf("%s, %s: %d dirty and %d late, want %d and %d", c.watermark, way, dirty, late, c.dirty, c.late)
			}
		}
	}
}

// TestAheadToTheEnd does the same for input that has an end, where it is the records before that say what is ahead.
func TestAheadToTheEnd(t *testing.T) {
	text := `
sources:
  in: {type: file, path: "${dir}/in.jsonl", timestamp: {expr: ts, unit: ms}, watermark: {monotonous: true, on_regress: dirty, max_ahead: 1h}}
transforms:
  count: {from: in, window: {tumbling: 1s}, aggregate: {n: count()}}
sinks:
  out: {from: count, type: stdout}
`
	lines := "{\"ts\":1000}\n{\"ts\":900000000000}\n{\"ts\":2000}\n{\"ts\":3000}\n{\"ts\":2500}\n{\"ts\":4000}\n"
	for _, chunk := range []int64{1, 30, 1000} {
		_, report, err := newTrial(t, text, map[string]string{"in.jsonl": lines}).run(context.Background(), Options{ChunkSize: chunk})
		if err != nil {
			t.Fatal(err)
		}
		if dirty, late := report.Nodes[0].Dirty, report.Nodes[1].Late; dirty != 1 || late != 0 {
			t.Errorf("chunks of %d: %d dirty and %d late", chunk, dirty, late)
		}
	}
}

// TestAheadOfDirtyValues fires windows although a record without a value for per came together with one of the future.
func TestAheadOfDirtyValues(t *testing.T) {
	in, out, clock := newTape("in", 1), newShelf("out"), newClock()
	base := clock.now.UnixMilli() / 60_000 * 60_000
	record := func(user string, at int64) taped {
		return taped{value: fmt.Sprintf(`{"u":%q}`, user), at: base + at, key: user}
	}
	run := newTrial(t, `
sources:
  in: {type: tape, name: in, watermark: {bounded: 0s, per: int(u), idle: 10m, max_ahead: 1h}}
transforms:
  count: {from: in, window: {tumbling: 1m}, aggregate: {n: count()}}
sinks:
  out: {from: count, type: shelf, name: out}
`, nil).start(t, Options{Clock: clock.time})
	in.all[0].put(record("7", 0))
	in.all[0].put(record("7", 10), record("bad", 5), record("7", 21_600_000), record("7", 120_000))
	out.want(t, `{"window_start":"2023-11-14T22:13:00Z","window_end":"2023-11-14T22:14:00Z","n":2}`)
	run.stop(t)
}

// refuserOptions is a sink that refuses all records when it is committed, as a broker does.
type refuserOptions struct{}

func init() {
	connector.Register(connector.Kind{Name: "refuser", Role: connector.SinkRole, Formats: []string{"json"}, Records: true, New: func() any { return &refuserOptions{} }})
}

func (*refuserOptions) Validate() []connector.Problem     { return nil }
func (*refuserOptions) Check(connector.Environment) error { return nil }
func (*refuserOptions) Open(context.Context, connector.Environment) (connector.Output, error) {
	return &refuser{}, nil
}

type refuser struct{ held, refused []connector.RefusedRecord }

func (r *refuser) WriteRecord(record *connector.Record) error {
	r.held = append(r.held, connector.RefusedRecord{Reason: "too large", Record: connector.Record{Value: bytes.Clone(record.Value), Time: stream.MinTime}})
	return nil
}

func (r *refuser) TakeRefused() (refused []connector.RefusedRecord) {
	refused, r.refused = r.refused, nil
	return refused
}

func (r *refuser) Flush() error  { return nil }
func (r *refuser) Commit() error { r.refused, r.held = r.held, nil; return nil }
func (r *refuser) Abort() error  { return nil }

// TestRefusedAtCommit writes what sinks refuse when they are committed, whichever sink takes it and however many it is of.
func TestRefusedAtCommit(t *testing.T) {
	for from, want := range map[string]int{"a.dirty": 2, "[a.dirty, b.dirty]": 4} {
		for _, options := range []string{"type: file, path: \"${dir}/dirty\", format: json", "type: file, path: \"${dir}/dirty\", format: csv", "type: stdout"} {
			p := newTrial(t, `
sources:
  in: {type: file, path: "${dir}/in.jsonl"}
sinks:
  a: {from: in, type: refuser}
  b: {from: in, type: refuser}
  d: {from: `+from+`, `+options+`}
`, map[string]string{"in.jsonl": "{\"x\":1}\n{\"x\":2}\n"})
			out, _, err := p.run(context.Background(), Options{})
			if err != nil {
				t.Fatal(err)
			}
			if !strings.Contains(options, "stdout") {
				out = p.read("dirty")
			}
			if n := strings.Count(out, "too large"); n != want {
				t.Errorf("%s to %s: %d records of %d:\n%s", from, options, n, want, out)
			}
		}
	}
}
