package spec

import (
	"fmt"
	"strings"
)

// commentFollows reports whether a # comment begins behind byte i on its line.
func (d *document) commentFollows(i int) bool {
	start := i
	for i < len(d.text) && (d.text[i] == ' ' || d.text[i] == '\t') {
		i++
	}
	return i > start && i < len(d.text) && d.text[i] == '#'
}

// checkSwallowed finds a list item that became part of the text before it, because its dash is indented deeper.
func (c *converter) checkSwallowed(n *Node) {
	for line := n.Pos.Line + 1; line <= n.End.Line; line++ {
		text := strings.TrimLeft(string(c.doc.line(line)), " ")
		if strings.HasPrefix(text, "- ") {
			c.report(n.Diagnose("TM010", n.Quote()+" looks like two list items", "align the dashes"))
			return
		}
	}
}

// checkNumber finds whole numbers with leading zeros, which YAML 1.1 tools read as octal.
func (c *converter) checkNumber(n *Node) {
	sign, body := "", n.Text
	if body[0] == '-' || body[0] == '+' {
		sign, body = strings.TrimPrefix(body[:1], "+"), body[1:]
	}
	if len(body) < 2 || body[0] != '0' || digits(body) != len(body) {
		return
	}
	ours := strings.TrimLeft(body, "0")
	if ours == "" {
		return
	}
	others := "text"
	var octal uint64
	if _, err := fmt.Sscanf(body, "%o", &octal); err == nil && !strings.ContainsAny(body, "89") {
		others = fmt.Sprint(sign, octal)
	}
	c.report(n.Diagnose("TM011", fmt.Sprintf("%s is read as %s%s (other YAML tools read %s)", n.Text, sign, ours, others),
		"drop the 0, or quote it if it is text"))
}

// checkTag refuses tags: they change what a value means, and an expression such as !ok vanishes behind one.
func (c *converter) checkTag(n *Node) {
	if n.Tag == "" || strings.HasPrefix(n.Tag, "!!") {
		return
	}
	word := strings.TrimPrefix(n.Tag, "!")
	end := Pos{n.Pos.Line, n.Pos.Column + len([]rune(n.Tag))}
	message, hint := fmt.Sprintf("%q is a YAML tag", n.Tag), fmt.Sprintf("write not %s, or quote it", word)
	switch {
	case word == "env" || word == "ENV" || word == "secret":
		hint = "write ${NAME} for a variable"
	case n.Kind == Null:
		message += ": the value is empty"
	case n.Kind == Scalar:
		message += ": the value is only " + n.Quote()
	}
	c.report(c.doc.diagnose(n.Pos, end, "TM015", message, hint))
	n.Unset = true
}
