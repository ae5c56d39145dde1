package spec

import (
	"strings"
	"testing"
	"unicode/utf8"

	"pgregory.net/rapid"
)

// TestAt marks a place in a value with @ and looks where At says that it stands.
func TestAt(t *testing.T) {
	for name, text := range map[string]string{
		"plain":            "name: ab @cd\n",
		"single":           "name: 'it''s é日 @x'\n",
		"double":           `name: "a\t\"b\u00e9 é @x"` + "\n",
		"double multiline": "name: \"a\n  b \\\n  c @x\"\n",
		"literal":          "name: |\n  a\n\n    b\n  c @x\n",
		"literal keep":     "name: |2+\n    a\n  c @x\n\n\n",
		"folded":           "name: >-\n  a\n  b\n\n  c @x\n",
		"multi-line plain": "name: a\n  b\n  c @x\n",
		"anchored":         "name: &a !!str   'x @y'\n",
		"next line":        "name:\n  x @y\n",
		"flow":             "{description: 'a, b', name: \"x @y\"}\n",
		"crlf":             "name: |\r\n  a\r\n  b @x\r\n",
		"comment before":   "# é\nname: x @y # @\n",
	} {
		n, faults := ParseNode("p.yaml", []byte(text), Options{})
		if len(faults) > 0 {
			t.Errorf("%s: %v", name, faults)
			continue
		}
		value := n.Get("name")
		got := value.At(strings.IndexByte(value.Text, '@'))
		before := text[:strings.IndexByte(text, '@')]
		line := strings.Count(before, "\n") + 1
		want := Pos{line, utf8.RuneCountInString(before[strings.LastIndexByte(before, '\n')+1:]) + 1}
		if got != want {
			t.Errorf("%s: @ stands at %v, not %v (value %q)", name, want, got, value.Text)
		}
	}
}

// TestEveryByte checks for arbitrary quoted values that At goes through each character of them.
func TestEveryByte(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		value := rapid.StringMatching(`[a-z'é日:#{}\[\] ]{1,20}`).Draw(t, "value")
		written := "'" + strings.ReplaceAll(value, "'", "''") + "'"
		pad := strings.Repeat(" ", rapid.IntRange(1, 4).Draw(t, "pad"))
		text := "name:" + pad + written + "\n"
		n, faults := ParseNode("p.yaml", []byte(text), Options{})
		if len(faults) > 0 || n.Get("name").Text != value {
			t.Fatalf("%q: %v %v", text, n, faults)
		}
		for i := range value {
			p := n.Get("name").At(i)
			column := 7 + len(pad) + utf8.RuneCountInString(strings.ReplaceAll(value[:i], "'", "''"))
			if p != (Pos{1, column}) {
				t.Fatalf("%q: byte %d stands at %v, not column %d", text, i, p, column)
			}
		}
		if end := n.Get("name").End; end.Column != 6+len(pad)+utf8.RuneCountInString(written) {
			t.Fatalf("%q ends at %v", text, end)
		}
	})
}

// TestPos checks that offsets and places are each other's inverse.
func TestPos(t *testing.T) {
	d := newDocument("p", []byte("aé\r\nb\n\n日x\u2028y"))
	for i := 0; i <= len(d.text); i++ {
		if i < len(d.text) && !utf8.RuneStart(d.text[i]) || i > 0 && i < len(d.text) && d.text[i] == '\n' && d.text[i-1] == '\r' {
			continue
		}
		p := d.pos(i)
		if got := d.offset(p); got != i && breakAt(d.text, min(i, len(d.text)-1)) == 0 {
			t.Errorf("byte %d is at %v, which is byte %d", i, p, got)
		}
	}
	if len(d.lines) != 5 || string(d.line(1)) != "aé" || string(d.line(5)) != "y" {
		t.Errorf("lines %v", d.lines)
	}
}
