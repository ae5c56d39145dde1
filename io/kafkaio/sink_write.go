package kafkaio

import (
	"context"
	"sync"
	"time"

	"tidemark/io/connector"
	"tidemark/io/kafkaio/internal/client"
	"tidemark/io/kafkaio/internal/produce"
	"tidemark/io/kafkaio/internal/recordbatch"
	"tidemark/stream"
)

// writer is what outputs of either delivery have in common.
type writer struct {
	client   *client.Client
	producer *produce.Producer
	now      func() time.Time
	headers  []recordbatch.Header // of the record that is written
	over     bool                 // committed or given up

	mutex   sync.Mutex
	refused []connector.RefusedRecord
}

// WriteRecord implements [connector.RecordSink]. A record without a time of its own gets the time of writing. It waits
// for as long as the delivery timeout allows.
func (w *writer) WriteRecord(r *connector.Record) error {
	w.headers = w.headers[:0]
	for _, h := range r.Headers {
		w.headers = append(w.headers, recordbatch.Header(h))
	}
	m := produce.Message{Key: r.Key, Value: r.Value, Headers: w.headers, Timestamp: int64(r.Time)}
	if r.Time == stream.MinTime {
		m.Timestamp = w.now().UnixMilli()
	}
	return w.producer.Send(context.Background(), &m)
}

// Flush implements [connector.Output].
func (w *writer) Flush() error { return w.producer.Hasten() }

// Waited implements [connector.Pressured].
func (w *writer) Waited() float64 { return w.producer.Waited().Seconds() }

// takeBack keeps a record that was refused.
func (w *writer) takeBack(r produce.Refused) {
	back := connector.RefusedRecord{Reason: r.Err.Error(),
		Record: connector.Record{Key: r.Key, Value: r.Value, Time: stream.Time(r.Timestamp)}}
	for _, h := range r.Headers {
		back.Headers = append(back.Headers, connector.Header(h))
	}
	w.mutex.Lock()
	defer w.mutex.Unlock()
	w.refused = append(w.refused, back)
}

// TakeRefused implements [connector.Refusing].
func (w *writer) TakeRefused() []connector.RefusedRecord {
	w.mutex.Lock()
	defer w.mutex.Unlock()
	taken := w.refused
	w.refused = nil
	return taken
}

// finish closes an output of which all is stored.
func (w *writer) finish() error {
	if err := w.producer.Close(context.Background()); err != nil {
		return err
	}
	w.client.Close()
	w.over = true
	return nil
}

// giveUp stops sending, without waiting for what is on its way.
func (w *writer) giveUp() {
	now, cancel := context.WithCancel(context.Background())
	cancel()
	_ = w.producer.Close(now) // what it says of unsent records is what was asked for
	w.over = true
}

var (
	_ connector.RecordSink = (*atLeastOnce)(nil)
	_ connector.Refusing   = (*atLeastOnce)(nil)
	_ connector.Settler    = (*atLeastOnce)(nil)
	_ connector.Pressured  = (*atLeastOnce)(nil)
)

// atLeastOnce is an output whose records are visible when they are stored.
type atLeastOnce struct{ *writer }

// Settle implements [connector.Settler].
func (o *atLeastOnce) Settle(ctx context.Context) error { return o.producer.Flush(ctx) }

// Commit implements [connector.Output].
func (o *atLeastOnce) Commit() error { return o.finish() }

// Abort implements [connector.Output]. What was sent can't be taken back.
func (o *atLeastOnce) Abort() error {
	if !o.over {
		o.giveUp()
		o.client.Close()
	}
	return nil
}
