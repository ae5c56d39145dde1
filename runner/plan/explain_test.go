package plan

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"tidemark/spec"
)

// explain compiles a file without faults and explains it.
func explain(t *testing.T, path, text string, env map[string]string) string {
	t.Helper()
	file, found := spec.Parse(path, []byte(text), spec.Options{Env: func(name string) (string, bool) { v, ok := env[name]; return v, ok }})
	p, more := Compile(file)
	if found = append(found, more...); found.HasErrors() {
		t.Fatalf("%s: %s", path, list(found))
	}
	var b strings.Builder
	if err := p.Explain(&b); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

const explained = `
sources:
  orders:
    type: file
    path: orders.jsonl
    schema: {user: string, ts: int, amount: "float|null"}
    timestamp: {expr: ts, unit: ms}
    watermark: 5s
  extra: {type: file, path: extra.jsonl, timestamp: at, watermark: {punctuated: 'final ? event_time : nil'}}
transforms:
  big:
    from: orders
    where: (amount ?? 0) > 10
    set: {name: upper(user), first: user, line: meta.line}
  minutes:
    from: big
    key: name
    window: {tumbling: 1m, offset: 10s}
    allowed_lateness: 30s
    aggregate: {n: count(), mean: sum(amount * 2) / count()}
    having: n > 1
  both: {from: [orders, extra], drop: amount}
  totals: {from: both, aggregate: {n: count()}}
sinks:
  a: {from: minutes, type: discard}
  b: {from: [minutes.late, orders.dirty], type: file, path: b.jsonl}
  c: {from: both, type: stdout}
  d: {from: totals, type: stdout}
  e: {from: big, type: file, path: e.jsonl}
`

const explanation = `pipeline p

source orders (file)
  columns     ts int, (the line), amount float|null, user string
  event time  ts in ms
  watermark   bounded 5s, for each partition; the lowest counts
  gives       user, ts, amount, over the records as they were read
  runs        chunks are scanned side by side in the workers; expressions wait for the numbers of lines before

source extra (file)
  columns     at, final, (the line)
  event time  at
  watermark   punctuated final ? event_time : nil  [kernel], for each partition; the lowest counts
  gives       the records as they were read
  only counts extra.dirty
  runs        chunks side by side in the workers, then in the source order

transform big
  reads       orders
  where       (amount ?? 0) > 10  [kernel]
  set         name = upper(user)  [kernel]
  gives       user, ts, amount, name, first, line, over the records as they were read
  only counts big.dirty
  runs        in the workers

transform minutes
  reads       big
  aggregate   mean = amount * 2  [kernel]
  key         name
  window      tumbling 1m, offset 10s, late records accepted for 30s
  state       count()
  state       sum(amount * 2)
  aggregate   mean = sum(amount * 2) / count()  [kernel]
  having      n > 1  [kernel]
  gives       name, window_start, window_end, n, mean
  only counts minutes.dirty
  runs        in the workers up to the window; the window in the source order, its keys in lanes where there are many workers

transform both
  reads       orders, extra
  watermark   the lowest of its inputs
  gives       user, ts, over the records as they were read
  only counts both.dirty
  runs        in the source order

transform totals
  reads       both
  window      global, written at the end of the input
  state       count()
  gives       n
  only counts totals.dirty
  runs        in the source order

sink a (discard)
  reads       minutes
  runs        in the source order

sink b (file)
  reads       minutes.late, orders.dirty
  runs        in the source order

sink c (stdout)
  reads       both
  runs        in the source order

sink d (stdout)
  reads       totals
  runs        in the source order

sink e (file)
  reads       big
  runs        rows are encoded in the workers and written in the source order
`

func TestExplain(t *testing.T) {
	if got := explain(t, "p.yaml", explained, nil); got != explanation {
		t.Errorf("got\n%s", got)
	}
}

// TestExplainPipelines explains the pipelines that come with the project: nothing of ours shows that the file
// does not speak of.
func TestExplainPipelines(t *testing.T) {
	paths, _ := filepath.Glob("../../pipelines/*.yaml")
	for _, path := range paths {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		got := explain(t, path, string(text), nil)
		for _, wrong := range []string{"agg0", "\x00", "%!", "nothing"} {
			if strings.Contains(got, wrong) {
				t.Errorf("%s: %q in\n%s", path, wrong, got)
			}
		}
	}
}

// TestExplainHidesSecrets says that an expression with a part from the environment is shown as it is written.
func TestExplainHidesSecrets(t *testing.T) {
	got := explain(t, "p.yaml", `
sources: {in: {type: file, path: in.jsonl, timestamp: "date('${PASS}')", watermark: 5s}}
transforms:
  t:
    from: in
    where: "a != '${PASS}'"
    key: {k: "'${PASS}' + a"}
    aggregate: {n: "first('${PASS}')", m: "count_if(a == '${PASS}') + 1"}
sinks: {out: {from: t, type: stdout}}
`, map[string]string{"PASS": "opensesame"})
	if strings.Contains(got, "opensesame") || !strings.Contains(got, "a != '${PASS}'") {
		t.Errorf("got\n%s", got)
	}
}
