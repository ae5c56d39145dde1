package watermark

import (
	"strings"
	"testing"
	"time"

	"tidemark/operators/zone"
	"tidemark/stream"
)

func textColumn(texts ...string) *stream.Column {
	c := new(stream.Column)
	c.Reset(stream.String, len(texts))
	for i, s := range texts {
		c.SetString(i, s)
	}
	return c
}

func at(t *testing.T, rfc string) stream.Time {
	t.Helper()
	v, err := time.Parse(time.RFC3339Nano, rfc)
	if err != nil {
		t.Fatal(err)
	}
	return stream.Time(v.UnixMilli())
}

func TestText(t *testing.T) {
	for text, want := range map[string]string{
		"2024-05-01T10:00:00Z":           "2024-05-01T10:00:00Z",
		"2024-05-01T12:00:00+02:00":      "2024-05-01T10:00:00Z",
		"2024-05-01T10:00:00.5Z":         "2024-05-01T10:00:00.5Z",
		"2024-05-01T10:00:00.123456789Z": "2024-05-01T10:00:00.123Z",
		"1969-12-31T23:59:59.9999Z":      "1969-12-31T23:59:59.999Z",
		"2024-05-01T05:30:00-04:30":      "2024-05-01T10:00:00Z",
		"2024-05-01T10:00:00-00:00":      "2024-05-01T10:00:00Z",
		"2024-05-01 10:00:00Z":           "2024-05-01T10:00:00Z",
		"2024-05-01t10:00:00z":           "2024-05-01T10:00:00Z",
		"2024-05-01T10:00:00":            "2024-05-01T10:00:00Z",
		"2024-05-01 10:00:00.25":         "2024-05-01T10:00:00.25Z",
		"0001-01-01T00:00:00Z":           "0001-01-01T00:00:00Z",
		"9999-12-31T23:59:59.999Z":       "9999-12-31T23:59:59.999Z",
		"2024-02-29T00:00:00Z":           "2024-02-29T00:00:00Z",
	} {
		times := make([]stream.Time, 1)
		failures, fatal := NewExtractor(NoUnit, nil).Extract(textColumn(text), nil, times)
		if len(failures) > 0 || fatal != nil || times[0] != at(t, want) {
			t.Errorf("%s: %v %v %v, want %s", text, times[0], failures, fatal, want)
		}
	}
	bad := []string{"2024-02-30T00:00:00Z", "2023-02-29T00:00:00Z", "2024-05-01T24:00:00Z", "2024-05-01T23:59:60Z",
		"2024-05-01T10:00:00+25:00", "2024-05-01T10:00:00+05:60", "01.05.2024 10:00", "2024-13-01T00:00:00Z", "",
		"yesterday", "2024-05-01", "2024-5-1T10:00:00Z", "2024-05-01T10:00:00+0200", "2024-05-01T10:00:00,5Z",
		"2024-05-01T10:00:00.Z", "0000-01-01T00:00:00Z", "2024-00-01T00:00:00Z", "2024-01-00T00:00:00Z",
		"2024-05-01T10:60:00Z", "2024-05-01T10:00:0:Z", "2024-05-01T1/:00:00Z", "2024-05-01T10:00:00ZZ",
		"2024-05-01  10:00:00Z", " 2024-05-01T10:00:00Z", "9999-12-31T23:59:59-01:00", "0001-01-01T00:00:00+01:00",
		"1714557600", strings.Repeat("x", 1000), "2024\x0005-01T10:00:00Z", "2024-05-01T10:00:00é"}
	times := make([]stream.Time, len(bad))
	failures, fatal := NewExtractor(NoUnit, nil).Extract(textColumn(bad...), nil, times)
	if fatal != nil || len(failures) != len(bad) {
		t.Errorf("%d of %d are refused: %v %v", len(failures), len(bad), failures, fatal)
	}
}

