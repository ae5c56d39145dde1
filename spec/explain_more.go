package spec

import (
	"fmt"
	"regexp"
	"strings"
)

// explainFlow sees what breaks { } and [ ].
func explainFlow(b *broken) (int, int, string, string) {
	bracket := map[bool]string{true: "[ ]", false: "{ }"}[strings.Contains(b.message, "']'")]
	if strings.Contains(b.message, "'-' indicator") || strings.Contains(b.message, "expected ':'") && !strings.ContainsAny(b.line, "{[") {
		return none()
	}
	if i := unquoted(b.line, "${"); i >= 0 {
		end := i + len(b.line[i:])
		if n := strings.IndexByte(b.line[i:], '}'); n >= 0 {
			end = i + n + 1
		}
		return i, end, fmt.Sprintf("%s within %s breaks YAML", b.line[i:end], bracket), fmt.Sprintf("quote it: %q", b.line[i:end])
	}
	if i := unquoted(b.line, "?"); i >= 0 {
		return i, i + 1, "? within " + bracket + " breaks YAML", `quote the expression, or one line per entry (a type that may be null: "int|null")`
	}
	open := openBrackets(b.line)
	if len(open) > 0 && open[len(open)-1] >= 0 {
		i := open[len(open)-1]
		if i > 0 && isWord(rune(b.line[i-1])) && len(open) > 0 {
			return i, i + 1, fmt.Sprintf("%q within %s breaks YAML", b.line[i:i+1], bracket), "quote the expression"
		}
		return i, i + 1, fmt.Sprintf("%q is not closed", b.line[i:i+1]), "close it, or one line per entry"
	}
	if from, to, text, hint := explainFlowAbove(b, bracket); text != "" {
		return from, to, text, hint
	}
	for _, sign := range []string{`"`, "'", "[", "{"} {
		for i := b.value + 1; i < len(b.line); i++ {
			if strings.HasPrefix(b.line[i:], sign) && isWord(rune(b.line[i-1])) {
				if m := quoteBegins.FindStringSubmatch(b.line[:i]); m != nil && m[1] == sign {
					return i, i + 1, fmt.Sprintf("the quote %s within %s ends the text", sign, bracket), "quote the expression with quotes that it does not have within"
				}
				return i, i + 1, fmt.Sprintf("%q within %s breaks YAML", sign, bracket), "quote the expression"
			}
		}
	}
	if !strings.ContainsAny(b.line, "{[") {
		return none()
	}
	return b.whole("cannot read YAML: a comma is missing within "+bracket, "quote values that are expressions, or one line per entry")
}

// quoteBegins is a value in quotes within { }.
var quoteBegins = regexp.MustCompile(`[{:] *(["'])[^"']*["'][\w.]+$`)

// explainFlowAbove sees a bracket that a line above left open.
func explainFlowAbove(b *broken, bracket string) (int, int, string, string) {
	number, end := b.number-1, b.doc.lines[b.number-1]
	for number > max(0, b.number-100) && len(openBrackets(string(b.doc.text[b.doc.lines[number-1]:end]))) == 0 {
		number--
	}
	if number == b.number-100 {
		return none()
	}
	if number == 0 {
		return none()
	}
	above := string(b.doc.line(number))
	rest := string(b.doc.text[b.doc.lines[number-1]:])
	still := openBrackets(rest)
	if len(still) == 0 || still[0] >= len(above) {
		return b.doc.indent(b.number), len(b.line), "cannot read YAML: a comma is missing within " + bracket, "end the line above with a comma, and quote expressions"
	}
	b.number, b.line = number, above
	b.value = b.valueStart()
	if i := strings.Index(above, " #"); i > still[0] {
		return i + 1, len(above), "a # begins a comment: the " + above[still[0]:still[0]+1] + " is not closed", "quote the expression"
	}
	return still[0], still[0] + 1, fmt.Sprintf("%q is not closed", above[still[0]:still[0]+1]), "close it, or one line per entry"
}

// unquoted finds part in the line outside of quotes, -1 without.
func unquoted(line, part string) int {
	for i := 0; i < len(line); i++ {
		if c := line[i]; c == '"' || c == '\'' {
			if end := closingQuote(line, i); end > 0 {
				i = end
				continue
			}
		}
		if strings.HasPrefix(line[i:], part) && (i == 0 || line[i-1] != '$') {
			return i
		}
	}
	return -1
}

