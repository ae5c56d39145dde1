package expression

import (
	"cmp"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"
	"time"

	"github.com/expr-lang/expr/builtin"
)

type functionTable = map[string]*builtin.Function

// Function describes a function that expressions may call: one of ours or of expr-lang.
type Function struct {
	// Name and Signature are how it is called, Doc what it gives.
	Name, Signature, Doc string
	// Example is a call, Result what it gives, as JSON.
	Example, Result string

	call  func(args ...any) (any, error)
	types []any // pointers to nil functions of each signature
}

// Functions gives all functions in the order of the alphabet.
func Functions() []Function {
	all := append(slices.Clone(ours), standard...)
	slices.SortFunc(all, func(a, b Function) int { return cmp.Compare(strings.ToLower(a.Name), strings.ToLower(b.Name)) })
	return all
}

// ours are the functions that stand beside those of expr-lang.
var ours = []Function{
	{"time", "time(x, unit)", "the time of a number of units since 1970; units are s, ms, us and ns",
		`time(1714557600, "s")`, `"2024-05-01T10:00:00Z"`,
		func(a ...any) (any, error) { return timeOf(a[0], a[1]) }, []any{new(func(any, string) time.Time)}},
	{"format_time", "format_time(t, layout, zone)", "a time as text, in the layout of Go; zone is UTC by default",
		`format_time(time(1714557600, "s"), "2006-01-02 15:04", "Europe/Berlin")`, `"2024-05-01 12:00"`,
		formatTime, []any{new(func(any, string, string) string), new(func(any, string) string)}},
	{"trunc_time", `trunc_time(t, "1h")`, "a time rounded down to a multiple of a duration since 1970",
		`trunc_time(date("2024-05-01T10:59:59Z"), "1h")`, `"2024-05-01T10:00:00Z"`,
		truncTime, []any{new(func(any, string) time.Time)}},
	{"json", "json(x)", "a value as JSON text", `json({"b": 1, "a": [nil]})`, `"{\"a\":[null],\"b\":1}"`, toJSON, []any{new(func(any) string)}},
	{"hash", "hash(x)", "a number from 0 to 2^63-1, the same for equal values in every run", `hash("ann") % 16`, `8`,
		hashOf, []any{new(func(any) int)}},
	{"regex_extract", "regex_extract(s, re, n)", "group n of the first match of a regular expression, nil without one; n is 1 by default",
		`regex_extract("GET /cart?id=7", "id=([0-9]+)")`, `"7"`,
		regexExtract, []any{new(func(any, string, int) any), new(func(any, string) any)}},
	{"url_host", "url_host(s)", "the host of a URL in lower case, nil if there is none", `url_host("https://Shop.example.com/cart")`, `"shop.example.com"`,
		urlHost, []any{new(func(any) any)}},
	{"uuid", "uuid()", "a random UUID (version 4)", "len(uuid())", "36", newUUID, []any{new(func() string)}},
}

var processStart = time.Now()

// functions gives the table of our functions and of those of expr-lang that we replace; now() is the start of
// the run.
func (s *Scope) functions() functionTable {
	start := s.Now
	if start.IsZero() {
		start = processStart
	}
	start = start.UTC().Truncate(time.Millisecond)
	table := make(functionTable, len(ours)+len(ordered)+len(ranged)+len(zoned)+1)
	for _, f := range ours {
		b := &builtin.Function{Name: f.Name, Func: f.call}
		for _, t := range f.types {
			b.Types = append(b.Types, reflect.TypeOf(t).Elem())
		}
		table[f.Name] = b
	}
	maps.Copy(table, ordered)
	maps.Copy(table, ranged)
	maps.Copy(table, zoned)
	table["now"] = &builtin.Function{Name: "now", Func: func(args ...any) (any, error) { return nowIn(start, args) },
		Types: []reflect.Type{reflect.TypeFor[func() time.Time](), reflect.TypeFor[func(*time.Location) time.Time]()}}
	if s.Random != nil {
		table["random"] = s.Random.function()
	}
	return table
}

// nowIn gives the start of the run, in a zone if there is one.
func nowIn(start time.Time, args []any) (any, error) {
	if len(args) == 0 {
		return start, nil
	}
	zone, ok := args[0].(*time.Location)
	if !ok || zone == nil {
		return nil, fmt.Errorf("now wants no argument, or a timezone(), got %s", typeWord(args[0]))
	}
	return start.In(zone), nil
}
