package spec

import (
	"reflect"
	"strings"
	"testing"
)

func decode(t *testing.T, text string, dst any) Diagnostics {
	t.Helper()
	n, faults := ParseNode("p.yaml", []byte(text), Options{Env: environment("N=7\nS=top secret")})
	if faults.HasErrors() {
		t.Fatal(faults)
	}
	return Decode(n, dst, DecodeOptions{What: `source "a"`, Node: "a", Ignore: []string{"type"}})
}

func TestDecode(t *testing.T) {
	got := testSource{Start: "earliest", Delimiter: ","}
	faults := decode(t, `
type: kafka
path: a.jsonl
brokers: [a, 2024-01-01, "no", no]
topic: "${S}"
header: yes
follow: off
count: 010
rate: 1e3
max_line: 2KiB
null_values: [null, ""]
schema: {id: int, at: timestamp}
sasl: {mechanism: plain}
watermark: {bounded: 1m30s, idle: off}
`, &got)
	if faults.HasErrors() {
		t.Fatal(list(faults))
	}
	if len(got.Schema) != 2 || got.Schema[1].Key != "at" || *got.Watermark.Bounded != 90*Second || !got.Watermark.Idle.Off {
		t.Errorf("got %+v", got)
	}
	got.Schema, got.Watermark = nil, nil
	want := testSource{Path: []string{"a.jsonl"}, Brokers: []string{"a", "2024-01-01", "no", "no"}, Topics: []string{"top secret"},
		Start: "earliest", Header: true, Delimiter: ",", MaxLine: 2048, Count: 10, Rate: 1000, NullValues: []string{"null", ""},
		SASL: &testSASL{Mechanism: "plain"}}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got  %+v\nwant %+v", got, want)
	}
}

// TestDecodeSwitch has a map that may be just on or off.
func TestDecodeSwitch(t *testing.T) {
	for text, want := range map[string]string{
		"": "default", "tls: true": "on", "tls: yes": "on", "tls: false": "off", "tls: {ca: ca.pem}": "ca.pem",
		"tls: maybe": "wants true, false or a map", "tls: [a]": "wants a map", "tls: {cq: x}": "TM003",
	} {
		type options struct {
			CA string `spec:"ca"`
		}
		got := struct {
			Node string   `spec:"type"`
			TLS  *options `spec:"tls,switch"`
		}{TLS: &options{"default"}}
		faults := decode(t, "type: kafka\n"+text+"\n", &got)
		had := "off"
		switch {
		case len(faults) > 0:
			had = list(faults)
		case got.TLS != nil && got.TLS.CA == "":
			had = "on"
		case got.TLS != nil:
			had = got.TLS.CA
		}
		if !strings.Contains(had, want) {
			t.Errorf("%q: %s, want %s", text, had, want)
		}
	}
}

func TestDecodeRecords(t *testing.T) {
	var got struct {
		Rows [][]byte `spec:"rows,records" example:"rows: [{a: 1}]"`
	}
	faults := decode(t, "rows: [{b: 0010, a: 1.50, c: [null, no]}, {}, {d: {e: \"${N}\"}}]\n", &got)
	want := []string{`{"b":10,"a":1.50,"c":[null,"no"]}`, `{}`, `{"d":{"e":"7"}}`}
	for i, row := range got.Rows {
		if i >= len(want) || string(row) != want[i] {
			t.Errorf("row %d is %s", i, row)
		}
	}
	if len(faults) > 0 || len(got.Rows) != len(want) {
		t.Error(list(faults))
	}
	if faults = decode(t, "rows: [{a: 1}, 2]\n", &got); len(faults) != 1 || faults[0].Column != 16 {
		t.Error(list(faults))
	}
}

func TestDecodeExpressions(t *testing.T) {
	var got testTransform
	faults := decode(t, "from: [a, b.late]\nkey: [x, y]\nset: {z: x + 1, w: z}\nwhere: 'x > 1'\nselect: x\n", &got)
	if len(faults) > 0 {
		t.Fatal(list(faults))
	}
	names := func(x Exprs) (out []string) {
		for _, e := range x {
			out = append(out, e.Name+"="+e.Expr.Text)
		}
		return out
	}
	if !reflect.DeepEqual(names(got.Key), []string{"x=x", "y=y"}) || !reflect.DeepEqual(names(got.Set), []string{"z=x + 1", "w=z"}) ||
		!reflect.DeepEqual(names(got.Select), []string{"x=x"}) || got.Where.Text != "x > 1" || got.Having.Node != nil || got.Having.Known() {
		t.Errorf("got %+v", got)
	}
	if p := got.Where.Node.At(4); p != (Pos{4, 13}) {
		t.Errorf("1 is at %v", p)
	}
}

