package plan

import (
	"strconv"
	"strings"

	"tidemark/spec"
)

// shortest is the length in bytes from which on the text of a secret is looked for anywhere in a message. A shorter
// one would be found in words that have nothing to do with it.
const shortest = 4

// redact gives a message with what is written in the file in the place of the values below n that came from the
// environment.
func redact(n *spec.Node, message string) string {
	if n == nil || message == "" {
		return message
	}
	if n.Secret() && n.Text != "" {
		message = strings.ReplaceAll(message, strconv.Quote(n.Text), strconv.Quote(n.Raw))
		if len(n.Text) >= shortest {
			message = strings.ReplaceAll(message, n.Text, n.Raw)
		}
		for _, s := range n.Secrets {
			if len(s.Value) >= shortest {
				message = strings.ReplaceAll(message, s.Value, s.Written)
			}
		}
	}
	for _, item := range n.Items {
		message = redact(item, message)
	}
	for _, e := range n.Entries {
		message = redact(e.Value, message)
	}
	return message
}

// Expression gives the step's expression as people may read it: as it is written in the file where parts of it
// came from the environment.
func (s Step) Expression() string {
	switch {
	case s.Program == nil:
		return ""
	case s.Node != nil && s.Node.Secret():
		return s.Node.Raw
	}
	return s.Program.Source()
}
