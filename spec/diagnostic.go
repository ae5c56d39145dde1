package spec

import (
	"fmt"
	"slices"
	"strings"
)

// Severity says how bad a fault is.
type Severity string

// The severities: an error keeps the pipeline from running, a warning doesn't, an info is for the curious.
const (
	Error   Severity = "error"
	Warning Severity = "warning"
	Info    Severity = "info"
)

// Diagnostic is one fault of a file.
type Diagnostic struct {
	File   string `json:"file"`   // path as it was given
	Line   int    `json:"line"`   // from 1
	Column int    `json:"column"` // from 1, in characters
	// EndColumn is the column behind the last character at fault, on the same line.
	EndColumn int      `json:"end_column"`
	Rule      string   `json:"rule"` // TMnnn
	Severity  Severity `json:"severity"`
	Node      string   `json:"node"` // name of the source, transform or sink; empty outside
	Message   string   `json:"message"`
	Hint      string   `json:"hint"` // what to do
	Fix       string   `json:"fix"`  // text to put in place of the columns [Column, EndColumn), if that mends it
	// Note is printed behind the carets, e.g. the names that are known here. It is not part of the JSON form.
	Note string `json:"-"`
}

// Diagnostics are the faults of a file. As an error it reads as its first error and the count of the others.
type Diagnostics []Diagnostic

// Error gives the first error, and how many follow.
func (d Diagnostics) Error() string {
	first, others := -1, 0
	for i := range d {
		if d[i].Severity != Error {
			continue
		}
		if first < 0 {
			first = i
		} else {
			others++
		}
	}
	if first < 0 {
		return "no errors"
	}
	text := d[first].heading()
	if others > 0 {
		text += fmt.Sprintf(" (and %d more)", others)
	}
	return text
}

// heading is the first line of a printed diagnostic.
func (d *Diagnostic) heading() string {
	return fmt.Sprintf("%s:%d:%d: %s[%s] %s", d.File, d.Line, d.Column, d.Severity, d.Rule, d.Message)
}

// HasErrors reports whether any fault is an error.
func (d Diagnostics) HasErrors() bool { return d.Count(Error) > 0 }

// Count counts the faults of a severity.
func (d Diagnostics) Count(s Severity) int {
	n := 0
	for i := range d {
		if d[i].Severity == s {
			n++
		}
	}
	return n
}

// Sort puts the faults in the order of the file and drops repetitions of one rule and message at one place.
func (d *Diagnostics) Sort() {
	slices.SortStableFunc(*d, func(a, b Diagnostic) int {
		for _, c := range []int{strings.Compare(a.File, b.File), a.Line - b.Line, a.Column - b.Column, strings.Compare(a.Rule, b.Rule)} {
			if c != 0 {
				return c
			}
		}
		return 0
	})
	*d = slices.CompactFunc(*d, func(a, b Diagnostic) bool {
		return a.File == b.File && a.Line == b.Line && a.Column == b.Column && a.Rule == b.Rule && a.Message == b.Message
	})
}

// diagnose makes the diagnostic of a rule for the span from p to the place behind end.
func (d *document) diagnose(p, end Pos, rule, message, hint string) Diagnostic {
	out := Diagnostic{File: d.path, Line: p.Line, Column: p.Column, EndColumn: end.Column,
		Rule: rule, Severity: severityOf(rule), Message: message, Hint: hint}
	if end.Line != p.Line || end.Column <= p.Column {
		out.EndColumn = p.Column + 1
		if end.Line > p.Line { // a span over several lines is marked to the end of its first
			line := []rune(string(d.line(p.Line)))
			out.EndColumn = max(out.EndColumn, len(line)+1)
		}
	}
	return out
}
