package client_test

import (
	"fmt"
	"testing"

	"tidemark/io/kafkaio/internal/client"
)

func topic(name string, id byte, partitions int32) client.Topic {
	t := client.Topic{Name: name, ID: client.TopicID{id}}
	for n := range partitions {
		t.Partitions = append(t.Partitions, client.Partition{Number: n})
	}
	return t
}

func TestCompare(t *testing.T) {
	gone := client.Topic{Name: "a", Err: &client.TopicError{Topic: "a", Code: client.UnknownTopicOrPartition}}
	denied := client.Topic{Name: "a", Err: &client.TopicError{Topic: "a", Code: client.TopicAuthorizationFailed}}
	for _, c := range []struct {
		before, after []client.Topic
		want          string
	}{
		{nil, nil, "[]"},
		{[]client.Topic{topic("a", 1, 2)}, []client.Topic{topic("a", 1, 2)}, "[]"},
		{nil, []client.Topic{topic("a", 1, 2)}, "[{appeared a 0}]"},
		{[]client.Topic{topic("a", 1, 1)}, []client.Topic{topic("a", 1, 3)}, "[{added a 1} {added a 2}]"},
		{[]client.Topic{topic("a", 1, 1)}, []client.Topic{topic("a", 2, 3)}, "[{made anew a 0}]"},
		{[]client.Topic{topic("a", 0, 3)}, []client.Topic{topic("a", 0, 1)}, "[{made anew a 0}]"},
		{[]client.Topic{topic("a", 1, 1)}, nil, "[{gone a 0}]"},
		{[]client.Topic{topic("a", 1, 1)}, []client.Topic{gone}, "[{gone a 0}]"},
		{[]client.Topic{gone}, []client.Topic{gone}, "[]"},
		{[]client.Topic{gone}, nil, "[]"},
		{[]client.Topic{topic("a", 1, 1)}, []client.Topic{denied}, "[{not usable a 0}]"},
		{[]client.Topic{gone}, []client.Topic{topic("a", 1, 1)}, "[{appeared a 0}]"},
	} {
		if got := fmt.Sprint(client.Compare(c.before, c.after)); got != c.want {
			t.Errorf("%v, then %v: %s, want %s", c.before, c.after, got, c.want)
		}
	}
}
