package expression

import (
	"bytes"
	"strconv"
	"unicode/utf8"

	"tidemark/stream"
)

// The kernels of functions on texts.

func lowerKernel(f frame, out, a *stream.Column, rows []int32) bool {
	return caseKernel(f, out, a, rows, 'A', 'Z', bytes.ToLower)
}

func upperKernel(f frame, out, a *stream.Column, rows []int32) bool {
	return caseKernel(f, out, a, rows, 'a', 'z', bytes.ToUpper)
}

// caseKernel changes the case of the letters from first to last; texts beyond ASCII go through convert.
func caseKernel(f frame, out, a *stream.Column, rows []int32, first, last byte, convert func([]byte) []byte) bool {
	if a.Kind != stream.String {
		return false
	}
	start(stream.String, f, out, a, rows)
	for _, r := range rows {
		if !ok(out, r) {
			continue
		}
		text := a.Bytes(int(r))
		from := len(out.Arena)
		out.SetBytes(int(r), text)
		copied, high := out.Arena[from:], byte(0)
		for i, c := range copied {
			high |= c
			if c >= first && c <= last {
				copied[i] = c ^ 0x20
			}
		}
		if high >= utf8.RuneSelf {
			out.Arena = out.Arena[:from]
			out.SetBytes(int(r), convert(text))
		}
	}
	return true
}

func trimKernel(f frame, out, a *stream.Column, rows []int32) bool {
	if a.Kind != stream.String {
		return false
	}
	start(stream.String, f, out, a, rows)
	for _, r := range rows {
		if ok(out, r) {
			out.SetBytes(int(r), bytes.TrimSpace(a.Bytes(int(r))))
		}
	}
	return true
}

// lenKernel counts runes, as the machine does.
func lenKernel(f frame, out, a *stream.Column, rows []int32) bool {
	if a.Kind != stream.String {
		return false
	}
	start(stream.Int, f, out, a, rows)
	for _, r := range rows {
		if ok(out, r) {
			out.Ints[r] = int64(utf8.RuneCount(a.Bytes(int(r))))
		}
	}
	return true
}

// stringKernel prints as fmt's %v does.
func stringKernel(f frame, out, a *stream.Column, rows []int32) bool {
	if a.Kind == stream.Any || a.Kind == stream.Instant {
		return false
	}
	start(stream.String, f, out, a, rows)
	for _, r := range rows {
		if !ok(out, r) {
			continue
		}
		from := len(out.Arena)
		switch a.Kind {
		case stream.Int:
			out.Arena = strconv.AppendInt(out.Arena, a.Ints[r], 10)
		case stream.Float:
			out.Arena = strconv.AppendFloat(out.Arena, a.Floats[r], 'g', -1, 64)
		case stream.Bool:
			out.Arena = strconv.AppendBool(out.Arena, a.Bools[r])
		case stream.String:
			out.Arena = append(out.Arena, a.Bytes(int(r))...)
		}
		out.Refs[r] = stream.Ref{Off: uint32(from) | stream.ArenaBit, Len: uint32(len(out.Arena) - from)}
	}
	return true
}
