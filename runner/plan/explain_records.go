package plan

import (
	"strings"

	"tidemark/io/connector"
	"tidemark/spec"
)

// records says what a source of records reads, and what it is asked for beside their values.
func (x *explainer) records(s *Source) {
	if _, ok := s.Options.(connector.RecordSource); !ok {
		return
	}
	x.row("reads", options(s.Block, "topics", "topic", "pattern", "group", "start", "stop"))
	if s.Main.Bounded {
		x.row("ends", "where it is told to stop")
	} else {
		x.row("ends", "when it is stopped")
	}
	if len(s.Facts) > 0 {
		x.row("facts", strings.Join(s.Facts, ", "))
	}
}

// options writes options of a block as the file has them; those that it lacks are left out.
func options(b *spec.Block, names ...string) string {
	var list []string
	for _, name := range names {
		if n := b.Node.Get(name); n != nil {
			list = append(list, name+" "+written(n))
		}
	}
	return strings.Join(list, ", ")
}

// written writes a value on one line, as the file has it where it came from the environment.
func written(n *spec.Node) string {
	var parts []string
	switch n.Kind {
	case spec.Scalar:
		if n.Secret() {
			return n.Raw
		}
		return n.Text
	case spec.List:
		for _, item := range n.Items {
			parts = append(parts, written(item))
		}
		return flow(parts)
	}
	for _, e := range n.Entries {
		parts = append(parts, e.Key+": "+written(e.Value))
	}
	return "{" + strings.Join(parts, ", ") + "}"
}

// span says a part of a watermark's behaviour; nothing where it is off.
func span(before string, ms int64, behind string) string {
	if ms == 0 {
		return ""
	}
	return "; " + before + spec.Duration(ms).String() + behind
}

// whose says for what there is a watermark of its own, and how they are combined.
func (w Watermark) whose() string {
	switch {
	case w.PerSource:
		return ", one for all partitions"
	case w.Per != nil:
		return ", for each " + w.Per.Expression() + "; the lowest counts" + span("one is forgotten when it is ", w.ValueIdle, " behind the others")
	}
	return ", for each partition; the lowest counts"
}

// live says what a watermark does in a source without an end.
func (w Watermark) live() string {
	return span("a partition is idle after ", w.Idle, "") + span("records more than ", w.MaxAhead, " ahead don't move it") +
		span("a partition more than ", w.Align, " ahead of the slowest waits") + span("given every ", w.Interval, "")
}

// keys says what stands beside the values that a sink writes.
func (x *explainer) keys(s *Sink) {
	if writesRecords(s.Kind) {
		x.row("writes", options(s.Block, "topic", "delivery", "compression"))
	}
	if n := s.Block.Node.Get("key"); len(s.Keys) > 0 {
		text := written(n)
		if s.Upsert {
			text += "; a row replaces the one with the same key"
		}
		x.row("key", text)
	}
	if len(s.Headers) > 0 {
		n := s.Block.Node.Get("headers")
		for _, name := range s.HeaderNames {
			x.row("header", name+" = "+written(n.Get(name)))
		}
	}
	if (s.Upsert || writesRecords(s.Kind)) && s.Dirty.Readers == 0 {
		x.row("only counts", s.Dirty.Name)
	}
}
