package produce

import (
	"context"
	"time"
)

// Hasten makes what there is leave without waiting for more. It does not wait itself; its error is the one that has
// ended the producer.
func (p *Producer) Hasten() error {
	p.mutex.Lock()
	defer p.mutex.Unlock()
	p.hasten()
	return p.err
}

func (p *Producer) hasten() {
	for _, part := range p.partitions {
		if part.open != nil && part.open.builder.Len() > 0 {
			part.open.urgent = true
		}
	}
	p.look()
}

// Flush sends what there is without waiting for more, and returns when all that was sent before the call is stored or
// refused. It does not wait for records that are sent meanwhile, beyond those in the same batches. An error says that
// something is not stored.
func (p *Producer) Flush(ctx context.Context) error {
	p.mutex.Lock()
	defer p.mutex.Unlock()
	p.hasten()
	marks := make([]int64, len(p.partitions))
	for i, part := range p.partitions {
		marks[i] = part.begun
	}
	behind := 0 // the partitions before it have come to their marks
	return p.waitFor(ctx, func() bool {
		for behind < len(marks) && p.partitions[behind].done >= marks[behind] {
			behind++
		}
		return behind == len(marks)
	})
}

// pressure measures how long at least one call of Send had to wait for room.
type pressure struct {
	waiting int
	since   time.Time // while somebody waits
	total   time.Duration
}

func (w *pressure) begin(now time.Time) {
	if w.waiting++; w.waiting == 1 {
		w.since = now
	}
}

func (w *pressure) end(now time.Time) {
	if w.waiting--; w.waiting == 0 {
		w.total += now.Sub(w.since)
	}
}

// Waited gives the time in which calls of Send have waited for room.
func (p *Producer) Waited() time.Duration {
	p.mutex.Lock()
	defer p.mutex.Unlock()
	if p.pressure.waiting > 0 {
		return p.pressure.total + time.Since(p.pressure.since)
	}
	return p.pressure.total
}
