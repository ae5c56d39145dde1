// Package asidetest records what a sink does to the disk, and tells what a crash between two operations may leave.
package asidetest

import (
	"fmt"
	"io"
	"path/filepath"
	"strings"

	"tidemark/io/internal/aside"
)

// Operation is one change of the disk.
type Operation struct {
	Do   string // mkdir, create, stage, write, sync, rename, syncdir, remove, clear
	Path string
	To   string // rename
	Size int    // write
}

// Recorder is a layer that does what the disk does and writes it down. One goroutine at a time may use it.
type Recorder struct {
	disk       aside.Disk
	Operations []Operation
}

var _ aside.Layer = (*Recorder)(nil)

func (r *Recorder) note(do, path string) {
	r.Operations = append(r.Operations, Operation{Do: do, Path: path})
}

// Mkdir implements [aside.Layer].
func (r *Recorder) Mkdir(path string) error { r.note("mkdir", path); return r.disk.Mkdir(path) }

// Remove implements [aside.Layer].
func (r *Recorder) Remove(path string) error { r.note("remove", path); return r.disk.Remove(path) }

// Clear implements [aside.Layer].
func (r *Recorder) Clear(path string) error { r.note("clear", path); return r.disk.Clear(path) }

// SyncDir implements [aside.Layer].
func (r *Recorder) SyncDir(path string) error { r.note("syncdir", path); return r.disk.SyncDir(path) }

// Stage implements [aside.Layer].
func (r *Recorder) Stage(path string) (io.Closer, error) {
	r.note("stage", path)
	return r.disk.Stage(path)
}

// Rename implements [aside.Layer].
func (r *Recorder) Rename(from, to string) error {
	r.Operations = append(r.Operations, Operation{Do: "rename", Path: from, To: to})
	return r.disk.Rename(from, to)
}

// Create implements [aside.Layer].
func (r *Recorder) Create(path string) (aside.LayerFile, error) {
	r.note("create", path)
	f, err := r.disk.Create(path)
	return &file{f, r, path}, err
}

type file struct {
	aside.LayerFile
	r    *Recorder
	path string
}

// Write implements io.Writer.
func (f *file) Write(p []byte) (int, error) {
	f.r.Operations = append(f.r.Operations, Operation{Do: "write", Path: f.path, Size: len(p)})
	return f.LayerFile.Write(p)
}

// Sync implements [aside.LayerFile].
func (f *file) Sync() error { f.r.note("sync", f.path); return f.LayerFile.Sync() }

// Story tells the operations, one a line, with the paths below folder, HIDDEN for what was created or staged first.
func (r *Recorder) Story(folder string) string {
	var lines []string
	hidden := ""
	for _, o := range r.Operations {
		if hidden == "" && (o.Do == "create" || o.Do == "stage") {
			hidden = o.Path
		}
		line := fmt.Sprint(o.Do, " ", o.Path)
		if o.To != "" {
			line += " " + o.To
		}
		if o.Size > 0 {
			line += fmt.Sprint(" ", o.Size)
		}
		if hidden != "" {
			line = strings.ReplaceAll(line, hidden, "HIDDEN")
		}
		line = strings.ReplaceAll(line, folder+"/", "")
		lines = append(lines, strings.ReplaceAll(line, folder, "."))
	}
	return strings.Join(lines, "\n")
}

// Wreck is what a disk may hold after a crash: of each file what was synced or more, under each name what the
// synced folder says or what came later.
type Wreck struct {
	// Written and Synced are bytes of a file, by the name it was created with.
	Written, Synced map[string]int
	// Names lead to names of creation, as the running system saw them, and Durable as the disk is sure to have
	// them.
	Names, Durable map[string]string
}

// CrashAfter gives what is left when the machine stops after some operations.
func CrashAfter(operations []Operation) Wreck {
	w := Wreck{map[string]int{}, map[string]int{}, map[string]string{}, map[string]string{}}
	for _, o := range operations {
		switch o.Do {
		case "create":
			w.Names[o.Path] = o.Path
		case "write":
			w.Written[o.Path] += o.Size
		case "sync":
			w.Synced[o.Path] = w.Written[o.Path]
		case "rename":
			w.Names[o.To] = w.Names[o.Path]
			delete(w.Names, o.Path)
		case "remove", "clear":
			delete(w.Names, o.Path)
		case "syncdir":
			for name, file := range w.Names {
				if filepath.Dir(name) == o.Path {
					w.Durable[name] = file
				}
			}
		}
	}
	return w
}

// Visible gives the files that a reader may come upon: those of which no name on the way below root is hidden.
func (w Wreck) Visible(root string) map[string]string {
	visible := map[string]string{}
	for name, file := range w.Names {
		below, err := filepath.Rel(root, name)
		if err == nil && !strings.HasPrefix(below, ".") && !strings.Contains(below, "/.") {
			visible[name] = file
		}
	}
	return visible
}
