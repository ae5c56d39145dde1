package runner

import (
	"tidemark/io/connector"
	"tidemark/operators/watermark"
	"tidemark/stream"
)

// markWriter shows the steps of the watermark among the rows of a sink. Where the sink has several inputs the least
// counts, and the steps of a piece come behind its rows.
type markWriter struct {
	out     connector.WatermarkSink
	minimum *watermark.Minimum
	rose    bool
}

func newMarkWriter(out connector.Output, inputs int) *markWriter {
	w, ok := out.(connector.WatermarkSink)
	if !ok || !w.Watermarks() {
		return nil
	}
	return &markWriter{out: w, minimum: watermark.NewMinimum(inputs)}
}

// between calls write for the rows of a batch up to each step of the watermark, and shows the step behind them.
func (m *markWriter) between(s *sink, input int, b *stream.Batch, write func(rows *stream.Batch)) {
	rows, from := *b, 0
	sel := allRows(b)
	for _, mark := range b.Marks {
		n := from
		for n < len(sel) && b.Cause(int(sel[n])) <= b.Base+mark.Cause {
			n++
		}
		if rows.Sel = sel[from:n:n]; n > from {
			write(&rows)
		}
		from = n
		m.minimum.Set(input, mark.Watermark)
		if w, rose := m.minimum.Combine(); rose && w < stream.MaxTime {
			s.check(m.out.WriteWatermark(w))
		}
	}
	if rows.Sel = sel[from:]; from < len(sel) {
		write(&rows)
	}
}

// gathered takes the steps of an input whose rows are written when the piece is through.
func (m *markWriter) gathered(input int, b *stream.Batch) {
	if n := len(b.Marks); n > 0 {
		m.minimum.Set(input, b.Marks[n-1].Watermark)
		_, rose := m.minimum.Combine()
		m.rose = m.rose || rose
	}
}

// flush shows what the steps of a piece have come to.
func (m *markWriter) flush(s *sink) {
	if m.rose && m.minimum.Watermark() < stream.MaxTime {
		s.check(m.out.WriteWatermark(m.minimum.Watermark()))
	}
	m.rose = false
}
