package parquetio

import (
	"fmt"
	"maps"
	"slices"
	"sync"

	"tidemark/io/connector"
	"tidemark/io/internal/aside"
	"tidemark/io/internal/roll"
)

// openFiles is how many files of partitions are open at once; the one that has got nothing for longest is ended
// when another has to be opened.
const openFiles = 256

// task is rows for the encoder, or only a reason to look at the clock.
type task struct {
	slabs  []*slab // in their order
	folder string
	// alone says that the rows are row groups by themselves, so that nothing is kept between two of a file.
	alone bool
}

// encoder encodes, compresses and writes rows on a goroutine of its own, in the order in which they come. While
// one task is done another may wait; whoever brings a third waits too.
type encoder struct {
	options fileOptions
	limits  *roll.Limits
	group   int64 // rows in a row group
	env     connector.Environment
	parts   *aside.Parts
	single  connector.ByteSink

	tasks chan task
	done  chan struct{}

	files map[string]*openFile
	uses  int
	begun bool // there was a file

	mu   sync.Mutex
	err  error
	free []*slab
}

// openFile is a file that is being written.
type openFile struct {
	*fileWriter
	part  *aside.Part // nil for the only file
	meter *roll.Meter
	used  int // when it was used last, counted in tasks
}

func startEncoder(e *encoder) *encoder {
	e.tasks, e.done = make(chan task, 1), make(chan struct{})
	e.files = map[string]*openFile{}
	go e.run()
	return e
}

// run does tasks until there are no more. After an error it only takes them.
func (e *encoder) run() {
	defer close(e.done)
	for t := range e.tasks {
		if e.failure() == nil {
			if err := e.do(t); err != nil {
				e.mu.Lock()
				e.err = err
				e.mu.Unlock()
			}
		}
		e.giveBack(t.slabs)
	}
}

// failure gives the error that ended the encoder's work.
func (e *encoder) failure() error {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.err
}

// empty gives a slab to fill: one that is not used any more, or a new one.
func (e *encoder) empty() *slab {
	e.mu.Lock()
	defer e.mu.Unlock()
	if last := len(e.free) - 1; last >= 0 {
		s := e.free[last]
		e.free = e.free[:last]
		return s
	}
	return newSlab(e.options.columns)
}

// giveBack takes slabs that were encoded.
func (e *encoder) giveBack(slabs []*slab) {
	e.mu.Lock()
	defer e.mu.Unlock()
	for _, s := range slabs {
		s.reset()
		e.free = append(e.free, s)
	}
}

// stop ends the goroutine when all tasks are done.
func (e *encoder) stop() error {
	close(e.tasks)
	<-e.done
	return e.failure()
}

func (e *encoder) do(t task) error {
	e.uses++
	if t.slabs == nil {
		return e.endOverdue()
	}
	for i, s := range t.slabs {
		for at := 0; at < s.n; {
			f, err := e.fileFor(t)
			if err != nil {
				return err
			}
			n := f.meter.Room(int(min(int64(s.n-at), e.group-int64(f.rows))))
			if err := f.write(s, at, at+n); err != nil {
				return err
			}
			at += n
			last := t.alone && i == len(t.slabs)-1 && at == s.n
			if err := e.written(t.folder, f, n, last); err != nil {
				return err
			}
		}
	}
	return nil
}

// written ends the row group, and the file, that n rows more have filled; last rows end the row group anyway.
func (e *encoder) written(folder string, f *openFile, n int, last bool) error {
	f.meter.Add(int64(n), 0)
	if last || int64(f.rows) == e.group || f.groupSize() >= largestGroup {
		if err := f.endGroup(); err != nil {
			return err
		}
		f.meter.Size = f.file.Size()
	}
	if f.meter.Full() {
		return e.end(folder, f)
	}
	return nil
}

// fileFor gives the open file of a folder.
func (e *encoder) fileFor(t task) (*openFile, error) {
	if f := e.files[t.folder]; f != nil && !f.meter.Due() {
		f.used = e.uses
		return f, nil
	} else if f != nil {
		if err := e.end(t.folder, f); err != nil {
			return nil, err
		}
	}
	if len(e.files) == openFiles {
		if err := e.endOldest(); err != nil {
			return nil, err
		}
	}
	return e.begin(t.folder, t.slabs, t.alone)
}

// begin opens a file in a folder. sample is its first rows.
func (e *encoder) begin(folder string, sample []*slab, alone bool) (*openFile, error) {
	f := &openFile{meter: roll.NewMeter(e.limits, e.env.Now), used: e.uses}
	if e.parts == nil {
		f.fileWriter = newFileWriter(e.single, e.options, sample)
	} else {
		part, err := e.parts.Next(folder)
		if err != nil {
			return nil, err
		}
		f.part = part
		f.fileWriter = newFileWriter(part, e.options, sample)
	}
	f.alone = alone
	e.begun = true
	e.files[folder] = f
	return f, nil
}

// end writes a file's footer and finishes it.
func (e *encoder) end(folder string, f *openFile) error {
	if err := f.close(); err != nil {
		return err
	}
	delete(e.files, folder)
	if f.part == nil {
		return nil
	}
	return f.part.Finish()
}

func (e *encoder) endOldest() error {
	oldest := ""
	var file *openFile
	for folder, f := range e.files {
		if file == nil || f.used < file.used || f.used == file.used && folder < oldest {
			oldest, file = folder, f
		}
	}
	return e.end(oldest, file)
}

// endOverdue ends the files whose time is over.
func (e *encoder) endOverdue() error {
	for _, folder := range slices.Sorted(maps.Keys(e.files)) {
		if f := e.files[folder]; f.meter.Due() {
			if err := e.end(folder, f); err != nil {
				return err
			}
		}
	}
	return nil
}

// endAll ends all files, once the goroutine has stopped. Without any there is one without rows, but in folders.
func (e *encoder) endAll(partitioned bool) error {
	if !e.begun && !partitioned {
		if _, err := e.begin("", nil, false); err != nil {
			return err
		}
	}
	for _, folder := range slices.Sorted(maps.Keys(e.files)) {
		if err := e.end(folder, e.files[folder]); err != nil {
			return fmt.Errorf("the end of the file: %w", err)
		}
	}
	return nil
}

// drop closes the files unfinished, once the goroutine has stopped.
func (e *encoder) drop() {
	for _, f := range e.files {
		if f.part != nil {
			f.part.Drop()
		}
	}
	clear(e.files)
}
