package recordbatch

import (
	"bytes"
	"slices"
)

// Span is a piece of a buffer: Len bytes at Off; a negative Len is null.
type Span struct {
	Off uint32
	Len int32
}

// Columns holds records side by side: the values as lines of one buffer, for a scanner of lines, and what else is known
// of the records in arrays. Line i of Lines is the value of record i, also where it is empty.
type Columns struct {
	// Want says what is wanted besides values, offsets and timestamps. It is not changed by Reset.
	Want Want
	// Lines are the values, each with a newline behind it. A newline within a value has become a carriage return: in
	// JSON both are space between tokens and an error within a string.
	Lines []byte
	// Offsets and Timestamps (milliseconds) have an element for each line.
	Offsets, Timestamps []int64
	// AppendTime tells which timestamps the broker set; nil when it set none.
	AppendTime []bool
	// Keys are pieces of Text. So are Headers, for which there is a piece of HeaderStart for each line: the headers of line i are
	// Headers[HeaderStart[i]:HeaderStart[i+1]], name and value in turn.
	Keys        []Span
	Headers     []Span
	HeaderStart []uint32
	Text        []byte
	// Tombstones counts the null values that were left out.
	Tombstones int
}

// Want says what of a record is kept besides its value.
type Want struct {
	Keys, Headers bool
	// Tombstone is the line that stands for a null value; where it is empty such records are left out and counted.
	Tombstone string
}

// Reset empties the columns.
func (c *Columns) Reset() {
	want := c.Want
	*c = Columns{
		Want: want, Lines: c.Lines[:0], Offsets: c.Offsets[:0], Timestamps: c.Timestamps[:0],
		Keys: c.Keys[:0], Headers: c.Headers[:0], HeaderStart: c.HeaderStart[:0], Text: c.Text[:0],
	}
}

// Len gives the number of lines.
func (c *Columns) Len() int { return len(c.Offsets) }

// Add appends a record, which it copies. It never fails; the error is for [Decoder.Walk].
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
	c.addLine(r.Value)
	if c.Want.Keys {
		c.Keys = append(c.Keys, c.text(r.Key))
	}
	if c.Want.Headers {
		c.addHeaders(r)
	}
	return nil
}

// Pad gives Lines with n bytes behind them within their capacity, the first a newline and the others 0, as scanners of
// lines want it.
func (c *Columns) Pad(n int) []byte {
	c.Lines = slices.Grow(c.Lines, n)
	if pad := c.Lines[len(c.Lines) : len(c.Lines)+n]; n > 0 {
		clear(pad)
		pad[0] = '\n'
	}
	return c.Lines
}

func (c *Columns) addLine(value []byte) {
	if value == nil {
		c.Lines = append(c.Lines, c.Want.Tombstone...)
		c.Lines = append(c.Lines, '\n')
		return
	}
	at := len(c.Lines)
	c.Lines = append(c.Lines, value...)
	line := c.Lines[at:]
	for {
		i := bytes.IndexByte(line, '\n')
		if i < 0 {
			break
		}
		line[i] = '\r'
		line = line[i+1:]
	}
	c.Lines = append(c.Lines, '\n')
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

// Bytes gives a piece of Text; nil where it is null. It is valid until Reset.
func (c *Columns) Bytes(s Span) []byte {
	if s.Len < 0 {
		return nil
	}
	return c.Text[s.Off : s.Off+uint32(s.Len) : s.Off+uint32(s.Len)]
}
