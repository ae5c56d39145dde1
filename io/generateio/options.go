// Package generateio makes records instead of reading them: numbers, from which the pipeline computes fields, or the
// events of the Nexmark benchmark. A record is a function of its number and the seed, so that a chunk, which is a range
// of numbers, can be made by any worker.
package generateio

import (
	"context"
	"errors"

	"tidemark/io/codec"
	"tidemark/io/connector"
	"tidemark/stream"
)

func init() {
	connector.Register(connector.Kind{
		Name: "generate", Role: connector.SourceRole, Derived: true,
		Doc: "makes records: numbers i from which fields are computed, or the events of the Nexmark benchmark",
		New: func() any { return &Options{} },
	})
}

// Options are those of a generate source.
type Options struct {
	Rate    float64 `spec:"rate,positive" doc:"records a second; as fast as possible without it"`
	Count   int64   `spec:"count,positive" doc:"the number of records; without it there is no end"`
	Seed    *int64  `spec:"seed" doc:"what random numbers begin with; the same seed gives the same records"`
	Nexmark string  `spec:"nexmark,values=bid|auction|person|all" doc:"the events of the Nexmark benchmark: bid, auction, person or all of them"`
}

var _ connector.Columnar = (*Options)(nil)

// Validate implements [connector.Source].
func (o *Options) Validate() []connector.Problem { return nil }

// Bounded reports whether the source ends by itself.
func (o *Options) Bounded() bool { return o.Count > 0 }

// RandomSeed gives the seed of random() in fields; nil where there is none.
func (o *Options) RandomSeed() *int64 { return o.Seed }

// Open implements [connector.Source]. What is made has no lines.
func (o *Options) Open(context.Context, connector.Environment) ([]connector.Partition, error) {
	return nil, errors.New("a generate source gives columns, not lines")
}

// Fields implements [connector.Columnar].
func (o *Options) Fields(context.Context, connector.Environment) ([]stream.Field, error) {
	if o.Nexmark != "" {
		return nexmarkFields[o.Nexmark], nil
	}
	return []stream.Field{{Name: "i", Type: stream.Type{Kind: stream.Int}}}, nil
}

// OpenColumns implements [connector.Columnar]. The columns are fields, not values within them.
func (o *Options) OpenColumns(_ context.Context, env connector.Environment, columns []codec.Column) ([]connector.ColumnPartition, error) {
	p := &partition{options: o, now: env.Now, stop: make(chan struct{})}
	for _, c := range columns {
		p.columns = append(p.columns, c.Path[0])
	}
	return []connector.ColumnPartition{p}, nil
}

// Paced reports whether records come at a rate, so that results should not wait for more of them.
func (o *Options) Paced() bool { return o.Rate > 0 }
