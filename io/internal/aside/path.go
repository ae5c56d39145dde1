package aside

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
)

// Check says whether path can not be the target of a file. It changes nothing.
func Check(path string, overwrite bool) error {
	if Direct(path) {
		return nil
	}
	info, err := os.Stat(path)
	switch {
	case err == nil && info.IsDir():
		return fmt.Errorf("%s is a folder; name a file in it", path)
	case err == nil && !overwrite:
		return fmt.Errorf("%s exists; remove it, write to another file, or set overwrite: true", path)
	case err == nil || errors.Is(err, fs.ErrNotExist):
		return nil
	}
	return WriteError(path, err)
}

// Whole gives a path from the root on, with the links in it followed as far as it exists.
func Whole(path string) string {
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

// Replaces gives path if a file is there that would be replaced and is meant, else "". meant is given whole paths.
func Replaces(path string, meant func(string) bool) string {
	if _, err := os.Stat(path); err != nil || Direct(path) || !meant(Whole(path)) {
		return ""
	}
	return path
}

// Direct reports whether a target is written to as it is: a pipe, a device or an open file has no name to give
// up.
func Direct(path string) bool {
	switch clean := filepath.Clean(path); {
	case clean == "/dev/stdout", clean == "/dev/stderr",
		strings.HasPrefix(clean, "/dev/fd/"), strings.HasPrefix(clean, "/proc/"):
		return true
	}
	info, err := os.Stat(path)
	return err == nil && !info.Mode().IsRegular() && !info.IsDir()
}

// mostLinks is how many links a path may lead through.
const mostLinks = 40

// followLinks gives what a path that is a link leads to, be it there or not.
func followLinks(path string) (string, error) {
	for range mostLinks {
		if info, err := os.Lstat(path); err != nil || info.Mode()&fs.ModeSymlink == 0 {
			return filepath.Clean(path), nil
		}
		to, err := os.Readlink(path)
		if err == nil && !filepath.IsAbs(to) {
			var folder string
			folder, err = filepath.EvalSymlinks(filepath.Dir(path))
			to = filepath.Join(folder, to)
		}
		if err != nil {
			return "", err
		}
		path = to
	}
	return "", &fs.PathError{Op: "open", Path: path, Err: syscall.ELOOP}
}

// makeFolders makes a folder and those above it that are missing. It gives the folders in which one was made,
// the deepest first: they have to be synced.
func makeFolders(l Layer, path string) (parents []string, err error) {
	if _, err := os.Stat(path); !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	parent := filepath.Dir(path)
	above, err := makeFolders(l, parent)
	if err != nil {
		return nil, err
	}
	if err := l.Mkdir(path); err != nil && !errors.Is(err, fs.ErrExist) {
		return nil, err
	}
	return append([]string{parent}, above...), nil
}

// WriteError says in one line why a path can not be written and what to do; nil if err is nil.
func WriteError(path string, err error) error {
	switch {
	case err == nil:
		return nil
	case errors.Is(err, syscall.ENOSPC), errors.Is(err, syscall.EDQUOT):
		return fmt.Errorf("%s: the disk is full; free some space or write elsewhere, then run again: %w", path, Cause(err))
	case errors.Is(err, syscall.EFBIG):
		return fmt.Errorf("%s is larger than a file may be here; raise the limit (ulimit -f), or write parts with roll: %w", path, Cause(err))
	case errors.Is(err, fs.ErrPermission):
		return fmt.Errorf("%s can't be written; give this user the right to write in its folder: %w", path, fs.ErrPermission)
	case errors.Is(err, syscall.ENOTDIR):
		return fmt.Errorf("%s can't be written: something on the way to it is a file, not a folder: %w", path, syscall.ENOTDIR)
	case errors.Is(err, syscall.ENAMETOOLONG):
		return fmt.Errorf("%s can't be written: the name is too long: %w", path, syscall.ENAMETOOLONG)
	}
	return fmt.Errorf("%s can't be written: %w", path, Cause(err))
}

// Cause is the reason in an error of a path, where a message has said the path already.
func Cause(err error) error {
	var p *fs.PathError
	if errors.As(err, &p) {
		return p.Err
	}
	var l *os.LinkError
	if errors.As(err, &l) {
		return l.Err
	}
	return err
}
