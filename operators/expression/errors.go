package expression

// Kind says what is wrong with an expression.
type Kind uint8

// The kinds of an error.
const (
	Syntax          Kind = iota // it does not parse
	UnknownName                 // a field that the schema does not have
	UnknownFunction             // a function that does not exist
	Type                        // an operator or function on the wrong type
	Operator                    // a word of another language, such as = or AND
	Aggregate                   // an aggregate call where there can be none
)

var kindNames = [...]string{"syntax", "unknown name", "unknown function", "type", "operator", "aggregate"}

// String gives the kind in words.
func (k Kind) String() string { return kindNames[k] }

// Error is a fault of an expression, found before any record was seen.
type Error struct {
	// Offset and End are the bytes of the source at fault, [Offset, End).
	Offset, End int
	Kind        Kind
	// Message says what is wrong, Hint what to write instead (may be empty).
	Message, Hint string
	// Name is the name or function that is unknown, else empty.
	Name string
	// More are other faults of the same expression, in its order.
	More []*Error
}

// Error gives the message and, in brackets, the hint.
func (e *Error) Error() string {
	if e.Hint == "" {
		return e.Message
	}
	return e.Message + " (" + e.Hint + ")"
}

// WarningKind says what a warning is about.
type WarningKind uint8

// The kinds of a warning.
const (
	Comment    WarningKind = iota // 7 // 2: the rest of the line is a comment
	Division                      // /, which gives a float and can divide by zero
	Zero                          // a divisor that is always 0
	Nullable                      // a field that may be null, used where null is an error
	HiddenName                    // a field with the name of a function
	Impure                        // now() or uuid(): two runs give different results
	Misuse                        // compiles, but fails on every record
)

// Warning is something in an expression that is allowed and likely not meant.
type Warning struct {
	// Offset and End are the bytes of the source spoken of, [Offset, End).
	Offset, End   int
	Kind          WarningKind
	Message, Hint string
}

// Failure is a row for which an expression has no value.
type Failure struct {
	// Row is the row of the batch.
	Row int32
	// Message is short and names the field where a null is the cause.
	Message string
}
