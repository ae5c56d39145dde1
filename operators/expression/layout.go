package expression

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"time"

	"github.com/expr-lang/expr/ast"

	"tidemark/operators/zone"
)

// Two times that differ in every part that a layout can speak of.
var (
	oneTime   = time.Date(2001, time.November, 22, 3, 44, 55, 123456789, time.UTC)
	otherTime = time.Date(1987, time.June, 9, 18, 6, 7, 987654321, time.FixedZone("XST", 3600))
)

// layoutWords puts Go's reference time in the place of the words for its parts in C and in Java.
var layoutWords = strings.NewReplacer(
	"%Y", "2006", "%y", "06", "%m", "01", "%d", "02", "%H", "15", "%I", "03", "%M", "04", "%S", "05", "%f", "000000", "%L", "000", "%p", "PM",
	"%b", "Jan", "%B", "January", "%a", "Mon", "%A", "Monday", "%z", "-0700", "%Z", "MST", "%F", "2006-01-02", "%T", "15:04:05", "%j", "002",
	"yyyy", "2006", "YYYY", "2006", "yy", "06", "MMMM", "January", "MMM", "Jan", "MM", "01", "dd", "02", "DD", "02", "HH24", "15", "HH", "15", "hh", "03",
	"mm", "04", "MI", "04", "mi", "04", "ss", "05", "SSS", "000", "SS", "05", "'T'", "T", "'Z'", "Z", "XXX", "Z07:00")

// warnLayout warns of a layout of times that has nothing of Go's in it, so that it gives the same for every time.
func (r *resolver) warnLayout(n ast.Node) {
	name, args := calledBy(n)
	if name != "format_time" && name != "date" || len(args) < 2 {
		return
	}
	layout, ok := args[1].(*ast.StringNode)
	if !ok || layout.Value == "" || oneTime.Format(layout.Value) != otherTime.Format(layout.Value) {
		return
	}
	if z, ok := zoneOf(layout.Value); ok && name == "date" {
		hint := fmt.Sprintf(`write the layout before it: date(%s, "2006-01-02 15:04:05", %q)`, show(args[0]), z)
		r.warn(layout, Misuse, show(layout)+" is a time zone and no layout", hint)
		return
	}
	hint := "layouts are those of Go, such as 2006-01-02 15:04:05"
	if ours := layoutWords.Replace(layout.Value); ours != layout.Value {
		hint = "write " + strconv.Quote(ours)
	}
	r.warn(layout, Misuse, show(layout)+" is not a layout of Go, which writes 2006-01-02 15:04:05", hint)
}

// zoneArgument says which argument of a function is the name of a time zone.
var zoneArgument = map[string]int{"timezone": 0, "date": 2, "format_time": 2}

// unknownZone finds a time zone that is written out and that there is none of.
func (r *resolver) unknownZone(name string, args []ast.Node) *Error {
	at, ok := zoneArgument[name]
	if !ok || at >= len(args) {
		return nil
	}
	text, ok := args[at].(*ast.StringNode)
	if !ok {
		return nil
	}
	if _, err := zone.Load(text.Value); err == nil {
		return nil
	}
	e := &Error{Kind: Type, Message: "unknown time zone `" + text.Value + "`", Hint: "write UTC or a name such as Europe/Berlin"}
	if near, ok := zoneOf(text.Value); ok {
		e.Hint = "did you mean " + near + "?"
	} else if m := hoursAhead.FindStringSubmatch(text.Value); m != nil {
		e.Hint = "write Etc/GMT" + map[string]string{"+": "-", "-": "+"}[m[1]] + m[2] + ", whose sign is that of what is added to get UTC"
	} else if near, ok := nearest(text.Value, zone.Names()); ok {
		e.Hint = "did you mean " + near + "?"
	}
	e.Offset, e.End = byteSpan(r.src, text.Location())
	return e
}

// hoursAhead is a zone that is written as its distance to UTC.
var hoursAhead = regexp.MustCompile(`^(?i:utc|gmt)?([+-])0?(\d|1[0-4])(?::?00)?$`)

// zoneOf gives the time zone that a text is, or means without doubt.
func zoneOf(text string) (string, bool) {
	if _, err := zone.Load(text); err == nil {
		return text, true
	}
	return zone.Meant(text)
}

// isDecimal reports whether a text is a number as time(x, unit) reads it.
func isDecimal(s string) bool {
	_, err := strconv.ParseFloat(strings.TrimSpace(s), 64)
	return err == nil
}

// shorten cuts a text that is too long for a message.
func shorten(s string) string {
	if r := []rune(s); len(r) > 40 {
		return string(r[:39]) + "…"
	}
	return s
}
