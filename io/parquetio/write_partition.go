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
	// gatheredBytes is how many bytes of rows wait in all partitions together before the largest is written out.
	gatheredBytes = 32 << 20
	// gatherRows is after how many rows that is looked at; it is counted from the first row, so that where a row
	// group ends depends on the rows alone.
	gatherRows = 4096
	// shareRows is how many rows a slab of a folder has. A folder's last slab may be almost empty.
	shareRows = 128
	// remembered is how many different keys are known by their bytes.
	remembered = 1 << 16
)

// splitter gathers rows by the folder that they belong to, and hands a folder's rows to the encoder as a row
// group: when they fill one, and the largest folder's when all together are larger than gatheredBytes.
//
// Memory: gatheredBytes and the texts of gatherRows rows, twice the largest folder's rows (one waits, one is
// encoded), the library's encoded form of one of them, and about 100 kB for each open file. Writing seven columns
// to 100 folders in turn holds 60 MB, and 160 MB at most with what is not collected yet (BenchmarkPartitions).
type splitter struct {
	columns, folders []sinkColumn
	group            int64
	encoder          *encoder

	byKey    map[string]*share // by the bytes of the key's values
	byFolder map[string]*share
	size     int64 // of all rows that wait
	slabSize int64 // of one slab, without texts
	rows     int   // since the start
	key      []byte
	touched  []*share
}

// share is the rows of a folder.
type share struct {
	folder string
	slabs  []*slab
	n      int     // rows in the slabs
	size   int64   // of the slabs
	rows   []int32 // of the batch at hand
}

func newSplitter(columns, folders []sinkColumn, group int64, e *encoder) *splitter {
	return &splitter{columns: columns, folders: folders, group: group, encoder: e, slabSize: slabSizeOf(columns),
		byKey: map[string]*share{}, byFolder: map[string]*share{}}
}

// add takes rows of a batch.
func (p *splitter) add(b *stream.Batch, sel picked) error {
	for from, n := 0, sel.len(); from < n; {
		to := min(n, from+gatherRows-p.rows%gatherRows)
		if err := p.addSome(b, sel.slice(from, to)); err != nil {
			return err
		}
		p.rows += to - from
		from = to
		for p.rows%gatherRows == 0 && p.size > gatheredBytes {
			p.handOverLargest()
		}
	}
	return nil
}

func (p *splitter) addSome(b *stream.Batch, sel picked) error {
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
func (p *splitter) take(b *stream.Batch, part *share) error {
	for rows := part.rows; len(rows) > 0; {
		if part.n%shareRows == 0 {
			part.slabs = append(part.slabs, p.encoder.empty())
			p.grow(part, p.slabSize)
		}
		last := part.slabs[len(part.slabs)-1]
		text := last.textSize()
		n := int(min(int64(len(rows)), shareRows-int64(last.n), p.group-int64(part.n)))
		if err := last.add(b, p.columns, picked{rows: rows[:n]}); err != nil {
			return err
		}
		rows = rows[n:]
		part.n += n
		p.grow(part, last.textSize()-text)
		if int64(part.n) == p.group {
			p.handOver(part)
		}
	}
	return nil
}

func (p *splitter) grow(part *share, bytes int64) {
	part.size += bytes
	p.size += bytes
}

// slabSizeOf is how much memory a slab takes without its texts, about. What counts is that it always is the same.
func slabSizeOf(columns []sinkColumn) int64 {
	var size int64
	for range columns {
		size += 9*shareRows + 256
	}
	return size
}

// handOver gives a partition's rows to the encoder.
func (p *splitter) handOver(part *share) {
	if part.n == 0 {
		return
	}
	p.encoder.tasks <- task{slabs: part.slabs, folder: part.folder, alone: true}
	p.size -= part.size
	part.slabs, part.n, part.size = nil, 0, 0
}

func (p *splitter) handOverLargest() {
	var largest *share
	for _, part := range p.byFolder {
		if largest == nil || part.size > largest.size || part.size == largest.size && part.folder < largest.folder {
			largest = part
		}
	}
	p.handOver(largest)
}

func (p *splitter) handOverAll() {
	for _, folder := range slices.Sorted(maps.Keys(p.byFolder)) {
		p.handOver(p.byFolder[folder])
	}
}

// partitionOf gives the partition that a row belongs to.
func (p *splitter) partitionOf(b *stream.Batch, row int) (*share, error) {
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
		part = &share{folder: folder}
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
