package plan

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"tidemark/spec"
)

// otherWindows are keys of windows in other tools, by what they say: the size, the step, the gap or the kind.
var otherWindows = map[string]string{
	"size": "size", "length": "size", "duration": "size", "width": "size", "tumbling": "size", "sliding": "size", "tumble": "size", "fixed": "size",
	"hop": "every", "hop_size": "every", "slide": "every", "slide_by": "every", "period": "every", "advance": "every", "step": "every", "every": "every",
	"gap": "gap", "session": "gap", "session_gap": "gap", "inactivity_gap": "gap", "timeout": "gap",
	"type": "kind", "kind": "kind", "hopping": "size", "sessions": "gap", "name": "kind",
}

// kindWords are names of the kinds of windows, ours and those of other tools.
var kindWords = map[string]string{
	"tumbling": "tumbling", "tumble": "tumbling", "fixed": "tumbling", "sliding": "sliding", "hop": "sliding", "hopping": "sliding", "slide": "sliding",
	"session": "session", "sessions": "session",
}

// foreignWindow reports the keys of a window that is written as other tools write it, and whether it is: all of
// them together say what is meant, and each by itself would be guessed wrong.
func (k *block) foreignWindow(n *spec.Node) bool {
	meant := map[string]string{}
	var foreign []*spec.Entry
	known := spec.Keys(&windowOptions{})
	for i := range n.Entries {
		e := &n.Entries[i]
		role := otherWindows[strings.ToLower(e.Key)]
		if role == "" || e.Value.Kind != spec.Scalar || e.Value.Secret() {
			return false
		}
		if !slices.Contains(known, e.Key) {
			foreign = append(foreign, e)
		}
		meant[role] = e.Value.Text
	}
	written := windowOf(meant["kind"], meant["size"], meant["every"], meant["gap"])
	if len(foreign) == 0 || written == "" {
		return false
	}
	for _, e := range foreign {
		d, _ := spec.UnknownKey(e, fmt.Sprintf("window of %q", k.Name), known)
		d.Hint, d.Fix = "write window: "+written, ""
		k.add(k.Name, spec.Diagnostics{d})
	}
	return true
}

// windowOf writes the window of a kind with a size, a step and a gap, of which some are empty; "" if it is none.
func windowOf(kind, size, every, gap string) string {
	kind = kindWords[strings.ToLower(kind)]
	switch {
	case (kind == "session" || kind == "" && size == "") && every == "" && (gap != "" || size != "") && !(gap != "" && size != ""):
		return "{session: " + gap + size + "}"
	case (kind == "sliding" || kind == "") && size != "" && every != "" && gap == "":
		return "{sliding: " + size + ", every: " + every + "}"
	case (kind == "tumbling" || kind == "") && size != "" && every == "" && gap == "":
		return "{tumbling: " + size + "}"
	}
	return ""
}

var shortWindow = regexp.MustCompile(`^(\w+)[\s:,(]+(\d+\w+)(?:[\s,]+(?:every\s+)?(\d+\w+))?\)?$`)

// windowMeant gives the window that a text such as `session 30m` means, or 5m, or a word alone.
func windowMeant(text string) string {
	if _, _, err := spec.ParseDuration(text); err == nil {
		return "{tumbling: " + text + "}"
	}
	if m := shortWindow.FindStringSubmatch(text); m != nil {
		if kind := kindWords[strings.ToLower(m[1])]; kind == "session" {
			return windowOf(kind, "", "", m[2])
		} else if kind != "" {
			size, step := m[2], m[3]
			if a, _, _ := spec.ParseDuration(size); step != "" {
				if b, _, _ := spec.ParseDuration(step); a < b { // Flink SQL: HOP(…, slide, size)
					size, step = step, size
				}
			}
			return windowOf(kind, size, step, "")
		}
	}
	return map[string]string{"sliding": "{sliding: 10m, every: 1m}", "session": "{session: 30m}"}[kindWords[strings.ToLower(text)]]
}
