package expression

import (
	"regexp"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/expr-lang/expr/ast"
	"github.com/expr-lang/expr/file"

	"tidemark/operators/zone"
)

// slip words an error of the parser that comes of how texts, durations or lists of conditions are written elsewhere,
// and reports whether it is such.
func slip(src string, e *Error) bool {
	first, size := utf8.DecodeRuneInString(src[e.Offset:])
	switch {
	case e.Message == "invalid char escape":
		e.Message, e.Hint = "a backslash that begins no escape", keepsBackslashes(src, e.Offset)
	case strings.ContainsRune("“”„‟‘’‚‛«»", first):
		e.End = e.Offset + size
		e.Message, e.Hint = "`"+string(first)+"` is no quote", `write " or '`
	case strings.HasPrefix(e.Message, "bad number syntax") && spanAround(src, e.Offset) != "":
		e.Message, e.Hint = "a duration is no number", "write "+spanAround(src, e.Offset)
	case first == ',' && joined(src) != "":
		e.Hint = "conditions are joined by and: " + joined(src)
	default:
		return false
	}
	return true
}

// keepsBackslashes words a hint for the text at offset, which has a backslash that stands for itself, as in \d of a
// pattern. Between backticks all do.
func keepsBackslashes(src string, offset int) string {
	for i := 0; i < offset; i++ {
		if strings.IndexByte("\"'`", src[i]) < 0 {
			continue
		}
		end := closing(src, i)
		if text := src[i+1 : max(i+1, end)]; end >= offset && !strings.Contains(text, "`") {
			return "a text in backticks keeps its backslashes: `" + text + "`"
		}
		i = end
	}
	return `write \\ for a backslash`
}

var spans = regexp.MustCompile(`\b(?:\d+(?:ms|[smhdw]))+\b`)

// spanAround gives the duration that is written without quotes around offset, as expressions want it; "" without one.
func spanAround(src string, offset int) string {
	for _, m := range spans.FindAllStringIndex(src, -1) {
		if m[0] <= offset && offset <= m[1] {
			return durationCall(src[m[0]:m[1]])
		}
	}
	return ""
}

// durationCall writes a duration such as 5m as a call. Days and weeks are hours there.
func durationCall(span string) string {
	ms, ok := parseSpan(span)
	if !ok {
		return ""
	}
	if strings.ContainsAny(span, "dw") && ms%spanUnits["h"] == 0 {
		span = strconv.FormatInt(ms/spanUnits["h"], 10) + "h"
	} else if strings.ContainsAny(span, "dw") {
		span = strconv.FormatInt(ms, 10) + "ms"
	}
	return "duration(" + strconv.Quote(span) + ")"
}

// compares is what makes a condition of values.
var compares = regexp.MustCompile(`[<>!=]=?|\b(?:in|not|matches|contains|startsWith|endsWith)\b`)

// joined puts and between conditions that have commas between them; "" where there are none, or where a part is no
// condition.
func joined(src string) string {
	var parts []string
	depth, start := 0, 0
	for i := 0; i <= len(src); i++ {
		switch {
		case i == len(src) || src[i] == ',' && depth == 0:
			parts = append(parts, strings.TrimSpace(src[start:i]))
			start = i + 1
		case strings.IndexByte("([{", src[i]) >= 0:
			depth++
		case strings.IndexByte(")]}", src[i]) >= 0:
			depth--
		case strings.IndexByte("\"'`", src[i]) >= 0:
			i = closing(src, i)
		}
	}
	for i, part := range parts {
		if !compares.MatchString(part) {
			return ""
		}
		if orWord.MatchString(part) {
			parts[i] = "(" + part + ")"
		}
	}
	if len(parts) < 2 {
		return ""
	}
	return strings.Join(parts, " and ")
}

// orWord binds less than and.
var orWord = regexp.MustCompile(`\bor\b|\|\||\?`)

// closing gives the byte of the quote that closes the one at byte i, the last byte without.
func closing(src string, i int) int {
	for end := i + 1; end < len(src); end++ {
		switch {
		case src[end] == '\\' && src[i] != '`':
			end++
		case src[end] == src[i]:
			return end
		}
	}
	return len(src) - 1
}

// negatedHint says what to write where not stands before the left side of a comparison, which it binds more than.
func negatedHint(root ast.Node, l file.Location) string {
	n := find(root, func(n ast.Node) bool {
		b, ok := n.(*ast.BinaryNode)
		if !ok {
			return false
		}
		u, ok := b.Left.(*ast.UnaryNode)
		return ok && (u.Operator == "not" || u.Operator == "!") && u.Location() == l
	})
	b, ok := n.(*ast.BinaryNode)
	if !ok {
		return ""
	}
	left := show(b.Left.(*ast.UnaryNode).Node)
	switch b.Operator {
	case "==":
		return "write " + left + " != " + show(b.Right)
	case "!=":
		return "write " + left + " == " + show(b.Right)
	}
	return "write not (" + left + " " + b.Operator + " " + show(b.Right) + ")"
}

// timeHint says how a text is made what is compared with it, a time or a duration; "" for other types.
func timeHint(b *ast.BinaryNode) string {
	value, text := b.Left, b.Right
	if value.Nature().IsString() {
		value, text = text, value
	}
	if !text.Nature().IsString() {
		return ""
	}
	constant, written := text.(*ast.StringNode)
	switch {
	case value.Nature().IsDuration() && written && durationCall(constant.Value) != "":
		return "write " + durationCall(constant.Value)
	case !value.Nature().IsTime():
		return ""
	case written && !isDate(constant.Value):
		return "write date(" + show(text) + `, layout), with a layout such as "02/01/2006"`
	}
	return "write date(" + show(text) + ")"
}

// isDate reports whether date(x) can read a text.
func isDate(text string) bool {
	for _, layout := range dateLayouts {
		if _, err := zone.Parse(layout, text, time.UTC); err == nil {
			return true
		}
	}
	return false
}
