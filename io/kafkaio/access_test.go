package kafkaio

import (
	"context"
	"encoding/pem"
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/twmb/franz-go/pkg/kfake"

	"tidemark/io/kafkaio/internal/kafkatest"
)

const secret = "s3cret-word"

// TestCheck: what is wrong is one line that says what to change, from Check as from Open.
func TestCheck(t *testing.T) {
	web := httptest.NewTLSServer(http.NotFoundHandler())
	t.Cleanup(web.Close)
	ca := string(pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: web.Certificate().Raw}))
	topics := kfake.SeedTopics(1, "out", "orders", "payments")
	plain := kafkatest.Cluster(t, topics)
	secure := kafkatest.Cluster(t, topics, kfake.TLS(web.TLS))
	login := kafkatest.Cluster(t, topics, kfake.EnableSASL(), kfake.Superuser("SCRAM-SHA-256", "alice", secret))
	nobody, _ := net.Listen("tcp", "127.0.0.1:0")
	nobody.Close()
	alice := func(password string) *SASL {
		return &SASL{Mechanism: "scram-sha-256", User: "alice", Password: password}
	}
	for _, c := range []struct {
		name    string
		cluster *kfake.Cluster
		change  func(*SinkOptions)
		want    string // empty: it works
	}{
		{"plain text", plain, nil, ""},
		{"one of two brokers, in one text", plain, func(o *SinkOptions) { o.Brokers = []string{nobody.Addr().String() + ", " + o.Brokers[0]} }, ""},
		{"tls", secure, func(o *SinkOptions) { o.TLS = &TLS{CA: ca} }, ""},
		{"login", login, func(o *SinkOptions) { o.SASL = alice(secret) }, ""},
		{"transactions", plain, exactly, ""},

		{"nobody there", plain, func(o *SinkOptions) { o.Brokers = []string{nobody.Addr().String()} }, "start it, or correct brokers"},
		{"wrong password", login, func(o *SinkOptions) { o.SASL = alice(secret + "x") }, "correct sasl.user and sasl.password"},
		{"no login", login, nil, "add sasl"},
		{"unknown authority", secure, func(o *SinkOptions) { o.TLS = &TLS{} }, "tls.ca"},
		{"plain text to a tls port", secure, nil, "add tls: true"},
		{"no such file", plain, func(o *SinkOptions) { o.TLS = &TLS{CA: "/no/such/file"} }, "tls.ca: open /no/such/file"},
		{"unknown topic", plain, func(o *SinkOptions) { o.Topic = "oders" }, `topic "oders" does not exist: create it, or correct its name; did you mean orders?`},
		{"no such topic at all", plain, func(o *SinkOptions) { o.Topic = "results" }, `topic "results" does not exist: create it, or correct its name`},
		{"transactions too long", plain, func(o *SinkOptions) { exactly(o); o.TransactionTimeout = 3_600_000 }, "transaction_timeout is 1h, but brokers allow 15m"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			o := sinkTo(c.cluster, c.change)
			err := o.Check(testEnvironment)
			out, opening := o.Open(context.Background(), testEnvironment)
			if out != nil {
				out.Abort()
			}
			if c.want == "" {
				if err != nil || opening != nil {
					t.Errorf("%v, %v", err, opening)
				}
				return
			}
			for _, err := range []error{err, opening} {
				if err == nil || !strings.Contains(err.Error(), c.want) || strings.Contains(err.Error(), "\n") || strings.Contains(err.Error(), secret) {
					t.Errorf("%v, want %q", err, c.want)
				}
			}
		})
	}
}

// TestCheckChangesNothing: neither is the topic made nor the transaction of a run disturbed.
func TestCheckChangesNothing(t *testing.T) {
	cluster := kafkatest.Cluster(t, kfake.SeedTopics(1, "out"))
	running := openEpochs(t, cluster, nil)
	writeAll(t, running, "a")
	state := prepare(t, running)
	if err := sinkTo(cluster, exactly).Check(testEnvironment); err != nil {
		t.Error(err)
	}
	commitPrepared(t, running, state)
	sinkTo(cluster, func(o *SinkOptions) { o.Topic = "new" }).Check(testEnvironment)
	if cluster.TopicInfo("new") != nil {
		t.Error("Check has made a topic")
	}
}

func TestValidateAccess(t *testing.T) {
	for want, change := range map[string]func(*SinkOptions){
		"":               func(*SinkOptions) {},
		"brokers":        func(o *SinkOptions) { o.Brokers = []string{"a:1", "kafka://b"} },
		"topic":          func(o *SinkOptions) { o.Topic = "" },
		"compression":    func(o *SinkOptions) { o.Compression = "brotli" },
		"tls.cert":       func(o *SinkOptions) { o.TLS = &TLS{Cert: "a"} },
		"sasl.mechanism": func(o *SinkOptions) { o.SASL = &SASL{Mechanism: "gssapi", User: "u", Password: secret} },
		"sasl.user":      func(o *SinkOptions) { o.SASL = &SASL{Mechanism: "plain", Password: secret} },
	} {
		o := newSinkOptions()
		o.Brokers, o.Topic = []string{"localhost"}, "out"
		change(o)
		var options []string
		for _, p := range o.Validate() {
			options = append(options, p.Option)
			if p.Message == "" || p.Hint == "" || strings.Contains(fmt.Sprint(p), secret) {
				t.Errorf("%v", p)
			}
		}
		if got := strings.Join(options, " "); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
	if text := fmt.Sprintf("%v %+v %#v", SASL{Password: secret}, &SASL{Password: secret}, Access{SASL: &SASL{Password: secret}}); strings.Contains(text, secret) {
		t.Error(text)
	}
}

func TestShort(t *testing.T) {
	for want, d := range map[string]time.Duration{"15m": 15 * time.Minute, "1h": time.Hour, "1h5m": 65 * time.Minute, "1m30s": 90 * time.Second, "10s": 10 * time.Second} {
		if got := short(d); got != want {
			t.Errorf("%s, want %s", got, want)
		}
	}
}
