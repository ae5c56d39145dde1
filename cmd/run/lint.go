package main

import (
	"fmt"
	"io"
	"slices"

	"github.com/spf13/cobra"

	"tidemark/spec"
)

// lintFlags are the flags of lint.
type lintFlags struct {
	variables
	format  string
	strict  bool
	explain string
}

func lintCommand(s *streams) *cobra.Command {
	f := &lintFlags{}
	c := &cobra.Command{
		Use:   "lint FILE…",
		Short: "Find everything that is wrong with pipelines",
		Long:  "Find everything that is wrong with pipelines, without reading any records.",
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) == 0 && f.explain == "" {
				return &exitError{exitWrong, "lint wants the name of a pipeline file"}
			}
			return nil
		},
		RunE: func(_ *cobra.Command, args []string) error { return f.run(s, args) },
	}
	f.variables.flags(c)
	c.Flags().BoolVar(&f.noEnv, "no-env", false, "don't look into the environment or --env-file: what is not set is a warning")
	c.Flags().StringVar(&f.format, "format", "text", "text, json, sarif or github")
	c.Flags().BoolVar(&f.strict, "strict", false, "warnings fail too")
	c.Flags().StringVar(&f.explain, "explain", "", "print the page of a `rule`, such as TM204")
	return c
}

func (f *lintFlags) run(s *streams, paths []string) error {
	if !slices.Contains([]string{"text", "json", "sarif", "github"}, f.format) {
		return &exitError{exitWrong, fmt.Sprintf("--format can't be %q: text, json, sarif or github", f.format)}
	}
	if f.explain != "" {
		rule, ok := spec.LookupRule(f.explain)
		if !ok {
			return &exitError{exitWrong, fmt.Sprintf("there is no rule %q", f.explain)}
		}
		_, err := fmt.Fprint(s.out, rule.Explain())
		return err
	}
	all, unread := spec.Diagnostics{}, false
	for _, path := range paths {
		l, err := load(s, path, &f.variables)
		if err != nil { // which hides nothing of what is wrong with the others
			fmt.Fprintln(s.err, "tidemark:", err)
			unread = true
			continue
		}
		all = append(all, l.found...)
		if f.format == "text" {
			if err := l.print(s.out, l.found); err != nil {
				return err
			}
		}
	}
	if err := f.write(s.out, all); err != nil {
		return err
	}
	if unread || all.HasErrors() || f.strict && all.Count(spec.Warning) > 0 {
		return &exitError{code: exitWrong}
	}
	return nil
}

// write writes what was found in all files, for programs.
func (f *lintFlags) write(w io.Writer, found spec.Diagnostics) error {
	switch f.format {
	case "json":
		return found.WriteJSON(w)
	case "sarif":
		return found.WriteSARIF(w)
	case "github":
		return found.WriteGitHub(w)
	}
	return nil // text is printed file by file, with the lines at fault
}
