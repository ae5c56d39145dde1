package codec

import (
	"unicode/utf16"
	"unicode/utf8"
)

// script says what a string holds beside plain ASCII.
type script uint8

const (
	wide    script = 1 << iota // bytes that are not ASCII
	escaped                    // backslashes
)

// stringEnd gives the index of the quote that ends the string whose text starts at p, or -1 if it is not a
// valid one. The data must hold a control character at or after its end.
func stringEnd(data []byte, p int) (int, script) {
	for {
		word0, word1 := load2(data, p)
		marks := notPlain(word0)
		if marks == 0 {
			p += 8
			if marks = notPlain(word1); marks == 0 {
				p += 8
				continue
			}
		}
		p += firstByte(marks)
		if data[p] == '"' {
			return p, 0
		}
		return oddStringEnd(data, p)
	}
}

// oddStringEnd goes on at the first byte that is not plain.
func oddStringEnd(data []byte, p int) (int, script) {
	var found script
	for {
		marks := notText(load(data, p))
		if load(data, p)&high != 0 {
			// Perhaps only bytes behind the end are wide; that costs a check of the text, no more.
			found |= wide
		}
		if marks == 0 {
			p += 8
			continue
		}
		p += firstByte(marks)
		switch data[p] {
		case '"':
			return p, found
		case '\\':
			found |= escaped
			if p = escapeEnd(data, p); p < 0 {
				return -1, 0
			}
		default:
			return -1, 0
		}
	}
}

// escapeEnd gives the index behind the escape whose backslash is at p, or -1.
func escapeEnd(data []byte, p int) int {
	switch data[p+1] {
	case '"', '\\', '/', 'b', 'f', 'n', 'r', 't':
		return p + 2
	case 'u':
		if hex4(data[p+2:]) >= 0 {
			return p + 6
		}
	}
	return -1
}

// hex4 gives the number that four hexadecimal digits stand for, or -1.
func hex4(text []byte) rune {
	var r rune
	for _, c := range text[:4] {
		switch {
		case '0' <= c && c <= '9':
			c -= '0'
		case 'a' <= c && c <= 'f':
			c -= 'a' - 10
		case 'A' <= c && c <= 'F':
			c -= 'A' - 10
		default:
			return -1
		}
		r = r<<4 | rune(c)
	}
	return r
}

// appendText appends what the inside of a valid string stands for. What is not valid UTF-8, and half a
// surrogate pair, becomes U+FFFD, as in encoding/json.
func appendText(dst, inside []byte) []byte {
	for i := 0; i < len(inside); {
		switch c := inside[i]; {
		case c == '\\' && inside[i+1] == 'u':
			r, size := escapedRune(inside[i:])
			dst = utf8.AppendRune(dst, r)
			i += size
		case c == '\\':
			dst = append(dst, unescaped(inside[i+1]))
			i += 2
		case c < utf8.RuneSelf:
			dst = append(dst, c)
			i++
		default:
			r, size := utf8.DecodeRune(inside[i:])
			dst = utf8.AppendRune(dst, r)
			i += size
		}
	}
	return dst
}

// escapedRune reads \u and four hexadecimal digits, or two of them that make a pair, at the start of text.
func escapedRune(text []byte) (r rune, size int) {
	r = hex4(text[2:])
	if !utf16.IsSurrogate(r) {
		return r, 6
	}
	if len(text) >= 12 && text[6] == '\\' && text[7] == 'u' {
		if pair := utf16.DecodeRune(r, hex4(text[8:])); pair != utf8.RuneError {
			return pair, 12
		}
	}
	return utf8.RuneError, 6
}

func unescaped(c byte) byte {
	switch c {
	case 'b':
		return '\b'
	case 'f':
		return '\f'
	case 'n':
		return '\n'
	case 'r':
		return '\r'
	case 't':
		return '\t'
	}
	return c
}
