package kafkaio

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"sync"
	"time"

	"tidemark/io/connector"
	"tidemark/io/kafkaio/internal/client"
	"tidemark/io/kafkaio/internal/consume"
)

// recordReader is an open source.
type recordReader struct {
	options      *SourceOptions
	env          connector.Environment
	facts        []string
	client       *client.Client
	subscription *client.Subscription
	pool         consume.Pool
	ctx          context.Context // until it is closed
	cancel       context.CancelFunc

	mutex      sync.Mutex
	partitions map[client.TopicPartition]*partition
	// uncommitted are offsets that the group could not be told yet.
	uncommitted map[client.TopicPartition]int64
	// unable is why the last commit failed; the same is said once.
	unable string
}

// warn tells a person something in one line.
func (r *recordReader) warn(format string, args ...any) {
	if r.env.Warn != nil {
		r.env.Warn(fmt.Sprintf(format, args...))
	}
}

// Partitions implements [connector.RecordReader].
func (r *recordReader) Partitions() []connector.RecordPartition {
	r.mutex.Lock()
	defer r.mutex.Unlock()
	return inOrder(slices.Collect(maps.Values(r.partitions)))
}

func inOrder(partitions []*partition) []connector.RecordPartition {
	slices.SortFunc(partitions, func(a, b *partition) int {
		return cmp.Or(cmp.Compare(a.Topic, b.Topic), cmp.Compare(a.Partition, b.Partition))
	})
	out := make([]connector.RecordPartition, len(partitions))
	for i, p := range partitions {
		out[i] = p
	}
	return out
}

// Added implements [connector.RecordReader].
func (r *recordReader) Added(ctx context.Context) ([]connector.RecordPartition, error) {
	if r.options.Bounded() {
		return nil, io.EOF
	}
	ctx, cancel := joined(ctx, r.ctx)
	defer cancel()
	for {
		if err := client.Wait(ctx, time.Duration(r.options.Discover)*time.Millisecond); err != nil {
			return nil, err
		}
		added, err := r.discover(ctx)
		// the client has told of errors that pass, and partitions that are read notice those that last
		if len(added) > 0 || err != nil && !client.Retriable(err) {
			return inOrder(added), err
		}
	}
}

// joined gives a context that ends when either does.
func joined(ctx, other context.Context) (context.Context, context.CancelFunc) {
	ctx, cancel := context.WithCancel(ctx)
	stop := context.AfterFunc(other, cancel)
	return ctx, func() { stop(); cancel() }
}

// discover looks at the topics once, and gives the partitions that are new.
func (r *recordReader) discover(ctx context.Context) ([]*partition, error) {
	topics, changes, err := r.subscription.Poll(ctx)
	if err != nil {
		return nil, err
	}
	for _, change := range changes {
		if change.Kind == client.TopicReplaced {
			r.replaced(topics, change.Topic)
		}
	}
	return r.take(ctx, topics, Start{Force: r.options.start().Force})
}

// replaced tells the partitions of a topic that it is another one now. Some notice by themselves, but not those whose
// offset the new topic has too.
func (r *recordReader) replaced(topics []client.Topic, name string) {
	i := slices.IndexFunc(topics, func(t client.Topic) bool { return t.Name == name })
	r.mutex.Lock()
	defer r.mutex.Unlock()
	for _, is := range topics[i].Partitions {
		if p := r.partitions[client.TopicPartition{Topic: name, Partition: is.Number}]; p != nil {
			p.anew.Store(&topics[i].ID)
		}
	}
}

// take makes partitions of those that are not known yet. start is for those of which the group has no offset.
func (r *recordReader) take(ctx context.Context, topics []client.Topic, start Start) (added []*partition, err error) {
	var wanted []client.TopicPartition
	for _, t := range topics {
		for _, p := range t.Partitions {
			at := client.TopicPartition{Topic: t.Name, Partition: p.Number}
			if t.Err == nil && r.partitions[at] == nil { // nobody else adds to them
				wanted = append(wanted, at)
			}
		}
	}
	if len(wanted) == 0 {
		return nil, nil
	}
	spans, err := r.spans(ctx, wanted, start)
	if err != nil {
		return nil, err
	}
	r.mutex.Lock()
	defer r.mutex.Unlock()
	for _, t := range topics {
		for _, is := range t.Partitions {
			at := client.TopicPartition{Topic: t.Name, Partition: is.Number}
			if span, found := spans[at]; found {
				p := newPartition(r, at, t.ID, span)
				r.partitions[at] = p
				added = append(added, p)
			}
		}
	}
	return added, nil
}

// Loader implements [connector.RecordReader].
func (r *recordReader) Loader() connector.RecordLoader { return newLoader(r.options, r.facts) }

// Commit implements [connector.RecordReader]. What the group can not be told is a warning, and told the next time. When
// ctx is cancelled, which is how a run is stopped, that is not worth a word: the last commit is still to come.
func (r *recordReader) Commit(ctx context.Context, positions map[connector.RecordPartition]int64) error {
	if r.options.Group == "" {
		return nil
	}
	r.mutex.Lock()
	offsets := r.uncommitted
	r.uncommitted = nil
	r.mutex.Unlock()
	if offsets == nil {
		offsets = make(map[client.TopicPartition]int64, len(positions))
	}
	for of, offset := range positions {
		if p, ok := of.(*partition); ok {
			offsets[p.TopicPartition] = offset
		}
	}
	err := r.client.Commit(ctx, r.options.Group, offsets)
	text := ""
	if err != nil {
		text = err.Error()
	}
	r.mutex.Lock()
	again := r.unable == text
	if r.unable = text; err != nil {
		r.uncommitted = offsets
	}
	r.mutex.Unlock()
	switch {
	case err == nil:
	case errors.Is(ctx.Err(), context.Canceled):
	case errors.Is(ctx.Err(), context.DeadlineExceeded): // the last commit, which the end of the run waits for
		r.warn("no broker took the offsets of group %s in time: the next run reads again what came since the last commit", r.options.Group)
	case again:
	default:
		r.warn("offsets are not committed, the next commit tries again, or else the next run reads again what came since the last one: %v", err)
	}
	return nil
}

// Close implements [connector.RecordReader].
func (r *recordReader) Close() error {
	r.cancel()
	r.client.Close() // ends what partitions wait for
	r.mutex.Lock()
	partitions := slices.Collect(maps.Values(r.partitions))
	r.mutex.Unlock()
	for _, p := range partitions {
		p.Close()
	}
	return nil
}
