package client

import (
	"context"
	"crypto/tls"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"net"
	"sync/atomic"
	"time"
)

// dialer opens connections for the transport, TLS included, so that what fails is known with its address.
type dialer struct {
	dial  func(ctx context.Context, network, address string) (net.Conn, error)
	tls   *tls.Config
	login bool
	// greeted says that a broker has answered in TLS, so that one which does not is at fault, or what stands before it.
	greeted atomic.Bool
}

func (d *dialer) open(ctx context.Context, network, address string) (net.Conn, error) {
	conn, err := d.dial(ctx, network, address)
	if err != nil {
		return nil, explainDial(address, err)
	}
	g := &guard{Conn: conn, address: address, opened: time.Now(), login: d.login, tls: d.tls != nil}
	if d.tls == nil {
		return g, nil
	}
	config := d.tls
	if config.ServerName == "" {
		host, _, err := net.SplitHostPort(address)
		if err != nil {
			host = address
		}
		config = config.Clone()
		config.ServerName = host
	}
	secure := tls.Client(conn, config)
	if err := d.handshake(ctx, secure, address); err != nil {
		conn.Close()
		return nil, err
	}
	d.greeted.Store(true)
	g.Conn = secure
	return g, nil
}

// handshake greets the broker.
func (d *dialer) handshake(ctx context.Context, conn *tls.Conn, address string) error {
	ctx, cancel := context.WithTimeout(ctx, handshakeTimeout)
	defer cancel()
	err := conn.HandshakeContext(ctx)
	switch {
	case err == nil:
		return nil
	case errors.Is(err, io.EOF), errors.Is(err, context.DeadlineExceeded), isTimeout(err):
		if d.greeted.Load() {
			return &AccessError{Reason: Silent, Broker: address, err: err,
				text: fmt.Sprintf("the broker at %s takes connections and does not answer in TLS any more", address)}
		}
		// a plaintext port takes the greeting for the start of a request that is far too long
		return &AccessError{Reason: NoTLS, Broker: address,
			text: fmt.Sprintf("the broker at %s does not answer in TLS: leave tls out, or use its TLS port", address)}
	}
	return explainDial(address, err)
}

// guard looks at the first answers on a connection: whether what answers is Kafka at all, and whether it hangs up on
// us because it wants TLS or a login.
type guard struct {
	net.Conn
	address    string
	opened     time.Time
	login, tls bool
	frames     int // answers begun
	left       int // bytes to come of the current one
	size       [4]byte
	have       int // bytes of size
}

const (
	// watched is how many answers are looked at: those about versions, and those of a login, come before what is asked.
	watched = 4
	// young is the age up to which a connection that ends is one that was refused.
	young = 2 * time.Second
)

func (g *guard) Read(b []byte) (int, error) {
	n, err := g.Conn.Read(b)
	if g.frames > watched {
		return n, err
	}
	// answers follow each other, each with its length in front
	for b := b[:n]; len(b) > 0; {
		if g.left > 0 {
			k := min(g.left, len(b))
			g.left -= k
			b = b[k:]
			continue
		}
		k := copy(g.size[g.have:], b)
		b = b[k:]
		if g.have += k; g.have == len(g.size) {
			if strange := g.begin(); strange != nil {
				return 0, strange
			}
		}
	}
	if n == 0 && err != nil {
		if silent := g.silence(err); silent != nil {
			return 0, silent
		}
	}
	return n, err
}

func isTimeout(err error) bool {
	var network net.Error
	return errors.As(err, &network) && network.Timeout()
}

// begin takes note of an answer, whose length is known.
func (g *guard) begin() error {
	g.left, g.have = int(binary.BigEndian.Uint32(g.size[:])), 0
	g.frames++
	if g.frames > 1 || g.left <= 1<<16 {
		return nil
	}
	if g.size[0] == 0x15 && g.size[1] == 3 { // an alert of TLS
		return &AccessError{Reason: WantsTLS, Broker: g.address,
			text: fmt.Sprintf("the broker at %s speaks TLS: add tls: true, or use its plaintext port", g.address)}
	}
	return &AccessError{Reason: NotKafka, Broker: g.address,
		text: fmt.Sprintf("what answers at %s is not a Kafka broker: correct brokers", g.address)}
}

// silence explains a connection that ended before anything of use was said on it. The error does not wrap the cause,
// since the transport puts other words for the end of a connection.
func (g *guard) silence(err error) error {
	var alert *net.OpError
	late := isTimeout(err) && g.frames > 0
	if late || errors.Is(err, net.ErrClosed) || errors.As(err, &alert) && alert.Op == "remote error" || time.Since(g.opened) > young && !isTimeout(err) {
		return nil
	}
	silent := func(format string) error {
		return &AccessError{Reason: Silent, Broker: g.address, text: fmt.Sprintf(format, g.address)}
	}
	switch {
	case isTimeout(err):
		return silent("what listens at %s gives no answer: correct brokers, if it is not a Kafka broker")
	case g.frames == 0 && !g.tls:
		return silent("the broker at %s hangs up without an answer: if it speaks TLS there, add tls: true")
	case g.frames == 0:
		return silent("the broker at %s hangs up after the TLS handshake: if it wants a client certificate, give tls.cert and tls.key")
	case g.login:
		return silent("the broker at %s hangs up during the login: correct sasl.user and sasl.password, and sasl.mechanism")
	case g.frames <= 2:
		return silent("the broker at %s hangs up on the first request: if it wants a login, add sasl")
	}
	return nil
}

const (
	// dialTimeout limits how long a connection takes to open, with TLS and login.
	dialTimeout = 5 * time.Second
	// handshakeTimeout is the part of it for TLS.
	handshakeTimeout = 4 * time.Second
)
