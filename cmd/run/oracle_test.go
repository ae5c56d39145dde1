package main

import (
	"bytes"
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"tidemark/cmd/run/internal/oracle"
	"tidemark/runner"
)

// TestPipelinesAgainstOracle runs random pipelines with random engine settings: every sink must hold the bytes,
// and the report the counts, that the naive reading of the rules gives. TIDEMARK_PIPELINES says how many.
func TestPipelinesAgainstOracle(t *testing.T) {
	pipelines := "200"
	if given := os.Getenv("TIDEMARK_PIPELINES"); given != "" {
		pipelines = given
	}
	setFlag(t, "rapid.checks", pipelines)
	setFlag(t, "rapid.nofailfile", "true")
	t.Cleanup(func() { testOptions = nil })
	rapid.Check(t, func(t *rapid.T) {
		folder, err := os.MkdirTemp("", "tidemark-oracle-")
		if err != nil {
			t.Fatal(err)
		}
		defer os.RemoveAll(folder)
		pipeline := oracle.Generate(t)
		want := oracle.Run(pipeline)
		file, err := pipeline.Write(folder)
		if err != nil {
			t.Fatal(err)
		}
		got := runPipeline(t, file)
		if problem := got.compare(pipeline, folder, want); problem != "" {
			t.Logf("%s\n%s%s\nstderr:\n%s", problem, pipeline.YAML("DIR"), inputs(pipeline), got.stderr.String())
			t.Fatal("the engine differs from the oracle") // one text for all, so that rapid can shrink
		}
	})
}

// setFlag sets a flag until the test ends.
func setFlag(t *testing.T, name, value string) {
	before := flag.Lookup(name).Value.String()
	if err := flag.Set(name, value); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := flag.Set(name, before); err != nil {
			t.Error(err)
		}
	})
}

// outcome is what a run of the engine gave.
type outcome struct {
	code           int
	stdout, stderr bytes.Buffer
}

// runPipeline runs the engine once, with settings that must not matter.
func runPipeline(t *rapid.T, file string) *outcome {
	parallelism := rapid.SampledFrom([]int{1, 2, 7, 16}).Draw(t, "parallelism")
	chunk := rapid.SampledFrom([]int64{64, 4 << 10, 64 << 10, 1 << 20}).Draw(t, "chunk size")
	rows := rapid.SampledFrom([]int{0, 1, 2, 3, 1024}).Draw(t, "batch rows")
	lanes := rapid.SampledFrom([]runner.LaneMode{runner.LanesAuto, runner.LanesOff, runner.LanesOn}).Draw(t, "lanes")
	tick := rapid.SampledFrom([]time.Duration{0, 50 * time.Microsecond}).Draw(t, "tick")
	testOptions = func(o *runner.Options) { o.ChunkSize, o.BatchRows, o.Lanes, o.TickEvery = chunk, rows, lanes, tick }
	var o outcome
	args := []string{"run", file, "--parallelism", strconv.Itoa(parallelism), "--report", "json", "--progress", "none"}
	o.code = run(context.Background(), args, strings.NewReader(""), &o.stdout, &o.stderr)
	return &o
}

// compare gives what differs, or nothing.
func (o *outcome) compare(p *oracle.Pipeline, folder string, want oracle.Result) string {
	if o.code != 0 {
		return fmt.Sprintf("exit code %d", o.code)
	}
	for _, sink := range p.Sinks {
		if sink.Discard {
			continue
		}
		text := o.stdout.Bytes()
		if !sink.Stdout {
			var err error
			if text, err = os.ReadFile(sink.Output(folder)); err != nil {
				return err.Error()
			}
		}
		if problem := compareLines(sink, string(text), want.Lines[sink.Name]); problem != "" {
			return fmt.Sprintf("sink %s: %s", sink.Name, problem)
		}
	}
	return o.compareCounts(p, want)
}

// compareLines gives the first line that differs.
func compareLines(sink oracle.Sink, text string, want []string) string {
	if text != "" && !strings.HasSuffix(text, "\n") {
		return "the last line has no end"
	}
	got := strings.Split(text, "\n")
	got = got[:len(got)-1]
	for i, line := range got {
		if sink.IsDirty() {
			var err error
			if line, err = oracle.PlainDirty(line); err != nil {
				return err.Error()
			}
		}
		if i >= len(want) {
			return fmt.Sprintf("line %d is too many: %s", i+1, line)
		}
		if line != want[i] && compact(line) != compact(want[i]) {
			return fmt.Sprintf("line %d of %d is\n%s\nwants\n%s", i+1, len(want), line, want[i])
		}
	}
	if len(got) < len(want) {
		return fmt.Sprintf("line %d of %d is missing: %s", len(got)+1, len(want), want[len(got)])
	}
	return ""
}

// compact drops white space between the members of a record: fields laid over a record that was read may move it.
func compact(line string) string {
	var out bytes.Buffer
	if err := json.Compact(&out, []byte(line)); err != nil {
		return line
	}
	return out.String()
}

// compareCounts compares the report.
func (o *outcome) compareCounts(p *oracle.Pipeline, want oracle.Result) string {
	type node struct {
		Node                                 string
		In, Out, Filtered, Late, Dirty, Used int64
	}
	var report struct{ Nodes []node }
	text := o.stderr.String()
	if start := strings.Index("\n"+text, "\n{"); start < 0 {
		return "no report"
	} else if err := json.NewDecoder(strings.NewReader(text[start:])).Decode(&report); err != nil {
		return err.Error()
	}
	found := map[string]oracle.Counts{}
	for _, n := range report.Nodes {
		found[n.Node] = oracle.Counts{In: n.In, Out: n.Out, Filtered: n.Filtered, Late: n.Late, Dirty: n.Dirty, Used: n.Used}
	}
	for name, counts := range want.Counts {
		if got, wants := compared(p, name, found[name]), compared(p, name, *counts); got != wants {
			return fmt.Sprintf("the report says of %s\n%+v\nwants\n%+v", name, got, wants)
		}
	}
	return ""
}

// compared leaves of a node's counts those that the rules speak of: for a source what was read, delivered and
// dirty, for a sink what came in.
func compared(p *oracle.Pipeline, name string, c oracle.Counts) oracle.Counts {
	if slices.ContainsFunc(p.Sources, func(s oracle.Source) bool { return s.Name == name }) {
		return oracle.Counts{In: c.In, Out: c.Out, Dirty: c.Dirty}
	}
	if slices.ContainsFunc(p.Sinks, func(s oracle.Sink) bool { return s.Name == name }) {
		return oracle.Counts{In: c.In}
	}
	return c
}

// inputs shows the input files.
func inputs(p *oracle.Pipeline) string {
	var out strings.Builder
	for _, s := range p.Sources {
		for i, lines := range s.Partitions {
			fmt.Fprintf(&out, "%s-%d.jsonl:\n%s\n", s.Name, i, strings.Join(lines, "\n"))
		}
	}
	return out.String()
}
