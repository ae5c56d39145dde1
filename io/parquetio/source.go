package parquetio

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"

	"tidemark/io/codec"
	"tidemark/io/connector"
	"tidemark/io/fileio"
	"tidemark/stream"
)

func init() {
	connector.Register(connector.Kind{
		Name: "parquet", Role: connector.SourceRole,
		Doc: "reads the columns that are named from Parquet files, each a partition",
		New: func() any { return &SourceOptions{} },
	})
}

// SourceOptions are those of a Parquet source.
type SourceOptions struct {
	Path []string `spec:"path,required" example:"path: in/*.parquet" doc:"a file, a glob, or a list of them"`
}

var (
	_ connector.Columnar = (*SourceOptions)(nil)
	_ connector.Reader   = (*SourceOptions)(nil)
	_ connector.Located  = (*SourceOptions)(nil)
)

// Validate implements [connector.Source].
func (o *SourceOptions) Validate() []connector.Problem {
	var found []connector.Problem
	if len(o.Path) == 0 || slices.Contains(o.Path, "") {
		found = append(found, connector.Problem{Option: "path", Message: "path is empty", Hint: "name a file or a glob such as in/*.parquet"})
	}
	for _, p := range o.Path {
		switch {
		case p == "-":
			found = append(found, connector.Problem{Option: "path", Message: "a Parquet file can't be read from standard input",
				Hint: "it has to be read from its end: write it to a file and name that"})
		case strings.Contains(p, "**"):
			found = append(found, connector.Problem{Option: "path", Message: fmt.Sprintf("** in %q is not known", p),
				Hint: "* stands for one level: write in/*/*.parquet, or give a list"})
		}
	}
	return found
}

// Missing implements [connector.Located].
func (o *SourceOptions) Missing() []connector.Missing {
	return (&fileio.SourceOptions{Path: o.Path}).Missing()
}

// Reads implements [connector.Reader].
func (o *SourceOptions) Reads(target string) bool {
	return (&fileio.SourceOptions{Path: o.Path}).Reads(target)
}

// Open implements [connector.Source]. A Parquet file has no lines.
func (o *SourceOptions) Open(context.Context, connector.Environment) ([]connector.Partition, error) {
	return nil, errors.New("a Parquet source gives columns, not lines")
}

// Fields implements [connector.Columnar]: the columns of all files, by name, in the order in which they first appear.
// What a column may lack, in a file or a row, is nullable. A column whose types don't go together is of unknown type;
// OpenColumns refuses it if it is asked for.
func (o *SourceOptions) Fields(ctx context.Context, _ connector.Environment) ([]stream.Field, error) {
	paths, err := fileio.Regular(o.Path)
	if err != nil {
		return nil, err
	}
	all, err := mergeFiles(ctx, paths)
	if err != nil {
		return nil, err
	}
	fields := make([]stream.Field, len(all.parts))
	for i, f := range all.parts {
		fields[i] = stream.Field{Name: f.name, Type: f.typeOf()}
	}
	return fields, nil
}

// OpenColumns implements [connector.Columnar]. It reads the footers of all files, one after the other, so that it
// knows what the files have in common; a file is opened for good when its first chunk is claimed.
func (o *SourceOptions) OpenColumns(ctx context.Context, _ connector.Environment, columns []codec.Column) ([]connector.ColumnPartition, error) {
	paths, err := fileio.Regular(o.Path)
	if err != nil {
		return nil, err
	}
	all, err := mergeFiles(ctx, paths)
	if err != nil {
		return nil, err
	}
	set := &fileSet{columns: columns, wants: make([]want, len(columns))}
	for i, c := range columns {
		f := all.at(c.Path)
		if err := f.fault(); err != nil {
			return nil, err
		}
		set.wants[i] = want{float: f != nil && f.form == formLeaf && f.typ.kind() == stream.Float, millis: c.Millis}
	}
	partitions := make([]connector.ColumnPartition, len(paths))
	for i, path := range paths {
		partitions[i] = &partition{path: path, set: set}
	}
	return partitions, nil
}

// mergeFiles reads the footers of files and gives the record that they have in common.
func mergeFiles(ctx context.Context, paths []string) (*mergedField, error) {
	var all *mergedField
	for _, path := range paths {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		l, err := lookAt(path)
		if err != nil {
			return nil, err
		}
		if all == nil {
			all = fieldOf(l.record, path)
		} else {
			all.merge(l.record, path, "", l.rows == 0)
		}
	}
	return all, nil
}

// lookAt reads a file's footer and closes the file again.
func lookAt(path string) (*layout, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, fileio.OpenError(path, err)
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return nil, fileio.OpenError(path, err)
	}
	return readLayout(path, f, info.Size())
}
