package parquetio

import (
	"fmt"

	"tidemark/io/connector"
	"tidemark/io/internal/aside"
	"tidemark/stream"
)

const (
	// slabRows is how many rows are handed to the encoder at once, and slabText is with how many bytes of text fewer
	// are.
	slabRows = 8192
	slabText = 8 << 20
	// stepRows is after how many rows that is looked at. It is counted from the first row, so that where a row group
	// ends depends on the rows alone.
	stepRows = 512
)

// sinkOutput is an open parquet sink.
//
// Memory: without partitions there are at most four slabs of 8,192 rows or a little over 8 MiB of text, and one row
// group, of which the library keeps the encoded and compressed pages, one page of each column that is being filled,
// and the dictionaries; at 64 MiB it is ended before it has all its rows. With partitions see [splitter].
type sinkOutput struct {
	options *SinkOptions
	env     connector.Environment
	parts   *aside.Parts       // nil for a single file
	single  connector.ByteSink // nil for parts
	direct  bool               // single is a pipe or a device

	fields     int
	columns    []sinkColumn
	encoder    *encoder // nil before SetFields
	slab       *slab
	partitions *splitter // nil without partition_by
	stopped    bool
	done       bool
}

var _ connector.TypedSink = (*sinkOutput)(nil)

// SetFields implements [connector.TypedSink].
func (o *sinkOutput) SetFields(fields []stream.Field) error {
	columns, folders, err := columnsOf(fields, o.options.schema, o.options.PartitionBy)
	if err != nil {
		return err
	}
	o.fields, o.columns = len(fields), columns
	o.encoder = startEncoder(&encoder{
		options: fileOptions{columns: columns, compression: o.options.Compression, pipeline: o.env.Pipeline, sampler: newSampler()},
		limits:  o.options.Roll, group: o.options.RowGroup, env: o.env, parts: o.parts, single: o.single,
	})
	if len(folders) > 0 {
		o.partitions = newSplitter(columns, folders, o.options.RowGroup, o.encoder)
	} else {
		o.slab = o.encoder.empty()
	}
	return nil
}

// WriteRows implements [connector.RowSink]. The columns of b are the fields of SetFields, in their order; names
// are not looked at.
func (o *sinkOutput) WriteRows(b *stream.Batch, _ []string) error {
	if err := o.encoder.failure(); err != nil {
		return err
	}
	if len(b.Columns) != o.fields {
		panic(fmt.Sprintf("parquetio: a batch with %d columns for %d fields", len(b.Columns), o.fields))
	}
	all := picked{rows: b.Sel, to: b.N}
	if o.partitions != nil {
		return o.partitions.add(b, all)
	}
	for from, n := 0, all.len(); from < n; {
		to := min(n, from+stepRows-o.slab.n%stepRows)
		if err := o.slab.add(b, o.columns, all.slice(from, to)); err != nil {
			return err
		}
		from = to
		if o.slab.n == slabRows || o.slab.n%stepRows == 0 && o.slab.textSize() >= slabText {
			o.handOver()
		}
	}
	return nil
}

// handOver gives the rows that have gathered to the encoder.
func (o *sinkOutput) handOver() {
	if o.slab.n > 0 {
		o.encoder.tasks <- task{slabs: []*slab{o.slab}}
		o.slab = o.encoder.empty()
	}
}

// Flush implements [connector.Output]. Rows can be read only when their file is complete, so there is nothing to
// do but to end the files whose time is over. It gives the encoder's error, if there is one by now.
func (o *sinkOutput) Flush() error {
	if o.encoder == nil {
		return nil
	}
	if roll := o.options.Roll; roll != nil && roll.Every > 0 {
		if o.partitions == nil {
			o.handOver()
		}
		o.encoder.tasks <- task{}
	}
	return o.encoder.failure()
}

// Commit implements [connector.Output].
func (o *sinkOutput) Commit() error {
	if o.done {
		return fmt.Errorf("%s was ended before", o.options.Path)
	}
	if o.encoder == nil {
		panic("parquetio: a commit before SetFields")
	}
	if o.partitions != nil {
		o.partitions.handOverAll()
	} else {
		o.handOver()
	}
	o.stopped = true
	if err := o.encoder.stop(); err != nil {
		return err
	}
	if err := o.encoder.endAll(o.partitions != nil); err != nil {
		return err
	}
	o.done = true
	if o.parts != nil {
		return o.parts.Commit()
	}
	return o.single.Commit()
}

// Abort implements [connector.Output].
func (o *sinkOutput) Abort() error {
	o.done = true
	if o.direct {
		_ = o.single.Abort() // so that the encoder does not wait for a reader any more
	}
	if o.encoder != nil && !o.stopped {
		o.stopped = true
		_ = o.encoder.stop() // its error has been told, or is of no more use
	}
	if o.encoder != nil {
		o.encoder.drop()
	}
	if o.parts != nil {
		return o.parts.Abort()
	}
	return o.single.Abort()
}
