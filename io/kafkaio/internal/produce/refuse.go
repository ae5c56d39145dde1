package produce

import (
	"slices"

	"tidemark/io/kafkaio/internal/client"
	"tidemark/io/kafkaio/internal/recordbatch"
)

// refused sees to a batch that the broker does not want: the records that are to blame are given back, where they are
// known, else the batch is halved until they are. Nothing of it was stored, so its number is free again.
func (p *Producer) refused(f flight, a client.ProduceAnswer) {
	n := f.builder.Len()
	blamed := make(map[int]string, len(a.Refused))
	for _, r := range a.Refused {
		if r.Index >= 0 && int(r.Index) < n {
			blamed[int(r.Index)] = r.Message
		}
	}
	if n == 1 {
		blamed[0] = a.Message
		if len(a.Refused) > 0 && a.Refused[0].Message != "" {
			blamed[0] = a.Refused[0].Message
		}
	}
	rest := []*batch{new(batch), new(batch)}
	var given []Refused
	i := 0
	_, err := recordbatch.Walk(f.encoded, 0, nil, func(r *recordbatch.Record) error {
		message, bad := blamed[i]
		half := i * 2 / n
		if len(blamed) > 0 {
			half = 0
		}
		if i++; !bad {
			rest[half].builder.Append(r.Timestamp, r.Key, r.Value, r.AppendHeaders(nil))
			return nil
		}
		size := recordbatch.SizeOf(r.Key, r.Value, r.AppendHeaders(nil))
		given = append(given, Refused{f.TopicPartition,
			Message{slices.Clone(r.Key), slices.Clone(r.Value), r.AppendHeaders(nil), r.Timestamp}, &RefusedError{a.Code, size, message}})
		return nil
	})
	if err != nil {
		p.fail(err)
		return
	}
	for _, g := range given {
		if p.options.Refused == nil {
			p.fail(&client.PartitionError{TopicPartition: f.TopicPartition, Err: g.Err})
			return
		}
		p.options.Refused(g)
	}
	p.mutex.Lock()
	defer p.mutex.Unlock()
	var again []*batch
	for _, b := range rest {
		if b.builder.Len() > 0 {
			b.born, b.full = f.born, true
			again = append(again, b)
		}
	}
	f.flying = nil
	f.again = append(again, f.again...)
	p.pending -= len(given)
	p.give(f.batch)
	p.changed.Broadcast()
}
