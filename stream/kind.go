package stream

// Kind is how the values of a column are stored in one batch.
type Kind uint8

// The kinds of a column. The zero Kind is Any: nothing is known of the values.
const (
	Any     Kind = iota // boxed in Column.Boxed: nil, bool, int64, float64, string, time.Time, []any, map[string]any
	Int                 // Column.Ints
	Float               // Column.Floats
	Bool                // Column.Bools
	String              // Column.Refs into Column.Data or Column.Arena
	Instant             // Column.Ints, in milliseconds since 1970; to an expression it is a time.Time in UTC
)

var kindNames = [...]string{"any", "int", "float", "bool", "string", "timestamp"}

// String gives the kind in the words of a schema.
func (k Kind) String() string { return kindNames[k] }

// Type is what is known of a field before any record was seen: by a schema or by an expression's result.
type Type struct {
	Kind Kind
	// Shape tells lists and objects apart from values of which nothing is known; both are of Kind Any.
	Shape Shape
	// Null says that the value may be null or missing.
	Null bool
}

// Shape is the form of a value of Kind Any, as far as it is known.
type Shape uint8

// The shapes of a value of Kind Any.
const (
	Unknown Shape = iota
	List
	Object
)

// String gives the type in the words of a schema, such as "int|null".
func (t Type) String() string {
	name := t.Kind.String()
	switch {
	case t.Kind == Any && t.Shape == List:
		name = "list"
	case t.Kind == Any && t.Shape == Object:
		name = "object"
	}
	if t.Null && t.Kind != Any {
		name += "|null"
	}
	return name
}

// Field is a name and what is known of its values.
type Field struct {
	Name string
	Type Type
}

// RowKind says what a row does to the result that downstream holds (Flink: RowKind).
type RowKind uint8

// The kinds of a row. A batch without kinds holds inserts only.
const (
	Insert       RowKind = iota // +I
	UpdateBefore                // -U: the former row, taken back
	UpdateAfter                 // +U: the row that takes its place
	Delete                      // -D
)

// Port is an output of a node.
type Port uint8

// The ports of a node. Outputs of a split are First, First+1, … in the order written, with the rest last.
const (
	Main  Port = iota // what the node is for
	Late              // records that came after their windows were dropped
	Dirty             // records that could not be used
	First             // the first output of a split
)
