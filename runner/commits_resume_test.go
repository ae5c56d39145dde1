package runner

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"
)

// resumed are pipelines over the tapes a and b whose results must not depend on where a run was killed.
var resumed = map[string]string{
	"tumbling": `
  out: {from: [a, b], key: {k: v % 3}, window: {tumbling: 10s}, aggregate: {n: count(), s: sum(v)}}`,
	"sliding, then tumbling": `
  slides: {from: [a, b], key: {k: v % 3}, window: {sliding: 4s, every: 500ms}, aggregate: {n: count(), s: sum(v)}}
  out: {from: slides, key: k, window: {tumbling: 7s}, aggregate: {n: sum(n), s: sum(s)}}`,
	"sessions, then both": `
  visits: {from: a, key: {k: v % 3}, window: {session: 3s}, aggregate: {n: count(), s: sum(v)}}
  out: {from: [visits, b], window: {tumbling: 8s}, aggregate: {n: count(), s: "sum(s ?? v)"}}`,
	"lists, then sliding": `
  each: {from: a, set: {part: "[1, 2, 3, 4, 5, 6, 7, 8, 9, 10]"}, explode: part}
  slides: {from: each, key: {k: part % 4}, window: {sliding: 4s, every: 1s}, aggregate: {n: count(), s: sum(v)}}
  out: {from: [slides, b], window: {tumbling: 10s}, aggregate: {n: count(), s: "sum(s ?? v)"}}`,
	"split": `
  parts: {from: [a, b], split: {odd: v % 2 == 1}}
  odd: {from: parts.odd, window: {tumbling: 7s}, aggregate: {n: count(), s: sum(v)}}
  rest: {from: parts.rest, window: {session: 2s}, aggregate: {n: count(), s: sum(v)}}
  out: {from: [odd, rest], window: {tumbling: 9s}, aggregate: {n: sum(n), s: sum(s)}}`,
}

func resumedPipeline(transforms string, ends bool) string {
	var sources strings.Builder
	for _, name := range []string{"a", "b"} {
		fmt.Fprintf(&sources, "  %s: {type: tape, name: %[1]s, ends: %t, schema: {v: int}, watermark: {bounded: 0s, idle: off, max_ahead: off}}\n", name, ends)
	}
	return "sources:\n" + sources.String() + "transforms:" + transforms + "\nsinks:\n  all: {from: out, type: shelf, name: out}\n  read_a: {from: a, type: discard}\n  read_b: {from: b, type: discard}\n"
}

// TestResumeLosesNothing kills runs at each of their commits. Whatever had not come out by then must come out of a run
// that begins at the offsets committed, complete.
func TestResumeLosesNothing(t *testing.T) {
	for name, transforms := range resumed {
		for seed := range uint64(3) {
			t.Run(fmt.Sprintf("%s/%d", name, seed), func(t *testing.T) { resumeAnywhere(t, transforms, seed) })
		}
	}
}

// killed is what there was when offsets were committed: those of each tape, and the number of rows that had come out.
type killed struct {
	positions map[string]int64
	rows      int
}

func resumeAnywhere(t *testing.T, transforms string, seed uint64) {
	r := rand.New(rand.NewPCG(seed, 1))
	records := map[string][]taped{}
	for _, name := range []string{"a", "b"} {
		at := int64(0)
		for range 60 {
			at += r.Int64N(1500)
			records[name] = append(records[name], timed(at)...)
		}
	}
	full := replay(t, transforms, records, map[string]int64{})
	kills, rows := liveRun(t, transforms, records, r)
	if len(kills) < 3 {
		t.Fatalf("%d commits", len(kills))
	}
	for _, k := range kills {
		again := replay(t, transforms, records, k.positions)
		for _, row := range full {
			if !slices.Contains(rows[:k.rows], row) && !slices.Contains(again, row) {
				t.Fatalf("killed at %v, behind %d rows: %s is lost; again: %q", k.positions, k.rows, row, again)
			}
		}
	}
}

// replay runs a pipeline over all records from the given offsets on, to their end, and gives its rows.
func replay(t *testing.T, transforms string, records map[string][]taped, from map[string]int64) []string {
	t.Helper()
	for name, list := range records {
		reel := newTape(name, 1).all[0]
		reel.start, reel.offset = from[name+"/0"], from[name+"/0"]
		if rest := list[reel.start:]; len(rest) > 0 {
			reel.chunks <- rest
		}
		reel.stop()
	}
	out := newShelf("out")
	if _, _, err := newTrial(t, resumedPipeline(transforms, true), nil).run(t.Context(), Options{Parallelism: 1}); err != nil {
		t.Fatal(err)
	}
	return out.records
}

// liveRun runs a pipeline while records come, and gives what there was at each commit, and its rows.
func liveRun(t *testing.T, transforms string, records map[string][]taped, r *rand.Rand) (kills []killed, rows []string) {
	t.Helper()
	var mu sync.Mutex
	out := newShelf("out")
	tapes := map[string]*tape{"a": newTape("a", 1), "b": newTape("b", 1)}
	now := map[string]int64{}
	for name, tape := range tapes {
		tape.onCommit = func(position int64) {
			mu.Lock()
			defer mu.Unlock()
			now[name+"/0"] = position
			if name == "b" { // the last of the two
				out.mu.Lock()
				defer out.mu.Unlock()
				kills = append(kills, killed{map[string]int64{"a/0": now["a/0"], "b/0": position}, len(out.records)})
			}
		}
	}
	run := newTrial(t, resumedPipeline(transforms, false), nil).start(t, Options{CommitEvery: time.Millisecond, Drain: true, Parallelism: 1 + r.IntN(3)})
	for at := 0; at < 60; {
		n := min(1+r.IntN(6), 60-at)
		for _, name := range []string{"a", "b"} {
			tapes[name].all[0].put(records[name][at : at+n]...)
		}
		at += n
	}
	run.stop(t)
	if run.err != nil {
		t.Fatal(run.err)
	}
	mu.Lock()
	defer mu.Unlock()
	return kills, out.records
}
