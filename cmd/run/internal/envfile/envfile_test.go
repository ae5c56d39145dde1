package envfile

import (
	"errors"
	"maps"
	"strings"
	"testing"
)

// TestParse reads lines, each into the value of A.
func TestParse(t *testing.T) {
	for line, want := range map[string]string{
		"A=1":                          "1",
		"A=":                           "",
		"A=  spaced out  ":             "spaced out",
		"  export A=1":                 "1",
		"export\tA=1":                  "1",
		"A=a=b":                        "a=b",
		"A=a#b # c":                    "a#b",
		"A=# none":                     "",
		"A= # none":                    "",
		"A=it's":                       "it's",
		"A=$B ${C}":                    "$B ${C}",
		`A=C:\new`:                     `C:\new`,
		`A='a # "b" \n $'`:             `a # "b" \n $`,
		`A='a' # b`:                    "a",
		`A="a\tb\n\"c\" \\ \$ \r # d"`: "a\tb\n\"c\" \\ $ \r # d",
		`A=""`:                         "",
		"A=1\r":                        "1",
		"\ufeffA=1":                    "1",
		"A=1\nA=2":                     "2",
		"# A=1\n\n\t\nA=ä\n":           "ä",
	} {
		got, err := Parse("x", line)
		if err != nil || got["A"] != want || len(got) != 1 {
			t.Errorf("%q gives %q, %v, want %q", line, got, err, want)
		}
	}
	got, err := Parse("x", "A=1\nexport _b2='2'\n# C=3\nexport=4\n")
	if want := map[string]string{"A": "1", "_b2": "2", "export": "4"}; err != nil || !maps.Equal(got, want) {
		t.Errorf("%v, %v", got, err)
	}
}

// TestErrors says where a line is wrong and never what its value is.
func TestErrors(t *testing.T) {
	for line, want := range map[string]string{
		"secret":        "there is no =",
		"export":        "there is no =",
		"=secret":       `"" is no name`,
		"A =secret":     `"A " is no name`,
		"9A=secret":     `"9A" is no name`,
		"A-B=secret":    `"A-B" is no name`,
		"A='secret":     "the ' is not closed",
		`A="secret`:     `the " is not closed`,
		`A="secret\`:    `the " is not closed`,
		`A="secret\q"`:  `a \ wants n, r, t`,
		`A="secret"s`:   "follows the closing quote",
		"A='secret'#no": "follows the closing quote",
	} {
		_, err := Parse("dev.env", "\n# fine\nB=1\n"+line+"\nC=2\n")
		var fault *Error
		if !errors.As(err, &fault) || !strings.HasPrefix(err.Error(), "dev.env:4: ") || !strings.Contains(err.Error(), want) {
			t.Errorf("%q gives %v, want %s", line, err, want)
		} else if strings.Contains(err.Error(), "secret") {
			t.Errorf("%q: the error shows the value: %v", line, err)
		}
	}
}

// FuzzParse wants a place of every error, and good names; values in single quotes come back as they are.
func FuzzParse(f *testing.F) {
	for _, seed := range []string{"A=1\n", "export A='b' # c", `A="\n`, "A", "\ufeff#\r\nB=\"x\"y"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		values, err := Parse("x", text)
		var fault *Error
		if errors.As(err, &fault) && (fault.Line < 1 || fault.Line > strings.Count(text, "\n")+1 || fault.Problem == "") {
			t.Errorf("%q gives %+v", text, fault)
		}
		for name, value := range values {
			if !isName(name) {
				t.Errorf("%q has the name %q", text, name)
			}
			if strings.ContainsAny(value, "'\n\r") {
				continue
			}
			if again, err := Parse("x", name+"='"+value+"'"); err != nil || again[name] != value {
				t.Errorf("%q comes back as %q, %v", value, again[name], err)
			}
		}
	})
}
