package runner

import (
	"strconv"
	"time"

	"tidemark/io/codec"
	"tidemark/io/connector"
	"tidemark/runner/plan"
	"tidemark/stream"
)

// recordWriter makes records of the rows of a sink's inputs: a value, a key, headers, a time.
type recordWriter struct {
	sink    *sink
	out     connector.RecordSink
	keys    []*codec.JSONEncoder // by input; nil where the key is a text
	headers []*stage             // by input
	// queues hold the records of each input until they are written: at once where there is one input, else by cause
	// when the piece is through.
	queues []recordQueue
	order  merge
	record connector.Record
}

// recordQueue is encoded records. Their bytes are pieces of text.
type recordQueue struct {
	text    []byte
	records []queuedRecord
	headers []span
}

// span is a piece of text; none where end is before start.
type span struct{ start, end int }

var none = span{0, -1}

func (q *recordQueue) at(s span) []byte {
	if s.end < s.start {
		return nil
	}
	return q.text[s.start:s.end:s.end]
}

type queuedRecord struct {
	key, value span
	headers    int // the first of the record's
	time       stream.Time
	rank       rank
}

func newRecordWriter(s *sink, out connector.RecordSink) *recordWriter {
	w := &recordWriter{sink: s, out: out, queues: make([]recordQueue, len(s.plan.Inputs))}
	for _, k := range s.plan.Keys {
		var e *codec.JSONEncoder
		if k.Object != nil {
			e = codec.NewJSONEncoder(*k.Object, s.plan.TimeFormat)
		}
		w.keys = append(w.keys, e)
	}
	for i := range s.plan.Headers {
		w.headers = append(w.headers, newStage(&s.plan.Headers[i]))
	}
	w.record.Headers = make([]connector.Header, len(s.plan.HeaderNames))
	for i, name := range s.plan.HeaderNames {
		w.record.Headers[i].Name = name
	}
	return w
}

// take takes the rows of an input. What a former row took back is not written: the row that replaces it follows.
func (w *recordWriter) take(input int, b *stream.Batch) {
	s, rows := w.sink, b
	var headers *stage
	if w.headers != nil {
		headers = w.headers[input]
		headers.run(b, streamFacts)
		for i := range headers.failed {
			f := &headers.failed[i]
			s.unwritten(b, input, f.row, f.step.Redact(f.message), f.step)
		}
		rows = &headers.batch
	}
	q := &w.queues[input]
	each(rows, func(row int32) {
		deleted := false
		if b.Kinds != nil {
			if b.Kinds[row] == stream.UpdateBefore && s.plan.Upsert {
				return
			}
			deleted = b.Kinds[row] == stream.Delete && s.plan.Upsert
		}
		r := queuedRecord{key: none, value: none, headers: len(q.headers), time: timeOf(b, int(row)), rank: rankOf(b, int(row))}
		if s.plan.Keys != nil {
			if r.key = w.key(q, input, b, int(row)); r.key == none && s.plan.Upsert {
				s.unwritten(b, input, row, "the key is null", nil)
				return
			}
		}
		if !deleted {
			from := len(q.text)
			q.text = s.encoders[input].Append(q.text, b, int(row))
			q.text = q.text[:len(q.text)-1]
			r.value = span{from, len(q.text)}
		}
		if headers != nil {
			for _, slot := range s.plan.HeaderSlots[input] {
				q.headers = append(q.headers, q.put(&headers.batch.Columns[slot], int(row)))
			}
		}
		q.records = append(q.records, r)
	})
	if len(w.queues) == 1 {
		w.flush()
	}
}

// key puts the key of a row into a queue; none where it is null.
func (w *recordWriter) key(q *recordQueue, input int, b *stream.Batch, row int) span {
	k := w.sink.plan.Keys[input]
	if w.keys[input] == nil {
		return q.put(&b.Columns[k.Columns[0]], row)
	}
	if w.sink.plan.Upsert && k.Null(b, row) {
		return none
	}
	from := len(q.text)
	q.text = w.keys[input].Append(q.text, b, row)
	q.text = q.text[:len(q.text)-1]
	return span{from, len(q.text)}
}

