package recordbatch

import (
	"slices"

	"tidemark/io/codec"
)

// WalkInto is [Decoder.Walk] into columns, which were made ready for the set with ResetFor.
func (d *Decoder) WalkInto(c *Columns, set []byte, from int64, aborted []Aborted) (next int64, err error) {
	d.into = c
	defer func() { d.into = nil }()
	return d.Walk(set, from, aborted, c.Add)
}

// takesPlain reports whether addPlain may be asked for the records of a batch.
func (c *Columns) takesPlain(h header) bool {
	return c != nil && c.set != nil && !c.Want.Headers && c.AppendTime == nil && h.attributes&(appendTimeBit|codecBits) == 0
}

// addPlain adds the first records of b, at most n, for as long as they are as nearly all are: with a value, without headers,
// in numbers of at most two bytes, from offset from on. It gives how many they are, where they end, and the offset to go on
// from. base is where b begins in the set. What it would have to look at more closely it leaves to [cursor.record].
func (c *Columns) addPlain(b []byte, base, n int, h header, from int64) (added, at int, next int64) {
	n = min(n, len(b)/leastRecord)
	first := len(c.Values)
	c.Values = slices.Grow(c.Values, n)
	c.Offsets = slices.Grow(c.Offsets, n)
	c.Timestamps = slices.Grow(c.Timestamps, n)
	values, offsets, times := c.Values[first:first+n], c.Offsets[first:first+n], c.Timestamps[first:first+n]
	var keys []Span
	if c.Want.Keys {
		c.Keys = slices.Grow(c.Keys, n)
		keys = c.Keys[first : first+n]
	}
	for ; added < n && len(b)-at >= leastRecord; added++ {
		size, p := short(b, at)
		stop := p + int(size>>1)
		if p < 0 || size&1 != 0 || stop > len(b) || stop-p < leastRecord-1 {
			break
		}
		r := b[:stop]
		time, p := short(r, p+1) // behind the attributes, of which none is in use
		delta, p := short(r, p)
		key, p := short(r, p)
		keySpan := Span{Len: -1}
		if key&1 == 0 {
			keySpan = Span{Off: uint32(base + p), Len: int32(key >> 1)}
			p += int(key >> 1)
		}
		length, p := short(r, p)
		last, offset := p+int(length>>1), h.base+int64(delta>>1)
		if p < 0 || length&1 != 0 || last != stop-1 || r[last] != 0 || delta&1 != 0 || offset < from || offset > h.last {
			break
		}
		r[last] = '\n' // over the number of headers
		if keys != nil {
			keys[added] = keySpan
		}
		values[added] = codec.Span{Start: uint32(base + p), End: uint32(base + last)}
		offsets[added] = offset
		times[added] = h.baseTime + (int64(time>>1) ^ -int64(time&1))
		at, from = stop, offset+1
	}
	c.Values, c.Offsets, c.Timestamps = c.Values[:first+added], c.Offsets[:first+added], c.Timestamps[:first+added]
	if c.Want.Keys {
		c.Keys = c.Keys[:first+added]
	}
	return added, at, from
}

// leastRecord is the size of a record with nothing in it, its length included.
const leastRecord = 7

// short reads a number of one or two bytes as it stands, and gives where the next one is: a place below 0 where this number
// is longer or is not all there, and for places below 0.
func short(b []byte, at int) (x uint, next int) {
	if at < 0 || at+1 >= len(b) {
		return 0, -len(b)
	}
	if x = uint(b[at]); x < 0x80 {
		return x, at + 1
	}
	y := uint(b[at+1])
	if y >= 0x80 {
		return 0, -len(b)
	}
	return x&0x7f | y<<7, at + 2
}
