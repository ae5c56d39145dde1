package recordbatch

import (
	"slices"

	"tidemark/io/codec"
)

// Span is a piece of a buffer: Len bytes at Off; a negative Len is null.
type Span struct {
	Off uint32
	Len int32
}

// Columns holds records side by side: the values as pieces of one buffer, for a scanner, and what else is known of the
// records in arrays. Values are left in the set that they come in where that is possible, and copied where it is not.
type Columns struct {
	// Want says what is wanted besides values, offsets and timestamps. It is not changed by Reset.
	Want Want
	// Values are pieces of Data, each with a newline behind it.
	Values []codec.Span
	// Offsets and Timestamps (milliseconds) have an element for each value.
	Offsets, Timestamps []int64
	// AppendTime tells which timestamps the broker set; nil when it set none.
	AppendTime []bool
	// Keys are pieces of KeyText. Headers are pieces of Text, and there is an element of HeaderStart for each value: the headers of
	// value i are Headers[HeaderStart[i]:HeaderStart[i+1]], name and value in turn.
	Keys        []Span
	Headers     []Span
	HeaderStart []uint32
	Text        []byte
	// set is where values are left, nil where they are copied to the buffer.
	set, buffer []byte
	// Tombstones counts the null values that were left out.
	Tombstones int
}

// Want says what of a record is kept besides its value.
type Want struct {
	Keys, Headers bool
	// Tombstone is the value that stands for a null value; where it is empty such records are left out and counted.
	Tombstone string
}

// Reset empties the columns.
func (c *Columns) Reset() {
	want := c.Want
	*c = Columns{
		Want: want, Values: c.Values[:0], buffer: c.buffer[:0], Offsets: c.Offsets[:0], Timestamps: c.Timestamps[:0],
		Keys: c.Keys[:0], Headers: c.Headers[:0], HeaderStart: c.HeaderStart[:0], Text: c.Text[:0],
	}
}

// ResetFor empties the columns for the records of a set, which must stay as it is for as long as the columns are used,
// since values may be left in it: the newline behind one is written over the number of the record's headers, so that the
// set can be walked over only once.
func (c *Columns) ResetFor(set []byte) {
	c.Reset()
	if c.Want.Tombstone == "" && !Compressed(set) {
		c.set = set
	}
}

// Len gives the number of values.
func (c *Columns) Len() int { return len(c.Offsets) }

// Data gives what Values are pieces of, up to the newline of the last one, with padding behind it as scanners want it.
func (c *Columns) Data() []byte {
	data := c.set
	if data == nil {
		c.buffer = slices.Grow(c.buffer, codec.Padding)
		data = c.buffer
	}
	end := uint32(0)
	if n := len(c.Values); n > 0 {
		end = c.Values[n-1].End + 1
	}
	return data[:end]
}

// Add appends a record, which it copies but for what stays in the set. It never fails; the error is for [Decoder.Walk].
func (c *Columns) Add(r *Record) error {
	if r.Value == nil && c.Want.Tombstone == "" {
		c.Tombstones++
		return nil
	}
	if r.TimestampType == LogAppendTime && c.AppendTime == nil {
		c.AppendTime = make([]bool, len(c.Offsets))
	}
	if c.AppendTime != nil {
		c.AppendTime = append(c.AppendTime, r.TimestampType == LogAppendTime)
	}
	c.Offsets = append(c.Offsets, r.Offset)
	c.Timestamps = append(c.Timestamps, r.Timestamp)
	c.addValue(r)
	if c.Want.Keys {
		c.addKey(r)
	}
	if c.Want.Headers {
		c.addHeaders(r)
	}
	return nil
}

func (c *Columns) addValue(r *Record) {
	if c.set != nil {
		end := r.At + len(r.Value)
		c.set[end] = '\n'
		c.Values = append(c.Values, codec.Span{Start: uint32(r.At), End: uint32(end)})
		return
	}
	start, null := uint32(len(c.buffer)), r.Value == nil
	if null {
		c.buffer = append(c.buffer, c.Want.Tombstone...)
	} else {
		c.buffer = append(c.buffer, r.Value...)
	}
	c.Values = append(c.Values, codec.Span{Start: start, End: uint32(len(c.buffer)), Null: null})
	c.buffer = append(c.buffer, '\n')
}

func (c *Columns) addKey(r *Record) {
	if c.set == nil || r.Key == nil {
		c.Keys = append(c.Keys, c.text(r.Key))
		return
	}
	at := r.At - r.valueAt + r.keyAt
	c.Keys = append(c.Keys, Span{Off: uint32(at), Len: int32(len(r.Key))})
}

func (c *Columns) addHeaders(r *Record) {
	if len(c.HeaderStart) == 0 {
		c.HeaderStart = append(c.HeaderStart, 0)
	}
	r.EachHeader(func(name, value []byte) bool {
		c.Headers = append(c.Headers, c.text(name), c.text(value))
		return true
	})
	c.HeaderStart = append(c.HeaderStart, uint32(len(c.Headers)))
}

func (c *Columns) text(b []byte) Span {
	if b == nil {
		return Span{Len: -1}
	}
	s := Span{Off: uint32(len(c.Text)), Len: int32(len(b))}
	c.Text = append(c.Text, b...)
	return s
}

// KeyText gives what Keys are pieces of: the set, where values are left in it too. It is valid for as long as they are.
func (c *Columns) KeyText() []byte {
	if c.set != nil {
		return c.set[:len(c.set):len(c.set)]
	}
	return c.Text
}

// Key gives the key of value i; nil where it is null. It is valid for as long as the values are.
func (c *Columns) Key(i int) []byte { return piece(c.KeyText(), c.Keys[i]) }

// Bytes gives a piece of Text; nil where it is null. It is valid until Reset.
func (c *Columns) Bytes(s Span) []byte { return piece(c.Text, s) }

func piece(text []byte, s Span) []byte {
	if s.Len < 0 {
		return nil
	}
	return text[s.Off : s.Off+uint32(s.Len) : s.Off+uint32(s.Len)]
}
