package parquetio

import (
	"context"
	"fmt"
	"io"
	"io/fs"
	"os"
	"sort"
	"sync"
	"sync/atomic"

	"tidemark/io/codec"
	"tidemark/io/connector"
	"tidemark/io/fileio"
)

const (
	// pieceRows is how many rows a chunk has at most.
	pieceRows = 131_072
	// pieceBytes is about how much a chunk has at most of the columns asked for; below smallestPiece rows nothing
	// is cut.
	pieceBytes    = 32 << 20
	smallestPiece = 1024
)

// fileSet is what the partitions of a source have in common.
type fileSet struct {
	columns []codec.Column
	wants   []want
}

// partition is a file.
type partition struct {
	path string
	set  *fileSet

	// The rest is known when the first chunk is, and let go of after the last one, as there may be many files.
	layout   *layout
	seen     fs.FileInfo
	accesses []access // by column
	starts   []int64  // the first row of each row group
	pieces   []int64  // rows of its chunks

	index, group, row int64 // of the next chunk; row counts within the row group
	ended             atomic.Bool
	left              atomic.Int64 // chunks that were claimed and are not loaded yet
	let               sync.Once

	mu     sync.Mutex
	tables map[[2]int]*pageTable // by row group and leaf
}

var _ connector.ColumnPartition = (*partition)(nil)

// Name implements [connector.ColumnPartition].
func (p *partition) Name() string { return p.path }

// Next implements [connector.ColumnPartition].
func (p *partition) Next(ctx context.Context) (connector.Chunk, error) {
	if err := ctx.Err(); err != nil {
		return connector.Chunk{}, err
	}
	if p.ended.Load() {
		return connector.Chunk{}, io.EOF
	}
	if p.layout == nil {
		if err := p.look(); err != nil {
			return connector.Chunk{}, err
		}
	}
	for p.group < int64(len(p.starts)) && p.row >= p.layout.groups[p.group].rows {
		p.group, p.row = p.group+1, 0
	}
	if p.group == int64(len(p.starts)) {
		p.ended.Store(true)
		p.letGo(p.left.Load())
		return connector.Chunk{}, io.EOF
	}
	n := min(p.pieces[p.group], p.layout.groups[p.group].rows-p.row)
	start := p.starts[p.group] + p.row
	c := connector.Chunk{Index: p.index, Offset: start, End: start + n}
	p.index, p.row = p.index+1, p.row+n
	p.left.Add(1)
	return c, nil
}

// letGo closes the file and keeps nothing of its footer once all chunks have been claimed and none is left to load.
func (p *partition) letGo(left int64) {
	if left > 0 || !p.ended.Load() {
		return
	}
	p.let.Do(func() {
		p.layout, p.accesses, p.starts, p.pieces, p.tables = nil, nil, nil, nil, nil
		fileio.Drop(p)
	})
}

// look reads the footer and decides how each column is read.
func (p *partition) look() error {
	f, release, err := fileio.Acquire(p)
	if err != nil {
		return err
	}
	defer release()
	info, err := f.Stat()
	if err != nil {
		return fileio.OpenError(p.path, err)
	}
	l, err := readLayout(p.path, f, info.Size())
	if err != nil {
		return err
	}
	p.accesses = make([]access, len(p.set.columns))
	for i, c := range p.set.columns {
		p.accesses[i] = resolve(l.record, c.Path, p.set.wants[i])
	}
	row := int64(0)
	for i, g := range l.groups {
		if g.rows == 0 {
			p.starts, p.pieces = append(p.starts, row), append(p.pieces, 0)
			continue
		}
		size := int64(0)
		for _, a := range p.accesses {
			for _, leaf := range a.leaves() {
				if err := l.check(p.path, i, leaf, info.Size()); err != nil {
					return err
				}
				size += max(0, g.columns[leaf.leaf].uncompressed) / g.rows
			}
		}
		piece := int64(pieceRows)
		for piece > smallestPiece && size > pieceBytes/piece {
			piece /= 2
		}
		p.starts, p.pieces = append(p.starts, row), append(p.pieces, piece)
		row += g.rows
	}
	p.layout, p.seen, p.tables = l, info, map[[2]int]*pageTable{}
	return nil
}

// acquire opens the file again if it had to be closed, and makes sure that it is the one that was there before.
func (p *partition) acquire() (*os.File, func(), error) {
	f, release, err := fileio.Acquire(p)
	if err != nil {
		return nil, nil, err
	}
	info, err := f.Stat()
	switch {
	case err != nil:
		err = fileio.OpenError(p.path, err)
	case !os.SameFile(info, p.seen) || info.Size() != p.seen.Size():
		err = fmt.Errorf("%s was changed while it was read; run again when nothing writes to it", p.path)
	default:
		return f, release, nil
	}
	release()
	return nil, nil, err
}

// groupOf gives the row group of a row.
func (p *partition) groupOf(row int64) int {
	return sort.Search(len(p.starts), func(i int) bool { return p.starts[i] > row }) - 1
}

// table gives the pages of a leaf in a row group, which make finds the first time.
func (p *partition) table(group, leaf int, make func() (*pageTable, error)) (*pageTable, error) {
	key := [2]int{group, leaf}
	p.mu.Lock()
	t := p.tables[key]
	p.mu.Unlock()
	if t != nil {
		return t, nil
	}
	t, err := make()
	if err != nil {
		return nil, err
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if len(p.tables) >= 1024 { // row groups behind, mostly
		clear(p.tables)
	}
	p.tables[key] = t
	return t, nil
}

// Close implements [connector.ColumnPartition].
func (p *partition) Close() error {
	fileio.Drop(p)
	return nil
}
