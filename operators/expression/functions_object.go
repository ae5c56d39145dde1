package expression

import (
	"cmp"
	"fmt"
	"reflect"
	"slices"

	"github.com/expr-lang/expr/builtin"
)

// ordered are the functions of expr-lang that list an object. Theirs go in the order of Go's maps, which is
// another in each run; these go in the order of the names, so that a run is a function of its input.
var ordered = functionTable{
	"keys":    listing("keys", func(key, _ any) any { return key }),
	"values":  listing("values", func(_, v any) any { return v }),
	"toPairs": listing("toPairs", func(key, v any) any { return []any{key, v} }),
}

// listing makes a function that gives one element for each name of an object.
func listing(function string, element func(key, v any) any) *builtin.Function {
	return &builtin.Function{
		Name: function,
		Func: func(args ...any) (any, error) {
			object := reflect.ValueOf(args[0])
			if object.Kind() != reflect.Map {
				return nil, fmt.Errorf("%s wants an object, got %s", function, typeWord(args[0]))
			}
			keys := object.MapKeys()
			slices.SortFunc(keys, compareKeys)
			out := make([]any, len(keys))
			for i, k := range keys {
				out[i] = element(k.Interface(), object.MapIndex(k).Interface())
			}
			return out, nil
		},
		Validate: func(args []reflect.Type) (reflect.Type, error) {
			list := reflect.TypeFor[[]any]()
			if len(args) != 1 {
				return list, fmt.Errorf("invalid number of arguments (expected 1, got %d)", len(args))
			}
			if args[0] != nil && args[0].Kind() != reflect.Interface && args[0].Kind() != reflect.Map {
				return list, fmt.Errorf("%s wants an object, got %s", function, typeWords(args[0].String()))
			}
			return list, nil
		},
	}
}

// compareKeys orders keys: numbers by value, all else as text.
func compareKeys(a, b reflect.Value) int {
	x, okX := number(a.Interface())
	y, okY := number(b.Interface())
	if okX && okY && x != y {
		return cmp.Compare(x, y)
	}
	return cmp.Compare(fmt.Sprint(a.Interface()), fmt.Sprint(b.Interface()))
}

func number(v any) (float64, bool) {
	switch v := v.(type) {
	case int:
		return float64(v), true
	case int64:
		return float64(v), true
	case float64:
		return v, true
	}
	return 0, false
}
