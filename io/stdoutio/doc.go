// Package stdoutio writes rows to standard output: as JSON lines for programs, or as a table for people.
//
// Lines are buffered and written whole when the engine says Flush, so a reader never sees half a line.
//
// # A reader that goes away
//
// When the reader of standard output has gone (as with | head), every method gives an error that is
// [connector.ErrClosed]. A Go program never sees that by itself: a failed write to file descriptor 1 kills it
// with SIGPIPE. So the program must call signal.Ignore(syscall.SIGPIPE) before it writes.
//
// # The table
//
// A table of a stream has no last row to wait for. Its columns are as wide as the header and the rows before
// the first Flush need; a later value that is wider makes its column wider from there on. Libraries that lay
// out tables (text/tabwriter, go-pretty) want all rows of a table first and forget the widths when they have
// written it, so neither is used here: padding a cell is less than what either would need around it.
package stdoutio
