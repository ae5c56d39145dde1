package codec

import (
	"encoding/json"
	"math/rand/v2"
	"reflect"
	"testing"

	"tidemark/stream"
)

// Laying fields over records of all sorts gives what changing them decoded does.
func TestOverlayOfMutatedLines(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 8))
	layouts := []Layout{
		{Base: 0, Drop: []string{"b"}, Fields: []LayoutField{{Name: "c", Column: 1}, {Name: "new", Column: 2}}},
		{Base: 0, Drop: []string{"a", "b", "d", "e", "f", "g", "h", ""}, Fields: []LayoutField{{Name: "k", Column: 1}}, Meta: []LayoutField{{Name: "m", Column: 2}}},
		{Base: 0, Fields: []LayoutField{{Name: "a", Column: 2}, {Name: "b", Column: 1}}},
	}
	s := NewJSONScanner(paths("-", "c", "a.b"), 0)
	var b stream.Batch
	encoders := make([]*JSONEncoder, len(layouts))
	for i, l := range layouts {
		encoders[i] = NewJSONEncoder(l, RFC3339)
	}
	for range 20_000 {
		line := mutate(r, []byte(seeds[r.IntN(len(seeds))]))
		s.Scan(padded(line), &b)
		if b.N != 1 || b.Sel != nil {
			continue
		}
		which := r.IntN(len(layouts))
		text := encoders[which].Append(nil, &b, 0)
		var got map[string]any
		if err := json.Unmarshal(text, &got); err != nil {
			if json.Unmarshal(line, &got) != nil {
				continue // a number that no float64 holds
			}
			t.Fatalf("%q gives %s: %v", line, text, err)
		}
		want := map[string]any{}
		if json.Unmarshal(line, &want) != nil {
			continue
		}
		change(want, layouts[which], &b)
		if !reflect.DeepEqual(got, want) {
			t.Fatalf("%q, layout %d: %s, want %v", line, which, text, want)
		}
	}
}

// change does to a decoded record what a layout says.
func change(record map[string]any, l Layout, b *stream.Batch) {
	for _, name := range l.Drop {
		delete(record, name)
	}
	value := func(column int) any {
		var v any
		json.Unmarshal(AppendValue(nil, b.Columns[column].Value(0)), &v)
		return v
	}
	for _, f := range l.Fields {
		record[f.Name] = value(f.Column)
	}
	if len(l.Meta) > 0 {
		meta := map[string]any{}
		for _, f := range l.Meta {
			meta[f.Name] = value(f.Column)
		}
		record["meta"] = meta
	}
}
