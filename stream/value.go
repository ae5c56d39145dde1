package stream

import "time"

// Value gives a row's value boxed, as expressions see it: nil, bool, int64, float64, string, time.Time (UTC),
// []any or map[string]any. Null and missing are nil, and so is a path whose parent is not there.
func (c *Column) Value(row int) any {
	switch t := c.Tag(row); {
	case t == TagOK:
	case t == TagOther:
		return c.Boxed[row]
	default:
		return nil
	}
	switch c.Kind {
	case Int:
		return c.Ints[row]
	case Float:
		return c.Floats[row]
	case Bool:
		return c.Bools[row]
	case String:
		return string(c.Bytes(row))
	case Instant:
		return Time(c.Ints[row]).Std()
	}
	return c.Boxed[row]
}

// SetValue sets a row's value from a boxed one: of the column's kind if it fits, else tagged. An int is taken
// as an int64. A time.Time fits an Instant column only in whole milliseconds.
func (c *Column) SetValue(row int, v any) {
	if i, ok := v.(int); ok {
		v = int64(i)
	}
	if v == nil {
		if c.Kind == Any {
			c.Boxed[row] = nil
		}
		c.SetTag(row, TagNull)
		return
	}
	if !c.setSame(row, v) {
		c.SetBoxed(row, TagOther, v)
		return
	}
	c.SetTag(row, TagOK)
}

func (c *Column) setSame(row int, v any) bool {
	switch c.Kind {
	case Any:
		c.Boxed[row] = v
		return true
	case Int:
		x, ok := v.(int64)
		if ok {
			c.Ints[row] = x
		}
		return ok
	case Float:
		x, ok := v.(float64)
		if ok {
			c.Floats[row] = x
		}
		return ok
	case Bool:
		x, ok := v.(bool)
		if ok {
			c.Bools[row] = x
		}
		return ok
	case String:
		x, ok := v.(string)
		if ok {
			c.SetString(row, x)
		}
		return ok
	}
	x, ok := v.(time.Time)
	if !ok || x.Nanosecond()%1e6 != 0 {
		return false
	}
	c.Ints[row] = x.UnixMilli()
	return true
}

// KindOf gives the kind of column that holds a boxed value without boxing it.
func KindOf(v any) Kind {
	switch x := v.(type) {
	case int64, int:
		return Int
	case float64:
		return Float
	case bool:
		return Bool
	case string:
		return String
	case time.Time:
		if x.Nanosecond()%1e6 == 0 {
			return Instant
		}
	}
	return Any
}
