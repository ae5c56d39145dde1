package all

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"tidemark/io/connector"
	"tidemark/io/fileio"
	"tidemark/io/kafkaio"
	"tidemark/spec"
)

// decode decodes the options of the only source or sink as a pipeline file gives them.
func decode(role connector.Role, text string) (any, error) {
	file, faults := spec.Parse("p.yaml", []byte(text), spec.Options{NoEnv: true})
	if file == nil {
		return nil, faults
	}
	blocks := file.Sources
	if role == connector.SinkRole {
		blocks = file.Sinks
	}
	k, _ := connector.Lookup(role, blocks[0].Type)
	options := k.New()
	wrong := spec.Decode(blocks[0].Node, options, spec.DecodeOptions{What: k.Name + " " + string(role), Ignore: []string{"type", "from", "format"}})
	if len(wrong) > 0 {
		return options, wrong
	}
	return options, nil
}

func TestFileOptions(t *testing.T) {
	o, err := decode(connector.SourceRole, "sources:\n  s: {type: file, path: a.jsonl, max_line: 1MiB}\n")
	if in := o.(*fileio.SourceOptions); err != nil || in.MaxLine != 1<<20 || strings.Join(in.Path, " ") != "a.jsonl" || in.Compression != "auto" {
		t.Errorf("%+v, %v", in, err)
	}
	o, err = decode(connector.SinkRole, "sinks:\n  s: {from: a, type: file, path: b, overwrite: true, roll: {size: 1kB, every: 2s}}\n")
	if out := o.(*fileio.SinkOptions); err != nil || !out.Overwrite || out.Roll.Size != 1000 || out.Roll.Every != 2000 {
		t.Errorf("%+v, %v", out, err)
	}
	if _, err = decode(connector.SourceRole, "sources:\n  s: {type: file, path: a, max_line: 5}\n"); err == nil {
		t.Error("max_line: 5 was taken for a size")
	}
}

// TestKafkaSinkOptions decodes the options of the Kafka sink, with the forms that tls and brokers may have.
func TestKafkaSinkOptions(t *testing.T) {
	for text, want := range map[string]string{
		"brokers: a:1, topic: t":                   "[a:1] t at_least_once snappy 2m0s 15m0s <nil> <nil>",
		"brokers: [a:1, b:2], topic: t, tls: true": "[a:1 b:2] t at_least_once snappy 2m0s 15m0s &{  } <nil>",
		"brokers: a, topic: t, tls: {ca: ca.pem}, sasl: {mechanism: plain, user: u, password: p}":            "[a] t at_least_once snappy 2m0s 15m0s &{ca.pem  } plain as u",
		"brokers: a, topic: t, delivery: exactly_once, compression: zstd, delivery_timeout: 30s, tls: false": "[a] t exactly_once zstd 30s 15m0s <nil> <nil>",
		"brokers: a, topic: t, delivery: exactly":                                                            "TM006",
		"brokers: a, topic: t, sasl: {mechanism: plain}":                                                     "TM005",
		"brokers: a, topic: t, transaction_timeout: 0s":                                                      "TM006",
	} {
		n, faults := spec.ParseNode("p.yaml", []byte("{"+text+"}"), spec.Options{NoEnv: true})
		k, _ := connector.Lookup(connector.SinkRole, "kafka")
		o := k.New().(*kafkaio.SinkOptions)
		faults = append(faults, spec.Decode(n, o, spec.DecodeOptions{What: "sink"})...)
		got := fmt.Sprintf("%s %s %s %s %s %s %v %v", o.Brokers, o.Topic, o.Delivery, o.Compression,
			time.Duration(o.DeliveryTimeout)*time.Millisecond, time.Duration(o.TransactionTimeout)*time.Millisecond, o.TLS, o.SASL)
		if len(faults) > 0 {
			got = faults[0].Rule
		}
		if got != want {
			t.Errorf("%s: %s, want %s", text, got, want)
		}
	}
}

// TestKafkaSourceOptions decodes the options of the Kafka source, with all the forms that they may have.
func TestKafkaSourceOptions(t *testing.T) {
	for text, want := range map[string]func(o *kafkaio.SourceOptions) bool{
		"brokers: 'a, b:9093', topic: t": func(o *kafkaio.SourceOptions) bool {
			return o.Topic == "t" && o.Start == nil && o.Stop == nil && !o.Bounded() && o.Isolation == "read_committed" && o.OnOutOfRange == "fail" && o.Discover == 30_000
		},
		"brokers: [a, b], topics: [t, u], start: latest, stop: latest, discover: 2m": func(o *kafkaio.SourceOptions) bool {
			return len(o.Brokers) == 2 && len(o.Topics) == 2 && o.Start.At == "latest" && o.Bounded() && o.Discover == 120_000
		},
		"brokers: a, topic: t, start: {timestamp: 2024-01-02T03:04:05Z}, stop: {timestamp: 1704167206500}": func(o *kafkaio.SourceOptions) bool {
			return o.Start.Timestamp == "2024-01-02T03:04:05Z" && o.Stop.Timestamp == "1704167206500"
		},
		"brokers: a, topic: t, start: {offsets: {0: 12, 3: 1}}, stop: {offsets: {0: 90, 3: 2}}": func(o *kafkaio.SourceOptions) bool {
			return o.Start.Offsets[3] == 1 && o.Stop.Offsets[0] == 90
		},
		"brokers: a, pattern: 'o.*', group: g, start: {at: earliest, force: true}, stop: never": func(o *kafkaio.SourceOptions) bool {
			return o.Pattern == "o.*" && o.Start.At == "earliest" && o.Start.Force && !o.Bounded()
		},
		"brokers: a, topic: t, tls: true, sasl: {mechanism: plain, user: u, password: p}": func(o *kafkaio.SourceOptions) bool {
			return o.TLS != nil && o.SASL.User == "u"
		},
		"brokers: a, topic: t, tls: {ca: x.pem, cert: c.pem, key: k.pem}": func(o *kafkaio.SourceOptions) bool {
			return o.TLS.CA == "x.pem"
		},
	} {
		o, err := decode(connector.SourceRole, "sources:\n  s: {type: kafka, "+text+"}\n")
		if in := o.(*kafkaio.SourceOptions); err != nil || !want(in) || len(in.Validate()) > 0 {
			t.Errorf("%s: %+v, %v, %v", text, in, err, in.Validate())
		}
	}
	for text, want := range map[string]string{
		"brokers: a":                                      `kafka source needs "topics"`,
		"brokers: a, topic: t, pattern: p":                "topic and pattern cannot both be given",
		"brokers: a, topic: t, start: soon":               `"start" wants earliest or latest`,
		"brokers: a, topic: t, isolation: committed":      `"isolation" wants read_committed or read_uncommitted`,
		"brokers: a, topic: t, discover: 0s":              `"discover" wants more than 0`,
		"bootstrap_servers: a, topic: t":                  "did you mean brokers?",
		"brokers: a, topic: t, auto_offset_reset: latest": "did you mean start?",
		"brokers: a, topic: t, sasl: {user: u}":           `"sasl" needs "mechanism"`,
	} {
		_, err := decode(connector.SourceRole, "sources:\n  s: {type: kafka, "+text+"}\n")
		var faults spec.Diagnostics
		if !errors.As(err, &faults) || !strings.Contains(faults[0].Message+" "+faults[0].Hint, want) {
			t.Errorf("%s: %v, want %q", text, err, want)
		}
	}
}
