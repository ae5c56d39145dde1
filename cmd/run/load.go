package main

import (
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"tidemark/cmd/run/internal/envfile"
	"tidemark/runner/plan"
	"tidemark/spec"
)

// variables are the flags that fill in ${NAME}.
type variables struct {
	set     []string
	noEnv   bool
	envFile string
}

// flags adds those that all commands have.
func (v *variables) flags(c *cobra.Command) {
	c.Flags().StringArrayVar(&v.set, "set", nil, "`NAME=VALUE` for ${NAME} in the file; may be given several times")
	c.Flags().StringVar(&v.envFile, "env-file", "", "a `file` of NAME=VALUE lines for ${NAME}s that the environment has not")
}

func (v *variables) options() (spec.Options, error) {
	o := spec.Options{Set: map[string]string{}, NoEnv: v.noEnv}
	for _, pair := range v.set {
		name, value, found := strings.Cut(pair, "=")
		if !found || name == "" {
			return o, &exitError{exitWrong, fmt.Sprintf("--set wants NAME=VALUE, got %q", pair)}
		}
		o.Set[name] = value
	}
	if v.noEnv {
		return o, nil
	}
	file, err := v.environment()
	o.Env = func(name string) (string, bool) {
		value, ok := os.LookupEnv(name)
		if !ok {
			value, ok = file[name]
		}
		return value, ok
	}
	return o, err
}

// environment reads the file of variables, if there is one.
func (v *variables) environment() (map[string]string, error) {
	if v.envFile == "" {
		return nil, nil
	}
	text, err := os.ReadFile(v.envFile)
	if err != nil {
		return nil, &exitError{exitWrong, fmt.Sprintf("cannot read --env-file: %v", err)}
	}
	values, err := envfile.Parse(v.envFile, string(text))
	if err != nil {
		return nil, &exitError{exitWrong, err.Error()}
	}
	return values, nil
}

// loaded is a pipeline file with its plan and what was found in it.
type loaded struct {
	path  string
	text  []byte
	file  *spec.File
	plan  *plan.Plan
	found spec.Diagnostics
}

// load reads, checks and compiles a file; - is standard input. An error means that it could not be read.
func load(s *streams, path string, v *variables) (*loaded, error) {
	options, err := v.options()
	if err != nil {
		return nil, err
	}
	l := &loaded{path: path}
	if path == "-" {
		l.path = "stdin"
		l.text, err = io.ReadAll(s.in)
	} else {
		l.text, err = os.ReadFile(path)
	}
	if err != nil {
		return nil, &exitError{exitWrong, fmt.Sprintf("cannot read the pipeline: %v", err)}
	}
	l.file, l.found = spec.Parse(l.path, l.text, options)
	if l.file != nil {
		var found spec.Diagnostics
		l.plan, found = plan.Compile(l.file)
		l.found = append(l.found, found...)
		l.found.Sort()
		l.found = l.found.Suppress(l.file)
	}
	return l, nil
}

// loadSound loads a pipeline that has a plan. The errors of one that has none are printed.
func loadSound(s *streams, path string, v *variables) (*loaded, error) {
	l, err := load(s, path, v)
	if err != nil {
		return nil, err
	}
	if l.found.HasErrors() || l.plan == nil {
		if err := l.print(s.err, onlyErrors(l.found)); err != nil {
			return nil, err
		}
		return nil, &exitError{code: exitWrong}
	}
	return l, nil
}

// print writes what was found, for people.
func (l *loaded) print(w io.Writer, found spec.Diagnostics) error {
	return found.WriteText(w, func(string) []byte { return l.text })
}

// serious gives what was found without mere information.
func serious(found spec.Diagnostics) spec.Diagnostics {
	return slices.DeleteFunc(slices.Clone(found), func(d spec.Diagnostic) bool { return d.Severity == spec.Info })
}

func onlyErrors(found spec.Diagnostics) spec.Diagnostics {
	return slices.DeleteFunc(slices.Clone(found), func(d spec.Diagnostic) bool { return d.Severity != spec.Error })
}

// readInput gives the sources that read standard input.
func (l *loaded) readInput() (names []string) {
	if l.plan == nil {
		return nil
	}
	for _, s := range l.plan.Sources {
		if o, ok := s.Options.(interface{ ReadsInput() bool }); ok && o.ReadsInput() {
			names = append(names, s.Name)
		}
	}
	return names
}
