package spec

import (
	"fmt"
	"reflect"
	"strings"
	"testing"
)

// testForms has options that are written in several ways.
type testForms struct {
	Topic  string        `spec:"topic,exclusive=topics"`
	Topics []string      `spec:"topics,exclusive=topics,required" example:"topics: [NAME]"`
	Start  testPosition  `spec:"start" example:"start: earliest"`
	Stop   *testPosition `spec:"stop"`
	TLS    *testTLS      `spec:"tls" example:"tls: true"`
}

type testPosition struct {
	At      string          `spec:"at,short,exclusive=position,values=earliest|latest"`
	Offsets map[int32]int64 `spec:"offsets,exclusive=position" example:"offsets: {0: 12}"`
	Force   bool            `spec:"force"`
}

type testTLS struct {
	Enabled *bool  `spec:"enabled,short"`
	CA      string `spec:"ca"`
}

// TestDecodeForms: a text stands for one key of a map, numbers are keys, and one key of a group is required.
func TestDecodeForms(t *testing.T) {
	yes := true
	for text, want := range map[string]testForms{
		"topic: a\nstart: latest\ntls: true\n": {Topic: "a", Start: testPosition{At: "latest"}, TLS: &testTLS{Enabled: &yes}},
		"topics: [a]\nstop: {at: earliest, force: true}\ntls: {ca: x.pem}\n": {
			Topics: []string{"a"}, Stop: &testPosition{At: "earliest", Force: true}, TLS: &testTLS{CA: "x.pem"}},
		"topic: a\nstart: {offsets: {0: 12, 10: 9223372036854775807}}\n": {
			Topic: "a", Start: testPosition{Offsets: map[int32]int64{0: 12, 10: 1<<63 - 1}}},
	} {
		var got testForms
		if faults := decode(t, text, &got); len(faults) > 0 || !reflect.DeepEqual(got, want) {
			t.Errorf("%s%+v\n%v", text, got, faults)
		}
	}
	for text, want := range map[string]string{
		"start: latest\n":                                  `needs "topics"`,
		"topic: a\ntopics: [a]\n":                          "topic and topics cannot both be given",
		"topic: a\nstart: lates\n":                         `"start" wants earliest or latest, got "lates" [did you mean latest?]`,
		"topic: a\nstart: 5\n":                             `"start" wants earliest or latest, got "5" [start: earliest]`,
		"topic: a\nstart: [latest]\n":                      `"start" wants earliest or latest, got a list`,
		"topic: a\nstart: {at: 5}\n":                       `"at" wants earliest or latest`,
		"topic: a\nstart: {offset: {0: 1}}\n":              "unknown key",
		"topic: a\nstart: {offsets: {a: 1}}\n":             `"offsets" wants whole numbers as keys, got "a" [offsets: {0: 12}]`,
		"topic: a\nstart: {offsets: {3000000000: 1}}\n":    `"offsets" wants whole numbers as keys`,
		"topic: a\nstart: {offsets: {0: 1, 00: 2}}\n":      "key 0 is given twice",
		"topic: a\nstart: {offsets: {0: x}}\n":             `"offsets" wants a whole number`,
		"topic: a\nstart: {offsets: {}}\n":                 `"offsets" is empty`,
		"topic: a\nstart: {offsets: 12}\n":                 `"offsets" wants a map`,
		"topic: a\nstart: {at: latest, offsets: {0: 1}}\n": "at and offsets cannot both be given",
		"topic: a\ntls: maybe\n":                           `"tls" wants true or false, got text "maybe" [tls: true]`,
	} {
		var got testForms
		faults := decode(t, text, &got)
		if len(faults) != 1 || !strings.Contains(fmt.Sprintf("%s [%s]", faults[0].Message, faults[0].Hint), want) {
			t.Errorf("%s%v", text, faults)
		}
	}
}
