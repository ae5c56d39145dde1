package expression

import (
	"errors"
	"reflect"
	"strings"
	"testing"

	"tidemark/stream"
)

// shop is a scope with a schema.
func shop() Scope {
	kind := func(name string, k stream.Kind, null bool) stream.Field {
		return stream.Field{Name: name, Type: stream.Type{Kind: k, Null: null}}
	}
	return Scope{
		Fields: []stream.Field{
			kind("user", stream.String, false), kind("amount", stream.Float, true), kind("ts", stream.Int, false),
			kind("paid", stream.Bool, false), kind("at", stream.Instant, false), kind("max", stream.Int, false),
			kind("note", stream.String, true),
			{Name: "tags", Type: stream.Type{Shape: stream.List}}, {Name: "address", Type: stream.Type{Shape: stream.Object}},
		},
		Records: []Record{{Name: "p", Null: true, Fields: []stream.Field{kind("id", stream.Int, false)}}},
	}
}

func TestCompileFaults(t *testing.T) {
	tests := []struct {
		src           string
		kind          Kind
		at            string // what the fault points at
		message, hint string
	}{
		{"usr == 1", UnknownName, "usr", "unknown field `usr`", "did you mean `user`? fields here: user, amount"},
		{"lower(usr)", UnknownName, "usr", "unknown field `usr`", ""},
		{"any(tags, # == usr)", UnknownName, "usr", "unknown field `usr`", ""},
		{"'é' == usr", UnknownName, "usr", "unknown field `usr`", ""},
		{"row.usr", UnknownName, "row", "unknown field `usr`", "did you mean `user`"},
		{"p.ix", UnknownName, "p", "unknown field `ix` of p", "did you mean `id`"},
		{"min > 1", UnknownName, "min", "unknown field `min`", "min() is a function"},
		{"user == null", Operator, "null", "unknown name `null`", "write nil"},
		{"uper(user)", UnknownFunction, "uper", "unknown function `uper`", "did you mean upper()?"},
		{"user(1)", UnknownFunction, "user", "`user` is a field and can't be called", ""},
		{"amount > 'x'", Type, ">", "cannot compare float (amount) with string (\"x\")", "remove the quotes?"},
		{"user + 1", Type, "+", "cannot use + on string (user) and int (1)", "string(1)"},
		{"amount % 2", Type, "%", "cannot use % on float (amount) and int (2)", "int(x) % n"},
		{"not user", Type, "not", "cannot use not on string", ""},
		{"paid and ts", Type, "and", "cannot use and on bool (paid) and int (ts)", ""},
		{"upper(ts)", Type, "ts", "", ""},
		{"date(ts)", Type, "date", "date() reads text, not a number (ts)", `time(ts, "ms")`},
		{`time(ts, "sec")`, Type, "time", "time() has no unit `sec`", "units are s, ms, us and ns"},
		{`trunc_time(at, "1 hour")`, Type, "trunc_time", "`1 hour` is no duration", ""},
		{"at - at", Type, "at - at", "the value is a duration", ".Seconds()"},
		{"7 % 0", Type, "%", "division by zero", ""},
		{"user = 'x'", Operator, "=", "`=` does not compare", "write =="},
		{"user === 'x'", Operator, "===", "`===` is not an operator here", "write =="},
		{"paid AND true", Operator, "AND", "`AND` is not an operator here", "write and"},
		{"NOT paid", Operator, "NOT", "`NOT` is not an operator here", "write not"},
		{"ts <> 1", Operator, "<>", "`<>` is not an operator here", "write !="},
		{"user LIKE 'a%'", Operator, "LIKE", "", "contains, startsWith or matches"},
		{"ts & 1", Operator, "&", "", "write and"},
		{"amount ?? 0 > 1", Syntax, ">", "?? beside another operator wants brackets", "(x ?? 0) > 1"},
		{"(ts", Syntax, "s", "unexpected end of expression", ""},
		{"ts ts", Syntax, "ts", "unexpected `ts`", ""},
		{"max(Sold At, 3)", Syntax, "At", "unexpected `At`", `a field with blanks in its name is row["Sold At"]`},
		{"", Syntax, "", "the expression is empty", ""},
		{"user matches '('", Syntax, "matches", "missing closing )", ""},
		{"'abc", Syntax, "", "literal not terminated", ""},
		{"sum(amount) > 1", Aggregate, "amount", "sum() wants a list here, got float", "belongs in aggregate"},
		{"first(ts)", Aggregate, "first", "first() wants a list here, got int", "belongs in aggregate"},
		{"count() > 1", Aggregate, ")", "a list and a condition", "belongs in aggregate"},
		{"$env", UnknownName, "$env", "", "row is the whole record"},
	}
	for _, test := range tests {
		_, err := Compile(test.src, shop())
		var e *Error
		if !errors.As(err, &e) {
			t.Errorf("%s: got %v", test.src, err)
			continue
		}
		if e.Kind != test.kind || !strings.Contains(e.Message, test.message) || !strings.Contains(e.Hint, test.hint) {
			t.Errorf("%s: got %v %q, hint %q", test.src, e.Kind, e.Message, e.Hint)
		}
		if got := test.src[e.Offset:e.End]; got != test.at && test.at != "" {
			t.Errorf("%s: points at %q, want %q", test.src, got, test.at)
		}
	}
}

func TestCompileGivesAllUnknownNames(t *testing.T) {
	_, err := Compile("usr == amout and nope(ts)", shop())
	var e *Error
	if !errors.As(err, &e) || len(e.More) != 2 || e.More[0].Name != "amout" || e.More[1].Name != "nope" {
		t.Fatalf("got %+v", err)
	}
}

