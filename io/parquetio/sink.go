package parquetio

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"tidemark/io/connector"
	"tidemark/io/internal/aside"
	"tidemark/io/internal/roll"
	"tidemark/stream"
)

// DefaultRowGroup is the number of rows in a row group unless row_group says otherwise.
const DefaultRowGroup = 131_072

func init() {
	connector.Register(connector.Kind{
		Name: "parquet", Role: connector.SinkRole, Typed: true,
		Doc: "writes Parquet files, which appear under their names when they are complete",
		New: func() any { return &SinkOptions{Compression: "zstd", RowGroup: DefaultRowGroup} },
	})
}

// SinkOptions are those of a parquet sink.
type SinkOptions struct {
	Path        string       `spec:"path,required" example:"path: out.parquet" doc:"the file to write, or the folder with partition_by; missing folders are made"`
	Overwrite   bool         `spec:"overwrite" doc:"whether files that exist may be replaced"`
	Roll        *roll.Limits `spec:"roll" doc:"when to begin a new part"`
	PartitionBy []string     `spec:"partition_by" doc:"fields by whose values rows go to folders such as day=2024-01-02"`
	Compression string       `spec:"compression" doc:"zstd, snappy, gzip or none"`
	RowGroup    int64        `spec:"row_group" doc:"rows in a row group"`

	schema []stream.Field
}

var (
	_ connector.Sink       = (*SinkOptions)(nil)
	_ connector.Targeted   = (*SinkOptions)(nil)
	_ connector.WithSchema = (*SinkOptions)(nil)
)

// Validate implements [connector.Sink].
func (o *SinkOptions) Validate() []connector.Problem {
	var found []connector.Problem
	add := func(option, message, hint string) {
		found = append(found, connector.Problem{Option: option, Message: message, Hint: hint})
	}
	switch partitioned := len(o.PartitionBy) > 0; {
	case o.Path == "":
		add("path", "path is empty", "name the file to write")
	case o.Path == "-":
		add("path", "a parquet sink can't write to -", "write path: /dev/stdout")
	case strings.HasSuffix(o.Path, "/") && !partitioned:
		add("path", fmt.Sprintf("%q names a folder", o.Path), "name a file in it, or write partition_by")
	}
	if _, ok := compressions[o.Compression]; !ok {
		add("compression", fmt.Sprintf("compression can't be %q", o.Compression), "write zstd, snappy, gzip or none")
	}
	if o.RowGroup <= 0 {
		add("row_group", "row_group must be more than 0", fmt.Sprintf("write a number of rows such as %d", DefaultRowGroup))
	}
	for i, name := range o.PartitionBy {
		if name == "" || slices.Contains(o.PartitionBy[:i], name) {
			add("partition_by", fmt.Sprintf("partition_by has %q twice, or an empty name", name), "name each field once")
		}
	}
	return append(found, o.Roll.Validate("roll")...)
}

// SetSchema implements [connector.WithSchema]: columns that it names and that are not nullable become REQUIRED.
func (o *SinkOptions) SetSchema(fields []stream.Field) { o.schema = fields }

// naming says how parts are called; ok is false for a sink of one file.
func (o *SinkOptions) naming() (n aside.Naming, ok bool) {
	switch {
	case len(o.PartitionBy) > 0:
		return aside.Hive(o.Path, ".parquet", o.PartitionBy), true
	case o.Roll != nil:
		return aside.Beside(o.Path), true
	}
	return aside.Naming{}, false
}

// Check implements [connector.Sink].
func (o *SinkOptions) Check(connector.Environment) error {
	if n, ok := o.naming(); ok {
		return n.Check(o.Overwrite)
	}
	return aside.Check(o.Path, o.Overwrite)
}

// Open implements [connector.Sink]. The output is a [connector.TypedSink].
func (o *SinkOptions) Open(ctx context.Context, env connector.Environment) (connector.Output, error) {
	if err := o.Check(env); err != nil {
		return nil, err
	}
	return o.open(ctx, env, aside.Disk{})
}

func (o *SinkOptions) open(ctx context.Context, env connector.Environment, l aside.Layer) (*sinkOutput, error) {
	out := &sinkOutput{options: o, env: env}
	var err error
	if n, ok := o.naming(); ok {
		out.parts, err = aside.OpenParts(l, aside.SetOptions{Naming: n, Overwrite: o.Overwrite, Early: env.Unbounded})
	} else if out.direct = aside.Direct(o.Path); out.direct {
		out.single, err = aside.OpenDirect(ctx, o.Path, env)
	} else {
		out.single, err = aside.Open(l, o.Path, o.Overwrite)
	}
	if err != nil {
		return nil, err
	}
	return out, nil
}

// Numbers implements [connector.Numbered].
func (o *SinkOptions) Numbers(target string) bool {
	n, ok := o.naming()
	return ok && o.Target() != "" && n.Includes(target)
}

// Replaces implements [connector.Replacing].
func (o *SinkOptions) Replaces(meant func(string) bool) string {
	if n, ok := o.naming(); ok {
		return n.Replaces(meant)
	}
	return aside.Replaces(o.Path, meant)
}

// Target implements [connector.Targeted]: the absolute path, with the links in it followed as far as it exists.
func (o *SinkOptions) Target() string {
	if o.Path == "" || aside.Direct(o.Path) {
		return ""
	}
	return aside.Whole(filepath.Clean(o.Path))
}
