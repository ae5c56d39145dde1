package agg

import (
	"fmt"
	"strconv"
)

// wants says what a constant of a call should be, behind the name of the aggregate.
func wants(what string, found any) error {
	if text, ok := found.(string); ok {
		found = strconv.Quote(text)
	}
	if found == nil {
		found = "null"
	}
	return fmt.Errorf("wants %s, got %v", what, found)
}

// brief writes a float with as many digits as people write.
func brief(v float64) string { return strconv.FormatFloat(v, 'g', 6, 64) }

// level reads the constant of a quantile.
func level(constants []any) (float64, error) {
	var v float64
	switch x := constants[0].(type) {
	case int64:
		v = float64(x)
	case float64:
		v = x
	default:
		return 0, wants("a level from 0 to 1, such as 0.95", x)
	}
	if v > 1 && v <= 100 {
		return 0, wants("a level from 0 to 1, such as "+brief(v/100), constants[0])
	}
	if !(v >= 0 && v <= 1) {
		return 0, wants("a level from 0 to 1, such as 0.95", constants[0])
	}
	return v, nil
}
