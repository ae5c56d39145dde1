package infer

import (
	"fmt"
	"io"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"

	"tidemark/operators/watermark"
	"tidemark/spec"
	"tidemark/stream"
)

// WriteYAML writes the block, ready to be pasted, with comments that say why.
func (s *Source) WriteYAML(w io.Writer) error {
	b := &block{}
	b.line(0, "sources:", "")
	b.line(1, s.name()+":", "")
	b.line(2, "type: "+s.typ, "")
	b.line(2, "path: "+s.path(), "")
	if f := s.format; f != nil {
		s.writeFormat(b, f)
	}
	switch {
	case s.typ == "parquet":
		s.listColumns(b)
	case s.format.name != "text":
		s.writeSchema(b)
	}
	s.writeClock(b)
	_, err := io.WriteString(w, b.text.String())
	return err
}

// block collects lines of YAML.
type block struct{ text strings.Builder }

func (b *block) line(depth int, text, comment string) {
	b.text.WriteString(strings.Repeat("  ", depth) + text)
	if comment != "" {
		if text != "" {
			b.text.WriteString("  ")
		}
		b.text.WriteString("# " + oneLine(comment))
	}
	b.text.WriteByte('\n')
}

// oneLine makes a comment of any text.
func oneLine(text string) string {
	return strings.Map(func(r rune) rune {
		if r < ' ' || r == 0x7f || r == 0x85 || r == 0x2028 || r == 0x2029 || r == 0xfeff {
			return ' '
		}
		return r
	}, strings.ToValidUTF8(text, "?"))
}

var notName = regexp.MustCompile(`[^a-z0-9]+`)

// name makes a name of that of the file.
func (s *Source) name() string {
	base := filepath.Base(s.paths[0])
	for ext := filepath.Ext(base); ext != "" && ext != base; ext = filepath.Ext(base) {
		base = strings.TrimSuffix(base, ext)
	}
	name := strings.Trim(notName.ReplaceAllString(strings.ToLower(base), "_"), "_")
	switch {
	case name == "":
		return "input"
	case name[0] < 'a' || spec.IsReserved(name):
		return "input_" + name
	}
	return name
}

func (s *Source) path() string {
	if len(s.paths) == 1 {
		return scalar(s.paths[0])
	}
	var list []string
	for _, p := range s.paths {
		list = append(list, quote(p))
	}
	return "[" + strings.Join(list, ", ") + "]"
}

func (s *Source) writeFormat(b *block, f *format) {
	comment := ""
	if s.table.broken > 0 {
		comment = fmt.Sprintf("%s of the sample will be dirty: %s", counted(s.table.broken, "line"), s.table.reason)
	} else if f.name == "text" {
		comment = "no JSON, and no delimiter cuts all lines alike: message is the whole line"
	}
	b.line(2, "format: "+f.name, comment)
	if f.name != "csv" {
		return
	}
	if f.delimiter != ',' {
		text := strconv.Quote(string(rune(f.delimiter)))
		b.line(2, "delimiter: "+text, "")
	}
	switch {
	case f.columns != nil && f.header:
		b.line(2, "header: true", "its names can't be told apart: columns replaces them")
	case f.columns != nil:
		b.line(2, "header: false", "the first line has values: give the columns their names here")
	}
	if f.columns != nil {
		var names []string
		for _, name := range f.columns {
			names = append(names, quote(name))
		}
		b.line(2, "columns: ["+strings.Join(names, ", ")+"]", "")
	}
	if len(f.nulls) > 0 {
		words := []string{`""`}
		for _, word := range f.nulls {
			words = append(words, quote(word))
		}
		b.line(2, "null_values: ["+strings.Join(words, ", ")+"]", "these stand among numbers")
	}
}

// writeSchema writes the columns and their types.
func (s *Source) writeSchema(b *block) {
	var left []*column
	begun := false
	for _, c := range s.table.columns {
		if c.leftOut() != "" {
			left = append(left, c)
			continue
		}
		if !begun {
			b.line(2, "schema:", "")
			begun = true
		}
		b.line(3, key(c.name)+": "+typeWord(c.typ), s.about(c))
	}
	for _, c := range left {
		b.line(2, "", fmt.Sprintf("%q is left out of the schema: %s", c.name, c.leftOut()))
	}
}

// dotted are names that look like paths.
var dotted = regexp.MustCompile(`^[\pL_][\pL\d_]*(\.[\pL_][\pL\d_]*)+$`)

// leftOut says why the schema can't name a column; empty where it can.
func (c *column) leftOut() string {
	switch {
	case c.name == "":
		return "it has no name"
	case dotted.MatchString(c.name):
		return "in an expression a name with a dot is a field within another"
	}
	return ""
}

