package expression

import (
	"fmt"
	"hash/fnv"
	"math/rand/v2"
	"reflect"
	"regexp"
	"slices"

	"github.com/expr-lang/expr/ast"
	"github.com/expr-lang/expr/builtin"

	"tidemark/stream"
)

// RowNumber is the path that an expression with random() reads: the number of the record.
const RowNumber = "$i"

// Random makes random() known in a scope. It gives a number from 0 up to 1, not included, that is a function of the
// seed, the record's number and the place where random() stands, so that it is the same however the work is shared out.
type Random struct {
	// Seed begins the numbers; nil takes one that differs from process to process.
	Seed *int64
	// Place tells expressions with the same seed apart.
	Place string
}

// processSeed stands for the seed that is not given.
var processSeed = rand.Int64()

// start gives the state from which the numbers of a place come. site counts the calls within the expression.
func (r *Random) start(site int) uint64 {
	seed := processSeed
	if r.Seed != nil {
		seed = *r.Seed
	}
	h := fnv.New64a()
	fmt.Fprintf(h, "%d %s %d", seed, r.Place, site)
	return stream.Mix(h.Sum64())
}

// uniform gives the number of a row from the state of the place.
func uniform(start uint64, row int64) float64 {
	return float64(stream.Mix(start+uint64(row)*0x9e3779b97f4a7c15)>>11) / (1 << 53)
}

// function is what random($i, site) calls.
func (r *Random) function() *builtin.Function {
	return &builtin.Function{Name: "random", Types: []reflect.Type{reflect.TypeFor[func(any, int) float64]()},
		Func: func(args ...any) (any, error) {
			row, isInt := args[0].(int64)
			site, _ := args[1].(int)
			if !isInt {
				return nil, fmt.Errorf("random() wants the number of the record, got %s", typeWord(args[0]))
			}
			return uniform(r.start(site), row), nil
		}}
}

// random gives a call of random() its arguments: the number of the record and of the call.
func (r *resolver) random(n *ast.CallNode) {
	if len(n.Arguments) > 0 {
		r.fail(n, Type, "random() wants no argument", "int(random() * 6) + 1 gives 1 to 6", "random")
		return
	}
	if !slices.Contains(r.roots, RowNumber) {
		r.roots = append(r.roots, RowNumber)
		r.uses = append(r.uses, stream.Path{RowNumber})
	}
	n.Arguments = []ast.Node{&ast.IdentifierNode{Value: RowNumber}, &ast.IntegerNode{Value: r.randoms}}
	for _, a := range n.Arguments {
		a.SetLocation(n.Location())
	}
	r.randoms++
}

// randomArguments is what random adds to a call's text.
var randomArguments = regexp.MustCompile(`random\(` + regexp.QuoteMeta(RowNumber) + `, \d+\)`)

// randomKernel is random() over a column of numbers.
type randomKernel struct {
	row   kernel
	start uint64
	out   stream.Column
}

func (k *randomKernel) eval(f frame, rows []int32) *stream.Column {
	a := k.row.eval(f, rows)
	if a.Kind != stream.Int || a.Odd != 0 {
		return redoAll(&k.out, stream.Float, f.n, rows)
	}
	k.out.Reset(stream.Float, f.n)
	for _, r := range rows {
		k.out.Floats[r] = uniform(k.start, a.Ints[r])
	}
	return &k.out
}
