package plan

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"tidemark/io/connector"
	"tidemark/spec"
	"tidemark/stream"
)

var forgetful = rule{check: checkForgetful, Rule: spec.Rule{ID: "TM505", Group: "connectors", Severity: spec.Warning, Title: "a Kafka source that does not know how far it was read",
	Text: `With group the offsets that are done are kept by the brokers, and the next run goes on there. Without it every run begins at start: from
earliest all records come again, from latest those in between are lost.

Two sources that read one topic for one group would each tell how far it was read, and the last word would count.

A sink without key spreads its records over the partitions, so that those of one key can overtake each other; that is an
information.`,
	Fails: `
sources:
  clicks: {type: kafka, brokers: localhost:9092, topics: [clicks]}
sinks:
  out: {from: clicks, type: stdout}
  dirty: {from: clicks.dirty, type: stdout}
`, Passes: `
sources:
  clicks: {type: kafka, brokers: localhost:9092, topics: [clicks], group: visits}
sinks:
  out: {from: clicks, type: stdout}
  dirty: {from: clicks.dirty, type: stdout}
`}}

var unreadDirty = rule{check: checkDirty, Rule: spec.Rule{ID: "TM507", Group: "connectors", Severity: spec.Info, Title: "records that could not be used, and nobody reads",
	Text: `A record that is no JSON, or for which an expression fails, goes to NAME.dirty. In a run without an end nobody looks at a report: if no
sink reads the output, such records are only counted and the first 5 logged.`,
	Fails: `
sources:
  clicks: {type: kafka, brokers: localhost:9092, topics: [clicks], group: visits}
sinks:
  out: {from: clicks, type: stdout}
`, Passes: `
sources:
  clicks: {type: kafka, brokers: localhost:9092, topics: [clicks], group: visits}
sinks:
  out: {from: clicks, type: stdout}
  dirty: {from: clicks.dirty, type: file, path: dirty.jsonl, roll: {every: 1h}}
`}}

var onceWithoutCheckpoint = rule{check: checkExactlyOnce, Rule: spec.Rule{ID: "TM510", Group: "connectors", Severity: spec.Error, Title: "exactly once without a checkpoint",
	Text: `delivery: exactly_once writes in transactions, and ends each with a checkpoint: what was written then counts together with how far the
sources were read. Without checkpoints nothing holds the two together.`,
	Fails:  visits(toKafka + "key: page, delivery: exactly_once"),
	Passes: visits(toKafka + "key: page, delivery: at_least_once")}}

// checkpointed reports whether the file asks for checkpoints.
func (c *compiler) checkpointed() bool { return c.file.Settings.Has("checkpoint") }

func checkForgetful(c *compiler) {
	for _, s := range c.plan.Sources {
		if _, ok := s.Options.(connector.RecordSource); ok && !s.Main.Bounded && c.clause(s.Block, "group") == nil && !c.checkpointed() {
			c.reportName("TM505", spec.Warning, s.Block, spec.Diagnostic{
				Message: fmt.Sprintf("every restart reads %q from its start again", s.Name), Hint: "group: " + c.groupName()})
		}
	}
	c.checkGroups()
	for _, s := range c.plan.Sinks {
		main := slices.ContainsFunc(s.Inputs, func(in *Output) bool { return in.Port == stream.Main })
		if writesRecords(s.Kind) && main && !s.Upsert && c.clause(s.Block, "key") == nil {
			c.reportName("TM505", spec.Info, s.Block, spec.Diagnostic{
				Message: fmt.Sprintf("%q has no key: its records are spread over the partitions in no order", s.Name), Hint: c.keyHint(s)})
		}
	}
}

// checkGroups reports sources that would commit offsets of the same partitions for the same group.
func (c *compiler) checkGroups() {
	var before []*Source
	for _, s := range c.plan.Sources {
		group := c.clause(s.Block, "group")
		if _, ok := s.Options.(connector.RecordSource); !ok || group == nil || group.Unset {
			continue
		}
		own := topicsOf(s.Block)
		for _, other := range before {
			if g := c.clause(other.Block, "group"); g.Text != group.Text {
				continue
			}
			if theirs := topicsOf(other.Block); theirs.hasAny(own) || own.hasAny(theirs) {
				c.report("TM505", spec.Warning, group, spec.Diagnostic{Node: s.Name,
					Message: fmt.Sprintf("%q and %q read one topic for one group: how far it was read is what the last of them says", other.Name, s.Name),
					Hint:    "a group for each, or one source that both are read from"})
				break
			}
		}
		before = append(before, s)
	}
}

