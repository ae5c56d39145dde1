package expression

import (
	"strings"

	"github.com/expr-lang/expr/ast"

	"tidemark/stream"
)

// pickFunction gives the kernel of a function that picks a part of a text, or nil.
func (b *builder) pickFunction(name string, args []ast.Node) kernel {
	switch {
	case name == "url_host" && len(args) == 1:
		return &pickCall{arg: b.build(args[0]), pick: hostIn}
	case name == "regex_extract" && len(args) > 1:
		settings := []any{""}
		for _, n := range args[1:] {
			v, known := literal(n)
			if !known {
				return nil
			}
			settings = append(settings, v)
		}
		if _, text := settings[1].(string); !text {
			return nil
		}
		if _, err := regexExtract(settings...); err != nil {
			return nil
		}
		return &pickCall{arg: b.build(args[0]), pick: func(text string) (string, bool) {
			settings[0] = text
			v, _ := regexExtract(settings...)
			part, found := v.(string)
			return part, found
		}}
	}
	return nil
}

// pickCall is a function that gives a text or nil for a text. Short texts are remembered.
type pickCall struct {
	arg  kernel
	pick func(text string) (part string, found bool)
	seen memo[picked]
	out  stream.Column
}

type picked struct {
	part  []byte
	found bool
}

func (k *pickCall) eval(f frame, rows []int32) *stream.Column {
	a := k.arg.eval(f, rows)
	if a.Kind != stream.String {
		return redoAll(&k.out, stream.String, f.n, rows)
	}
	start(stream.String, f, &k.out, a, rows)
	for _, r := range rows {
		if !ok(&k.out, r) {
			continue
		}
		if !k.take(a.Bytes(int(r)), int(r)) {
			if k.out.Odd == 0 {
				untag(&k.out, f.n)
			}
			tag(&k.out, r, stream.TagNull)
		}
	}
	return &k.out
}

// take sets a row to the part of a text and reports whether there is one.
func (k *pickCall) take(text []byte, row int) (found bool) {
	value, known := k.seen.find(text)
	if value == nil {
		part, found := k.pick(string(text))
		if found {
			k.out.SetString(row, part)
		}
		return found
	}
	if !known {
		part, found := k.pick(string(text))
		value.part, value.found = append(value.part[:0], part...), found
	}
	if value.found {
		k.out.SetBytes(row, value.part)
	}
	return value.found
}

// hostIn gives the host of a URL.
func hostIn(text string) (host string, found bool) {
	if host, plain := plainHost(text); plain {
		return strings.ToLower(host), true
	}
	v, _ := urlHost(text)
	host, found = v.(string)
	return host, found
}

// plainHost gives the host of a URL that needs no parser: letters, "://", a name, then a path, a query or nothing. It
// reports false for all others, be they URLs or not.
func plainHost(text string) (host string, plain bool) {
	scheme, rest, found := strings.Cut(text, "://")
	if !found || scheme == "" || strings.ContainsFunc(scheme, notLetter) {
		return "", false
	}
	for _, c := range []byte(rest) {
		if c < ' ' || c == 0x7f || c == '%' { // what a parser may object to
			return "", false
		}
	}
	end := strings.IndexAny(rest, "/?#")
	if end < 0 {
		end = len(rest)
	}
	host = rest[:end]
	return host, host != "" && !strings.ContainsFunc(host, notInName)
}

func notLetter(c rune) bool { return (c < 'a' || c > 'z') && (c < 'A' || c > 'Z') }

func notInName(c rune) bool { return notLetter(c) && (c < '0' || c > '9') && c != '-' && c != '.' }
