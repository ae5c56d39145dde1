package spec

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"
)

// order is a whole pipeline file as users write it.
const order = `name: order_uv
description: Unique buyers a minute; late orders go to a repair topic.
vars: {topic: order_event}

sources:
  orders:
    type: kafka
    brokers: "${KAFKA_BROKERS:-localhost:9092}"
    topics: ["${topic}"]
    schema: {user_id: string, ts: int, amount: "float|null"}
    timestamp: {expr: ts, unit: ms}

transforms:
  uv:
    from: orders
    where: (amount ?? 0) > 0
    key: [user_id]
    window: {tumbling: 1m}
    aggregate:
      p95: quantile(amount, 0.95)

sinks:
  broken: {from: [orders.dirty, uv.dirty], type: file, path: out/dirty.jsonl}

settings:
  checkpoint: {dir: ./state, every: 30s}
tests:
  - {name: one, given: {orders: []}, expect: {uv: []}}
`

func TestParse(t *testing.T) {
	f, faults := check("folder/order.yaml", []byte(order), Options{})
	if len(faults) > 0 {
		t.Fatal(list(faults))
	}
	uv := f.Transforms[0]
	if f.Name != "order_uv" || len(f.Blocks()) != 3 || uv.Role != Transform || uv.NamePos != (Pos{14, 3}) || f.Sources[0].Type != "kafka" ||
		f.Sources[0].Node.Get("topics").Items[0].Text != "order_event" || len(f.Tests.Items) != 1 || f.Partial {
		t.Errorf("got %v at %v", f.Node, uv.NamePos)
	}
	where := uv.Node.Get("where")
	d := where.DiagnoseSpan(1, 7, "TM110", "unknown field `amount` in `where`", "did you mean `amounts`?")
	d.Note = "fields here: ts, user_id"
	var out strings.Builder
	if err := (Diagnostics{d}).WriteText(&out, func(string) []byte { return []byte(order) }); err != nil {
		t.Fatal(err)
	}
	const want = "folder/order.yaml:16:13: error[TM110] unknown field `amount` in `where`\n" +
		"   16 |     where: (amount ?? 0) > 0\n" +
		"      |             ^^^^^^ fields here: ts, user_id\n" +
		"   hint: did you mean `amounts`?\n"
	if out.String() != want {
		t.Errorf("got\n%swant\n%s", out.String(), want)
	}
}

// TestForms checks the forms for programs.
func TestForms(t *testing.T) {
	_, faults := Parse("a,b.yaml", []byte("nam: \"50%\"\nsettings: {parallelism: 010}\n"), Options{})
	var out bytes.Buffer
	if err := faults.WriteGitHub(&out); err != nil || out.String() !=
		"::error file=a%2Cb.yaml,line=1,col=1,endColumn=4,title=TM003::unknown key \"nam\" in a pipeline file%0Ahint: did you mean name?\n"+
			"::warning file=a%2Cb.yaml,line=2,col=25,endColumn=28,title=TM011::010 is read as 10 (other YAML tools read 8)%0Ahint: drop the 0, or quote it if it is text\n" {
		t.Errorf("github: %v\n%s", err, out.String())
	}
	out.Reset()
	var log sarifLog
	if err := faults.WriteSARIF(&out); err != nil || json.Unmarshal(out.Bytes(), &log) != nil || len(log.Runs[0].Results) != 2 ||
		log.Runs[0].Results[1].Level != "warning" || log.Runs[0].Tool.Driver.Rules[0].ID != "TM003" {
		t.Errorf("sarif: %v\n%s", err, out.String())
	}
	out.Reset()
	if err := faults[:1].WriteJSON(&out); err != nil {
		t.Fatal(err)
	}
	const want = `{"diagnostics":[{"file":"a,b.yaml","line":1,"column":1,"end_column":4,"rule":"TM003","severity":"error",` +
		`"node":"","message":"unknown key \"nam\" in a pipeline file","hint":"did you mean name?","fix":"name"}]}`
	var compact bytes.Buffer
	if err := json.Compact(&compact, out.Bytes()); err != nil || compact.String() != want {
		t.Errorf("json: %v\n%s", err, compact.String())
	}
}

// TestLongLine checks that only the part of a long line around the fault is printed.
func TestLongLine(t *testing.T) {
	text := []byte("name: \"" + strings.Repeat("x", 5000) + "\"\nsinks: " + strings.Repeat(" ", 3000) + "5" + strings.Repeat(" ", 300) + "# \x1b\n")
	_, faults := Parse("p.yaml", bytes.ReplaceAll(text, []byte("\x1b"), nil), Options{})
	var out strings.Builder
	_ = faults.WriteText(&out, func(string) []byte { return text })
	lines := strings.Split(out.String(), "\n")
	if len(faults) != 1 || len(lines[1]) > 200 || strings.IndexByte(lines[1], '5') != len("    2 | …")+60 || !strings.HasSuffix(lines[2], "^") {
		t.Errorf("got %s", out.String())
	}
}
