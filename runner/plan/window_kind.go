package plan

import (
	"fmt"
	"slices"
	"strings"

	"tidemark/operators/window"
	"tidemark/spec"
)

// windowOptions is the `window` clause.
type windowOptions struct {
	Tumbling *spec.Duration `spec:"tumbling,negative"`
	Sliding  *spec.Duration `spec:"sliding,negative"`
	Session  *spec.Duration `spec:"session,negative"`
	Every    *spec.Duration `spec:"every,negative"`
	Offset   *spec.Duration `spec:"offset,negative"`
	Global   *bool          `spec:"global"`
	Calendar *spec.Node     `spec:"calendar"`
	Timezone *spec.Node     `spec:"timezone"`
	Time     *spec.Node     `spec:"time"`
}

// unknownWindow stands for a window that is at fault. Its results have bounds, so that nothing that speaks of
// them is reported too.
var unknownWindow = window.Tumbling{Size: 60_000}

// windowKind is a kind of window as it is written.
type windowKind struct {
	name  string
	value *spec.Duration
	make  func() window.Spec // nil for those that are made in another way
}

// kinds gives the kinds that a window can be of. Calendar and global ones have no duration as their value.
func (o *windowOptions) kinds() []windowKind {
	return []windowKind{
		{"tumbling", o.Tumbling, func() window.Spec { return window.Tumbling{Size: ms(o.Tumbling), Offset: ms(o.Offset)} }},
		{"sliding", o.Sliding, func() window.Spec {
			return window.Sliding{Size: ms(o.Sliding), Every: ms(o.Every), Offset: ms(o.Offset)}
		}},
		{"session", o.Session, func() window.Spec { return window.Session{Gap: ms(o.Session)} }},
		{"calendar", nil, nil},
		{"global", nil, nil},
	}
}

// windowSpec reads the window; bounds says whether its results have window_start and window_end.
func (k *block) windowSpec() (s window.Spec, bounds bool) {
	n := k.o.Window
	switch {
	case n == nil:
		return window.Global{}, false
	case n.IsPlain("global"):
		k.global(n)
		return window.Global{}, false
	case n.Kind != spec.Map:
		k.notMap(n)
		return unknownWindow, true
	case k.foreignWindow(n):
		return unknownWindow, true
	}
	var o windowOptions
	found := spec.Decode(n, &o, spec.DecodeOptions{What: fmt.Sprintf("window of %q", k.Name), Node: k.Name})
	k.diags = append(k.diags, found...)
	if slices.ContainsFunc(found, func(d spec.Diagnostic) bool { return d.Rule == "TM003" }) {
		return unknownWindow, true // what else may be said of it hangs on a guess
	}
	k.refuseWindow(o)
	var given []windowKind
	for _, kind := range o.kinds() {
		if kind.value != nil || n.Has(kind.name) && (kind.name != "global" || o.Global == nil || *o.Global) {
			given = append(given, kind)
		}
	}
	if !k.oneKind(n, given) || faulty(found, n.Get(given[0].name)) || faulty(found, n.Get("every")) || faulty(found, n.Get("offset")) {
		return unknownWindow, true
	}
	switch given[0].name {
	case "global":
		k.global(n)
		k.windowSteps(n, o, "global")
		return window.Global{}, false
	case "calendar":
		s, ok := k.calendar(n, o)
		if !k.windowSteps(n, o, "calendar") || !ok {
			return unknownWindow, true
		}
		return s, true
	}
	if s = given[0].make(); !k.windowSteps(n, o, given[0].name) || !k.windowSizes(n, o, s) {
		return unknownWindow, true
	}
	return s, true
}

// notMap reports a window that is neither a map nor global.
func (k *block) notMap(n *spec.Node) {
	hint := "window: {tumbling: 1m}"
	if n.Kind == spec.Scalar && !n.Secret() && windowMeant(n.Text) != "" {
		hint = "window: " + windowMeant(n.Text)
	}
	what := n.Quote()
	if n.Kind != spec.Scalar {
		what = n.Kind.String()
	}
	k.report("TM006", spec.Error, n, spec.Diagnostic{Node: k.Name, Message: `"window" wants a map, got ` + what, Hint: hint})
}

// oneKind reports a window of several kinds, or of none.
func (k *block) oneKind(n *spec.Node, given []windowKind) bool {
	switch {
	case len(given) == 1:
		return true
	case len(given) == 0:
		k.report("TM005", spec.Error, n, spec.Diagnostic{Node: k.Name, Message: "the window has no kind", Hint: "window: {tumbling: 1m}, {sliding: 10m, every: 1m} or {session: 30m}"})
	default:
		var names []string
		var last *spec.Node
		for _, kind := range given {
			names = append(names, kind.name)
		}
		for _, name := range names {
			if at := n.Get(name); at != nil && (last == nil || last.Pos.Before(at.Pos)) {
				last = at
			}
		}
		if last == nil {
			last = n
		}
		k.report("TM009", spec.Error, last, spec.Diagnostic{Node: k.Name, Message: strings.Join(names, " and ") + " cannot both be given", Hint: "a window is of one kind"})
	}
	return false
}

// ms gives a duration that may be left out.
func ms(d *spec.Duration) int64 {
	if d == nil {
		return 0
	}
	return int64(*d)
}

// windowSteps says where every and offset are missing or don't belong.
func (k *block) windowSteps(n *spec.Node, o windowOptions, kind string) bool {
	missing := kind == "sliding" && o.Every == nil && !n.Has("every")
	if missing {
		k.report("TM005", spec.Error, n, spec.Diagnostic{Node: k.Name, Message: `a sliding window needs "every"`,
			Hint: fmt.Sprintf("window: {sliding: %s, every: 10s}", optionOf(n, "sliding").Text)})
	}
	if kind != "sliding" && o.Every != nil {
		k.report("TM009", spec.Error, optionOf(n, "every"), spec.Diagnostic{Node: k.Name, Message: `"every" belongs to a sliding window`, Hint: "window: {sliding: 10m, every: 1m}"})
	}
	if kind != "sliding" && kind != "tumbling" && o.Offset != nil {
		k.report("TM009", spec.Error, optionOf(n, "offset"), spec.Diagnostic{Node: k.Name, Message: `"offset" belongs to a tumbling or sliding window`, Hint: "remove it"})
	}
	return !missing
}
