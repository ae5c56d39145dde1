package aside

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strconv"
)

// SetOptions say how a set of files is written.
type SetOptions struct {
	Naming
	// Overwrite lets the set replace one of the same naming.
	Overwrite bool
	// Early gives each part its name when it is finished, not when all are.
	Early bool
}

// Parts is a set of files of which none is under its name before it is complete.
type Parts struct {
	layer Layer
	SetOptions
	stage    string    // the hidden folder
	lock     io.Closer // of the stage
	parents  []string  // folders in which folders were made for the stage
	made     bool      // Root was made by this run
	created  int       // parts so far, for names in the stage
	numbers  map[string]int
	finished []*Part
	written  map[string]bool // names given
	done     bool
}

// OpenParts makes the folders that are missing and the hidden one.
func OpenParts(l Layer, o SetOptions) (*Parts, error) {
	p := &Parts{layer: l, SetOptions: o, numbers: map[string]int{}, written: map[string]bool{}}
	var err error
	if p.parents, err = makeFolders(l, o.Root); err != nil {
		return nil, WriteError(o.Path, err)
	}
	p.made = len(p.parents) > 0
	target := o.target()
	for range 3 {
		p.stage = hiddenName(target)
		if p.lock, err = l.Stage(p.stage); !errors.Is(err, errTaken) {
			break
		}
	}
	if err != nil {
		return nil, WriteError(o.Path, err)
	}
	if err := sweep(l, target, p.stage); err != nil {
		p.Abort()
		return nil, err
	}
	return p, nil
}

// longestName is how many bytes a name may have on the usual file systems.
const longestName = 255

// Next begins a part in a folder below the root: "" for the root itself, else one level for each field.
func (p *Parts) Next(folder string) (*Part, error) {
	if name := longest(folder); len(name) > longestName {
		return nil, fmt.Errorf("%s: a folder can't be called %.60s…: the name has %d bytes, at most %d are allowed; partition by something shorter",
			p.Path, name, len(name), longestName)
	}
	p.created++
	p.numbers[folder]++
	part := &Part{set: p, name: p.Name(folder, p.numbers[folder]), hidden: filepath.Join(p.stage, strconv.Itoa(p.created))}
	var err error
	if part.file, err = p.layer.Create(part.hidden); err != nil {
		return nil, WriteError(part.name, err)
	}
	return part, nil
}

// longest gives the longest of a path's names.
func longest(path string) string {
	long := ""
	for path != "" && path != "." {
		dir, name := filepath.Split(path)
		if len(name) > len(long) {
			long = name
		}
		path = filepath.Clean(dir)
	}
	return long
}

// Commit gives all finished parts their names and ends the set. Parts that were not finished are lost.
func (p *Parts) Commit() error {
	if p.done {
		return fmt.Errorf("%s was ended before", p.Path)
	}
	if err := p.publish(); err != nil {
		return err
	}
	p.done = true
	return WriteError(p.Path, errors.Join(p.layer.Clear(p.stage), p.lock.Close()))
}

// publish gives what is finished its names. The first time the parts of an earlier run go.
func (p *Parts) publish() error {
	var folders []string // to be synced
	for _, part := range p.finished {
		if _, err := os.Lstat(part.name); err == nil && !p.Overwrite {
			return cameIntoBeing(part.name)
		}
	}
	for _, part := range p.finished {
		above, err := makeFolders(p.layer, filepath.Dir(part.name))
		if err == nil {
			err = p.layer.Rename(part.hidden, part.name)
		}
		if err != nil {
			return WriteError(part.name, err)
		}
		p.written[part.name] = true
		folders = append(append(folders, filepath.Dir(part.name)), above...)
	}
	first := len(p.written) == len(p.finished)
	p.finished = nil
	if p.Overwrite && first {
		gone, err := p.removeOld()
		if err != nil {
			return WriteError(p.Path, err)
		}
		folders = append(folders, gone...)
	}
	folders = append(append(folders, p.Root), p.parents...)
	p.parents = nil
	slices.Sort(folders)
	for _, folder := range slices.Compact(folders) {
		if err := p.layer.SyncDir(folder); err != nil {
			return WriteError(p.Path, err)
		}
	}
	return nil
}

// removeOld removes files of the same naming that this run has not written; it gives their folders.
func (p *Parts) removeOld() (folders []string, err error) {
	old, err := p.Existing()
	if err != nil {
		return nil, err
	}
	for _, name := range old {
		if p.written[name] {
			continue
		}
		if err := p.layer.Remove(name); err != nil {
			return nil, err
		}
		folders = append(folders, filepath.Dir(name))
	}
	return folders, nil
}

// Abort removes what has no name yet, and the root if this run made it and nothing is in it.
func (p *Parts) Abort() error {
	if p.done {
		return nil
	}
	p.done = true
	err := p.layer.Clear(p.stage)
	if p.made {
		_ = p.layer.Remove(p.Root) // fails if something is in it
	}
	return WriteError(p.Path, errors.Join(err, p.lock.Close()))
}

// Part is a file of a set.
type Part struct {
	set    *Parts
	name   string
	hidden string
	file   LayerFile
	size   int64
}

// Name is the path that the part will have.
func (p *Part) Name() string { return p.name }

// Size is the number of bytes written.
func (p *Part) Size() int64 { return p.size }

// Write hands bytes to the operating system.
func (p *Part) Write(b []byte) (int, error) {
	n, err := p.file.Write(b)
	p.size += int64(n)
	return n, WriteError(p.name, err)
}

// Finish ends the part: its bytes are on the disk, and with Early it has its name.
func (p *Part) Finish() error {
	if err := p.file.Sync(); err != nil {
		p.file.Close()
		return WriteError(p.name, err)
	}
	if err := p.file.Close(); err != nil {
		return WriteError(p.name, err)
	}
	p.set.finished = append(p.set.finished, p)
	if p.set.Early {
		return p.set.publish()
	}
	return nil
}

// Drop closes the part unfinished.
func (p *Part) Drop() { p.file.Close() }
