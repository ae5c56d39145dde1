package main

import (
	"context"
	"fmt"
	"io"
	"slices"

	"github.com/spf13/cobra"

	"tidemark/runner"
)

// testOptions lets tests change how a plan is run.
var testOptions func(*runner.Options)

// runFlags are the flags of run.
type runFlags struct {
	variables
	parallelism int
	drain       bool
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
	c.Flags().StringArrayVar(&f.set, "set", nil, "`NAME=VALUE` for ${NAME} in the file; may be given several times")
	c.Flags().IntVar(&f.parallelism, "parallelism", 0, "number of workers (default: what the file says, or one a processor)")
	c.Flags().BoolVar(&f.drain, "drain", false, "on SIGTERM or SIGINT write open windows before ending")
	c.Flags().StringVar(&f.progress, "progress", "auto", "auto, plain or none; this version shows none")
	c.Flags().StringVar(&f.report, "report", "text", "form of the report at the end: text or json")
	return c
}

func (f *runFlags) run(ctx context.Context, s *streams, path string) error {
	if f.parallelism < 0 || f.parallelism > 1024 {
		return &exitError{exitWrong, "--parallelism wants a number from 1 to 1024"}
	}
	if f.report != "text" && f.report != "json" {
		return &exitError{exitWrong, fmt.Sprintf("--report can't be %q: text or json", f.report)}
	}
	if f.progress != "auto" && f.progress != "plain" && f.progress != "none" {
		return &exitError{exitWrong, fmt.Sprintf("--progress can't be %q: auto, plain or none", f.progress)}
	}
	l, err := load(s, path, &f.variables)
	if err != nil {
		return err
	}
	if err := l.print(s.err, serious(l.found)); err != nil {
		return err
	}
	if l.found.HasErrors() || l.plan == nil {
		return &exitError{code: exitWrong}
	}
	if missing := l.plan.Missing(); len(missing) > 0 {
		if err := l.print(s.err, missing); err != nil {
			return err
		}
		return &exitError{code: exitWrong}
	}
	return f.execute(ctx, s, l)
}

func (f *runFlags) execute(ctx context.Context, s *streams, l *loaded) error {
	told := map[string]bool{} // warnings that were printed while the run went on
	options := runner.Options{
		Parallelism: f.parallelism, Drain: f.drain, Stdin: s.in, Stdout: s.out,
		Warn: func(message string) {
			if f.report == "text" {
				told[message] = true
				fmt.Fprintln(s.err, "warning:", l.plan.Redact(message))
			}
		},
	}
	if testOptions != nil {
		testOptions(&options)
	}
	report, err := runner.Run(ctx, l.plan, options)
	if err != nil {
		fmt.Fprintf(s.err, "tidemark: %s\n", l.plan.Redact(err.Error()))
	}
	report.Warnings = slices.DeleteFunc(report.Warnings, func(text string) bool { return told[text] })
	for i, text := range report.Warnings {
		report.Warnings[i] = l.plan.Redact(text)
	}
	if !report.Closed {
		if problem := f.print(s.err, report); problem != nil {
			return problem
		}
	}
	if err != nil {
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
