package expression

import (
	"regexp"
	"strings"
	"testing"
	"time"

	"tidemark/stream"
)

func TestFunctions(t *testing.T) {
	at := time.UnixMilli(1735689600123).UTC()
	d := table{
		"at": columnOf(stream.Instant, []any{at}), "s": columnOf(stream.String, []any{"1735689600"}), "f": columnOf(stream.Float, []any{1735689600.123}),
		"i": columnOf(stream.Int, []any{int64(1735689600123456789)}), "u": columnOf(stream.String, []any{"https://User@Example.COM:8080/a?b#c"}),
		"low": columnOf(stream.Int, []any{int64(-1)}), "m": columnOf(stream.Any, []any{map[string]any{"b": []any{1.5, nil}, "a": "<é>"}}),
		"text": columnOf(stream.String, []any{"2024-01-02T03:04:05.678Z"}), "nul": columnOf(stream.Any, []any{missing}),
	}
	tests := []struct {
		src  string
		want any
	}{
		{`time(i, "ns")`, at}, {`time(i, "us")`, failing(`time(1735689600123456789, "us") is not a time in the years 1 to 9999`)},
		{`time(f, "s")`, at}, {`time(s, "s") == time(f, "s")`, false}, {`time("1735689600.1239", "s")`, at}, {`time("-0.5", "s")`, time.UnixMilli(-500).UTC()},
		{`time(low, "us")`, time.UnixMilli(-1).UTC()}, {`time(low, "s")`, time.UnixMilli(-1000).UTC()}, {`time(at, "s")`, at},
		{`time(lower("X"), "s")`, failing(`time wants a number, got "x": text is read by date(x)`)}, {`time(nul, "s")`, failing("nul is nil: time wants a number")},
		{`time(1.9995, "ms")`, time.UnixMilli(1).UTC()}, {`time(-0.1, "ms")`, time.UnixMilli(-1).UTC()},
		{`trunc_time(at, "1h")`, time.UnixMilli(1735689600000).UTC()}, {`trunc_time(time(-1, "ms"), "1d")`, time.UnixMilli(-86400000).UTC()},
		{`format_time(at, "2006-01-02 15:04 MST")`, "2025-01-01 00:00 UTC"}, {`format_time(at, "15:04", "Asia/Tokyo")`, "09:00"},
		{`format_time(at, "15:04", "No" + "where")`, failing("format_time: unknown time zone Nowhere")},
		{"json(m)", `{"a":"<é>","b":[1.5,null]}`}, {"json(1/0)", "null"}, {"json(nul)", "null"},
		{`hash("a") == hash("a")`, true}, {`hash(1) == hash(1.0)`, true}, {`hash(1) == hash("1")`, false}, {`hash("a") >= 0`, true}, {`hash("a")`, int64(0x2f63dc4c8601ec8c)},
		{`regex_extract("ab12", "([a-z]+)([0-9]+)", 2)`, "12"}, {`regex_extract("ab", "b(.)?")`, nil}, {`regex_extract("x", "y(.)")`, nil},
		{`regex_extract("x", "x", 1)`, failing(`regex_extract: "x" has no group 1`)}, {`regex_extract("x", "(")`, failing("error parsing regexp: missing closing ): `(`")},
		{"url_host(u)", "example.com"}, {`url_host("nothing")`, nil}, {"url_host(nul)", failing("nul is nil: url_host wants a string")},
		{"len(uuid())", int64(36)}, {"uuid() == uuid()", false}, {"now() == now()", true}, {"now()", at}, {`now(timezone("Asia/Tokyo")).Hour()`, int64(9)},
		{"date(text)", time.UnixMilli(1704164645678).UTC()}, {`date("2024-02-30")`, failing("invalid date 2024-02-30")},
		{`date("2024-01-02T03:04:05+02:00")`, time.Date(2024, 1, 2, 1, 4, 5, 0, time.UTC)}, {`date("2024-01-02T03:04:05.0001Z").Nanosecond()`, int64(100000)},
		{`date("02/Jan/2006:15:04:05 -0700", "02/Jan/2006:15:04:05 -0700")`, time.Date(2006, 1, 2, 22, 4, 5, 0, time.UTC)},
		{"keys(m)", []any{"a", "b"}}, {"values(m)", []any{"<é>", []any{1.5, nil}}}, {"m | toPairs() | len()", int64(2)},
		{"int(1e30)", failing("int: 1e+30 is beyond an integer of 64 bits")}, {"int(-1e30)", failing("int: -1e+30 is beyond an integer of 64 bits")},
		{"int(0.0 / 0)", failing("int: NaN is beyond an integer of 64 bits")}, {"int(-9223372036854775808.0)", int64(-1 << 63)}, {"int(-2.9)", int64(-2)},
		{"keys(s)", failing("keys wants an object, got string")}, {"keys(nul)", failing("nul is nil: keys wants an object")},
		{`keys(groupBy([3, 1, 3], #)) == [1, 3]`, true},
		{"date(timezone('UTC'))", failing(`too few arguments in date(timezone("UTC"))`)},
		{`at + duration("1h")`, at.Add(time.Hour)}, {`at - at == duration("0s")`, true}, {"at.Weekday().String()", "Wednesday"},
	}
	call := regexp.MustCompile(`^\w+\(`)
	for _, test := range tests {
		if test.src == "len(uuid())" || test.src == "uuid() == uuid()" {
			continue
		}
		sources := []string{test.src}
		if call.MatchString(test.src) {
			sources = append(sources, "::"+test.src) // no way past our functions to those of the library
		}
		for _, src := range sources {
			if got := evaluate(t, src, Scope{Open: true, Now: at}, d, 1)[0]; !equalValues(got, test.want) {
				t.Errorf("%s gives %#v, want %#v", src, got, test.want)
			}
		}
	}
}

