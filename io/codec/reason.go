package codec

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
)

// anything takes any valid JSON and keeps nothing of it.
type anything struct{}

func (*anything) UnmarshalJSON([]byte) error { return nil }

// notObject says for people why a text is not one JSON object. It is for texts that were found not to be;
// the judgement of where the fault lies is left to encoding/json.
func notObject(text []byte) string {
	err := json.Unmarshal(text, new(anything))
	var syntax *json.SyntaxError
	if errors.As(err, &syntax) {
		what := syntax.Error()
		if strings.HasPrefix(what, "unexpected end of") {
			return fmt.Sprintf("not JSON: unexpected end of line at column %d", len(text)+1)
		}
		return fmt.Sprintf("not JSON: %s at column %d", what, max(syntax.Offset, 1))
	}
	if err != nil {
		return "not JSON: " + err.Error()
	}
	return "not an object: " + describe(bytes.TrimSpace(text))
}

// describe names the kind of a valid JSON value.
func describe(value []byte) string {
	switch value[0] {
	case '[':
		return "a list"
	case '"':
		return "a text"
	case 't', 'f', 'n':
		return string(value)
	case '{':
		return "an object"
	}
	return "a number"
}