func TestZone(t *testing.T) {
	berlin, err := zone.Load("Europe/Berlin")
	if err != nil {
		t.Fatal(err)
	}
	times := make([]stream.Time, 3)
	texts := textColumn("2024-05-01T12:00:00", "2024-01-01 12:00:00.125", "2024-05-01T12:00:00Z")
	if failures, _ := NewExtractor(NoUnit, berlin).Extract(texts, nil, times); failures != nil {
		t.Fatal(failures)
	}
	for i, want := range []string{"2024-05-01T10:00:00Z", "2024-01-01T11:00:00.125Z", "2024-05-01T12:00:00Z"} {
		if times[i] != at(t, want) {
			t.Errorf("%v, want %s", times[i], want)
		}
	}
}

func TestNumbers(t *testing.T) {
	for _, c := range []struct {
		unit  Unit
		value any
		want  stream.Time
	}{
		{Seconds, int64(1714557600), 1714557600000},
		{Seconds, 1714557600.0, 1714557600000},
		{Seconds, 1714557600.1239, 1714557600123},
		{Seconds, 1.001, 1001},
		{Seconds, 4.035, 4035},
		{Seconds, -0.0001, -1},
		{Seconds, -1.5, -1500},
		{Seconds, int64(-62135596800), stream.FirstTime},
		{Millis, int64(-1), -1},
		{Millis, -0.5, -1},
		{Millis, 1714557600000.9, 1714557600000},
		{Micros, int64(-1), -1},
		{Micros, int64(1714557600000999), 1714557600000},
		{Micros, -1.0, -1},
		{Nanos, int64(1714557600000999999), 1714557600000},
		{Nanos, int64(-1), -1},
		{Seconds, "1714557600", 1714557600000},
		{Seconds, "1714557600.1239", 1714557600123},
		{Seconds, "-0.0001", -1},
		{Seconds, "+1.5", 1500},
		{Seconds, "1.7145576e9", 1714557600000},
		{Millis, "-1.5", -2},
		{Nanos, "1714557600000999999", 1714557600000},
		{Seconds, "2024", 2024000},
		{Seconds, "2024-05-01T10:00:00Z", 1714557600000},
		{Millis, time.UnixMilli(-1).Add(500 * time.Microsecond), -1},
	} {
		column := new(stream.Column)
		column.Reset(stream.Any, 1)
		column.Boxed[0] = c.value
		times := make([]stream.Time, 1)
		failures, fatal := NewExtractor(c.unit, nil).Extract(column, nil, times)
		if len(failures) > 0 || fatal != nil || times[0] != c.want {
			t.Errorf("%v %v: %d %v %v, want %d", c.value, c.unit, times[0], failures, fatal, c.want)
		}
	}
}

func TestReasons(t *testing.T) {
	column := new(stream.Column)
	column.Reset(stream.Int, 10)
	column.Ints[0] = 1714557600000
	column.SetTag(1, stream.TagNull)
	column.SetTag(2, stream.TagMissing)
	column.SetBoxed(3, stream.TagOther, "")
	column.SetBoxed(4, stream.TagOther, true)
	column.SetBoxed(5, stream.TagOther, map[string]any{"sec": int64(1)})
	column.SetBoxed(6, stream.TagOther, []any{})
	column.Ints[7] = 638501616000000000
	column.SetTag(8, stream.TagParentNil)
	column.Ints[9] = 1714557600000000
	times := make([]stream.Time, 10)
	failures, _ := NewExtractor(Millis, nil).Extract(column, []int32{0, 1, 2, 3, 4, 5, 6, 7, 8, 9}, times)
	want := []string{"", "null", "missing", `not a date: ""`, "not a date: true", "an object", "a list",
		"looks like ticks of .NET: (x - 621355968000000000) / 10000 gives ms", "missing", "unit: us would fit"}
	if len(failures) != 9 {
		t.Fatal(failures)
	}
	for i, f := range failures {
		if f.Row != int32(i+1) || !strings.Contains(f.Reason, want[i+1]) {
			t.Errorf("row %d: %s, want %s", f.Row, f.Reason, want[i+1])
		}
	}
}

