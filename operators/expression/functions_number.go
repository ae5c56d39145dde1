package expression

import (
	"fmt"

	"github.com/expr-lang/expr/builtin"
)

// ranged are the functions of expr-lang that make an integer of a float. What theirs give for a float that no
// integer of 64 bits is near to depends on the processor; here that is an error, so that a run gives the same on
// every machine.
var ranged = functionTable{"int": {
	Name: "int",
	Func: func(args ...any) (any, error) {
		if f, ok := args[0].(float64); ok && !fitsInt(f) {
			return nil, fmt.Errorf("int: %v is beyond an integer of 64 bits", f)
		}
		return builtin.Int(args[0]), nil
	},
	Validate: builtin.Builtins[builtin.Index["int"]].Validate,
}}

// fitsInt reports whether a float, its fraction cut off, is an integer of 64 bits. NaN is not.
func fitsInt(f float64) bool { return f >= -1<<63 && f < 1<<63 }
