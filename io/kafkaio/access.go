package kafkaio

import (
	"strings"

	"tidemark/io/connector"
	"tidemark/io/kafkaio/internal/client"
)

// TLS says whom to trust and who we are.
type TLS struct {
	Enabled *bool  `spec:"enabled,short" doc:"whether to speak TLS at all; true unless it says false"`
	CA      string `spec:"ca" doc:"the PEM file of the authority that signed the brokers' certificates; else those that the system knows"`
	Cert    string `spec:"cert" doc:"the PEM file of our own certificate, where brokers ask for one"`
	Key     string `spec:"key" doc:"the PEM file of the key of cert"`
}

// SASL is a login.
type SASL struct {
	Mechanism string `spec:"mechanism,required,values=plain|scram-sha-256|scram-sha-512" example:"mechanism: scram-sha-512" doc:"how the password is shown to the brokers"`
	User      string `spec:"user,required" example:"user: NAME" doc:"the name to log in with"`
	Password  string `spec:"password,required" example:"password: '${KAFKA_PASSWORD}'" doc:"the password to log in with"`
}

// validate checks what can be checked without reading the files.
func (t *TLS) validate() []connector.Problem {
	if t == nil || (t.Cert == "") == (t.Key == "") {
		return nil
	}
	given, lacking := "cert", "key"
	if t.Cert == "" {
		given, lacking = lacking, given
	}
	return []connector.Problem{{Option: "tls." + given, Message: "tls has " + given + " but no " + lacking,
		Hint: "cert and key belong together: give both, or none"}}
}

func (t *TLS) client() *client.TLS {
	if t == nil || t.Enabled != nil && !*t.Enabled {
		return nil
	}
	return &client.TLS{CA: t.CA, Cert: t.Cert, Key: t.Key}
}

func (s *SASL) client() *client.SASL {
	if s == nil {
		return nil
	}
	return &client.SASL{Mechanism: s.Mechanism, User: s.User, Password: s.Password}
}

// validate has the client check the login, which opens no connection.
func (s *SASL) validate() []connector.Problem {
	if s == nil {
		return nil
	}
	return check("sasl", "give mechanism, user and password", client.Options{Brokers: []string{"localhost"}, SASL: s.client()})
}

// validateBrokers has the client check the addresses.
func validateBrokers(brokers []string) []connector.Problem {
	return check("brokers", "write host:port, such as localhost:9092", client.Options{Brokers: addresses(brokers)})
}

// check makes a problem of what the client says against its options.
func check(option, hint string, o client.Options) []connector.Problem {
	c, err := client.Open(o)
	if err != nil {
		return []connector.Problem{{Option: option, Message: err.Error(), Hint: hint}}
	}
	c.Close()
	return nil
}

// addresses takes apart texts with several addresses.
func addresses(brokers []string) (all []string) {
	for _, text := range brokers {
		all = append(all, strings.Split(text, ",")...)
	}
	return all
}
