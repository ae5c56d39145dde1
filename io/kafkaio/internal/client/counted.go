package client

import "fmt"

// Counted gives a number with the words for one, or for another number, of what it counts.
func Counted[N int | int64](n N, one, many string) string {
	if n == 1 {
		many = one
	}
	return fmt.Sprintf("%d %s", n, many)
}
