package parquetio

import "tidemark/stream"

// sampledRows is how many rows are looked at to decide on dictionaries.
const sampledRows = 8192

// sampler has the values that the first rows of a column have.
type sampler struct {
	ints   map[int64]struct{}
	floats map[float64]struct{}
	texts  map[string]struct{}
}

func newSampler() *sampler {
	return &sampler{map[int64]struct{}{}, map[float64]struct{}{}, map[string]struct{}{}}
}

// dictionaries says of each column whether a dictionary is worth its while: whether at most half of the values of
// the first rows are different.
func (m *sampler) dictionaries(sample []*slab, columns int) []bool {
	worth := make([]bool, columns)
	for i := range worth {
		worth[i] = m.repetitive(sample, i)
	}
	return worth
}

func (m *sampler) repetitive(sample []*slab, column int) bool {
	clear(m.ints)
	clear(m.floats)
	clear(m.texts)
	rows, different := 0, 0
	for _, s := range sample {
		v := &s.columns[column]
		n := min(v.n, sampledRows-rows)
		for i := range n {
			switch v.kind {
			case stream.Bool:
				return false // a bit a value is what they take as they are
			case stream.Int, stream.Instant:
				m.ints[v.ints[i]] = struct{}{}
			case stream.Float:
				m.floats[v.floats[i]] = struct{}{}
			default:
				if _, seen := m.texts[string(v.bytes(i))]; !seen {
					m.texts[string(v.bytes(i))] = struct{}{}
				}
			}
			different = len(m.ints) + len(m.floats) + len(m.texts)
			if different > sampledRows/2 {
				return false
			}
		}
		if rows += n; rows == sampledRows {
			break
		}
	}
	return different <= rows/2
}
