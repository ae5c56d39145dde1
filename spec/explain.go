package spec

import (
	"fmt"
	"regexp"
	"strings"
	"unicode/utf8"
)

// broken is a line that YAML can't read, with the parser's complaint.
type broken struct {
	doc     *document
	number  int
	line    string
	message string
	// value is the byte at which the line's first value begins, behind dashes and its key.
	value int
}

// explain turns the parser's complaint about a line into a fault with a place, in words that help.
func (d *document) explain(number int, message string) Diagnostic {
	b := &broken{doc: d, number: number, line: string(d.line(number)), message: message}
	b.value = b.valueStart()
	for _, e := range explanations {
		if e.when != "" && !strings.Contains(message, e.when) {
			continue
		}
		if from, to, text, hint := e.explain(b); text != "" {
			return b.at(from, to, text, hint)
		}
	}
	return b.at(d.indent(number), len(b.line), "cannot read YAML: "+message, "quote the value if it has characters that mean something to YAML")
}

// at makes the fault for the bytes [from, to) of the line.
func (b *broken) at(from, to int, text, hint string) Diagnostic {
	column := func(i int) int { return 1 + utf8.RuneCountInString(b.line[:max(0, min(i, len(b.line)))]) }
	return b.doc.diagnose(Pos{b.number, column(from)}, Pos{b.number, column(to)}, "TM001", text, hint)
}

var keyPart = regexp.MustCompile(`^\s*(?:- +)*(?:[\w."'$-]+:\s+)?`)

func (b *broken) valueStart() int { return len(keyPart.FindString(b.line)) }

// code is the line's value without a comment at its end.
func (b *broken) code() string {
	text := b.line[b.value:]
	if i := strings.Index(text, " #"); i >= 0 {
		text = text[:i]
	}
	return strings.TrimRight(text, " ")
}

// whole marks the line's value.
func (b *broken) whole(text, hint string) (int, int, string, string) {
	return b.value, b.value + len(b.code()), text, hint
}

// none says that an explanation does not fit.
func none() (int, int, string, string) { return 0, 0, "", "" }

// explanations in the order in which they are tried; the first that fits is given.
var explanations = []struct {
	when    string // part of the parser's complaint
	explain func(b *broken) (from, to int, text, hint string)
}{
	{"", explainTab},
	{"unknown anchor", explainAnchor},
	{"", explainTagOrBlock},
	{"escape", explainEscape},
	{"end of stream", explainQuote},
	{"document indicator", explainQuote},
	{"expected '", explainFlow},
	{"expected node content", explainFlow},
	{"did not find expected key", explainAfterQuote},
	{"", explainIndent},
	{"did not find expected", explainMixed},
	{"mapping values", explainColon},
	{"mapping keys", explainQuestion},
	{"cannot start any token", explainStart},
	{"block sequence entries", explainDash},
	{"alphabetic or numeric", explainSign},
	{"expected ':'", explainNoColon},
}

func explainTab(b *broken) (int, int, string, string) {
	indent := b.line[:b.doc.indent(b.number)]
	if i := strings.IndexByte(indent, '\t'); i >= 0 {
		return i, i + 1, "the line is indented with a tab", "YAML wants spaces: use 2 for each level"
	}
	if !strings.Contains(b.message, "cannot start any token") && !strings.Contains(b.message, "tab") {
		return none()
	}
	if i := strings.IndexByte(b.line, '\t'); i >= 0 {
		return i, i + 1, "a tab stands where YAML wants a space", "use spaces"
	}
	return none()
}

func explainAnchor(b *broken) (int, int, string, string) {
	name := strings.TrimSuffix(strings.TrimPrefix(b.message, "unknown anchor '"), "' referenced")
	i := strings.Index(b.line, "*"+name)
	if i < 0 {
		i = b.value
	}
	return i, i + 1 + len(name), fmt.Sprintf("*%s refers to a value that no &%s marks", name, name),
		fmt.Sprintf("mark the value with &%s above, or quote it if it is text", name)
}

// explainTagOrBlock sees expressions whose first character YAML takes for itself.
func explainTagOrBlock(b *broken) (int, int, string, string) {
	code := b.code()
	if !strings.Contains(b.message, "comment or line break") && !strings.Contains(b.message, "tag") &&
		!strings.Contains(b.message, "whitespace") && !strings.Contains(b.message, "'!'") || code == "" {
		return none()
	}
	switch code[0] {
	case '!':
		word := strings.Fields(code)[0]
		return b.whole(fmt.Sprintf("%q is a YAML tag", word), fmt.Sprintf("write not %s, or quote the expression", word[1:]))
	case '>', '|':
		return b.whole(fmt.Sprintf("%q at the start of a value begins a block of text", code[:1]), "quote the expression")
	}
	return none()
}

var knownEscape = regexp.MustCompile(`\\(?:x[0-9A-Fa-f]{2}|u[0-9A-Fa-f]{4}|U[0-9A-Fa-f]{8}|[0abt\tnvfre "'/\\N_LP]|$)`)

func explainEscape(b *broken) (int, int, string, string) {
	for i := 0; i < len(b.line); i++ {
		if b.line[i] != '\\' {
			continue
		}
		known := knownEscape.FindStringIndex(b.line[i:])
		if known == nil || known[0] != 0 {
			_, n := utf8.DecodeRuneInString(b.line[i+1:])
			hint := `write \\ for a backslash, or use single quotes`
			if expression, ok := rawTexts(b.line, i); ok {
				hint = "a text in backticks keeps its backslashes: write " + quoted(expression)
			}
			return i, i + 1 + n, "`" + b.line[i:i+1+n] + "` is no escape in double quotes", hint
		}
		i += known[1] - 1
	}
	return none()
}

func explainQuote(b *broken) (int, int, string, string) {
	open := -1
	for i := b.value; i < len(b.line); i++ {
		if c := b.line[i]; c == '"' || c == '\'' {
			end := closingQuote(b.line, i)
			if end < 0 {
				open = i
				break
			}
			i = end
		}
	}
	if open < 0 {
		return none()
	}
	return open, open + 1, fmt.Sprintf("the quote %c is not closed", b.line[open]), "close it on the same line"
}

func explainAfterQuote(b *broken) (int, int, string, string) {
	code := b.code()
	if code == "" {
		return none()
	}
	switch code[0] {
	case '"', '\'':
		end := closingQuote(code, 0)
		if end < 0 || strings.TrimSpace(code[end+1:]) == "" {
			return none()
		}
		return b.whole("text follows the closing quote", "quote the whole expression: "+requoted(code))
	case '{', '[':
		if strings.HasSuffix(code, string(code[0]+2)) { // nothing follows: in ASCII } and ] stand 2 behind { and [
			return none()
		}
		return b.whole(fmt.Sprintf("text follows what begins with %q", code[:1]), "quote the whole expression: "+quoted(code))
	}
	return none()
}
