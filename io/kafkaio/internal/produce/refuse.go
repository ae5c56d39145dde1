package produce

import (
	"slices"

	"tidemark/io/kafkaio/internal/client"
	"tidemark/io/kafkaio/internal/recordbatch"
)

// refused sees to a batch that the broker does not want: the records that are to blame are given back, where they are
// known, else the batch is halved until they are. Nothing of it was stored, so its number is free again.
func (p *Producer) refused(f flight, a client.ProduceAnswer) {
	given, again, err := f.part(a)
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
	f.flying = nil
	if len(again) > 0 {
		again[len(again)-1].closes = f.closes
	} else {
		f.done += f.closes
	}
	f.again = append(again, f.again...) // they get the sequence number that f had
	p.pending -= len(given)
	if f.builder.Len() > 1 && len(a.Refused) == 0 && (a.Code == client.MessageTooLarge || a.Code == client.RecordListTooLarge) {
		p.batchBytes = max(min(p.batchBytes, f.builder.Size()/2), smallBatch)
	}
	p.give(f.batch)
	p.changed.Broadcast()
}

// smallBatch is the size below which batches are not made for a broker's sake.
const smallBatch = 16 << 10

// blame gives the records for which a batch of n was refused, with what the broker says of them; none where it is not
// known which they are.
func blame(a client.ProduceAnswer, n int) map[int]string {
	blamed := make(map[int]string, len(a.Refused))
	for _, r := range a.Refused {
		if r.Index >= 0 && int(r.Index) < n {
			blamed[int(r.Index)] = r.Message
		}
	}
	if n == 1 && blamed[0] == "" {
		blamed[0] = a.Message
	}
	return blamed
}

// part takes a batch apart into the records that are refused and batches of the others.
func (f flight) part(a client.ProduceAnswer) (given []Refused, again []*batch, err error) {
	n, i := f.builder.Len(), 0
	blamed := blame(a, n)
	halves := [2]*batch{{born: f.born, full: true, sent: f.sent}, {born: f.born, full: true, sent: f.sent}}
	_, err = recordbatch.Walk(f.encoded, 0, nil, func(r *recordbatch.Record) error {
		message, bad := blamed[i]
		half := halves[i*2/n]
		if len(blamed) > 0 {
			half = halves[0]
		}
		i++
		headers := r.AppendHeaders(nil)
		if !bad {
			half.builder.Append(r.Timestamp, r.Key, r.Value, headers)
			return nil
		}
		given = append(given, Refused{f.TopicPartition, Message{slices.Clone(r.Key), slices.Clone(r.Value), headers, r.Timestamp},
			&RefusedError{a.Code, recordbatch.SizeOf(r.Key, r.Value, headers), message}})
		return nil
	})
	for _, b := range halves {
		if b.builder.Len() > 0 {
			again = append(again, b)
		}
	}
	return given, again, err
}
