package kafkaio

import (
	"fmt"
	"strings"
	"testing"
)

func TestValidate(t *testing.T) {
	at := map[int32]int64{0: 1}
	for name, k := range map[string]struct {
		edit func(o *SourceOptions)
		want string // option: message [hint]; empty for no problem
	}{
		"fine":          {func(o *SourceOptions) {}, ""},
		"list":          {func(o *SourceOptions) { o.Topic, o.Topics = "", []string{"a.b_c-d", "e"} }, ""},
		"pattern":       {func(o *SourceOptions) { o.Topic, o.Pattern = "", "a.*" }, ""},
		"ports":         {func(o *SourceOptions) { o.Brokers = []string{"a, b:9093", "[::1]"} }, ""},
		"no brokers":    {func(o *SourceOptions) { o.Brokers = []string{" , "} }, "brokers: brokers: an address is needed"},
		"a URL":         {func(o *SourceOptions) { o.Brokers = []string{"kafka://a:9092"} }, `brokers: brokers: "kafka://a:9092" is not host:port`},
		"no topic":      {func(o *SourceOptions) { o.Topic = "" }, "topics: no topic is given"},
		"a glob":        {func(o *SourceOptions) { o.Topic = "a*" }, `topic: "a*" can't be the name of a topic [names have letters, digits, '.', '_' and '-'; for several topics write pattern: 'orders_.*']`},
		"twice":         {func(o *SourceOptions) { o.Topic, o.Topics = "", []string{"a", "b", "a"} }, `topics: topic "a" is given twice`},
		"bad pattern":   {func(o *SourceOptions) { o.Topic, o.Pattern = "", "a(" }, `pattern: pattern "a(" is not a regular expression`},
		"cert alone":    {func(o *SourceOptions) { o.TLS = &TLS{Cert: "c.pem"} }, "tls.cert: tls has cert but no key"},
		"key alone":     {func(o *SourceOptions) { o.TLS = &TLS{Key: "c.pem"} }, "tls.key: tls has key but no cert"},
		"no such files": {func(o *SourceOptions) { o.TLS = &TLS{CA: "/a", Cert: "/b", Key: "/c"} }, ""},
		"no user":       {func(o *SourceOptions) { o.SASL = &SASL{Mechanism: "plain", Password: "hidden"} }, "sasl: sasl.user: a name is needed"},
		"time":          {func(o *SourceOptions) { o.Start = &Start{Timestamp: "yesterday"} }, `start.timestamp: "yesterday" is no time [write RFC 3339`},
		"seconds":       {func(o *SourceOptions) { o.Start = &Start{Timestamp: "1704067200"} }, "start.timestamp: 1704067200 milliseconds since 1970 are in 1970 [if these are seconds, write 1704067200000"},
		"microseconds":  {func(o *SourceOptions) { o.Stop = &Stop{Timestamp: "1704067200000000"} }, "stop.timestamp: 1704067200000000 is no time in milliseconds"},
		"negative":      {func(o *SourceOptions) { o.Stop = &Stop{Timestamp: "-5"} }, "stop.timestamp: a timestamp can't be less than 0"},
		"old":           {func(o *SourceOptions) { o.Stop = &Stop{Timestamp: "1950-01-01"} }, "stop.timestamp: a timestamp can't be before 1970"},
		"crossed": {func(o *SourceOptions) {
			o.Start, o.Stop = &Start{Timestamp: "2024-01-02"}, &Stop{Timestamp: "2024-01-01"}
		}, "stop.timestamp: stop is before start"},
		"in order": {func(o *SourceOptions) {
			o.Start, o.Stop = &Start{Timestamp: "2024-01-02"}, &Stop{Timestamp: "2024-01-02 01:00:00Z"}
		}, ""},
		"offsets of many": {func(o *SourceOptions) { o.Topic, o.Topics, o.Start = "", []string{"a", "b"}, &Start{Offsets: at} }, "start.offsets: offsets are of the partitions of one topic"},
		"offsets of all":  {func(o *SourceOptions) { o.Topic, o.Pattern, o.Stop = "", "a.*", &Stop{Offsets: at} }, "stop.offsets: offsets are of the partitions of one topic"},
		"bad offset":      {func(o *SourceOptions) { o.Stop = &Stop{Offsets: map[int32]int64{0: -2}} }, "stop.offsets: 0: -2 is less than 0"},
	} {
		o := newSource()
		o.Brokers, o.Topic = []string{"localhost"}, "orders"
		k.edit(o)
		var found []string
		for _, p := range o.Validate() {
			found = append(found, fmt.Sprintf("%s: %s [%s]", p.Option, p.Message, p.Hint))
		}
		if text := strings.Join(found, "\n"); (text == "") != (k.want == "") || !strings.HasPrefix(text, k.want) || len(found) > 1 || strings.Contains(text, "hidden") {
			t.Errorf("%s: %q, want %q", name, text, k.want)
		}
	}
}

func TestBounded(t *testing.T) {
	for want, stops := range map[bool][]*Stop{
		false: {nil, {}, {At: "never"}},
		true:  {{At: "latest"}, {Timestamp: "2024-01-01"}, {Offsets: map[int32]int64{0: 0}}},
	} {
		for _, stop := range stops {
			o := newSource()
			if o.Stop = stop; o.Bounded() != want {
				t.Errorf("%+v: %v", stop, !want)
			}
		}
	}
}

func TestNear(t *testing.T) {
	for text, want := range map[string]int{"orders ordres": 2, "a a": 0, "ab ": 2, "kitten sitting": 3} {
		a, b, _ := strings.Cut(text, " ")
		if got := editDistance(a, b); got != want || editDistance(b, a) != want {
			t.Errorf("%s: %d, want %d", text, got, want)
		}
	}
}
