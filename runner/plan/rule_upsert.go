package plan

import "tidemark/spec"

// visits gives a whole file whose sink has the given options, for the examples of the rules of sinks that replace rows.
func visits(sink string) string {
	return `
sources:
  clicks: {type: file, path: clicks.jsonl, timestamp: at, watermark: 5s}
transforms:
  visits: {from: clicks, key: page, window: {tumbling: 1m}, aggregate: {n: count()}}
sinks:
  out: {from: visits, ` + sink + `}
`
}

const toKafka = "type: kafka, brokers: localhost:9092, topic: visits, "

var noUpsertKey = rule{Rule: spec.Rule{ID: "TM307", Group: "windows", Severity: spec.Error, Title: "rows that should replace each other, and no key to find them by",
	Text: `mode: upsert replaces the row that has the same key. The key is the fields that tell the rows apart: those in key of the transform, and
window_start where it has a window. A transform without either gives a single row, which has nothing to be found by.`,
	Fails: visits(toKafka + "mode: upsert"), Passes: visits(toKafka + "mode: upsert, key: [page, window_start]")}}
