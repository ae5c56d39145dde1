package parquetio

import (
	"io"

	"github.com/parquet-go/parquet-go"

	"tidemark/stream"
)

// fileWriter writes one Parquet file. Rows are encoded and compressed page by page as they come; a row group is kept
// in that form until it is complete.
type fileWriter struct {
	columns []sinkColumn
	file    *parquet.GenericWriter[any]
	group   openGroup // nil when none is open
	rows    int       // in the open row group
	alone   bool      // a row group's buffers are given up with it
	begun   int64     // bytes in the file before the open row group
	values  []parquet.Value
}

// openGroup is an open row group of the library.
type openGroup interface {
	ColumnWriters() []*parquet.ColumnWriter
}

// fileOptions say how files are written.
type fileOptions struct {
	columns     []sinkColumn
	compression string
	pipeline    string
	sampler     *sampler
}

const (
	// createdBy is who wrote a file; metadataPipeline is the key under which a file says for which pipeline.
	createdBy        = "tidemark (parquet-go version 0.32.0)"
	metadataPipeline = "tidemark.pipeline"
	// pageBytes is the size of a page in bytes, before compression.
	pageBytes = 256 << 10
	// largestDictionary is how many bytes of values a dictionary may have; further pages have none.
	largestDictionary = 1 << 20
	// largestGroup is how many bytes a row group may have, as it is written, before it has all its rows.
	largestGroup = 64 << 20
	// valuesAtOnce is how many values the library is given at once.
	valuesAtOnce = 1024
)

// newFileWriter begins a file. sample is its first rows, which say what columns are worth a dictionary.
func newFileWriter(w io.Writer, o fileOptions, sample []*slab) *fileWriter {
	config := parquet.DefaultWriterConfig()
	config.CreatedBy = createdBy
	config.Schema = schemaOf(o.columns, o.sampler.dictionaries(sample, len(o.columns)))
	config.Compression = compressions[o.compression]
	config.DataPageVersion = 1
	config.DataPageStatistics = false // row groups and the page index have them
	config.PageBufferSize = pageBytes
	config.DictionaryMaxBytes = largestDictionary
	if o.pipeline != "" {
		config.KeyValueMetadata = map[string]string{metadataPipeline: o.pipeline}
	}
	return &fileWriter{columns: o.columns, file: parquet.NewGenericWriter[any](w, config), values: make([]parquet.Value, valuesAtOnce)}
}

// write adds rows to the open row group.
func (w *fileWriter) write(s *slab, from, to int) error {
	if w.group == nil && w.alone {
		w.group = w.file.BeginRowGroup()
	} else if w.group == nil {
		w.group = w.file
	}
	for i, c := range w.group.ColumnWriters() {
		v := &s.columns[i]
		if v.kind == stream.String {
			v.mendText()
		}
		level := 1
		if w.columns[i].required {
			level = 0
		}
		for at := from; at < to; at += valuesAtOnce {
			n := min(valuesAtOnce, to-at)
			w.fill(v, at, n, level, i, at > from)
			if _, err := c.WriteRowValues(w.values[:n]); err != nil {
				return err
			}
		}
	}
	w.rows += to - from
	return nil
}

// fill makes the library's values of n rows. again says that the values before were of the same column and at least
// as many.
func (w *fileWriter) fill(v *sinkValues, at, n, level, column int, again bool) {
	out := w.values[:n]
	switch v.kind {
	case stream.Int, stream.Instant:
		fillInts(out, v.ints[at:at+n], again && v.nulls == 0, level, column)
	case stream.Float:
		fillFloats(out, v.floats[at:at+n], again && v.nulls == 0, level, column)
	case stream.Bool:
		for i, x := range v.bools[at : at+n] {
			out[i] = parquet.BooleanValue(x).Level(0, level, column)
		}
	default:
		for i := range out {
			out[i] = parquet.ByteArrayValue(v.bytes(at+i)).Level(0, level, column)
		}
	}
	if v.nulls == 0 {
		return
	}
	for i, null := range v.null[at : at+n] {
		if null {
			out[i] = parquet.NullValue().Level(0, 0, column)
		}
	}
}

// groupSize is about how many bytes the open row group has.
func (w *fileWriter) groupSize() int64 {
	if g, ok := w.group.(*parquet.ConcurrentRowGroupWriter); ok {
		return g.Size()
	}
	return w.file.Size() - w.begun
}

// endGroup writes the open row group.
func (w *fileWriter) endGroup() (err error) {
	if g, ok := w.group.(*parquet.ConcurrentRowGroupWriter); ok {
		_, err = g.Commit()
	} else {
		err = w.file.Flush()
	}
	w.group, w.rows, w.begun = nil, 0, w.file.Size()
	return err
}

// close writes what is left and the footer.
func (w *fileWriter) close() error {
	if w.rows > 0 {
		if err := w.endGroup(); err != nil {
			return err
		}
	}
	return w.file.Close()
}