// put appends a value as plain text; none for null.
func (q *recordQueue) put(c *stream.Column, row int) span {
	from := len(q.text)
	switch tag := c.Tag(row); {
	case tag == stream.TagOK && c.Kind == stream.String:
		q.text = append(q.text, c.Bytes(row)...)
	case tag == stream.TagOK && c.Kind == stream.Int:
		q.text = strconv.AppendInt(q.text, c.Ints[row], 10)
	case tag == stream.TagOK && c.Kind == stream.Instant:
		q.text = stream.Time(c.Ints[row]).Append(q.text)
	default:
		switch v := c.Value(row).(type) {
		case nil:
			return none
		case string:
			q.text = append(q.text, v...)
		case time.Time:
			q.text = stream.Time(v.UnixMilli()).Append(q.text)
		default:
			q.text = codec.AppendValue(q.text, v)
		}
	}
	return span{from, len(q.text)}
}

// flush writes what is queued, by cause.
func (w *recordWriter) flush() {
	queued := func(e element) *queuedRecord { return &w.queues[e.sequence].records[e.index] }
	w.order.each(len(w.queues), func(i int) int { return len(w.queues[i].records) },
		func(a, b element) bool { return queued(a).rank.before(queued(b).rank) },
		func(e element) { w.write(&w.queues[e.sequence], queued(e)) })
	for i := range w.queues {
		q := &w.queues[i]
		q.text, q.records, q.headers = q.text[:0], q.records[:0], q.headers[:0]
	}
}

func (w *recordWriter) write(q *recordQueue, r *queuedRecord) {
	w.record.Key, w.record.Value, w.record.Time = q.at(r.key), q.at(r.value), r.time
	for h := range w.record.Headers {
		w.record.Headers[h].Value = q.at(q.headers[r.headers+h])
	}
	w.sink.check(w.out.WriteRecord(&w.record))
}

// object gives what encodes rows of an input as JSON objects.
func (s *sink) object(input int) *codec.JSONEncoder {
	if s.objects == nil {
		for i := range s.plan.Layouts {
			s.objects = append(s.objects, object(s.plan, i))
		}
	}
	return s.objects[input]
}

// unwritten takes a row to the sink's dirty output.
func (s *sink) unwritten(b *stream.Batch, input int, row int32, reason string, step *plan.Step) {
	s.counts.Dirty++
	s.counts.Used--
	s.counts.Out--
	s.counts.keep(reason)
	s.engine.refuseDirty(s.plan.Name, reason)
	if len(s.dirt.readers) == 0 {
		return
	}
	r := dirtyRow{cause: b.Cause(int(row)), reason: reason}
	if step != nil {
		r.field, r.expr = step.Field, exprOf(step)
	}
	if input < len(s.plan.Layouts) {
		r.raw, r.object = line(s.object(input), b, int(row)), true
	}
	s.dirt.add(r)
}

// refused takes the records that the receiver did not want to the sink's dirty output.
func (s *sink) refused() {
	from, ok := s.out.(connector.Refusing)
	if !ok {
		return
	}
	for _, r := range from.TakeRefused() {
		s.counts.Dirty++
		s.counts.Used--
		s.counts.Out--
		s.counts.keep(r.Reason)
		s.engine.refuseDirty(s.plan.Name, r.Reason)
		if len(s.dirt.readers) == 0 {
			continue
		}
		row := dirtyRow{cause: s.engine.cause, reason: r.Reason, raw: r.Value, meta: map[string]any{"key": nil}}
		if _, err := codec.DecodeObject(r.Value); err == nil {
			row.object = true
		}
		if r.Key != nil {
			row.meta["key"] = string(r.Key)
		}
		if r.Time != stream.MinTime {
			row.meta["event_time"] = r.Time.Std()
		}
		s.dirt.add(row)
		s.engine.handed++
	}
}
