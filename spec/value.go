package spec

import (
	"encoding/json"
	"math"
	"regexp"
	"strconv"
	"strings"
)

// number is how numbers are written in records, as in JSON but for a plus and leading zeros.
var number = regexp.MustCompile(`^[-+]?[0-9]+(\.[0-9]+)?([eE][-+]?[0-9]+)?$`)

// Value is the value as records hold it: nil, bool, int64, float64, string, []any, map[string]any. Only unquoted
// null, true, false and numbers are no text: yes, 0x10 and 2024-01-02 stay what is written. A whole number beyond
// 64 bits is a float64.
func (n *Node) Value() any {
	switch {
	case n == nil || n.Kind == Null:
		return nil
	case n.Kind == List:
		items := make([]any, len(n.Items))
		for i, item := range n.Items {
			items[i] = item.Value()
		}
		return items
	case n.Kind == Map:
		fields := make(map[string]any, len(n.Entries))
		for _, e := range n.Entries {
			fields[e.Key] = e.Value.Value()
		}
		return fields
	case n.Style != Plain || n.Tag == "!!str":
		return n.Text
	}
	switch n.Text {
	case "null", "Null", "NULL":
		return nil
	case "true", "True", "TRUE":
		return true
	case "false", "False", "FALSE":
		return false
	case ".nan", ".NaN":
		return math.NaN()
	case ".inf", "+.inf":
		return math.Inf(1)
	case "-.inf":
		return math.Inf(-1)
	}
	if !number.MatchString(n.Text) {
		return n.Text
	}
	if v, err := strconv.ParseInt(n.Text, 10, 64); err == nil {
		return v
	}
	v, err := strconv.ParseFloat(n.Text, 64)
	if err != nil {
		return n.Text
	}
	return v
}

// AppendJSON appends the value as JSON on one line, keys in the order of the file and numbers as they are written.
func (n *Node) AppendJSON(dst []byte) []byte {
	if n == nil {
		return append(dst, "null"...)
	}
	switch n.Kind {
	case Null:
		return append(dst, "null"...)
	case List:
		dst = append(dst, '[')
		for i, item := range n.Items {
			if i > 0 {
				dst = append(dst, ',')
			}
			dst = item.AppendJSON(dst)
		}
		return append(dst, ']')
	case Map:
		dst = append(dst, '{')
		for i, e := range n.Entries {
			if i > 0 {
				dst = append(dst, ',')
			}
			dst = append(appendText(dst, e.Key), ':')
			dst = e.Value.AppendJSON(dst)
		}
		return append(dst, '}')
	}
	switch v := n.Value().(type) {
	case string:
		return appendText(dst, v)
	case bool:
		return strconv.AppendBool(dst, v)
	case int64:
		return strconv.AppendInt(dst, v, 10)
	case float64:
		if math.IsNaN(v) || math.IsInf(v, 0) {
			return appendText(dst, n.Text) // JSON has no number for it
		}
		return append(dst, plainNumber(n.Text)...)
	}
	return append(dst, "null"...)
}

// plainNumber writes a number as JSON allows: no plus, no leading zeros.
func plainNumber(text string) string {
	text = strings.TrimPrefix(text, "+")
	sign := ""
	if strings.HasPrefix(text, "-") {
		sign, text = "-", text[1:]
	}
	text = strings.TrimLeft(text, "0")
	if text == "" || text[0] < '0' || text[0] > '9' {
		text = "0" + text
	}
	return sign + text
}

func appendText(dst []byte, text string) []byte {
	var b strings.Builder
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(text); err != nil {
		return append(dst, `""`...)
	}
	return append(dst, strings.TrimSuffix(b.String(), "\n")...)
}
