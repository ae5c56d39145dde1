package progress

import (
	"io"
	"os"
	"sync"
)

// Console is where people read what a run says. Several goroutines may write to it, and a line of progress stands
// below what they write: it is taken away before them, and comes again with the next progress.
type Console struct {
	mu  sync.Mutex
	out io.Writer
	// shown says that the line of progress stands there, broken that something else has not ended its line.
	shown, broken bool
}

// NewConsole makes a console of a writer, which is the standard error of a process.
func NewConsole(out io.Writer) *Console { return &Console{out: out} }

// What a terminal takes for commands. A line that is too long is cut at the right edge, since one that is broken could
// not be taken back.
const (
	back      = "\r"
	erase     = "\x1b[K"
	cutLines  = "\x1b[?7l"
	wrapLines = "\x1b[?7h"
)

// Write writes what is to stay.
func (c *Console) Write(p []byte) (int, error) { return c.write(c.out, p) }

func (c *Console) write(w io.Writer, p []byte) (int, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.clear()
	if len(p) > 0 {
		c.broken = p[len(p)-1] != '\n'
	}
	return w.Write(p)
}

// Beside gives a writer to the same terminal as w is, such as standard output, that does not tear the line either.
func (c *Console) Beside(w io.Writer) io.Writer { return beside{c, w} }

type beside struct {
	console *Console
	out     io.Writer
}

// Write implements [io.Writer].
func (b beside) Write(p []byte) (int, error) { return b.console.write(b.out, p) }

// Show shows a line of progress in place of the former one, unless another line is not at its end.
func (c *Console) Show(line string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.broken {
		return
	}
	_, _ = io.WriteString(c.out, cutLines+back+line+erase+wrapLines) // who can't be shown progress does not miss it
	c.shown = true
}

// Clear takes the line of progress away.
func (c *Console) Clear() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.clear()
}

func (c *Console) clear() {
	if c.shown {
		_, _ = io.WriteString(c.out, back+erase)
		c.shown = false
	}
}

// IsTerminal reports whether a reader or writer is a terminal that lines can be taken back from.
func IsTerminal(stream any) bool {
	f, ok := stream.(*os.File)
	if !ok || os.Getenv("TERM") == "dumb" {
		return false
	}
	info, err := f.Stat()
	return err == nil && info.Mode()&os.ModeCharDevice != 0
}
