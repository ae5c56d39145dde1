package main

import (
	"github.com/spf13/cobra"

	"tidemark/spec"
)

func explainCommand(s *streams) *cobra.Command {
	v := &variables{}
	c := &cobra.Command{
		Use: "explain FILE", Short: "Show how a pipeline will be run", Args: onePipeline,
		RunE: func(_ *cobra.Command, args []string) error {
			l, err := load(s, args[0], v)
			if err != nil {
				return err
			}
			if l.found.HasErrors() || l.plan == nil {
				if err := l.print(s.err, onlyErrors(l.found)); err != nil {
					return err
				}
				return &exitError{code: exitWrong}
			}
			return l.plan.Explain(s.out)
		},
	}
	v.flags(c)
	c.Flags().BoolVar(&v.noEnv, "no-env", false, "don't look into the environment or --env-file")
	return c
}

func onlyErrors(found spec.Diagnostics) spec.Diagnostics {
	var kept spec.Diagnostics
	for _, d := range found {
		if d.Severity == spec.Error {
			kept = append(kept, d)
		}
	}
	return kept
}
