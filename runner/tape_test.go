package runner

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"tidemark/io/codec"
	"tidemark/io/connector"
	"tidemark/stream"
)

// A tape is a source of records that a test writes while a run reads it, so that tests own what comes when. Its sink
// keeps what it is given.

func init() {
	connector.Register(connector.Kind{Name: "tape", Role: connector.SourceRole, Formats: []string{"json", "csv", "text"}, New: func() any { return &tapeOptions{} }})
	connector.Register(connector.Kind{Name: "shelf", Role: connector.SinkRole, Formats: []string{"json", "csv"}, Records: true, New: func() any { return &shelfOptions{} }})
}

// tapes and shelves are by name.
var (
	tapes   = map[string]*tape{}
	shelves = shelfRoom{named: map[string]*shelf{}}
)

type tapeOptions struct {
	Name string `spec:"name" doc:"the tape"`
	Ends bool   `spec:"ends" doc:"whether it is bounded"`
}

func (o *tapeOptions) Validate() []connector.Problem { return nil }
func (o *tapeOptions) Bounded() bool                 { return o.Ends }
func (o *tapeOptions) Facts() []string               { return []string{"offset", "key", "timestamp", "headers."} }
func (o *tapeOptions) TimeFact() string              { return "timestamp" }
func (o *tapeOptions) OpenRecords(context.Context, connector.Environment, []string) (connector.RecordReader, error) {
	return tapes[o.Name], nil
}

// tape is a source with partitions.
type tape struct {
	mu        sync.Mutex
	all       []*reel
	added     chan []connector.RecordPartition
	committed map[string]int64
	commits   int
	onCommit  func(position int64)
}

// reel is a partition of a tape.
type reel struct {
	name   string
	chunks chan []taped
	start  int64
	offset int64 // of the next chunk
	end    int64
}

// taped is a record: its value, its timestamp in ms, its key.
type taped struct {
	value string
	at    int64
	key   string
}

// deleted is the value of a record that has none.
const deleted = "\x00"

func newTape(name string, reels int) *tape {
	t := &tape{added: make(chan []connector.RecordPartition, 8), committed: map[string]int64{}}
	for i := range reels {
		t.all = append(t.all, newReel(fmt.Sprintf("%s/%d", name, i)))
	}
	tapes[name] = t
	return t
}

func newReel(name string) *reel { return &reel{name: name, chunks: make(chan []taped, 1000)} }

// grow adds a partition while the tape is read.
func (t *tape) grow(name string) *reel {
	r := newReel(name)
	t.added <- []connector.RecordPartition{r}
	return r
}

func (t *tape) Partitions() (list []connector.RecordPartition) {
	for _, r := range t.all {
		list = append(list, r)
	}
	return list
}

