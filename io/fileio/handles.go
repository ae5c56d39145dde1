package fileio

import (
	"container/list"
	"os"
	"sync"
)

// maxOpen is how many files of all sources of the process are open at once.
const maxOpen = 512

// shared has the open files of all sources.
var shared = &handles{limit: maxOpen, files: map[*filePartition]*handle{}}

// handles keeps files open between the loads of their chunks, and closes the one that was idle longest when
// there are too many. All its files may be in use at once by no more than the workers, who are few, so there
// is always one to close.
type handles struct {
	mu      sync.Mutex
	limit   int
	opening int
	files   map[*filePartition]*handle
	idle    list.List // of *handle, longest idle first
}

// handle is an open file and how many are using it; place is its element in idle when nobody is.
type handle struct {
	*os.File
	of    *filePartition
	uses  int
	place *list.Element
}

// acquire gives the open file of a partition, which release gives back. opened reports that it was opened for
// this.
func (h *handles) acquire(p *filePartition) (f *handle, opened bool, err error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if f := h.use(p); f != nil {
		return f, false, nil
	}
	for len(h.files)+h.opening >= h.limit && h.idle.Len() > 0 {
		h.remove(h.idle.Front().Value.(*handle))
	}
	h.opening++
	h.mu.Unlock()
	file, err := os.Open(p.path)
	h.mu.Lock()
	h.opening--
	if err != nil {
		return nil, false, openError(p.path, err)
	}
	if f := h.use(p); f != nil { // another worker was faster
		file.Close()
		return f, false, nil
	}
	f = &handle{File: file, of: p, uses: 1}
	h.files[p] = f
	return f, true, nil
}

// use gives the file if it is open.
func (h *handles) use(p *filePartition) *handle {
	f := h.files[p]
	if f == nil {
		return nil
	}
	if f.uses == 0 {
		h.idle.Remove(f.place)
	}
	f.uses++
	return f
}

// release ends a use.
func (h *handles) release(f *handle) {
	h.mu.Lock()
	defer h.mu.Unlock()
	f.uses--
	switch {
	case f.uses > 0:
	case h.files[f.of] != f: // dropped while in use
		f.Close()
	default:
		f.place = h.idle.PushBack(f)
	}
}

// drop closes the file of a partition that needs it no more: now, or after its last use.
func (h *handles) drop(p *filePartition) {
	h.mu.Lock()
	defer h.mu.Unlock()
	f := h.files[p]
	switch {
	case f == nil:
	case f.uses > 0:
		delete(h.files, p)
	default:
		h.remove(f)
	}
}

// remove closes an idle file.
func (h *handles) remove(f *handle) {
	h.idle.Remove(f.place)
	delete(h.files, f.of)
	f.Close()
}
