package window_test

import (
	"fmt"
	"regexp"
	"strings"

	"pgregory.net/rapid"

	"tidemark/operators/agg"
	"tidemark/operators/window"
	"tidemark/stream"
)

// anyAggregate is an aggregate drawn at random, over values of one type drawn at random.
type anyAggregate struct {
	kind   *agg.Kind
	typ    stream.Kind
	nulls  bool
	values map[uint64][]any // by ordinal: the arguments of a record
}

// byInputOrder matches the aggregates whose result depends on the order of records.
var byInputOrder = regexp.MustCompile(`^(first|last|collect|collect_set|string_join|min_by|max_by)(_if)?$`)

func drawAggregate(t *rapid.T, events []event) anyAggregate {
	a := anyAggregate{
		typ:    rapid.SampledFrom([]stream.Kind{stream.Int, stream.Float, stream.String, stream.Bool, stream.Instant}).Draw(t, "type"),
		nulls:  rapid.Bool().Draw(t, "nulls"),
		values: map[uint64][]any{},
	}
	var fitting []*agg.Kind
	ordered := rapid.Bool().Draw(t, "by input order") // these are what windows can get wrong
	for _, k := range agg.Kinds() {
		if ordered && !byInputOrder.MatchString(k.Name) {
			continue
		}
		if k.Accepts(0, stream.Type{Kind: a.typ}) && k.Accepts(1, stream.Type{Kind: a.typ}) {
			fitting = append(fitting, k)
		}
	}
	kind := fitting[rapid.IntRange(0, len(fitting)-1).Draw(t, "aggregate")]
	var constants []any
	if strings.Contains(kind.Name, "quantile") {
		constants = []any{rapid.SampledFrom([]float64{0, 0.3, 0.5, 1}).Draw(t, "level")}
	}
	var err error
	if a.kind, err = kind.Bind(constants); err != nil {
		t.Fatal(err)
	}
	for _, e := range events {
		if !e.mark {
			a.values[e.ordinal] = a.arguments(t)
		}
	}
	return a
}

// arguments draws those of a record. Floats are quarters, whose sums are exact, so that no order is seen in them.
func (a *anyAggregate) arguments(t *rapid.T) []any {
	args := make([]any, a.kind.Values())
	for i := range args {
		switch v := rapid.Int64Range(-4, 9).Draw(t, "value"); {
		case a.nulls && v < -2:
		case a.typ == stream.Int:
			args[i] = v
		case a.typ == stream.Float:
			args[i] = float64(v) / 4
		case a.typ == stream.String:
			args[i] = fmt.Sprint("text ", v)
		case a.typ == stream.Bool:
			args[i] = v%3 == 0
		default:
			args[i] = stream.Time(v).Std()
		}
	}
	if a.kind.Conditional {
		args = append(args, rapid.Bool().Draw(t, "condition"))
	}
	return args
}

// spec is the aggregate for an operator.
func (a *anyAggregate) spec() window.Aggregate {
	return window.Aggregate{Kind: a.kind, Args: make([]stream.Type, a.kind.MaxArgs)}
}

// columns gives the arguments of some records.
func (a *anyAggregate) columns(ordinals []uint64) []*stream.Column {
	n := a.kind.Values()
	if a.kind.Conditional {
		n++
	}
	columns := make([]*stream.Column, n)
	for i := range columns {
		columns[i] = new(stream.Column)
		columns[i].Reset(a.typ, len(ordinals))
		if i == a.kind.Values() {
			columns[i].Reset(stream.Bool, len(ordinals))
		}
		for row, ordinal := range ordinals {
			columns[i].SetValue(row, a.values[ordinal][i])
		}
	}
	return columns
}

// over gives the result over records in the order of the input, in one pass.
func (a *anyAggregate) over(t *rapid.T, rows []int64) string {
	accumulators := a.kind.New(make([]stream.Type, a.kind.MaxArgs))
	accumulators.Grow(1)
	ordinals := make([]uint64, len(rows))
	for i, r := range rows {
		ordinals[i] = uint64(r)
	}
	in := &agg.Input{Args: a.columns(ordinals), IDs: make([]uint32, len(rows))}
	for i := range rows {
		in.Rows = append(in.Rows, int32(i))
	}
	accumulators.Add(in)
	out := new(stream.Column)
	if err := accumulators.Append(0, out); err != nil {
		t.Fatal(err)
	}
	return a.spelled(out.Value(0))
}

// spelled gives a result as text. The spread of floats is computed in another way when it is merged.
func (a *anyAggregate) spelled(v any) string {
	name := strings.TrimSuffix(a.kind.Name, "_if")
	if f, ok := v.(float64); ok && a.typ == stream.Float && (name == "variance" || name == "stddev") {
		return fmt.Sprintf("%.9f", f)
	}
	return fmt.Sprintf("%T %v", v, v)
}
