package parquetio

import (
	"encoding/binary"
	"fmt"
	"io"
	"os"

	"tidemark/io/fileio"
)

// layout is what a file's footer says, checked.
type layout struct {
	record *shape
	leaves int
	groups []rowGroup
	rows   int64
}

const (
	magic          = "PAR1"
	magicEncrypted = "PARE"
	// longestFooter is how much a footer may be; it is read whole.
	longestFooter = 1 << 30
)

// readLayout reads the footer of a file. Its errors are whole messages.
func readLayout(path string, in *os.File, size int64) (*layout, error) {
	ends, err := readEnds(path, in, size)
	if err != nil {
		return nil, err
	}
	length := int64(binary.LittleEndian.Uint32(ends))
	if length > size-12 || length > longestFooter {
		return nil, damagedError(path, "its footer is longer than the file")
	}
	data := make([]byte, length)
	if _, err := in.ReadAt(data, size-8-length); err != nil && err != io.EOF {
		return nil, fileio.OpenError(path, err)
	}
	f, ok := decodeFooter(data)
	if !ok {
		return nil, damagedError(path, "its footer can't be read")
	}
	l := &layout{groups: f.groups}
	if l.record, l.leaves, ok = shapes(f.schema); !ok {
		return nil, damagedError(path, "its schema can't be read")
	}
	for i := range l.groups {
		g := &l.groups[i]
		if g.rows < 0 || len(g.columns) != l.leaves || l.rows+g.rows < l.rows {
			return nil, damagedError(path, fmt.Sprintf("row group %d doesn't fit the schema", i))
		}
		l.rows += g.rows
	}
	if l.leaves == 0 && l.rows > 0 {
		return nil, damagedError(path, fmt.Sprintf("it has %d rows and no columns", l.rows))
	}
	return l, nil
}

// readEnds looks at what a file begins and ends with, and gives its last bytes: the footer's length and the magic.
func readEnds(path string, in *os.File, size int64) ([]byte, error) {
	if size == 0 {
		return nil, fmt.Errorf("%s is empty (0 bytes), not even a Parquet file without rows; write it again or take it out of path", path)
	}
	head, tail := make([]byte, min(4, size)), make([]byte, min(8, size))
	_, err := in.ReadAt(head, 0)
	if err == nil || err == io.EOF {
		_, err = in.ReadAt(tail, size-int64(len(tail)))
	}
	if err != nil && err != io.EOF {
		return nil, fileio.OpenError(path, err)
	}
	end := string(tail[max(0, len(tail)-4):])
	switch {
	case string(head) == magicEncrypted || end == magicEncrypted && string(head) == magic:
		return nil, fmt.Errorf("%s is encrypted; write it again without encryption", path)
	case string(head) != magic:
		return nil, fmt.Errorf("%s is no Parquet file: it begins with %q; a file of lines is read by type: file", path, head)
	case end != magic || size < 12:
		return nil, fmt.Errorf("%s is cut off: the footer at its end is missing; copy or write it again", path)
	}
	return tail, nil
}

// check makes sure that a leaf of a row group can be read from a file of a size.
func (l *layout) check(path string, group int, leaf *shape, size int64) error {
	m := &l.groups[group].columns[leaf.leaf]
	switch {
	case m.encrypted:
		return fmt.Errorf("%s: column %q is encrypted; write it again without encryption", path, leaf.name)
	case m.elsewhere:
		return fmt.Errorf("%s: column %q is in another file; write it again as one file", path, leaf.name)
	case m.physical != leaf.typ.physical, m.values < 0, m.compressed < 0, m.dataOffset < 0 || m.dataOffset > size,
		leaf.maxRep == 0 && m.values != l.groups[group].rows:
		return damagedError(path, fmt.Sprintf("column %q of row group %d doesn't fit", leaf.name, group))
	}
	return nil
}

func damagedError(path, how string) error {
	return fmt.Errorf("%s is damaged: %s; copy or write it again, or take it out of path", path, how)
}
