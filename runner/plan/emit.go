package plan

import (
	"fmt"

	"tidemark/spec"
)

// emitsAtEnd reports whether the block says `emit: end`, which is what a global window does that is not written.
func (k *block) emitsAtEnd() bool { return k.o.Emit.IsPlain("end") }

// emit holds `emit: end` against the window; other words of it are refused by refuseClauses.
func (k *block) emit() {
	switch n := k.o.Emit; {
	case !k.emitsAtEnd():
	case k.t.Window == nil:
		k.report("TM005", spec.Error, n, spec.Diagnostic{Node: k.Name, Message: `"emit" needs aggregate`, Hint: "aggregate: {n: count()}"})
	case k.t.Window.Bounds:
		k.report("TM009", spec.Error, n, spec.Diagnostic{Node: k.Name, Message: "emit: end belongs to a global window", Hint: "leave it out: a window with an end gives its rows then"})
	case !k.t.From.Bounded:
		k.report("TM302", spec.Error, n, spec.Diagnostic{Node: k.Name, Message: "a global window ends only when the input ends, and this one does not", Hint: "window: {tumbling: 1m}, and no emit"})
	}
}

// global reports a written global window that does not say when it gives results.
func (k *block) global(n *spec.Node) {
	if k.o.Emit != nil {
		return // it says when, be it at fault
	}
	d := spec.Diagnostic{Node: k.Name, Message: "a global window has to say when it gives results", Hint: "emit: end gives one row per key at the end of the input"}
	if !k.t.From.Bounded {
		d.Message, d.Hint = "a global window ends only when the input ends, and this one does not", "window: {tumbling: 1m}"
	}
	k.report("TM302", spec.Error, n, d)
}

// idleLateness warns of an allowed lateness where nothing is ever late.
func (k *block) idleLateness() {
	w := k.t.Window
	if w.Bounds || w.Lateness == 0 || k.refused() || k.o.Window != nil && !k.emitsAtEnd() {
		return
	}
	d := spec.Diagnostic{Node: k.Name, Message: "allowed_lateness has no effect: without a window nothing is late", Hint: "leave it out, or write window: {tumbling: 1m}"}
	if k.o.Window != nil {
		d.Message = fmt.Sprintf("allowed_lateness has no effect: nothing is late for the global window of %q", k.Name)
	}
	k.report("TM506", spec.Warning, k.option(k.Block, "allowed_lateness"), d)
}
