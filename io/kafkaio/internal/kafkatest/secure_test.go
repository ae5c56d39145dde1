package kafkatest_test

import (
	"errors"
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"tidemark/io/kafkaio/internal/client"
	"tidemark/io/kafkaio/internal/kafkatest"
)

// TestBrokerSecure has what a real broker says to wrong credentials and the like.
func TestBrokerSecure(t *testing.T) {
	pem := os.Getenv("TIDEMARK_KAFKA_TLS")
	host, port, _ := strings.Cut(broker(t), ":")
	address := func(n int) string {
		var first int
		fmt.Sscan(port, &first)
		return fmt.Sprintf("%s:%d", host, first+n)
	}
	ca, both := &client.TLS{CA: pem + "/ca.pem"}, &client.TLS{CA: pem + "/ca.pem", Cert: pem + "/client.pem", Key: pem + "/client.key"}
	alice := func(m string) *client.SASL {
		return &client.SASL{Mechanism: m, User: "alice", Password: "alice-secret"}
	}
	wrong := func(m string) *client.SASL {
		return &client.SASL{Mechanism: m, User: "alice", Password: "other-secret"}
	}
	cases := []struct {
		address string
		tls     *client.TLS
		sasl    *client.SASL
		want    client.Reason
	}{
		{address(2), nil, alice("plain"), ""},
		{address(2), nil, alice("scram-sha-256"), ""},
		{address(4), ca, alice("scram-sha-512"), ""},
		{address(3), both, nil, ""},
		{address(2), nil, wrong("plain"), client.WrongLogin},
		{address(2), nil, wrong("scram-sha-256"), client.WrongLogin},
		{address(4), ca, wrong("scram-sha-512"), client.WrongLogin},
		{address(2), nil, nil, client.Silent},
		{address(3), ca, nil, client.BadCertificate},
		{address(4), &client.TLS{}, alice("plain"), client.UnknownCA},
		{address(4), nil, alice("plain"), client.WantsTLS},
		{address(3), nil, nil, client.WantsTLS},
		{address(2), ca, alice("plain"), client.NoTLS},
		{address(0), nil, alice("plain"), client.WantsLogin},
	}
	if pem == "" {
		cases = nil
	}
	for _, k := range cases {
		c := kafkatest.Open(t, client.Options{Brokers: []string{k.address}, TLS: k.tls, SASL: k.sasl})
		started := time.Now()
		err := c.Reach(kafkatest.Context(t), time.Second)
		var access *client.AccessError
		if errors.As(err, &access); err != nil && access == nil || err == nil && k.want != "" || access != nil && access.Reason != k.want {
			t.Errorf("%s %v %v: %v, want %q", k.address, k.tls, k.sasl, err, k.want)
		}
		t.Log(time.Since(started).Round(time.Millisecond), err)
	}
}
