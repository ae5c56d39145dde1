package client_test

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"errors"
	"fmt"
	"math/big"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/twmb/franz-go/pkg/kfake"

	"tidemark/io/kafkaio/internal/client"
	"tidemark/io/kafkaio/internal/kafkatest"
)

// authority signs certificates.
type authority struct {
	t    *testing.T
	cert *x509.Certificate
	key  *ecdsa.PrivateKey
	pem  string
}

func newAuthority(t *testing.T) *authority {
	a := &authority{t: t}
	a.cert = &x509.Certificate{SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: "authority"}, IsCA: true,
		BasicConstraintsValid: true, KeyUsage: x509.KeyUsageCertSign, NotAfter: time.Now().Add(time.Hour)}
	a.key, _ = ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	der, err := x509.CreateCertificate(rand.Reader, a.cert, a.cert, &a.key.PublicKey, a.key)
	if err != nil {
		t.Fatal(err)
	}
	a.pem = string(pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der}))
	return a
}

// sign gives a certificate for 127.0.0.1 and its key in PEM form.
func (a *authority) sign() (cert, key string) {
	leaf := &x509.Certificate{SerialNumber: big.NewInt(2), Subject: pkix.Name{CommonName: "leaf"}, NotAfter: time.Now().Add(time.Hour),
		IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)}, ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth, x509.ExtKeyUsageClientAuth}}
	k, _ := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	der, err := x509.CreateCertificate(rand.Reader, leaf, a.cert, &k.PublicKey, a.key)
	if err != nil {
		a.t.Fatal(err)
	}
	bytes, _ := x509.MarshalECPrivateKey(k)
	return string(pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der})),
		string(pem.EncodeToMemory(&pem.Block{Type: "EC PRIVATE KEY", Bytes: bytes}))
}

// secure gives the TLS configuration of a server that wants clients of the authority.
func (a *authority) secure(clients bool) *tls.Config {
	cert, key := a.sign()
	pair, err := tls.X509KeyPair([]byte(cert), []byte(key))
	if err != nil {
		a.t.Fatal(err)
	}
	c := &tls.Config{Certificates: []tls.Certificate{pair}}
	if clients {
		c.ClientAuth, c.ClientCAs = tls.RequireAndVerifyClientCert, x509.NewCertPool()
		c.ClientCAs.AppendCertsFromPEM([]byte(a.pem))
	}
	return c
}

const secret = "s3cret-word"

// accessCase is a way to reach a cluster, and what is said when it does not work.
type accessCase struct {
	name    string
	brokers []string
	tls     *client.TLS
	sasl    *client.SASL
	want    string // empty: it works
}

