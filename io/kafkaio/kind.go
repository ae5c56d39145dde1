package kafkaio

import "tidemark/io/connector"

func init() {
	connector.Register(connector.Kind{
		Name: "kafka", Role: connector.SourceRole, Doc: "reads records of Kafka topics, each partition in its order",
		Formats: []string{"json", "csv", "text"}, New: func() any { return newSource() },
	})
	connector.Register(connector.Kind{
		Name: "kafka", Role: connector.SinkRole, Doc: "writes to a topic, each record once whatever goes wrong with the brokers",
		Formats: []string{"json", "csv"}, Records: true, New: func() any { return newSinkOptions() },
	})
}
