package main

import (
	"fmt"

	"github.com/spf13/cobra"
)

func graphCommand(s *streams) *cobra.Command {
	v := &variables{}
	var format string
	c := &cobra.Command{
		Use:   "graph FILE",
		Short: "Draw the graph of a pipeline",
		Long: "Draw the graph of a pipeline: its sources, transforms and sinks, and the outputs between them.\n" +
			"Late and dirty outputs are dashed; those that nobody reads are left out.\n\n" +
			"Mermaid is what Markdown pages of GitHub and GitLab show; DOT is for Graphviz.",
		Example: "  tidemark graph pipeline.yaml\n  tidemark graph pipeline.yaml --format dot | dot -Tsvg > pipeline.svg",
		Args:    onePipeline,
		RunE: func(_ *cobra.Command, args []string) error {
			if format != "mermaid" && format != "dot" {
				return &exitError{exitWrong, fmt.Sprintf("--format can't be %q: mermaid or dot", format)}
			}
			l, err := loadSound(s, args[0], v)
			if err != nil {
				return err
			}
			if format == "dot" {
				return l.plan.WriteDOT(s.out)
			}
			return l.plan.WriteMermaid(s.out)
		},
	}
	v.flags(c)
	c.Flags().BoolVar(&v.noEnv, "no-env", false, "don't look into the environment or --env-file")
	c.Flags().StringVar(&format, "format", "mermaid", "mermaid or dot")
	return c
}
