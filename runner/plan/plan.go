package plan

import (
	"slices"
	"time"

	"tidemark/io/codec"
	"tidemark/io/connector"
	"tidemark/operators/agg"
	"tidemark/operators/expression"
	"tidemark/operators/watermark"
	"tidemark/operators/window"
	"tidemark/spec"
	"tidemark/stream"
)

// Plan is a compiled pipeline. It is not changed after Compile.
type Plan struct {
	Name string
	// Sources are in the order of the file, which is also their rank in the source order.
	Sources []*Source
	// Transforms are in an order in which every one comes after what it reads.
	Transforms []*Transform
	// Sinks are in the order of the file, but that every one comes after those whose dirty outputs it reads.
	Sinks    []*Sink
	Settings Settings
}

// Settings are the file's settings.
type Settings struct {
	// Parallelism is the number of workers; 0 leaves it to the machine.
	Parallelism int
	// FailDirty and FailLate end the run at the first record that can't be used, or is late.
	FailDirty, FailLate bool
	// Memory is the most that windows may hold, in bytes; 0 sets no limit.
	Memory int64
	// Metrics is the address at which the run's metrics are served, such as ":9090"; empty for none.
	Metrics string
}

// Output is a stream of records from one port of a node.
type Output struct {
	// Node is the producing node's name, Name the output's name in the file, such as "uv.late".
	Node, Name string
	Port       stream.Port
	// Fields are the known fields in order.
	Fields []stream.Field
	// Open says that a record may have more fields than Fields: the text that was read lies beneath.
	Open bool
	// Declared says that Fields came from a schema, so that other names are mistakes.
	Declared bool
	// EventTime says that the records have event times.
	EventTime bool
	// Bounded says that the stream ends by itself.
	Bounded bool
	// Readers counts the nodes that read the output.
	Readers int
	// Paths are, for a dirty output, what readers asked for besides its fields: values within them, or the whole
	// record (the empty path). Their columns come after all others.
	Paths []stream.Path

	// facts are the names below meta that its records may have.
	facts []string
	// asRead is the format of the sources whose records these are, unchanged and with the same fields; else empty.
	asRead string
	// unsure says that a fault hides which fields there are.
	unsure bool
	column func(stream.Path) int
	layout func() codec.Layout
}

// Column gives the place of a path in the output's batches, asking for it upstream if it is new. A path that
// no record can have gives a column of missing values.
func (o *Output) Column(path stream.Path) int { return o.column(path) }

// Layout says how the output's records are written: the fields in order and the text beneath them.
func (o *Output) Layout() codec.Layout { return o.layout() }

// Source reads records from outside.
type Source struct {
	Name string
	// Number is the source's rank in the file.
	Number int
	Block  *spec.Block
	Kind   *connector.Kind
	// Options is what Kind.New gave, filled from the file.
	Options any
	// Format is JSON, CSV or Text; CSV says more of the second.
	Format string
	CSV    *codec.CSVFormat
	// Columns is the projection: what the codec is asked for.
	Columns []codec.Column
	// Derive computes fields from the columns, before anything else looks at the records: its slots are then what the
	// source gives. It is nil where the columns are the fields.
	Derive *Stage
	// Timestamp gives the event time; nil where records have none.
	Timestamp *Timestamp
	Watermark Watermark
	// Facts are those of a source of records that expressions ask for: what its OpenRecords is given.
	Facts []string
	// Skips has, for every reader of a source of columns, the comparisons that its condition begins with. A chunk
	// in which no row passes any reader's need not be read. It is nil where that could be seen in a result.
	Skips [][]expression.Bound
	Stage Stage
	// NeedsLine says that line numbers are looked at by expressions, so that a chunk cannot be prepared before
	// the lines of those before it were counted.
	NeedsLine bool
	// Record writes a record of columns, which has no text, for the dirty output; nil where nobody reads it.
	Record *codec.Layout
	Main   *Output
	Dirty  *Output
}

// Timestamp is how a source's records get their event time.
type Timestamp struct {
	Step Step
	// Unit is what numbers count, Zone where text without a zone is read (nil: UTC).
	Unit watermark.Unit
	Zone *time.Location
	Node *spec.Node
	// Arrival says that it is `now()`: in a read without an end the time at which a record came.
	Arrival bool
}

// Watermark is a source's strategy.
type Watermark struct {
	Strategy watermark.Strategy
	// Marker gives the watermark of a punctuated strategy, from the source stage's slots.
	Marker *Step
	// Idle is how long a partition may give nothing before it no longer holds the others back, MaxAhead how far a
	// record may be ahead and still move the watermark, Align how far a partition may be ahead of the slowest,
	// Interval how often watermarks are given (0: after every record). All are in milliseconds; 0 is off.
	Idle, MaxAhead, Align, Interval int64
	// PerSource says that all partitions have one watermark, that of the latest. Per gives a value from the source
	// stage's slots, each of which has a watermark of its own in its partition; ValueIdle, in milliseconds, is how
	// far a value may be behind before it is forgotten.
	PerSource bool
	Per       *Step
	ValueIdle int64
	// OnRegress is what becomes of a record behind the greatest time of its partition.
	OnRegress Regress
	// Given says that the file names a strategy; Node is where.
	Given bool
	Node  *spec.Node
}

