package fileio

import (
	"bytes"
	"fmt"
)

// byteOrderMark is what some programs write before UTF-8 text. It is no part of the first line.
var byteOrderMark = []byte("\xef\xbb\xbf")

// magicLength is how many bytes checkMagic wants to see.
const magicLength = 4

// magics are the first bytes of files that are no lines of text, and what to do about them.
var magics = []struct{ bytes, is, advice string }{
	{"\x1f\x8b", "compressed with gzip", "write compression: auto; what is compressed twice, or followed, has to be unpacked first"},
	{"\x28\xb5\x2f\xfd", "compressed with zstd", "write compression: auto; what is compressed twice, or followed, has to be unpacked first"},
	{"PAR1", "a Parquet file", "a file source reads lines of text: use type: parquet"},
	{"\xff\xfe", "UTF-16 text", "convert it with iconv -f UTF-16 -t UTF-8"},
	{"\xfe\xff", "UTF-16 text", "convert it with iconv -f UTF-16 -t UTF-8"},
}

// checkMagic refuses an input whose first bytes say that it is no lines of text, whatever its name is.
func checkMagic(name string, head []byte) error {
	for _, m := range magics {
		if bytes.HasPrefix(head, []byte(m.bytes)) {
			return fmt.Errorf("%s is %s; %s", name, m.is, m.advice)
		}
	}
	return nil
}

// undecided reports whether an input that begins with head could still turn out to begin with one of the
// magics or a byte order mark.
func undecided(head []byte) bool {
	begins := func(magic []byte) bool { return len(head) < len(magic) && bytes.HasPrefix(magic, head) }
	for _, m := range magics {
		if begins([]byte(m.bytes)) {
			return true
		}
	}
	for _, f := range formats {
		if len(head) < magicLength && f.begins(head) {
			return true
		}
	}
	return begins(byteOrderMark)
}
