package expression

import (
	"regexp"
	"strings"
)

// foreignSyntax are forms of SQL and of other languages that don't parse here, with what to write instead: $1 is
// the first group, and so on. Of several that fit the first counts.
var foreignSyntax = []struct {
	form *regexp.Regexp
	hint string
}{
	{regexp.MustCompile(`(?i)\bcount\s*\(\s*\*\s*\)`), "write count()"},
	{regexp.MustCompile(`(?i)\bcount\s*\(\s*distinct\s+([^()]+)\)`), "write count_distinct($1)"},
	{regexp.MustCompile(`(?i)\b(sum|avg|min|max)\s*\(\s*distinct\s+([^()]+)\)`), "there is no $1 of distinct values: write $1($2)"},
	{regexp.MustCompile(`(?i)\b([\w.]+)\s+not\s+in\s*\(([^()]*)\)`), "write $1 not in [$2]"},
	{regexp.MustCompile(`(?i)\b([\w.]+)\s+in\s*\(([^()]*)\)`), "write $1 in [$2]"},
	{regexp.MustCompile(`(?i)\b([\w.]+)\s+is\s+not\s+null\b`), "write $1 != nil"},
	{regexp.MustCompile(`(?i)\b([\w.]+)\s+is\s+null\b`), "write $1 == nil"},
	{regexp.MustCompile(`(?i)\b([\w.]+)\s+not\s+like\b`), "write not ($1 contains …), or startsWith, or matches"},
	{regexp.MustCompile(`(?i)\b([\w.]+)\s+(?:not\s+)?between\s+([\w.]+)\s+and\s+([\w.]+)`), "write $1 >= $2 and $1 <= $3"},
	{regexp.MustCompile(`(?i)\bcase\s+when\s+(.+?)\s+then\s+(.+?)\s+else\s+(.+?)\s+end\b`), "write $1 ? $2 : $3"},
	{regexp.MustCompile(`(?i)\b(?:try_|safe_)?cast\s*\(\s*(.+?)\s+as\s+(\w+)[^()]*(?:\([\d, ]*\))?\s*\)`), ""},
	{regexp.MustCompile(`([\w.]+|\([^()]*\))\s*::\s*(\w+)`), ""},
	{regexp.MustCompile(`(?i)\bextract\s*\(\s*(\w+)\s+from\s+([^()]+)\)`), ""},
	{regexp.MustCompile(`(?i)\bif\s*\(([^(),]+),([^(),]+),([^(),]+)\)`), "write $1 ?$2 :$3"},
	{regexp.MustCompile(`(?i)\bif\s*\(`), "write condition ? a : b"},
	{regexp.MustCompile(`\b(contains|startsWith|endsWith|matches)\s*\(\s*([^(),]+),\s*([^(),]+)\)`), "write $2 $1 $3"},
	{regexp.MustCompile(`(?i)\bdate\s+'`), "write date('2024-01-31')"},
	{regexp.MustCompile(`(?i)\binterval\s+'`), `write duration("1h")`},
	{regexp.MustCompile(`(?i)\b(\w+)\s*\([^()]*\)\s+(?:over|filter)\s*\(`), "write a window in the transform, and $1_if(x, condition) for a filter"},
}

// foreignForm finds a form of another language at a fault, and gives what to write instead.
func foreignForm(src string, offset int) string {
	for _, f := range foreignSyntax {
		for _, m := range f.form.FindAllStringSubmatchIndex(src, -1) {
			if offset < m[0] || offset > m[1] {
				continue
			}
			groups := make([]string, 0, 3)
			for i := 2; i < len(m); i += 2 {
				groups = append(groups, src[m[i]:m[i+1]])
			}
			switch {
			case f.hint != "":
				return fill(f.hint, groups)
			case strings.HasPrefix(strings.ToLower(src[m[0]:]), "extract"):
				return "write " + partOf(groups[0], strings.TrimSpace(groups[1]))
			}
			return "write " + sqlConversion(groups[1], groups[0])
		}
	}
	return ""
}

// typeConversions are functions by the types of SQL that they make.
var typeConversions = map[string]string{
	"float": "float", "double": "float", "real": "float", "decimal": "float", "numeric": "float", "number": "float", "float8": "float", "float64": "float",
	"int": "int", "integer": "int", "bigint": "int", "smallint": "int", "long": "int", "int8": "int", "int64": "int", "int4": "int", "signed": "int", "unsigned": "int",
	"timestamp": "date", "datetime": "date", "date": "date", "timestamptz": "date", "time": "date",
}

// sqlConversion writes the conversion of a value to a type of SQL.
func sqlConversion(typ, value string) string {
	to := typeConversions[strings.ToLower(typ)]
	if to == "" {
		to = "string"
	}
	if strings.HasPrefix(value, "(") && strings.HasSuffix(value, ")") {
		return to + value
	}
	return to + "(" + value + ")"
}
