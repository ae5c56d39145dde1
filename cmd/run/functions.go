package main

import (
	"fmt"
	"io"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/spf13/cobra"

	"tidemark/operators/agg"
	"tidemark/operators/expression"
	"tidemark/spec"
)

func functionsCommand(s *streams) *cobra.Command {
	return &cobra.Command{
		Use: "functions [NAME]", Short: "Show the functions of expressions, and the aggregates",
		Args: func(c *cobra.Command, args []string) error {
			if len(args) > 1 {
				return &exitError{exitWrong, fmt.Sprintf("functions wants one name or none, got %d", len(args))}
			}
			return nil
		},
		RunE: func(_ *cobra.Command, args []string) error {
			if len(args) == 0 {
				return printAllFunctions(s.out)
			}
			return printFunction(s.out, args[0])
		},
	}
}

// described is an entry of the reference.
type described struct{ signature, doc, example, result string }

func describeFunction(f expression.Function) described {
	first, size := utf8.DecodeRuneInString(f.Doc)
	doc := string(unicode.ToUpper(first)) + f.Doc[size:] + "."
	return described{f.Signature, doc, f.Example, f.Result}
}

func describeAggregate(k *agg.Kind) described {
	return described{k.Name + "(" + k.Args + ")", k.Doc, k.Example.Call, k.Example.Result}
}

func (d described) print(w io.Writer) error {
	_, err := fmt.Fprintf(w, "%s\n    %s\n    %s gives %s\n", d.signature, d.doc, d.example, d.result)
	return err
}

// printAllFunctions prints the whole reference.
func printAllFunctions(w io.Writer) error {
	if _, err := fmt.Fprintf(w, "FUNCTIONS, of the fields of a record\n\n"); err != nil {
		return err
	}
	for _, f := range expression.Functions() {
		if err := describeFunction(f).print(w); err != nil {
			return err
		}
	}
	_, err := fmt.Fprintf(w, "\nAGGREGATES, within aggregate\n\nEach has a form whose last argument is a condition: count_if(status == \"PAID\"). "+
		"Examples are of these records:\n%s\n", indent(agg.ExampleRecords))
	if err != nil {
		return err
	}
	for _, k := range agg.Kinds() {
		if k.Conditional {
			continue
		}
		if err := describeAggregate(k).print(w); err != nil {
			return err
		}
	}
	return nil
}

// printFunction prints what a name means: a function, an aggregate or both.
func printFunction(w io.Writer, name string) error {
	found := false
	var names []string
	for _, f := range expression.Functions() {
		names = append(names, f.Name)
		if f.Name == name {
			found = true
			if err := describeFunction(f).print(w); err != nil {
				return err
			}
		}
	}
	for _, k := range agg.Kinds() {
		names = append(names, k.Name)
	}
	if k, ok := agg.Lookup(name); ok {
		if found {
			fmt.Fprintln(w, "\nWithin aggregate:")
		}
		d := describeAggregate(k)
		if err := d.print(w); err != nil {
			return err
		}
		_, err := fmt.Fprintf(w, "    of the records\n%s", indent(agg.ExampleRecords))
		return err
	}
	if found {
		return nil
	}
	if near, ok := spec.Nearest(name, names); ok {
		return &exitError{exitWrong, fmt.Sprintf("there is no function %q; did you mean %s?", name, near)}
	}
	return &exitError{exitWrong, fmt.Sprintf("there is no function %q; tidemark functions lists them", name)}
}

// indent sets lines off.
func indent(lines string) string {
	return "    " + strings.ReplaceAll(strings.TrimSuffix(lines, "\n"), "\n", "\n    ") + "\n"
}
