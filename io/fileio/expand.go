package fileio

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"tidemark/io/internal/aside"
)

// found is an input that a path led to.
type found struct {
	path    string
	regular bool
}

// expand finds the inputs that paths and globs name, each once, ordered by name.
func expand(paths []string) ([]found, error) {
	var all []found
	for _, p := range paths {
		if p == "-" {
			all = append(all, found{path: p})
			continue
		}
		info, err := os.Stat(p)
		switch {
		case err == nil && info.IsDir():
			return nil, fmt.Errorf("%s is a folder; to read the files in it write %s", p, allIn(p))
		case err == nil:
			all = append(all, found{p, info.Mode().IsRegular()})
		case strings.ContainsAny(p, "*?["):
			matches, err := match(p)
			if err != nil {
				return nil, err
			}
			all = append(all, matches...)
		default:
			return nil, openError(p, err)
		}
	}
	slices.SortFunc(all, func(a, b found) int { return strings.Compare(a.path, b.path) })
	once := map[string]bool{} // ./a and a are one file, and so is /folder/a here
	here, _ := os.Getwd()
	return slices.DeleteFunc(all, func(f found) bool {
		name := fromRoot(here, f.path)
		again := once[name]
		once[name] = true
		return again
	}), nil
}

// fromRoot gives a path that is looked for from a folder on as one from the root on; standard input is none.
func fromRoot(here, path string) string {
	if path == "-" || filepath.IsAbs(path) {
		return filepath.Clean(path)
	}
	return filepath.Join(here, path)
}

// globError says that a pattern is none.
func globError(pattern string, err error) error {
	return fmt.Errorf("%s is no glob: %w; a [ needs its ]", pattern, err)
}

// hidden reports whether a glob leaves out a file that it found: like a shell it takes hidden files only where the pattern's
// last part begins with a dot, so that what a sink has not finished is not read.
func hidden(pattern, name string) bool {
	return strings.HasPrefix(filepath.Base(name), ".") && !strings.HasPrefix(filepath.Base(pattern), ".")
}

// match finds the files of a glob.
func match(pattern string) ([]found, error) {
	names, err := filepath.Glob(pattern)
	if err != nil {
		return nil, globError(pattern, err)
	}
	if reasons := unsearchable(filepath.Dir(pattern), os.Open); len(reasons) > 0 {
		return nil, reasons[0]
	}
	var all []found
	for _, name := range names {
		if hidden(pattern, name) {
			continue
		}
		info, err := os.Stat(name)
		if err != nil {
			return nil, openError(name, err)
		}
		if !info.IsDir() {
			all = append(all, found{name, info.Mode().IsRegular()})
		}
	}
	if len(all) == 0 {
		return nil, fmt.Errorf("no file matches %s%s", pattern, workingFolder(pattern))
	}
	return all, nil
}

// unsearchable gives the reasons why folders in which files are looked for can't be read, those of the pattern and those
// above them: a glob passes over such folders, and over their files.
func unsearchable(pattern string, open func(string) (*os.File, error)) (reasons []error) {
	folders, _ := filepath.Glob(pattern) // part of a pattern that was checked
	for _, name := range folders {
		info, err := os.Stat(name)
		if errors.Is(err, fs.ErrNotExist) || err == nil && !info.IsDir() {
			continue
		}
		var folder *os.File
		if err == nil {
			folder, err = open(name)
		}
		if err != nil {
			reasons = append(reasons, openError(name, err))
			continue
		}
		folder.Close()
	}
	if above := filepath.Dir(pattern); strings.ContainsAny(above, "*?[") {
		reasons = append(reasons, unsearchable(above, open)...)
	}
	return reasons
}

// openError says in one line why a path can not be read and what to do.
func openError(path string, err error) error {
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return fmt.Errorf("%s does not exist%s: %w", path, workingFolder(path), fs.ErrNotExist)
	case errors.Is(err, fs.ErrPermission):
		return fmt.Errorf("%s can't be read; give this user the right to read it: %w", path, fs.ErrPermission)
	}
	return fmt.Errorf("%s can't be read: %w", path, aside.Cause(err))
}

// workingFolder tells where a relative path was looked for.
func workingFolder(path string) string {
	if filepath.IsAbs(path) {
		return ""
	}
	folder, err := os.Getwd()
	if err != nil {
		return ""
	}
	return " in " + folder
}

// allIn gives the pattern of all files in a folder. One that begins with a star would be no text to YAML.
func allIn(folder string) string {
	pattern := filepath.Join(folder, "*")
	if pattern == "*" {
		return "./*"
	}
	return pattern
}
