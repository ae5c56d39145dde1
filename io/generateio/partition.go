package generateio

import (
	"context"
	"fmt"
	"io"
	"math"
	"os"
	"sync"
	"time"

	"tidemark/io/codec"
	"tidemark/io/connector"
	"tidemark/stream"
)

const (
	// mostRows is how many records a chunk has at most.
	mostRows = 8192
	// pace is for how long a chunk holds records that a rate makes: they come that much at once.
	pace = 50 * time.Millisecond
	// look is how often the clock is looked at while it is waited for.
	look = 100 * time.Millisecond
)

// partition is the numbers from 0 on.
type partition struct {
	options *Options
	columns []string
	now     func() time.Time

	index, next int64     // of the next chunk
	started     time.Time // when the first record was due; zero before
	stop        chan struct{}
	once        sync.Once
}

// Name implements [connector.ColumnPartition].
func (p *partition) Name() string { return "generate" }

// Next implements [connector.ColumnPartition]. With a rate it waits until the last record of the chunk is due.
func (p *partition) Next(ctx context.Context) (connector.Chunk, error) {
	select {
	case <-p.stop:
		return connector.Chunk{}, fmt.Errorf("generate: %w", os.ErrClosed)
	default:
	}
	end := p.end()
	if p.next == end {
		return connector.Chunk{}, io.EOF
	}
	c := connector.Chunk{Index: p.index, Offset: p.next, End: min(p.next+p.rows(), end)}
	if err := p.wait(ctx, c.End-1); err != nil {
		return connector.Chunk{}, err
	}
	p.index, p.next = p.index+1, c.End
	return c, nil
}

// end gives the number of records.
func (p *partition) end() int64 {
	if p.options.Count > 0 {
		return p.options.Count
	}
	return math.MaxInt64
}

// rows gives the number of records of a chunk.
func (p *partition) rows() int64 {
	if p.options.Rate == 0 {
		return mostRows
	}
	return int64(min(max(1, p.options.Rate*pace.Seconds()), mostRows))
}

// wait waits until a record is due.
func (p *partition) wait(ctx context.Context, record int64) error {
	if p.started.IsZero() {
		p.started = p.now()
	}
	if p.options.Rate == 0 {
		return ctx.Err()
	}
	due := p.started.Add(time.Duration(min(float64(record)/p.options.Rate*float64(time.Second), math.MaxInt64/2)))
	for {
		left := due.Sub(p.now())
		if err := ctx.Err(); err != nil || left <= 0 {
			return err
		}
		timer := time.NewTimer(min(left, look))
		select {
		case <-timer.C:
		case <-p.stop:
			timer.Stop()
			return fmt.Errorf("generate: %w", os.ErrClosed)
		case <-ctx.Done():
			timer.Stop()
		}
	}
}

// Close implements [connector.ColumnPartition].
func (p *partition) Close() error {
	p.once.Do(func() { close(p.stop) })
	return nil
}

// Reader implements [connector.ColumnPartition].
func (p *partition) Reader() connector.ColumnReader {
	if p.options.Nexmark != "" {
		return newNexmark(p.options, p.columns)
	}
	return numbers{}
}

// numbers makes the column i.
type numbers struct{}

// Load implements [connector.ColumnReader].
func (numbers) Load(ctx context.Context, p connector.ColumnPartition, c connector.Chunk, b *stream.Batch) ([]codec.Bad, error) {
	columns := p.(*partition).columns
	n := int(c.End - c.Offset)
	b.N, b.Sel = n, nil
	b.Columns = stream.Resize(b.Columns, len(columns))
	for i := range columns {
		b.Columns[i].Reset(stream.Int, n)
		for row := range n {
			b.Columns[i].Ints[row] = c.Offset + int64(row)
		}
	}
	return nil, ctx.Err()
}
