package fileio

import (
	"context"
	"math"
	"os"
	"path/filepath"
	"strings"

	"tidemark/io/connector"
	"tidemark/io/internal/aside"
)

// Open implements [connector.Source]: it finds the files and gives each as a partition, by name, or all as one. Of a
// source that is followed it gives those of [SourceOptions.OpenGrowing] that there are now.
func (o *SourceOptions) Open(ctx context.Context, env connector.Environment) ([]connector.Partition, error) {
	if o.Follow {
		s, err := o.openFollowed(env)
		if err != nil {
			return nil, err
		}
		return s.Partitions(), nil
	}
	found, err := expand(o.Path)
	if err != nil {
		return nil, err
	}
	partitions := make([]connector.Partition, len(found))
	for i, f := range found {
		partitions[i] = o.partition(f, env)
	}
	if o.Partitions == "one" && len(partitions) > 0 {
		return []connector.Partition{newChain(strings.Join(o.Path, ", "), partitions)}, nil
	}
	return partitions, nil
}

// partition gives the partition of an input that is read to its end.
func (o *SourceOptions) partition(f found, env connector.Environment) connector.Partition {
	if f.regular {
		return o.file(f.path, env)
	}
	p := newPipe(f.path, env.Chunk(), o.MaxLine, env.CSV)
	p.input, p.compression = fifo(f.path), o.Compression
	if f.path == "-" {
		p.input = standardInput(env)
	}
	return p
}

// file makes the partition of a regular file.
func (o *SourceOptions) file(path string, env connector.Environment) connector.Partition {
	p := filePartition{path: path, compression: o.Compression, chunk: env.Chunk(), maxLine: o.MaxLine, format: env.CSV, open: shared}
	if env.CSV != nil {
		return newRecordFile(&p)
	}
	return &p
}

// Missing implements [connector.Located]. What is followed may come later.
func (o *SourceOptions) Missing() []connector.Missing {
	if o.Follow {
		return nil
	}
	var missing []connector.Missing
	for _, p := range o.Path {
		if _, err := expand([]string{p}); err != nil {
			missing = append(missing, connector.Missing{Name: p, Err: err})
		}
	}
	return missing
}

// Reads implements [connector.Reader]. A path with * or ? in it is a glob.
func (o *SourceOptions) Reads(target string) bool {
	for _, p := range o.Path {
		if p == "-" || p == "" {
			continue
		}
		path := aside.Whole(p)
		if matches, err := filepath.Match(path, target); path == target || err == nil && matches {
			return true
		}
	}
	return false
}

// LongestLine implements [connector.LineLimited].
func (o *SourceOptions) LongestLine() int { return int(min(o.MaxLine, math.MaxInt)) }

// standardInput is the process's standard input, whose blocked read nothing can end, or what stands for it.
func standardInput(env connector.Environment) input {
	if env.Stdin == nil || env.Stdin == os.Stdin {
		return &plainInput{Reader: os.Stdin}
	}
	return newPlainInput(env.Stdin)
}
