package spec

import (
	"bytes"
	"fmt"
	"unicode/utf8"
)

// clean gives the text with every character that YAML does not allow replaced by one of the same length, and
// reports each line that has some.
func (d *document) clean() ([]byte, Diagnostics) {
	text := d.text
	if len(text) > 1 && (text[0] == 0xFF && text[1] == 0xFE || text[0] == 0xFE && text[1] == 0xFF) {
		return nil, Diagnostics{d.diagnose(Pos{1, 1}, Pos{1, 2}, "TM001", "the file is UTF-16", "save it as UTF-8")}
	}
	var faults Diagnostics
	owned, reported := false, 0
	for i := 0; i < len(text); {
		r, n := utf8.DecodeRune(text[i:])
		if allowed(r, n) {
			i += n
			continue
		}
		if !owned {
			text, owned = bytes.Clone(text), true
		}
		copy(text[i:i+n], []string{"", "?", "¿", "\uFFFD", "\U0001FFFD"}[n])
		if p := d.pos(i); p.Line != reported && len(faults) < maxRepairs {
			message := fmt.Sprintf("cannot read YAML: character U+%04X is not allowed", r)
			hint := fmt.Sprintf(`remove it, or write "\u%04x" in double quotes`, r)
			if r == utf8.RuneError {
				message, hint = "cannot read YAML: not valid UTF-8", "save the file as UTF-8"
			}
			faults = append(faults, d.diagnose(p, p, "TM001", message, hint))
			reported = p.Line
		}
		i += n
	}
	return text, faults
}

// allowed reports whether YAML takes a character that n bytes stand for.
func allowed(r rune, n int) bool {
	switch {
	case r == utf8.RuneError && n == 1:
		return false
	case r < 0x20:
		return r == '\t' || r == '\n' || r == '\r'
	case r >= 0x7F && r < 0xA0:
		return r == 0x85
	}
	return r != 0xFEFF && r != 0xFFFE && r != 0xFFFF
}

// first cuts the text before a second document, which is reported.
func (d *document) first(text []byte) ([]byte, Diagnostics) {
	content := false
	for number := 1; number <= len(d.lines); number++ {
		line := d.line(number)
		marker := isMarker(line, "---")
		if !marker && !isMarker(line, "...") {
			content = content || !d.isBlank(number) && line[0] != '%'
			continue
		}
		if !content && marker {
			content = len(bytes.TrimSpace(line)) > 3
			continue
		}
		if !content {
			continue
		}
		start := d.lines[number-1]
		if marker || !d.restBlank(number+1) {
			if d.restBlank(number+1) && len(bytes.TrimSpace(line)) == 3 {
				return text[:start], nil
			}
			return text[:start], Diagnostics{d.diagnose(Pos{number, 1}, Pos{number, 4}, "TM001",
				"a second document begins here: only the first would be read", "one file is one pipeline: move it to a file of its own")}
		}
	}
	return text, nil
}

// isMarker reports whether a line begins or ends a document.
func isMarker(line []byte, marker string) bool {
	return bytes.HasPrefix(line, []byte(marker)) && (len(line) == 3 || line[3] == ' ' || line[3] == '\t')
}

// restBlank reports whether nothing but blank lines and comments follows from a line on.
func (d *document) restBlank(from int) bool {
	for line := from; line <= len(d.lines); line++ {
		if !d.isBlank(line) {
			return false
		}
	}
	return true
}
