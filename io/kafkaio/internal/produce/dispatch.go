package produce

import (
	"time"
)

// flight is a batch on its way to its partition.
type flight struct {
	*partition
	*batch
}

const (
	// perBroker is how many requests may be on their way to a broker; what becomes ready meanwhile travels together.
	perBroker = 4
	// requestBytes is the size from which on a request takes no more batches (Kafka: max.request.size is per request).
	requestBytes = 8 << 20
	// idle is how long the dispatcher sleeps when there is nothing to do.
	idle = time.Hour
)

// dispatch sends batches when they are due, until the producer ends.
func (p *Producer) dispatch() {
	timer := time.NewTimer(idle)
	defer timer.Stop()
	for {
		p.mutex.Lock()
		wait := p.launch(time.Now())
		p.mutex.Unlock()
		timer.Reset(wait)
		select {
		case <-p.wake:
		case <-timer.C:
		case <-p.ctx.Done():
			return
		}
	}
}

// launch sends what is due, and gives the time until something else is.
func (p *Producer) launch(now time.Time) (wait time.Duration) {
	wait = idle
	if p.err != nil {
		return wait
	}
	requests := make(map[int32][]flight)
	sizes := make(map[int32]int)
	for _, part := range p.partitions {
		due, b := p.due(part, now)
		if b == nil {
			continue
		}
		if due > 0 {
			wait = min(wait, due)
			continue
		}
		// asking may take long, which would keep the other partitions waiting
		broker, known := p.client.KnownLeader(part.TopicPartition)
		if !known {
			p.start(part, b)
			p.running.Go(func() { p.find(flight{part, b}) })
			continue
		}
		if p.busy[broker] >= perBroker || sizes[broker] > requestBytes {
			continue // looked at again when a request is back
		}
		p.start(part, b)
		requests[broker] = append(requests[broker], flight{part, b})
		sizes[broker] += b.builder.Size()
	}
	for broker, flights := range requests {
		p.busy[broker]++
		p.running.Go(func() {
			p.deliver(broker, flights)
			p.mutex.Lock()
			p.busy[broker]--
			p.mutex.Unlock()
			p.look()
		})
	}
	return wait
}

// due gives the batch of a partition that goes next, and the time until it should; nil if there is none, or one is on
// the wire.
func (p *Producer) due(part *partition, now time.Time) (time.Duration, *batch) {
	if part.flying != nil {
		return 0, nil
	}
	if len(part.again) > 0 {
		return part.pause.Sub(now), part.again[0]
	}
	b := part.open
	if b == nil || b.builder.Len() == 0 {
		return 0, nil
	}
	wait := part.pause.Sub(now)
	if !b.full && !b.urgent {
		wait = max(wait, p.options.Linger-now.Sub(b.born))
	}
	return wait, b
}

// start takes a batch out of those that wait.
func (p *Producer) start(part *partition, b *batch) {
	part.flying = b
	if b.sent.IsZero() {
		b.sent = time.Now()
	}
	if len(part.again) > 0 && part.again[0] == b {
		part.again = part.again[1:]
	} else {
		part.open = nil
	}
	// a batch that was sent before keeps its number, by which the broker knows it again
	if !b.stamped {
		b.identity, b.sequence = part.identity, part.sequence
	}
	// records without a key fill one batch after the other rather than a little of each (Java: UniformStickyPartitioner)
	if p.partitions[p.sticky] == part {
		p.sticky = (p.sticky + 1) % len(p.partitions)
	}
	p.changed.Broadcast()
}
