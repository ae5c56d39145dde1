package parquetio

import (
	"fmt"
	"math"
	"strconv"
	"time"

	"tidemark/stream"
)

// enforce makes the values of column i those of the type that a schema gives it, or their rows bad. Timestamps are
// left as they are: what they mean is said elsewhere.
func (r *reader) enforce(i int, out *stream.Column) {
	t := r.set.columns[i].Type
	if t.Kind == stream.Instant || t.Kind == stream.Any && t.Shape == stream.Unknown || t.Kind != stream.Any && t.Kind == out.Kind && out.Odd == 0 {
		return
	}
	reject := func(row int, reason string) {
		out.SetTag(row, stream.TagNull)
		r.reject(i, int32(row), reason)
	}
	switch {
	case t.Kind == stream.Float && out.Kind == stream.Int:
		widen(out)
	case t.Kind == stream.Int && out.Kind == stream.Float:
		narrow(out)
	}
	for row := range out.Len() {
		switch tag := out.Tag(row); {
		case tag == tagBad:
			reject(row, out.Boxed[row].(string))
		case tag == stream.TagOK && out.Kind == t.Kind && t.Kind != stream.Any:
		case tag == stream.TagOK || tag == stream.TagOther:
			if reason := unlike(out.Value(row), t); reason != "" {
				reject(row, reason)
			}
		}
	}
}

// narrow makes integers of floats, as far as they are.
func narrow(out *stream.Column) {
	out.Kind = stream.Int
	out.Ints = stream.Resize(out.Ints, len(out.Floats))
	for row, v := range out.Floats {
		if out.Tag(row) != stream.TagOK {
			continue
		}
		switch {
		case math.Trunc(v) != v || math.IsInf(v, 0):
			out.SetBoxed(row, tagBad, "is "+strconv.FormatFloat(v, 'g', -1, 64)+", wants int")
		case v < -1<<63 || v >= 1<<63:
			out.SetBoxed(row, tagBad, "is "+strconv.FormatFloat(v, 'g', -1, 64)+", beyond an int of 64 bits")
		default:
			out.Ints[row] = int64(v)
		}
	}
}

// unlike says why a value isn't one of a type; empty where it is.
func unlike(v any, t stream.Type) string {
	is := ""
	switch x := v.(type) {
	case string:
		if is = "text"; t.Kind == stream.String {
			return ""
		}
		if _, err := strconv.ParseUint(x, 10, 64); err == nil && t.Kind == stream.Int {
			return "is " + x + ", beyond an int of 64 bits"
		}
	case []any:
		if is = "a list"; t.Shape == stream.List {
			return ""
		}
	case map[string]any:
		if is = "an object"; t.Shape == stream.Object {
			return ""
		}
	case bool:
		is = "true or false"
	case time.Time:
		is = "a timestamp"
	default:
		if is = "a number"; stream.KindOf(v) == t.Kind {
			return ""
		}
	}
	return fmt.Sprintf("is %s, wants %s", is, stream.Type{Kind: t.Kind, Shape: t.Shape})
}
