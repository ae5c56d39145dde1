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
	"slices"
	"strings"
	"syscall"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	_ "tidemark/io/all"
	"tidemark/spec"
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

// oneSignal is how long after the first signal others count as the same: timeout(1) sends each twice, to the process
// and to its group.
const oneSignal = 100 * time.Millisecond

// signals gives a context that the first SIGINT or SIGTERM cancels. The second one ends the process at once.
func signals() context.Context {
	ctx, cancel := context.WithCancel(context.Background())
	arrived := make(chan os.Signal, 2)
	signal.Notify(arrived, os.Interrupt, syscall.SIGTERM)
	go func() {
		<-arrived
		first := time.Now()
		cancel()
		for range arrived {
			if time.Since(first) >= oneSignal {
				break
			}
		}
		fmt.Fprintln(os.Stderr, "tidemark: stopped by a second signal, before the run had come to its end")
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

// onePipeline wants the name of one pipeline file.
func onePipeline(c *cobra.Command, args []string) error {
	if len(args) == 1 {
		return nil
	}
	return &exitError{exitWrong, fmt.Sprintf("%s wants one pipeline file, got %d", c.Name(), len(args))}
}

// flagFault words what is wrong with a flag, without what Go calls it, and says which flag was meant.
func flagFault(c *cobra.Command, err error) error {
	text, _, _ := strings.Cut(err.Error(), ": strconv.")
	help := "; see tidemark " + strings.TrimPrefix(c.CommandPath()+" --help", "tidemark ")
	if strings.HasPrefix(text, "unknown shorthand flag: ") {
		text += help
	}
	if name, unknown := strings.CutPrefix(text, "unknown flag: --"); unknown {
		var known []string
		c.Flags().VisitAll(func(f *pflag.Flag) { known = append(known, f.Name) })
		if near, ok := spec.Nearest(name, known); ok {
			text += "; did you mean --" + near + "?"
		} else {
			text += help
		}
	}
	return &exitError{exitWrong, text}
}

// laterCommands are commands that the language's users know and this version has not.
var laterCommands = []string{"test", "preview", "schema", "new", "checkpoint"}

// unknownCommand says which command was meant.
func unknownCommand(root *cobra.Command, name string) error {
	if slices.Contains(laterCommands, name) {
		return &exitError{exitWrong, fmt.Sprintf("the command %q is not supported in this version", name)}
	}
	var known []string
	for _, c := range root.Commands() {
		if !c.Hidden {
			known = append(known, c.Name())
		}
	}
	if near, ok := spec.Nearest(name, known); ok {
		return &exitError{exitWrong, fmt.Sprintf("unknown command %q; did you mean %s?", name, near)}
	}
	return &exitError{exitWrong, fmt.Sprintf("unknown command %q; known: %s", name, strings.Join(known, ", "))}
}

// commands is the tree of commands.
func commands(s *streams) *cobra.Command {
	root := &cobra.Command{
		Use:           "tidemark",
		Short:         "Event-time pipelines from a YAML file",
		SilenceErrors: true,
		SilenceUsage:  true,
		Args:          cobra.ArbitraryArgs,
		RunE: func(c *cobra.Command, args []string) error {
			if len(args) == 0 {
				return c.Help()
			}
			return unknownCommand(c, args[0])
		},
	}
	root.SetFlagErrorFunc(flagFault)
	p := &streams{s.in, &page{out: s.out}, s.err}
	root.AddCommand(runCommand(s), lintCommand(p), explainCommand(p), graphCommand(p), inferCommand(p), functionsCommand(p), versionCommand(p))
	return root
}
