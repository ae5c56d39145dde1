package client

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"io"
	"net"
	"strings"

	"github.com/segmentio/kafka-go"
)

// Reason says why a broker can not be spoken to.
type Reason string

// The reasons.
const (
	Unreachable    Reason = "unreachable"     // nothing answers
	Silent         Reason = "silent"          // it closes connections that have just been opened
	NotKafka       Reason = "not kafka"       // something else answers
	WantsTLS       Reason = "wants tls"       // it speaks TLS, we do not
	NoTLS          Reason = "no tls"          // we speak TLS, it does not
	UnknownCA      Reason = "unknown ca"      // its certificate is signed by nobody we trust
	WrongName      Reason = "wrong name"      // its certificate is for another host, or has expired
	BadCertificate Reason = "bad certificate" // it refuses our certificate, or wants one
	WrongLogin     Reason = "wrong login"     // it refuses user or password
	WantsLogin     Reason = "wants login"     // it wants one, or none
	NoMechanism    Reason = "no mechanism"    // it does not know the mechanism
)

// AccessError says that a cluster can not be spoken to. Its text is one line that says what to change; it never has a
// password.
type AccessError struct {
	Reason Reason
	// Broker is the address, or several.
	Broker string
	text   string
	err    error
}

// Error says what is wrong, and what to do about it where that is known.
func (e *AccessError) Error() string { return e.text }

// Unwrap gives the cause.
func (e *AccessError) Unwrap() error { return e.err }

// Passes reports whether waiting may help.
func (e *AccessError) Passes() bool { return e.Reason == Unreachable || e.Reason == Silent }

// explain gives an error of the transport in the words of the options.
func (c *Client) explain(err error) error {
	if err == nil || errors.Is(err, context.Canceled) || errors.Is(err, ErrClosed) {
		return err
	}
	var known *AccessError
	if errors.As(err, &known) {
		return known
	}
	brokers := strings.Join(c.brokers, ", ")
	fail := func(r Reason, format string, args ...any) error {
		return &AccessError{Reason: r, Broker: brokers, text: fmt.Sprintf(format, args...), err: err}
	}
	var answered kafka.Error
	var alert tls.AlertError
	text := err.Error()
	switch {
	case errors.Is(err, kafka.SASLAuthenticationFailed):
		return fail(WrongLogin, "the broker at %s refuses the login of user %q: correct sasl.user and sasl.password, or sasl.mechanism (now %s)",
			brokers, c.options.SASL.User, c.options.SASL.Mechanism)
	case errors.Is(err, kafka.UnsupportedSASLMechanism):
		return fail(NoMechanism, "the broker at %s does not take logins by %s: choose another sasl.mechanism (%s)",
			brokers, c.options.SASL.Mechanism, strings.Join(Mechanisms, ", "))
	case errors.Is(err, kafka.IllegalSASLState):
		return fail(WantsLogin, "the broker at %s takes no login on this port: leave sasl out, or use its port for sasl", brokers)
	// the transport looks at the first bytes that it reads, as the guard of a connection does
	case strings.Contains(text, "expecting TLS"):
		return fail(WantsTLS, "the broker at %s speaks TLS: add tls: true, or use its plaintext port", brokers)
	case errors.As(err, &alert), strings.Contains(text, "remote error: tls:"):
		return fail(BadCertificate, "the broker at %s refuses our TLS certificate (%s): give tls.cert and tls.key that its authority signed",
			brokers, lastPart(text))
	case errors.As(err, &answered):
		return Code(answered)
	}
	return err
}

// explainDial says why no connection to address could be opened.
func explainDial(address string, err error) error {
	fail := func(r Reason, format string, args ...any) error {
		return &AccessError{Reason: r, Broker: address, text: fmt.Sprintf(format, args...), err: err}
	}
	var authority x509.UnknownAuthorityError
	var name x509.HostnameError
	var invalid x509.CertificateInvalidError
	var record tls.RecordHeaderError
	var dns *net.DNSError
	var op *net.OpError
	switch {
	case errors.Is(err, context.Canceled):
		return err
	case errors.As(err, &authority):
		return fail(UnknownCA, "the certificate of the broker at %s is signed by an authority that is not known here: name its file as tls.ca", address)
	case errors.As(err, &name):
		return fail(WrongName, "the certificate of the broker at %s is for another host (%v): use the name in it as address", address, name)
	case errors.As(err, &invalid):
		return fail(WrongName, "the certificate of the broker at %s is not valid (%v): renew it", address, invalid)
	case errors.As(err, &record):
		return fail(NoTLS, "the broker at %s does not speak TLS: leave tls out, or use its TLS port", address)
	case strings.Contains(err.Error(), "remote error: tls:"):
		return fail(BadCertificate, "the broker at %s refuses our TLS certificate (%s): give tls.cert and tls.key that its authority signed",
			address, lastPart(err.Error()))
	case errors.As(err, &dns):
		return fail(Unreachable, "no broker answers at %s, its name is not known (%s): correct brokers", address, dns.Err)
	case errors.As(err, &op) && op.Op == "dial":
		return fail(Unreachable, "no broker answers at %s (%s): start it, or correct brokers", address, lastPart(op.Err.Error()))
	}
	return fail(Unreachable, "no broker answers at %s (%v): start it, or correct brokers", address, err)
}

// lastPart gives what stands behind the last colon.
func lastPart(text string) string {
	if i := strings.LastIndex(text, ": "); i >= 0 {
		return text[i+2:]
	}
	return text
}

// Retriable reports whether an error may pass by itself.
func Retriable(err error) bool {
	var access *AccessError
	var code Code
	var network net.Error
	switch {
	case err == nil || errors.Is(err, context.Canceled) || errors.Is(err, ErrClosed):
		return false
	case errors.As(err, &access):
		return access.Passes()
	case errors.As(err, &code):
		return code.Retriable()
	case errors.As(err, &network), errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF),
		errors.Is(err, io.ErrClosedPipe), errors.Is(err, net.ErrClosed), errors.Is(err, context.DeadlineExceeded):
		return true
	}
	return false
}
