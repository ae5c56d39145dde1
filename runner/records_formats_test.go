package runner

import (
	"slices"
	"strings"
	"testing"
)

// TestRecordFormats reads values of each format, each beside its offset: one record a value, whatever line ends it has.
func TestRecordFormats(t *testing.T) {
	for name, c := range map[string]struct {
		format string
		values []string
		want   []string // offset and fields
		dirty  []string // a part of the line
	}{
		"json": {"json, schema: {a: any, b: any}",
			[]string{`{"a":1}`, "", "{\n\"a\":\n2}\n", "{\"a\":3}\n{\"a\":4}", "{\"a\":\"x\ny\"}", deleted, `{"a":5,"b":"z"}`},
			[]string{`{"offset":0,"a":1,"b":null}`, `{"offset":2,"a":2,"b":null}`, `{"offset":5,"a":null,"b":null}`, `{"offset":6,"a":5,"b":"z"}`},
			[]string{`"raw":"","meta":{"offset":1,`, `"raw":"{\"a\":3}\n{\"a\":4}","meta":{"offset":3,`, `"raw":"{\"a\":\"x\ny\"}","meta":{"offset":4,`}},
		"csv": {`csv, columns: [a, b], schema: {a: "int|null"}`,
			[]string{"1,x", "", "\r\n", "2,\"two\nlines\"", "3,y\r\n", "4,u\n5,v", "6,\"open\n", "7", deleted, ",\"\"", "8,\"\"\"\"\n\n", "x,9", "10,z\r"},
			[]string{`{"offset":0,"a":1,"b":"x"}`, `{"offset":3,"a":2,"b":"two\nlines"}`, `{"offset":4,"a":3,"b":"y"}`, `{"offset":8,"a":null,"b":null}`,
				`{"offset":9,"a":null,"b":null}`, `{"offset":10,"a":8,"b":"\""}`, `{"offset":12,"a":10,"b":"z"}`},
			[]string{`"reason":"blank: a value is one record of CSV"`, `"raw":"\r\n","meta":{"offset":2,`,
				`has more than one record: each is a value of its own; a line break within a field needs quotes around it`,
				`"reason":"field \"b\" has a quote that is not closed: \"open","node":"in","field":null,"expr":null,"raw":"6,\"open\n","meta":{"offset":6,`,
				`has 1 field, and columns names 2`, `field \"a\" is \"x\", wants int`}},
		"csv by its schema": {`csv, delimiter: ";", schema: {a: int, b: string}`, []string{"1;x", "2;y"},
			[]string{`{"offset":0,"a":1,"b":"x"}`, `{"offset":1,"a":2,"b":"y"}`}, nil},
		"text": {"text", []string{"one", "", "two\nlines\n", "\r\n", deleted, "a,\"b\r"},
			[]string{`{"offset":0,"message":"one"}`, `{"offset":1,"message":""}`, `{"offset":2,"message":"two\nlines\n"}`,
				`{"offset":3,"message":"\r\n"}`, `{"offset":4,"message":null}`, `{"offset":5,"message":"a,\"b\r"}`}, nil},
	} {
		t.Run(name, func(t *testing.T) {
			fields := "a, b"
			if c.format == "text" {
				fields = "message"
			}
			for size := 1; size <= len(c.values); size += len(c.values) - 1 {
				in, out := newTape("in", 1), newShelf("out")
				for chunk := range slices.Chunk(c.values, size) {
					var records []taped
					for _, v := range chunk {
						records = append(records, taped{value: v, at: 1000})
					}
					in.all[0].chunks <- records
				}
				in.all[0].stop()
				dirty := runRecords(t, "in: {type: tape, name: in, ends: true, format: "+c.format+"}",
					"{from: in, set: {offset: meta.offset}, select: [offset, "+fields+"]}", "{from: x, type: shelf, name: out}")
				if !slices.Equal(out.records, c.want) {
					t.Errorf("chunks of %d: %s\nwant %s", size, strings.Join(out.records, "\n"), strings.Join(c.want, "\n"))
				}
				if len(dirty) != len(c.dirty) {
					t.Fatalf("%d are dirty, want %d: %s", len(dirty), len(c.dirty), dirty)
				}
				for i, want := range c.dirty {
					if !strings.Contains(dirty[i], want) {
						t.Errorf("%s lacks %s", dirty[i], want)
					}
				}
			}
		})
	}
}

