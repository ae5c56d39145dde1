package codec

import (
	"strings"
	"testing"
)

// TestOtherFormats holds what is said of lines of other formats, and that broken lines are not taken for such.
func TestOtherFormats(t *testing.T) {
	for line, want := range map[string]string{
		"id,name,ts":                  "looks like CSV, and this source reads one JSON object a line; write format: csv",
		"1,anna,2024-05-01T10:00:00Z": "looks like CSV, and this source reads one JSON object a line; write format: csv",
		`"id","name"`:                 "looks like CSV, and this source reads one JSON object a line; write format: csv",
		",x,y":                        "looks like CSV, and this source reads one JSON object a line; write format: csv",
		"id;name;ts":                  "looks like CSV with semicolons, and this source reads one JSON object a line; write format: csv, delimiter: \";\"",
		"id\tname":                    `looks like text with tabs, and this source reads one JSON object a line; write format: csv, delimiter: "\t"`,
		"[":                           "looks like a JSON array, and",
		`[{"a": 1}, {"a": 2}]`:        "not an object: a list; looks like a JSON array",
		` {"a": 1},`:                  "looks like a line of a JSON array",
		"]":                           "looks like a line of a JSON array",
		"{":                           "looks like JSON over several lines",
		`  "a": [1, 2],`:              "looks like JSON over several lines",
		"PAR1\x15\x04":                "looks like a Parquet file",
		"<row id=1/>":                 "looks like XML",
	} {
		if got := notObject([]byte(line)); !strings.Contains(got, want) || !strings.Contains(got, ", and this source reads one JSON object a line") {
			t.Errorf("%q: %s", line, got)
		}
	}
	for _, line := range []string{`{"a": 1`, `{"a": 1, "b"`, `{"a": x}`, `{"a": 1} trailing`, "12", `"text"`, "null", `[1, 2`, "", "oops", "2024-05-01 10:00:00 started: a, b", `{'a': 1}`} {
		if got := notObject([]byte(line)); strings.Contains(got, "looks like") {
			t.Errorf("%q: %s", line, got)
		}
	}
}
