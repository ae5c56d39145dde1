package spec

import "io"

// Options say where ${NAME}s are looked up.
type Options struct {
	Set   map[string]string           // from flags; they win
	Env   func(string) (string, bool) // the environment; nil: nothing is set
	NoEnv bool                        // don't ask the environment: what is missing is a warning only
}

// Parse reads a pipeline file.
func Parse(path string, text []byte, o Options) (*File, Diagnostics) { return nil, nil }

// ParseNode reads any other YAML document.
func ParseNode(path string, text []byte, o Options) (*Node, Diagnostics) { return nil, nil }

// DecodeOptions say what is decoded.
type DecodeOptions struct {
	What   string   // as messages name it: transform "uv"
	Node   string   // Diagnostic.Node
	Pos    Pos      // where missing keys are reported; zero: the node's own
	Ignore []string // keys that are known and decoded by others
}

// Decode fills a struct from a map.
func Decode(n *Node, dst any, o DecodeOptions) Diagnostics { return nil }

// Decoder is implemented by types that decode themselves.
type Decoder interface {
	DecodeNode(n *Node, o DecodeOptions) Diagnostics
}

// Expr is an expression.
type Expr struct {
	Text string
	Node *Node
}

// NamedExpr is an entry of {name: expression}.
type NamedExpr struct {
	Name string
	Pos  Pos
	Expr Expr
}

// Exprs are a map of expressions in the order of the file.
type Exprs []NamedExpr

// Size is a number of bytes.
type Size int64

// Limit is a duration or off.
type Limit struct {
	Value Duration
	Off   bool
}

// At is the place of a byte of a scalar's text.
func (n *Node) At(offset int) Pos { return n.Pos }

// Value is the YAML value as records hold it.
func (n *Node) Value() any { return nil }

// AppendJSON appends the value as JSON.
func (n *Node) AppendJSON(dst []byte) []byte { return dst }

// Nearest finds the known word that was meant.
func Nearest(word string, known []string) (string, bool) { return "", false }

// WriteText prints the faults for people.
func (d Diagnostics) WriteText(w io.Writer, source func(file string) []byte) error { return nil }

// WriteJSON prints the faults for programs.
func (d Diagnostics) WriteJSON(w io.Writer) error { return nil }

// Suppress applies the comments `# lint: allow TMnnn reason`.
func (d Diagnostics) Suppress(file *File) Diagnostics { return d }
