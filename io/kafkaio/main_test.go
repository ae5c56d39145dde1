package kafkaio

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/twmb/franz-go/pkg/kfake"
	"go.uber.org/goleak"

	"tidemark/io/connector"
	"tidemark/io/kafkaio/internal/client"
	"tidemark/io/kafkaio/internal/kafkatest"
	"tidemark/io/kafkaio/internal/recordbatch"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// midnight is the timestamp of the first record that write writes.
const midnight = 1_704_067_200_000 // 2024-01-01T00:00:00Z

// write appends the values from, from+1, … before to, a second apart, in batches of three.
func write(t testing.TB, c *client.Client, topic string, partition int32, from, to int) {
	t.Helper()
	var b recordbatch.Builder
	for i := from; i < to; i++ {
		b.Append(midnight+int64(i)*1000, fmt.Append(nil, "k", i), fmt.Append(nil, i), nil)
		if b.Len() == 3 || i == to-1 {
			kafkatest.WriteBatch(t, c, topic, partition, b.Build(nil, recordbatch.None))
			b.Reset()
		}
	}
}

// source gives the options of a source of orders, with its defaults but for waiting.
func source(cluster *kfake.Cluster, edit func(o *SourceOptions)) *SourceOptions {
	return sourceAt(cluster.ListenAddrs(), edit)
}

func sourceAt(brokers []string, edit func(o *SourceOptions)) *SourceOptions {
	o := newSource()
	o.Brokers, o.Topic, o.Discover = brokers, "orders", 20
	o.Access.patience = 300 * time.Millisecond
	o.pace = pace{maxWait: 20 * time.Millisecond, gone: 200 * time.Millisecond, patience: 5 * time.Second}
	if edit != nil {
		edit(o)
	}
	return o
}

// warnings collects what a source warns of.
type warnings struct {
	mutex sync.Mutex
	texts []string
}

func (w *warnings) add(text string) {
	w.mutex.Lock()
	defer w.mutex.Unlock()
	w.texts = append(w.texts, text)
}

func (w *warnings) String() string {
	w.mutex.Lock()
	defer w.mutex.Unlock()
	return strings.Join(w.texts, "\n")
}

// open opens a source that closes with the test.
func open(t testing.TB, o *SourceOptions, facts ...string) (connector.RecordReader, *warnings, error) {
	t.Helper()
	w := &warnings{}
	r, err := o.OpenRecords(kafkatest.Context(t), connector.Environment{Node: "in", Warn: w.add, ChunkSize: 200}, facts)
	if err == nil {
		t.Cleanup(func() { r.Close() })
	}
	return r, w, err
}

// reading is a partition that a test reads.
type reading struct {
	connector.RecordPartition
	loader connector.RecordLoader
	at     int64 // where the last chunk ended
	index  int64
	empty  int // chunks without records
}

func read(r connector.RecordReader, i int) *reading {
	p := r.Partitions()[i]
	return &reading{RecordPartition: p, loader: r.Loader(), at: p.Start()}
}

// take reads until n values have come, or something is wrong.
func (p *reading) take(t testing.TB, n int) (values []string, err error) {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), 15*time.Second)
	defer cancel()
	for len(values) < n {
		lines, err := p.next(t, ctx)
		if err != nil {
			return values, err
		}
		values = append(values, lines...)
	}
	return values, nil
}

// next gives the values of one chunk.
func (p *reading) next(t testing.TB, ctx context.Context) (values []string, err error) {
	t.Helper()
	c, err := p.Next(ctx)
	if err != nil {
		return nil, err
	}
	if c.Index != p.index || c.End < c.Offset {
		t.Errorf("%s: chunk %+v, want index %d", p.Name(), c, p.index)
	}
	p.index, p.at = p.index+1, c.End
	data, spans, err := p.loader.Load(p.RecordPartition, c)
	defer p.loader.Release()
	if err != nil {
		return nil, err
	}
	if c.Fetch == nil {
		p.empty++
	}
	if len(data) > 0 && cap(data) < len(data)+connector.Padding {
		t.Errorf("%s: the padding is not there", p.Name())
	}
	for i, s := range spans {
		if data[s.End] != '\n' {
			t.Errorf("%s: no line feed is behind value %d", p.Name(), i)
		}
		if o := p.loader.Offset(i); o < c.Offset || o >= c.End {
			t.Errorf("%s: offset %d in a chunk of [%d, %d)", p.Name(), o, c.Offset, c.End)
		}
		values = append(values, string(data[s.Start:s.End]))
	}
	return values, nil
}

// rest reads up to the end.
func (p *reading) rest(t testing.TB) ([]string, error) {
	t.Helper()
	values, err := p.take(t, 1<<30)
	if errors.Is(err, io.EOF) {
		err = nil
	}
	return values, err
}

func numbers(from, to int) (s []string) {
	for i := from; i < to; i++ {
		s = append(s, fmt.Sprint(i))
	}
	return s
}

// eventually waits until something is true.
func eventually(t testing.TB, what string, is func() bool) {
	t.Helper()
	for end := time.Now().Add(10 * time.Second); !is(); time.Sleep(5 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("%s does not come true", what)
		}
	}
}

// beat waits for a chunk.
func (p *reading) beat(t testing.TB, patience time.Duration) error {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	_, err := p.next(t, ctx)
	return err
}
