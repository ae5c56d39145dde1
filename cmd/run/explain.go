package main

import "github.com/spf13/cobra"

func explainCommand(s *streams) *cobra.Command {
	v := &variables{}
	c := &cobra.Command{
		Use: "explain FILE", Short: "Show how a pipeline will be run", Args: onePipeline,
		RunE: func(_ *cobra.Command, args []string) error {
			l, err := loadSound(s, args[0], v)
			if err != nil {
				return err
			}
			return l.plan.Explain(s.out)
		},
	}
	v.flags(c)
	c.Flags().BoolVar(&v.noEnv, "no-env", false, "don't look into the environment or --env-file")
	return c
}
