package expression

import (
	"hash/maphash"
	"regexp"
	"time"

	"tidemark/stream"
)

// Texts of a stream repeat, so what is dear to compute of one is remembered, in a table in which a text has
// one place. Its memory is reused: no allocation in the long run, whatever the texts.
const (
	memoSize   = 1 << 10
	memoLength = 64 // longer texts are not remembered
)

var memoSeed = maphash.MakeSeed()

func memoPlace(text []byte) uint64 { return maphash.Bytes(memoSeed, text) % memoSize }

// memo remembers a T for each of the texts that were met last. The zero value is ready.
type memo[T any] struct{ entries []remembered[T] }

type remembered[T any] struct {
	text  []byte
	used  bool
	value T
}

// find gives the place of a text's value, and whether it is known; one that is not is to be set, and may be what was
// remembered of another text. The place is nil where the text is too long.
func (m *memo[T]) find(text []byte) (value *T, known bool) {
	if len(text) > memoLength {
		return nil, false
	}
	if m.entries == nil {
		m.entries = make([]remembered[T], memoSize)
	}
	e := &m.entries[memoPlace(text)]
	if e.used && string(e.text) == string(text) {
		return &e.value, true
	}
	e.text, e.used = append(e.text[:0], text...), true
	return &e.value, false
}

// matches remembers which texts a regular expression matches.
type matches struct {
	re   *regexp.Regexp
	seen memo[bool]
}

func (m *matches) match(text []byte) bool {
	value, known := m.seen.find(text)
	if value == nil {
		return m.re.Match(text)
	}
	if !known {
		*value = m.re.Match(text)
	}
	return *value
}

// dates remembers the times that texts stand for.
type dates struct{ seen memo[instant] }

type instant struct {
	time  stream.Time
	valid bool // a time in whole milliseconds
}

// find gives the time of a text, by parse, which must not keep it, if it is new.
func (d *dates) find(text []byte, parse func(string) (time.Time, bool)) (stream.Time, bool) {
	value, known := d.seen.find(text)
	if value == nil {
		return wholeMillis(parse(borrowed(text)))
	}
	if !known {
		value.time, value.valid = wholeMillis(parse(borrowed(text)))
	}
	return value.time, value.valid
}

// wholeMillis gives a time in milliseconds if it has no finer part.
func wholeMillis(t time.Time, ok bool) (stream.Time, bool) {
	if !ok || t.Nanosecond()%1e6 != 0 {
		return 0, false
	}
	return stream.Time(t.UnixMilli()), true
}
