package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"tidemark/cmd/run/internal/infer"
)

func inferCommand(s *streams) *cobra.Command {
	records := 0
	c := &cobra.Command{
		Use:   "infer PATH…",
		Short: "Guess a source block from data",
		Long: "Look at JSON lines, CSV or Parquet and print a source block to paste into a pipeline: the format, the types\n" +
			"of the columns, which of them has the time, and how far records are out of order. Comments say why.\n\n" +
			"PATH is a file (plain, gzip or zstd), a glob in quotes, or - for standard input.",
		Example: "  tidemark infer orders.csv > pipeline.yaml\n  tidemark infer 'logs/*.jsonl.gz' --sample 100000",
		Args: func(_ *cobra.Command, args []string) error {
			switch {
			case len(args) == 0:
				return &exitError{exitWrong, "infer wants the name of a file, a glob, or - for standard input"}
			case records < 1:
				return &exitError{exitWrong, "--sample wants a number from 1 on"}
			}
			return nil
		},
		RunE: func(c *cobra.Command, args []string) error {
			source, err := infer.Guess(c.Context(), infer.Options{Paths: args, Stdin: s.in, Records: records})
			if err != nil {
				return &exitError{exitWrong, err.Error()}
			}
			if err := source.WriteYAML(s.out); err != nil {
				return err
			}
			advice := ""
			if source.Partial() {
				advice = "; --sample N looks at more"
			}
			fmt.Fprintln(s.err, source.Looked()+advice)
			return nil
		},
	}
	c.Flags().IntVar(&records, "sample", 10_000, "how many `records` to look at")
	return c
}
