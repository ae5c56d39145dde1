package kafkaio

import (
	"strings"

	"tidemark/io/kafkaio/internal/recordbatch"
	"tidemark/stream"
)

// noTimestamp is the timestamp of a record whose producer gave none.
const noTimestamp = -1

// Fact implements [connector.RecordLoader].
func (l *loader) Fact(name string, n int, column *stream.Column) {
	switch name {
	case "topic":
		column.Reset(stream.String, n)
		l.fillText(column, l.partition.Topic)
	case "partition":
		column.Reset(stream.Int, n)
		for i := range n {
			column.Ints[i] = int64(l.partition.Partition)
		}
	case "offset":
		column.Reset(stream.Int, n)
		copy(column.Ints, l.columns.Offsets)
	case "key":
		column.Reset(stream.String, n)
		column.Data = l.columns.KeyText()
		for i := range n {
			setSpan(column, i, l.columns.Keys[i])
		}
	case "timestamp":
		column.Reset(stream.Instant, n)
		copy(column.Ints, l.columns.Timestamps)
		for i, ms := range column.Ints {
			if ms == noTimestamp {
				column.SetTag(i, stream.TagNull)
			}
		}
	case "timestamp_type":
		column.Reset(stream.String, n)
		l.fillTimestampTypes(column)
	case "headers":
		column.Reset(stream.Any, n)
		for i := range n {
			column.Boxed[i] = l.headers(i)
		}
	default:
		column.Reset(stream.String, n)
		l.fillHeader(column, strings.TrimPrefix(name, "headers."))
	}
}

// fillText gives all rows the same text.
func (l *loader) fillText(column *stream.Column, text string) {
	for i := range column.Refs {
		if i == 0 {
			column.SetString(0, text)
		}
		column.Refs[i] = column.Refs[0]
	}
}

// setSpan gives a row a piece of the column's text, which is not copied.
func setSpan(column *stream.Column, row int, s recordbatch.Span) {
	if s.Len < 0 {
		column.SetTag(row, stream.TagNull)
		return
	}
	column.Refs[row] = stream.Ref{Off: s.Off, Len: uint32(s.Len)}
}

func (l *loader) timestampType(line int) recordbatch.TimestampType {
	if l.columns.AppendTime != nil && l.columns.AppendTime[line] {
		return recordbatch.LogAppendTime
	}
	return recordbatch.CreateTime
}

func (l *loader) fillTimestampTypes(column *stream.Column) {
	var known [2]stream.Ref // by type; a ref of length 0 is of none
	for i := range column.Refs {
		t := l.timestampType(i)
		if known[t].Len == 0 {
			column.SetString(i, t.String())
			known[t] = column.Refs[i]
		}
		column.Refs[i] = known[t]
	}
}

// fillHeader gives each row the value of its last header of a name.
func (l *loader) fillHeader(column *stream.Column, name string) {
	column.Data = l.columns.Text
	for row := range column.Refs {
		if at := l.lastHeader(row, name); at >= 0 {
			setSpan(column, row, l.columns.Headers[at+1])
		} else {
			column.SetTag(row, stream.TagMissing)
		}
	}
}

// lastHeader gives the index of the last header of a name among all headers; −1 where the line has none.
func (l *loader) lastHeader(line int, name string) int {
	first := int(l.columns.HeaderStart[line])
	for at := int(l.columns.HeaderStart[line+1]) - 2; at >= first; at -= 2 {
		if string(l.columns.Bytes(l.columns.Headers[at])) == name {
			return at
		}
	}
	return -1
}

// headers gives the headers of a line as an object, in which the last one of a name counts.
func (l *loader) headers(line int) map[string]any {
	from, to := l.columns.HeaderStart[line], l.columns.HeaderStart[line+1]
	object := make(map[string]any, (to-from)/2)
	for at := from; at < to; at += 2 {
		object[string(l.columns.Bytes(l.columns.Headers[at]))] = text(l.columns.Bytes(l.columns.Headers[at+1]))
	}
	return object
}
