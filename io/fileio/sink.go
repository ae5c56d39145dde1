package fileio

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"

	"tidemark/io/connector"
)

var (
	_ connector.Source      = (*SourceOptions)(nil)
	_ connector.Reader      = (*SourceOptions)(nil)
	_ connector.LineLimited = (*SourceOptions)(nil)
	_ connector.Sink        = (*SinkOptions)(nil)
	_ connector.Targeted    = (*SinkOptions)(nil)
)

// Check implements [connector.Sink].
func (o *SinkOptions) Check(connector.Environment) error {
	if direct(o.Path) {
		return nil
	}
	info, err := os.Stat(o.Path)
	switch {
	case err == nil && info.IsDir():
		return fmt.Errorf("%s is a folder; name a file in it", o.Path)
	case err == nil && !o.Overwrite:
		return fmt.Errorf("%s exists; remove it, write to another file, or set overwrite: true", o.Path)
	case err == nil || errors.Is(err, fs.ErrNotExist):
		return nil
	}
	return writeError(o.Path, err)
}

// Open implements [connector.Sink].
func (o *SinkOptions) Open(ctx context.Context, env connector.Environment) (connector.Output, error) {
	if direct(o.Path) {
		return openDirect(ctx, o.Path, env)
	}
	if err := o.Check(env); err != nil {
		return nil, err
	}
	return openAside(disk{}, o.Path, o.Overwrite)
}

// Target implements [connector.Targeted]: the absolute path, with the links in it followed as far as it exists.
func (o *SinkOptions) Target() string {
	if o.Path == "" || direct(o.Path) {
		return ""
	}
	return whole(o.Path)
}

// whole gives a path from the root on, with the links in it followed as far as it exists.
func whole(path string) string {
	path, err := filepath.Abs(path)
	if err != nil {
		return filepath.Clean(path)
	}
	for head, tail := path, ""; head != filepath.Dir(head); head = filepath.Dir(head) {
		if real, err := filepath.EvalSymlinks(head); err == nil {
			return filepath.Join(real, tail)
		}
		tail = filepath.Join(filepath.Base(head), tail)
	}
	return path
}

// direct reports whether a target is written to as it is: a pipe, a device or an open file has no name to give
// up.
func direct(path string) bool {
	switch clean := filepath.Clean(path); {
	case clean == "/dev/stdout", clean == "/dev/stderr",
		strings.HasPrefix(clean, "/dev/fd/"), strings.HasPrefix(clean, "/proc/"):
		return true
	}
	info, err := os.Stat(path)
	return err == nil && !info.Mode().IsRegular() && !info.IsDir()
}

// writeError says in one line why a path can not be written and what to do.
func writeError(path string, err error) error {
	switch {
	case err == nil:
		return nil
	case errors.Is(err, syscall.ENOSPC), errors.Is(err, syscall.EDQUOT):
		return fmt.Errorf("%s: the disk is full; free some space or write elsewhere, then run again: %w", path, cause(err))
	case errors.Is(err, fs.ErrPermission):
		return fmt.Errorf("%s can't be written; give this user the right to write in its folder: %w", path, fs.ErrPermission)
	case errors.Is(err, syscall.ENOTDIR):
		return fmt.Errorf("%s can't be written: something on the way to it is a file, not a folder: %w", path, syscall.ENOTDIR)
	case errors.Is(err, syscall.ENAMETOOLONG):
		return fmt.Errorf("%s can't be written: the name is too long: %w", path, syscall.ENAMETOOLONG)
	}
	return fmt.Errorf("%s can't be written: %w", path, cause(err))
}
