package spec

import (
	"fmt"
	"slices"
	"strings"
)

// Rule is one thing that is checked.
type Rule struct {
	ID       string // TMnnn
	Group    string // structure, graph, expressions, time, windows, keys, connectors, tests
	Severity Severity
	Title    string // one line: what it detects
	Text     string // why it matters and what to do; paragraphs are set apart by empty lines
	Fails    string // a pipeline file, or the part that matters, that breaks the rule
	Passes   string // the same, mended
	// Fixed says that a comment can't silence the rule: what it finds leaves nothing that could be run.
	Fixed bool
}

var rules = map[string]Rule{}

// RegisterRule adds a rule to the table. It is called while packages are initialized, and panics when the rule
// has no text or its id is taken.
func RegisterRule(r Rule) {
	if _, taken := rules[r.ID]; taken || r.ID == "" || r.Title == "" || r.Severity == "" {
		panic(fmt.Sprintf("spec: rule %q is registered twice or has no title or severity", r.ID))
	}
	rules[r.ID] = r
}

// Rules gives all rules by id.
func Rules() []Rule {
	all := make([]Rule, 0, len(rules))
	for _, r := range rules {
		all = append(all, r)
	}
	slices.SortFunc(all, func(a, b Rule) int { return strings.Compare(a.ID, b.ID) })
	return all
}

// LookupRule gives the rule of an id; upper and lower case are the same.
func LookupRule(id string) (Rule, bool) {
	r, ok := rules[strings.ToUpper(id)]
	return r, ok
}

// severityOf is the severity of a rule, error for one that isn't in the table.
func severityOf(id string) Severity {
	if r, ok := rules[id]; ok {
		return r.Severity
	}
	return Error
}

// Explain is the page of text of a rule, as `lint --explain` prints it.
func (r Rule) Explain() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s (%s): %s\n", r.ID, r.Severity, r.Title)
	if r.Text != "" {
		fmt.Fprintf(&b, "\n%s\n", strings.TrimSpace(r.Text))
	}
	for _, example := range []struct{ title, text string }{{"Wrong", r.Fails}, {"Right", r.Passes}} {
		if example.text == "" {
			continue
		}
		fmt.Fprintf(&b, "\n%s:\n\n", example.title)
		for _, line := range strings.Split(strings.Trim(example.text, "\n"), "\n") {
			b.WriteString(strings.TrimRight("    "+line, " ") + "\n")
		}
	}
	return b.String()
}
