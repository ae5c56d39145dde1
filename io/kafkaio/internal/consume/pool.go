package consume

// Pool is memory of fetches that is not in use. Partitions whose fetches are of the same size share one best, since what
// one of them does not need serves another.
type Pool chan []byte

// inUse is how many fetches of a partition are in use at a time, where whoever uses them works on several.
const inUse = 4

// NewPool makes a pool that keeps the memory of n fetches at most.
func NewPool(n int) Pool { return make(Pool, n) }

// take gives memory, or nil where there is none.
func (p Pool) take() []byte {
	select {
	case b := <-p:
		return b
	default:
		return nil
	}
}

// tooLarge is the size from which on memory is not kept: a fetch was so large because of one batch.
const tooLarge = 8 << 20

func (p Pool) put(b []byte) {
	if b == nil || cap(b) >= tooLarge {
		return
	}
	select {
	case p <- b:
	default:
	}
}
