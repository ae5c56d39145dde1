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

// memo remembers which texts a regular expression matches.
type memo struct {
	re      *regexp.Regexp
	entries []matchEntry
}

type matchEntry struct {
	text  []byte
	used  bool
	match bool
}

func newMemo(re *regexp.Regexp) *memo { return &memo{re: re} }

func (m *memo) match(text []byte) bool {
	if len(text) > memoLength {
		return m.re.Match(text)
	}
	if m.entries == nil {
		m.entries = make([]matchEntry, memoSize)
	}
	e := &m.entries[memoPlace(text)]
	if !e.used || string(e.text) != string(text) {
		e.text, e.used = append(e.text[:0], text...), true
		e.match = m.re.Match(text)
	}
	return e.match
}

// dates remembers the times that texts stand for.
type dates struct{ entries []dateEntry }

type dateEntry struct {
	text  []byte
	used  bool
	valid bool // a time in whole milliseconds
	time  stream.Time
}

// find gives the time of a text, by parse, which must not keep it, if it is new.
func (d *dates) find(text []byte, parse func(string) (time.Time, bool)) (stream.Time, bool) {
	if len(text) > memoLength {
		return wholeMillis(parse(borrowed(text)))
	}
	if d.entries == nil {
		d.entries = make([]dateEntry, memoSize)
	}
	e := &d.entries[memoPlace(text)]
	if !e.used || string(e.text) != string(text) {
		e.text, e.used = append(e.text[:0], text...), true
		e.time, e.valid = wholeMillis(parse(borrowed(text)))
	}
	return e.time, e.valid
}

// wholeMillis gives a time in milliseconds if it has no finer part.
func wholeMillis(t time.Time, ok bool) (stream.Time, bool) {
	if !ok || t.Nanosecond()%1e6 != 0 {
		return 0, false
	}
	return stream.Time(t.UnixMilli()), true
}
