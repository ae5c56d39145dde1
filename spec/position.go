package spec

import (
	"bytes"
	"sort"
	"unicode/utf8"
)

// Pos is a place in a file: line and column, both from 1. The column counts characters (Unicode code points),
// not bytes. The zero Pos is no place.
type Pos struct{ Line, Column int }

// IsValid reports whether p is a place.
func (p Pos) IsValid() bool { return p.Line > 0 }

// Before reports whether p stands before q.
func (p Pos) Before(q Pos) bool {
	return p.Line < q.Line || p.Line == q.Line && p.Column < q.Column
}

// document is one text with the index of its lines.
type document struct {
	path  string
	text  []byte // without byte order mark
	lines []int  // byte offset of each line's begin
	ascii bool   // a character is a byte
	// blocks are the line ranges [from, to] of block scalars, where a # begins no comment.
	blocks [][2]int
	// broken are the line ranges that were no YAML and were left out.
	broken [][2]int
	// variables are the names that its ${NAME}s ask for and those of vars.
	variables []string
}

func newDocument(path string, text []byte) *document {
	text = trimMark(text)
	ascii := bytes.IndexFunc(text, func(r rune) bool { return r >= utf8.RuneSelf }) < 0
	return &document{path: path, text: text, lines: lineStarts(text), ascii: ascii}
}

// trimMark drops a UTF-8 byte order mark.
func trimMark(text []byte) []byte {
	if len(text) >= 3 && text[0] == 0xEF && text[1] == 0xBB && text[2] == 0xBF {
		return text[3:]
	}
	return text
}

// lineStarts gives the offsets at which lines begin. The line breaks are YAML's: LF, CR, CRLF, and the Unicode
// ones NEL, LS and PS.
func lineStarts(text []byte) []int {
	starts := make([]int, 1, 1+len(text)/24)
	for i := 0; i < len(text); {
		n := breakAt(text, i)
		if n == 0 {
			i++
			continue
		}
		i += n
		starts = append(starts, i)
	}
	return starts
}

// breakAt gives the length in bytes of the line break at text[i], 0 if there is none.
func breakAt(text []byte, i int) int {
	switch c := text[i]; {
	case c == '\n':
		return 1
	case c == '\r':
		if i+1 < len(text) && text[i+1] == '\n' {
			return 2
		}
		return 1
	case c == 0xC2 && i+1 < len(text) && text[i+1] == 0x85:
		return 2
	case c == 0xE2 && i+2 < len(text) && text[i+1] == 0x80 && (text[i+2] == 0xA8 || text[i+2] == 0xA9):
		return 3
	}
	return 0
}

// line is the text of a line, from 1, without its break; empty outside the text.
func (d *document) line(number int) []byte {
	if number < 1 || number > len(d.lines) {
		return nil
	}
	start := d.lines[number-1]
	if number == len(d.lines) {
		return d.text[start:]
	}
	end := d.lines[number]
	for n := min(3, end-start); n > 0; n-- { // the longest break that ends there
		if breakAt(d.text, end-n) == n {
			return d.text[start : end-n]
		}
	}
	return d.text[start:end]
}

// offset is the byte at which p stands; a column behind the line's end is the line's end.
func (d *document) offset(p Pos) int {
	if p.Line < 1 || p.Line > len(d.lines) {
		return len(d.text)
	}
	line, start := d.line(p.Line), d.lines[p.Line-1]
	if d.ascii {
		return start + max(0, min(p.Column-1, len(line)))
	}
	at := 0
	for column := 1; column < p.Column && at < len(line); column++ {
		_, n := utf8.DecodeRune(line[at:])
		at += n
	}
	return start + at
}

// pos is the place of a byte.
func (d *document) pos(offset int) Pos {
	offset = max(0, min(offset, len(d.text)))
	n := sort.Search(len(d.lines), func(i int) bool { return d.lines[i] > offset })
	if d.ascii {
		return Pos{Line: n, Column: 1 + offset - d.lines[n-1]}
	}
	return Pos{Line: n, Column: 1 + utf8.RuneCount(d.text[d.lines[n-1]:offset])}
}
