package state

import (
	"testing"

	"pgregory.net/rapid"

	"tidemark/stream"
)

// TestValuesComeBack encodes values one after the other and reads them again, boxed and into a column.
func TestValuesComeBack(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		values := rapid.SliceOfN(anyValue, 1, 4).Draw(t, "values")
		var b []byte
		for _, v := range values {
			b = AppendValue(b, v)
		}
		rest, again := b, b
		for _, v := range values {
			var got any
			got, rest = DecodeValue(rest)
			out := &stream.Column{}
			again = DecodeTo(again, out)
			if written(got) != written(v) || written(out.Value(0)) != written(v) {
				t.Fatalf("%s comes back as %s and %s", written(v), written(got), written(out.Value(0)))
			}
		}
		if len(rest)+len(again) > 0 {
			t.Fatalf("%d and %d bytes are left", len(rest), len(again))
		}
	})
}

// TestCanonicalBytes checks that two values have the same canonical bytes if and only if they are the same key.
func TestCanonicalBytes(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		x, y := anyValue.Draw(t, "x"), anyValue.Draw(t, "y")
		a, _ := encode(nil, x, canonical)
		b, _ := encode(nil, y, canonical)
		if (string(a) == string(b)) != (identity(x) == identity(y)) {
			t.Fatalf("%v is %x, %v is %x", x, a, y, b)
		}
	})
}