// openBrackets gives the bytes of the { and [ that a text leaves open, or that a wrong bracket closes.
func openBrackets(line string) []int {
	var open []int
	for i := 0; i < len(line); i++ {
		switch line[i] {
		case '"', '\'':
			if end := closingQuote(line, i); end > 0 {
				i = end
			}
		case '{', '[':
			open = append(open, i)
		case '}', ']':
			if len(open) == 0 || line[open[len(open)-1]] != line[i]-2 { // in ASCII { and [ stand 2 before } and ]
				return open
			}
			open = open[:len(open)-1]
		case '#':
			if i > 0 && line[i-1] == ' ' { // a comment
				end := strings.IndexByte(line[i:], '\n')
				if end < 0 {
					return open
				}
				i += end
			}
		}
	}
	return open
}

// explainIndent sees a line whose indent is that of no line above it.
func explainIndent(b *broken) (int, int, string, string) {
	if !strings.Contains(b.message, "expected key") && !strings.Contains(b.message, "'-' indicator") &&
		!strings.Contains(b.message, "mapping values") && !strings.Contains(b.message, "expected <document start>") {
		return none()
	}
	indent := b.doc.indent(b.number)
	above := b.doc.indentsAbove(b.number)
	for _, a := range above {
		if a == indent {
			return none()
		}
	}
	if len(above) == 0 || indent > above[0] && (!strings.Contains(b.message, "mapping values") || b.opened()) {
		return none()
	}
	if indent > above[0] {
		return indent, len(b.line), "the line is indented below a line that already has a value",
			fmt.Sprintf("indent it by %s, or let the line above end with its colon", spaces(above[0]))
	}
	return indent, len(b.line), fmt.Sprintf("the line is indented by %s, as no line above it", spaces(indent)),
		"indent it by " + choices(above, indent)
}

// opensMap is a line that has a key without a value, so that what is indented below it is its value.
var opensMap = regexp.MustCompile(`:\s*(?:[&!]\S*\s*)*(?:\s#.*)?$`)

// opened reports whether the line above gives its key to what is indented below.
func (b *broken) opened() bool {
	above := b.above()
	return above > 0 && opensMap.Match(b.doc.line(above))
}

func spaces(n int) string {
	if n == 1 {
		return "1 space"
	}
	return fmt.Sprint(n, " spaces")
}

// choices names the indents next to a wrong one: 6 or 4 spaces.
func choices(indents []int, wrong int) string {
	for i, n := range indents { // from the greatest
		switch {
		case n > wrong:
			continue
		case i > 0:
			return fmt.Sprintf("%d or %s", indents[i-1], spaces(n))
		}
		return spaces(n)
	}
	return spaces(indents[len(indents)-1])
}

// explainMixed sees list items among keys, and the other way round.
func explainMixed(b *broken) (int, int, string, string) {
	indent := b.doc.indent(b.number)
	dash := strings.HasPrefix(b.line[indent:]+" ", "- ")
	switch {
	case dash && strings.Contains(b.message, "expected key"):
		return indent, len(b.line), "a list item stands among keys", "drop the dash and give it a key, or indent it below its key"
	case !dash && strings.Contains(b.message, "'-' indicator"):
		return indent, len(b.line), "a key stands among list items", "indent it as the items are, or give all of them keys"
	}
	return none()
}

// indentsAbove gives the indents of the values that are open above a line, deepest first. A dash opens one, and
// what follows it another.
func (d *document) indentsAbove(line int) []int {
	var indents []int
	least := 1 << 30
	for line--; line > 0 && least > 0; line-- {
		if d.isBlank(line) {
			continue
		}
		text := strings.TrimRight(string(d.line(line)), " ")
		at := d.indent(line)
		if at >= least {
			continue
		}
		dashes := []int{at}
		for i := at; strings.HasPrefix(text[i:], "- "); {
			i += len(text[i:]) - len(strings.TrimLeft(text[i:], "- "))
			dashes = append(dashes, i)
		}
		for i := len(dashes) - 1; i >= 0; i-- {
			if dashes[i] < least {
				indents = append(indents, dashes[i])
			}
		}
		least = at
	}
	return indents
}

