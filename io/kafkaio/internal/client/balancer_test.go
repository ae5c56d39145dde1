package client_test

import (
	"context"
	"net"
	"sync/atomic"
	"testing"
	"time"

	"github.com/twmb/franz-go/pkg/kfake"

	"tidemark/io/kafkaio/internal/client"
	"tidemark/io/kafkaio/internal/consume"
	"tidemark/io/kafkaio/internal/kafkatest"
)

// TestHangUpWhileReading survives what takes connections and hangs up, as a balancer does while the broker behind it
// restarts: in plain text and in TLS.
func TestHangUpWhileReading(t *testing.T) {
	for name, secure := range map[string]bool{"plain text": false, "TLS": true} {
		t.Run(name, func(t *testing.T) {
			options, topics := client.Options{}, []kfake.Opt{kfake.SeedTopics(1, "orders")}
			if secure {
				ours := newAuthority(t)
				topics = append(topics, kfake.TLS(ours.secure(false)))
				options.TLS = &client.TLS{CA: ours.pem}
			}
			options.Brokers = kafkatest.Cluster(t, topics...).ListenAddrs()
			balancer, err := net.Listen("tcp", "127.0.0.1:0")
			if err != nil {
				t.Fatal(err)
			}
			defer balancer.Close()
			go func() {
				for {
					c, err := balancer.Accept()
					if err != nil {
						return
					}
					c.Close()
				}
			}()
			var gate kafkatest.Gate
			var down atomic.Bool
			options.Dial = func(ctx context.Context, network, address string) (net.Conn, error) {
				if down.Load() {
					address = balancer.Addr().String()
				}
				return gate.Dial(ctx, network, address)
			}
			p := consume.Open(kafkatest.Open(t, options), consume.Options{
				TopicPartition: client.TopicPartition{Topic: "orders"}, MaxWait: 20 * time.Millisecond, Patience: 10 * time.Second,
			})
			defer p.Close()
			ctx := kafkatest.Context(t)
			for i := range 30 {
				if i == 3 {
					down.Store(true)
					gate.Cut()
					time.AfterFunc(300*time.Millisecond, func() { down.Store(false) })
				}
				if _, err := p.Next(ctx); err != nil {
					t.Fatalf("after %d answers: %v", i, err)
				}
			}
		})
	}
}
