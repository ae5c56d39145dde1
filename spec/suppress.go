package spec

import (
	"fmt"
	"regexp"
	"strings"
	"unicode/utf8"
)

// allowComment is a comment on a line of its own: # lint: allow TM204 reason. It silences the rule on the next line
// that is neither blank nor a comment.
var allowComment = regexp.MustCompile(`^\s*#+\s*lint:\s*allow\b[\s:]*((?:TM\d+[\s,]*)*)(.*)$`)

var ruleID = regexp.MustCompile(`TM\d+`)

// allowance is one rule of one such comment.
type allowance struct {
	line, target int // of the comment, and of what it speaks
	from, to     int // columns of the rule's id
	rule         string
	reason       bool
	used, refuse bool
}

// Suppress drops the faults that comments of the file allow, and reports the comments that have no reason or no
// effect (TM090). Errors of the structure can't be silenced: there would be nothing to run. It is called once, with
// all faults of the file.
func (d Diagnostics) Suppress(file *File) Diagnostics {
	if file == nil || file.Node == nil {
		return d
	}
	allowed := file.Node.doc.allowances()
	if len(allowed) == 0 {
		return d
	}
	kept := make(Diagnostics, 0, len(d)+len(allowed))
	for _, g := range d {
		silenced := false
		for i := range allowed {
			a := &allowed[i]
			if g.File != file.Path || g.Line != a.target || g.Rule != a.rule {
				continue
			}
			if rules[g.Rule].Fixed && g.Severity == Error {
				a.refuse = true
				continue
			}
			a.used, silenced = true, true
		}
		if !silenced {
			kept = append(kept, g)
		}
	}
	for _, a := range allowed {
		kept = append(kept, a.faults(file.Node.doc)...)
	}
	kept.Sort()
	return kept
}

// allowances finds the comments. Lines within block scalars are no comments.
func (d *document) allowances() []allowance {
	var out []allowance
	for number := range d.lines {
		line := d.line(number + 1)
		if len(line) == 0 || d.inBlock(number+1) {
			continue
		}
		m := allowComment.FindSubmatchIndex(line)
		if m == nil {
			continue
		}
		target := number + 2
		for target <= len(d.lines) && d.isBlank(target) {
			target++
		}
		reason := strings.TrimLeft(string(line[m[4]:m[5]]), " :,-–—")
		column := func(i int) int { return 1 + utf8.RuneCount(line[:i]) }
		a := allowance{line: number + 1, target: target, from: column(m[2]), to: column(len(line)), reason: reason != ""}
		ids := ruleID.FindAllIndex(line[m[2]:m[3]], -1)
		for _, at := range ids {
			a.from, a.to = column(m[2]+at[0]), column(m[2]+at[1])
			a.rule = string(line[m[2]+at[0] : m[2]+at[1]])
			out = append(out, a)
		}
		if len(ids) == 0 {
			out = append(out, a)
		}
	}
	return out
}

func (d *document) inBlock(line int) bool {
	for _, b := range d.blocks {
		if line >= b[0] && line <= b[1] {
			return true
		}
	}
	return false
}

// faults says what is wrong with the comment itself.
func (a *allowance) faults(d *document) Diagnostics {
	var out Diagnostics
	report := func(message, hint string) {
		out = append(out, d.diagnose(Pos{a.line, a.from}, Pos{a.line, a.to}, "TM090", message, hint))
	}
	_, known := LookupRule(a.rule)
	switch {
	case a.rule == "":
		report("the comment names no rule", "write # lint: allow TM204 reason")
		return out
	case a.refuse:
		report(a.rule+" can't be silenced", "mend the fault")
	case !a.used && !known:
		report(fmt.Sprintf("%s is no rule", a.rule), "remove the comment")
	case !a.used:
		report(fmt.Sprintf("%s is not found in the line below", a.rule), "remove the comment")
	}
	if !a.reason {
		report(fmt.Sprintf("no reason is given for allowing %s", a.rule), "write # lint: allow "+a.rule+" and why")
	}
	return out
}
