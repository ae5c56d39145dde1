package plan

import (
	"fmt"
	"slices"
	"strings"

	"tidemark/spec"
	"tidemark/stream"
)

// namedExprs reads a clause that is a name, a list of names or a map {name: expr}. A text in a list is the field of just
// that name, if there is one, whatever letters it has.
func namedExprs(n *spec.Node, clause, name string, fields []stream.Field) (spec.Exprs, spec.Diagnostics) {
	list, found := spec.DecodeExprs(n, clause, true)
	kept := list[:0]
	for _, e := range list {
		if n.Kind == spec.Map || !e.Expr.Known() || isName(e.Name) {
			if e.Expr.Known() {
				kept = append(kept, e)
			}
			continue
		}
		item := e.Expr.Node
		if hasField(fields, e.Name) {
			e.Expr.Text = fmt.Sprintf("row[%q]", e.Name)
			kept = append(kept, e)
			continue
		}
		if parts := strings.Split(item.Text, ","); len(parts) > 1 && !slices.ContainsFunc(parts, func(p string) bool { return !isName(strings.TrimSpace(p)) }) {
			found = append(found, item.Diagnose("TM006", fmt.Sprintf("%q wants a list of names, got text %s", clause, item.Quote()),
				redact(item, fmt.Sprintf("%s: [%s]", clause, item.Text))))
			continue
		}
		found = append(found, item.Diagnose("TM006", fmt.Sprintf("%q wants names of fields, and %s is an expression", clause, item.Quote()),
			redact(item, fmt.Sprintf("give it a name: %s: {name: '%s'}", clause, fieldMeant(item.Text)))))
	}
	for i := range found {
		found[i].Node = name
	}
	return kept, found
}

// fieldMeant gives an expression for a text that is no name: a field such as order-id is more likely than a difference
// without spaces.
func fieldMeant(text string) string {
	for _, word := range strings.FieldsFunc(text, func(r rune) bool { return r == '-' || r == ' ' }) {
		if !isName("_" + word) {
			return text
		}
	}
	if strings.Contains(text, " - ") {
		return text
	}
	return fmt.Sprintf("row[%q]", text)
}

// isName reports whether a text is a field's name, or a path of names.
func isName(text string) bool {
	start := true
	for _, r := range text {
		switch {
		case r == '_' || r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r > 127:
			start = false
		case r >= '0' && r <= '9' && !start:
		case r == '.' && !start:
			start = true
		default:
			return false
		}
	}
	return !start
}