func (t *tape) Added(ctx context.Context) ([]connector.RecordPartition, error) {
	select {
	case list := <-t.added:
		return list, nil
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

func (t *tape) Loader() connector.RecordLoader { return &tapeLoader{} }

func (t *tape) Commit(_ context.Context, positions map[connector.RecordPartition]int64) error {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.commits++
	for p, position := range positions {
		if t.onCommit != nil {
			t.onCommit(position)
		}
		t.committed[p.Name()] = position
	}
	return nil
}

func (t *tape) Close() error { return nil }

// where gives the position committed for a partition, and the number of commits.
func (t *tape) where(name string) (position int64, commits int) {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.committed[name], t.commits
}

// put writes a chunk of records, and waits until the run has taken it up.
func (r *reel) put(records ...taped) {
	r.chunks <- records
	for range 1000 {
		if len(r.chunks) == 0 {
			break
		}
		time.Sleep(time.Millisecond)
	}
	time.Sleep(5 * time.Millisecond)
}

// stop ends a reel.
func (r *reel) stop() { close(r.chunks) }

func (r *reel) Name() string             { return r.name }
func (r *reel) Lag(position int64) int64 { return atomic.LoadInt64(&r.end) - position }
func (r *reel) Start() int64             { return r.start }
func (r *reel) Close() error             { return nil }

func (r *reel) Next(ctx context.Context) (connector.Chunk, error) {
	select {
	case records, ok := <-r.chunks:
		if !ok {
			return connector.Chunk{}, io.EOF
		}
		if records == nil { // as the mark of a transaction's end: an offset, and no record
			r.offset++
			return connector.Chunk{Offset: r.offset - 1, End: r.offset}, nil
		}
		c := connector.Chunk{Offset: r.offset, End: r.offset + int64(len(records)), Fetch: records}
		r.offset = c.End
		return c, nil
	case <-time.After(5 * time.Millisecond):
		return connector.Chunk{Offset: r.offset, End: r.offset}, nil
	case <-ctx.Done():
		return connector.Chunk{}, ctx.Err()
	}
}

type tapeLoader struct {
	records []taped
	chunk   connector.Chunk
	name    string
}

func (l *tapeLoader) Load(p connector.RecordPartition, c connector.Chunk) (data []byte, values []codec.Span, err error) {
	l.records, l.chunk, l.name = c.Fetch.([]taped), c, p.Name()
	for _, r := range l.records {
		data = append(data, "\x00\n{"...) // values need not follow each other
		start := len(data)
		null := r.value == deleted
		if null {
			r.value = "{}"
		}
		data = append(data, r.value...)
		values = append(values, codec.Span{Start: uint32(start), End: uint32(len(data)), Null: null})
		data = append(data, '\n')
	}
	return connector.Pad(data), values, nil
}

// Release makes sure that nobody looks at a chunk behind its turn.
func (l *tapeLoader) Release() { l.records = nil }

func (l *tapeLoader) Skipped() int          { return 0 }
func (l *tapeLoader) Offset(line int) int64 { return l.chunk.Offset + int64(line) }
func (l *tapeLoader) Place(line int) string {
	return fmt.Sprintf("%s offset %d", l.name, l.Offset(line))
}
func (l *tapeLoader) Meta(line int) map[string]any {
	return map[string]any{"topic": l.name, "offset": l.Offset(line)}
}

func (l *tapeLoader) Fact(name string, n int, column *stream.Column) {
	switch name {
	case "timestamp":
		column.Reset(stream.Instant, n)
		for i := range n {
			column.Ints[i] = l.records[i].at
		}
	case "key":
		column.Reset(stream.String, n)
		for i := range n {
			column.SetString(i, l.records[i].key)
		}
	case "offset":
		column.Reset(stream.Int, n)
		for i := range n {
			column.Ints[i] = l.Offset(i)
		}
	default:
		column.Reset(stream.Any, n)
		for i := range n {
			column.SetTag(i, stream.TagNull)
		}
	}
}

type shelfOptions struct {
	Name string `spec:"name" doc:"the shelf"`
}

func (o *shelfOptions) Validate() []connector.Problem     { return nil }
func (o *shelfOptions) Check(connector.Environment) error { return nil }
func (o *shelfOptions) Open(context.Context, connector.Environment) (connector.Output, error) {
	return shelves.get(o.Name), nil
}

// shelf keeps records as text: key, value and time.
type shelf struct {
	mu       sync.Mutex
	records  []string
	arrived  chan string
	refuse   func(*connector.Record) string
	refusals []connector.RefusedRecord
	fails    error
	settle   func() error // nil: at once
}

func newShelf(name string) *shelf {
	s := &shelf{arrived: make(chan string, 10000)}
	shelves.put(name, s)
	return s
}

// shelfRoom holds shelves by name, for tests that run side by side.
type shelfRoom struct {
	mu    sync.Mutex
	named map[string]*shelf
}

func (r *shelfRoom) get(name string) *shelf {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.named[name]
}

func (r *shelfRoom) put(name string, s *shelf) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.named[name] = s
}

func (s *shelf) WriteRecord(r *connector.Record) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.fails != nil {
		return s.fails
	}
	if s.refuse != nil {
		if reason := s.refuse(r); reason == "later" {
			return nil
		} else if reason != "" {
			s.refusals = append(s.refusals, connector.RefusedRecord{Reason: reason,
				Record: connector.Record{Key: append([]byte(nil), r.Key...), Value: append([]byte(nil), r.Value...), Time: r.Time}})
			return nil
		}
	}
	text := "-"
	if r.Value != nil {
		text = string(r.Value)
	}
	if r.Key != nil {
		text = string(r.Key) + "=" + text
	}
	for _, h := range r.Headers {
		text += " " + h.Name + ":" + string(h.Value)
	}
	s.records = append(s.records, text)
	s.arrived <- text
	return nil
}

