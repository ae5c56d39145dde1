package expression

import (
	"fmt"
	"time"

	"github.com/expr-lang/expr/builtin"

	"tidemark/operators/zone"
)

// zoned are functions of expr-lang that know time zones. The zones are the same on every machine, and local times that
// clocks show twice or never are read by one rule.
var zoned = functionTable{
	"timezone": {
		Name:     "timezone",
		Func:     func(args ...any) (any, error) { return zone.Load(args[0].(string)) },
		Validate: builtin.Builtins[builtin.Index["timezone"]].Validate,
		Types:    builtin.Builtins[builtin.Index["timezone"]].Types,
	},
	"date": {
		Name:     "date",
		Func:     date,
		Validate: builtin.Builtins[builtin.Index["date"]].Validate,
		Deref:    builtin.Builtins[builtin.Index["date"]].Deref,
	},
}

// date is date(text), date(text, layout) and date(text, layout, zone); a timezone() may come first.
func date(args ...any) (any, error) {
	z := time.UTC
	if first, ok := args[0].(*time.Location); ok {
		z, args = first, args[1:]
	}
	text, ok := args[0].(string)
	if !ok {
		return nil, fmt.Errorf("date wants a text, got %s", typeWord(args[0]))
	}
	if len(args) == 1 {
		for _, layout := range dateLayouts {
			if t, err := zone.Parse(layout, text, z); err == nil {
				return t, nil
			}
		}
		return nil, fmt.Errorf("invalid date %s", text)
	}
	if len(args) == 3 {
		var err error
		if z, err = zone.Load(fmt.Sprint(args[2])); err != nil {
			return nil, err
		}
	}
	return zone.Parse(fmt.Sprint(args[1]), text, z)
}
