package recordbatch

import (
	"testing"

	"tidemark/io/codec"
)

func TestColumns(t *testing.T) {
	var b Builder
	b.Append(1, []byte("k"), []byte("{\"a\":\n1}\n"), []Header{{"h", nil}, {"h", []byte("x")}})
	b.Append(2, []byte{}, nil, nil)
	b.Append(3, nil, []byte{}, []Header{{"g", []byte{}}})
	batch := b.Build(nil, LZ4)
	c := Columns{Want: Want{Keys: true, Headers: true}}
	for range 2 {
		c.Reset()
		if _, err := Walk(batch, 0, nil, c.Add); err != nil {
			t.Fatal(err)
		}
		if lines(&c) != "{\"a\":\n1}\n\n\n" || c.Len() != 2 || c.Tombstones != 1 || c.Offsets[1] != 2 || c.Timestamps[1] != 3 {
			t.Errorf("%q %+v", c.Data(), c)
		}
		if string(c.Key(0)) != "k" || c.Key(1) != nil {
			t.Errorf("%v", c.Keys)
		}
		if len(c.Headers) != 6 || c.HeaderStart[1] != 4 || c.HeaderStart[2] != 6 || c.Bytes(c.Headers[1]) != nil ||
			string(c.Bytes(c.Headers[3])) != "x" || c.Bytes(c.Headers[5]) == nil {
			t.Errorf("%v %v", c.HeaderStart, c.Headers)
		}
	}
	if data := c.Data(); cap(data) < len(data)+codec.Padding {
		t.Error("the padding is not there")
	}
	c.Want.Tombstone = "{}"
	c.Reset()
	Walk(batch, 1, nil, c.Add)
	if lines(&c) != "{}\n\n" || !c.Values[0].Null || c.Values[1].Null || c.Len() != 2 || c.Key(0) == nil {
		t.Errorf("%q %+v", c.Data(), c)
	}
}

// lines gives the values, each with what is behind it.
func lines(c *Columns) string {
	var all []byte
	for _, v := range c.Values {
		all = append(all, c.Data()[v.Start:v.End+1]...)
	}
	return string(all)
}

// Values stay in their set where nothing in it is compressed and none has to be made up; headers are not harmed.
func TestColumnsInTheirSet(t *testing.T) {
	build := func(c Compression) []byte {
		var b Builder
		b.Append(1, []byte("k"), []byte("{\"a\":1}"), []Header{{"h", []byte("x")}})
		b.Append(2, nil, nil, nil)
		b.Append(3, nil, []byte{}, []Header{{"g", nil}, {"f", []byte("y")}})
		return b.Build(nil, c)
	}
	plain, next, small := build(None), build(None), build(Snappy)
	next[atBaseOffset+7], small[atBaseOffset+7] = 3, 3
	for name, test := range map[string]struct {
		set       []byte
		tombstone string
		want      string
		within    bool
	}{
		"plain":      {join(plain, next), "", "{\"a\":1}\n\n{\"a\":1}\n\n", true},
		"cut off":    {plain[:len(plain)-1], "", "", true},
		"compressed": {join(plain, small), "", "{\"a\":1}\n\n{\"a\":1}\n\n", false},
		"tombstones": {plain, "{}", "{\"a\":1}\n{}\n\n", false},
	} {
		c := Columns{Want: Want{Keys: true, Headers: true, Tombstone: test.tombstone}}
		set := append(make([]byte, 0, len(test.set)+codec.Padding), test.set...)
		c.ResetFor(set)
		if _, err := Walk(set, 0, nil, c.Add); err != nil {
			t.Fatal(err)
		}
		if got := lines(&c); got != test.want || cap(c.Data()) < len(c.Data())+codec.Padding {
			t.Errorf("%s: %q", name, got)
		}
		if n := c.Len(); n > 0 && (&c.Data()[0] == &set[0]) != test.within {
			t.Errorf("%s: in the set: %v", name, !test.within)
		} else if n > 0 && (string(c.Bytes(c.Headers[1])) != "x" || string(c.Bytes(c.Headers[len(c.Headers)-1])) != "y") {
			t.Errorf("%s: %v", name, c.Headers)
		}
	}
}
