package spec

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"unicode"
)

// WriteText prints the faults for people: place, severity and message, the line of the file with carets under what
// is at fault, and the hint. source gives the text of a file, nil when it isn't at hand; it may be nil itself.
func (d Diagnostics) WriteText(w io.Writer, source func(file string) []byte) error {
	documents := map[string]*document{}
	var out bytes.Buffer
	for i := range d {
		g := &d[i]
		doc, known := documents[g.File]
		if !known && source != nil {
			if text := source(g.File); text != nil {
				doc = newDocument(g.File, text)
			}
			documents[g.File] = doc
		}
		out.WriteString(printable(g.heading()) + "\n")
		if doc != nil && g.Line <= len(doc.lines) && g.Line > 0 {
			g.excerpt(&out, string(doc.line(g.Line)))
		}
		if g.Hint != "" {
			out.WriteString("   hint: " + printable(g.Hint) + "\n")
		}
	}
	_, err := w.Write(out.Bytes())
	return err
}

// before and span bound what is shown of long lines, in characters.
const before, span = 60, 140

// excerpt prints the line and the carets below it.
func (g *Diagnostic) excerpt(out *bytes.Buffer, line string) {
	runes := []rune(line)
	from := min(g.Column-1, len(runes))
	to := max(from+1, min(g.EndColumn-1, len(runes)))
	if g.Rule == "TM014" { // the line is shown without its secret
		for i := from; i < min(to, len(runes)); i++ {
			runes[i] = '*'
		}
	}
	if len(runes) > span {
		cut := max(0, from-before)
		end := min(len(runes), cut+span)
		to = max(from+1, min(to, end))
		head, tail := []rune(nil), []rune(nil)
		if cut > 0 {
			head = []rune("…")
		}
		if end < len(runes) {
			tail = []rune("…")
		}
		runes = append(append(head, runes[cut:end]...), tail...)
		from, to = from-cut+len(head), to-cut+len(head)
	}
	var pad, carets strings.Builder
	for i := range min(from, len(runes)) {
		if runes[i] == '\t' {
			pad.WriteByte('\t')
		} else {
			pad.WriteString(strings.Repeat(" ", width(runes[i])))
		}
	}
	for i := from; i < to; i++ {
		n := 1
		if i < len(runes) {
			n = width(runes[i])
		}
		carets.WriteString(strings.Repeat("^", n))
	}
	note := ""
	if g.Note != "" {
		note = " " + printable(g.Note)
	}
	fmt.Fprintf(out, "%5d | %s\n", g.Line, printable(string(runes)))
	fmt.Fprintf(out, "%s | %s%s%s\n", strings.Repeat(" ", max(5, len(fmt.Sprint(g.Line)))), pad.String(), carets.String(), note)
}

// printable replaces characters that would move a terminal's cursor.
func printable(text string) string {
	return strings.Map(func(r rune) rune {
		if r != '\t' && (unicode.IsControl(r) || r == 0x2028 || r == 0x2029) {
			return '\uFFFD'
		}
		return r
	}, text)
}

// WriteJSON prints the faults for programs: {"diagnostics": [{"file", "line", "column", "end_column", "rule",
// "severity", "node", "message", "hint", "fix"}]}.
func (d Diagnostics) WriteJSON(w io.Writer) error {
	if d == nil {
		d = Diagnostics{}
	}
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	return e.Encode(struct {
		Diagnostics Diagnostics `json:"diagnostics"`
	}{d})
}
