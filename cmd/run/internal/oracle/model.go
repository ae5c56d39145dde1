package oracle

// Pipeline is a pipeline with its input. Transforms stand in an order in which each reads only what is before it.
type Pipeline struct {
	Sources    []Source
	Transforms []Transform
	Sinks      []Sink
	// Schema says that the sources declare the types of their fields.
	Schema bool
	// CSV says that the sources hold CSV, with a header; they then declare their types.
	CSV bool
}

// Source is a file source whose records have their time, in milliseconds, in the field ts.
type Source struct {
	Name      string
	Watermark Watermark
	// Partitions are the files, by name; each is its lines.
	Partitions [][]string
	// Chained makes one partition of the files, one behind the other. Packed compresses them.
	Chained, Packed bool
}

// Strategy says how a partition's watermark follows from its records.
type Strategy int

// The strategies.
const (
	Bounded Strategy = iota
	Monotonous
	Punctuated
	None
)

// Watermark is a strategy with its options.
type Watermark struct {
	Strategy Strategy
	// Delay is the bound of Bounded, in ms.
	Delay int64
	// Every lets each record whose field p is a multiple of it be a marker of Punctuated; 1 means all.
	Every int64
	// Greatest makes the partition's greatest time the marker's value, in place of the record's own.
	Greatest bool
	// MaxAhead, in ms, is how far ahead a record may be; 0 is off.
	MaxAhead int64
	// PerSource lets the partition that is furthest speak for the source. PerValue gives each value of the field g a
	// watermark of its own, which is forgotten when it is more than Idle ms behind.
	PerSource, PerValue bool
	Idle                int64
	// Regress makes records that are behind others dirty, with Monotonous.
	Regress bool
}

// Transform is one query block.
type Transform struct {
	Name string
	// From names outputs: a node, or a node with .late or .dirty.
	From  []string
	Where *Condition
	Set   []Assignment
	// Explode names the field that takes each element of the list in the field e; empty without.
	Explode string
	Select  []Assignment
	// What follows is of windows.
	Window     *Window
	Key        []string
	Lateness   int64
	Aggregates []Aggregate
	Having     *Condition
	// Split deals the rows out by the first condition that holds; what none takes goes to Rest.
	Split []Branch
}

// Branch is an output of a split.
type Branch struct {
	Name string
	If   *Condition
}

// Rest is the output of a split's rest.
const Rest = "rest"

// Kind is the kind of a window.
type Kind int

// The kinds.
const (
	Tumbling Kind = iota
	Sliding
	Session
	Calendar
)

// Window is a window clause; all lengths in ms.
type Window struct {
	Kind Kind
	// Unit and Zone are of calendar windows: day, week, month, quarter or year, and the name of a time zone.
	Unit, Zone string
	// Size is the length, or the gap of a session.
	Size, Every, Offset int64
}

// Condition compares a field, or its remainder by Modulo when that is not 0, with Value.
type Condition struct {
	Field  string
	Modulo int64
	// Op is one of == != < <= > >=.
	Op    string
	Value int64
}

// Assignment gives Name the value of Field plus Plus; as it is when Plus is 0.
type Assignment struct {
	Name, Field string
	Plus        int64
}

// Aggregate is a result column: Function over Field, which is empty for count().
type Aggregate struct {
	Name, Function, Field string
	// By is the ranking field of min_by and max_by.
	By string
	// If is the condition of the form with one.
	If *Condition
}

// Sink writes the union of outputs as JSON lines.
type Sink struct {
	Name string
	From []string
	// Stdout takes the place of a file; Discard only counts.
	Stdout, Discard bool
	// Milliseconds writes times as numbers.
	Milliseconds bool
}

// Counts is what the report says of a node.
type Counts struct {
	In, Out, Filtered, Late, Dirty, Used int64
}

// Result is what a pipeline must write and report.
type Result struct {
	// Lines are the rows of each sink, in order. A dirty record is shown as its node and raw only.
	Lines map[string][]string
	// Counts has an entry for each source, transform and sink.
	Counts map[string]*Counts
}
