package expression

import (
	"slices"
	"strings"

	"github.com/expr-lang/expr/builtin"
)

// builtinNames are the functions of expr-lang.
var builtinNames = func() map[string]bool {
	m := make(map[string]bool, len(builtin.Builtins))
	for _, f := range builtin.Builtins {
		m[f.Name] = true
	}
	return m
}()

// functionNames gives all functions in the order of the alphabet.
func functionNames(ours map[string]*builtin.Function) []string {
	var out []string
	for name := range builtinNames {
		out = append(out, name)
	}
	for name := range ours {
		out = append(out, name)
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// suggest words a hint for a name that is not among the known ones.
func suggest(name string, known []string) string {
	list := "fields here: " + strings.Join(known, ", ")
	if len(known) == 0 {
		list = "there are no fields here"
	}
	if near, ok := nearest(name, known); ok {
		return "did you mean `" + near + "`? " + list
	}
	return list
}

// nearest gives the known word that takes the fewest edits to get from word, if it is near enough to be meant.
func nearest(word string, known []string) (string, bool) {
	best, found := max(1, (len(word)+1)/3)+1, ""
	for _, k := range known {
		if d := distance(strings.ToLower(word), strings.ToLower(k)); d < best {
			best, found = d, k
		}
	}
	return found, found != ""
}

// distance counts the insertions, deletions, changes and swaps of neighbours that lead from a to b.
func distance(a, b string) int {
	before, last, row := make([]int, len(b)+1), make([]int, len(b)+1), make([]int, len(b)+1)
	for j := range last {
		last[j] = j
	}
	for i := 1; i <= len(a); i++ {
		row[0] = i
		for j := 1; j <= len(b); j++ {
			cost := 1
			if a[i-1] == b[j-1] {
				cost = 0
			}
			row[j] = min(row[j-1]+1, last[j]+1, last[j-1]+cost)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				row[j] = min(row[j], before[j-2]+1)
			}
		}
		before, last, row = last, row, before
	}
	return last[len(b)]
}
