package runner

import (
	"context"
	"io"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// piped reads standard input and a named pipe, of which one gives nothing while the other is awaited.
const piped = `
sources:
  in: {type: file, path: "-", timestamp: {expr: ts, unit: ms}, watermark: 0s}
  other: {type: file, path: "${dir}/pipe", timestamp: {expr: ts, unit: ms}, watermark: 0s}
transforms:
  counted: {from: [in, other], window: {tumbling: 10s}, aggregate: {n: count()}}
sinks:
  out: {from: counted, type: file, path: "${dir}/out.jsonl"}
  raw: {from: [in, other], type: stdout}
`

// TestBlockedPipe stops a run that waits for pipes which give nothing more.
func TestBlockedPipe(t *testing.T) {
	for name, o := range settings {
		for _, drain := range []bool{false, true} {
			p := newTrial(t, piped, nil)
			if err := syscall.Mkfifo(filepath.Join(p.folder, "pipe"), 0o600); err != nil {
				t.Fatal(err)
			}
			fifo, err := os.OpenFile(filepath.Join(p.folder, "pipe"), os.O_RDWR, 0)
			if err != nil {
				t.Fatal(err)
			}
			reader, writer := io.Pipe()
			ctx, cancel := context.WithCancel(context.Background())
			lines := make(chan string, 4)
			o.Stdin, o.Stdout, o.Drain = reader, printed(lines), drain
			go func() {
				io.WriteString(fifo, `{"ts":1700000000001}`+"\n")
				io.WriteString(writer, `{"ts":1700000000000}`+"\n")
				for through := 0; through < 2; { // though neither input has ended
					through += strings.Count(<-lines, "\n")
				}
				cancel()
			}()
			began := time.Now()
			_, report, err := p.run(ctx, o)
			if err != nil || !report.Stopped || time.Since(began) > 5*time.Second {
				t.Errorf("%s: %v, %+v", name, err, report)
			}
			want, told := "", "counted: stopped before the end: 2 records in 1 open window were given up"
			if drain {
				want, told = `{"window_start":"2023-11-14T22:13:20Z","window_end":"2023-11-14T22:13:30Z","n":2}`+"\n", ""
			}
			if got, warned := p.read("out.jsonl"), strings.Join(p.warned, "\n"); got != want || !strings.HasPrefix(warned, told) {
				t.Errorf("%s, drain %v: %q, warned %q", name, drain, got, warned)
			}
			writer.Close()
			fifo.Close()
		}
	}
}

// printed is a standard output that passes on what is written.
type printed chan string

func (p printed) Write(text []byte) (int, error) {
	p <- string(text)
	return len(text), nil
}
