package stdoutio

import (
	"encoding/json"
	"strconv"
	"strings"
	"unicode"

	"tidemark/io/codec"
	"tidemark/stream"
)

// cell is a value as it is shown.
type cell struct {
	text  string
	right bool // a number
}

// widest is how many places a value may take.
const widest = 80

// columnCell shows a value of a column.
func columnCell(c *stream.Column, row int, times codec.TimeFormat) cell {
	switch c.Tag(row) {
	case stream.TagMissing:
		return cell{}
	case stream.TagOK:
		if c.Kind == stream.Instant && times != codec.RFC3339 {
			return cell{string(codec.AppendInstant(nil, c.Ints[row], times)), true}
		}
		if c.Kind == stream.Instant {
			return cell{text: stream.Time(c.Ints[row]).String()}
		}
	}
	switch v := c.Value(row).(type) {
	case nil:
		return cell{text: "null"}
	case string:
		return cell{text: clean(v)}
	case int64:
		return cell{strconv.FormatInt(v, 10), true}
	case float64:
		return cell{strconv.FormatFloat(v, 'g', -1, 64), true}
	default:
		text, err := json.Marshal(v)
		if err != nil { // a number that JSON has no word for, somewhere inside
			return cell{text: "?"}
		}
		return cell{text: clean(string(text))}
	}
}

// jsonCell shows a JSON value: text without its quotes, anything else as it stands.
func jsonCell(value []byte) cell {
	switch value[0] {
	case '"':
		var text string
		if json.Unmarshal(value, &text) == nil {
			return cell{text: clean(text)}
		}
	case '{', '[', 't', 'f', 'n':
	default:
		return cell{string(value), true}
	}
	return cell{text: clean(string(value))}
}

// clean makes text fit for a terminal: one line, nothing that moves the cursor, not too long.
func clean(text string) string {
	var b strings.Builder
	places := 0
	for _, r := range text {
		piece := string(r)
		if !unicode.IsPrint(r) {
			piece = strings.Trim(strconv.QuoteRune(r), "'")
		}
		if places += width(piece); places > widest-1 {
			return b.String() + "…"
		}
		b.WriteString(piece)
	}
	return b.String()
}

// wide are the ranges of characters that take two places on a terminal (Unicode: East Asian Width W and F).
var wide = &unicode.RangeTable{
	R16: []unicode.Range16{
		{0x1100, 0x115f, 1}, {0x2e80, 0x303e, 1}, {0x3041, 0xa4cf, 1}, {0xac00, 0xd7a3, 1},
		{0xf900, 0xfaff, 1}, {0xfe30, 0xfe6f, 1}, {0xff00, 0xff60, 1}, {0xffe0, 0xffe6, 1},
	},
	R32: []unicode.Range32{{0x1f300, 0x1f64f, 1}, {0x1f900, 0x1f9ff, 1}, {0x20000, 0x3fffd, 1}},
}

// width is the number of places that text takes on a terminal.
func width(text string) int {
	n := 0
	for _, r := range text {
		switch {
		case unicode.In(r, unicode.Mn, unicode.Me): // drawn over the letter before
		case unicode.Is(wide, r):
			n += 2
		default:
			n++
		}
	}
	return n
}
