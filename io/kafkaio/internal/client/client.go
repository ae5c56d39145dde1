package client

import (
	"context"
	"errors"
	"net"
	"strings"
	"sync"
	"time"

	"github.com/segmentio/kafka-go"
	"github.com/segmentio/kafka-go/protocol"
)

// Client is a cluster that can be spoken to. Its methods may be called by several goroutines at once.
type Client struct {
	options   Options
	brokers   []string
	dialer    dialer
	transport *kafka.Transport
	address   net.Addr
	leaders   leaders
	troubles  troubles
	closed    context.Context
	close     context.CancelFunc
}

// Open checks the options and reads the files that they name. It opens no connection; [Client.Reach] does.
func Open(o Options) (*Client, error) {
	brokers, err := o.Addresses()
	if err != nil {
		return nil, err
	}
	config, err := o.TLS.config()
	if err != nil {
		return nil, err
	}
	login, err := o.SASL.mechanism()
	if err != nil {
		return nil, err
	}
	if o.Patience <= 0 {
		o.Patience = 30 * time.Second
	}
	if o.ClientID == "" {
		o.ClientID = "tidemark"
	}
	if o.Dial == nil {
		o.Dial = (&net.Dialer{Timeout: dialTimeout}).DialContext
	}
	c := &Client{options: o, brokers: brokers, address: kafka.TCP(brokers...)}
	c.dialer.dial, c.dialer.tls, c.dialer.login = o.Dial, config, login != nil
	c.closed, c.close = context.WithCancel(context.Background())
	c.transport = &kafka.Transport{
		Dial:        c.dialer.open,
		DialTimeout: dialTimeout,
		SASL:        login,
		ClientID:    o.ClientID,
		// The transport has to know brokers only, leaders are our own business: no topics at all, not nil for all.
		MetadataTopics: []string{},
		MetadataTTL:    2 * time.Second,
		IdleTimeout:    5 * time.Minute, // brokers hang up after ten
		Context:        c.closed,
	}
	c.leaders.of = make(map[string][]leader)
	c.troubles.of = make(map[string]*trouble)
	return c, nil
}

// Close ends all connections. Calls that are under way fail.
func (c *Client) Close() {
	c.close()
	c.transport.CloseIdleConnections()
}

// Brokers gives the addresses that the client began with, for messages.
func (c *Client) Brokers() string { return strings.Join(c.brokers, ", ") }

// Reach tells whether a broker can be spoken to at all. While nobody answers it tries for as long as patience lasts.
func (c *Client) Reach(ctx context.Context, patience time.Duration) error {
	return c.repeatFor(ctx, patience, "connection to "+c.Brokers(), func(ctx context.Context) error {
		if err := c.probe(ctx); err != nil {
			return err
		}
		_, err := c.metadata(ctx, []string{})
		return err
	})
}

// probe talks to the first broker that answers, without a login. What is wrong with a port shows here sooner, and in
// our words, than by way of the transport.
func (c *Client) probe(ctx context.Context) (err error) {
	for _, address := range c.brokers {
		if err = c.probeOne(ctx, address); err == nil || ctx.Err() != nil {
			return err
		}
	}
	return err
}

func (c *Client) probeOne(ctx context.Context, address string) error {
	ctx, cancel := c.limited(ctx, dialTimeout)
	defer cancel()
	conn, err := c.dialer.open(ctx, "tcp", address)
	if err != nil {
		return err
	}
	defer conn.Close()
	conn.SetDeadline(time.Now().Add(dialTimeout / 2))
	defer context.AfterFunc(ctx, func() { conn.SetDeadline(time.Unix(1, 0)) })()
	_, err = askVersion(conn, c.options.ClientID, protocol.Metadata)
	return c.explain(err)
}

// requestTimeout limits a request to which the broker has to answer at once.
const requestTimeout = 20 * time.Second

// call sends a request of kafka-go's and gives the answer.
func (c *Client) call(ctx context.Context, request protocol.Message) (protocol.Message, error) {
	ctx, cancel := c.limited(ctx, requestTimeout)
	defer cancel()
	answer, err := c.transport.RoundTrip(ctx, c.address, request)
	return answer, c.explain(c.ended(err))
}

// limited gives a context that ends after d, and when the client is closed.
func (c *Client) limited(ctx context.Context, d time.Duration) (context.Context, context.CancelFunc) {
	ctx, cancel := context.WithTimeout(ctx, d)
	stop := context.AfterFunc(c.closed, cancel)
	return ctx, func() { stop(); cancel() }
}

// ErrClosed is what calls end with that are under way when the client is closed.
var ErrClosed = errors.New("the client is closed")

// ended gives ErrClosed for the errors that follow from Close.
func (c *Client) ended(err error) error {
	if err != nil && c.closed.Err() != nil {
		return ErrClosed
	}
	return err
}

// troubles are the requests that do not work at the moment, by what they ask for.
type troubles struct {
	sync.Mutex
	of map[string]*trouble
}

type trouble struct {
	since, told time.Time
	attempts    int
}

// quiet is how long nobody is told again of the same trouble.
const quiet = 10 * time.Second

// trouble takes note of a request that failed or, with a nil error, worked, and tells whoever wants to know.
func (c *Client) trouble(what string, err error) {
	now := time.Now()
	c.troubles.Lock()
	t := c.troubles.of[what]
	switch {
	case err == nil && t == nil:
		c.troubles.Unlock()
		return
	case err == nil:
		delete(c.troubles.of, what)
	case t == nil:
		t = &trouble{since: now}
		c.troubles.of[what] = t
	}
	tell := err == nil && !t.told.IsZero()
	if err != nil {
		t.attempts++
		// what works at the second attempt is not worth a word
		if tell = t.attempts > 1 && now.Sub(t.told) >= quiet; tell {
			t.told = now
		}
	}
	n := Notice{What: what, Err: err, Attempts: t.attempts, Since: now.Sub(t.since)}
	c.troubles.Unlock()
	if tell && c.options.Notify != nil {
		c.options.Notify(n)
	}
}
