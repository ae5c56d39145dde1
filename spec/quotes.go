package spec

import "strings"

// quoted writes a value in quotes, those in which it stands as it is where there are such.
func quoted(value string) string {
	if strings.Contains(value, "'") && !strings.ContainsAny(value, `"\`) {
		return `"` + value + `"`
	}
	return "'" + strings.ReplaceAll(value, "'", "''") + "'"
}

// requoted writes a value in quotes that YAML could not read. Where it has quotes around it already, and the same ones
// within, those around it were meant as YAML's: "user == "u1"".
func requoted(value string) string {
	last := len(value) - 1
	if last < 1 || value[0] != value[last] || value[0] != '"' && value[0] != '\'' {
		return quoted(value)
	}
	next := closingQuote(value, 0) + 1
	if next > 0 && next <= last && (value[next] == value[0] || isWord(rune(value[next]))) {
		return quoted(value[1:last])
	}
	return quoted(value)
}

// rawTexts takes what stands between double quotes of YAML at byte i of a line, an expression that has texts with
// backslashes, and puts those into backticks, where a backslash is no more than that. It gives none where no text of an
// expression holds the byte.
func rawTexts(line string, i int) (string, bool) {
	open, end := enclosing(line, 0, i)
	if open < 0 || line[open] != '"' {
		return "", false
	}
	expression := strings.NewReplacer(`\\`, `\`, `\"`, `"`).Replace(line[open+1 : end])
	var b strings.Builder
	found := false
	for at := 0; at < len(expression); at++ {
		c := expression[at]
		if c != '"' && c != '\'' && c != '`' {
			b.WriteByte(c)
			continue
		}
		end := closingQuote(expression, at)
		if end < 0 {
			return "", false
		}
		text := expression[at+1 : end]
		if strings.Contains(text, `\`) && !strings.Contains(text, "`") {
			c, found = '`', true
		}
		b.WriteString(string(c) + text + string(c))
		at = end
	}
	return b.String(), found
}

// enclosing gives the quotes around byte i of a line, looked for from a byte on; -1 without. One that is not closed goes
// on to the end of the line.
func enclosing(line string, from, i int) (open, end int) {
	for at := from; at < i; at++ {
		if line[at] != '"' && line[at] != '\'' {
			continue
		}
		end := closingQuote(line, at)
		if end < 0 {
			end = len(line)
		}
		if end > i {
			return at, end
		}
		at = end
	}
	return -1, -1
}
