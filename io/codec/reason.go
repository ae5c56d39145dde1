package codec

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"strings"
)

// anything takes any valid JSON and keeps nothing of it.
type anything struct{}

func (*anything) UnmarshalJSON([]byte) error { return nil }

// notObject says for people why a text is not one JSON object. It is for texts that were found not to be;
// the judgement of where the fault lies is left to encoding/json.
func notObject(text []byte) string {
	reason := fault(text)
	if other := otherFormat(bytes.TrimSpace(text)); other != "" {
		reason += "; looks like " + other + ", and this source reads one JSON object a line" + remedies[other]
	}
	return reason
}

// fault says where a text stops being one JSON object.
func fault(text []byte) string {
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

// remedies say what to write for a format that a source can read.
var remedies = map[string]string{
	"CSV":                 "; write format: csv",
	"CSV with semicolons": `; write format: csv, delimiter: ";"`,
	"text with tabs":      `; write format: csv, delimiter: "\t"`,
	"text with bars":      `; write format: csv, delimiter: "|"`,
}

// separated is a line whose first field, a word, a number or a text in quotes, ends at a separator.
var separated = regexp.MustCompile(`^("[^"]*"|[^\s"{}\[\],;:\t][^"{}\[\],;:\t]*)?([,;\t|])`)

// otherFormat names the format that a line which is no object likely has, "" if it may just be broken.
func otherFormat(line []byte) string {
	switch {
	case len(line) == 0:
	case string(line) == "[", line[0] == '[' && bytes.HasPrefix(bytes.TrimSpace(line[1:]), []byte{'{'}):
		return "a JSON array"
	case string(line) == "]", line[0] == '{' && line[len(line)-1] == ',' && json.Valid(line[:len(line)-1]):
		return "a line of a JSON array"
	case string(line) == "{", string(line) == "}", string(line) == "},", line[0] == '"' && memberLine(line):
		return "JSON over several lines"
	case bytes.HasPrefix(line, []byte("PAR1")):
		return "a Parquet file"
	case line[0] == '<':
		return "XML"
	}
	if m := separated.FindSubmatch(line); m != nil && !json.Valid(line) {
		return map[byte]string{',': "CSV", ';': "CSV with semicolons", '\t': "text with tabs", '|': "text with bars"}[m[2][0]]
	}
	return ""
}

// memberLine reports whether a line is one member of an object, such as `"a": 1,`.
func memberLine(line []byte) bool {
	object := append(append([]byte{'{'}, bytes.TrimSuffix(line, []byte{','})...), '}')
	return json.Valid(object)
}
