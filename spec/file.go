package spec

// Role is what a block of a pipeline file is.
type Role string

// The roles, named as messages name them.
const (
	Source    Role = "source"
	Transform Role = "transform"
	Sink      Role = "sink"
)

// Block is one source, transform or sink.
type Block struct {
	Role    Role
	Name    string
	NamePos Pos
	// Type is the kind of a source or sink, empty for a transform or when the file doesn't say it.
	Type string
	// Node is the block's map. It is never nil; a block that is no map has an empty one.
	Node *Node
}

// Title is the block as messages name it: transform "uv".
func (b *Block) Title() string { return string(b.Role) + ` "` + b.Name + `"` }

// File is a pipeline file.
type File struct {
	Path        string
	Name        string // of the file, or of the path without folder and ending
	Description string
	// Sources, Transforms and Sinks stand in the order of the file.
	Sources, Transforms, Sinks []*Block
	Vars                       *Node // nil without; so are the two below
	Settings                   *Node
	Tests                      *Node
	Node                       *Node // the whole file
	Text                       []byte
	// Variables are the names that ${NAME}s ask for and those of vars, sorted.
	Variables []string
	// Partial says that parts of the file could not be read, or that a section's name isn't known. A name that
	// is missing may then stand in such a part.
	Partial bool
}

// Blocks gives sources, transforms and sinks, in this order.
func (f *File) Blocks() []*Block {
	blocks := make([]*Block, 0, len(f.Sources)+len(f.Transforms)+len(f.Sinks))
	blocks = append(blocks, f.Sources...)
	blocks = append(blocks, f.Transforms...)
	return append(blocks, f.Sinks...)
}
