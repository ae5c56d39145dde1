package all

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"tidemark/io/connector"
	"tidemark/io/fileio"
	"tidemark/io/kafkaio"
	"tidemark/spec"
)

// TestKafkaOptionsDecode decodes the options of the Kafka sink, with the forms that tls and brokers may have.
func TestKafkaOptionsDecode(t *testing.T) {
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

// TestOptionsDecode decodes the options of the file kinds as a pipeline file gives them.
func TestOptionsDecode(t *testing.T) {
	decode := func(role connector.Role, text string) (any, error) {
		file, faults := spec.Parse("p.yaml", []byte(text), spec.Options{NoEnv: true})
		if file == nil {
			return nil, faults
		}
		k, _ := connector.Lookup(role, "file")
		options, blocks := k.New(), file.Sources
		if role == connector.SinkRole {
			blocks = file.Sinks
		}
		wrong := spec.Decode(blocks[0].Node, options, spec.DecodeOptions{What: "file", Ignore: []string{"type", "from"}})
		if len(wrong) > 0 {
			return options, wrong
		}
		return options, nil
	}
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
