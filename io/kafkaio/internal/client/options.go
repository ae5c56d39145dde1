package client

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"net"
	"os"
	"strings"
	"time"

	"github.com/segmentio/kafka-go/sasl"
	"github.com/segmentio/kafka-go/sasl/plain"
	"github.com/segmentio/kafka-go/sasl/scram"
)

// Options say how to reach a cluster.
type Options struct {
	// Brokers are the addresses, host:port, to begin with; the port is 9092 where it is missing.
	Brokers []string
	// ClientID is the name that brokers write to their logs.
	ClientID string
	// TLS is nil for connections in plain text.
	TLS *TLS
	// SASL is nil where no login is needed.
	SASL *SASL
	// Patience is how long a request is repeated while it fails for reasons that may pass; 0 stands for 30 s.
	Patience time.Duration
	// Notify is told when a request fails and will be repeated, and when it works again. It must not block and
	// may be called by several goroutines. Nil: nobody is told.
	Notify func(Notice)
	// Dial opens connections in place of the net package.
	Dial func(ctx context.Context, network, address string) (net.Conn, error)
}

// Notice is about a request that does not work at the moment.
type Notice struct {
	// What was asked, such as "fetch of orders/3".
	What string
	// Err is why it failed; nil says that it works again.
	Err error
	// Attempts counts the failures in a row, Since is how long they have lasted.
	Attempts int
	Since    time.Duration
}

// String is one line for people.
func (n Notice) String() string {
	if n.Err == nil {
		return fmt.Sprintf("%s works again after %s", n.What, n.Since.Round(time.Millisecond))
	}
	err := n.Err
	var at *PartitionError
	if errors.As(err, &at) { // What has the partition
		err = at.Err
	}
	return fmt.Sprintf("%s does not work, trying again: %v", n.What, err)
}

// TLS says whom to trust and who we are. Each is the path of a PEM file, or its text.
type TLS struct {
	// CA is the authority that signed the brokers' certificates; empty: those that the system knows.
	CA string
	// Cert and Key are the client's own certificate, where brokers ask for one.
	Cert, Key string
}

// SASL is a login.
type SASL struct {
	// Mechanism is plain, scram-sha-256 or scram-sha-512.
	Mechanism      string
	User, Password string
}

// String leaves the password out.
func (s SASL) String() string { return s.Mechanism + " as " + s.User }

// GoString leaves the password out.
func (s SASL) GoString() string { return s.String() }

// Mechanisms are the values of SASL.Mechanism.
var Mechanisms = []string{"plain", "scram-sha-256", "scram-sha-512"}

// addresses gives the brokers with their ports.
func (o *Options) addresses() ([]string, error) {
	var out []string
	for _, written := range o.Brokers {
		b := strings.TrimSpace(written)
		if b == "" {
			continue
		}
		if _, _, err := net.SplitHostPort(b); err != nil {
			b = net.JoinHostPort(strings.Trim(b, "[]"), "9092")
		}
		host, port, err := net.SplitHostPort(b)
		if err != nil || host == "" || port == "" || strings.ContainsAny(b, "/, ") {
			return nil, fmt.Errorf("brokers: %q is not host:port", strings.TrimSpace(written))
		}
		out = append(out, b)
	}
	if len(out) == 0 {
		return nil, errors.New("brokers: an address is needed, such as localhost:9092")
	}
	return out, nil
}

// config reads the files of the TLS options.
func (t *TLS) config() (*tls.Config, error) {
	if t == nil {
		return nil, nil
	}
	c := &tls.Config{MinVersion: tls.VersionTLS12}
	if t.CA != "" {
		text, err := pemText("tls.ca", t.CA)
		if err != nil {
			return nil, err
		}
		if c.RootCAs = x509.NewCertPool(); !c.RootCAs.AppendCertsFromPEM(text) {
			return nil, errors.New("tls.ca: there is no certificate in PEM form in it")
		}
	}
	if (t.Cert == "") != (t.Key == "") {
		return nil, errors.New("tls: cert and key are given together or not at all")
	}
	if t.Cert == "" {
		return c, nil
	}
	cert, err := pemText("tls.cert", t.Cert)
	if err != nil {
		return nil, err
	}
	key, err := pemText("tls.key", t.Key)
	if err != nil {
		return nil, err
	}
	pair, err := tls.X509KeyPair(cert, key)
	if err != nil {
		return nil, fmt.Errorf("tls: cert and key are not a certificate and its key in PEM form: %w", err)
	}
	c.Certificates = []tls.Certificate{pair}
	return c, nil
}

func pemText(option, value string) ([]byte, error) {
	if strings.Contains(value, "-----BEGIN") {
		return []byte(value), nil
	}
	text, err := os.ReadFile(value)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", option, err)
	}
	return text, nil
}

// mechanism gives the login for the transport.
func (s *SASL) mechanism() (sasl.Mechanism, error) {
	if s == nil {
		return nil, nil
	}
	if s.User == "" {
		return nil, errors.New("sasl.user: a name is needed")
	}
	switch s.Mechanism {
	case "plain":
		return plain.Mechanism{Username: s.User, Password: s.Password}, nil
	case "scram-sha-256", "scram-sha-512":
		algorithm := scram.SHA256
		if s.Mechanism == "scram-sha-512" {
			algorithm = scram.SHA512
		}
		m, err := scram.Mechanism(algorithm, s.User, s.Password)
		if err != nil { // its text may hold the password
			return nil, errors.New("sasl: user or password have characters that SCRAM does not allow")
		}
		return m, nil
	}
	return nil, fmt.Errorf("sasl.mechanism: %q is not one of %s", s.Mechanism, strings.Join(Mechanisms, ", "))
}
