package plan

import (
	"tidemark/io/connector"
	"tidemark/operators/expression"
	"tidemark/operators/watermark"
	"tidemark/stream"
)

// skips gives what chunks of a source can be skipped by. A chunk that is skipped counts as filtered by every reader,
// and moves the watermark in one step instead of many. That step cannot be seen where every node has one input: the
// watermark before a record is that of its own partition all the same, and windows fire in the order of their ends.
// Where streams meet it could be, since rows are merged by the records that caused them.
func (c *compiler) skips(s *Source) [][]expression.Bound {
	if _, ok := s.Options.(connector.Columnar); !ok || c.streamsMeet() || !s.simpleTimes() || s.Main.Readers == 0 {
		return nil
	}
	var skips [][]expression.Bound
	for _, t := range c.plan.Transforms {
		if t.From != s.Main {
			continue
		}
		if len(t.Prepare.Steps) == 0 || t.Prepare.Steps[0].Kind != Filter {
			return nil
		}
		bounds := t.Prepare.Steps[0].Program.Bounds()
		if len(bounds) == 0 {
			return nil
		}
		skips = append(skips, bounds)
	}
	if len(skips) != s.Main.Readers { // a sink or a union reads it too
		return nil
	}
	return skips
}

// streamsMeet reports whether any node has several inputs.
func (c *compiler) streamsMeet() bool {
	for _, t := range c.plan.Transforms {
		if t.Union != nil {
			return true
		}
	}
	for _, s := range c.plan.Sinks {
		if len(s.Inputs) > 1 || s.Union != nil {
			return true
		}
	}
	return false
}

// simpleTimes reports whether the greatest event time of a chunk follows from statistics.
func (s *Source) simpleTimes() bool {
	if s.Timestamp == nil {
		return true
	}
	w := &s.Watermark
	if w.MaxAhead > 0 || w.PerSource || w.Per != nil || w.OnRegress != RegressIgnored {
		return false
	}
	k := w.Strategy.Kind
	return s.TimePath() != nil && (k == watermark.Bounded || k == watermark.Monotonous || k == watermark.None)
}

// TimePath gives the column that is the timestamp, nil where that is an expression.
func (s *Source) TimePath() stream.Path {
	if p := s.Timestamp.Step.Program; bare(p) && len(p.Uses()[0]) == 1 {
		return p.Uses()[0]
	}
	return nil
}
