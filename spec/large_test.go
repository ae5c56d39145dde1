package spec

import (
	"strings"
	"testing"
)

// TestLarge reads large texts of one repeated part. None may take time that grows with the square of its length.
func TestLarge(t *testing.T) {
	for name, text := range map[string]string{
		"brackets": strings.Repeat("[", 50000),
		"closed":   strings.Repeat("[", 9000) + strings.Repeat("]", 9000),
		"dashes":   strings.Repeat("- ", 50000),
		"colons":   strings.Repeat("a: b: c\n", 20000),
		"indent":   strings.Repeat("a:\n b\n  c: d\n", 10000),
		"quotes":   strings.Repeat("\"", 50000),
		"commas":   "a: " + strings.Repeat("x, ", 50000) + ": y",
		"items":    "a: [" + strings.Repeat("f(x, ", 20000) + "]",
		"entries":  "a: {" + strings.Repeat("f(x: f(y, ", 5000) + "}",
		"lines":    "a: " + strings.Repeat("x\n  ", 50000),
		"tabs":     strings.Repeat("a:\n\tb\n", 5000),
		"aliases":  "a0: &a0 [x, x]\n" + bomb(40),
	} {
		if _, faults := check("p.yaml", []byte(text), Options{}); !faults.HasErrors() {
			t.Errorf("%s: no fault", name)
		}
	}
}

// bomb is a list of lists of lists, each twice the one before.
func bomb(depth int) string {
	var b strings.Builder
	for i := range depth {
		from, to := string(rune('a'+i/10))+string(rune('0'+i%10)), string(rune('a'+(i+1)/10))+string(rune('0'+(i+1)%10))
		b.WriteString(to + ": &" + to + " [*" + from + ", *" + from + "]\n")
	}
	return b.String()
}
