package plan

import (
	"regexp"
	"strings"

	"tidemark/operators/expression"
	"tidemark/spec"
)

// quotesInHint are texts in single quotes; an apostrophe within a word begins none.
var quotesInHint = regexp.MustCompile(`(^|[^\w'])'([^'"]*)'`)

// inQuotes writes a hint so that what it proposes can stand within the quotes that an expression has around it in the
// file.
func inQuotes(node *spec.Node, hint string) string {
	switch {
	case node.Style == spec.Double && strings.Contains(hint, `\`):
		return hint + ", with single quotes around the expression"
	case node.Style == spec.Double && !strings.Contains(hint, "'"):
		return strings.ReplaceAll(hint, `"`, "'")
	case node.Style == spec.Single && !strings.Contains(hint, `"`):
		return quotesInHint.ReplaceAllString(hint, `$1"$2"`)
	case node.Style == spec.Plain && strings.HasPrefix(hint, "write ") && breaksPlain(node, hint):
		return hint + "; quote the whole expression"
	}
	return hint
}

// breaksPlain reports whether YAML would not read what a hint proposes where the expression stands without quotes.
func breaksPlain(node *spec.Node, hint string) bool {
	return strings.Contains(hint, " : ") || strings.Contains(hint, " #") || node.Flow && strings.ContainsAny(hint, ",[]{}?")
}

// besideText is what stands before a value that is likely a text.
var besideText = regexp.MustCompile(`(?:[!=]=|\b(?:contains|startsWith|endsWith)|\bin\s*\[[^\]]*)\s*$`)

// ownQuotes says how the text is written that a name is which no field has: the quotes around it, if any, are YAML's. It
// gives nothing where no text is likely.
func ownQuotes(node *spec.Node, clause string, e *expression.Error, shift int) string {
	from, to := e.Offset+shift, e.End+shift
	if to > len(node.Text) || node.Text[from:to] != e.Name || to < len(node.Text) && strings.IndexByte(".?[(", node.Text[to]) >= 0 {
		return ""
	}
	defines := clause == "set" || clause == "fields" || clause == "select" && node.Style != spec.Plain
	switch {
	case defines && strings.TrimSpace(node.Text) == e.Name:
		return "a text wants quotes of its own: '\"" + e.Name + "\"'"
	case besideText.MatchString(node.Text[:from]):
		return inQuotes(node, `a text wants quotes: "`+e.Name+`"`)
	}
	return ""
}
