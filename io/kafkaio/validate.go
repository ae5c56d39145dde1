package kafkaio

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"tidemark/io/connector"
	"tidemark/io/kafkaio/internal/client"
)

// Validate implements [connector.RecordSource].
func (o *SourceOptions) Validate() []connector.Problem {
	found := validateBrokers(o.Brokers)
	found = append(found, o.validateTopics()...)
	found = append(found, o.TLS.validate()...)
	found = append(found, o.SASL.validate()...)
	start, stop := o.start(), Stop{}
	if o.Stop != nil {
		stop = *o.Stop
	}
	begin, wrong := validateTimestamp("start.timestamp", start.Timestamp)
	found = append(found, wrong...)
	end, wrong := validateTimestamp("stop.timestamp", stop.Timestamp)
	found = append(found, wrong...)
	if begin > end && start.Timestamp != "" && stop.Timestamp != "" && len(wrong) == 0 {
		found = append(found, connector.Problem{Option: "stop.timestamp", Message: "stop is before start: nothing would be read",
			Hint: "stop at a time after start"})
	}
	found = append(found, o.validateOffsets("start.offsets", start.Offsets)...)
	return append(found, o.validateOffsets("stop.offsets", stop.Offsets)...)
}

// topicName is what the name of a topic may be.
var topicName = regexp.MustCompile(`^[A-Za-z0-9._-]{1,249}$`)

func (o *SourceOptions) validateTopics() (found []connector.Problem) {
	if o.Pattern != "" {
		if _, err := client.Pattern(o.Pattern); err != nil {
			found = append(found, connector.Problem{Option: "pattern", Message: err.Error(), Hint: "write one such as orders_.*"})
		}
		return found
	}
	option := "topics"
	if o.Topic != "" {
		option = "topic"
	}
	names := o.names()
	for i, name := range names {
		switch {
		case !topicName.MatchString(name) || name == "." || name == "..":
			hint := "names have letters, digits, '.', '_' and '-'"
			if strings.ContainsAny(name, "*[(|") {
				hint += "; for several topics write pattern: 'orders_.*'"
			}
			found = append(found, connector.Problem{Option: option, Message: fmt.Sprintf("%q can't be the name of a topic", name), Hint: hint})
		case slices.Index(names, name) < i:
			found = append(found, connector.Problem{Option: option, Message: fmt.Sprintf("topic %q is given twice", name), Hint: "drop one of them"})
		}
	}
	if len(names) == 0 {
		found = append(found, connector.Problem{Option: option, Message: "no topic is given", Hint: "write topics: [NAME]"})
	}
	return found
}

// names gives the topics by name.
func (o *SourceOptions) names() []string {
	if o.Topic != "" {
		return []string{o.Topic}
	}
	return o.Topics
}

func (o *SourceOptions) validateOffsets(option string, offsets map[int32]int64) (found []connector.Problem) {
	if offsets != nil && len(o.names()) != 1 {
		found = append(found, connector.Problem{Option: option, Message: "offsets are of the partitions of one topic, but several topics are read",
			Hint: "read each topic by a source of its own, or give a timestamp"})
	}
	for partition, offset := range offsets {
		if partition < 0 || offset < 0 {
			found = append(found, connector.Problem{Option: option, Message: fmt.Sprintf("%d: %d is less than 0", partition, offset),
				Hint: "write the number of a partition and an offset, such as {0: 12}"})
		}
	}
	return found
}
