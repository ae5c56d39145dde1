package infer

import (
	"context"
	"strings"
	"testing"

	"tidemark/spec"
)

// FuzzGuess guesses from any bytes: there is an error or a block that is YAML, in which nothing is a variable.
func FuzzGuess(f *testing.F) {
	for _, text := range []string{
		"{\"ts\":1,\"a\":[null]}\n{}\n", "a;b\n1;02/01/2024\n2;3\n", "a,a\n\"x\ny\",2\n", "[1]", "{\n", "text\n", "\xef\xbb\xbfa|b\n1|2\n",
		"\x1f\x8b", "${X},b\n1,2\n", "\xff,b\n1,2\n", "{\"\\ud800\":1}\n", "PAR1", "\x7f,\u009f\n,\n", "\ufeff\ufeff,\uffff\n1,2\n", "day,clock\n2024-05-01,10:00\n",
	} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		s, err := Guess(context.Background(), Options{Paths: []string{"-"}, Stdin: strings.NewReader(text), Records: 20})
		if err != nil {
			if strings.TrimSpace(err.Error()) == "" {
				t.Error("an error without words")
			}
			return
		}
		var b strings.Builder
		if err := s.WriteYAML(&b); err != nil {
			t.Fatal(err)
		}
		file, found := spec.Parse("p.yaml", []byte(b.String()+"sinks:\n  out_of_it: {from: input, type: stdout}\n"), spec.Options{})
		if found.HasErrors() || file == nil || len(file.Sources) != 1 {
			t.Errorf("%v in\n%s", found, b.String())
		}
	})
}
