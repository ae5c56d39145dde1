package plan

import (
	"fmt"

	"tidemark/operators/window"
	"tidemark/spec"
)

// most is the number of windows per record from which on a sliding window is likely a mistake.
const most = 100

// windowSizes reports spans that make no windows (TM311), and those that are likely not meant (TM309).
func (k *block) windowSizes(n *spec.Node, o windowOptions, s window.Spec) bool {
	whole := true
	for _, span := range []struct {
		name string
		d    *spec.Duration
	}{{"tumbling", o.Tumbling}, {"sliding", o.Sliding}, {"session", o.Session}, {"every", o.Every}} {
		if span.d == nil || *span.d > 0 {
			continue
		}
		whole = false
		k.report("TM311", spec.Error, optionOf(n, span.name), spec.Diagnostic{Node: k.Name,
			Message: fmt.Sprintf("%s is %s: it must be more than 0", span.name, *span.d), Hint: span.name + ": 1m"})
	}
	if !whole {
		return false
	}
	switch s := s.(type) {
	case window.Tumbling:
		whole = k.offset(n, s.Offset, "size", s.Size)
	case window.Sliding:
		whole = k.offset(n, s.Offset, "step", s.Every)
		k.slides(n, s)
	}
	if err := s.Validate(); err != nil && whole {
		k.report("TM311", spec.Error, n, spec.Diagnostic{Node: k.Name, Message: err.Error(), Hint: "write shorter spans"})
		return false
	}
	return whole
}

// offset reports an offset that is not nearer to 0 than what windows are apart.
func (k *block) offset(n *spec.Node, offset int64, what string, apart int64) bool {
	if -apart < offset && offset < apart {
		return true
	}
	d := spec.Diagnostic{Node: k.Name,
		Message: fmt.Sprintf("offset %s is not less than the window's %s of %s", spec.Duration(offset), what, spec.Duration(apart))}
	if rest := offset % apart; rest != 0 {
		d.Hint = fmt.Sprintf("offset: %s gives the same windows", spec.Duration(rest))
		d.Fix = spec.Duration(rest).String()
	} else {
		d.Hint = "leave it out: the windows are the same"
	}
	k.report("TM311", spec.Error, optionOf(n, "offset"), d)
	return false
}

// slides warns of sliding windows with gaps, many windows per record, or a step that doesn't divide the size.
func (k *block) slides(n *spec.Node, s window.Sliding) {
	at := optionOf(n, "every")
	size, every := spec.Duration(s.Size), spec.Duration(s.Every)
	switch {
	case s.Every > s.Size:
		k.report("TM309", spec.Warning, at, spec.Diagnostic{Node: k.Name,
			Message: fmt.Sprintf("records between %s and %s of each step fall into no window", size, every), Hint: fmt.Sprintf("every: %s or less", size)})
	case s.Size/s.Every > most:
		k.report("TM309", spec.Warning, at, spec.Diagnostic{Node: k.Name,
			Message: fmt.Sprintf("each record is in %d windows", (s.Size+s.Every-1)/s.Every), Hint: "a larger every"})
	case s.Size%s.Every != 0:
		k.report("TM309", spec.Info, at, spec.Diagnostic{Node: k.Name,
			Message: fmt.Sprintf("%s is not a multiple of %s: records are in %d or %d windows", size, every, s.Size/s.Every, s.Size/s.Every+1),
			Hint:    "make one a multiple of the other, if each record should be in equally many"})
	}
}