// groupName proposes the name of a consumer group.
func (c *compiler) groupName() string {
	if isName(c.plan.Name) {
		return c.plan.Name
	}
	return "NAME"
}

func checkDirty(c *compiler) {
	report := func(b *spec.Block, o *Output) {
		if o == nil || o.Bounded || o.Readers > 0 || c.broken[b.Name] {
			return
		}
		c.reportName("TM507", spec.Info, b, spec.Diagnostic{
			Message: fmt.Sprintf("dirty records of %q are only counted, and the first 5 logged", b.Name), Hint: fmt.Sprintf("sinks: {dirty: {from: %s, …}}", o.Name)})
	}
	for _, s := range c.plan.Sources {
		report(s.Block, s.Dirty)
	}
	for _, t := range c.plan.Transforms {
		report(t.Block, t.Dirty)
	}
}

func checkExactlyOnce(c *compiler) {
	for _, s := range c.plan.Sinks {
		if n := s.Block.Node.Get("delivery"); writesRecords(s.Kind) && n != nil && n.Text == "exactly_once" && !c.checkpointed() {
			c.report("TM510", spec.Error, n, spec.Diagnostic{Node: s.Name, Message: "exactly_once needs checkpoints, and the pipeline has none", Hint: "delivery: at_least_once"})
		}
	}
}

// topics are what a block reads or writes on a cluster of brokers.
type topics struct {
	brokers, names []string
	pattern        *regexp.Regexp
}

// topicsOf reads the topics of a block as they are written.
func topicsOf(b *spec.Block) topics {
	t := topics{brokers: texts(b.Node.Get("brokers")), names: append(texts(b.Node.Get("topic")), texts(b.Node.Get("topics"))...)}
	if n := b.Node.Get("pattern"); n != nil {
		t.pattern, _ = regexp.Compile("^(?:" + n.Text + ")$") // a faulty one is the connector's to report
	}
	return t
}

// texts gives the scalars of a list, each of which may be several with commas between.
func texts(n *spec.Node) []string {
	var list []string
	for _, item := range n.List() {
		for _, text := range strings.Split(item.Text, ",") {
			if text = strings.TrimSpace(text); text != "" && !item.Unset {
				list = append(list, text)
			}
		}
	}
	return list
}

// has reports whether a topic of the same cluster is among them.
func (t topics) has(other topics) bool {
	if len(other.names) == 0 || !slices.ContainsFunc(t.brokers, func(b string) bool { return contains(other.brokers, b) }) {
		return false
	}
	return contains(t.names, other.names[0]) || t.pattern != nil && t.pattern.MatchString(other.names[0])
}

// hasAny reports whether one of the names that others are given by is among them.
func (t topics) hasAny(others topics) bool {
	return slices.ContainsFunc(others.names, func(name string) bool {
		return t.has(topics{brokers: others.brokers, names: []string{name}})
	})
}

// checkTopics finds sinks that write the topic of another sink, or of a source.
func checkTopics(c *compiler) {
	var writers []*Sink
	for _, s := range c.plan.Sinks {
		if !writesRecords(s.Kind) {
			continue
		}
		own, at := topicsOf(s.Block), c.option(s.Block, "topic")
		if i := slices.IndexFunc(writers, func(w *Sink) bool { return topicsOf(w.Block).has(own) }); i >= 0 {
			c.report("TM026", spec.Warning, at, spec.Diagnostic{Node: s.Name,
				Message: fmt.Sprintf("%q writes the same topic as %q", s.Name, writers[i].Name), Hint: "another topic, or one sink with from: [a, b]"})
		} else {
			writers = append(writers, s)
		}
		for _, in := range c.plan.Sources {
			if _, ok := in.Options.(connector.RecordSource); ok && topicsOf(in.Block).has(own) {
				c.report("TM026", spec.Warning, at, spec.Diagnostic{Node: s.Name,
					Message: fmt.Sprintf("%q writes the topic that %q reads: its records come round again", s.Name, in.Name), Hint: "write to another topic"})
			}
		}
	}
}
