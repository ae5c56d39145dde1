package spec

import (
	"fmt"
	"slices"
	"strings"
)

// A small language of blocks, so that the tests can decode whole files.

type testSource struct {
	Path        []string  `spec:"path,exclusive=where" example:"path: in.jsonl"`
	Brokers     []string  `spec:"brokers" example:"brokers: localhost:9092"`
	Topics      []string  `spec:"topics,alias=topic"`
	Group       string    `spec:"group"`
	Start       string    `spec:"start,values=earliest|latest"`
	Header      bool      `spec:"header"`
	Follow      bool      `spec:"follow"`
	MaxLine     Size      `spec:"max_line,positive"`
	Count       int64     `spec:"count,positive"`
	Rate        float64   `spec:"rate"`
	Delimiter   string    `spec:"delimiter"`
	NullValues  []string  `spec:"null_values"`
	Schema      []Entry   `spec:"schema"`
	SASL        *testSASL `spec:"sasl"`
	Timestamp   *Node     `spec:"timestamp"`
	Watermark   *testMark `spec:"watermark"`
	Compression string    `spec:"compression,values=auto|none|gzip|zstd"`
}

type testSASL struct {
	Mechanism string `spec:"mechanism,required"`
	User      string `spec:"user"`
	Password  string `spec:"password"`
}

type testMark struct {
	Bounded    *Duration `spec:"bounded,exclusive=strategy"`
	Monotonous bool      `spec:"monotonous,exclusive=strategy"`
	Idle       *Limit    `spec:"idle"`
}

type testTransform struct {
	From      []string    `spec:"from,required" example:"from: NAME"`
	Where     *Expr       `spec:"where"`
	Set       Exprs       `spec:"set"`
	Select    Exprs       `spec:"select,names"`
	Key       Exprs       `spec:"key,names"`
	Window    *testWindow `spec:"window"`
	Lateness  Duration    `spec:"allowed_lateness"`
	Aggregate Exprs       `spec:"aggregate"`
	Emit      *Node       `spec:"emit"`
	Having    Expr        `spec:"having"`
}

type testWindow struct {
	Tumbling *Duration `spec:"tumbling,exclusive=kind,positive"`
	Sliding  *Duration `spec:"sliding,exclusive=kind"`
	Session  *Duration `spec:"session,exclusive=kind"`
	Every    *Duration `spec:"every"`
	Offset   Duration  `spec:"offset,negative"`
}

type testSink struct {
	From []string `spec:"from,required" example:"from: NAME"`
	Path string   `spec:"path"`
	Mode string   `spec:"mode,values=append|upsert"`
	Key  []string `spec:"key"`
}

type testSettings struct {
	Parallelism int `spec:"parallelism,positive"`
	Checkpoint  *struct {
		Dir   string   `spec:"dir,required"`
		Every Duration `spec:"every"`
		Keep  int      `spec:"keep"`
	} `spec:"checkpoint"`
}

func unknownType(b *Block, known []string) Diagnostic {
	n := b.Node.Get("type")
	d := n.Diagnose("TM004", fmt.Sprintf("unknown %s type %s", b.Role, n.Quote()), "known: "+strings.Join(known, ", "))
	if near, ok := Nearest(b.Type, known); ok {
		d.Hint = "did you mean " + near + "? " + d.Hint
	}
	return d
}

// check reads a file and decodes its blocks.
func check(path string, text []byte, o Options) (*File, Diagnostics) {
	f, faults := Parse(path, text, o)
	if f == nil {
		return nil, faults
	}
	for _, b := range f.Blocks() {
		options := DecodeOptions{What: b.Title(), Node: b.Name, Pos: b.NamePos, Ignore: []string{"type", "format"}}
		switch b.Role {
		case Source:
			faults = append(faults, Decode(b.Node, &testSource{}, options)...)
			if b.Type == "file" && !b.Node.Has("path") && !b.Node.Unset {
				faults = append(faults, b.Node.Get("type").Diagnose("TM005", `file `+b.Title()+` needs "path"`, "path: in.jsonl"))
			}
		case Transform:
			options.Ignore = nil
			faults = append(faults, Decode(b.Node, &testTransform{}, options)...)
		case Sink:
			faults = append(faults, Decode(b.Node, &testSink{}, options)...)
		}
		if known := []string{"file", "kafka", "parquet", "stdout"}; b.Type != "" && !slices.Contains(known, b.Type) {
			faults = append(faults, unknownType(b, known))
		}
	}
	faults = append(faults, Decode(f.Settings, &testSettings{}, DecodeOptions{What: "settings"})...)
	faults.Sort()
	return f, faults.Suppress(f)
}
