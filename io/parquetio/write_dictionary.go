package parquetio

import "tidemark/stream"

// sampled is how many rows are looked at to decide on dictionaries.
const sampled = 8192

// dictionaries says of each column whether a dictionary is worth its while: whether at most half of the values of
// the sample are different. Without a sample all columns have one.
func dictionaries(sample *slab, columns int) []bool {
	worth := make([]bool, columns)
	for i := range worth {
		worth[i] = sample == nil || repetitive(&sample.columns[i])
	}
	return worth
}

func repetitive(v *sinkValues) bool {
	n := min(v.n, sampled)
	switch v.kind {
	case stream.Bool:
		return false // a bit a value is what they take as they are
	case stream.Int, stream.Instant:
		seen := make(map[int64]struct{}, n/2)
		for i := 0; i < n && len(seen) <= n/2; i++ {
			seen[v.ints[i]] = struct{}{}
		}
		return len(seen) <= n/2
	case stream.Float:
		seen := make(map[float64]struct{}, n/2)
		for i := 0; i < n && len(seen) <= n/2; i++ {
			seen[v.floats[i]] = struct{}{}
		}
		return len(seen) <= n/2
	}
	seen := make(map[string]struct{}, n/2)
	for i := 0; i < n && len(seen) <= n/2; i++ {
		seen[string(v.bytes(i))] = struct{}{}
	}
	return len(seen) <= n/2
}
