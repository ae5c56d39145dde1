package recordbatch

import (
	"cmp"
)

// Decoder walks over record sets. It keeps the buffers that decompression needs; one goroutine at a time may use it.
// The zero value is ready.
type Decoder struct {
	// Limit is the most bytes that a batch may have when it is decompressed; 0 stands for 256 MiB.
	Limit int

	plain   inflater
	aborted []Aborted      // by first offset
	begun   int            // how many of them have begun
	rolled  map[int64]bool // producers inside a transaction that will be aborted
	record  Record
	into    *Columns // of WalkInto
	at      int      // where the records of the batch begin in the set; -1 where they are compressed
}

// Walk calls each with the records of a set from offset from on, in order, and gives the offset to go on from: behind
// everything that the set's complete batches cover, markers and records left out included. aborted are the transactions
// that a fetch at read_committed named; nil lets all records through.
//
// An error of each ends the walk; next is then the offset of the record it was called with. A *CorruptError or
// *FormatError is about the batch at next.
func (d *Decoder) Walk(set []byte, from int64, aborted []Aborted, each func(*Record) error) (next int64, err error) {
	d.begin(aborted)
	for whole := len(set); ; {
		size, ok, err := complete(set)
		if !ok || err != nil {
			return from, err
		}
		h := readHeader(set, size)
		if h.last >= from {
			d.at = whole - len(set) + headerSize
			from, err = d.batch(set[:size], h, from, each)
		} else {
			err = d.pass(set[:size], h)
		}
		if err != nil {
			return from, err
		}
		set = set[size:]
	}
}

// Walk is [Decoder.Walk] with a decoder of its own.
func Walk(set []byte, from int64, aborted []Aborted, each func(*Record) error) (next int64, err error) {
	return new(Decoder).Walk(set, from, aborted, each)
}

// pass goes over a batch of which nothing is wanted.
func (d *Decoder) pass(b []byte, h header) error {
	d.hidden(h)
	if h.attributes&controlBit != 0 {
		return d.marker(b[headerSize:], h)
	}
	return nil
}

// batch walks over one batch.
func (d *Decoder) batch(b []byte, h header, from int64, each func(*Record) error) (next int64, err error) {
	if !intact(b) {
		return from, &CorruptError{h.base, "its checksum is wrong"}
	}
	if h.last < h.base || h.count < 0 {
		return from, &CorruptError{h.base, "its header is impossible"}
	}
	hidden := d.hidden(h)
	if h.attributes&controlBit != 0 {
		return h.last + 1, d.marker(b[headerSize:], h)
	}
	if hidden || h.count == 0 {
		return h.last + 1, nil
	}
	records := b[headerSize:]
	if codec := Compression(h.attributes & codecBits); codec != None {
		if records, err = d.plain.inflate(codec, records, cmp.Or(d.Limit, 256<<20)); err != nil {
			return from, &CorruptError{h.base, "it can not be decompressed: " + err.Error()}
		}
		d.at = -1
	}
	return d.records(records, h, from, each)
}

// records walks over the records of a batch.
func (d *Decoder) records(b []byte, h header, from int64, each func(*Record) error) (next int64, err error) {
	r := &d.record
	*r = Record{}
	if h.attributes&appendTimeBit != 0 {
		r.TimestampType = LogAppendTime
	}
	c := cursor{b: b}
	plain := d.into.takesPlain(h)
	for left := h.count; left > 0; left-- {
		if plain {
			added, size, next := d.into.addPlain(b[c.at:], d.at+c.at, left, h, from)
			c.at, from = c.at+size, next
			if left -= added; left == 0 {
				break
			}
		}
		size := c.varint()
		if c.broken || size < 0 || size > int64(len(b)-c.at) {
			return from, &CorruptError{h.base, "a record is longer than it"}
		}
		end := c.at + int(size)
		one := cursor{b: b[:end], at: c.at}
		if !one.record(r, h) {
			return from, &CorruptError{h.base, "a record in it is not readable"}
		}
		c.at = end
		if r.Offset < from { // brokers give whole batches
			continue
		}
		if r.At = -1; d.at >= 0 {
			r.At = d.at + r.valueAt
		}
		if err := each(r); err != nil {
			return r.Offset, err
		}
		from = r.Offset + 1
	}
	if c.at != len(b) {
		return from, &CorruptError{h.base, "it has more bytes than records"}
	}
	return h.last + 1, nil
}

// record reads a record that ends where the cursor's bytes do, and reports whether it could be one.
func (c *cursor) record(r *Record, h header) bool {
	c.at++ // attributes, of which none is in use
	r.Timestamp = h.baseTime + c.varint()
	if r.TimestampType == LogAppendTime {
		r.Timestamp = h.maxTime
	}
	delta := c.varint()
	r.Offset = h.base + delta
	r.Key = c.bytes()
	r.keyAt = c.at - len(r.Key)
	r.Value = c.bytes()
	r.valueAt = c.at - len(r.Value)
	n := c.varint()
	if c.broken || delta < 0 || r.Offset > h.last || n < 0 || n > int64(len(c.b)-c.at) {
		return false
	}
	r.HeaderCount = int(n)
	r.headers = c.b[c.at:]
	for range n {
		if c.bytes() == nil { // a name is never null
			return false
		}
		c.bytes()
	}
	return !c.broken && c.at == len(c.b)
}
