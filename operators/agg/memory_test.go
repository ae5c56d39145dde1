package agg

import (
	"fmt"
	"strings"
	"testing"

	"tidemark/stream"
)

// batchOf builds a batch of n rows for each kind of argument, spread over some entries.
func batchOf(kind stream.Kind, n, entries int) *Input {
	c := &stream.Column{}
	condition := &stream.Column{}
	in := &Input{Args: []*stream.Column{c, condition}}
	for i := range n {
		v := i * 7919 % n
		switch kind {
		case stream.Int:
			c.AppendInt(int64(v))
		case stream.Instant:
			c.AppendInstant(stream.Time(v))
		case stream.Float:
			c.AppendFloat(float64(v) / 4)
		case stream.Bool:
			c.AppendBool(v%2 == 0)
		default:
			c.AppendText(fmt.Appendf(nil, "%d-%s", v, strings.Repeat("x", v%9)))
		}
		condition.AppendBool(v%3 > 0)
		in.Rows, in.IDs = append(in.Rows, int32(i)), append(in.IDs, uint32(v%entries))
	}
	return in
}

// TestSteadyStateAllocatesNothing adds, merges, reads, clears and resets, with all kinds and columns.
func TestSteadyStateAllocatesNothing(t *testing.T) {
	const entries = 50
	for _, k := range Kinds() {
		for _, kind := range []stream.Kind{stream.Int, stream.Instant, stream.Float, stream.Bool, stream.String} {
			if !k.accepts.all(kind) {
				continue
			}
			in := batchOf(kind, 1000, entries)
			in.Args = argsOf(k, in.Args[0], in.Args[1])
			accs := opened(t, k)
			lists := k.ResultType(make([]stream.Type, 2)).Shape == stream.List // which are boxed
			out := &stream.Column{}
			allocs := testing.AllocsPerRun(10, func() {
				accs.Grow(entries + 1)
				accs.Add(in)
				accs.Merge(entries, accs, 3)
				accs.Clear(entries)
				out.Reset(out.Kind, 0)
				for id := range uint32(entries + 1) {
					if lists {
						break
					}
					if err := accs.Append(id, out); err != nil {
						t.Error(err)
					}
				}
				accs.Reset()
			})
			if allocs > 0 {
				t.Errorf("%s of %v: %v allocations a batch", k.Name, kind, allocs)
			}
			if accs.Bytes() == 0 {
				t.Errorf("%s of %v says that it holds nothing", k.Name, kind)
			}
		}
	}
}

// opened makes accumulators of a kind, with constants where it has some.
func opened(t testing.TB, k *Kind) Accumulators {
	t.Helper()
	var constants []any
	switch {
	case strings.Contains(k.Name, "quantile"):
		constants = []any{0.9}
	case k.Parameters > 0:
		constants = []any{", "}
	}
	bound, err := k.Bind(constants)
	if err != nil {
		t.Fatal(err)
	}
	return bound.New(make([]stream.Type, bound.MaxArgs))
}

// argsOf gives a kind's arguments: values for each, and the condition.
func argsOf(k *Kind, values, condition *stream.Column) []*stream.Column {
	var args []*stream.Column
	for range k.Values() {
		args = append(args, values)
	}
	if k.Conditional {
		args = append(args, condition)
	}
	return args
}

// TestTextIsCollected lets texts of growing length replace each other.
func TestTextIsCollected(t *testing.T) {
	for _, name := range []string{"min", "max", "first", "last"} {
		k, _ := Lookup(name)
		accs := k.New(make([]stream.Type, 1))
		accs.Grow(10)
		want := [10]string{}
		for i := range 2000 {
			in := &Input{Args: []*stream.Column{{}}, Ordinal: uint64(i)}
			text := fmt.Sprintf("%04d%s", i, strings.Repeat("y", i/2))
			in.Args[0].AppendText([]byte(text))
			in.Rows, in.IDs = []int32{0}, []uint32{uint32(i % 10)}
			if i%10 == i/10%10 {
				accs.Clear(in.IDs[0])
				want[i%10] = ""
			}
			accs.Add(in)
			if name == "max" || name == "last" || want[i%10] == "" {
				want[i%10] = text
			}
		}
		for id := range want {
			out := &stream.Column{}
			if err := accs.Append(uint32(id), out); err != nil || out.Value(0) != want[id] {
				t.Errorf("%s of entry %d is %.10q…, want %.10q…, error %v", name, id, out.Value(0), want[id], err)
			}
		}
		if b := accs.Bytes(); b > 300<<10 {
			t.Errorf("%s holds %d bytes for ten texts of 1000", name, b)
		}
	}
}