func (s *shelf) TakeRefused() []connector.RefusedRecord {
	s.mu.Lock()
	defer s.mu.Unlock()
	list := s.refusals
	s.refusals = nil
	return list
}

func (s *shelf) Settle(context.Context) error {
	if s.settle == nil {
		return nil
	}
	return s.settle()
}

func (s *shelf) Flush() error  { return nil }
func (s *shelf) Commit() error { return nil }
func (s *shelf) Abort() error  { return nil }

// want waits for the next record.
func (s *shelf) want(t *testing.T, text string) {
	t.Helper()
	select {
	case got := <-s.arrived:
		if got != text {
			t.Fatalf("got %s, want %s", got, text)
		}
	case <-time.After(10 * time.Second):
		t.Fatalf("nothing came, want %s", text)
	}
}

// nothing says that no record may come for a while.
func (s *shelf) nothing(t *testing.T) {
	t.Helper()
	select {
	case got := <-s.arrived:
		t.Fatalf("got %s, want nothing", got)
	case <-time.After(50 * time.Millisecond):
	}
}

// clock is a time of day that a test moves. asked counts how often the run has looked at it.
type clock struct {
	mu    sync.Mutex
	now   time.Time // zero: the real one
	asked int
}

func newClock() *clock { return &clock{now: time.UnixMilli(1_700_000_000_000)} }

func (c *clock) time() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.asked++
	if c.now.IsZero() {
		return time.Now()
	}
	return c.now
}

// seen waits until the run has looked at the time so often that every partition has, and the run itself.
func (c *clock) seen() {
	const often = 24
	c.mu.Lock()
	from := c.asked
	c.mu.Unlock()
	for range 10_000 {
		time.Sleep(time.Millisecond)
		c.mu.Lock()
		enough := c.asked >= from+often
		c.mu.Unlock()
		if enough {
			return
		}
	}
}

// pass lets time pass, in steps that give the run the chance to look at its partitions.
func (c *clock) pass(d time.Duration) {
	const step = 2 * time.Second
	for ; ; d -= step {
		c.seen()
		if d <= 0 {
			return
		}
		c.mu.Lock()
		c.now = c.now.Add(min(d, step))
		c.mu.Unlock()
	}
}

// live is a run that goes on beside the test.
type live struct {
	*trial
	cancel context.CancelFunc
	done   chan struct{}
	report *Report
	err    error
	said   []string
}

// start runs a pipeline until stop.
func (p *trial) start(t *testing.T, o Options) *live {
	ctx, cancel := context.WithCancel(context.Background())
	l := &live{trial: p, cancel: cancel, done: make(chan struct{})}
	if o.TickEvery == 0 {
		o.TickEvery = 2 * time.Millisecond
	}
	o.Tell = func(text string) { l.said = append(l.said, text) }
	go func() {
		defer close(l.done)
		_, l.report, l.err = p.run(ctx, o)
	}()
	t.Cleanup(func() { l.stop(t) })
	return l
}

// stop ends the run as a signal does, and waits for its end.
func (l *live) stop(t *testing.T) *Report {
	t.Helper()
	l.cancel()
	select {
	case <-l.done:
	case <-time.After(10 * time.Second):
		t.Fatal("the run does not end")
	}
	return l.report
}

// counts gives what became of a node's records.
func (l *live) counts(node string) Counts {
	for _, c := range l.report.Nodes {
		if c.Node == node {
			return c
		}
	}
	return Counts{}
}

var errShelf = errors.New("the shelf is full")

// timed makes values of one field, at their times.
func timed(times ...int64) (list []taped) {
	for _, ms := range times {
		list = append(list, taped{value: fmt.Sprintf(`{"v":%d}`, ms), at: ms, key: fmt.Sprint(ms)})
	}
	return list
}

// oneMinute counts the records of a minute by source.
func oneMinute(watermark string, more ...string) string {
	return `
sources:
  in: {type: tape, name: in, watermark: ` + watermark + `}
transforms:
  count: {from: in, window: {tumbling: 1m}, aggregate: {n: count()}}
sinks:
  out: {from: count, type: shelf, name: out}
` + strings.Join(more, "")
}
