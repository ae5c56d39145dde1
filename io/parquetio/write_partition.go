package parquetio

import (
	"encoding/binary"
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"tidemark/io/internal/aside"
	"tidemark/stream"
)

const (
	// gathered is how many bytes of rows wait in all partitions together before the largest is written out.
	gathered = 64 << 20
	// checked is after how many rows that is looked at; it is counted from the first row, so that where a row
	// group ends depends on the rows alone.
	checked = 4096
	// remembered is how many different keys are known by their bytes.
	remembered = 1 << 16
)

// partitions gathers rows by the folder that they belong to, and hands a folder's rows to the encoder as a row
// group: when they fill one, and the largest folder's when all together are larger than gathered.
//
// Memory: what is gathered, twice the largest folder's rows (one waits, one is encoded), the library's encoded form
// of one of them, and for each open file what its footer will say.
type partitions struct {
	columns, folders []sinkColumn
	group            int64
	encoder          *encoder

	byKey    map[string]*partition // by the bytes of the key's values
	byFolder map[string]*partition
	size     int64 // of all rows that wait
	rows     int   // since the start
	key      []byte
	touched  []*partition
}

// partition is the rows of a folder.
type partition struct {
	folder string
	slab   *slab // nil while there are none
	size   int64
	rows   []int32 // of the batch at hand
}

func newPartitions(columns, folders []sinkColumn, group int64, e *encoder) *partitions {
	return &partitions{columns: columns, folders: folders, group: group, encoder: e,
		byKey: map[string]*partition{}, byFolder: map[string]*partition{}}
}

// add takes rows of a batch.
func (p *partitions) add(b *stream.Batch, sel picked) error {
	for from, n := 0, sel.len(); from < n; {
		to := min(n, from+checked-p.rows%checked)
		if err := p.addSome(b, sel.slice(from, to)); err != nil {
			return err
		}
		p.rows += to - from
		from = to
		for p.rows%checked == 0 && p.size > gathered {
			p.handOverLargest()
		}
	}
	return nil
}

func (p *partitions) addSome(b *stream.Batch, sel picked) error {
	for i := range sel.len() {
		row := sel.row(i)
		part, err := p.partitionOf(b, row)
		if err != nil {
			return err
		}
		if len(part.rows) == 0 {
			p.touched = append(p.touched, part)
		}
		part.rows = append(part.rows, int32(row))
	}
	for _, part := range p.touched {
		if err := p.take(b, part); err != nil {
			return err
		}
		part.rows = part.rows[:0]
	}
	p.touched = p.touched[:0]
	return nil
}

// take moves a partition's rows out of the batch.
func (p *partitions) take(b *stream.Batch, part *partition) error {
	for rows := part.rows; len(rows) > 0; {
		if part.slab == nil {
			part.slab = newSlab(p.columns)
		}
		n := int(min(int64(len(rows)), p.group-int64(part.slab.n)))
		if err := part.slab.add(b, p.columns, picked{rows: rows[:n]}); err != nil {
			return err
		}
		rows = rows[n:]
		size := part.slab.size()
		p.size += size - part.size
		part.size = size
		if int64(part.slab.n) == p.group {
			p.handOver(part)
		}
	}
	return nil
}

// handOver gives a partition's rows to the encoder.
func (p *partitions) handOver(part *partition) {
	if part.slab == nil {
		return
	}
	p.encoder.tasks <- task{slab: part.slab, folder: part.folder, alone: true}
	p.size -= part.size
	part.slab, part.size = nil, 0
}

func (p *partitions) handOverLargest() {
	var largest *partition
	for _, part := range p.byFolder {
		if largest == nil || part.size > largest.size || part.size == largest.size && part.folder < largest.folder {
			largest = part
		}
	}
	p.handOver(largest)
}

func (p *partitions) handOverAll() {
	for _, folder := range slices.Sorted(maps.Keys(p.byFolder)) {
		p.handOver(p.byFolder[folder])
	}
}

// partitionOf gives the partition that a row belongs to.
func (p *partitions) partitionOf(b *stream.Batch, row int) (*partition, error) {
	p.key = p.key[:0]
	for i := range p.folders {
		p.key = appendKey(p.key, &b.Columns[p.folders[i].at], row)
	}
	if part := p.byKey[string(p.key)]; part != nil {
		return part, nil
	}
	var path []string
	for i := range p.folders {
		c := &p.folders[i]
		text, err := folderValue(b.Columns[c.at].Value(row))
		if err != nil {
			return nil, fmt.Errorf("partition_by %q: %w", c.name, err)
		}
		path = append(path, aside.Escape(c.name)+"="+text)
	}
	folder := strings.Join(path, "/")
	part := p.byFolder[folder]
	if part == nil {
		part = &partition{folder: folder}
		p.byFolder[folder] = part
	}
	if len(p.byKey) == remembered {
		clear(p.byKey)
	}
	p.byKey[string(p.key)] = part
	return part, nil
}

// appendKey appends bytes that differ where a row's values do.
func appendKey(key []byte, c *stream.Column, row int) []byte {
	switch tag := c.Tag(row); {
	case tag == stream.TagOther, tag == stream.TagOK && c.Kind == stream.Any:
		text := fmt.Sprintf("%T %v", c.Value(row), c.Value(row))
		return append(binary.AppendUvarint(append(key, 'o'), uint64(len(text))), text...)
	case tag != stream.TagOK:
		return append(key, 'n')
	}
	switch c.Kind {
	case stream.Int:
		return binary.LittleEndian.AppendUint64(append(key, 'i'), uint64(c.Ints[row]))
	case stream.Instant:
		return binary.LittleEndian.AppendUint64(append(key, 't'), uint64(c.Ints[row]))
	case stream.Float:
		return binary.LittleEndian.AppendUint64(append(key, 'f'), math.Float64bits(c.Floats[row]))
	case stream.Bool:
		if c.Bools[row] {
			return append(key, 'b', 1)
		}
		return append(key, 'b', 0)
	}
	text := c.Bytes(row)
	return append(binary.AppendUvarint(append(key, 's'), uint64(len(text))), text...)
}

// folderValue gives the value in a folder's name.
func folderValue(v any) (string, error) {
	switch x := v.(type) {
	case nil:
		return aside.NullPartition, nil
	case string:
		return aside.Escape(strings.ToValidUTF8(x, "\uFFFD")), nil
	case bool:
		return strconv.FormatBool(x), nil
	case int64:
		return strconv.FormatInt(x, 10), nil
	case float64:
		return aside.Escape(strconv.FormatFloat(x, 'g', -1, 64)), nil
	case time.Time:
		return aside.Escape(x.UTC().Format(time.RFC3339Nano)), nil
	}
	return "", fmt.Errorf("a list or an object can't name a folder; partition by text, a number or a time")
}
