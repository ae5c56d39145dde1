package stdoutio

import (
	"tidemark/io/connector"
	"tidemark/stream"
)

// Lines prints encoded lines.
type Lines struct {
	pen
	watermarks bool
}

var (
	_ connector.ByteSink      = (*Lines)(nil)
	_ connector.WatermarkSink = (*Lines)(nil)
	_ connector.Settler       = (*Lines)(nil)
)

// Write implements [connector.ByteSink].
func (l *Lines) Write(p []byte) (int, error) {
	l.buf = append(l.buf, p...)
	return len(p), l.full()
}

// Watermarks implements [connector.WatermarkSink].
func (l *Lines) Watermarks() bool { return l.watermarks }

// WriteWatermark implements [connector.WatermarkSink]: a line such as {"watermark":"2024-05-01T10:00:00Z"}.
func (l *Lines) WriteWatermark(t stream.Time) error {
	l.buf = append(l.buf, `{"watermark":"`...)
	l.buf = append(l.buf, t.String()...)
	l.buf = append(l.buf, "\"}\n"...)
	return l.full()
}