// TestValue checks what records of YAML values become.
func TestValue(t *testing.T) {
	n, faults := ParseNode("p.yaml", []byte(`{a: 1, b: -1.50, c: null, d: ~, e: yes, f: true, g: 2024-01-02, h: "1", i: 007, j: 1e3,
  k: [x, {y: z}], l: 0x10, m: 9223372036854775808, n: "é\n", o: +5, p: .nan, q: -0}`), Options{})
	if faults.HasErrors() {
		t.Fatal(faults)
	}
	const want = `{"a":1,"b":-1.50,"c":null,"d":null,"e":"yes","f":true,"g":"2024-01-02","h":"1","i":7,"j":1e3,"k":["x",{"y":"z"}],` +
		`"l":"0x10","m":9223372036854775808,"n":"é\n","o":5,"p":".nan","q":0}`
	if got := string(n.AppendJSON(nil)); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	v := n.Value().(map[string]any)
	if v["a"] != int64(1) || v["b"] != -1.5 || v["c"] != nil || v["e"] != "yes" || v["h"] != "1" || v["m"] != 9223372036854775808.0 {
		t.Errorf("got %v", v)
	}
}

// TestSecret checks that no message, hint or printed line has a value of the environment.
func TestSecret(t *testing.T) {
	const text = `
vars: {v: "${PASS}"}
sources:
  a: {type: "${PASS}", path: "${PASS}", count: "x${v}", max_line: "${PASS}", start: "${v}", header: "${PASS}", watermark: {bounded: "-${PASS}", idle: "${PASS}"}}
  b: {type: file, count: "${PASS}", watermark: "${PASS}", schema: "${PASS}"}
transforms: {t: {from: a, where: "${PASS}", window: "${PASS}", set: "${PASS}", allowed_lateness: "${PASS}"}}
settings: "${PASS}"
tests: "${PASS}"
`
	for _, secret := range []string{"s3cret!", "86420", "86420s", "86420MB", "earliesty"} {
		f, faults := check("p.yaml", []byte(text), Options{Env: environment("PASS=" + secret)})
		var out strings.Builder
		_ = faults.WriteText(&out, func(string) []byte { return []byte(text) })
		_ = faults.WriteJSON(&out)
		out.WriteString(faults.Error() + f.Node.String())
		if len(faults) == 0 || strings.Contains(out.String(), "86420") || strings.Contains(out.String(), "s3cret") || strings.Contains(out.String(), "earliesty") {
			t.Errorf("%q is shown:\n%s", secret, out.String())
		}
		if !f.Sources[0].Node.Get("count").Secret() || f.Sources[0].Node.Get("path").Text != secret {
			t.Error("the value is not marked, or not put in")
		}
	}
}

// TestLookup checks the order of flags, variables and environment.
func TestLookup(t *testing.T) {
	o := Options{Set: map[string]string{"a": "flag", "e": "flag"}, Env: environment("a=env\nb=env\nc=env\nd=env\nempty=")}
	text := `{vars: {a: var, b: var, v: "<${d}>", w: "${e}"}, name: "${a} ${b} ${c} ${v} ${w} ${x:-none} ${empty:-was empty}${empty} ${x:-${c}} $${a} $a"}`
	f, faults := Parse("p.yaml", []byte(text), o)
	if len(faults) > 0 || f.Name != "flag var env <env> flag none was empty env ${a} $a" {
		t.Errorf("got %q %v", f.Name, faults)
	}
	o.NoEnv = true
	f, faults = Parse("folder/p.yaml", []byte(text), o)
	if faults.HasErrors() || faults.Count(Warning) != 4 || f.Name != "p" {
		t.Errorf("got %q %s", f.Name, list(faults))
	}
}

func TestDuration(t *testing.T) {
	for text, want := range map[string]Duration{"0": 0, "0s": 0, "1h30m": 90 * Minute, "-5m": -5 * Minute, "1w2d3h4m5s6ms": Week + 2*Day + 3*Hour + 4*Minute + 5*Second + 6} {
		if d, hint, err := ParseDuration(text); err != nil || d != want || hint != "" {
			t.Errorf("%s: %v %q %v", text, d, hint, err)
		}
	}
	for d, want := range map[Duration]string{0: "0s", 90 * Minute: "1h30m", -1500: "-1s500ms", 2 * Week: "2w", 8 * Day: "8d"} {
		if d.String() != want {
			t.Errorf("%d: %s", int64(d), d)
		}
		if back, _, err := ParseDuration(d.String()); err != nil || back != d {
			t.Errorf("%s: %v %v", d, back, err)
		}
	}
}

func TestNearest(t *testing.T) {
	known := []string{"window", "where", "watermark", "allowed_lateness", "key", "from", "tumbling"}
	for word, want := range map[string]string{"windw": "window", "Window": "window", "form": "from", "alowedLateness": "allowed_lateness",
		"tumble": "tumbling", "xyz": "", "k": "", "water": "watermark"} {
		if got, _ := Nearest(word, known); got != want {
			t.Errorf("%s: %q, not %q", word, got, want)
		}
	}
}
