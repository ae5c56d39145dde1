package aside

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// Naming says how the files of a set are called: Root/FOLDER/Prefix00001Suffix.
type Naming struct {
	// Path is what the pipeline says, for messages.
	Path string
	// Root is the folder that all is in.
	Root           string
	Prefix, Suffix string
	// Fields name the levels of Hive folders (field=value) between Root and the files; none for parts beside
	// each other.
	Fields []string
}

// packed are the endings that stand behind another one.
var packed = []string{".gz", ".zst"}

// Beside names parts beside each other: out/uv.jsonl gives out/uv-00001.jsonl, out/uv-00002.jsonl, …
func Beside(path string) Naming {
	name := filepath.Base(path)
	suffix := filepath.Ext(name)
	if slices.Contains(packed, suffix) {
		suffix = filepath.Ext(strings.TrimSuffix(name, suffix)) + suffix
	}
	if suffix == name {
		suffix = "" // a hidden file has no ending
	}
	return Naming{Path: path, Root: filepath.Dir(path), Prefix: strings.TrimSuffix(name, suffix) + "-", Suffix: suffix}
}

// Hive names parts in the folders of partitions below path.
func Hive(path, suffix string, fields []string) Naming {
	return Naming{Path: path, Root: filepath.Clean(path), Prefix: "part-", Suffix: suffix, Fields: fields}
}

// Name gives the path of a part; the first has the number 1. folder is relative to the root.
func (n Naming) Name(folder string, number int) string {
	return filepath.Join(n.Root, folder, fmt.Sprintf("%s%05d%s", n.Prefix, number, n.Suffix))
}

// target is what the hidden folder is called after.
func (n Naming) target() string {
	if len(n.Fields) > 0 {
		return filepath.Join(n.Root, "part"+n.Suffix)
	}
	return n.Path
}

// Check says whether the set can not be written. It changes nothing.
func (n Naming) Check(overwrite bool) error {
	if Direct(n.Path) {
		return fmt.Errorf("%s is a pipe or a device and has no parts; leave roll and partition_by out, or write to a file", n.Path)
	}
	if info, err := os.Stat(n.Root); err == nil && !info.IsDir() && len(n.Fields) > 0 {
		return fmt.Errorf("%s is a file; with partition_by name a folder", n.Path)
	}
	if len(n.Fields) == 0 && overwrite {
		return nil
	}
	found, err := n.Existing()
	if err != nil {
		return WriteError(n.Path, err)
	}
	if len(found) > 0 && !overwrite {
		return fmt.Errorf("%s exists; remove it and the parts beside it, write elsewhere, or set overwrite: true", found[0])
	}
	if len(n.Fields) == 0 || overwrite {
		return nil
	}
	return n.checkEmpty()
}

// checkEmpty refuses a folder of partitions that holds anything, but for what is hidden.
func (n Naming) checkEmpty() error {
	entries, err := readFolder(n.Root)
	if err != nil {
		return WriteError(n.Path, err)
	}
	for _, e := range entries {
		if !strings.HasPrefix(e.Name(), ".") {
			return fmt.Errorf("%s is not empty; empty it, write to another folder, or set overwrite: true", n.Path)
		}
	}
	return nil
}

// Existing gives the files that have names of this naming, sorted.
func (n Naming) Existing() ([]string, error) {
	folders := []string{n.Root}
	for _, field := range n.Fields {
		var below []string
		for _, folder := range folders {
			entries, err := readFolder(folder)
			if err != nil {
				return nil, err
			}
			for _, e := range entries {
				if e.IsDir() && strings.HasPrefix(e.Name(), Escape(field)+"=") {
					below = append(below, filepath.Join(folder, e.Name()))
				}
			}
		}
		folders = below
	}
	var found []string
	for _, folder := range folders {
		entries, err := readFolder(folder)
		if err != nil {
			return nil, err
		}
		for _, e := range entries {
			if !e.IsDir() && n.ours(e.Name()) {
				found = append(found, filepath.Join(folder, e.Name()))
			}
		}
	}
	slices.Sort(found)
	return found, nil
}

// Replaces gives the first file of the set that is there now and is meant; "" without. meant is given whole paths.
func (n Naming) Replaces(meant func(string) bool) string {
	found, _ := n.Existing() // Check tells what is wrong
	for _, path := range found {
		if meant(Whole(path)) {
			return path
		}
	}
	return ""
}

// readFolder gives what is in a folder; nothing if it is not there.
func readFolder(path string) ([]fs.DirEntry, error) {
	entries, err := os.ReadDir(path)
	if os.IsNotExist(err) {
		return nil, nil
	}
	return entries, err
}

// Includes reports whether a path, as Whole gives it, is one that a part may have.
func (n Naming) Includes(path string) bool {
	rest, below := strings.CutPrefix(path, Whole(n.Root)+string(filepath.Separator))
	return below && n.ours(filepath.Base(path)) && strings.Count(rest, string(filepath.Separator)) == len(n.Fields)
}

// ours reports whether a file's name is that of a part.
func (n Naming) ours(name string) bool {
	number, ok := strings.CutPrefix(name, n.Prefix)
	if !ok {
		return false
	}
	number, ok = strings.CutSuffix(number, n.Suffix)
	if !ok {
		return false
	}
	value, err := strconv.ParseUint(number, 10, 31)
	return err == nil && value > 0 && fmt.Sprintf("%05d", value) == number
}
