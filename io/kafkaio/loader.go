package kafkaio

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"tidemark/io/codec"
	"tidemark/io/connector"
	"tidemark/io/kafkaio/internal/consume"
	"tidemark/io/kafkaio/internal/recordbatch"
	"tidemark/stream"
)

// noFields is the record that stands for a value of null.
const noFields = "{}"

// loader decodes fetches.
type loader struct {
	decoder   recordbatch.Decoder
	columns   recordbatch.Columns
	partition *partition
	fetched   *consume.Fetched // in which the values lie
}

func newLoader(o *SourceOptions, facts []string) *loader {
	l := &loader{}
	// keys also show where a record was bad
	l.columns.Want.Keys = true
	l.columns.Want.Headers = slices.ContainsFunc(facts, func(f string) bool { return f == "headers" || strings.HasPrefix(f, "headers.") })
	if o.Tombstones == "keep" {
		l.columns.Want.Tombstone = noFields
	}
	return l
}

// errEnough ends a walk at the end of a bounded read.
var errEnough = errors.New("the chunk ends here")

// Load implements [connector.RecordLoader].
func (l *loader) Load(of connector.RecordPartition, c connector.Chunk) (data []byte, values []codec.Span, err error) {
	l.partition = of.(*partition)
	f, ok := c.Fetch.(*consume.Fetched)
	if l.fetched = f; !ok {
		l.columns.Reset()
		return nil, nil, nil
	}
	l.columns.ResetFor(f.Set)
	if c.End < f.Next {
		_, err = l.decoder.Walk(f.Set, c.Offset, f.Aborted, func(r *recordbatch.Record) error {
			if r.Offset >= c.End {
				return errEnough
			}
			return l.columns.Add(r)
		})
	} else {
		_, err = l.decoder.WalkInto(&l.columns, f.Set, c.Offset, f.Aborted)
	}
	if err != nil && err != errEnough {
		return nil, nil, unreadable(l.partition.TopicPartition, err)
	}
	return l.columns.Data(), l.columns.Values, nil
}

// Release implements [connector.RecordLoader].
func (l *loader) Release() {
	if l.fetched != nil {
		l.fetched.Release()
		l.fetched = nil
	}
}

// Skipped implements [connector.RecordLoader].
func (l *loader) Skipped() int { return l.columns.Tombstones }

// Offset implements [connector.RecordLoader].
func (l *loader) Offset(line int) int64 { return l.columns.Offsets[line] }

// Place implements [connector.RecordLoader].
func (l *loader) Place(line int) string {
	return fmt.Sprintf("%s offset %d", l.partition.TopicPartition, l.columns.Offsets[line])
}

// Meta implements [connector.RecordLoader]. It has headers only where they were asked for.
func (l *loader) Meta(line int) map[string]any {
	meta := map[string]any{
		"topic": l.partition.Topic, "partition": int64(l.partition.Partition), "offset": l.columns.Offsets[line],
		"key": text(l.columns.Key(line)), "timestamp": nil, "timestamp_type": l.timestampType(line).String(),
	}
	if ms := l.columns.Timestamps[line]; ms != noTimestamp {
		meta["timestamp"] = stream.Time(ms).Std()
	}
	if l.columns.Want.Headers {
		meta["headers"] = l.headers(line)
	}
	return meta
}

// text gives bytes as text, and nil for null.
func text(b []byte) any {
	if b == nil {
		return nil
	}
	return string(b)
}
