package spec

import (
	"fmt"
	"strings"

	"gopkg.in/yaml.v3"
)

// Within { } and [ ] YAML ends an unquoted value at every comma, also in quantile(bytes, 0.95). The parts are put
// together again as they are written, and the fault is reported once, so that it brings no others with it.

// maxParts is how many parts one expression may have been cut into.
const maxParts = 24

// joinEntries mends the keys and values of a { }.
func (c *converter) joinEntries(pairs []*yaml.Node) []*yaml.Node {
	out := pairs[:0:0]
	for i := 0; i+1 < len(pairs); i += 2 {
		key, value := pairs[i], pairs[i+1]
		text, open := cut(value)
		for j := i + 2; open && j+1 < min(len(pairs), i+2*maxParts); j += 2 {
			if !isPart(pairs[j]) || !isPart(pairs[j+1]) {
				break
			}
			last := pairs[j]
			text += ", " + c.written(last)
			if pairs[j+1].Value != "" {
				last = pairs[j+1]
				text += ": " + c.written(last)
			}
			if balanced(text) {
				value, i, open = c.join(value, last), j, false
			}
		}
		out = append(out, key, value)
	}
	return out
}

// joinItems mends the items of a [ ].
func (c *converter) joinItems(items []*yaml.Node) []*yaml.Node {
	out := items[:0:0]
	for i := 0; i < len(items); i++ {
		item := items[i]
		text, open := cut(item)
		for j := i + 1; open && j < min(len(items), i+maxParts) && isPart(items[j]); j++ {
			text += ", " + c.written(items[j])
			if balanced(text) {
				item, i, open = c.join(item, items[j]), j, false
			}
		}
		out = append(out, item)
	}
	return out
}

// cut gives the text of an unquoted value and whether a parenthesis or quote in it is left open.
func cut(y *yaml.Node) (string, bool) {
	return y.Value, isPlain(y) && y.Value != "" && !balanced(y.Value)
}

func isPlain(y *yaml.Node) bool {
	return y.Kind == yaml.ScalarNode && styleOf(y) == Plain && y.Style&yaml.TaggedStyle == 0
}

// isPart reports whether a scalar can be what follows a comma of an expression: also a text in quotes.
func isPart(y *yaml.Node) bool {
	style := styleOf(y)
	return isPlain(y) || y.Kind == yaml.ScalarNode && (style == Single || style == Double) && y.Style&yaml.TaggedStyle == 0 && y.Anchor == ""
}

// written gives a scalar as it stands in the file, with its quotes.
func (c *converter) written(y *yaml.Node) string {
	if isPlain(y) {
		return y.Value
	}
	from := c.doc.offset(Pos{y.Line, y.Column})
	return string(c.doc.text[from:c.doc.end(from, styleOf(y), y.Value)])
}

// join makes one value of all that is written from first to last.
func (c *converter) join(first, last *yaml.Node) *yaml.Node {
	from, lastFrom := c.doc.offset(Pos{first.Line, first.Column}), c.doc.offset(Pos{last.Line, last.Column})
	to := c.doc.end(lastFrom, styleOf(last), last.Value)
	whole := *first
	whole.Value = strings.Join(strings.Fields(string(c.doc.text[from:to])), " ")
	c.report(c.doc.diagnose(c.doc.pos(from), c.doc.pos(to), "TM016", fmt.Sprintf("%q ends at the comma", first.Value),
		"quote it, or one line per entry"))
	return &whole
}

// balanced reports whether the brackets and quotes of an expression are closed.
func balanced(text string) bool {
	var open []byte
	for i := 0; i < len(text); i++ {
		switch c := text[i]; c {
		case '(', '[', '{':
			open = append(open, c)
		case ')', ']', '}':
			if len(open) == 0 || open[len(open)-1] != map[byte]byte{')': '(', ']': '[', '}': '{'}[c] {
				return len(open) == 0 // a bracket too many is no open one
			}
			open = open[:len(open)-1]
		case '"', '\'', '`':
			end := closingQuote(text, i)
			if end < 0 {
				return false
			}
			i = end
		}
	}
	return len(open) == 0
}

// closingQuote is the byte of the quote that closes the one at i, -1 without.
func closingQuote(text string, i int) int {
	for j := i + 1; j < len(text); j++ {
		switch {
		case text[j] == '\\' && text[i] != '`':
			j++
		case text[j] == text[i]:
			return j
		}
	}
	return -1
}
