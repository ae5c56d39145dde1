package plan

import (
	"slices"

	"tidemark/io/connector"
	"tidemark/spec"
)

// clause gives the value of a key of a block, also where the key is misspelled and the decoder guesses it.
func (c *compiler) clause(b *spec.Block, key string) *spec.Node {
	if n := b.Node.Get(key); n != nil {
		return n
	}
	known := knownKeys(b)
	for i := range b.Node.Entries {
		e := &b.Node.Entries[i]
		if slices.Contains(known, e.Key) {
			continue
		}
		if _, meant := spec.UnknownKey(e, "", known); meant == key {
			return e.Value
		}
	}
	return nil
}

// option is clause for a value that was decoded, so that it must stand somewhere.
func (c *compiler) option(b *spec.Block, key string) *spec.Node {
	if n := c.clause(b, key); n != nil {
		return n
	}
	return b.Node
}

// knownKeys gives the keys that a block may have; none where its kind is not known.
func knownKeys(b *spec.Block) []string {
	switch b.Role {
	case spec.Transform:
		return spec.Keys(&transformOptions{})
	case spec.Source:
		return keysOfKind(connector.SourceRole, b.Type, commonSource)
	}
	return keysOfKind(connector.SinkRole, b.Type, commonSink)
}

func keysOfKind(role connector.Role, name string, common []string) []string {
	kind, ok := connector.Lookup(role, name)
	if !ok {
		return common
	}
	return append(slices.Clone(commonOf(kind, common)), spec.Keys(kind.New())...)
}

// faulty reports whether found has a problem at a value, or below it.
func faulty(found spec.Diagnostics, n *spec.Node) bool {
	if n == nil {
		return false
	}
	return n.Unset || slices.ContainsFunc(found, func(d spec.Diagnostic) bool {
		p := spec.Pos{Line: d.Line, Column: d.Column}
		return d.Severity == spec.Error && !p.Before(n.Pos) && (p == n.Pos || p.Before(n.End))
	})
}

// optionOf gives the value of a key of a map, the map itself where the key is misspelled.
func optionOf(n *spec.Node, key string) *spec.Node {
	if value := n.Get(key); value != nil {
		return value
	}
	return n
}
