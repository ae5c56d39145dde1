package runner

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync/atomic"
	"testing"
	"time"
)

// TestFileShrinks cuts a file while it is read: what is gone is an error that names the file, not a short result.
func TestFileShrinks(t *testing.T) {
	p := newTrial(t, `
sources:
  in: {type: file, path: "${dir}/in.jsonl"}
transforms:
  some: {from: in, where: n >= 0}
sinks:
  out: {from: some, type: faulty}
  kept: {from: some, type: file, path: "${dir}/kept.jsonl"}
`, map[string]string{"in.jsonl": strings.Repeat(`{"n":1}`+"\n", 200_000)})
	fault.reset("write", 1, func(context.Context) error { return os.Truncate(filepath.Join(p.folder, "in.jsonl"), 5000) })
	_, report, err := p.run(context.Background(), Options{Parallelism: 2, ChunkSize: 4096})
	if err == nil || !strings.HasPrefix(err.Error(), "in: ") || !strings.Contains(err.Error(), "in.jsonl") {
		t.Errorf("the error is %v", err)
	}
	if !report.Failed || fault.committed.Load() > 0 || p.read("kept.jsonl") != "" {
		t.Errorf("%+v; %q was kept", report, p.read("kept.jsonl"))
	}
}

// TestManyFiles reads more files than may be open at once. The memory that it takes doesn't go with their number.
func TestManyFiles(t *testing.T) {
	const files, records = 1500, 20
	p := newTrial(t, `
sources:
  in: {type: file, path: "${dir}/in/*.jsonl", timestamp: {expr: ts, unit: ms}, watermark: 1s}
transforms:
  counted: {from: in, key: k, window: {tumbling: 1m}, aggregate: {n: count()}}
sinks:
  out: {from: counted, type: stdout}
`, nil)
	for i := range files {
		var text strings.Builder
		for j := range records {
			fmt.Fprintf(&text, `{"ts":%d,"k":%d}`+"\n", 1_700_000_000_000+j*1000+i, j%2)
		}
		p.write(fmt.Sprintf("in/%04d.jsonl", i), text.String())
	}
	peak := peakOf(func() {
		out, report, err := p.run(context.Background(), Options{Parallelism: 3})
		if err != nil || report.Nodes[0].In != files*records || strings.Count(out, fmt.Sprintf(`"n":%d}`, files*records/2)) != 2 {
			t.Errorf("%v, %+v\n%s", err, report, out)
		}
	})
	if most := int64(files * (48 << 10)); peak > most {
		t.Errorf("%d MiB of heap, wants at most %d", peak>>20, most>>20)
	}
}

// TestDirtyOnly reads nothing but lines that can't be used.
func TestDirtyOnly(t *testing.T) {
	const lines = 300_000
	p := newTrial(t, `
sources:
  in: {type: file, path: "${dir}/in.jsonl", timestamp: {expr: ts, unit: ms}, watermark: 1s}
transforms:
  counted: {from: in, aggregate: {n: count()}}
sinks:
  out: {from: counted, type: stdout}
  dirty: {from: in.dirty, type: discard}
`, map[string]string{"in.jsonl": strings.Repeat("nope\n"+`{"a":1}`+"\n", lines/2)})
	peak := peakOf(func() {
		out, report, err := p.run(context.Background(), Options{Parallelism: 2})
		if in := report.Nodes[0]; err != nil || out != "" || in.In != lines || in.Dirty != lines || in.Out != 0 {
			t.Errorf("%v, %+v\n%s", err, report, out)
		}
	})
	if peak > 200<<20 {
		t.Errorf("%d MiB of heap", peak>>20)
	}
}

// TestManyKeys counts far more keys than anything else of the engine holds.
func TestManyKeys(t *testing.T) {
	const keys = 300_000
	var text strings.Builder
	for i := range 2 * keys {
		fmt.Fprintf(&text, `{"ts":%d,"k":"user %d"}`+"\n", 1_700_000_000_000+i, i*7%keys)
	}
	p := newTrial(t, `
sources:
  in: {type: file, path: "${dir}/in.jsonl", timestamp: {expr: ts, unit: ms}, watermark: 1s}
transforms:
  counted: {from: in, key: k, aggregate: {n: count()}, having: n == 2}
sinks:
  out: {from: counted, type: discard}
`, map[string]string{"in.jsonl": text.String()})
	for _, lanes := range []LaneMode{LanesOff, LanesOn} {
		peak := peakOf(func() {
			_, report, err := p.run(context.Background(), Options{Parallelism: 2, Lanes: lanes})
			if err != nil || report.Nodes[2].In != keys {
				t.Errorf("%v, %+v", err, report)
			}
		})
		if most := int64(keys*200 + 64<<20); peak > most {
			t.Errorf("lanes %d: %d MiB of heap, wants at most %d", lanes, peak>>20, most>>20)
		}
	}
}

// TestLongLine takes a line as long as a line may be, one that is longer, and what stands around them.
func TestLongLine(t *testing.T) {
	line := func(n int) string { return `{"k":1,"p":"` + strings.Repeat("x", n-len(`{"k":1,"p":""}`)) + `"}` + "\n" }
	const limit = 4 << 20
	p := newTrial(t, `
sources:
  in: {type: file, path: "${dir}/in.jsonl", max_line: 4MiB}
transforms:
  lengths: {from: in, select: {line: meta.line, length: len(p)}}
  dirty: {from: in.dirty, select: {line: meta.line, short: len(raw) < 5000}}
sinks:
  out: {from: [lengths, dirty], type: stdout}
`, map[string]string{"in.jsonl": line(20) + line(limit) + line(limit+1) + line(30) + line(3*limit) + line(40)})
	const want = `{"line":1,"length":6}
{"line":2,"length":4194290}
{"line":3,"short":true}
{"line":4,"length":16}
{"line":5,"short":true}
{"line":6,"length":26}
`
	for name, o := range settings {
		if o.ChunkSize > 0 {
			o.ChunkSize = 64 << 10
		}
		if out, _, err := p.run(context.Background(), o); err != nil || out != want {
			t.Errorf("%s: %v\n%s", name, err, out)
		}
	}
}

// peakOf gives how far the heap in use rises while f is at work.
func peakOf(f func()) int64 {
	runtime.GC()
	var before runtime.MemStats
	runtime.ReadMemStats(&before)
	var peak atomic.Int64
	done, ended := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(ended)
		for {
			select {
			case <-done:
				return
			case <-time.After(5 * time.Millisecond):
			}
			var now runtime.MemStats
			runtime.ReadMemStats(&now)
			peak.Store(max(peak.Load(), int64(now.HeapInuse)-int64(before.HeapInuse)))
		}
	}()
	f()
	close(done)
	<-ended
	return peak.Load()
}
