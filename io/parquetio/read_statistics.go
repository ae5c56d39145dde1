package parquetio

import (
	"encoding/binary"
	"math"

	"tidemark/io/connector"
	"tidemark/stream"
)

var _ connector.Statistical = (*partition)(nil)

// Statistics implements [connector.Statistical] from what the footer says of a row group: of integers, floats, text
// and timestamps, if the chunk is a whole row group and the footer says that none of them is null. Instants are
// rounded down to milliseconds; one outside the years 1 to 9999 tells nothing.
func (p *partition) Statistics(c connector.Chunk, path stream.Path) (least, greatest any, ok bool) {
	if p.layout == nil || len(path) != 1 {
		return nil, nil, false
	}
	group := p.groupOf(c.Offset)
	s := p.layout.record.part(path[0])
	if s == nil || s.form != formLeaf || c.Offset != p.starts[group] || c.End-c.Offset != p.layout.groups[group].rows {
		return nil, nil, false
	}
	m := &p.layout.groups[group].columns[s.leaf]
	if s.def > 0 && m.nulls != 0 {
		return nil, nil, false
	}
	if least, ok = s.typ.bound(m.least); !ok {
		return nil, nil, false
	}
	if greatest, ok = s.typ.bound(m.greatest); !ok {
		return nil, nil, false
	}
	if p.set.float(path) {
		least, greatest = asFloat(least), asFloat(greatest)
	}
	return least, greatest, true
}

// bound decodes the least or greatest value of a leaf.
func (t leafType) bound(b []byte) (any, bool) {
	var bits uint64
	switch {
	case t.physical == physicalInt32 && len(b) == 4:
		bits = uint64(int64(int32(binary.LittleEndian.Uint32(b))))
	case t.physical == physicalInt64 && len(b) == 8, t.physical == physicalDouble && len(b) == 8:
		bits = binary.LittleEndian.Uint64(b)
	case t.physical == physicalBytes && t.means == meansText && b != nil:
		return string(b), true
	default:
		return nil, false
	}
	switch t.means {
	case meansInt:
		return int64(bits), !t.narrow
	case meansFloat:
		v := math.Float64frombits(bits)
		return v, v == v
	case meansInstant:
		one := stream.Column{Kind: stream.Int, Ints: []int64{int64(bits)}}
		instants(&one, t.unit, true)
		return stream.Time(one.Ints[0]), one.Odd == 0
	}
	return nil, false
}

// float reports whether a column that is asked for is floats, because it is in some file.
func (f *fileSet) float(path stream.Path) bool {
	for i, c := range f.columns {
		if c.Path.Equal(path) {
			return f.wants[i].float
		}
	}
	return false
}

func asFloat(v any) any {
	if i, ok := v.(int64); ok {
		return float64(i)
	}
	return v
}