func TestUUID(t *testing.T) {
	a, _ := newUUID()
	b, _ := newUUID()
	if s := a.(string); len(s) != 36 || s[14] != '4' || a == b {
		t.Errorf("got %v and %v", a, b)
	}
}

// TestEveryFunctionIsDescribed holds the reference against the functions that there are, and runs its examples.
func TestEveryFunctionIsDescribed(t *testing.T) {
	described := map[string]bool{}
	for _, f := range Functions() {
		if f.Doc == "" || !strings.HasPrefix(f.Signature, f.Name+"(") || described[f.Name] {
			t.Errorf("%+v", f)
		}
		described[f.Name] = true
		got := evaluate(t, "json("+f.Example+")", Scope{Open: true}, table{}, 1)[0]
		if !strings.Contains(f.Example, f.Name+"(") || !equalValues(got, f.Result) {
			t.Errorf("%s gives %v, want %v", f.Example, got, f.Result)
		}
	}
	for name := range builtinNames {
		if !described[name] {
			t.Errorf("%s is not described", name)
		}
	}
}

// FuzzParseUTC compares our reading of times with that of the standard library.
func FuzzParseUTC(f *testing.F) {
	for _, s := range []string{"2024-01-02T03:04:05Z", "2024-02-29T23:59:59.999Z", "2023-02-29T00:00:00Z", "0001-01-01T00:00:00.1Z", "2024-01-02T03:04:05.12Z", "1900-02-29T00:00:00Z"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		got, ok := parseUTC([]byte(s))
		want, err := time.Parse(time.RFC3339, s)
		if ok && (err != nil || !got.Std().Equal(want)) {
			t.Errorf("%q gives %v, want %v (%v)", s, got, want, err)
		}
	})
}

// FuzzPlainHost compares our reading of plain URLs with that of the standard library.
func FuzzPlainHost(f *testing.F) {
	for _, s := range []string{"http://a.b/c?d#e", "https://A-1.de", "x://h?q", "http://h/%zz", "http://h/\x00", "http://u@h/", "http://h:80/", "a://b:c", "http://h# f", "http://./"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		want, err := urlHost(s)
		if host, found := hostIn(s); err != nil || found != (want != nil) || found && host != want {
			t.Errorf("%q has the host %q, want %v", s, host, want)
		}
	})
}
