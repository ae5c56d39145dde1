package spec

import (
	"bytes"
	"fmt"
	"regexp"
	"sort"
	"strconv"
	"strings"

	"gopkg.in/yaml.v3"
)

// maxRepairs bounds how many syntax errors of one file are reported.
const maxRepairs = 20

// read parses the document into YAML's tree. At a syntax error the line at fault is reported and blanked, and the
// rest is read again; where that isn't enough, its block goes, then its section.
func (d *document) read() (*yaml.Node, Diagnostics) {
	text, faults := d.clean()
	text, second := d.first(text)
	faults = append(faults, second...)
	repair := repair{doc: d, text: text}
	for range maxRepairs * 3 {
		root, problem := parseYAML(repair.text)
		if problem == "" {
			return root, append(faults, repair.faults...)
		}
		repair.apply(problem)
		if len(repair.faults) >= maxRepairs {
			break
		}
	}
	return nil, append(faults, repair.faults...)
}

// parseYAML gives the tree of a text, nil for an empty one, or the parser's complaint.
func parseYAML(text []byte) (root *yaml.Node, problem string) {
	defer func() {
		if r := recover(); r != nil {
			root, problem = nil, fmt.Sprint(r)
		}
	}()
	var y yaml.Node
	if err := yaml.Unmarshal(text, &y); err != nil {
		return nil, strings.TrimPrefix(err.Error(), "yaml: ")
	}
	if y.Kind != yaml.DocumentNode || len(y.Content) == 0 {
		return nil, ""
	}
	return y.Content[0], ""
}

var reportedLine = regexp.MustCompile(`^line (\d+): `)

// repair is the state of reading a file with syntax errors.
type repair struct {
	doc      *document
	text     []byte
	faults   Diagnostics
	from, to int  // lines blanked last
	open     bool // what was blanked last left a bracket or quote open, so the next line may go on with it
	level    int  // how much was blanked: the line, its block, its section, all that follows
}

// apply reports a complaint and blanks what caused it. A complaint that comes from beside what was blanked last is
// the same one still; then more is blanked.
func (r *repair) apply(problem string) {
	line := r.line(problem)
	message := reportedLine.ReplaceAllString(problem, "")
	if r.to > 0 && line >= r.from-1 && (line <= r.to || line == r.to+1 && r.open) {
		r.level = min(r.level+1, 3)
		line = r.from
	} else {
		r.level = 0
		r.open = strings.Contains(message, "expected ','") || strings.Contains(message, "end of stream")
		fault := r.doc.explain(line, message)
		r.faults, line = append(r.faults, fault), fault.Line
	}
	r.from, r.to = r.extent(line)
	r.blank()
}

// line is where the parser's complaint arises: the first line with which the text up to it brings the same
// complaint as the whole. The parser itself names the line where the surrounding value begins, or none.
func (r *repair) line(problem string) int {
	message := reportedLine.ReplaceAllString(problem, "")
	low := 1
	if m := reportedLine.FindStringSubmatch(problem); m != nil {
		if low, _ = strconv.Atoi(m[1]); low > 1 {
			low--
		}
	}
	last := len(r.doc.lines)
	n := sort.Search(max(0, last-low), func(i int) bool {
		end := min(r.doc.lines[low+i], len(r.text)) // a second document was cut off
		_, p := parseYAML(r.text[:end])
		return reportedLine.ReplaceAllString(p, "") == message
	})
	return min(low+n, last)
}

// extent gives the lines to blank around a line, by level.
func (r *repair) extent(line int) (from, to int) {
	last := len(r.doc.lines)
	switch r.level {
	case 0:
		return line, r.below(line, r.doc.indent(line))
	case 1, 2:
		limit := 0 // of the section; of the block: the deepest indent below the top
		if r.level == 1 {
			limit = r.blockIndent(line)
		}
		for line > 1 && (r.doc.isBlank(line) || r.doc.indent(line) > limit) {
			line--
		}
		return line, r.below(line, limit)
	}
	return line, last
}

// blockIndent is the indent of the block of the second level that a line stands in.
func (r *repair) blockIndent(line int) int {
	indent := r.doc.indent(line)
	for ; line > 0; line-- {
		if r.doc.isBlank(line) {
			continue
		}
		at := r.doc.indent(line)
		if at == 0 {
			break
		}
		indent = min(indent, at)
	}
	return indent
}

// below is the last line that belongs to a line of this indent: all deeper ones that follow.
func (r *repair) below(line, indent int) int {
	last := line
	for next := line + 1; next <= len(r.doc.lines); next++ {
		if r.doc.isBlank(next) {
			continue
		}
		if r.doc.indent(next) <= indent {
			break
		}
		last = next
	}
	return last
}

var simpleKey = regexp.MustCompile(`^\s*(?:- +)*[A-Za-z_][\w.-]*:(?:\s|$)`)

// blank overwrites the lines with spaces, so that every other keeps its place. Of a single line the key stays.
func (r *repair) blank() {
	r.text = bytes.Clone(r.text)
	for line := r.from; line <= r.to; line++ {
		start := r.doc.lines[line-1]
		written := r.doc.line(line)
		end := min(start+len(written), len(r.text))
		if line == r.from && r.level == 0 {
			start += len(simpleKey.Find(written))
		}
		for i := start; i < end; i++ {
			r.text[i] = ' '
		}
	}
	r.doc.broken = append(r.doc.broken, [2]int{r.from, r.to})
}

// indent counts the spaces and tabs a line begins with.
func (d *document) indent(line int) int {
	text := d.line(line)
	return len(text) - len(bytes.TrimLeft(text, " \t"))
}

// isBlank reports whether a line is empty or a comment.
func (d *document) isBlank(line int) bool {
	text := bytes.TrimLeft(d.line(line), " \t")
	return len(text) == 0 || text[0] == '#'
}

// brokenWithin reports whether one of the lines from..to could not be read.
func (d *document) brokenWithin(from, to int) bool {
	for _, b := range d.broken {
		if b[0] <= to && b[1] >= from {
			return true
		}
	}
	return false
}
