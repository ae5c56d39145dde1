package plan

import (
	"fmt"
	"strconv"
	"strings"

	"tidemark/io/connector"
	"tidemark/operators/agg"
	"tidemark/spec"
)

// notYet is how every refusal of a word that the language has and this version has not reads.
const notYet = "is not supported in this version"

// laterKinds are types that the language has and this version has not.
var laterKinds = map[connector.Role][]string{
	connector.SourceRole: {"kafka", "inline", "generate"},
	connector.SinkRole:   {"kafka"},
}

// laterAggregates are aggregates that the language has and this version has not.
var laterAggregates = []string{
	"approx_count_distinct", "quantile", "median", "approx_quantile", "stddev", "variance", "bool_and", "bool_or",
	"collect", "collect_set", "min_by", "max_by", "string_join",
}

// refuse reports a word of the language that this version does not do, by its name.
func (c *compiler) refuse(name string, n *spec.Node, what, hint string) {
	if n == nil {
		return
	}
	c.report("TM099", spec.Error, n, spec.Diagnostic{Node: name, Message: what + " " + notYet, Hint: hint})
}

func (k *block) refuseClauses() {
	for _, w := range []struct {
		word string
		node *spec.Node
		hint string
	}{
		{"join", k.o.Join, "this version reads unions: from: [a, b]"},
		{"explode", k.o.Explode, "write one record per element into the input"},
		{"emit", k.o.Emit, "without it: one row when the window ends, then one per late record within allowed_lateness"},
		{"dedup", k.o.Dedup, "aggregate with first(…) in a window"},
		{"top", k.o.Top, "aggregate with max(…)"},
		{"split", k.o.Split, "write a transform with where for each output"},
	} {
		if k.Node.Has(w.word) { // a guessed one is refused where it was guessed
			k.refuse(k.Name, w.node, `"`+w.word+`"`, w.hint)
		}
	}
}

func (k *block) refuseWindow(o windowOptions) {
	k.refuse(k.Name, o.Calendar, "a calendar window", "window: {tumbling: 1d, offset: …}")
	if o.Calendar == nil && o.Timezone != nil {
		k.report("TM009", spec.Error, o.Timezone, spec.Diagnostic{Node: k.Name, Message: `"timezone" belongs to a calendar window`, Hint: "use offset"})
	}
	switch n := o.Time; {
	case n == nil || n.IsPlain("event"):
	case n.IsPlain("processing"):
		k.refuse(k.Name, n, "time: processing", "leave it out: windows go by event time")
	default:
		k.choiceAt(k.Name, "time", n, []string{"event", "processing"})
	}
}

// refuseOptions reports what can stand beside a watermark's strategy, but for what this version does anyway.
func (c *compiler) refuseOptions(s *Source, o watermarkOptions) {
	if o.Idle != nil && s.Kind != nil && !o.Idle.IsPlain("off") {
		c.idle(s, o.Idle)
		o.Idle = nil
	}
	for _, w := range []struct {
		word   string
		node   *spec.Node
		always []string
	}{
		{"idle", o.Idle, []string{"off"}},
		{"max_ahead", o.MaxAhead, []string{"off"}},
		{"interval", o.Interval, []string{"0s", "0", "0ms"}},
		{"per", o.Per, []string{"partition"}},
		{"on_regress", o.OnRegress, []string{"ignore"}},
		{"align", o.Align, nil},
	} {
		if w.node != nil && !(w.node.Kind == spec.Scalar && contains(w.always, w.node.Text)) {
			c.refuse(s.Name, w.node, `"`+w.word+`"`, "leave it out")
		}
	}
}

// idle says that a source which ends by itself is never idle.
func (c *compiler) idle(s *Source, n *spec.Node) {
	if _, found := spec.DecodeDuration(n, "idle"); len(found) > 0 {
		c.add(s.Name, found)
		return
	}
	c.report("TM506", spec.Warning, n, spec.Diagnostic{Node: s.Name,
		Message: fmt.Sprintf("idle has no effect: %q is read to its end", s.Name), Hint: "leave it out"})
}

func (c *compiler) refuseSink(b *spec.Block, o sinkOptions) {
	if o.Mode == "upsert" {
		if b.Type == "file" || b.Type == "parquet" {
			c.report("TM503", spec.Error, c.option(b, "mode"), spec.Diagnostic{Node: b.Name, Message: "files cannot replace rows", Hint: "mode: append, after the window is final: allowed_lateness: 0s"})
		} else {
			c.refuse(b.Name, c.option(b, "mode"), "mode: upsert", "mode: append")
		}
	}
	if o.WithMeta != nil && !o.WithMeta.IsPlain("false") {
		c.refuse(b.Name, o.WithMeta, "with_meta", "select the facts by name: {file: meta.file}")
	}
	if n := b.Node.Get("watermarks"); n != nil && !n.IsPlain("false") {
		c.refuse(b.Name, n, "watermarks: true", "leave it out")
	}
}

// settings reads the file's settings.
func (c *compiler) settings() {
	n := c.file.Settings
	c.refuse("", c.file.Tests, `"tests"`, "remove it")
	if n == nil {
		return
	}
	var o struct {
		Parallelism *spec.Node `spec:"parallelism"`
		Checkpoint  *spec.Node `spec:"checkpoint,later"`
		OnDirty     *spec.Node `spec:"on_dirty"`
		OnLate      *spec.Node `spec:"on_late"`
		Metrics     *spec.Node `spec:"metrics,later"`
		Memory      *spec.Node `spec:"memory,later"`
	}
	c.diags = append(c.diags, spec.Decode(n, &o, spec.DecodeOptions{What: "settings"})...)
	if p := o.Parallelism; p != nil && !p.IsPlain("auto") {
		workers, err := strconv.Atoi(p.Text)
		if err != nil || p.Style != spec.Plain || workers < 1 || workers > 1024 {
			c.report("TM006", spec.Error, p, spec.Diagnostic{Message: `"parallelism" wants a whole number or auto, got ` + p.Quote(), Hint: "parallelism: auto"})
		}
		c.plan.Settings.Parallelism = workers
	}
	c.refuse("", o.Checkpoint, `"checkpoint"`, "leave it out: a run that is stopped starts again from the beginning")
	c.refuse("", o.Metrics, `"metrics"`, "leave it out: the counts are reported at the end")
	c.refuse("", o.Memory, `"memory"`, "leave it out")
	for _, w := range []struct {
		word string
		node *spec.Node
	}{{"on_dirty", o.OnDirty}, {"on_late", o.OnLate}} {
		if w.node != nil && !w.node.IsPlain("keep_going") {
			c.refuse("", w.node, `"`+w.word+`"`, w.word+": keep_going")
		}
	}
}

// isAggregate says which names are aggregate calls inside `aggregate`, whether or not this version has them.
func isAggregate(name string) bool {
	if _, ok := agg.Lookup(name); ok {
		return true
	}
	return contains(laterAggregates, strings.TrimSuffix(name, "_if"))
}
