package plan

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"tidemark/io/codec"
	"tidemark/spec"
	"tidemark/stream"
)

// live is a pipeline from Kafka to Kafka with all that records have.
const live = `
vars: {topic: order_event}
sources:
  orders:
    type: kafka
    brokers: "${BROKERS:-localhost:9092}"
    topics: ["${topic}", more]
    group: order_uv
    start: {timestamp: "2024-05-01T00:00:00Z"}
    sasl: {mechanism: plain, user: "${USER}", password: "${PASSWORD}"}
    schema: {user_id: string, amount: "float|null"}
    watermark: {bounded: 5s, align: 10s, interval: 200ms}
  ended: {type: kafka, brokers: b, topic: ended, group: "${GROUP}", stop: latest, timestamp: meta.timestamp, watermark: 5s}
transforms:
  uv:
    from: [orders, ended]
    set: {source: 'meta.headers["source"] ?? meta.topic', id: meta.offset, line: meta.line, deep: 'meta.headers["a"]["b"]'}
    key: [user_id, source]
    window: {tumbling: 1m}
    aggregate: {n: count(), last: max(id)}
sinks:
  lost: {from: [result.dirty, uv.dirty], type: stdout, time_format: ms}
  result:
    from: uv
    type: kafka
    brokers: "${BROKERS:-localhost:9092}"
    topic: order_uv
    mode: upsert
    key: [user_id, source, window_start]
    headers: {by: '"tidemark"', n: string(n)}
  copy: {from: [orders, ended], type: kafka, brokers: b, topic: "${GROUP}-copy", key: user_id, headers: {h: 'meta.headers["h"]'}}
`

var liveEnvironment = map[string]string{"USER": "someone", "PASSWORD": "opensesame", "GROUP": "hidden"}

// compile makes the plan of a file without faults.
func compile(t *testing.T, text string, env map[string]string) *Plan {
	t.Helper()
	file, found := spec.Parse("p.yaml", []byte(text), spec.Options{Env: func(name string) (string, bool) { v, ok := env[name]; return v, ok }})
	p, more := Compile(file)
	if found = append(found, more...); found.HasErrors() {
		t.Fatal(list(found))
	}
	return p
}

// show writes what the plan has of sources and sinks of records.
func show(p *Plan) string {
	var b strings.Builder
	fmt.Fprintln(&b, "bounded", p.Bounded())
	for _, s := range p.Sources {
		w := s.Watermark
		fmt.Fprintln(&b, s.Name, "bounded", s.Main.Bounded, s.Dirty.Bounded, "facts", s.Facts, "timed", s.Main.EventTime, "by", s.Timestamp.Step.Expression(), "idle", w.Idle, w.MaxAhead, w.Align, w.Interval)
	}
	for _, t := range p.Transforms {
		fmt.Fprintln(&b, t.Name, "bounded", t.Main.Bounded, t.Late.Bounded, t.Dirty.Bounded)
	}
	for _, s := range p.Sinks {
		fmt.Fprintln(&b, s.Name, "upsert", s.Upsert, "headers", s.HeaderNames, "dirty", s.Dirty.Name, s.Dirty.Bounded, s.Dirty.Readers)
		for i, in := range s.Inputs {
			fmt.Fprint(&b, "  ", in.Name)
			if s.Keys != nil {
				var names []string
				for _, name := range texts(s.Block.Node.Get("key")) {
					names = append(names, fmt.Sprint(slices.Index(s.Keys[i].Columns, in.Column(stream.Path{name}))))
				}
				fmt.Fprint(&b, " key ", names, " ", s.Keys[i].Object != nil)
			}
			for j := range s.HeaderNames {
				slot := s.Headers[i].Slots[s.HeaderSlots[i][j]]
				fmt.Fprint(&b, " header ", slot.From, " ", slot.Name)
			}
			fmt.Fprintln(&b)
		}
	}
	return b.String()
}

const shown = `bounded false
orders bounded false false facts [timestamp headers.source topic offset headers.h] timed true by meta.timestamp idle 60000 3600000 10000 200
ended bounded true true facts [timestamp headers.source topic offset headers.h] timed true by meta.timestamp idle 0 0 0 0
uv bounded false false false
result upsert true headers [by n] dirty result.dirty false 1
  uv key [0 1 2] true header 1 by header 1 n
lost upsert false headers [] dirty lost.dirty false 0
  result.dirty
  uv.dirty
copy upsert false headers [h] dirty copy.dirty false 0
  orders key [0] false header 1 h
  ended key [0] false header 1 h
`

func TestRecords(t *testing.T) {
	p := compile(t, live, liveEnvironment)
	if got := show(p); got != shown {
		t.Errorf("got\n%s", got)
	}
	for _, s := range p.Sources[0].Stage.Slots {
		if s.From == FromMeta && s.Fact != "event_time" && !slices.Contains(p.Sources[0].Facts, s.Fact) {
			t.Errorf("%q is asked for, and no fact", s.Fact)
		}
	}
	key := p.Sinks[0].Keys[0]
	want := codec.Layout{Base: -1}
	for i, name := range []string{"user_id", "source", "window_start"} {
		want.Fields = append(want.Fields, codec.LayoutField{Name: name, Column: key.Columns[i]})
	}
	if fmt.Sprint(*key.Object) != fmt.Sprint(want) {
		t.Errorf("the key is written as %v", *key.Object)
	}
}

const liveExplained = `source orders (kafka)
  reads       topics [order_event, more], group order_uv, start {timestamp: 2024-05-01T00:00:00Z}
  ends        when it is stopped
  facts       timestamp, headers.source, topic, offset, headers.h
`

func TestExplainRecords(t *testing.T) {
	got := explain(t, "p.yaml", live, liveEnvironment)
	for _, want := range []string{liveExplained,
		"  watermark   bounded 5s, for each partition; the lowest counts; a partition is idle after 1m; records more than 1h ahead don't move it; a partition more than 10s ahead of the slowest waits; given every 200ms\n",
		"source ended (kafka)\n  reads       topic ended, group ${GROUP}, stop latest\n  ends        where it is told to stop\n",
		"  event time  meta.timestamp\n",
		"sink result (kafka)\n  reads       uv\n  writes      topic order_uv\n  key         [user_id, source, window_start]; a row replaces the one with the same key\n  header      by = \"tidemark\"\n  header      n = string(n)\n  runs",
		"  writes      topic ${GROUP}-copy\n  key         user_id\n  header      h = meta.headers[\"h\"]\n  only counts copy.dirty\n",
	} {
		if !strings.Contains(got, want) {
			t.Errorf("%q is not in\n%s", want, got)
		}
	}
	for _, value := range liveEnvironment {
		if strings.Contains(got, value) {
			t.Errorf("%q is in\n%s", value, got)
		}
	}
}

// TestMetrics holds what may be an address for metrics.
func TestMetrics(t *testing.T) {
	p := compile(t, "sources: {a: {type: file, path: a.jsonl}}\nsinks: {b: {from: a, type: discard}}\nsettings: {metrics: \"127.0.0.1:9090\"}\n", nil)
	if p.Settings.Metrics != "127.0.0.1:9090" || !p.Bounded() {
		t.Errorf("%+v", p.Settings)
	}
}
