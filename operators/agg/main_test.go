package agg

import "flag"

// Properties are cheap here, so they are tried more often than by default; the command line may say otherwise.
func init() {
	if err := flag.Set("rapid.checks", "1000"); err != nil {
		panic(err)
	}
}