// typeWord gives the type in the words of a schema; within quotes where it has a bar, so that it can be moved into
// braces.
func typeWord(t stream.Type) string {
	if t.Kind == stream.Any && t.Shape == stream.Unknown {
		return "any"
	}
	name := stream.Type{Kind: t.Kind, Shape: t.Shape}.String()
	if t.Null {
		return strconv.Quote(name + "|null")
	}
	return name
}

// about says why a column has its type.
func (s *Source) about(c *column) string {
	var parts []string
	if c.why != "" {
		parts = append(parts, c.why)
	}
	if c.nulls > 0 && c.why != "always null" {
		parts = append(parts, "null or missing in "+percent(c.nulls, s.table.good()))
	}
	return strings.Join(parts, "; ")
}

// listColumns tells of the columns, which a Parquet source knows by itself.
func (s *Source) listColumns(b *block) {
	var list []string
	for _, c := range s.table.columns {
		list = append(list, c.name+" "+c.typ.String())
	}
	b.line(2, "", "columns: "+strings.Join(list, ", "))
}

// writeClock writes where the time is, and how far records are behind.
func (s *Source) writeClock(b *block) {
	k := s.clock
	switch {
	case s.table.records() == 0:
		b.line(2, "", "there are no records: which column has the time can't be told")
		return
	case k == nil:
		b.line(2, "", "no column has times that could be read: windows of event time need a timestamp")
		return
	}
	var why []string
	name := reference(k.column.name)
	value := scalar(name)
	switch {
	case k.unit != watermark.NoUnit:
		value = fmt.Sprintf("{expr: %s, unit: %s}", flowScalar(name), k.unit)
		why = append(why, "as "+k.unit.String()+" the values are times of "+k.years())
	case k.layout != "":
		value = scalar(fmt.Sprintf("date(%s, %s)", name, strconv.Quote(k.layout)))
		if !zoned(k.layout) {
			why = append(why, "without a zone they are read as UTC")
		}
	}
	if k.unsure != "" {
		why = append(why, k.unsure)
	}
	if n := k.lacking(); n > 0 {
		why = append(why, fmt.Sprintf("%s have none that can be read and are dirty", rows(n, s.table.good())))
	}
	if n := k.odd(); n > 0 {
		why = append(why, fmt.Sprintf("%s have one outside 1990 to 2100", rows(n, s.table.good())))
	}
	b.line(2, "timestamp: "+value, strings.Join(why, "; "))
	b.line(2, fmt.Sprintf("watermark: {bounded: %s}", k.bound()), k.disorder(s.table.good()))
}

// rows says how many of the rows.
func rows(n, total int) string {
	return percent(n, total) + " of the rows"
}

// years gives the span of the plausible times.
func (k *clock) years() string {
	least, greatest := stream.MaxTime, stream.MinTime
	for _, times := range k.times {
		for _, at := range times {
			if at != noTime && watermark.Plausible(at) {
				least, greatest = min(least, at), max(greatest, at)
			}
		}
	}
	from, to := least.Std().Year(), greatest.Std().Year()
	if from == to {
		return strconv.Itoa(from)
	}
	return fmt.Sprintf("%d to %d", from, to)
}

// bounds are durations that people would write, in milliseconds.
var bounds = []spec.Duration{0, 100, 200, 500, 1000, 2000, 5000, 10_000, 15_000, 30_000, 60_000, 2 * 60_000, 5 * 60_000, 10 * 60_000, 15 * 60_000,
	30 * 60_000, 3_600_000, 2 * 3_600_000, 3 * 3_600_000, 6 * 3_600_000, 12 * 3_600_000}

// bound gives a duration that no row of the sample is further behind than.
func (k *clock) bound() spec.Duration {
	greatest := spec.Duration(0)
	if n := len(k.steps); n > 0 {
		greatest = spec.Duration(k.steps[n-1])
	}
	for _, d := range bounds {
		if greatest <= d {
			return d
		}
	}
	const day = 86_400_000
	return (greatest + day - 1) / day * day
}

// disorder says how many rows are behind, and how far.
func (k *clock) disorder(total int) string {
	n := len(k.steps)
	if n == 0 {
		return "no row of the sample is behind an earlier one of its file"
	}
	text := fmt.Sprintf("%s are up to %s behind an earlier one of their file", rows(n, total), spec.Duration(k.steps[n-1]))
	// A few rows with a wrong clock make all results wait.
	if most := k.steps[(n-1)*9/10]; n >= 10 && k.steps[n-1] > 10*most {
		text += fmt.Sprintf(", 90 %% of those up to %s", spec.Duration(most))
	}
	return text
}