func accessCases(t *testing.T) []accessCase {
	ours, theirs := newAuthority(t), newAuthority(t)
	cert, key := ours.sign()
	strange, strangeKey := theirs.sign()
	plain := kafkatest.Cluster(t).ListenAddrs()
	secure := kafkatest.Cluster(t, kfake.TLS(ours.secure(false))).ListenAddrs()
	mutual := kafkatest.Cluster(t, kfake.TLS(ours.secure(true))).ListenAddrs()
	var users []kfake.Opt
	for _, m := range client.Mechanisms {
		users = append(users, kfake.Superuser(strings.ToUpper(m), "alice", secret))
	}
	login := kafkatest.Cluster(t, append(users, kfake.EnableSASL())...).ListenAddrs()
	both := kafkatest.Cluster(t, append(users, kfake.EnableSASL(), kfake.TLS(ours.secure(false)))...).ListenAddrs()
	scram := kafkatest.Cluster(t, kfake.EnableSASL(), kfake.Superuser("SCRAM-SHA-256", "alice", secret)).ListenAddrs()
	web := httptest.NewServer(http.NotFoundHandler())
	t.Cleanup(web.Close)
	nobody, _ := net.Listen("tcp", "127.0.0.1:0")
	gone := []string{nobody.Addr().String()}
	nobody.Close()
	alice := func(mechanism, password string) *client.SASL {
		return &client.SASL{Mechanism: mechanism, User: "alice", Password: password}
	}
	return []accessCase{
		{"plaintext", plain, nil, nil, ""},
		{"one of two", append(gone, plain...), nil, nil, ""},
		{"tls", secure, &client.TLS{CA: ours.pem}, nil, ""},
		{"client certificate", mutual, &client.TLS{CA: ours.pem, Cert: cert, Key: key}, nil, ""},
		{"plain", login, nil, alice("plain", secret), ""},
		{"scram-sha-256", login, nil, alice("scram-sha-256", secret), ""},
		{"scram-sha-512", login, nil, alice("scram-sha-512", secret), ""},
		{"login over tls", both, &client.TLS{CA: ours.pem}, alice("scram-sha-512", secret), ""},

		{"wrong password, plain", login, nil, alice("plain", secret+"x"), "correct sasl.user and sasl.password"},
		{"wrong password, scram", login, nil, alice("scram-sha-256", secret+"x"), "correct sasl.user and sasl.password"},
		{"wrong user", login, nil, &client.SASL{Mechanism: "scram-sha-512", User: "bob", Password: secret}, "correct sasl.user and sasl.password"},
		{"wrong mechanism", scram, nil, alice("plain", secret), "sasl.mechanism"},
		{"no login", login, nil, nil, "add sasl"},
		{"unknown authority", secure, &client.TLS{CA: theirs.pem}, nil, "name its file as tls.ca"},
		{"system's authorities", secure, &client.TLS{}, nil, "name its file as tls.ca"},
		{"no client certificate", mutual, &client.TLS{CA: ours.pem}, nil, "give tls.cert and tls.key"},
		{"strange client certificate", mutual, &client.TLS{CA: ours.pem, Cert: strange, Key: strangeKey}, nil, "give tls.cert and tls.key"},
		{"tls to a plaintext port", plain, &client.TLS{CA: ours.pem}, nil, "leave tls out"},
		{"plaintext to a tls port", secure, nil, nil, "add tls: true"},
		{"nobody there", gone, nil, nil, "start it, or correct brokers"},
		{"no such host", []string{"no-such-host.invalid"}, nil, nil, "correct brokers"},
		{"a web server", []string{web.Listener.Addr().String()}, nil, nil, "correct brokers"},
	}
}

func TestAccess(t *testing.T) {
	for _, c := range accessCases(t) {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			k := kafkatest.Open(t, client.Options{Brokers: c.brokers, TLS: c.tls, SASL: c.sasl})
			started := time.Now()
			err := k.Reach(kafkatest.Context(t), 300*time.Millisecond)
			if took := time.Since(started); took > 6*time.Second {
				t.Errorf("it took %s", took)
			}
			if c.want == "" {
				if err != nil {
					t.Fatal(err)
				}
				return
			}
			var access *client.AccessError
			if !errors.As(err, &access) {
				t.Fatalf("%T %v", err, err)
			}
			text := fmt.Sprintf("%v %+v", err, access)
			if !strings.Contains(text, c.want) || strings.Contains(text, secret) || strings.Contains(err.Error(), "\n") {
				t.Errorf("%s: %v, want %q", access.Reason, err, c.want)
			}
			t.Log(err)
		})
	}
}

func TestWrongOptions(t *testing.T) {
	for _, c := range []struct {
		o    client.Options
		want string
	}{
		{client.Options{}, "brokers: an address is needed"},
		{client.Options{Brokers: []string{"kafka://x:9092"}}, "is not host:port"},
		{client.Options{Brokers: []string{"x"}, TLS: &client.TLS{CA: "/no/such/file"}}, "tls.ca: open /no/such/file"},
		{client.Options{Brokers: []string{"x"}, TLS: &client.TLS{Cert: "a"}}, "given together"},
		{client.Options{Brokers: []string{"x"}, SASL: &client.SASL{Mechanism: "gssapi", User: "u", Password: secret}}, "is not one of plain, scram"},
		{client.Options{Brokers: []string{"x"}, SASL: &client.SASL{Mechanism: "plain", Password: secret}}, "sasl.user"},
		{client.Options{Brokers: []string{"x"}, SASL: &client.SASL{Mechanism: "scram-sha-256", User: "u", Password: "s3cret\u0000-word"}}, "SCRAM"},
	} {
		_, err := client.Open(c.o)
		if err == nil || !strings.Contains(err.Error(), c.want) || strings.Contains(err.Error(), "s3cret") {
			t.Errorf("%v, want %q", err, c.want)
		}
	}
	if s := fmt.Sprintf("%v %+v %#v", client.SASL{Password: secret}, &client.SASL{Password: secret}, client.Options{SASL: &client.SASL{Password: secret}}); strings.Contains(s, secret) {
		t.Error(s)
	}
}
