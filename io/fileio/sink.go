package fileio

import (
	"context"
	"errors"

	"tidemark/io/connector"
	"tidemark/io/internal/aside"
	"tidemark/io/internal/roll"
)

var (
	_ connector.Source      = (*SourceOptions)(nil)
	_ connector.Reader      = (*SourceOptions)(nil)
	_ connector.LineLimited = (*SourceOptions)(nil)
	_ connector.Sink        = (*SinkOptions)(nil)
	_ connector.Numbered    = (*SinkOptions)(nil)
)

// Check implements [connector.Sink].
func (o *SinkOptions) Check(connector.Environment) error {
	if o.Roll != nil {
		return aside.Beside(o.Path).Check(o.Overwrite)
	}
	return aside.Check(o.Path, o.Overwrite)
}

// Open implements [connector.Sink].
func (o *SinkOptions) Open(ctx context.Context, env connector.Environment) (connector.Output, error) {
	if err := o.Check(env); err != nil {
		return nil, err
	}
	return o.open(ctx, env, aside.Disk{})
}

func (o *SinkOptions) open(ctx context.Context, env connector.Environment, l aside.Layer) (connector.Output, error) {
	if o.Roll != nil {
		parts, err := aside.OpenParts(l, aside.SetOptions{Naming: aside.Beside(o.Path), Overwrite: o.Overwrite, Early: env.Unbounded})
		if err != nil {
			return nil, err
		}
		return &rolling{parts: parts, meter: roll.NewMeter(o.Roll, env.Now), compression: o.Compression, header: env.Header, lines: newLineEnds(env)}, nil
	}
	var out connector.ByteSink
	var err error
	direct := aside.Direct(o.Path)
	if direct {
		out, err = aside.OpenDirect(ctx, o.Path, env)
	} else {
		out, err = aside.Open(l, o.Path, o.Overwrite)
	}
	if err != nil {
		return nil, err
	}
	if o.Compression != "none" {
		out = &compressed{ByteSink: out, to: compressor(o.Compression, out), live: direct}
	}
	if len(env.Header) > 0 {
		if _, err := out.Write(env.Header); err != nil {
			return nil, errors.Join(err, out.Abort())
		}
	}
	return out, nil
}

// Numbers implements [connector.Numbered].
func (o *SinkOptions) Numbers(target string) bool {
	return o.Roll != nil && o.Target() != "" && aside.Beside(o.Path).Includes(target)
}

// Replaces implements [connector.Replacing].
func (o *SinkOptions) Replaces(meant func(string) bool) string {
	if o.Roll != nil {
		return aside.Beside(o.Path).Replaces(meant)
	}
	return aside.Replaces(o.Path, meant)
}

// Target implements [connector.Targeted]: the absolute path, with the links in it followed as far as it exists.
func (o *SinkOptions) Target() string {
	if o.Path == "" || aside.Direct(o.Path) {
		return ""
	}
	return aside.Whole(o.Path)
}
