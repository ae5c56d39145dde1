package kafkaio

import (
	"context"
	"fmt"

	"tidemark/io/kafkaio/internal/client"
	"tidemark/io/kafkaio/internal/consume"
)

// elsewhere gives the offset at which to go on where the one asked for does not exist, and says what is lost, or the
// error that ends the run. there is what there is to read.
func (r *recordReader) elsewhere(e *consume.OutOfRangeError, there span) (int64, error) {
	if !r.options.survives() {
		return 0, e
	}
	if e.Asked > e.Latest {
		return r.goOn(e.TopicPartition, there, "it ends at offset %d, %d before offset %d, where the reading was to go on: records were lost or the topic was made anew",
			e.Latest, e.Records(), e.Asked), nil
	}
	lost := min(e.Records(), max(there.stop-e.Asked, 0)) // a bounded read does not want all of them
	from := fmt.Sprintf("from offset %d on", e.Asked)
	return r.goOn(e.TopicPartition, there, "%s", client.Counted(lost, "record "+from+" has been deleted", "records "+from+" have been deleted")), nil
}

// goOn tells of what happened and gives the offset at which to go on.
func (r *recordReader) goOn(p client.TopicPartition, there span, format string, args ...any) int64 {
	what := fmt.Sprintf(format, args...)
	if r.options.OnOutOfRange == "latest" {
		passed := max(min(there.end, there.stop)-there.start, 0)
		r.warn("%s: %s; going on at the latest offset, %d: %s passed over", p, what, there.end, client.Counted(passed, "record is", "records are"))
		return there.end
	}
	r.warn("%s: %s; going on at the earliest offset, %d", p, what, there.start)
	return there.start
}

// outside goes on where on_offset_out_of_range says. What is deleted is lost; of a topic that ends before the offset, it
// is what was still to come of the records that there were.
func (p *partition) outside(ctx context.Context, e *consume.OutOfRangeError) error {
	if !p.reader.options.survives() {
		return e
	}
	if e.Asked > e.Latest {
		return p.replaced(ctx, &consume.ReplacedError{TopicPartition: p.TopicPartition, Offset: e.Asked, Unread: p.Lag(e.Asked)})
	}
	there, err := p.lookAgain(ctx, false)
	if err != nil {
		return err
	}
	e.Earliest = there.start // it may have moved on meanwhile
	p.position, err = p.reader.elsewhere(e, there)
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
	p.position = p.reader.goOn(p.TopicPartition, there, "the topic was made anew, or has lost records, when it was read up to offset %d: %s lost",
		e.Offset, client.Counted(e.Unread, "more record of it is", "more records of it are"))
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
