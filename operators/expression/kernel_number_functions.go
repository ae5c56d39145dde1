package expression

import (
	"math"
	"strconv"
	"unsafe"

	"tidemark/stream"
)

// The kernels of functions that give numbers.

func intKernel(f frame, out, a *stream.Column, rows []int32) bool {
	if a.Kind != stream.Int && a.Kind != stream.Float && a.Kind != stream.String {
		return false
	}
	start(stream.Int, f, out, a, rows)
	for _, r := range rows {
		switch a.Kind {
		case stream.Int:
			out.Ints[r] = a.Ints[r]
		case stream.Float:
			v := a.Floats[r]
			if !fitsInt(v) {
				if ok(out, r) {
					leave(out, f.n, r)
				}
				continue
			}
			out.Ints[r] = int64(v)
		case stream.String:
			if !ok(out, r) {
				continue
			}
			v, err := strconv.Atoi(text(a, r))
			if err != nil {
				leave(out, f.n, r)
				continue
			}
			out.Ints[r] = int64(v)
		}
	}
	return true
}

// text gives the text of a row without copying it; it must not be kept.
func text(c *stream.Column, row int32) string { return borrowed(c.Bytes(int(row))) }

// borrowed gives text as a string without copying it; it must not be kept.
func borrowed(b []byte) string { return unsafe.String(unsafe.SliceData(b), len(b)) }

func floatKernel(f frame, out, a *stream.Column, rows []int32) bool {
	switch a.Kind {
	case stream.Int, stream.Float:
		return toFloat(f, out, a, rows, nil)
	case stream.String:
	default:
		return false
	}
	start(stream.Float, f, out, a, rows)
	for _, r := range rows {
		if !ok(out, r) {
			continue
		}
		v, err := strconv.ParseFloat(text(a, r), 64)
		if err != nil {
			leave(out, f.n, r)
			continue
		}
		out.Floats[r] = v
	}
	return true
}

// toFloat makes floats of numbers, whole ones too, by a function.
func toFloat(f frame, out, a *stream.Column, rows []int32, by func(float64) float64) bool {
	if !isNumber(a.Kind) {
		return false
	}
	out.Reset(stream.Float, f.n)
	if !plain(a) {
		untag(out, f.n)
	}
	for _, r := range rows {
		if !plain(a) && numberState(a, r) != hasValue {
			tag(out, r, tagRedo)
			continue
		}
		v := 0.0
		if a.Kind == stream.Int {
			v = float64(a.Ints[r])
		} else {
			v = a.Floats[r]
			if by != nil {
				v = by(v)
			}
		}
		out.Floats[r] = v
	}
	return true
}

func floorKernel(f frame, out, a *stream.Column, rows []int32) bool {
	return toFloat(f, out, a, rows, math.Floor)
}

func ceilKernel(f frame, out, a *stream.Column, rows []int32) bool {
	return toFloat(f, out, a, rows, math.Ceil)
}

func roundKernel(f frame, out, a *stream.Column, rows []int32) bool {
	return toFloat(f, out, a, rows, math.Round)
}

func absKernel(f frame, out, a *stream.Column, rows []int32) bool {
	switch a.Kind {
	case stream.Int:
		out.Reset(stream.Int, f.n)
		for _, r := range rows {
			v := a.Ints[r]
			if v < 0 {
				v = -v
			}
			out.Ints[r] = v
		}
	case stream.Float:
		out.Reset(stream.Float, f.n)
		for _, r := range rows {
			v := a.Floats[r]
			if v < 0 {
				v = -v
			}
			out.Floats[r] = v
		}
	default:
		return false
	}
	keepWhole(out, a, f.n, rows)
	return true
}
