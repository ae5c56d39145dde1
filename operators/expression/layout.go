package expression

import (
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
	if _, err := zone.Load(layout.Value); err == nil && name == "date" {
		return // date(text, zone)
	}
	hint := "layouts are those of Go, such as 2006-01-02 15:04:05"
	if ours := layoutWords.Replace(layout.Value); ours != layout.Value {
		hint = "write " + strconv.Quote(ours)
	}
	r.warn(layout, Misuse, show(layout)+" is not a layout of Go, which writes 2006-01-02 15:04:05", hint)
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
