package fileio

import (
	"fmt"
	"slices"
	"strings"

	"tidemark/io/connector"
	"tidemark/io/internal/roll"
)

// DefaultMaxLine is the number of bytes that a line may have unless max_line says otherwise.
const DefaultMaxLine = 64 << 20

func init() {
	connector.Register(connector.Kind{
		Name: "file", Role: connector.SourceRole,
		Doc:     "reads lines from files, each a partition, or from standard input",
		Formats: []string{"json", "csv", "text"},
		New:     func() any { return &SourceOptions{Compression: "auto", Partitions: "file", MaxLine: DefaultMaxLine} },
	})
	connector.Register(connector.Kind{
		Name: "file", Role: connector.SinkRole,
		Doc:     "writes a file that appears under its name when it is complete",
		Formats: []string{"json", "csv"},
		New:     func() any { return &SinkOptions{Compression: "none"} },
	})
}

// SourceOptions are those of a file source.
type SourceOptions struct {
	Path        []string `spec:"path,required" example:"path: in.jsonl" doc:"a file, a glob, a list of them, or - for standard input"`
	Compression string   `spec:"compression" doc:"auto (by what is in the file), none, gzip or zstd"`
	Follow      bool     `spec:"follow" doc:"wait for more at the end of a file, and for files that come"`
	Partitions  string   `spec:"partitions" doc:"file: each file is a partition; one: the files follow each other by name"`
	MaxLine     int64    `spec:"max_line,size" doc:"the longest line that is a record, in bytes; longer ones are dirty"`
}

// SinkOptions are those of a file sink.
type SinkOptions struct {
	Path        string `spec:"path,required" example:"path: out.jsonl" doc:"the file to write; missing folders are made"`
	Overwrite   bool   `spec:"overwrite" doc:"whether a file that exists may be replaced"`
	Compression string `spec:"compression" doc:"none, gzip or zstd"`
	Roll        *Roll  `spec:"roll" doc:"when to begin a new part"`
}

// Roll says when a sink begins a new part.
type Roll = roll.Limits

// Validate implements [connector.Source].
func (o *SourceOptions) Validate() []connector.Problem {
	var found []connector.Problem
	add := func(p ...connector.Problem) { found = append(found, p...) }
	if len(o.Path) == 0 || slices.Contains(o.Path, "") {
		add(connector.Problem{Option: "path", Message: "path is empty", Hint: "name a file, a glob such as in/*.jsonl, or - for standard input"})
	}
	for _, p := range o.Path {
		if strings.Contains(p, "**") {
			add(connector.Problem{Option: "path", Message: fmt.Sprintf("** in %q is not known", p), Hint: "* stands for one level: write in/*/*.jsonl, or give a list"})
		}
	}
	add(oneOf("compression", o.Compression, []string{"auto", "none", "gzip", "zstd"})...)
	add(oneOf("partitions", o.Partitions, []string{"file", "one"})...)
	if o.Follow {
		add(o.validateFollow()...)
	}
	if o.MaxLine <= 0 {
		add(connector.Problem{Option: "max_line", Message: "max_line must be more than 0", Hint: "write a size such as 64MiB"})
	}
	return found
}

// Validate implements [connector.Sink].
func (o *SinkOptions) Validate() []connector.Problem {
	var found []connector.Problem
	switch {
	case o.Path == "":
		found = append(found, connector.Problem{Option: "path", Message: "path is empty", Hint: "name the file to write"})
	case o.Path == "-":
		found = append(found, connector.Problem{Option: "path", Message: "a file sink can't write to -", Hint: "use type: stdout"})
	case strings.HasSuffix(o.Path, "/"):
		found = append(found, connector.Problem{Option: "path", Message: fmt.Sprintf("%q names a folder", o.Path), Hint: "name a file in it"})
	}
	found = append(found, oneOf("compression", o.Compression, []string{"none", "gzip", "zstd"})...)
	return append(found, o.Roll.Validate("roll")...)
}

// ReadsInput reports whether the process's standard input is among what is read.
func (o *SourceOptions) ReadsInput() bool {
	return slices.ContainsFunc(o.Path, func(p string) bool { return p == "-" || p == "/dev/stdin" || p == "/dev/fd/0" })
}

// validateFollow gives what does not go with follow.
func (o *SourceOptions) validateFollow() []connector.Problem {
	var found []connector.Problem
	if o.ReadsInput() {
		found = append(found, connector.Problem{Option: "follow", Message: "standard input can't be followed", Hint: "leave it out: lines of - are read as they come, to its end"})
	}
	if o.Compression == "gzip" || o.Compression == "zstd" {
		found = append(found, connector.Problem{Option: "compression", Message: "a compressed file can't be followed", Hint: "compression: none"})
	}
	return found
}

// oneOf checks an option against the values that it may have.
func oneOf(option, value string, known []string) []connector.Problem {
	if slices.Contains(known, value) {
		return nil
	}
	last := len(known) - 1
	return []connector.Problem{{Option: option, Message: fmt.Sprintf("%s can't be %q", option, value),
		Hint: "write " + strings.Join(known[:last], ", ") + " or " + known[last]}}
}
