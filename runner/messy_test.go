package runner

import (
	"context"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
)

// messy has what pipelines are seldom made of at once: whole records, facts, paths below what was computed, unions
// of all outputs, readers of dirty and late records, windows over windows.
const messy = `
sources:
  a: {type: file, path: "${dir}/a*.jsonl", timestamp: {expr: at, unit: s, timezone: Europe/Berlin}, watermark: 3s}
  b:
    type: file
    path: "${dir}/b*.jsonl"
    schema: {ts: int, v: "float|null", k: any, o: object, l: "list|null"}
    timestamp: {expr: ts, unit: ms}
    watermark: {punctuated: "ts % 3 == 0 ? max_event_time : nil"}
  c: {type: file, path: "${dir}/c.jsonl"}
transforms:
  set:
    from: a
    where: meta.line % 7 != 0
    set:
      line: meta.line
      whole: row
      deep: whole.o?.p
      v: '(v ?? 0) + 1'
      file: split(meta.file, "/")[-1]
    drop: [l, x]
  both:
    from: [set, b, c]
    set: {from: '"both"', kind: 'type(k)'}
  late: {from: minute.late, select: {by: meta.late_by, end: meta.window_end, k: k, at: meta.event_time, all: row}}
  minute:
    from: [set, b]
    key: {k: k, odd: 'int(v) % 2 == 1'}
    window: {sliding: 10s, every: 4s}
    aggregate:
      n: count()
      first: first(v)
      last: last(row)
      share: sum(v) / count()
      kinds: count_distinct(type(v))
  visits: {from: both, key: kind, aggregate: {n: count(), lines: max(line)}, having: n > 1}
  session: {from: minute, key: odd, window: {session: 5s}, aggregate: {n: sum(n), until: max(window_end)}}
  fixed:
    from: [a.dirty, b.dirty, c.dirty, set.dirty, minute.dirty, both.dirty]
    where: node != "c"
    set: {line: meta.line, length: len(json(row))}
sinks:
  all: {from: [both, minute, late, visits, session, fixed], type: file, path: "${dir}/out/all", overwrite: true}
  table: {from: session, type: stdout, format: table}
  plain: {from: set, type: file, path: "${dir}/out/plain", overwrite: true}
  late_read: {from: [minute.late, session.late, fixed.dirty, late.dirty], type: file, path: "${dir}/out/late", overwrite: true, time_format: ms}
`

// messyLine makes a record or something like it.
func messyLine(r *rand.Rand, i int) string {
	pick := func(list ...string) string { return list[r.IntN(len(list))] }
	at := 1_700_000_000 + i/2 - r.IntN(4)*r.IntN(8)
	fields := []string{
		pick(`"at":`, `"at":`, `"x":`) + pick(fmt.Sprint(at), fmt.Sprintf("%d.25", at), fmt.Sprintf(`"%d"`, at), `"2023-11-14 23:13:20"`, fmt.Sprintf(`"2023-11-14T22:13:%02dZ"`, i%60), "null"),
		`"ts":` + pick(fmt.Sprint(at*1000+i%7), fmt.Sprint(at*1000), `"7"`, "1e3"),
		`"v":` + pick("1", "2.5", "null", "-0.0", fmt.Sprint(i), `"text"`, "true"),
		`"k":` + pick(`"a"`, `"b"`, "1", "1.0", "null", `[1]`, `{"z":1}`, `"é\u00e9"`),
		`"o":` + pick(`{"p":1}`, `{}`, "null", `{"p":{"q":"`+strings.Repeat("x", r.IntN(40))+`"}}`, `"flat"`),
		`"l":` + pick("[]", "[1,2]", "null"),
	}
	r.Shuffle(len(fields), func(i, j int) { fields[i], fields[j] = fields[j], fields[i] })
	line := "{" + strings.Join(fields[:3+r.IntN(4)], pick(",", ", ", " ,")) + "}"
	switch r.IntN(40) {
	case 0:
		return line[:r.IntN(len(line))]
	case 1:
		return ""
	}
	return line + pick("", "", " ", "\r")
}

// TestMessy runs one pipeline with everything over messy records: with all settings the same bytes come, and the
// report adds up.
func TestMessy(t *testing.T) {
	for seed := range uint64(12) {
		r := rand.New(rand.NewPCG(seed, 1))
		files := map[string]string{}
		for _, name := range []string{"a1.jsonl", "a2.jsonl", "a3.jsonl", "b1.jsonl", "b2.jsonl", "c.jsonl"} {
			var lines []string
			for i := range r.IntN(200) {
				lines = append(lines, messyLine(r, i))
			}
			files[name] = strings.Join(lines, "\n") + strings.Repeat("\n", r.IntN(2))
		}
		p := newTrial(t, messy, files)
		want := p.everything(Options{Parallelism: 1})
		for name, o := range settings {
			if got := p.everything(o); got != want {
				t.Fatalf("seed %d, %s: %s", seed, name, firstDifference(got, want))
			}
		}
	}
}

// everything runs the pipeline and gives all that it writes, with the report.
func (p *trial) everything(o Options) string {
	p.Helper()
	out, report, err := p.run(context.Background(), o)
	if err != nil {
		p.Fatal(err)
	}
	for _, c := range report.Nodes {
		parts := c.Filtered + c.Late + c.Dirty + c.Used
		if c.Kind == "source" {
			parts = c.Out + c.Dirty
		}
		if c.In != parts {
			p.Errorf("%+v doesn't add up", c)
		}
		out += fmt.Sprintf("%s %d %d %d %d %d %d\n", c.Node, c.In, c.Out, c.Filtered, c.Late, c.Dirty, c.Used)
	}
	for _, name := range []string{"all", "plain", "late"} {
		out += "-- " + name + " --\n" + p.read("out/"+name)
	}
	return out + strings.Join(report.Warnings, "\n")
}

func firstDifference(got, want string) string {
	a, b := strings.Split(got, "\n"), strings.Split(want, "\n")
	for i := range min(len(a), len(b)) {
		if a[i] != b[i] {
			return fmt.Sprintf("line %d of %d is\n%s\nwants, of %d,\n%s", i+1, len(a), a[i], len(b), b[i])
		}
	}
	return fmt.Sprintf("%d lines, wants %d", len(a), len(b))
}
