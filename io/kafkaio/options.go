package kafkaio

import (
	"tidemark/io/connector"
)

func init() {
	connector.Register(connector.Kind{
		Name: "kafka", Role: connector.SourceRole,
		Doc:     "reads records of Kafka topics, each partition in its order",
		Formats: []string{"json"},
		New:     func() any { return newSource() },
	})
}

// SourceOptions are those of a Kafka source.
type SourceOptions struct {
	Brokers []string `spec:"brokers,required" example:"brokers: localhost:9092" doc:"addresses of brokers to begin with, host:port, with commas or as a list"`
	Topic   string   `spec:"topic,exclusive=topics" example:"topic: orders" doc:"the topic to read"`
	Topics  []string `spec:"topics,exclusive=topics,required" example:"topics: [NAME]" doc:"the topics to read"`
	Pattern string   `spec:"pattern,exclusive=topics" example:"pattern: orders_.*" doc:"a regular expression for the whole names of topics, also of those that come later"`

	Group     string `spec:"group" doc:"the group whose committed offsets say where to begin, and that is told how far the source was read"`
	Start     *Start `spec:"start" example:"start: earliest" doc:"where to begin in partitions for which the group has committed no offset"`
	Stop      *Stop  `spec:"stop" example:"stop: latest" doc:"where to end: never, at what there is when the run begins, at a time, or at offsets"`
	Isolation string `spec:"isolation,values=read_committed|read_uncommitted" doc:"whether records of transactions that are open or were rolled back are left out"`

	OnOutOfRange string `spec:"on_offset_out_of_range,values=fail|earliest|latest" doc:"what to do where records that are wanted do not exist any more: fail, or go on at the earliest or latest ones"`
	Tombstones   string `spec:"tombstones,values=skip|keep" doc:"whether records without a value are left out or are records without fields"`
	Discover     int64  `spec:"discover,duration,positive" doc:"how often to look for new partitions and topics"`

	TLS  *TLS  `spec:"tls" example:"tls: true" doc:"speak TLS: true, or with files of our own"`
	SASL *SASL `spec:"sasl" example:"sasl: {mechanism: scram-sha-512, user: NAME, password: '${KAFKA_PASSWORD}'}" doc:"how to log in"`

	pace pace
}

// Start says where to begin.
type Start struct {
	At        string          `spec:"at,short,exclusive=position,values=earliest|latest" doc:"earliest: at the first record there is; latest: behind the last one"`
	Timestamp string          `spec:"timestamp,exclusive=position" example:"timestamp: 2024-01-01T00:00:00Z" doc:"at the first record that is not older, RFC 3339 or milliseconds since 1970"`
	Offsets   map[int32]int64 `spec:"offsets,exclusive=position" example:"offsets: {0: 12}" doc:"an offset by number of partition; others begin at earliest"`
	Force     bool            `spec:"force" doc:"begin there even if the group has committed offsets"`
}

// Stop says where to end.
type Stop struct {
	At        string          `spec:"at,short,exclusive=position,values=never|latest" doc:"never; latest: behind the last record when the run begins"`
	Timestamp string          `spec:"timestamp,exclusive=position" example:"timestamp: 2024-01-01T00:00:00Z" doc:"before the first record that is not older, RFC 3339 or milliseconds since 1970"`
	Offsets   map[int32]int64 `spec:"offsets,exclusive=position" example:"offsets: {0: 12}" doc:"the offset of each partition before which to end"`
}

// newSource gives the defaults.
func newSource() *SourceOptions {
	return &SourceOptions{Isolation: "read_committed", OnOutOfRange: "fail", Tombstones: "skip", Discover: 30_000}
}

// Bounded implements [connector.RecordSource].
func (o *SourceOptions) Bounded() bool {
	return o.Stop != nil && (o.Stop.At == "latest" || o.Stop.Timestamp != "" || o.Stop.Offsets != nil)
}

// Facts implements [connector.RecordSource].
func (o *SourceOptions) Facts() []string {
	return []string{"topic", "partition", "offset", "key", "headers.", "timestamp", "timestamp_type"}
}

// TimeFact implements [connector.RecordSource].
func (o *SourceOptions) TimeFact() string { return "timestamp" }

// committed reports whether only what was committed is read.
func (o *SourceOptions) committed() bool { return o.Isolation != "read_uncommitted" }

// survives reports whether the reading goes on where offsets do not exist any more.
func (o *SourceOptions) survives() bool {
	return o.OnOutOfRange == "earliest" || o.OnOutOfRange == "latest"
}

// start gives where to begin, the default where nothing is said.
func (o *SourceOptions) start() Start {
	if o.Start == nil {
		return Start{}
	}
	return *o.Start
}

var _ connector.RecordSource = (*SourceOptions)(nil)
