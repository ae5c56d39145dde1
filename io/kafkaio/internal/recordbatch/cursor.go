package recordbatch

// cursor reads the fields of records. After something impossible it is broken, and gives zero values.
type cursor struct {
	b      []byte
	at     int
	broken bool
}

// varint reads a zigzag number of variable length. Most have one or two bytes.
func (c *cursor) varint() int64 {
	if at := c.at; at+1 < len(c.b) {
		x := uint64(c.b[at])
		if x < 0x80 {
			c.at = at + 1
			return int64(x>>1) ^ -int64(x&1)
		}
		if y := uint64(c.b[at+1]); y < 0x80 {
			c.at = at + 2
			return int64(y<<6|x&0x7f>>1) ^ -int64(x&1)
		}
	}
	return c.longVarint()
}

func (c *cursor) longVarint() int64 {
	var x uint64
	for shift, i := uint(0), c.at; i < len(c.b) && shift < 64; shift, i = shift+7, i+1 {
		x |= uint64(c.b[i]&0x7f) << shift
		if c.b[i] < 0x80 {
			c.at = i + 1
			return int64(x>>1) ^ -int64(x&1)
		}
	}
	c.fail()
	return 0
}

// bytes reads a length and so many bytes; a negative length is nil.
func (c *cursor) bytes() []byte {
	n := c.varint()
	if n < 0 {
		return nil
	}
	if n > int64(len(c.b)-c.at) {
		c.fail()
		return nil
	}
	p := c.at
	c.at += int(n)
	return c.b[p:c.at:c.at]
}

func (c *cursor) fail() {
	c.broken = true
	c.at = len(c.b)
}
