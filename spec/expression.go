package spec

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
)

// Expr is an option that is an expression. Text is empty when the value isn't known (Node.Unset).
type Expr struct {
	Text string
	Node *Node // where it stands; offsets in Text are placed by Node.At
}

// Known reports whether there is an expression to compile: given, and without a fault that is already reported.
func (e Expr) Known() bool { return e.Node != nil && !e.Node.Unset && e.Text != "" }

// NamedExpr is one entry of a map {name: expression}.
type NamedExpr struct {
	Name string
	Pos  Pos // of the name
	Expr Expr
}

// Exprs are the expressions of a map {name: expression}, in the order of the file.
type Exprs []NamedExpr

// DecodeExpr reads a scalar as an expression. key is the option as messages name it. It sees what YAML does to
// expressions without quotes: cut at a comment (TM012), read as a map or list (TM013).
func DecodeExpr(n *Node, key string) (Expr, Diagnostics) {
	e := Expr{Node: n}
	switch {
	case n.Unset:
		return e, nil
	case n.Kind == Map || n.Kind == List:
		hint := `quote the expression: it contains ": " or starts with { or [`
		if n.Flow && n.Kind == List {
			hint = "quote the expression: it starts with ["
		}
		if both := n.conjunction(); both != "" && (key == "where" || key == "having") {
			hint = "join them with and: " + key + ": " + both
		}
		return e, Diagnostics{n.Diagnose("TM013", fmt.Sprintf("%q is %s", key, n.describe()), hint)}
	case n.Kind == Null || strings.TrimSpace(n.Text) == "":
		hint := "write an expression, or remove the key"
		if n.doc.commentFollows(n.doc.offset(n.End)) {
			hint = "quote the expression: a # begins a comment"
		}
		return e, Diagnostics{n.Diagnose("TM006", fmt.Sprintf("%q is empty", key), hint)}
	}
	e.Text = n.Text
	if n.commented && unfinished(n.Text) {
		n.Unset = true
		return Expr{Node: n}, Diagnostics{n.Diagnose("TM012", fmt.Sprintf("the expression ends at a YAML comment: %s", n.Quote()), "quote the whole expression")}
	}
	return e, nil
}

// conjunction joins the conditions of a list with and; empty for a list of anything else, or of one.
func (n *Node) conjunction() string {
	var parts []string
	for _, item := range n.Items {
		if item.Kind != Scalar || item.Secret() || item.Unset || item.Text == "" {
			return ""
		}
		text := item.Text
		if looseOperator.MatchString(text) {
			text = "(" + text + ")"
		}
		parts = append(parts, text)
	}
	text := strings.Join(parts, " and ")
	if len(parts) < 2 || len(text) > 200 {
		return ""
	}
	if strings.Contains(text, ": ") || strings.Contains(text, " #") || strings.ContainsAny(text[:1], "\"'!&*[{>|%@`?") {
		text = quoted(text)
	}
	return text
}

// looseOperator binds less than and.
var looseOperator = regexp.MustCompile(`\bor\b|\|\||\?`)

// unfinished reports whether an expression is cut off: a bracket or quote is open, or an operator waits for its
// right side.
func unfinished(text string) bool {
	if !balanced(text) {
		return true
	}
	text = strings.TrimRight(text, " ")
	if strings.ContainsAny(text[len(text)-1:], "+-*/%^,=<>&|?:.!") {
		return true
	}
	words := strings.Fields(text)
	return slices.Contains([]string{"and", "or", "not", "in", "matches", "contains", "startsWith", "endsWith"}, words[len(words)-1])
}

// DecodeExprs reads a map {name: expression}, or, with names, a list of names where each is its own expression and a
// single name is a list of one.
func DecodeExprs(n *Node, key string, names bool) (Exprs, Diagnostics) {
	var out Exprs
	var faults Diagnostics
	switch {
	case n.Unset:
	case n.Kind == Map:
		for i := range n.Entries {
			e := &n.Entries[i]
			if e.Value.Kind == Null && !e.Value.Unset && strings.ContainsAny(e.Key, "()") {
				faults = append(faults, e.Diagnose("TM006", fmt.Sprintf("%s has no name", e.Key), fmt.Sprintf("give it one: %s: {%s}", key, named(e.Key, i))))
				continue
			}
			x, f := DecodeExpr(e.Value, e.Key)
			out, faults = append(out, NamedExpr{Name: e.Key, Pos: e.KeyPos, Expr: x}), append(faults, f...)
		}
	case names && (n.Kind == List || n.Kind == Scalar):
		for _, item := range n.List() {
			x, f := DecodeExpr(item, key)
			out, faults = append(out, NamedExpr{Name: x.Text, Pos: item.Pos, Expr: x}), append(faults, f...)
		}
	default:
		want := "a map {name: expression}"
		if names {
			want = "a name, a list of names or " + want
		}
		hint := "name: expression"
		if parts := n.scalars(); len(parts) > 0 {
			hint = strings.Join(parts, ", ")
		}
		faults = append(faults, n.Diagnose("TM006", fmt.Sprintf("%q wants %s, got %s", key, want, n.describe()), key+": {"+hint+"}"))
	}
	return out, faults
}

// named writes an expression as entry i of a map.
func named(text string, i int) string {
	name := "n"
	if i > 0 {
		name += fmt.Sprint(i + 1)
	}
	if strings.ContainsAny(text, ",[]{}") || strings.Contains(text, ": ") {
		text = quoted(text)
	}
	return name + ": " + text
}

// scalars writes the expressions of a list, or a single one, as entries of a map; none where a value is no scalar or
// must not be shown.
func (n *Node) scalars() []string {
	var parts []string
	for i, item := range n.List() {
		if item.Kind != Scalar || item.Secret() || len(item.Text) > 60 {
			return nil
		}
		parts = append(parts, named(item.Text, i))
	}
	return parts
}
