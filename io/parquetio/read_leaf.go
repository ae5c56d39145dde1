package parquetio

import (
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io"

	"tidemark/stream"
)

// errDamaged says that a file isn't what its own words say.
var errDamaged = errors.New("damaged")

// leafReader decodes the pages of one leaf, a row group after another. It keeps the last page, of which the next
// piece may want the rest.
type leafReader struct {
	leaf *shape
	want want

	in   io.ReaderAt
	size int64
	meta *chunkMeta

	table   *pageTable
	head    []byte
	packed  []byte // a page as it is in the file
	plain   []byte // and decompressed
	unpack  unpacker
	values  valueReader
	convert converter

	dictionary      stream.Column
	dictionaryBytes []byte
	hasDictionary   bool

	// The page that was decoded last: its number or -1, its levels, and its values that are not null, which for
	// an indexed page are those of the dictionary at its indexes.
	current int
	count   int
	full    bool // nothing is null; defs is not filled then
	defs    []byte
	reps    []byte
	present int
	page    stream.Column
	indexed bool
	indexes []int32
}

// open begins with a row group.
func (l *leafReader) open(in io.ReaderAt, size int64, m *chunkMeta) {
	l.in, l.size, l.meta, l.table = in, size, m, nil
	l.current, l.hasDictionary = -1, false
}

// decode decodes a page of the table.
func (l *leafReader) decode(number int) error {
	if l.current == number {
		return nil
	}
	l.current = -1
	p := &l.table.pages[number]
	e := p.header.encoding
	if l.indexed = e == encodingDictionary || e == encodingPlainDictionary; l.indexed {
		if err := l.readDictionary(); err != nil { // before the page, which takes the same buffers
			return err
		}
	}
	body, err := l.readLevels(p)
	if err != nil {
		return err
	}
	l.present = l.count
	if !l.full {
		l.present = countLevel(l.defs, l.leaf.def)
	}
	if l.indexed {
		err = l.readIndexes(body)
	} else {
		err = l.readValues(&l.page, e, body, l.present)
	}
	if err == nil {
		l.current = number
	}
	return err
}

// readValues decodes values and makes of them what they mean.
func (l *leafReader) readValues(out *stream.Column, encoding int64, body []byte, n int) error {
	switch ok, known := l.values.read(out, l.leaf.typ, encoding, body, n); {
	case !known:
		return fmt.Errorf("%s values are in an encoding (%d) that can't be read; write it again with PLAIN or dictionary encoding",
			l.leaf.typ, encoding)
	case !ok:
		return errDamaged
	}
	l.convert.convert(out, l.leaf.typ, l.want)
	if out.Kind == stream.String && len(out.Arena) > 0 {
		// All text is then at one place, without the arena's bit.
		out.Data = out.Arena
		for i := range out.Refs {
			out.Refs[i].Off &^= stream.ArenaBit
		}
	}
	return nil
}

// readIndexes decodes the indexes of a page.
func (l *leafReader) readIndexes(body []byte) error {
	if l.present > maxPresent {
		return errDamaged
	}
	l.indexes = stream.Resize(l.indexes, l.present)
	if l.present == 0 {
		return nil
	}
	if len(body) <= 1 || body[0] == 0 {
		// A dictionary of one value needs no bits.
		clear(l.indexes)
	} else if body[0] > 32 || !(hybrid{body[1:], uint(body[0])}).ints(l.indexes) {
		return errDamaged
	}
	greatest := uint32(0)
	for _, x := range l.indexes {
		greatest = max(greatest, uint32(x))
	}
	if int64(greatest) >= int64(l.dictionary.Len()) {
		return errDamaged
	}
	return nil
}

// readDictionary decodes the dictionary of the row group, once.
func (l *leafReader) readDictionary() error {
	if l.hasDictionary {
		return nil
	}
	p := l.table.dictionary
	if p == nil {
		return errDamaged
	}
	body, err := l.readPage(p, 0)
	if err != nil {
		return err
	}
	// The pages' buffers are used again while the dictionary lives.
	l.dictionaryBytes = append(l.dictionaryBytes[:0], body...)
	if err := l.readValues(&l.dictionary, encodingPlain, l.dictionaryBytes, int(p.header.values)); err != nil {
		return err
	}
	l.hasDictionary = true
	return nil
}

// readPage reads a page's bytes, whose first levels of them are not compressed, and decompresses the rest. What
// comes before it stays in l.packed.
func (l *leafReader) readPage(p *page, levels int64) ([]byte, error) {
	h := &p.header
	l.packed = grow(l.packed, h.compressed)
	if _, err := l.in.ReadAt(l.packed, p.at); err != nil {
		if err == io.EOF {
			return nil, errDamaged
		}
		return nil, err
	}
	if h.checked && crc32.ChecksumIEEE(l.packed) != h.checksum {
		return nil, errDamaged
	}
	if levels > h.compressed || levels > h.uncompressed {
		return nil, errDamaged
	}
	body := l.packed[levels:]
	if l.meta.codec == codecNone || h.plain {
		return body, nil
	}
	if len(body) == 0 && h.uncompressed == levels {
		return nil, nil
	}
	var err error
	l.plain, err = l.unpack.unpack(l.plain, body, l.meta.codec, h.uncompressed-levels)
	return l.plain, err
}

// readLevels reads a page and decodes its levels. It gives its values.
func (l *leafReader) readLevels(p *page) ([]byte, error) {
	h := &p.header
	l.count = int(h.values)
	if h.kind == pageDataV2 {
		body, err := l.readPage(p, h.repBytes+h.defBytes)
		if err != nil {
			return nil, err
		}
		reps, defs := l.packed[:h.repBytes], l.packed[h.repBytes:h.repBytes+h.defBytes]
		if !l.takeReps(reps) || !l.takeDefs(defs) {
			return nil, errDamaged
		}
		return body, nil
	}
	body, err := l.readPage(p, 0)
	if err != nil {
		return nil, err
	}
	ok := true
	if l.leaf.maxRep > 0 {
		body, ok = l.levelsV1(body, h.repEncoding, l.leaf.maxRep, &l.reps, l.takeReps)
	}
	if l.full = true; ok && l.leaf.def > 0 {
		body, ok = l.levelsV1(body, h.defEncoding, l.leaf.def, &l.defs, l.takeDefs)
	}
	if !ok {
		return nil, errDamaged
	}
	return body, nil
}

// levelsV1 decodes levels of a page of version 1 and gives what follows.
func (l *leafReader) levelsV1(body []byte, encoding int64, most uint8, into *[]byte, take func([]byte) bool) (rest []byte, ok bool) {
	if encoding == encodingBitPacked {
		l.full = false
		*into = stream.Resize(*into, l.count)
		return packedLevels(*into, body, levelWidth(most))
	}
	if encoding != encodingRLE || len(body) < 4 {
		return nil, false
	}
	size := int64(binary.LittleEndian.Uint32(body))
	if size > int64(len(body)-4) {
		return nil, false
	}
	return body[4+size:], take(body[4 : 4+size])
}

func (l *leafReader) takeReps(src []byte) bool {
	if l.leaf.maxRep == 0 {
		return true
	}
	l.reps = stream.Resize(l.reps, l.count)
	return hybrid{src, levelWidth(l.leaf.maxRep)}.levels(l.reps)
}

func (l *leafReader) takeDefs(src []byte) bool {
	h := hybrid{src, levelWidth(l.leaf.def)}
	if l.full = l.leaf.def == 0 || h.constant(l.count, uint32(l.leaf.def)); l.full {
		return true
	}
	l.defs = stream.Resize(l.defs, l.count)
	return h.levels(l.defs)
}