// Regress is what becomes of a record that is behind where none should be.
type Regress uint8

// What on_regress may say.
const (
	RegressIgnored Regress = iota
	RegressWarned          // it is told of and counted
	RegressDirty           // it goes to the dirty output
	RegressFails           // it ends the run
)

// Transform is one query block.
type Transform struct {
	Name   string
	Block  *spec.Block
	Inputs []*Output
	// From is what the block reads: its only input, or the union of all.
	From *Output
	// Union is set where there is more than one input.
	Union *Union
	// Explode stands in front of Prepare, which reads the records of elements then, and so does From; nil without.
	Explode *Explode
	Prepare Stage
	// Window is nil for a block that keeps no state; Finish belongs to it.
	Window *Window
	Finish Stage
	// Main has the rows; nobody reads it where Split deals them out.
	Main  *Output
	Split *Split
	Late  *Output
	Dirty *Output
	// asks says that expressions name fields of records whose fields are not known.
	asks bool
	// LateColumns are the columns of Late: slots of Prepare, or facts of the window.
	LateColumns []LateColumn
	// Record writes the record as it came in, for the dirty output; nil where nobody reads it.
	Record *codec.Layout
	// ResultRecord writes a row of the window's result for the dirty output.
	ResultRecord *codec.Layout
}

// LateColumn is a column of a late output.
type LateColumn struct {
	Slot int
	Fact LateFact
}

// LateFact is what the window knows of a late record.
type LateFact uint8

// The facts of a late record.
const (
	NoFact    LateFact = iota // a slot of the prepare stage
	LateBy                    // milliseconds behind the watermark
	WindowEnd                 // the end of its last window
)

// Window is the stateful part of a transform.
type Window struct {
	Spec     window.Spec
	Lateness spec.Duration
	// Keys are slots of the prepare stage.
	Keys     []int
	KeyNames []string
	// Aggregates are columns of the window's result, after the keys and the bounds.
	Aggregates []Aggregate
	// Bounds says that results have window_start and window_end.
	Bounds bool
	// Processing says that the window goes by the time of day, not by event time.
	Processing bool
	// Node is where the file speaks of the window; nil when it doesn't.
	Node *spec.Node

	keyed []keyExpression
}

// keyExpression is a part of a key with its place in the file.
type keyExpression struct {
	program *expression.Program
	node    *spec.Node
}

// Columns gives the number of columns of the result.
func (w *Window) Columns() int {
	n := len(w.Keys) + len(w.Aggregates)
	if w.Bounds {
		n += 2
	}
	return n
}

// Aggregate is one aggregate call.
type Aggregate struct {
	Kind *agg.Kind
	// Args are slots of the prepare stage, Types what is known of them.
	Args  []int
	Types []stream.Type
	// Field is the result field that it is for, Text the call as it is written.
	Field, Text string
}

// Step says for dirty records where an aggregate stands.
func (a Aggregate) Step() *Step { return &Step{Clause: "aggregate", Field: a.Field, Text: a.Text} }

// Union is several outputs read as one, merged by cause.
type Union struct {
	Inputs []*Output
	// Columns has, for each column of the union, the column of each input, or one of the numbers below.
	Columns [][]int
	Output  *Output
}

// What a column of a union can have instead of a column of an input.
const (
	FromNowhere = -1 // nothing: null
	FromNumber  = -2 // the number of the input
)

// Sink writes records.
type Sink struct {
	Name    string
	Block   *spec.Block
	Kind    *connector.Kind
	Options any
	// Format is one of the kind's formats; empty means the first.
	Format string
	Inputs []*Output
	// Layouts say how the records of each input are written; there are none where nothing is written.
	Layouts []codec.Layout
	// Fields are the columns of a sink that has to know their types, in the order of its only layout. Strict says
	// that the file gives them, so that those which may not be null hold none. Where there are several inputs,
	// Union is what they are merged by.
	Fields     []stream.Field
	Strict     bool
	Union      *Union
	TimeFormat codec.TimeFormat

	// Upsert says that a row replaces the one of its key: deletions are written as tombstones.
	Upsert bool
	// Keys say for each input what the record's key is; nil where records have none.
	Keys []SinkKey
	// Headers have for each input a stage that computes the headers' values, one a header; nil where there are none.
	Headers     []Stage
	HeaderNames []string
	// HeaderSlots are the slots of the headers' values in each of the stages.
	HeaderSlots [][]int
	// Dirty are the rows that the sink could not write.
	Dirty *Output
}

// SinkKey is the key of an input's records.
type SinkKey struct {
	// Columns are those of the key's fields in the input's batches; a row in which one of them is null has no key.
	Columns []int
	// Object writes the fields as a JSON object; nil where the key is the text of the only one.
	Object *codec.Layout
}

// Null reports whether a row has no key.
func (k *SinkKey) Null(b *stream.Batch, row int) bool {
	return slices.ContainsFunc(k.Columns, func(column int) bool {
		c := &b.Columns[column]
		return c.Tag(row) != stream.TagOK && c.Value(row) == nil
	})
}
