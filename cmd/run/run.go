package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"tidemark/runner"
	"tidemark/spec"
)

// testOptions lets tests change how a plan is run.
var testOptions func(*runner.Options)

// runFlags are the flags of run.
type runFlags struct {
	variables
	parallelism int
	drain       bool
	metrics     string
	progress    string
	report      string
}

func runCommand(s *streams) *cobra.Command {
	f := &runFlags{}
	c := &cobra.Command{
		Use:   "run FILE",
		Short: "Check a pipeline and run it",
		Long: "Check a pipeline and run it. Results go to its sinks, everything else to standard error.\n" +
			"FILE is a pipeline file, or - for standard input.",
		Args: onePipeline,
		RunE: func(c *cobra.Command, args []string) error { return f.run(c.Context(), s, args[0]) },
	}
	f.variables.flags(c)
	c.Flags().Var(&workers{&f.parallelism}, "parallelism", "number of workers, or auto (default: what the file says, or one a processor)")
	c.Flags().BoolVar(&f.drain, "drain", false, "on SIGTERM or SIGINT write open windows before ending")
	c.Flags().StringVar(&f.metrics, "metrics", "", "serve Prometheus metrics at `ADDR`, such as :9090 (default: settings.metrics of the file)")
	c.Flags().StringVar(&f.progress, "progress", "auto", "auto (a line on a terminal), plain (a line every 10 s) or none")
	c.Flags().StringVar(&f.report, "report", "text", "form of the report at the end: text or json")
	return c
}

func (f *runFlags) run(ctx context.Context, s *streams, path string) error {
	if f.report != "text" && f.report != "json" {
		return &exitError{exitWrong, fmt.Sprintf("--report can't be %q: text or json", f.report)}
	}
	if f.progress != "auto" && f.progress != "plain" && f.progress != "none" {
		return &exitError{exitWrong, fmt.Sprintf("--progress can't be %q: auto, plain or none", f.progress)}
	}
	if f.metrics != "" {
		if _, port, err := net.SplitHostPort(f.metrics); err != nil || port == "" {
			return &exitError{exitWrong, fmt.Sprintf("--metrics wants an address such as :9090, got %q", f.metrics)}
		}
	}
	l, err := load(s, path, &f.variables)
	if err != nil {
		return err
	}
	switch sources := l.readInput(); {
	case len(sources) > 0 && path == "-":
		return &exitError{exitWrong, fmt.Sprintf("the pipeline was read from standard input, and %q wants to read it too: give the pipeline as a file", sources[0])}
	case len(sources) > 1:
		return &exitError{exitWrong, fmt.Sprintf("%q and %q both want to read standard input, and each would get a part of it: let both read from one source", sources[0], sources[1])}
	}
	// Where standard error can't be written, the exit code has to say it all.
	l.print(s.err, serious(l.found))
	if l.found.HasErrors() || l.plan == nil {
		return &exitError{code: exitWrong}
	}
	if missing := l.plan.Missing(); len(missing) > 0 {
		l.print(s.err, missing)
		return &exitError{code: exitWrong}
	}
	if f.report == "text" {
		f.unusedSets(s, l)
	}
	return f.execute(ctx, s, l)
}

// unusedSets warns of what --set gives and the file does not ask for.
func (f *runFlags) unusedSets(s *streams, l *loaded) {
	for _, pair := range f.set {
		name, _, _ := strings.Cut(pair, "=")
		if slices.Contains(l.file.Variables, name) {
			continue
		}
		hint := "it has no ${NAME} at all"
		if near, ok := spec.Nearest(name, l.file.Variables); ok {
			hint = "did you mean " + near + "?"
		} else if len(l.file.Variables) > 0 {
			hint = "it has " + strings.Join(l.file.Variables, ", ")
		}
		fmt.Fprintf(s.err, "warning: --set %s: %s has no ${%s}; %s\n", name, l.path, name, hint)
	}
}

func (f *runFlags) execute(ctx context.Context, s *streams, l *loaded) error {
	w, err := f.watch(s, l)
	if err != nil {
		return err
	}
	told := map[string]bool{} // warnings that were printed while the run went on
	options := runner.Options{
		Parallelism: f.parallelism, Drain: f.drain, Stdin: s.in, Stdout: w.stdout, Monitor: w.monitor,
		Warn: func(message string) {
			if f.report == "text" {
				told[message] = true
				fmt.Fprintln(w.console, "warning:", l.plan.Redact(message))
			}
		},
		Tell: func(message string) { fmt.Fprintln(w.console, "tidemark:", l.plan.Redact(message)) },
	}
	if testOptions != nil {
		testOptions(&options)
	}
	report, err := runner.Run(ctx, l.plan, options)
	w.close()
	if err != nil {
		fmt.Fprintf(s.err, "tidemark: %s\n", l.plan.Redact(err.Error()))
	}
	report.Warnings = slices.DeleteFunc(report.Warnings, func(text string) bool { return told[text] })
	for i, text := range report.Warnings {
		report.Warnings[i] = l.plan.Redact(text)
	}
	var unsaid error
	if !report.Closed {
		unsaid = f.print(s.err, report)
	}
	if err != nil || unsaid != nil && !gone(unsaid) {
		return &exitError{code: exitFailed}
	}
	return nil
}

// print writes the report.
func (f *runFlags) print(w io.Writer, r *runner.Report) error {
	if f.report == "json" {
		return r.WriteJSON(w)
	}
	return r.WriteText(w)
}

// workers is the flag with the number of workers: 0 is auto.
type workers struct{ number *int }

// Set implements [pflag.Value].
func (w *workers) Set(text string) error {
	n, err := strconv.Atoi(text)
	if text == "auto" {
		n, err = 0, nil
	} else if err != nil || n < 1 || n > 1024 {
		return errors.New("it wants a number from 1 to 1024, or auto")
	}
	*w.number = n
	return err
}

// String implements [pflag.Value].
func (w *workers) String() string {
	if w.number == nil || *w.number == 0 {
		return ""
	}
	return strconv.Itoa(*w.number)
}

// Type implements [pflag.Value].
func (w *workers) Type() string { return "number" }
