package codec

import (
	"bytes"
	"math/rand/v2"
	"testing"
	"time"

	"tidemark/stream"
)

// seeds are lines that mutations start from.
var seeds = []string{
	`{"a":1,"b":"x","c":2.5}`, `{"a":12345678,"b":"some longer text here","c":{"d":[1,2,3],"a":null}}`,
	`{"a":{"b":{"c":1,"d":"e"},"k":7},"c":true}`, `{ "a" : -17 , "b" : false, "c": 1.25e3 }`,
	`{"c":"\u00e9\n","a":"é","b":[]}`, `{"a":9007199254740993,"b":0.1,"c":-0,"d":1,"e":2,"f":3,"g":4,"h":5,"i":6,"j":7,"k":8}`,
	`{"a":{"b":5},"a":{"a":{"a":3}}}`, `{"":0,"a":99999999999999999999,"c":1e999}`, `{"a":{},"b":{"c":{}}}`, ``, ` `,
}

var snippets = []string{
	`"`, `\`, `{`, `}`, `[`, `]`, `,`, `:`, "\n", "\r\n", " ", "\t", `"a":`, `"b":1,`, `,"c":"x"`, `null`, `true`, `1`, `-`, `.`, `e`, `0`,
	`\u`, `\ud800`, `\udc00`, "\xff", "é", "\x00", `{"a":{"b":`, `"a"`, `12345678`, `1e400`, `\"`,
}

func mutate(r *rand.Rand, text []byte) []byte {
	for range 1 + r.IntN(3) {
		at := r.IntN(len(text) + 1)
		switch r.IntN(5) {
		case 0:
			text = append(text[:at:at], append([]byte(snippets[r.IntN(len(snippets))]), text[at:]...)...)
		case 1:
			to := at + r.IntN(min(5, len(text)-at+1))
			text = append(text[:at:at], text[to:]...)
		case 2:
			if at < len(text) {
				text[at] = byte(r.IntN(256))
			}
		case 3:
			if at < len(text) {
				text[at] = snippets[r.IntN(len(snippets))][0]
			}
		case 4:
			from := r.IntN(len(text) + 1)
			to := from + r.IntN(min(20, len(text)-from+1))
			text = append(text[:at:at], append(bytes.Clone(text[from:to]), text[at:]...)...)
		}
	}
	return text
}

// The lines of a scanner that has learned, mutated at random, give what encoding/json gives.
func TestScanOfMutatedLines(t *testing.T) {
	const most = 300_000
	deadline := time.Now().Add(3 * time.Second)
	r := rand.New(rand.NewPCG(1, 2))
	scanners := make([]*JSONScanner, len(projections))
	batches := make([]stream.Batch, len(projections))
	for i, columns := range projections {
		scanners[i] = NewJSONScanner(columns, 0)
	}
	lines := 0
	for lines < most && time.Now().Before(deadline) {
		var text []byte
		for range 1 + r.IntN(8) {
			line := []byte(seeds[r.IntN(len(seeds))])
			if r.IntN(3) > 0 {
				line = mutate(r, line)
			}
			text = append(append(text, line...), '\n')
			lines++
		}
		if r.IntN(4) == 0 {
			text = text[:len(text)-1]
		}
		i := r.IntN(len(projections))
		scan(scanners[i], text, &batches[i])
		compare(t, scanners[i], projections[i], text, &batches[i])
	}
	t.Logf("%d lines", lines)
}

func FuzzScan(f *testing.F) {
	for i, line := range seeds {
		f.Add([]byte(line+"\n"+seeds[0]), uint8(i))
	}
	f.Fuzz(func(t *testing.T, text []byte, which uint8) {
		columns := projections[int(which)%len(projections)]
		s := NewJSONScanner(columns, 0)
		var b stream.Batch
		// The second time the trie has learned what the first one taught it.
		for range 2 {
			scan(s, text, &b)
			compare(t, s, columns, text, &b)
		}
	})
}
