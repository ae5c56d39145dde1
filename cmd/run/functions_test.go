package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"tidemark/operators/agg"
	"tidemark/operators/expression"
)

// TestExamplesOfAggregates runs every example of the reference in a pipeline over its records.
func TestExamplesOfAggregates(t *testing.T) {
	folder := t.TempDir()
	if err := os.WriteFile(filepath.Join(folder, "records.jsonl"), []byte(agg.ExampleRecords), 0o644); err != nil {
		t.Fatal(err)
	}
	var pipeline strings.Builder
	fmt.Fprintf(&pipeline, "sources:\n  records: {type: file, path: %s/records.jsonl}\ntransforms:\n  all:\n    from: records\n    aggregate:\n", folder)
	for _, k := range agg.Kinds() {
		fmt.Fprintf(&pipeline, "      of_%s: '%s'\n", k.Name, k.Example.Call)
	}
	pipeline.WriteString("sinks:\n  out: {from: all, type: stdout}\n")
	path := filepath.Join(folder, "pipeline.yaml")
	if err := os.WriteFile(path, []byte(pipeline.String()), 0o644); err != nil {
		t.Fatal(err)
	}
	var stdout, stderr bytes.Buffer
	if code := run(context.Background(), []string{"run", path}, nil, &stdout, &stderr); code != exitDone {
		t.Fatalf("exit code %d\n%s", code, stderr.String())
	}
	var row map[string]json.RawMessage
	if err := json.Unmarshal(stdout.Bytes(), &row); err != nil {
		t.Fatalf("%v in %s", err, stdout.String())
	}
	for _, k := range agg.Kinds() {
		if got := string(row["of_"+k.Name]); got != k.Example.Result {
			t.Errorf("%s gives %s, want %s", k.Example.Call, got, k.Example.Result)
		}
	}
}

// TestReferenceIsWhole looks for every function and aggregate in what is printed.
func TestReferenceIsWhole(t *testing.T) {
	var out bytes.Buffer
	if code := run(context.Background(), []string{"functions"}, nil, &out, &out); code != exitDone {
		t.Fatal(out.String())
	}
	var want []described
	for _, f := range expression.Functions() {
		want = append(want, describeFunction(f))
	}
	for _, k := range agg.Kinds() {
		if !k.Conditional {
			want = append(want, describeAggregate(k))
		}
	}
	for _, d := range want {
		if text := fmt.Sprintf("\n%s\n    %s\n    %s gives %s\n", d.signature, d.doc, d.example, d.result); !strings.Contains(out.String(), text) {
			t.Errorf("%s is not printed as %q", d.signature, text)
		}
	}
}
