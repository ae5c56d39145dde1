package agg

import (
	"fmt"
	"slices"
	"sort"

	"tidemark/operators/state"
	"tidemark/stream"
)

// Kind is an aggregate function.
type Kind struct {
	// Name is what expressions call it by.
	Name string
	// Doc says in a sentence what it gives.
	Doc string
	// Args names the arguments, for the reference: those in brackets may be left out.
	Args string
	// Example is a call with its result, for the reference.
	Example Example
	// MinArgs and MaxArgs bound the number of arguments; a condition counts as one.
	MinArgs, MaxArgs int
	// Parameters is the number of arguments, the last but for a condition, that are constants of the call, such as
	// the level of quantile. Bind takes them; no column is computed of them.
	Parameters int
	// Constants are those that Bind took.
	Constants []any
	// Conditional says that the last argument is a condition: rows where it isn't true are left out.
	Conditional bool
	// Keyed says that Input.Keys is of use: the grouping keys of the first argument.
	Keyed bool
	// ResultType gives what is known of the result from what is known of the arguments.
	ResultType func(args []stream.Type) stream.Type
	// New makes empty accumulators for arguments of these types. A kind with Parameters has it when it is bound.
	New func(args []stream.Type) Accumulators

	accepts acceptance
	judged  int  // the argument that accepts speaks of
	total   bool // there is a result for nothing at all, so that it is never null
	bind    func(constants []any) (opener, error)
}

// opener makes empty accumulators for arguments of these types.
type opener = func(args []stream.Type) Accumulators

// Input is some rows of a batch to be added: row Rows[i] of each column of Args goes into entry IDs[i].
type Input struct {
	Rows []int32
	IDs  []uint32
	// Args are the arguments' columns, indexed by batch row, the condition last.
	Args []*stream.Column
	// Batch is the batch that the rows are of.
	Batch *stream.Batch
	// Ordinal is the number, in the node's input, of batch row 0.
	Ordinal uint64
	// Keys are the grouping keys of Args[0] for Rows, or nil. They spare a Keyed kind from computing them.
	Keys *state.Keys
}

// Accumulators hold the state of one aggregate for many entries.
type Accumulators interface {
	// Grow makes the entries up to n, exclusive, usable. New ones are empty.
	Grow(n int)
	// Add takes rows, which must have passed Kind.Check.
	Add(in *Input)
	// Merge adds what entry src of from holds to entry dst. from is of the same kind, and may be the same
	// accumulators; it is not changed. Floats of src are taken as coming after those of dst.
	Merge(dst uint32, from Accumulators, src uint32)
	// Clear makes an entry empty.
	Clear(id uint32)
	// Append appends an entry's result to a builder column. On an error, which names the aggregate and says
	// what can't be given, nothing is appended.
	Append(id uint32, out *stream.Column) error
	// Reset drops all entries and keeps the memory.
	Reset()
	// Bytes gives the memory held, in bytes.
	Bytes() int64
}

var kinds = map[string]*Kind{}

// register adds a kind and its conditional form.
func register(k Kind) {
	for _, k := range []Kind{k, conditionalForm(k)} {
		if _, twice := kinds[k.Name]; twice {
			panic(fmt.Sprintf("aggregate %s is registered twice", k.Name))
		}
		kinds[k.Name] = &k
	}
}

// Values gives the number of arguments that are computed for each record, a condition left out. A kind with optional
// constants has one number of them; else it is the greatest.
func (k *Kind) Values() int {
	if k.Conditional {
		return k.MaxArgs - k.Parameters - 1
	}
	return k.MaxArgs - k.Parameters
}

// Bind gives the kind with the constants of a call, which are as many as there are, up to Parameters: what takes the
// other arguments alone. The error says which constant is wrong, and what is wanted.
func (k *Kind) Bind(constants []any) (*Kind, error) {
	if k.Parameters == 0 {
		return k, nil
	}
	open, err := k.bind(constants)
	if err != nil {
		return nil, fmt.Errorf("%s %w", k.Name, err)
	}
	bound := *k
	bound.New, bound.bind, bound.Constants = open, nil, constants
	bound.MaxArgs -= k.Parameters
	bound.MinArgs, bound.Parameters = bound.MaxArgs, 0
	return &bound, nil
}

// Same reports whether two kinds are one function with the same constants.
func (k *Kind) Same(other *Kind) bool {
	return k.Name == other.Name && slices.Equal(k.Constants, other.Constants)
}

// Lookup gives the kind of a name.
func Lookup(name string) (*Kind, bool) {
	k, ok := kinds[name]
	return k, ok
}

// Kinds gives all kinds sorted by name.
func Kinds() []*Kind {
	all := make([]*Kind, 0, len(kinds))
	for _, k := range kinds {
		all = append(all, k)
	}
	sort.Slice(all, func(i, j int) bool { return all[i].Name < all[j].Name })
	return all
}
