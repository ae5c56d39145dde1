package expression

import (
	"errors"
	"regexp"
	"strconv"
	"strings"

	"github.com/expr-lang/expr/file"
	"github.com/expr-lang/expr/parser/lexer"
)

// foreignNames are words of other languages that stand where a name may stand, with what to write here.
var foreignNames = map[string]string{
	"null": "write nil", "none": "write nil", "undefined": "write nil",
	"true": "write true", "false": "write false",
}

// foreignWords are operators of other languages, in lower case.
var foreignWords = map[string]string{
	"and": "write and", "or": "write or", "not": "write not", "in": "write in",
	"is": "compare with ==, such as x == nil", "like": "write contains, startsWith or matches", "ilike": "write contains, startsWith or matches, of lower(x)",
	"as":      "write the name before the colon, as in total: sum(x)",
	"between": "write x >= a and x <= b, or x in a..b", "case": "write condition ? a : b",
	"then": "write condition ? a : b", "xor": "write a != b", "div": "write int(a / b)", "mod": "write %",
}

var tokenText = regexp.MustCompile(`^unexpected token (?:\w+\((.*)\)|EOF)$`)

// endOfExpression says that something is missing at the end.
const endOfExpression = "unexpected end of expression"

// syntaxError words an error of the parser.
func syntaxError(src string, err error) *Error {
	var f *file.Error
	if !errors.As(err, &f) {
		return &Error{Kind: Syntax, End: len(src), Message: err.Error()}
	}
	e := &Error{Kind: Syntax, Message: lowerFirst(f.Message)}
	e.Offset, e.End = byteSpan(src, f.Location)
	if m := tokenText.FindStringSubmatch(f.Message); m != nil {
		e.Message = "unexpected " + strings.Trim(m[1], `"`)
		if m[1] == "" {
			e.Message = endOfExpression
		} else if strings.HasPrefix(m[1], `"`) {
			e.Message = "unexpected `" + strings.Trim(m[1], `"`) + "`"
		}
	}
	if strings.TrimSpace(src) == "" {
		e.Message = "the expression is empty"
	}
	if strings.HasPrefix(f.Message, "expected at least") {
		e.Kind, e.Message = Aggregate, "a list and a condition are wanted here, such as count(tags, # > 1)"
		e.Hint = "count() over records belongs in aggregate"
	}
	if strings.Contains(f.Message, "cannot be mixed") {
		e.Message = "?? beside another operator wants brackets"
		e.Hint = "write (x ?? 0) > 1"
	}
	if !slip(src, e) {
		foreign(src, e)
	}
	return e
}

// foreign finds an operator of another language where the parser gave up, and points at it.
func foreign(src string, e *Error) {
	rest, before := src[e.Offset:], src[:e.Offset]
	if e.Message == endOfExpression {
		rest = "" // the place is that of the last character, which may well belong there
	}
	form := foreignForm(src, e.Offset)
	point := func(from, length int, hint string) {
		if form != "" {
			hint = form
		}
		e.Kind, e.Offset, e.End, e.Hint = Operator, from, from+length, hint
		e.Message = "`" + src[e.Offset:e.End] + "` is not an operator here"
	}
	switch {
	case strings.HasPrefix(rest, "=") && (strings.HasSuffix(before, "==") || strings.HasSuffix(before, "!=")):
		point(e.Offset-2, 3, "write "+before[len(before)-2:])
	case strings.HasPrefix(rest, "=") && strings.HasSuffix(before, "="):
		point(e.Offset-1, 2, "write ==")
	case strings.HasPrefix(rest, "="):
		point(e.Offset, 1, "write ==")
		e.Message = "`=` does not compare"
	case strings.HasPrefix(rest, ">") && strings.HasSuffix(before, "<"):
		point(e.Offset-1, 2, "write !=")
	case strings.HasPrefix(rest, "&"):
		point(e.Offset, 1, "write and")
	default:
		for _, w := range wordsAround(src, e.Offset) {
			if hint, ok := foreignWords[strings.ToLower(w.text)]; ok {
				point(w.offset, len(w.text), hint)
				return
			}
		}
		if form != "" {
			e.Hint = form
		} else if name := spaced(src, e.Offset); name != "" && e.Hint == "" {
			e.Hint = "a field with blanks in its name is row[" + strconv.Quote(name) + "]"
		}
	}
}

var words = regexp.MustCompile(`[\pL_][\pL\pN_]*(?: +[\pL_][\pL\pN_]*)+`)

// spaced gives the words with blanks between them at offset, which are no operators: likely the name of a column.
func spaced(src string, offset int) string {
	if len(wordsAround(src, offset)) < 2 {
		return ""
	}
	for _, m := range words.FindAllStringIndex(src, -1) {
		if m[0] >= offset || offset >= m[1] {
			continue
		}
		name := src[m[0]:m[1]]
		for _, w := range strings.Fields(name) {
			if operatorWords[w] {
				return ""
			}
		}
		return name
	}
	return ""
}

// operatorWords are words of expressions that are no names.
var operatorWords = map[string]bool{
	"and": true, "or": true, "not": true, "in": true, "contains": true, "startsWith": true, "endsWith": true, "matches": true,
	"let": true, "if": true, "else": true, "nil": true, "true": true, "false": true,
}

type word struct {
	text   string
	offset int
}

// wordsAround gives the identifier at offset and the one before it.
func wordsAround(src string, offset int) []word {
	tokens, err := lexer.Lex(file.NewSource(src))
	if err != nil {
		return nil
	}
	var out []word
	for i, t := range tokens {
		if byteOffset(src, t.From) != offset {
			continue
		}
		for _, j := range []int{i, i - 1} {
			if j >= 0 && tokens[j].Kind == lexer.Identifier {
				out = append(out, word{tokens[j].Value, byteOffset(src, tokens[j].From)})
			}
		}
		break
	}
	return out
}

func lowerFirst(s string) string {
	if s == "" {
		return s
	}
	return strings.ToLower(s[:1]) + s[1:]
}

// commentWarning finds // and /* */ outside of text: 7 // 2 is 7.
func commentWarning(src string) []Warning {
	tokens, err := lexer.Lex(file.NewSource(src))
	if err != nil {
		return nil
	}
	last := 0
	for _, t := range tokens {
		from := byteOffset(src, t.From)
		if t.Kind == lexer.EOF {
			from = len(src)
		}
		if from >= last {
			if i := strings.Index(src[last:from], "//"); i >= 0 {
				return []Warning{{Offset: last + i, End: last + i + 2, Kind: Comment,
					Message: "// begins a comment: the rest of the line is not read",
					Hint:    "for a whole quotient write int(a / b)"}}
			}
		}
		last = byteOffset(src, t.To)
	}
	return nil
}
