package kafkaio

import (
	"cmp"
	"context"
	"fmt"
	"net"
	"slices"
	"strings"
	"time"

	"tidemark/io/connector"
	"tidemark/io/kafkaio/internal/client"
)

// Access are the options that say how to reach a cluster, the same for sources and sinks.
type Access struct {
	Brokers []string `spec:"brokers,required" example:"brokers: localhost:9092" doc:"host:port of one or more brokers, a list or separated by commas"`
	TLS     *TLS     `spec:"tls,switch" doc:"true to speak TLS, or whom to trust and who we are"`
	SASL    *SASL    `spec:"sasl" doc:"the login"`

	dial     func(ctx context.Context, network, address string) (net.Conn, error) // nil: the net package's
	patience time.Duration                                                        // to reach a broker at the start; 0: patience
}

// TLS says whom to trust and who we are. Each is the path of a PEM file, or its text.
type TLS struct {
	CA   string `spec:"ca" doc:"the authority that signed the brokers' certificates; without it those that the system knows"`
	Cert string `spec:"cert" doc:"our own certificate, where brokers ask for one"`
	Key  string `spec:"key" doc:"the key of cert"`
}

// SASL is a login.
type SASL struct {
	Mechanism string `spec:"mechanism,required,values=plain|scram-sha-256|scram-sha-512" example:"mechanism: scram-sha-512" doc:"plain, scram-sha-256 or scram-sha-512"`
	User      string `spec:"user,required" example:"user: NAME" doc:"the user"`
	Password  string `spec:"password,required" example:"password: ${KAFKA_PASSWORD}" doc:"the password"`
}

// String leaves the password out.
func (s SASL) String() string { return s.Mechanism + " as " + s.User }

// GoString leaves the password out.
func (s SASL) GoString() string { return s.String() }

// patience is how long to try to reach a broker at the start of a run.
const patience = 10 * time.Second

// validate gives what is wrong with the options by themselves.
func (a *Access) validate() []connector.Problem {
	var found []connector.Problem
	add := func(option, message, hint string) {
		found = append(found, connector.Problem{Option: option, Message: message, Hint: hint})
	}
	options := a.options()
	if _, err := options.Addresses(); err != nil {
		add("brokers", strings.TrimPrefix(err.Error(), "brokers: "), "write host:port, such as localhost:9092")
	}
	if t := a.TLS; t != nil && (t.Cert == "") != (t.Key == "") {
		given, lacking := "cert", "key"
		if t.Cert == "" {
			given, lacking = lacking, given
		}
		add("tls."+given, "tls has "+given+" but no "+lacking, "cert and key belong together: give both, or none")
	}
	if s := a.SASL; s != nil {
		if !slices.Contains(client.Mechanisms, s.Mechanism) {
			add("sasl.mechanism", fmt.Sprintf("mechanism can't be %q", s.Mechanism), "write "+strings.Join(client.Mechanisms, ", "))
		}
		if s.User == "" {
			add("sasl.user", "user is empty", "name the user")
		}
	}
	return found
}

// options gives the client's options.
func (a *Access) options() client.Options {
	o := client.Options{Dial: a.dial}
	for _, b := range a.Brokers {
		o.Brokers = append(o.Brokers, strings.Split(b, ",")...)
	}
	if t := a.TLS; t != nil {
		o.TLS = &client.TLS{CA: t.CA, Cert: t.Cert, Key: t.Key}
	}
	if s := a.SASL; s != nil {
		o.SASL = &client.SASL{Mechanism: s.Mechanism, User: s.User, Password: s.Password}
	}
	return o
}

// connect opens a client and makes sure that the cluster can be reached. What goes wrong later is repeated for as long as
// repeat says, 0 for as long as it takes to reach a broker; env is told.
func (a *Access) connect(ctx context.Context, env connector.Environment, repeat time.Duration) (*client.Client, error) {
	reach := cmp.Or(a.patience, patience)
	o := a.options()
	o.ClientID = strings.TrimSuffix("tidemark-"+env.Pipeline, "-")
	o.Patience = cmp.Or(repeat, reach)
	if env.Warn != nil {
		o.Notify = func(n client.Notice) { env.Warn(n.String()) }
	}
	c, err := client.Open(o)
	if err != nil {
		return nil, err
	}
	if err := c.Reach(ctx, reach); err != nil {
		c.Close()
		return nil, err
	}
	return c, nil
}
