package spec

import (
	"unicode/utf8"

	"gopkg.in/yaml.v3"
)

// At is the place in the file of a byte of n's text, 0 ≤ offset ≤ len(n.Text). Of text that came through an
// alias or a ${NAME} it is n's own place. Within folded block scalars, blanks may be off; words are exact.
func (n *Node) At(offset int) Pos {
	if n.Kind != Scalar || n.alias || n.Text == "" {
		return n.Pos
	}
	start := n.doc.content(n.doc.offset(n.Pos), n.Style)
	at, ok := n.doc.align(start, n.Style, n.Text, max(0, min(offset, len(n.Text))))
	if !ok {
		return n.Pos
	}
	return n.doc.pos(at)
}

// content is where the text of a scalar begins that is written at offset: behind its anchor and tag, its quote,
// or the line of its | or >.
func (d *document) content(offset int, style Style) int {
	i := d.skipProperties(offset)
	switch style {
	case Single, Double:
		i++
	case Literal, Folded:
		for i < len(d.text) && breakAt(d.text, i) == 0 {
			i++
		}
		if i < len(d.text) {
			i += breakAt(d.text, i)
		}
	}
	return min(i, len(d.text))
}

// skipProperties passes over anchors, tags and the blanks and comments behind them.
func (d *document) skipProperties(i int) int {
	for i < len(d.text) && (d.text[i] == '&' || d.text[i] == '!') {
		for i < len(d.text) && d.text[i] != ' ' && d.text[i] != '\t' && breakAt(d.text, i) == 0 {
			i++
		}
		for i < len(d.text) && (d.blank(i) || d.text[i] == '#') {
			if d.text[i] == '#' {
				for i < len(d.text) && breakAt(d.text, i) == 0 {
					i++
				}
				continue
			}
			i++
		}
	}
	return i
}

// blank reports whether a space, a tab or part of a line break stands at i.
func (d *document) blank(i int) bool {
	c := d.text[i]
	return c == ' ' || c == '\t' || breakAt(d.text, i) > 0
}

// align walks through the text as it is written from start and through its value side by side, up to the byte
// `target` of the value, and gives the byte of the file where that stands. For target = len(value) it is the
// place behind the last character. Blanks that YAML folds away are passed over when the value has something
// else, so only words are sure.
func (d *document) align(start int, style Style, value string, target int) (int, bool) {
	i := start
	for v := 0; v < len(value); {
		from, wide, taken, ok := d.step(i, style, value[v:])
		if !ok {
			if target == len(value) && onlyBlanks(value[v:]) {
				return i, true // trailing line breaks that the file has no more
			}
			return start, false
		}
		if target < v+taken {
			if wide == taken {
				return from + target - v, true
			}
			return from, true
		}
		v += taken
		i = from + wide
	}
	return i, true
}

func onlyBlanks(text string) bool {
	for i := range len(text) {
		if text[i] != ' ' && text[i] != '\n' {
			return false
		}
	}
	return true
}

// step finds the next character of a value from byte i on: `wide` bytes of the file at `from` stand for `taken`
// bytes of the value.
func (d *document) step(i int, style Style, value string) (from, wide, taken int, ok bool) {
	for i < len(d.text) {
		c := d.text[i]
		breaks := breakAt(d.text, i)
		switch {
		case style == Double && c == '\\' && i+1 < len(d.text) && breakAt(d.text, i+1) > 0:
			i += 1 + breakAt(d.text, i+1) // the line goes on
			continue
		case style == Double && c == '\\':
			_, n := utf8.DecodeRuneInString(value)
			return i, min(escapeLen(d.text, i), len(d.text)-i), n, true
		case style == Single && c == '\'' && i+1 < len(d.text) && d.text[i+1] == '\'':
			return i, 2, 1, true
		case breaks > 0 && (value[0] == ' ' || value[0] == '\n'):
			return i, breaks, 1, true
		case c == value[0] && breaks == 0:
			return i, 1, 1, true
		case !d.blank(i):
			return 0, 0, 0, false
		}
		i += max(1, breaks)
	}
	return 0, 0, 0, false
}

// escapeLen is the length in the file of the escape at the backslash text[i].
func escapeLen(text []byte, i int) int {
	if i+1 < len(text) {
		switch text[i+1] {
		case 'x':
			return 4
		case 'u':
			return 6
		case 'U':
			return 10
		}
	}
	return 2
}

// end is the byte behind a scalar that is written at offset.
func (d *document) end(offset int, style Style, value string) int {
	start := d.content(offset, style)
	at, ok := d.align(start, style, value, len(value))
	if !ok {
		return start
	}
	switch style {
	case Single, Double:
		for at < len(d.text) && d.blank(at) {
			at++
		}
		return min(at+1, len(d.text))
	case Literal, Folded:
		for at > start && d.blank(at-1) {
			at--
		}
	}
	return at
}

// place is where YAML says that a value begins. It puts empty ones behind the last line at times.
func (d *document) place(y *yaml.Node) Pos {
	if y.Line > len(d.lines) {
		return d.pos(len(d.text))
	}
	return Pos{max(1, y.Line), max(1, y.Column)}
}

// styleOf is our word for YAML's style of a scalar.
func styleOf(y *yaml.Node) Style {
	switch {
	case y.Style&yaml.DoubleQuotedStyle != 0:
		return Double
	case y.Style&yaml.SingleQuotedStyle != 0:
		return Single
	case y.Style&yaml.LiteralStyle != 0:
		return Literal
	case y.Style&yaml.FoldedStyle != 0:
		return Folded
	}
	return Plain
}
