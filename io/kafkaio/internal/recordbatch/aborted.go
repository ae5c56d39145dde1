package recordbatch

import (
	"cmp"
	"encoding/binary"
	"slices"
)

// begin gets ready for a set and the transactions in it that were aborted.
func (d *Decoder) begin(aborted []Aborted) {
	d.aborted, d.begun = append(d.aborted[:0], aborted...), 0
	slices.SortFunc(d.aborted, func(a, b Aborted) int { return cmp.Compare(a.FirstOffset, b.FirstOffset) })
	clear(d.rolled)
}

// hidden reports whether a batch belongs to a transaction that was aborted. Batches have to be asked about in order.
func (d *Decoder) hidden(h header) bool {
	for d.begun < len(d.aborted) && d.aborted[d.begun].FirstOffset <= h.last {
		if d.rolled == nil {
			d.rolled = make(map[int64]bool)
		}
		d.rolled[d.aborted[d.begun].ProducerID] = true
		d.begun++
	}
	return h.attributes&transactionalBit != 0 && d.rolled[h.producerID]
}

// marker takes note of the end of a transaction. The key of the marker's record is its version and type, two bytes
// each; other types than commit and abort end nothing here.
func (d *Decoder) marker(b []byte, h header) error {
	if h.count == 0 {
		return nil // compaction left the batch without it
	}
	c := cursor{b: b}
	size := c.varint()
	if c.broken || size < 0 || size > int64(len(b)-c.at) {
		return &CorruptError{h.base, "the marker of a transaction is not readable"}
	}
	c.b = b[:c.at+int(size)]
	c.at++
	c.varint()
	c.varint()
	key := c.bytes()
	if c.broken || len(key) < 4 {
		return &CorruptError{h.base, "the marker of a transaction is not readable"}
	}
	if binary.BigEndian.Uint16(key[2:]) == markerAbort {
		delete(d.rolled, h.producerID)
	}
	return nil
}
