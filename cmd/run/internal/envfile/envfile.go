// Package envfile reads files of variables, as shells and containers have them:
//
//	# a comment
//	KAFKA_BROKERS=localhost:9092    # another one
//	export PASSWORD='as it stands: $ \ " #'
//	GREETING="with \n, \r, \t, \", \\ and \$"
//
// A value without quotes ends at the line's end or at a blank with # behind it, and has no blanks around it. Nothing in
// a value is replaced by other variables. Of a name that is given twice the last one counts.
package envfile

import (
	"fmt"
	"strings"
)

// Error is a line that can't be read. It never shows a value.
type Error struct {
	File    string
	Line    int // from 1
	Problem string
}

// Error gives the place and the problem.
func (e *Error) Error() string { return fmt.Sprintf("%s:%d: %s", e.File, e.Line, e.Problem) }

// Parse reads the text of a file. The error is an [Error].
func Parse(file, text string) (map[string]string, error) {
	values := map[string]string{}
	number := 0
	for line := range strings.Lines(strings.TrimPrefix(text, "\ufeff")) {
		number++
		name, value, problem := parseLine(strings.TrimSpace(line))
		if problem != "" {
			return nil, &Error{file, number, problem}
		}
		if name != "" {
			values[name] = value
		}
	}
	return values, nil
}

// parseLine reads a line without the blanks around it. The name is empty where it has none.
func parseLine(line string) (name, value, problem string) {
	if line == "" || line[0] == '#' {
		return "", "", ""
	}
	if rest, ok := strings.CutPrefix(line, "export"); ok && strings.TrimLeft(rest, " \t") != rest {
		line = strings.TrimLeft(rest, " \t")
	}
	name, text, found := strings.Cut(line, "=")
	switch {
	case !found:
		return "", "", "there is no =; write NAME=VALUE, or # in front of a comment"
	case !isName(name):
		return "", "", fmt.Sprintf("%q is no name: write NAME=VALUE, NAME being letters, digits and _ with no digit first, and no blanks around the =", name)
	}
	value, problem = parseValue(strings.TrimLeft(text, " \t"))
	return name, value, problem
}

// isName reports whether ${ } can ask for a name.
func isName(s string) bool {
	for i := range len(s) {
		c := s[i]
		if c != '_' && (c < 'a' || c > 'z') && (c < 'A' || c > 'Z') && (i == 0 || c < '0' || c > '9') {
			return false
		}
	}
	return s != ""
}

func parseValue(text string) (value, problem string) {
	switch {
	case strings.HasPrefix(text, "'"):
		value, rest, closed := strings.Cut(text[1:], "'")
		if !closed {
			return "", "the ' is not closed; a value ends on its line"
		}
		return value, behind(rest)
	case strings.HasPrefix(text, `"`):
		return parseQuoted(text[1:])
	}
	if strings.HasPrefix(text, "#") {
		return "", ""
	}
	for i := 1; i < len(text); i++ {
		if text[i] == '#' && isBlank(text[i-1]) {
			text = text[:i]
		}
	}
	return strings.TrimRight(text, " \t"), ""
}

// escapes are what may stand behind a backslash in double quotes, and what it means.
var escapes = map[byte]byte{'n': '\n', 'r': '\r', 't': '\t', '"': '"', '\\': '\\', '$': '$'}

// parseQuoted reads what follows a double quote.
func parseQuoted(text string) (value, problem string) {
	var b strings.Builder
	for i := 0; i < len(text); i++ {
		switch c := text[i]; c {
		case '"':
			return b.String(), behind(text[i+1:])
		case '\\':
			i++
			if i == len(text) {
				break
			}
			meaning, ok := escapes[text[i]]
			if !ok {
				return "", `in double quotes a \ wants n, r, t, ", \ or $ behind it; write \\ for itself, or use single quotes`
			}
			b.WriteByte(meaning)
		default:
			b.WriteByte(c)
		}
	}
	return "", `the " is not closed; a value ends on its line, and \n stands for a line break`
}

// behind says what is wrong with what follows a closing quote.
func behind(rest string) string {
	if left := strings.TrimLeft(rest, " \t"); left == "" || left[0] == '#' && left != rest {
		return ""
	}
	return "something follows the closing quote; put all of the value in the quotes, and a blank before a #"
}

func isBlank(c byte) bool { return c == ' ' || c == '\t' }
