package connector

import (
	"io"
	"slices"
	"strings"
	"time"

	"tidemark/io/codec"
)

// Role says which end of a pipeline a kind serves.
type Role string

// The roles.
const (
	SourceRole Role = "source"
	SinkRole   Role = "sink"
)

// Kind is a type of source or sink that a pipeline file may name.
type Kind struct {
	// Name is the word after type.
	Name string
	Role Role
	// Doc is one sentence for the reference.
	Doc string
	// Formats are the values that format may have, the default first; empty where there is nothing to choose.
	Formats []string
	// Typed says that a sink has to know the types of its columns before the first row: its outputs are
	// [TypedSink]s.
	Typed bool
	// Records says that a sink writes records with a key, headers and a time of their own: its outputs are
	// [RecordSink]s.
	Records bool
	// Derived says that the block of a [Columnar] source may compute fields from the source's columns, under fields.
	Derived bool
	// New gives a pointer to an options struct with its defaults: a [Source], a [RecordSource] or a [Sink].
	New func() any
}

// Problem is something wrong with an option, for whoever knows where in the file it stands.
type Problem struct {
	// Option is the option's name; dots lead into nested options.
	Option string
	// Message says what was found, Hint what to write instead; Hint may be empty.
	Message, Hint string
}

// Environment is what a connector needs of the run that it is part of.
type Environment struct {
	// Node is the name of the source or sink, for messages.
	Node string
	// Format is one of the kind's formats; empty means the first.
	Format string
	// CSV says how records are cut where they are CSV, which may have line ends within quotes; else nil. Lines are then
	// records: only their last line feed ends them.
	CSV *codec.CSVFormat
	// Times is how a sink that takes rows writes times.
	Times codec.TimeFormat
	// Header is what each output of a sink begins with: a line, or nothing.
	Header []byte
	// ChunkSize is in bytes; 0 means DefaultChunkSize. Results do not depend on it.
	ChunkSize int64
	// Pipeline is the pipeline's name, for files that say who wrote them.
	Pipeline string
	// Stdin and Stdout stand for the process's own; nil means those.
	Stdin  io.Reader
	Stdout io.Writer
	// Unbounded says that the input has no end of its own. Sinks then give each part its name when it is
	// finished; else all parts get theirs at the commit.
	Unbounded bool
	// Prepared is what a [TwoPhase] output of an earlier run has named last, for a run that goes on from there. Open
	// commits it, and gives up what that run left beyond it.
	Prepared []byte
	// Warn is told what a person should know while the run goes on, such as that a broker can't be reached. It may be
	// called by any goroutine, and may be nil.
	Warn func(message string)
	// Clock is the time of day; nil means time.Now.
	Clock func() time.Time
}

// Now reads the clock.
func (e Environment) Now() time.Time {
	if e.Clock != nil {
		return e.Clock()
	}
	return time.Now()
}

// Chunk gives the size of a chunk in bytes.
func (e Environment) Chunk() int64 {
	if e.ChunkSize > 0 {
		return e.ChunkSize
	}
	return DefaultChunkSize
}

var kinds []*Kind

// Register makes a kind known. It is called by the init functions of the kinds' packages.
func Register(k Kind) {
	if _, taken := Lookup(k.Role, k.Name); taken {
		panic("connector: two kinds of " + string(k.Role) + " are called " + k.Name)
	}
	kinds = append(kinds, &k)
	slices.SortFunc(kinds, func(a, b *Kind) int { return strings.Compare(a.Name, b.Name) })
}

// Lookup finds a kind by its role and name.
func Lookup(role Role, name string) (*Kind, bool) {
	for _, k := range kinds {
		if k.Role == role && k.Name == name {
			return k, true
		}
	}
	return nil, false
}

// Kinds gives the kinds of a role, sorted by name.
func Kinds(role Role) []*Kind {
	var of []*Kind
	for _, k := range kinds {
		if k.Role == role {
			of = append(of, k)
		}
	}
	return of
}
