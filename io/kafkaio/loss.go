package kafkaio

import (
	"context"
	"fmt"

	"tidemark/io/kafkaio/internal/client"
	"tidemark/io/kafkaio/internal/consume"
)

// elsewhere gives the offset at which to go on where the one asked for does not exist, and says what is lost, or the
// error that ends the run. stop and end are those of the partition.
func (r *recordReader) elsewhere(outside *consume.OutOfRangeError, stop, end int64) (int64, error) {
	if !r.options.survives() {
		return 0, outside
	}
	what := fmt.Sprintf("the records from offset %d on have been deleted", outside.Asked)
	lost := outside.Records()
	if outside.Asked > outside.Latest {
		what = fmt.Sprintf("it ends before offset %d, records were lost or the topic was made anew", outside.Asked)
	} else {
		lost = min(lost, max(stop-outside.Asked, 0)) // a bounded read does not want all of them
	}
	return r.loss(outside.TopicPartition, what, lost, span{start: outside.Earliest, stop: stop, end: end}), nil
}

// loss tells of lost records and gives the offset at which to go on. there is what there is to read.
func (r *recordReader) loss(p client.TopicPartition, what string, lost int64, there span) int64 {
	if r.options.OnOutOfRange == "latest" {
		passed := max(min(there.end, there.stop)-there.start, 0)
		r.warn("%s: %s: %d records are lost and %d passed over; going on at the latest offset, %d", p, what, lost, passed, there.end)
		return there.end
	}
	r.warn("%s: %s: %d records are lost; going on at the earliest offset, %d", p, what, lost, there.start)
	return there.start
}

// outside goes on where on_offset_out_of_range says.
func (p *partition) outside(ctx context.Context, e *consume.OutOfRangeError) error {
	if !p.reader.options.survives() {
		return e
	}
	there, err := p.lookAgain(ctx, e.Asked > e.Latest)
	if err != nil {
		return err
	}
	e.Earliest = there.start // it may have moved on meanwhile
	p.position, err = p.reader.elsewhere(e, there.stop, there.end)
	return err
}

// another notices that the topic is another one, where it was the list of topics that said so.
func (p *partition) another() error {
	id := p.anew.Swap(nil)
	none := client.TopicID{}
	if id == nil || *id == p.id && *id != none {
		return nil
	}
	return &consume.ReplacedError{TopicPartition: p.TopicPartition, ID: *id, Offset: p.position, Unread: p.Lag(p.position)}
}

// replaced goes on in the topic that has the name now.
func (p *partition) replaced(ctx context.Context, e *consume.ReplacedError) error {
	if !p.reader.options.survives() {
		return fmt.Errorf("%w; set on_offset_out_of_range to go on in the new one", e)
	}
	there, err := p.lookAgain(ctx, true)
	if err != nil {
		return err
	}
	p.position = p.reader.loss(p.TopicPartition, "the topic was deleted and made anew", e.Unread, there)
	return nil
}

// lookAgain ends the reading and finds out what there is to read now. In another topic the end is another one too.
func (p *partition) lookAgain(ctx context.Context, anew bool) (there span, err error) {
	ctx, cancel := joined(ctx, p.ctx)
	defer cancel()
	p.finish()
	r := p.reader
	topics, err := r.client.Topics(ctx, []string{p.Topic})
	if err == nil {
		err = topics[0].Err
	}
	if err != nil {
		return span{}, err
	}
	p.id = topics[0].ID
	only := []client.TopicPartition{p.TopicPartition}
	l, err := r.limits(ctx, only)
	if err != nil {
		return span{}, err
	}
	if s := r.options.Stop; anew && s != nil && s.Offsets == nil {
		stops, err := r.stops(ctx, only, l)
		if err != nil {
			return span{}, err
		}
		p.stop = stops[p.TopicPartition]
	}
	p.sawEnd(l.end[p.TopicPartition])
	return span{start: l.first[p.TopicPartition], stop: p.stop, end: l.end[p.TopicPartition]}, nil
}
