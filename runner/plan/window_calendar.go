package plan

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"tidemark/operators/window"
	"tidemark/operators/zone"
	"tidemark/spec"
)

// otherUnits are words for the units of calendar windows, with what is written here. Hours and minutes have a length, so
// windows of them are tumbling.
var otherUnits = map[string]string{
	"daily": "day", "1d": "day", "weekly": "week", "isoweek": "week", "1w": "week", "monthly": "month", "mon": "month", "1M": "month",
	"quarterly": "quarter", "1q": "quarter", "yearly": "year", "annual": "year", "1y": "year",
	"hour": "{tumbling: 1h}", "hourly": "{tumbling: 1h}", "hours": "{tumbling: 1h}", "1h": "{tumbling: 1h}", "minute": "{tumbling: 1m}", "minutes": "{tumbling: 1m}",
}

// calendar reads a calendar window; ok says whether it is one.
func (k *block) calendar(n *spec.Node, o windowOptions) (s window.Calendar, ok bool) {
	unit, ok := k.calendarUnit(o.Calendar)
	s.Unit = unit
	if o.Timezone != nil && !o.Timezone.Unset {
		s.Zone = k.zone(k.Name, o.Timezone)
		ok = ok && s.Zone != nil
	}
	return s, ok && !o.Calendar.Unset
}

func (k *block) calendarUnit(n *spec.Node) (unit window.Unit, ok bool) {
	if n.Kind == spec.Scalar {
		if i := slices.Index(window.Units[:], n.Text); i >= 0 {
			return window.Unit(i), true
		}
	}
	if n.Unset {
		return 0, false
	}
	meant := ""
	if n.Kind == spec.Scalar && !n.Secret() {
		meant = otherUnits[n.Text]
	}
	switch {
	case n.Kind != spec.Scalar:
		k.report("TM006", spec.Error, n, spec.Diagnostic{Node: k.Name, Message: `"calendar" wants a word, got ` + n.Kind.String(), Hint: "calendar: day, week, month, quarter or year"})
	case strings.HasPrefix(meant, "{"):
		k.report("TM006", spec.Error, n, spec.Diagnostic{Node: k.Name, Message: fmt.Sprintf(`"calendar" can't be %s, which always has the same length`, n.Quote()), Hint: "window: " + meant})
	case meant != "":
		k.report("TM006", spec.Error, n, spec.Diagnostic{Node: k.Name, Message: fmt.Sprintf(`"calendar" can't be %s`, n.Quote()), Hint: "did you mean " + meant + "?", Fix: meant})
	default:
		k.choiceAt(k.Name, "calendar", n, window.Units[:])
	}
	return 0, false
}

// zone reads the name of a time zone; nil where there is none of that name, which is reported.
func (c *compiler) zone(name string, n *spec.Node) *time.Location {
	if n.Kind == spec.Scalar {
		if z, err := zone.Load(n.Text); err == nil {
			return z
		}
	}
	d := spec.Diagnostic{Node: name, Message: "unknown time zone " + n.Quote(), Hint: "write UTC or a name such as Europe/Berlin"}
	near, ok := n.Nearest(zone.Names())
	if meant, sure := zone.Meant(n.Text); sure && !n.Secret() {
		near, ok = meant, true
	}
	if ok {
		d.Hint, d.Fix = "did you mean "+near+"?", near
	}
	c.report("TM006", spec.Error, n, d)
	return nil
}
