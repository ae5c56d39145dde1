package recordbatch

import (
	"fmt"
	"strings"
)

// Compression is a codec of record batches.
type Compression int8

// The codecs, with the numbers that they have in a batch.
const (
	None   Compression = 0
	Gzip   Compression = 1
	Snappy Compression = 2
	LZ4    Compression = 3
	Zstd   Compression = 4
)

var compressionNames = [...]string{"none", "gzip", "snappy", "lz4", "zstd"}

// CompressionNames gives the names that [ParseCompression] knows.
func CompressionNames() []string { return compressionNames[:] }

// ParseCompression gives the codec of a name.
func ParseCompression(name string) (Compression, error) {
	for i, known := range compressionNames {
		if name == known {
			return Compression(i), nil
		}
	}
	return None, fmt.Errorf("compression %q is not one of %s", name, strings.Join(compressionNames[:], ", "))
}

// String gives the name of the codec.
func (c Compression) String() string {
	if c < 0 || int(c) >= len(compressionNames) {
		return fmt.Sprintf("codec %d", int8(c))
	}
	return compressionNames[c]
}
