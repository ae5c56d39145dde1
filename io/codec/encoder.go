package codec

import "tidemark/stream"

// JSONEncoder writes rows as JSON lines. It is for one goroutine.
type JSONEncoder struct{}

// NewJSONEncoder makes an encoder.
func NewJSONEncoder(l Layout, times TimeFormat) *JSONEncoder { return &JSONEncoder{} }

// Append appends a row of b as one line with its line feed.
func (e *JSONEncoder) Append(dst []byte, b *stream.Batch, row int) []byte { return dst }

// NonFinite gives, for each of Layout.Fields and then Layout.Meta, how many NaNs and infinities were written as null.
func (e *JSONEncoder) NonFinite() []int64 { return nil }

// AppendValue appends a boxed value as JSON.
func AppendValue(dst []byte, v any) []byte { return dst }
