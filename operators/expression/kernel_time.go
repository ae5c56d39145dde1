package expression

import (
	"time"

	"tidemark/stream"
)

// timeCall is time(x, unit) with a constant unit.
type timeCall struct {
	arg    kernel
	digits int
	out    stream.Column
}

func (k *timeCall) eval(f frame, rows []int32) *stream.Column {
	a := k.arg.eval(f, rows)
	if a.Kind == stream.Instant {
		start(stream.Instant, f, &k.out, a, rows)
		copyPlain(&k.out, a, rows)
		return &k.out
	}
	if a.Kind != stream.Int && a.Kind != stream.Float {
		return redoAll(&k.out, stream.Instant, f.n, rows)
	}
	start(stream.Instant, f, &k.out, a, rows)
	for _, r := range rows {
		if !ok(&k.out, r) {
			continue
		}
		var t stream.Time
		var valid bool
		if a.Kind == stream.Int {
			t, valid = millis(a.Ints[r], k.digits)
		} else {
			t, valid = millisFloat(a.Floats[r], k.digits)
		}
		if !valid {
			leave(&k.out, f.n, r)
			continue
		}
		k.out.Ints[r] = int64(t)
	}
	return &k.out
}

// dateCall is date(text), or date(text, layout) with a constant layout. Times are remembered by their text.
type dateCall struct {
	arg     kernel
	parse   func(string) (time.Time, bool)
	rfc3339 bool // RFC 3339 in UTC is among what is read
	seen    dates
	out     stream.Column
}

func (k *dateCall) eval(f frame, rows []int32) *stream.Column {
	a := k.arg.eval(f, rows)
	if a.Kind != stream.String {
		return redoAll(&k.out, stream.Instant, f.n, rows)
	}
	start(stream.Instant, f, &k.out, a, rows)
	for _, r := range rows {
		if !ok(&k.out, r) {
			continue
		}
		b := a.Bytes(int(r))
		var t stream.Time
		valid := false
		if k.rfc3339 {
			t, valid = parseUTC(b)
		}
		if !valid {
			t, valid = k.seen.find(b, k.parse)
		}
		if !valid {
			leave(&k.out, f.n, r)
			continue
		}
		k.out.Ints[r] = int64(t)
	}
	return &k.out
}

// dateLayouts are those that date(text) tries, in its order.
var dateLayouts = []string{"2006-01-02", "15:04:05", "2006-01-02 15:04:05", time.RFC3339, time.RFC822, time.RFC850, time.RFC1123}

func parseDate(text string) (time.Time, bool) {
	for _, layout := range dateLayouts {
		if t, err := time.Parse(layout, text); err == nil {
			return t, true
		}
	}
	return time.Time{}, false
}
