package plan

import (
	"net"
	"strconv"

	"tidemark/operators/agg"
	"tidemark/spec"
)

// notYet is how every refusal of a word that the language has and this version has not reads.
const notYet = "is not supported in this version"

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
		{"emit", k.o.Emit, "without it: one row when the window ends, then one per late record within allowed_lateness"},
		{"dedup", k.o.Dedup, "aggregate with first(…) in a window"},
		{"top", k.o.Top, "aggregate with max(…)"},
	} {
		if k.Node.Has(w.word) && !(w.word == "emit" && k.emitsAtEnd()) { // a guessed one is refused where it was guessed
			k.refuse(k.Name, w.node, `"`+w.word+`"`, w.hint)
		}
	}
}

func (k *block) refuseWindow(o windowOptions) {
	if o.Calendar == nil && o.Timezone != nil {
		k.report("TM009", spec.Error, o.Timezone, spec.Diagnostic{Node: k.Name, Message: `"timezone" belongs to a calendar window`, Hint: "window: {calendar: day, timezone: " + o.Timezone.Text + "}, or use offset"})
	}
	switch n := o.Time; {
	case n == nil || n.IsPlain("event"):
	case n.IsPlain("processing"):
		k.t.Window.Processing = true
	default:
		k.choiceAt(k.Name, "time", n, []string{"event", "processing"})
	}
}

func (c *compiler) refuseSink(b *spec.Block, o sinkOptions) {
	if o.Mode == "upsert" && contains(appending, b.Type) {
		c.report("TM503", spec.Error, c.option(b, "mode"), spec.Diagnostic{Node: b.Name, Message: "files cannot replace rows", Hint: "mode: append, after the window is final: allowed_lateness: 0s"})
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
		Metrics     *spec.Node `spec:"metrics"`
		Memory      int64      `spec:"memory,size,positive"`
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
	c.metrics(o.Metrics)
	c.plan.Settings.Memory = o.Memory
	c.plan.Settings.FailDirty = c.fails("on_dirty", o.OnDirty)
	c.plan.Settings.FailLate = c.fails("on_late", o.OnLate)
}

// fails reads whether a fault of a record ends the run.
func (c *compiler) fails(word string, n *spec.Node) bool {
	switch {
	case n == nil || n.Unset || n.IsPlain("keep_going"):
		return false
	case n.IsPlain("fail"):
		return true
	}
	c.choiceAt("", word, n, []string{"keep_going", "fail"})
	return false
}

// metrics reads the address at which metrics are served.
func (c *compiler) metrics(n *spec.Node) {
	if n == nil || n.Unset {
		return
	}
	if _, port, err := net.SplitHostPort(n.Text); n.Kind != spec.Scalar || err != nil || port == "" {
		c.report("TM006", spec.Error, n, spec.Diagnostic{Message: `"metrics" wants an address, got ` + n.Quote(), Hint: `metrics: ":9090"`})
		return
	}
	c.plan.Settings.Metrics = n.Text
}

// isAggregate says which names are aggregate calls inside `aggregate`.
func isAggregate(name string) bool {
	_, ok := agg.Lookup(name)
	return ok
}
