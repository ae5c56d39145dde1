// Package bench holds the benchmark's pipelines; run.sh runs them beside another engine.
package bench

import (
	"cmp"
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

// BenchmarkPipelines runs the pipelines over the bids named by BIDS, or those that run.sh made. The one that reads Kafka
// takes part when TIDEMARK_KAFKA, host:port, is a broker that has a topic of them: bids, or what TOPIC says.
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
	broker, topic := os.Getenv("TIDEMARK_KAFKA"), cmp.Or(os.Getenv("TOPIC"), "bids")
	for _, file := range files {
		if strings.Contains(file, "kafka") && broker == "" {
			continue
		}
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
				f, found := spec.Parse(file, text, spec.Options{Set: map[string]string{"BIDS": bids, "OUT": out, "BROKERS": broker, "TOPIC": topic}})
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
