package parquetio

import "encoding/binary"

// thrift reads Thrift's compact protocol from bytes. After a fault it gives zeros and bad stays set, so that callers
// look once at the end. No count is believed beyond the bytes that are left.
type thrift struct {
	data []byte
	at   int
	bad  bool
	// short says that the fault was the end of the data: with more of it there might be none.
	short bool
	depth int
}

// The compact protocol's types of values.
const (
	thriftStop   = 0
	thriftTrue   = 1
	thriftFalse  = 2
	thriftByte   = 3
	thriftI16    = 4
	thriftI32    = 5
	thriftI64    = 6
	thriftDouble = 7
	thriftBinary = 8
	thriftList   = 9
	thriftSet    = 10
	thriftMap    = 11
	thriftStruct = 12
)

// thriftDepth is how deep structs and lists may be in one another.
const thriftDepth = 64

func (t *thrift) fail() {
	t.bad = true
	t.at = len(t.data)
}

func (t *thrift) end() {
	t.short = t.short || !t.bad
	t.fail()
}

func (t *thrift) byte() byte {
	if t.at >= len(t.data) {
		t.end()
		return 0
	}
	t.at++
	return t.data[t.at-1]
}

func (t *thrift) uvarint() uint64 {
	v, n := binary.Uvarint(t.data[t.at:])
	switch {
	case n == 0:
		t.end()
	case n < 0:
		t.fail()
	default:
		t.at += n
	}
	return v
}

// int reads an integer of any width.
func (t *thrift) int() int64 {
	u := t.uvarint()
	return int64(u>>1) ^ -int64(u&1)
}

func (t *thrift) bytes() []byte {
	n := t.uvarint()
	if n > uint64(len(t.data)-t.at) {
		t.end()
		return nil
	}
	t.at += int(n)
	return t.data[t.at-int(n) : t.at : t.at]
}

// fields reads a struct. read is given each field's number and type and reports whether it has read the value.
func (t *thrift) fields(read func(id int64, kind byte) bool) {
	if t.depth++; t.depth > thriftDepth {
		t.fail()
	}
	id := int64(0)
	for !t.bad {
		head := t.byte()
		if head == thriftStop {
			break
		}
		if delta := head >> 4; delta != 0 {
			id += int64(delta)
		} else {
			id = t.int()
		}
		if kind := head & 15; !t.bad && !read(id, kind) {
			t.skip(kind)
		}
	}
	t.depth--
}

// list reads the head of a list and calls read for each element. Elements of another type are skipped.
func (t *thrift) list(want byte, read func()) {
	kind, n := t.listHead()
	for i := 0; i < n && !t.bad; i++ {
		if kind == want {
			read()
		} else {
			t.skipElement(kind)
		}
	}
}

func (t *thrift) listHead() (kind byte, n int) {
	head := t.byte()
	size := uint64(head >> 4)
	if size == 15 {
		size = t.uvarint()
	}
	if size > uint64(len(t.data)-t.at) { // an element is a byte at least
		t.end()
		return 0, 0
	}
	return head & 15, int(size)
}

// skip passes over a field's value.
func (t *thrift) skip(kind byte) {
	switch kind {
	case thriftTrue, thriftFalse:
	case thriftByte:
		t.byte()
	case thriftI16, thriftI32, thriftI64:
		t.uvarint()
	case thriftDouble:
		for range 8 {
			t.byte()
		}
	case thriftBinary:
		t.bytes()
	case thriftStruct:
		t.fields(func(int64, byte) bool { return false })
	case thriftList, thriftSet, thriftMap:
		t.skipMany(kind)
	default:
		t.fail()
	}
}

func (t *thrift) skipMany(kind byte) {
	if t.depth++; t.depth > thriftDepth {
		t.fail()
	}
	if kind != thriftMap {
		element, n := t.listHead()
		for i := 0; i < n && !t.bad; i++ {
			t.skipElement(element)
		}
	} else if n := t.uvarint(); n > 0 {
		kinds := t.byte()
		for i := uint64(0); i < n && !t.bad; i++ {
			t.skipElement(kinds >> 4)
			t.skipElement(kinds & 15)
		}
	}
	t.depth--
}

// skipElement passes over an element, which unlike a field has a byte for true or false.
func (t *thrift) skipElement(kind byte) {
	if kind == thriftTrue || kind == thriftFalse {
		t.byte()
		return
	}
	t.skip(kind)
}