// mapOnLine is a clause that wants a map, with the first key of one behind it.
var mapOnLine = regexp.MustCompile(`^\s*(?:- +)*(window|watermark|timestamp|aggregate|set|select|key|schema|emit|join|settings|vars): +\w+: \S`)

func explainColon(b *broken) (int, int, string, string) {
	code := b.code()
	if strings.HasPrefix(code, `"`) || strings.HasPrefix(code, "'") {
		if from, to, text, hint := explainAfterQuote(b); text != "" {
			return from, to, text, hint
		}
	}
	switch {
	case strings.Contains(code, " ? ") || strings.Contains(code, "?:"):
		return b.whole("cannot read YAML: a value can't hold \": \" without quotes", "quote the expression: "+quoted(code))
	case strings.ContainsAny(code, "“”‘’"):
		return b.whole("cannot read YAML: “ and ” are no quotes", `write " or '`)
	case mapOnLine.MatchString(b.line):
		m := mapOnLine.FindStringSubmatch(b.line)
		return b.whole("cannot read YAML: mapping values are not allowed here", fmt.Sprintf("a map on one line wants braces: %s: {%s}", m[1], code))
	case strings.Contains(code, ": "):
		return b.whole("cannot read YAML: mapping values are not allowed here", `quote the value: it contains ": " (`+quoted(code)+")")
	case strings.HasSuffix(code, ":") && b.value > b.doc.indent(b.number):
		return b.whole("cannot read YAML: mapping values are not allowed here", `quote the value: it ends with ":"`)
	}
	indent := b.doc.indent(b.number)
	if above := b.above(); above > 0 && b.doc.indent(above) == indent {
		b.number, b.line = above, string(b.doc.line(above))
		return explainNoColon(b)
	}
	return indent, len(b.line), "cannot read YAML: a key stands where a value goes on", "the line above has a value already: indent this line like it"
}

func explainQuestion(b *broken) (int, int, string, string) {
	return b.whole(`"? " begins a key in YAML`, "quote the expression")
}

func explainStart(b *broken) (int, int, string, string) {
	for _, i := range []int{b.value, b.doc.indent(b.number)} {
		if i < len(b.line) && strings.ContainsRune("@`%", rune(b.line[i])) {
			return i, len(b.line), fmt.Sprintf("a value can't begin with %c without quotes", b.line[i]), "quote it"
		}
	}
	for i := 1; i < len(b.line); i++ {
		if strings.IndexByte("@`%", b.line[i]) >= 0 && strings.IndexByte(" [{,", b.line[i-1]) >= 0 {
			return i, i + 1, fmt.Sprintf("a value can't begin with %c without quotes", b.line[i]), "quote it"
		}
	}
	return none()
}

func explainDash(b *broken) (int, int, string, string) {
	return b.whole(`a list can't begin behind its key`, "begin it on the next line, or write [a, b]")
}

func explainSign(b *broken) (int, int, string, string) {
	if code := b.code(); code != "" && (code[0] == '*' || code[0] == '&') {
		what := map[byte]string{'*': "refers to a marked value", '&': "marks a value"}[code[0]]
		return b.whole(fmt.Sprintf("%c at the start of a value %s in YAML", code[0], what), "quote the expression")
	}
	return none()
}

// above is the number of the last line above that is neither blank nor a comment, 0 without.
func (b *broken) above() int {
	line := b.number - 1
	for line > 0 && b.doc.isBlank(line) {
		line--
	}
	return line
}

var blockHeader = regexp.MustCompile(`:\s+[|>][-+0-9]*\s*$`)

func explainNoColon(b *broken) (int, int, string, string) {
	indent := b.doc.indent(b.number)
	if above := b.above(); above > 0 && blockHeader.MatchString(string(b.doc.line(above))) {
		return indent, len(b.line), "the text of a block stands no deeper than its key", "indent it"
	}
	if i := strings.IndexByte(b.line, ':'); i > 0 && i+1 < len(b.line) {
		return indent, len(b.line), "the colon has no space behind it", "write " + b.line[indent:i+1] + " " + b.line[i+1:]
	}
	return indent, len(b.line), `the line has no ": " behind its key`, "write key: value, with a space behind the colon"
}