func TestUses(t *testing.T) {
	tests := []struct{ src, uses, typ string }{
		{"user", "user", "string"}, {"amount", "amount", "float|null"}, {"ts + ts", "ts", "int"}, {"ts / 2", "ts", "float"},
		{"amount ?? 0.0", "amount", "float"}, {"amount ?? 0", "amount", "any"}, {"at.Year()", "at", "int"},
		{"address.city.name", "address.city.name", "any"}, {"address", "address", "object"}, {`address["zip-code"]`, "address.zip-code", "any"},
		{"tags[0] == user", "tags user", "bool"}, {`row["order-id"]`, "", ""}, {"max > max(1, ts)", "max ts", "bool"},
		{"meta.headers['h']", "meta.headers.h", "any"}, {"meta.event_time", "meta.event_time", "timestamp"},
		{"meta.event_time.Hour()", "meta.event_time", "int"},
		{"meta.a.b == row.address.city", "meta.a.b address.city", "bool"}, {"let meta = user; meta", "user", "string|null"}, {"row.meta", "", ""},
		{"p.id", "p.id", "int|null"}, {"p?.id", "p.id", "int|null"},
		{"p == nil", "p", "bool"}, {"paid ? ts : amount", "paid ts amount", "any"}, {"paid ? ts : nil", "paid ts", "int|null"},
		{"let u = user; lower(u)", "user", "string|null"}, {"map(tags, # + ts)", "tags ts", "list"}, {"now()", "", "timestamp"},
		{"row.user", "user", "string"}, {"split(user, ',')", "user", "list"}, {"max(ts, amount)", "ts amount", "any"},
	}
	for _, test := range tests {
		p, err := Compile(test.src, shop())
		if test.typ == "" {
			if err == nil {
				t.Errorf("%s compiles", test.src)
			}
			continue
		}
		if err != nil {
			t.Errorf("%s: %v", test.src, err)
			continue
		}
		var uses []string
		for _, u := range p.Uses() {
			uses = append(uses, u.String())
		}
		if got := strings.Join(uses, " "); got != test.uses || p.Type().String() != test.typ {
			t.Errorf("%s: uses %q, type %q; want %q, %q", test.src, got, p.Type(), test.uses, test.typ)
		}
	}
}

func TestUsesOfOpenScope(t *testing.T) {
	for src, want := range map[string][]stream.Path{
		"row":                  {{}},
		"keys(row)":            {{}},
		`row["x-y"] + row.z.q`: {{"x-y"}, {"z", "q"}},
		"row[s]":               {{}, {"s"}},
		"a.b + a.b.c + a":      {{"a", "b"}, {"a", "b", "c"}, {"a"}},
		"a?.b?.c":              {{"a", "b", "c"}},
		"a.b.Year()":           {{"a", "b"}},
		"a[0].b":               {{"a"}},
	} {
		p, err := Compile(src, Scope{Open: true})
		if err != nil {
			t.Errorf("%s: %v", src, err)
		} else if len(p.Uses()) != len(want) || !reflect.DeepEqual(p.Uses(), want) && len(want[0]) > 0 {
			t.Errorf("%s: uses %q, want %q", src, p.Uses(), want)
		}
	}
}

func TestWarnings(t *testing.T) {
	tests := []struct {
		src  string
		want []WarningKind
	}{
		{"7 // 2", []WarningKind{Comment}}, {`user == "http://x"`, nil}, {"amount > 1", []WarningKind{Nullable}},
		{"(amount ?? 0) > 1", nil}, {"amount == nil", nil}, {"amount", nil}, {"lower(note)", []WarningKind{Nullable}},
		{`note contains "x"`, nil}, {"paid and note == 'a'", nil}, {"max > 1", []WarningKind{HiddenName}},
		{"now() > at", []WarningKind{Impure}}, {"ts / 1000", []WarningKind{Division}}, {"ts % ts", []WarningKind{Division}},
		{"p.id + 1", []WarningKind{Nullable}}, {"ts / 1000.0", nil},
	}
	for _, test := range tests {
		p, err := Compile(test.src, shop())
		if err != nil {
			t.Errorf("%s: %v", test.src, err)
			continue
		}
		var got []WarningKind
		for _, w := range p.Warnings() {
			got = append(got, w.Kind)
			if w.Offset >= w.End || w.End > len(test.src) || w.Message == "" {
				t.Errorf("%s: warning %+v", test.src, w)
			}
		}
		if !reflect.DeepEqual(got, test.want) {
			t.Errorf("%s: warnings %v, want %v", test.src, p.Warnings(), test.want)
		}
	}
	if p, err := Compile("x == null", Scope{Open: true}); err != nil || len(p.Warnings()) != 1 || p.Warnings()[0].Kind != Misuse {
		t.Errorf("null without a schema: %v", err)
	}
}

func FuzzCompile(f *testing.F) {
	for _, fact := range facts {
		f.Add(fact.src)
	}
	f.Add("sum(x) / count() // é")
	f.Fuzz(func(t *testing.T, src string) {
		for _, scope := range []Scope{shop(), {Open: true}} {
			p, err := Compile(src, scope)
			check(t, src, err)
			if err == nil {
				b, where := table{}.batchFor(p, 2)
				p.NewEvaluator(where).Eval(b, nil)
			}
		}
		_, _, err := SplitAggregates(src, isAggregate, 0)
		check(t, src, err)
	})
}

// check checks that an error says where it is.
func check(t *testing.T, src string, err error) {
	t.Helper()
	var e *Error
	if err == nil || errors.As(err, &e) && 0 <= e.Offset && e.Offset <= e.End && e.End <= len(src) && e.Message != "" {
		return
	}
	t.Errorf("%q: %+v", src, err)
}