func TestNoUnit(t *testing.T) {
	for v, want := range map[int64]string{
		1714557600:          "the timestamp 1714557600 is a number without a unit; unit: s fits (it gives 2024-05-01T10:00:00Z)",
		1714557600000:       "unit: ms fits",
		1714557600000000:    "unit: us fits",
		1714557600000000000: "unit: ns fits",
		7:                   "give its unit",
	} {
		column := new(stream.Column)
		column.Reset(stream.Int, 2)
		column.Ints[0], column.Ints[1] = v, 5
		_, fatal := NewExtractor(NoUnit, nil).Extract(column, nil, make([]stream.Time, 2))
		if fatal == nil || fatal.Row != 0 || !strings.Contains(fatal.Error(), want) {
			t.Errorf("%d: %v, want %s", v, fatal, want)
		}
	}
}

func TestSuspect(t *testing.T) {
	for _, c := range []struct {
		times   []stream.Time
		read    Unit
		fits    Unit
		suspect bool
	}{
		{[]stream.Time{1714557600, 1714557660}, Millis, Seconds, true},
		{[]stream.Time{1714557, 1714558}, Micros, Seconds, true},
		{[]stream.Time{1714557600, 1714557600000}, Millis, NoUnit, false},
		{[]stream.Time{5}, Millis, NoUnit, true},
		{[]stream.Time{5}, NoUnit, NoUnit, true},
		{nil, Millis, NoUnit, false},
	} {
		if fits, suspect := Suspect(c.times, c.read); fits != c.fits || suspect != c.suspect {
			t.Errorf("%v read as %v: %v %v", c.times, c.read, fits, suspect)
		}
	}
}

// FuzzText compares with the standard library, which knows less forms and allows a few more.
func FuzzText(f *testing.F) {
	f.Add("2024-05-01T10:00:00.123+02:00")
	f.Add("2024-02-30T10:00:00Z")
	f.Add("2024-05-01T10:00:00.123+02:60")
	f.Fuzz(func(t *testing.T, text string) {
		var d dayCache
		got, ok := d.parse([]byte(text), time.UTC)
		want, err := time.Parse(time.RFC3339Nano, text)
		switch {
		case ok && err == nil && int64(got) != want.UnixMilli():
			t.Errorf("%q: %v, want %v", text, got, want)
		case !ok && err == nil && text[13] == ':' && !strings.Contains(text, ",") && text[:4] != "0000":
			// time.Parse lets a zone have 60 minutes and 24 hours, RFC 3339 does not.
			if _, off := want.Zone(); off > -24*3600 && off < 24*3600 && !strings.HasSuffix(text, ":60") {
				t.Errorf("%q is refused, means %v", text, want)
			}
		case ok && err != nil && len(text) >= 20 && text[10] == 'T' && strings.HasSuffix(text, "Z"):
			t.Errorf("%q is %v, want %v", text, got, err)
		}
	})
}

func BenchmarkExtract(b *testing.B) {
	const n = 4096
	ints, texts := new(stream.Column), new(stream.Column)
	ints.Reset(stream.Int, n)
	texts.Reset(stream.String, n)
	for i := range n {
		ints.Ints[i] = 1714557600000 + int64(i)*37
		texts.SetBytes(i, stream.Time(ints.Ints[i]).Append(nil))
	}
	times := make([]stream.Time, n)
	for name, c := range map[string]*stream.Column{"ints": ints, "texts": texts} {
		b.Run(name, func(b *testing.B) {
			e := NewExtractor(Millis, nil)
			b.ReportAllocs()
			for range b.N {
				e.Extract(c, nil, times)
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/n, "ns/row")
		})
	}
}
