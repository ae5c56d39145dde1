package infer

import (
	"encoding/json"
	"fmt"
	"regexp"
	"strings"
	"unicode/utf8"

	"tidemark/spec"
)

var (
	plainName = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_]*$`)
	plainText = regexp.MustCompile(`^[A-Za-z_./*(][A-Za-z0-9_./*()+?", :-]*$`)
)

// wordsOfExpressions are names that an expression means something else by.
var wordsOfExpressions = map[string]bool{"in": true, "not": true, "and": true, "or": true, "let": true, "if": true, "else": true, "nil": true,
	"true": true, "false": true, "matches": true, "contains": true, "startsWith": true, "endsWith": true}

// reference names a field in an expression.
func reference(name string) string {
	if plainName.MatchString(name) && !wordsOfExpressions[name] && !spec.IsReserved(name) {
		return name
	}
	return "row[" + quoteJSON(name) + "]"
}

// wordsOfYAML are plain scalars that some readers of YAML take for something else than text.
var wordsOfYAML = map[string]bool{"null": true, "true": true, "false": true, "yes": true, "no": true, "on": true, "off": true, "y": true, "n": true}

// scalar writes a text as a scalar of YAML, plain where it can be.
func scalar(text string) string {
	plain := plainText.MatchString(text) && !wordsOfYAML[strings.ToLower(text)] && text[0] != '*' &&
		!strings.Contains(text, ": ") && !strings.HasSuffix(text, ":") && !strings.HasSuffix(text, " ")
	if plain {
		return text
	}
	return quote(text)
}

// key writes a name as a key of YAML, in which nothing is a variable.
func key(name string) string {
	if text := scalar(name); !strings.Contains(name, "${") {
		return text
	}
	return quoteJSON(name)
}

// flowScalar writes a scalar within braces.
func flowScalar(text string) string {
	if plainName.MatchString(text) {
		return scalar(text)
	}
	return quote(text)
}

// quote writes a text in quotes: those within which nothing but the quote means something, where they can hold it. What
// would be a variable is told apart.
func quote(text string) string {
	text = strings.ReplaceAll(text, "${", "$${")
	if strings.ContainsAny(text, `"\`) && oneLine(text) == text {
		return "'" + strings.ReplaceAll(text, "'", "''") + "'"
	}
	return quoteJSON(text)
}

// quoteJSON writes a text in double quotes, which YAML and expressions read alike.
func quoteJSON(text string) string {
	var b strings.Builder
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(text); err != nil {
		panic("infer: a text that JSON can't hold: " + err.Error())
	}
	return refused.ReplaceAllStringFunc(strings.TrimSuffix(b.String(), "\n"), func(c string) string {
		r, _ := utf8.DecodeRuneInString(c)
		return fmt.Sprintf(`\u%04x`, r)
	})
}

// refused are characters that JSON takes as they are and YAML does not.
var refused = regexp.MustCompile("[\x7f-\u0084\u0086-\u009f\ufeff\ufffe\uffff]")
