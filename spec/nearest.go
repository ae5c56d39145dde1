package spec

import (
	"slices"
	"strings"
)

// Nearest finds the known word that was most likely meant: the one with the fewest letters changed, added, left
// out or swapped, if those are few for the word's length. Case, - and _ count for nothing. Ties go to the first
// known word.
func Nearest(word string, known []string) (string, bool) {
	w := fold(word)
	best, distance := "", len(w)/3+1
	if len(w) < 3 {
		distance = 1
	}
	for _, k := range known {
		f := fold(k)
		n := editDistance(w, f)
		if n > 1 && len(w) >= 4 && (strings.HasPrefix(f, w) || strings.HasPrefix(w, f) && len(f) >= 4) {
			n = 1 // one is short for the other
		}
		if n >= len(f) || n > 1 && len(w) < 6 && f[0] != w[0] { // little of the word is left
			continue
		}
		if n < distance || n == distance && best == "" {
			best, distance = k, n
		}
	}
	return best, best != ""
}

func fold(word string) string {
	return strings.NewReplacer("-", "", "_", "").Replace(strings.ToLower(word))
}

// editDistance counts the letters to change, add, leave out or swap with their neighbour to make b of a.
func editDistance(a, b string) int {
	if len(a) > 64 || len(b) > 64 {
		return 64
	}
	before, last := make([]int, len(b)+1), make([]int, len(b)+1)
	for j := range last {
		last[j] = j
	}
	for i := 1; i <= len(a); i++ {
		row := make([]int, len(b)+1)
		row[0] = i
		for j := 1; j <= len(b); j++ {
			cost := 1
			if a[i-1] == b[j-1] {
				cost = 0
			}
			row[j] = min(last[j]+1, row[j-1]+1, last[j-1]+cost)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				row[j] = min(row[j], before[j-2]+1)
			}
		}
		before, last = last, row
	}
	return last[len(b)]
}

// meant finds the known key that a word stands for: by the words of other tools first, then by its letters.
func meant(word string, known []string) string {
	for _, ours := range otherWords[strings.ReplaceAll(strings.ToLower(word), "-", "_")] {
		if slices.Contains(known, ours) {
			return ours
		}
	}
	near, _ := Nearest(word, known)
	return near
}
