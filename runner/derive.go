package runner

import (
	"context"

	"tidemark/io/codec"
	"tidemark/io/connector"
	"tidemark/runner/plan"
	"tidemark/stream"
)

// derivingDecoder computes fields from the columns that another decoder gives.
type derivingDecoder struct {
	decoder
	stage   *stage
	columns stream.Batch
	bad     []codec.Bad
}

func (d *derivingDecoder) decode(ctx context.Context, p *partition, c connector.Chunk, b *stream.Batch) ([]codec.Bad, error) {
	bad, err := d.decoder.decode(ctx, p, c, &d.columns)
	if err != nil {
		return nil, err
	}
	d.stage.run(&d.columns, nil)
	d.bad = append(d.bad[:0], bad...)
	for _, f := range d.stage.failed {
		d.bad = append(d.bad, codec.Bad{Row: f.row, Field: f.step.Field, Reason: f.message})
		d.empty(f.row, f.step)
	}
	b.N, b.Sel = d.stage.batch.N, d.stage.batch.Sel
	b.Columns = append(b.Columns[:0], d.stage.batch.Columns...)
	return d.bad, nil
}

// empty makes the fields of a row missing from that on which has no value, as none behind it was computed.
func (d *derivingDecoder) empty(row int32, from *plan.Step) {
	steps := d.stage.plan.Steps
	for i := len(steps) - 1; ; i-- {
		d.stage.batch.Columns[steps[i].Target].SetTag(int(row), stream.TagMissing)
		if &steps[i] == from {
			return
		}
	}
}

// derivation gives the step that computes a field of the source; nil where it is read.
func (s *source) derivation(field string) *plan.Step {
	if s.plan.Derive == nil {
		return nil
	}
	for i := range s.plan.Derive.Steps {
		if step := &s.plan.Derive.Steps[i]; step.Program != nil && step.Field == field {
			return step
		}
	}
	return nil
}
