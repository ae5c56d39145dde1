package plan

import (
	"fmt"

	"tidemark/operators/watermark"
	"tidemark/spec"
)

var unreadLate = rule{check: checkLate, Rule: spec.Rule{ID: "TM205", Group: "time", Severity: spec.Info, Title: "late records that nobody reads",
	Text: `The watermark allows for records that are out of order by so much, and allowed_lateness for some more. Those that are later still are
left out of the results: they are counted, and NAME.late has them. A sink that reads it shows what they are, or keeps them for a repair.`,
	Fails: clicks(withTime + "    watermark: 5s\n"), Passes: clicks(withTime+"    watermark: 5s\n") + "  late: {from: visits.late, type: stdout}\n"}}

// checkLate names windows over records out of order whose late records are only counted.
func checkLate(c *compiler) {
	reported := map[*Transform]bool{}
	c.readByWindow(func(t *Transform, s *Source) {
		strategy := s.Watermark.Strategy
		unordered := strategy.Kind == watermark.Bounded && strategy.Delay > 0 || strategy.Kind == watermark.Punctuated
		if t.Late.Readers > 0 || reported[t] || c.broken[t.Name] || !unordered && (t.Window.Lateness == 0 || strategy.Kind == watermark.None) {
			return
		}
		reported[t] = true
		d := spec.Diagnostic{Message: fmt.Sprintf("late records of %q are only counted", t.Name), Hint: fmt.Sprintf("sinks: {late: {from: %s.late, …}}", t.Name)}
		if behind := spec.Duration(strategy.Delay) + t.Window.Lateness; behind > 0 {
			d.Message = fmt.Sprintf("records of %q more than %s out of order may be late, and are then only counted", t.Name, behind)
		}
		c.reportName("TM205", spec.Info, t.Block, d)
	})
}
