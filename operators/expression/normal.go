package expression

import (
	"fmt"
	"reflect"
	"time"
)

// normal gives a value of the virtual machine as one of the boxed kinds: an int becomes an int64, a time is
// in UTC, typed lists and maps become []any and map[string]any. A value that is none of them is a problem.
func normal(v any) (out any, problem string) {
	switch v := v.(type) {
	case nil, bool, int64, float64, string:
		return v, ""
	case int:
		return int64(v), ""
	case time.Time:
		return v.UTC(), ""
	case []any:
		return normalList(v)
	case map[string]any:
		return normalObject(v)
	case []byte:
		return string(v), ""
	case time.Duration:
		return nil, "gives a duration: use .Milliseconds(), .Seconds() or .Hours()"
	}
	return normalOther(reflect.ValueOf(v))
}

// normalList copies the list only where an element changes: it may belong to the record.
func normalList(list []any) (any, string) {
	out, copied := list, false
	for i, v := range list {
		n, problem := normal(v)
		if problem != "" {
			return nil, problem
		}
		if !copied && !unchanged(v, n) {
			out, copied = append([]any(nil), list...), true
		}
		if copied {
			out[i] = n
		}
	}
	return out, ""
}

func normalObject(object map[string]any) (any, string) {
	out, copied := object, false
	for k, v := range object {
		n, problem := normal(v)
		if problem != "" {
			return nil, problem
		}
		if unchanged(v, n) {
			continue
		}
		if !copied {
			out, copied = make(map[string]any, len(object)), true
			for k, v := range object {
				out[k] = v
			}
		}
		out[k] = n
	}
	return out, ""
}

// unchanged reports whether normal gave back what it was given.
func unchanged(before, after any) bool {
	switch b := before.(type) {
	case nil, bool, int64, float64, string:
		return true
	case []any:
		a, ok := after.([]any)
		return ok && len(a) == len(b) && (len(a) == 0 || &a[0] == &b[0])
	case map[string]any:
		return reflect.ValueOf(before).Pointer() == reflect.ValueOf(after).Pointer()
	}
	return false
}

func normalOther(v reflect.Value) (any, string) {
	switch v.Kind() {
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		return v.Int(), ""
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		return int64(v.Uint()), ""
	case reflect.Float32, reflect.Float64:
		return v.Float(), ""
	case reflect.String:
		return v.String(), ""
	case reflect.Bool:
		return v.Bool(), ""
	case reflect.Slice, reflect.Array:
		list := make([]any, v.Len())
		for i := range list {
			list[i] = v.Index(i).Interface()
		}
		return normalList(list)
	case reflect.Map:
		object := make(map[string]any, v.Len())
		for _, k := range v.MapKeys() {
			object[fmt.Sprint(k.Interface())] = v.MapIndex(k).Interface()
		}
		return normalObject(object)
	}
	return nil, "gives a " + v.Kind().String() + ", which is no value of a field"
}
