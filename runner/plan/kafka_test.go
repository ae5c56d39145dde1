package plan

import (
	"context"
	"errors"

	"tidemark/io/connector"
	"tidemark/spec"
)

// The tests know Kafka by the options alone: a plan is made without a broker.
func init() {
	if _, ok := connector.Lookup(connector.SourceRole, "kafka"); ok {
		return
	}
	connector.Register(connector.Kind{Name: "kafka", Role: connector.SourceRole, Doc: "reads topics", Formats: []string{"json"}, New: func() any { return &kafkaSource{} }})
	connector.Register(connector.Kind{Name: "kafka", Role: connector.SinkRole, Doc: "writes a topic", Records: true, Formats: []string{"json"}, New: func() any { return &kafkaSink{} }})
}

type kafkaSource struct {
	Brokers    []string   `spec:"brokers,required"`
	Topics     []string   `spec:"topics,exclusive=topics"`
	Topic      string     `spec:"topic,exclusive=topics"`
	Pattern    string     `spec:"pattern,exclusive=topics"`
	Group      string     `spec:"group"`
	Start      *spec.Node `spec:"start"`
	Stop       *spec.Node `spec:"stop"`
	Isolation  string     `spec:"isolation"`
	OutOfRange string     `spec:"on_offset_out_of_range"`
	TLS        *spec.Node `spec:"tls"`
	SASL       *spec.Node `spec:"sasl"`
	Discover   int64      `spec:"discover,duration"`
	Tombstones string     `spec:"tombstones"`
}

func (o *kafkaSource) Validate() []connector.Problem { return nil }

func (o *kafkaSource) Bounded() bool { return o.Stop != nil && o.Stop.Text != "never" }

func (o *kafkaSource) Facts() []string {
	return []string{"topic", "partition", "offset", "key", "headers.", "timestamp", "timestamp_type"}
}

func (o *kafkaSource) TimeFact() string { return "timestamp" }

func (o *kafkaSource) OpenRecords(context.Context, connector.Environment, []string) (connector.RecordReader, error) {
	return nil, errors.ErrUnsupported
}

type kafkaSink struct {
	Brokers            []string   `spec:"brokers,required"`
	Topic              string     `spec:"topic,required"`
	Delivery           string     `spec:"delivery"`
	Compression        string     `spec:"compression"`
	TLS                *spec.Node `spec:"tls"`
	SASL               *spec.Node `spec:"sasl"`
	TransactionTimeout int64      `spec:"transaction_timeout,duration"`
}

func (o *kafkaSink) Validate() []connector.Problem { return nil }

func (o *kafkaSink) Check(connector.Environment) error { return nil }

func (o *kafkaSink) Open(context.Context, connector.Environment) (connector.Output, error) {
	return nil, errors.ErrUnsupported
}
