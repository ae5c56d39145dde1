package runner

import (
	"tidemark/io/codec"
	"tidemark/runner/plan"
	"tidemark/stream"
)

// rowEncoder writes the rows of a sink in its format.
type rowEncoder interface {
	// Append appends a row of b with its line feed.
	Append(dst []byte, b *stream.Batch, row int) []byte
	// NonFinite tells of each field how many NaNs and infinities the format has no words for.
	NonFinite(tell func(field string, n int64))
}

func newEncoder(p *plan.Sink, input int) rowEncoder {
	if p.Format == plan.CSV {
		return codec.NewCSVEncoder(p.Layouts[input], p.TimeFormat)
	}
	e := codec.NewJSONEncoder(p.Layouts[input], p.TimeFormat)
	if p.Kind.Records {
		e.KeepLines()
	}
	return e
}

// object makes an encoder of what a sink's rows are as JSON objects, whatever its format.
func object(p *plan.Sink, input int) *codec.JSONEncoder {
	l := p.Layouts[input]
	if p.Format == plan.CSV {
		l.Base = -1 // which is text of another format
	}
	return codec.NewJSONEncoder(l, p.TimeFormat)
}

// nothing is how the sink's format writes that there is no value.
func nothing(p *plan.Sink) string {
	if p.Format == plan.CSV {
		return "nothing"
	}
	return "null"
}

// header gives what each of the sink's outputs begins with.
func header(p *plan.Sink) []byte {
	if p.Format != plan.CSV || len(p.Layouts) == 0 {
		return nil
	}
	return codec.AppendCSVHeader(nil, p.Layouts[0])
}
