//go:build unix

package main

import (
	"os/signal"
	"syscall"
)

// A write beyond the greatest size of a file (ulimit -f) is an error like any other, not the end of the process.
func init() { signal.Ignore(syscall.SIGXFSZ) }
