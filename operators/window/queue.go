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

const queueBuckets = 512

// queue gives filings out by time. It is a calendar queue, made for many filings not far ahead: a ring of buckets
// that are sorted only when their time comes. A bucket is about a 128th of the gap wide.
type queue struct {
	shift uint
	// current is the bucket up to which all filings are in due.
	current int64
	due     heap[filing]
	ring    [queueBuckets][]filing // the buckets after current, by number modulo the size
	used    [queueBuckets / 64]uint64
	far     heap[filing] // those beyond the ring when they were filed
	turned  []filing
	size    int
}

func newQueue(gap int64) queue {
	return queue{shift: uint(bits.Len64(uint64(gap / 128))), current: int64(-beyond)}
}

func (c *queue) file(f filing) {
	bucket := int64(f.at) >> c.shift
	if c.size == 0 && bucket > c.current {
		c.current = bucket - 1
	}
	c.size++
	switch {
	case bucket <= c.current:
		c.due.push(f.at, 0, f)
	case bucket-c.current < queueBuckets:
		i := bucket & (queueBuckets - 1)
		c.ring[i] = append(c.ring[i], f)
		c.used[i/64] |= 1 << (i % 64)
	default:
		c.far.push(f.at, 0, f)
	}
}

// nextBucket gives the first bucket after current with something in it.
func (c *queue) nextBucket() (bucket int64, ok bool) {
	if len(c.far.items) > 0 {
		bucket, ok = int64(c.far.items[0].at)>>c.shift, true
	}
	first := (c.current + 1) & (queueBuckets - 1)
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
		inRing := c.current + 1 + (at-first)&(queueBuckets-1)
		if !ok || inRing < bucket {
			bucket = inRing
		}
		return bucket, true
	}
	return bucket, ok
}

// next gives a time before which nothing is due, as late as is easily known.
func (c *queue) next() stream.Time {
	if len(c.due.items) > 0 {
		return c.due.items[0].at
	}
	if c.size == 0 {
		return stream.MaxTime
	}
	bucket, _ := c.nextBucket()
	return stream.Time(bucket << c.shift)
}

// turn makes the first bucket with something in it the current one, if its time has come and the one before is
// done. It takes out what is in it, to be filed anew, and gives nil if there is no such bucket.
func (c *queue) turn(now stream.Time) []filing {
	if c.size == 0 || len(c.due.items) > 0 {
		return nil
	}
	bucket, _ := c.nextBucket()
	if stream.Time(bucket<<c.shift) > now {
		return nil
	}
	c.turned = c.turned[:0]
	if i := bucket & (queueBuckets - 1); bucket-c.current < queueBuckets {
		c.turned, c.ring[i] = c.ring[i], c.turned
		c.used[i/64] &^= 1 << (i % 64)
	}
	for len(c.far.items) > 0 && int64(c.far.items[0].at)>>c.shift <= bucket {
		c.turned = append(c.turned, c.far.pop())
	}
	c.current = bucket
	c.size -= len(c.turned)
	return c.turned
}

// pop takes the first filing out of the current bucket, if it is due.
func (c *queue) pop(now stream.Time) (filing, bool) {
	if !c.due.due(now) {
		return filing{}, false
	}
	c.size--
	return c.due.pop(), true
}

// reset drops everything.
func (c *queue) reset() {
	c.due.items, c.far.items, c.size, c.current = c.due.items[:0], c.far.items[:0], 0, int64(-beyond)
	for i := range c.ring {
		c.ring[i] = c.ring[i][:0]
	}
	clear(c.used[:])
}

func (c *queue) bytes() (n int64) {
	for i := range c.ring {
		n += int64(16 * cap(c.ring[i]))
	}
	return n + int64(32*(cap(c.due.items)+cap(c.far.items)))
}