// runRecords runs a pipeline of a source, a transform x and a sink, and gives the dirty lines of the source.
func runRecords(t *testing.T, source, transform, sink string) (dirty []string) {
	t.Helper()
	p := newTrial(t, "sources:\n  "+source+"\ntransforms:\n  x: "+transform+"\nsinks:\n  out: "+sink+"\n  dirty: {from: in.dirty, type: stdout}\n", nil)
	stdout, report, err := p.run(t.Context(), Options{})
	if err != nil || report.Failed {
		t.Fatal(err)
	}
	if stdout == "" {
		return nil
	}
	return strings.Split(strings.TrimSuffix(stdout, "\n"), "\n")
}

// TestRecordsAsRead writes records on as they were read to a sink of their format: records that were late too. To a sink
// of lines JSON goes on one line.
func TestRecordsAsRead(t *testing.T) {
	for name, c := range map[string]struct {
		format, sink string
		values, want []string
	}{
		"json": {"json", "type: shelf, name: out",
			[]string{"{ \"k\":\n1.50,\t\"k\":\"a\" }", "{\"k\":\n2}\n"}, []string{"{ \"k\":\n1.50,\t\"k\":\"a\" }", "{\"k\":\n2}"}},
		"csv": {"csv, columns: [k, v]", "type: shelf, name: out, format: csv",
			[]string{"\"a\",\"two\nlines\"", "01, x \r\n", "b,\"\""}, []string{"\"a\",\"two\nlines\"", "01, x ", "b,\"\""}},
		"csv with another delimiter": {`csv, columns: [k, v], delimiter: ";"`, "type: shelf, name: out, format: csv",
			[]string{"a;x,y", "01;\"z\""}, []string{`a,"x,y"`, "01,z"}},
		"text as csv": {"text", "type: shelf, name: out, format: csv", []string{"two\nlines\n", "x", ""}, []string{"\"two\nlines\n\"", "x", `""`}},
	} {
		for _, late := range []bool{false, true} {
			in, out := newTape("in", 1), newShelf("out")
			first := taped{c.values[0], 1000, ""}
			var records []taped
			if late {
				first.at = 100_000_000
				records = append(records, first)
			}
			for _, v := range c.values {
				records = append(records, taped{v, 1000, ""})
			}
			in.all[0].chunks <- records
			in.all[0].stop()
			from, transform := "in", "{from: in}"
			if late {
				from, transform = "x.late", "{from: in, window: {tumbling: 1m}, aggregate: {n: count()}}"
			}
			dirty := runRecords(t, "in: {type: tape, name: in, ends: true, watermark: 0s, format: "+c.format+"}", transform, "{from: "+from+", "+c.sink+"}")
			if !slices.Equal(out.records, c.want) || len(dirty) > 0 {
				t.Errorf("%s, late %v: %q, want %q; dirty %s", name, late, out.records, c.want, dirty)
			}
		}
	}
	in := newTape("in", 1)
	in.all[0].chunks <- []taped{{"{\"k\":\n1}", 1000, ""}}
	in.all[0].stop()
	p := newTrial(t, "sources: {in: {type: tape, name: in, ends: true}}\nsinks: {out: {from: in, type: stdout}}\n", nil)
	if stdout, _, err := p.run(t.Context(), Options{}); err != nil || stdout != "{\"k\": 1}\n" {
		t.Errorf("%q, %v", stdout, err)
	}
}

// TestRecordsAsCSV writes rows as CSV, and shows rows that can't be written as objects.
func TestRecordsAsCSV(t *testing.T) {
	in, out := newTape("in", 1), newShelf("out")
	in.all[0].chunks <- []taped{{`{"k":"a","v":"x,y"}`, 1000, ""}, {`{"k":null,"v":"z"}`, 1000, ""}, {`{"k":"","v":null}`, 1000, ""}}
	in.all[0].stop()
	p := newTrial(t, `
sources:
  in: {type: tape, name: in, ends: true, schema: {k: "string|null", v: "string|null"}}
sinks:
  out: {from: in, type: shelf, name: out, format: csv, mode: upsert, key: [k]}
  dirty: {from: out.dirty, type: stdout}
`, nil)
	stdout, _, err := p.run(t.Context(), Options{})
	if want := []string{`{"k":"a"}=a,"x,y"`, `{"k":""}="",`}; err != nil || !slices.Equal(out.records, want) {
		t.Errorf("%q, %v", out.records, err)
	}
	if !strings.Contains(stdout, `"reason":"the key is null","node":"out","field":null,"expr":null,"raw":{"k":null,"v":"z"}`) {
		t.Error(stdout)
	}
}
