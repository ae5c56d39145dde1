// Package fileio reads lines from files and pipes, and writes files that are there whole or not at all.
//
// # Reading
//
// A regular file is cut into chunks of a constant size C: chunk n has the lines that start in the bytes
// [n·C, (n+1)·C). Claiming a chunk is adding one to a counter; whoever loads it reads its range and finds the
// line starts by itself, so nothing serial stands before the parsing. Each byte is read at most twice, however
// long the lines are. At most 512 files are open at once; a file that had to be closed is opened again where
// it is needed.
//
// Anything else (standard input, a named pipe, a device) is read by one goroutine, which hands on complete
// lines as soon as they are there and waits while as much as a chunk lies unread.
//
// # Writing
//
// A sink writes to a hidden file beside its target, .NAME.tidemark-PID-RANDOM, and on Commit syncs it, renames
// it, and syncs the folder. The hidden file is locked (flock) for as long as its run lives: a later run of the
// same target removes the ones whose lock is free and refuses to start while another run holds one. A target
// that exists and is no regular file, such as a named pipe or /dev/full, is written to directly.
package fileio
