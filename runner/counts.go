package runner

import (
	"fmt"

	"tidemark/spec"
)

// Counts are what became of a node's records. A record counts once, however many windows it is in: for a source
// In = Out + Dirty, for other nodes In = Filtered + Late + Dirty + Used.
type Counts struct {
	Node     string `json:"node"`
	Kind     string `json:"kind"`
	In       int64  `json:"in"`
	Out      int64  `json:"out"`
	Filtered int64  `json:"filtered"`
	Late     int64  `json:"late"`
	Dirty    int64  `json:"dirty"`
	Used     int64  `json:"used"`
	// Uncovered are records among Filtered that no window covers; Failed are rows of a result that could not be
	// given.
	Uncovered int64 `json:"-"`
	// Ahead are records of a source that were too far ahead of the clock to move the watermark.
	Ahead int64 `json:"-"`
	// Regressed are records of a source that were behind others where none should be.
	Regressed int64 `json:"-"`
	// Omitted are records that are no data by themselves and were passed over, such as tombstones.
	Omitted int64 `json:"-"`
	// Skipped are records of a source that were not read, since statistics say that they are filtered.
	Skipped int64 `json:"-"`
	Failed  int64 `json:"-"`
	// LateBy is by how many milliseconds the latest of the late records was behind the watermark.
	LateBy int64 `json:"-"`

	samples []string
	late    bool // somebody reads the late output
	dirty   bool // somebody reads the dirty output
}

// maxSamples is how many dirty records of a node are described in the report.
const maxSamples = 5

// sample keeps a description of a record that could not be used.
func (c *Counts) sample(node string, f *failure) {
	if len(c.samples) < maxSamples {
		c.samples = append(c.samples, fmt.Sprintf("%s: %s `%s`: %s", node, f.step.Clause, exprOf(f.step), f.step.Redact(f.message)))
	}
}

// keep keeps a description of a row that could not be written.
func (c *Counts) keep(reason string) {
	if len(c.samples) < maxSamples {
		c.samples = append(c.samples, reason)
	}
}

// warnings says what a person should know about the counts.
func (c *Counts) warnings() []string {
	var list []string
	if c.Dirty+c.Failed > 0 && !c.dirty && c.Kind == "sink" {
		list = append(list, c.unread("dirty", fmt.Sprintf("%s could not be written (the first: %s)", c.dirtyWhat(), c.samples[0]))...)
	} else if c.Dirty+c.Failed > 0 && !c.dirty {
		list = append(list, c.unread("dirty", fmt.Sprintf("%s could not be used (the first: %s)", c.dirtyWhat(), c.samples[0]))...)
	}
	if c.Late > 0 && !c.late {
		list = append(list, fmt.Sprintf("%s: %s late for %s window, by up to %s behind the watermark; a sink that reads %s.late gets them",
			c.Node, count(c.Late, "record was", "records were"), its(c.Late), spec.Duration(c.LateBy), c.Node))
	}
	if c.Ahead > 0 {
		list = append(list, fmt.Sprintf("%s: %s too far ahead to move the watermark (max_ahead)", c.Node, count(c.Ahead, "record was", "records were")))
	}
	if c.Regressed > 0 {
		list = append(list, fmt.Sprintf("%s: %s behind another one, though the watermark is monotonous", c.Node, count(c.Regressed, "record was", "records were")))
	}
	if c.Omitted > 0 {
		list = append(list, fmt.Sprintf("%s: %s passed over, as deletions have no record (tombstones: keep makes records of them)", c.Node, count(c.Omitted, "tombstone was", "tombstones were")))
	}
	if c.Uncovered > 0 {
		list = append(list, fmt.Sprintf("%s: %s in no window, because `every` is longer than the window", c.Node, count(c.Uncovered, "record was", "records were")))
	}
	return list
}

func (c *Counts) dirtyWhat() string {
	switch {
	case c.Failed == 0:
		return count(c.Dirty, "record", "records")
	case c.Dirty == 0:
		return count(c.Failed, "result row", "result rows")
	}
	return count(c.Dirty, "record", "records") + " and " + count(c.Failed, "result row", "result rows")
}

func (c *Counts) unread(output, what string) []string {
	return []string{fmt.Sprintf("%s: %s; a sink that reads %s.%s gets them", c.Node, what, c.Node, output)}
}

func its(n int64) string {
	if n == 1 {
		return "its"
	}
	return "their"
}

// count gives a number with the word for one or for many.
func count(n int64, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %s", n, many)
}
