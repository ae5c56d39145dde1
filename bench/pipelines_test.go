// Package bench holds the benchmark's pipelines; run.sh runs them beside another engine.
package bench

import (
	"context"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	_ "tidemark/io/all"
	"tidemark/runner"
	"tidemark/runner/plan"
	"tidemark/spec"
)

// BenchmarkPipelines runs the pipelines over the bids named by BIDS, or those that run.sh made.
func BenchmarkPipelines(b *testing.B) {
	bids := os.Getenv("BIDS")
	if bids == "" {
		bids = "data/bids-5000000.jsonl"
	}
	if _, err := os.Stat(bids); err != nil {
		b.Fatal("run.sh makes the data: ", err)
	}
	files, err := filepath.Glob("w*.yaml")
	if err != nil {
		b.Fatal(err)
	}
	for _, file := range files {
		b.Run(file, func(b *testing.B) {
			text, err := os.ReadFile(file)
			if err != nil {
				b.Fatal(err)
			}
			bids := bids
			for _, format := range []string{"parquet", "csv"} {
				if strings.Contains(file, format) {
					bids = strings.TrimSuffix(bids, ".jsonl") + "." + format
				}
			}
			for b.Loop() {
				out := filepath.Join(b.TempDir(), "out.jsonl")
				f, found := spec.Parse(file, text, spec.Options{Set: map[string]string{"BIDS": bids, "OUT": out}})
				if found.HasErrors() {
					b.Fatal(found)
				}
				p, found := plan.Compile(f)
				if found.HasErrors() {
					b.Fatal(found)
				}
				var before, after runtime.MemStats
				runtime.ReadMemStats(&before)
				report, err := runner.Run(context.Background(), p, runner.Options{})
				if err != nil {
					b.Fatal(err)
				}
				runtime.ReadMemStats(&after)
				b.ReportMetric(float64(after.Mallocs-before.Mallocs)/float64(report.Nodes[0].In), "mallocs/record")
				if err := os.Remove(out); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
