package recordbatch

import "testing"

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
		if string(c.Lines) != "{\"a\":\r1}\r\n\n" || c.Len() != 2 || c.Tombstones != 1 || c.Offsets[1] != 2 || c.Timestamps[1] != 3 {
			t.Errorf("%q %+v", c.Lines, c)
		}
		if string(c.Bytes(c.Keys[0])) != "k" || c.Bytes(c.Keys[1]) != nil {
			t.Errorf("%v", c.Keys)
		}
		if len(c.Headers) != 6 || c.HeaderStart[1] != 4 || c.HeaderStart[2] != 6 || c.Bytes(c.Headers[1]) != nil ||
			string(c.Bytes(c.Headers[3])) != "x" || c.Bytes(c.Headers[5]) == nil {
			t.Errorf("%v %v", c.HeaderStart, c.Headers)
		}
	}
	if padded := c.Pad(64); string(padded) != string(c.Lines) || padded[:len(padded)+1][len(padded)] != '\n' || cap(padded) < len(padded)+64 {
		t.Error("the padding is not there")
	}
	c.Want.Tombstone = "{}"
	c.Reset()
	Walk(batch, 1, nil, c.Add)
	if string(c.Lines) != "{}\n\n" || c.Len() != 2 || c.Bytes(c.Keys[0]) == nil {
		t.Errorf("%q %+v", c.Lines, c)
	}
}
