package oracle

import (
	"bytes"
	"encoding/json"
	"errors"
	"strconv"
	"strings"
	"time"
)

// Row is a record at some place in the graph.
type Row struct {
	// base is the text it was read as, values what that says; empty for a row made here.
	base   string
	values map[string]any
	// added are the fields that transforms gave it, in order.
	added []field
	// time is its event time.
	time int64
	// place is nil unless a window wrote the row.
	place *place
}

type field struct {
	name  string
	value any
}

// instant is a value that is a time, in ms.
type instant int64

// place is where a window's row stands among the rows of one cause.
type place struct {
	end, start int64
	first      int
}

func (a place) less(b place) bool {
	if a.end != b.end {
		return a.end < b.end
	}
	if a.start != b.start {
		return a.start < b.start
	}
	return a.first < b.first
}

// parse reads a line; an error means that it is dirty.
func parse(line string) (Row, error) {
	decoder := json.NewDecoder(strings.NewReader(line))
	decoder.UseNumber()
	var values map[string]any
	if err := decoder.Decode(&values); err != nil {
		return Row{}, err
	}
	if decoder.More() || values == nil {
		return Row{}, errors.New("not one object")
	}
	for name, value := range values {
		if number, ok := value.(json.Number); ok {
			integer, err := number.Int64()
			if err != nil {
				return Row{}, err
			}
			values[name] = integer
		}
		if list, ok := value.([]any); ok {
			integersOf(list)
		}
	}
	ts, ok := values["ts"].(int64)
	if !ok {
		return Row{}, errors.New("no time")
	}
	return Row{base: line, values: values, time: ts}, nil
}

// integersOf makes integers of the numbers of a list.
func integersOf(list []any) {
	for i, value := range list {
		if number, ok := value.(json.Number); ok {
			list[i], _ = number.Int64() // the lists are our own
		}
	}
}

// get gives a field's value; nil where there is none.
func (r Row) get(name string) any {
	for _, f := range r.added {
		if f.name == name {
			return f.value
		}
	}
	return r.values[name]
}

// with gives the row with one more field.
func (r Row) with(name string, value any) Row {
	r.added = append(append([]field(nil), r.added...), field{name, value})
	return r
}

// text gives the row as a JSON line without its end.
func (r Row) text(milliseconds bool) string {
	if r.base != "" && len(r.added) == 0 {
		return r.base
	}
	var out strings.Builder
	if r.base != "" {
		out.WriteString(strings.TrimSuffix(r.base, "}"))
	} else {
		out.WriteByte('{')
	}
	for _, f := range r.added {
		if out.Len() > 1 {
			out.WriteByte(',')
		}
		out.WriteString(encode(f.name, false) + ":" + encode(f.value, milliseconds))
	}
	out.WriteByte('}')
	return out.String()
}

// encode gives a value as JSON.
func encode(value any, milliseconds bool) string {
	if t, ok := value.(instant); ok {
		if milliseconds {
			return strconv.FormatInt(int64(t), 10)
		}
		value = time.UnixMilli(int64(t)).UTC().Format(time.RFC3339Nano)
	}
	var out bytes.Buffer
	encoder := json.NewEncoder(&out)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(value); err != nil {
		panic(err) // all values are our own
	}
	return strings.TrimSuffix(out.String(), "\n")
}

// eval says whether the condition holds; an error makes the record dirty.
func (c *Condition) eval(r Row) (bool, error) {
	value := r.get(c.Field)
	number, ok := value.(int64)
	switch {
	case !ok && c.Modulo == 0 && c.Op == "==":
		return false, nil
	case !ok && c.Modulo == 0 && c.Op == "!=":
		return true, nil
	case !ok:
		return false, errors.New("not a number")
	}
	if c.Modulo != 0 {
		number %= c.Modulo
	}
	switch c.Op {
	case "==":
		return number == c.Value, nil
	case "!=":
		return number != c.Value, nil
	case "<":
		return number < c.Value, nil
	case "<=":
		return number <= c.Value, nil
	case ">":
		return number > c.Value, nil
	}
	return number >= c.Value, nil
}

// eval gives the assigned value.
func (a Assignment) eval(r Row) (any, error) {
	value := r.get(a.Field)
	if a.Plus == 0 {
		return value, nil
	}
	number, ok := value.(int64)
	if !ok {
		return nil, errors.New("not a number")
	}
	return number + a.Plus, nil
}
