package codec

import "unicode/utf8"

const hexDigits = "0123456789abcdef"

// appendQuoted appends text as a JSON string, as encoding/json writes it without HTML escaping: control
// characters, quotes and backslashes are escaped, so are U+2028 and U+2029, which end lines in JavaScript,
// and a byte that is not UTF-8 becomes U+FFFD.
func appendQuoted(dst, text []byte) []byte {
	dst = append(dst, '"')
	from := 0
	for i := plainEnd(text, 0); i < len(text); i = plainEnd(text, i) {
		size := 1
		if text[i] >= utf8.RuneSelf {
			var r rune
			if r, size = utf8.DecodeRune(text[i:]); (r != utf8.RuneError || size > 1) && r != '\u2028' && r != '\u2029' {
				i += size
				continue
			}
			dst = append(dst, text[from:i]...)
			switch r {
			case '\u2028', '\u2029':
				dst = append(dst, `\u202`...)
				dst = append(dst, hexDigits[r&0xf])
			default:
				dst = append(dst, `\ufffd`...)
			}
		} else {
			dst = append(dst, text[from:i]...)
			dst = appendEscape(dst, text[i])
		}
		i += size
		from = i
	}
	dst = append(dst, text[from:]...)
	return append(dst, '"')
}

// plainEnd gives the index of the first byte of text from i that can't stand as it is, or its length.
func plainEnd(text []byte, i int) int {
	for ; i+8 <= len(text); i += 8 {
		if marks := notPlain(load(text, i)); marks != 0 {
			return i + firstByte(marks)
		}
	}
	for ; i < len(text); i++ {
		if c := text[i]; c < ' ' || c == '"' || c == '\\' || c >= utf8.RuneSelf {
			break
		}
	}
	return i
}

func appendEscape(dst []byte, c byte) []byte {
	switch c {
	case '"', '\\':
		return append(dst, '\\', c)
	case '\b':
		return append(dst, '\\', 'b')
	case '\f':
		return append(dst, '\\', 'f')
	case '\n':
		return append(dst, '\\', 'n')
	case '\r':
		return append(dst, '\\', 'r')
	case '\t':
		return append(dst, '\\', 't')
	}
	return append(dst, '\\', 'u', '0', '0', hexDigits[c>>4], hexDigits[c&0xf])
}
