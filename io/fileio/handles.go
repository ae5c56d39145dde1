package fileio

import (
	"container/list"
	"os"
	"sync"
)

// maxOpen is how many files of all sources of the process are open at once.
const maxOpen = 512

// shared has the open files of all sources.
var shared = &handles{limit: maxOpen, files: map[owner]*handle{}}

// owner is a partition that reads a file, whose path its name is.
type owner interface{ Name() string }

// handles keeps files open between the loads of their chunks, and closes the one that was idle longest when
// there are too many. All its files may be in use at once by no more than the workers, who are few, so there
// is always one to close.
type handles struct {
	mu      sync.Mutex
	limit   int
	opening int
	files   map[owner]*handle
	order   list.List // of *handle, longest unused first
}

// handle is an open file, how many are using it, and its place in the order.
type handle struct {
	*os.File
	of    owner
	uses  int
	place *list.Element
}

// acquire gives the open file of a partition, which release gives back. opened reports that it was opened for
// this.
func (h *handles) acquire(p owner) (f *handle, opened bool, err error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if f := h.use(p); f != nil {
		return f, false, nil
	}
	h.makeRoom()
	h.opening++
	h.mu.Unlock()
	file, err := os.Open(p.Name())
	h.mu.Lock()
	h.opening--
	if err != nil {
		return nil, false, openError(p.Name(), err)
	}
	if f := h.use(p); f != nil { // another worker was faster
		file.Close()
		return f, false, nil
	}
	f = &handle{File: file, of: p, uses: 1}
	f.place = h.order.PushBack(f)
	h.files[p] = f
	return f, true, nil
}

// makeRoom closes idle files until one more may be opened.
func (h *handles) makeRoom() {
	for e := h.order.Front(); e != nil && len(h.files)+h.opening >= h.limit; {
		f := e.Value.(*handle)
		e = e.Next()
		if f.uses == 0 {
			h.forget(f)
			f.Close()
		}
	}
}

// use gives the file if it is open.
func (h *handles) use(p owner) *handle {
	f := h.files[p]
	if f != nil {
		f.uses++
		h.order.MoveToBack(f.place)
	}
	return f
}

// release ends a use.
func (h *handles) release(f *handle) {
	h.mu.Lock()
	defer h.mu.Unlock()
	f.uses--
	if f.uses == 0 && h.files[f.of] != f { // dropped while in use
		f.Close()
	}
}

// drop closes the file of a partition that needs it no more: now, or after its last use.
func (h *handles) drop(p owner) {
	h.mu.Lock()
	defer h.mu.Unlock()
	f := h.files[p]
	if f == nil {
		return
	}
	h.forget(f)
	if f.uses == 0 {
		f.Close()
	}
}

// forget takes a file out of the books.
func (h *handles) forget(f *handle) {
	h.order.Remove(f.place)
	delete(h.files, f.of)
}
