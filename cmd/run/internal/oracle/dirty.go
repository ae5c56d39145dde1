package oracle

import (
	"encoding/json"
	"fmt"
	"strings"
)

// IsDirty says that the sink reads dirty outputs.
func (s Sink) IsDirty() bool { return strings.HasSuffix(s.From[0], ".dirty") }

// dirty gives a dirty record's line: the parts that do not depend on wording, raw being what was read or the
// record as it came in. It is no row of a window, whatever it was before.
func dirty(node, raw string) Row { return Row{base: plain(node, raw)} }

// PlainDirty brings a dirty record's line, as the engine writes it, to the form of Result.Lines.
func PlainDirty(line string) (string, error) {
	var record struct {
		Node string
		Raw  json.RawMessage
	}
	if err := json.Unmarshal([]byte(line), &record); err != nil {
		return "", fmt.Errorf("dirty record %s: %w", line, err)
	}
	var text string
	if json.Unmarshal(record.Raw, &text) != nil {
		text = string(record.Raw) // an object
	}
	return plain(record.Node, text), nil
}

// plain spells a raw record that is JSON in one way, whatever the order of its fields and its escapes.
func plain(node, raw string) string {
	decoder := json.NewDecoder(strings.NewReader(raw))
	decoder.UseNumber()
	var value any
	if err := decoder.Decode(&value); err == nil && !decoder.More() {
		raw = encode(value, false)
	}
	return fmt.Sprintf(`{"node":%s,"raw":%s}`, encode(node, false), encode(raw, false))
}
