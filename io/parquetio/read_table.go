package parquetio

import (
	"fmt"
	"io"
	"sort"
)

// page is where a page is and which rows begin in it.
type page struct {
	header pageHeader
	at     int64 // of what follows the header
	first  int64 // the first row that begins in it, counted from the start of the row group
	rows   int64
}

// pageTable is the pages of a leaf in a row group.
type pageTable struct {
	dictionary *page
	pages      []page
}

// find gives the page in which a row begins.
func (t *pageTable) find(row int64) int {
	return sort.Search(len(t.pages), func(i int) bool { return t.pages[i].first+t.pages[i].rows > row })
}

// headerStep is how much is read to find a page's header; it is doubled up to longestHeader.
const (
	headerStep    = 256
	longestHeader = 1 << 24
)

// readTable reads the headers of all pages of the leaf.
func (l *leafReader) readTable(rows int64) (*pageTable, error) {
	m := l.meta
	at := m.dataOffset
	if m.dictOffset > 0 && m.dictOffset < at {
		at = m.dictOffset
	}
	t := &pageTable{}
	values, row := int64(0), int64(0)
	for values < m.values {
		p, err := l.readHeader(at)
		if err != nil {
			return nil, err
		}
		at = p.at + p.header.compressed
		if p.header.kind == pageDictionary && t.dictionary == nil {
			t.dictionary = &p
		}
		if p.header.kind != pageData && p.header.kind != pageDataV2 {
			continue
		}
		if p.header.values > maxValues {
			return nil, fmt.Errorf("a page of %d values, more than %d", p.header.values, maxValues)
		}
		if p.first = row; l.leaf.maxRep == 0 {
			p.rows = p.header.values
		} else if p.rows, err = l.countRows(&p); err != nil {
			return nil, err
		}
		values, row = values+p.header.values, row+p.rows
		t.pages = append(t.pages, p)
	}
	if values != m.values || row != rows {
		return nil, errDamaged
	}
	return t, nil
}

// countRows counts the rows that begin in a page of a leaf that repeats.
func (l *leafReader) countRows(p *page) (int64, error) {
	if p.header.kind == pageDataV2 {
		return p.header.rows, nil
	}
	l.current = -1
	if _, err := l.readLevels(p); err != nil {
		return 0, err
	}
	return int64(countLevel(l.reps, 0)), nil
}

// readHeader reads the header at an offset.
func (l *leafReader) readHeader(at int64) (page, error) {
	for step := int64(headerStep); ; step *= 2 {
		if at < 0 || at >= l.size || step > longestHeader {
			return page{}, errDamaged
		}
		l.head = grow(l.head, min(step, l.size-at))
		if _, err := l.in.ReadAt(l.head, at); err != nil && err != io.EOF {
			return page{}, err
		}
		h, length, short := decodeHeader(l.head)
		switch {
		case length > 0:
			p := page{header: h, at: at + int64(length)}
			if h.compressed > l.size-p.at {
				return page{}, errDamaged
			}
			return p, nil
		case !short || int64(len(l.head)) < step:
			return page{}, errDamaged
		}
	}
}
