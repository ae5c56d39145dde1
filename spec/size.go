package spec

import (
	"fmt"
	"math"
	"strconv"
	"strings"
)

// Size is a number of bytes.
type Size int64

var sizeUnits = []struct {
	name string
	size Size
}{{"GiB", 1 << 30}, {"MiB", 1 << 20}, {"KiB", 1 << 10}, {"GB", 1e9}, {"MB", 1e6}, {"kB", 1e3}}

// ParseSize reads a whole number with one of the units KiB MiB GiB (1024) kB MB GB (1000), or 0. With an error comes
// a hint.
func ParseSize(text string) (s Size, hint string, err error) {
	if text == "0" {
		return 0, "", nil
	}
	number, unit := text[:digits(text)], text[digits(text):]
	if number == "" {
		return 0, "write 64MiB (units: KiB, MiB, GiB, kB, MB, GB)", fmt.Errorf("%q is no size", text)
	}
	for _, u := range sizeUnits {
		if u.name != unit {
			continue
		}
		n, err := strconv.ParseInt(number, 10, 64)
		if err != nil || n > math.MaxInt64/int64(u.size) {
			return 0, "the greatest size is 8589934591GiB", fmt.Errorf("%q is too large", text)
		}
		return Size(n) * u.size, "", nil
	}
	if unit == "" {
		return 0, fmt.Sprintf("write %sMiB (units: KiB, MiB, GiB, kB, MB, GB)", number), fmt.Errorf("%q has no unit", text)
	}
	word := strings.ToLower(strings.TrimSpace(unit))
	for _, u := range sizeUnits {
		l := strings.ToLower(u.name)
		if word == l || word == l[:1] && len(l) == 3 || word == strings.TrimSuffix(l, "b") {
			return 0, "write " + number + u.name, fmt.Errorf("%q has no known unit", text)
		}
	}
	return 0, "write 64MiB (units: KiB, MiB, GiB, kB, MB, GB)", fmt.Errorf("%q is no size", text)
}

// String writes s with the largest unit that fits: 64MiB.
func (s Size) String() string {
	for _, u := range sizeUnits {
		if s != 0 && s%u.size == 0 {
			return strconv.FormatInt(int64(s/u.size), 10) + u.name
		}
	}
	return strconv.FormatInt(int64(s), 10) + "B"
}
