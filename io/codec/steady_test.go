package codec

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"tidemark/stream"
)

// mixed are lines of three layouts, with absent and null values, escapes and nested objects.
func mixed(n int) []byte {
	var b strings.Builder
	for i := range n {
		switch i % 4 {
		case 0:
			fmt.Fprintf(&b, "{\"a\":%d,\"b\":\"text %d\",\"c\":{\"d\":%d.5,\"e\":true}}\n", i, i, i)
		case 1:
			fmt.Fprintf(&b, "{\"b\": \"escaped \\n %d\", \"a\": null, \"c\": {\"d\": 1e-3, \"e\": false}, \"more\": [1, {\"x\": 2}]}\r\n", i)
		case 2:
			fmt.Fprintf(&b, "{\"c\":{},\"b\":\"é %d\"}\n", i)
		case 3:
			fmt.Fprintf(&b, "{\"c\":null,\"a\":%d}\n\n", -i)
		}
	}
	return []byte(b.String())
}

// In the steady state nothing is allocated, not by row and not by batch.
func TestScanAllocatesNothing(t *testing.T) {
	typed := []Column{
		{Path: stream.Path{"a"}, Type: stream.Type{Kind: stream.Float}, Typed: true},
		{Path: stream.Path{"c", "d"}, Type: stream.Type{Kind: stream.Float}, Typed: true},
	}
	for _, columns := range [][]Column{paths("a", "b", "c.d", "c.e", "-"), typed, nil} {
		s := NewJSONScanner(columns, 1<<20)
		var b stream.Batch
		pieces := chunks(mixed(5000), 32<<10)
		scanAll := func() {
			for _, piece := range pieces {
				s.Scan(piece, &b)
			}
		}
		scanAll()
		if n := testing.AllocsPerRun(10, scanAll); n != 0 {
			t.Errorf("%d columns: %v allocations", len(columns), n)
		}
	}
}

func TestEncodeAllocatesNothing(t *testing.T) {
	s := NewJSONScanner(paths("a", "b", "c.d", "c.e", "-"), 0)
	var b stream.Batch
	s.Scan(padded(mixed(1000)), &b)
	var out []byte
	fields := []LayoutField{{Name: "a", Column: 0}, {Name: "b", Column: 1}, {Name: "d", Column: 2}, {Name: "e", Column: 3}}
	for _, l := range []Layout{{Base: -1, Fields: fields}, {Base: 4}, {Base: 4, Fields: fields, Drop: []string{"more"}}} {
		e := NewJSONEncoder(l, RFC3339)
		encode := func() {
			out = out[:0]
			for row := range b.N {
				out = e.Append(out, &b, row)
			}
		}
		encode()
		if n := testing.AllocsPerRun(10, encode); n != 0 {
			t.Errorf("%+v: %v allocations", l, n)
		}
	}
}

// Whatever the lines look like, the trie stays small and a line costs time by its length only.
func TestHostileLayouts(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	var random, wide, spaced strings.Builder
	for range 20_000 {
		random.WriteString("{")
		for i := range r.IntN(20) {
			if i > 0 {
				random.WriteString(",")
			}
			fmt.Fprintf(&random, "\"%x\":%d", r.Uint32N(1<<uint(1+r.IntN(30))), i)
		}
		random.WriteString("}\n")
		fmt.Fprintf(&spaced, "{%*s\"a\":%*s1%*s}\n", r.IntN(50), "", r.IntN(50), "", r.IntN(50), "")
	}
	for range 3 {
		wide.WriteString(`{"a":1`)
		for i := range 100_000 {
			fmt.Fprintf(&wide, ",\"k%d\":%d", i, i)
		}
		wide.WriteString(strings.Repeat(`,"a":{"a":1}`, 50_000) + "}\n")
	}
	texts := map[string]string{
		"random": random.String(), "wide": wide.String(), "spaced": spaced.String(),
		"bad": strings.Repeat("{}x\n{\"a\":\"x\"}x\n", 20_000),
	}
	for name, text := range texts {
		s := NewJSONScanner(paths("a", "a.a", "7", "-"), 0)
		var b stream.Batch
		start := time.Now()
		for _, piece := range chunks([]byte(text), 512<<10) {
			s.Scan(piece, &b)
			if len(s.Bad()) > 0 && name != "bad" {
				t.Fatalf("%s: %+v", name, s.Bad()[0])
			}
		}
		took := time.Since(start)
		t.Logf("%s: %.1f ns a byte, %d nodes", name, float64(took.Nanoseconds())/float64(len(text)), s.trie.nodes)
		if s.trie.nodes > mostNodes || took > 2*time.Second {
			t.Errorf("%s: %d nodes, %v", name, s.trie.nodes, took)
		}
	}
}

// A trie that is full of layouts that no longer come makes room for those that do.
func TestTrieForgets(t *testing.T) {
	s := NewJSONScanner(paths("a"), 0)
	var b stream.Batch
	for i := range 2000 {
		s.Scan(padded([]byte(fmt.Sprintf("{\"k%d\":1,\"a\":1}\n", i))), &b)
	}
	s.Scan(padded([]byte(strings.Repeat("{\"a\":1,\"z\":2}\n", 5000))), &b)
	data := padded([]byte("{\"a\":1,\"z\":2}\n"))
	s.begin(data, &b)
	if s.follow(0) != len(data) {
		t.Error("the layout of late was not learned")
	}
}

// A line of a layout that was met before is read along the trie, whatever its values are.
func TestLayoutsAreLearned(t *testing.T) {
	for _, lines := range [][2]string{
		{`{"a":1,"b":"x"}`, `{"a":-123456789012,"b":"é\n"}`},
		{`{"a": null, "b": {"x": [1]}}`, `{"a": 1.5, "b": true}`},
		{`{"c":{"d":1,"e":{"f":2}},"a":1}`, `{"c":{"d":"x","e":{"f":null}},"a":[1]}`},
		{` { "c" : { } , "a" : 1 } ` + "\r", ` { "c" : { } , "a" : 2 } ` + "\r"},
		{`{"c":null}`, `{"c":5}`},
		{`{"a long name of more than sixteen bytes":1,"a":2}`, `{"a long name of more than sixteen bytes":"","a":2}`},
		{`{}`, `{}`},
	} {
		s := NewJSONScanner(paths("a", "b", "c.d", "c.e.f"), 0)
		var b stream.Batch
		s.Scan(padded([]byte(lines[0]+"\n")), &b)
		data := padded([]byte(lines[1] + "\n"))
		s.begin(data, &b)
		if s.follow(0) != len(data) {
			t.Errorf("%s after %s goes another way", lines[1], lines[0])
		}
	}
}

// Lines of several writers, told apart late in the line or by white space, all are read along the trie.
func TestLayoutsSideBySide(t *testing.T) {
	lines := []string{`{"a":1,"b":2}`, `{"a": 1, "b": 2}`, `{"a":  1,"b":2}`, `{"b":2}`, `{"a":1,"b":2,"x":"y"}`, `{"c":null}`, `{"c":{"d":1}}`, `{"c": {"d": 1}}`}
	s := NewJSONScanner(paths("a", "b", "c.d"), 0)
	var b stream.Batch
	s.Scan(padded([]byte(strings.Join(lines, "\n")+"\n")), &b)
	for _, line := range lines {
		data := padded([]byte(line + "\n"))
		s.begin(data, &b)
		if s.follow(0) != len(data) {
			t.Errorf("%s goes another way", line)
		}
	}
}
