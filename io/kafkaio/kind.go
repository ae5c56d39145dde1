package kafkaio

import "tidemark/io/connector"

func init() {
	connector.Register(connector.Kind{
		Name: "kafka", Role: connector.SourceRole, Doc: "reads topics of a Kafka cluster",
		Formats: []string{"json", "csv", "text"}, New: func() any { return newSource() },
	})
	connector.Register(connector.Kind{
		Name: "kafka", Role: connector.SinkRole, Doc: "writes to a topic of a Kafka cluster",
		Formats: []string{"json"}, Records: true, New: func() any { return newSinkOptions() },
	})
}
