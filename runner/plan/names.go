package plan

import (
	"strconv"
	"strings"

	"tidemark/io/codec"
	"tidemark/stream"
)

func pathKey(p stream.Path) string { return strings.Join(p, "\x00.") }

func isRaw(p stream.Path) bool { return p.Equal(codec.Raw) }

func itoa(i int) string { return strconv.Itoa(i) }

func contains(list []string, name string) bool {
	for _, x := range list {
		if x == name {
			return true
		}
	}
	return false
}

// without gives the list less a name, leaving the list itself as it is.
func without(list []string, name string) []string {
	if !contains(list, name) {
		return list
	}
	out := make([]string, 0, len(list)-1)
	for _, x := range list {
		if x != name {
			out = append(out, x)
		}
	}
	return out
}

func hasField(fields []stream.Field, name string) bool {
	for _, f := range fields {
		if f.Name == name {
			return true
		}
	}
	return false
}
