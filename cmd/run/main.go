// Command tidemark checks and runs pipeline files.
//
// Results go to the sinks; everything that is meant for people goes to standard error. The exit code is 0 when the
// work is done, 1 when a run failed, 2 when the file or the command line is wrong, and 130 after a second signal.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"syscall"
	"time"

	"github.com/spf13/cobra"

	_ "tidemark/io/all"
)

// The exit codes.
const (
	exitDone   = 0
	exitFailed = 1
	exitWrong  = 2
	exitKilled = 130
)

func main() {
	time.Local = time.UTC // no result depends on where the machine stands
	// A closed standard output is an error of that sink like any other, not the end of the process.
	signal.Ignore(syscall.SIGPIPE)
	os.Exit(run(signals(), os.Args[1:], os.Stdin, os.Stdout, os.Stderr))
}

// signals gives a context that the first SIGINT or SIGTERM cancels. The second one ends the process at once.
func signals() context.Context {
	ctx, cancel := context.WithCancel(context.Background())
	arrived := make(chan os.Signal, 2)
	signal.Notify(arrived, os.Interrupt, syscall.SIGTERM)
	go func() {
		<-arrived
		cancel()
		<-arrived
		os.Exit(exitKilled)
	}()
	return ctx
}

// exitError is an error with an exit code, whose text is already on standard error when it is empty.
type exitError struct {
	code int
	text string
}

// Error gives the text.
func (e *exitError) Error() string { return e.text }

// streams are what a command reads and writes.
type streams struct {
	in       io.Reader
	out, err io.Writer
}

// run runs a command line and gives the exit code.
func run(ctx context.Context, args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	root := commands(&streams{stdin, stdout, stderr})
	root.SetArgs(args)
	root.SetIn(stdin)
	root.SetOut(stdout)
	root.SetErr(stderr)
	err := root.ExecuteContext(ctx)
	var exit *exitError
	switch {
	case err == nil:
		return exitDone
	case errors.As(err, &exit):
		if exit.text != "" {
			fmt.Fprintln(stderr, "tidemark:", exit.text)
		}
		return exit.code
	}
	fmt.Fprintf(stderr, "tidemark: %v\n", err)
	return exitWrong
}

// commands is the tree of commands.
func commands(s *streams) *cobra.Command {
	root := &cobra.Command{
		Use:           "tidemark",
		Short:         "Event-time pipelines from a YAML file",
		SilenceErrors: true,
		SilenceUsage:  true,
		Args:          cobra.NoArgs,
	}
	root.AddCommand(runCommand(s), lintCommand(s), explainCommand(s), versionCommand(s))
	return root
}
