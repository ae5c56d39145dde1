package client_test

import (
	"fmt"
	"testing"

	"tidemark/io/kafkaio/internal/client"
	"tidemark/io/kafkaio/internal/kafkatest"
)

func TestSubscription(t *testing.T) {
	cluster := kafkatest.Cluster(t)
	c := kafkatest.Client(t, cluster)
	pattern, err := client.Pattern("orders.*")
	if err != nil {
		t.Fatal(err)
	}
	for name, s := range map[string]*client.Subscription{"names": c.Subscribe("orders"), "pattern": c.SubscribeMatching(pattern)} {
		poll := func(want string) {
			t.Helper()
			_, changes, err := s.Poll(kafkatest.Context(t))
			if got := fmt.Sprint(changes); err != nil || got != want {
				t.Errorf("%s: %s, want %s, %v", name, got, want, err)
			}
		}
		must := func(err error) {
			t.Helper()
			if err != nil {
				t.Fatal(err)
			}
		}
		poll("[]")
		must(cluster.CreateTopic("orders", 1, nil))
		poll("[{appeared orders 0}]")
		poll("[]")
		kafkatest.Grow(t, cluster.ListenAddrs()[0], "orders", 2)
		poll("[{added orders 1}]")
		must(cluster.DeleteTopic("orders"))
		poll("[{gone orders 0}]")
		poll("[]")
		must(cluster.CreateTopic("orders", 2, nil))
		poll("[{made anew orders 0}]")
		must(cluster.DeleteTopic("orders"))
	}
}
