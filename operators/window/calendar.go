package window

import (
	"math/bits"

	"tidemark/stream"
)

// filing says when to look at a session again. It is out of date when the session has another generation, or
// is filed for another time.
type filing struct {
	at             stream.Time
	id, generation uint32
}

const calendarBuckets = 512

// calendar is a queue by time, made for many filings not far ahead: a ring of buckets that are sorted only
// when their time comes. A bucket is about a 128th of the gap wide.
type calendar struct {
	shift uint
	// current is the bucket up to which all filings are in due.
	current int64
	due     heap[filing]
	ring    [calendarBuckets][]filing // the buckets after current, by number modulo the size
	used    [calendarBuckets / 64]uint64
	far     heap[filing] // those beyond the ring when they were filed
	size    int
}

func newCalendar(gap int64) calendar {
	return calendar{shift: uint(bits.Len64(uint64(gap / 128)))}
}

func (c *calendar) file(f filing) {
	bucket := int64(f.at) >> c.shift
	if c.size == 0 {
		c.current = bucket - 1
	}
	c.size++
	switch {
	case bucket <= c.current:
		c.due.push(f.at, 0, f)
	case bucket-c.current < calendarBuckets:
		i := bucket & (calendarBuckets - 1)
		c.ring[i] = append(c.ring[i], f)
		c.used[i/64] |= 1 << (i % 64)
	default:
		c.far.push(f.at, 0, f)
	}
}

// nextBucket gives the first bucket after current with something in it.
func (c *calendar) nextBucket() (bucket int64, ok bool) {
	if len(c.far.items) > 0 {
		bucket, ok = int64(c.far.items[0].at)>>c.shift, true
	}
	first := (c.current + 1) & (calendarBuckets - 1)
	for i := range int64(len(c.used) + 1) {
		word := (first/64 + i) % int64(len(c.used))
		used := c.used[word]
		if i == 0 {
			used &= ^uint64(0) << (first % 64)
		}
		if used == 0 {
			continue
		}
		at := word*64 + int64(bits.TrailingZeros64(used))
		inRing := c.current + 1 + (at-first)&(calendarBuckets-1)
		if !ok || inRing < bucket {
			bucket = inRing
		}
		return bucket, true
	}
	return bucket, ok
}

// next gives a time before which nothing is due, as late as is easily known.
func (c *calendar) next() stream.Time {
	if len(c.due.items) > 0 {
		return c.due.items[0].at
	}
	if c.size == 0 {
		return stream.MaxTime
	}
	bucket, _ := c.nextBucket()
	return stream.Time(bucket << c.shift)
}

// pop takes out the first filing if it is due.
func (c *calendar) pop(now stream.Time) (filing, bool) {
	for c.size > 0 {
		if len(c.due.items) > 0 {
			if !c.due.due(now) {
				break
			}
			c.size--
			return c.due.pop(), true
		}
		bucket, _ := c.nextBucket()
		if stream.Time(bucket<<c.shift) > now {
			break
		}
		c.turnTo(bucket)
	}
	return filing{}, false
}

// turnTo makes a bucket the current one.
func (c *calendar) turnTo(bucket int64) {
	within := bucket-c.current < calendarBuckets
	c.current = bucket
	if i := bucket & (calendarBuckets - 1); within {
		for _, f := range c.ring[i] {
			c.due.push(f.at, 0, f)
		}
		c.ring[i] = c.ring[i][:0]
		c.used[i/64] &^= 1 << (i % 64)
	}
	for len(c.far.items) > 0 && int64(c.far.items[0].at)>>c.shift <= bucket {
		f := c.far.pop()
		c.due.push(f.at, 0, f)
	}
}

// reset drops everything.
func (c *calendar) reset() {
	c.due.items, c.far.items, c.size = c.due.items[:0], c.far.items[:0], 0
	for i := range c.ring {
		c.ring[i] = c.ring[i][:0]
	}
	clear(c.used[:])
}

func (c *calendar) bytes() (n int64) {
	for i := range c.ring {
		n += int64(16 * cap(c.ring[i]))
	}
	return n + int64(32*(cap(c.due.items)+cap(c.far.items)))
}
