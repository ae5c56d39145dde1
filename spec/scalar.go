package spec

import (
	"fmt"
	"math"
	"strconv"
	"strings"
)

// unquoted reports whether a scalar may be read as a number or a truth value.
func (n *Node) unquoted() bool { return n.Kind == Scalar && n.Style == Plain && n.Tag != "!!str" }

// quotesHint says to drop the quotes of a value.
func quotesHint(n *Node, text string) string {
	switch {
	case n.Kind != Scalar || n.Style == Plain:
		return ""
	case n.Secret() || n.Raw != n.Text:
		text = n.Raw
	}
	return "drop the quotes: " + text
}

// parseBool reads the words for true and false of all YAML versions, the same for every option.
func parseBool(n *Node) (value, ok bool) {
	if !n.unquoted() {
		return false, false
	}
	switch strings.ToLower(n.Text) {
	case "true", "yes", "on":
		return true, true
	case "false", "no", "off":
		return false, true
	}
	return false, false
}

// parseInt reads a whole number in decimal, whatever zeros lead it.
func parseInt(n *Node) (value int64, hint string, ok bool) {
	if n.Kind != Scalar {
		return 0, "", false
	}
	value, err := strconv.ParseInt(n.Text, 10, 64)
	if err == nil && n.unquoted() {
		return value, "", true
	}
	if err == nil {
		return 0, quotesHint(n, n.Text), false
	}
	if n.Secret() {
		return 0, "", false
	}
	if v, err := strconv.ParseInt(n.Text, 0, 64); err == nil { // 0x10, 0o17, 1_000
		return 0, fmt.Sprint("write ", v), false
	}
	if v, err := strconv.ParseFloat(n.Text, 64); err == nil && v == math.Trunc(v) && math.Abs(v) < 1<<53 {
		return 0, fmt.Sprintf("write %.0f", v), false
	}
	return 0, "", false
}

func parseFloat(n *Node) (float64, bool) {
	if !n.unquoted() || !number.MatchString(n.Text) {
		return 0, false
	}
	v, err := strconv.ParseFloat(n.Text, 64)
	return v, err == nil
}

// DecodeDuration reads a scalar as a duration, for maps that are checked by hand. Faults are TM006 and TM007.
func DecodeDuration(n *Node, key string) (Duration, Diagnostics) {
	if n.Unset {
		return 0, nil
	}
	return decodeDuration(n, &field{name: key})
}

// Limit is an option that is a duration or off.
type Limit struct {
	Value Duration
	Off   bool // written off
}

// DecodeNode implements [Decoder].
func (l *Limit) DecodeNode(n *Node, o DecodeOptions) Diagnostics {
	if b, ok := parseBool(n); ok && !b {
		*l = Limit{Off: true}
		return nil
	}
	*l = Limit{}
	if n.Kind != Scalar {
		return Diagnostics{n.Diagnose("TM006", fmt.Sprintf("%s wants a duration or off, got %s", o.What, n.describe()), "")}
	}
	d, hint, err := ParseDuration(n.Text)
	switch {
	case err != nil:
		return Diagnostics{durationFault(n, hint+", or off", err)}
	case d < 0:
		return Diagnostics{negativeFault(n, o.What, d)}
	}
	l.Value = d
	return nil
}
