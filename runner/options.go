package runner

import (
	"io"
	"runtime"
	"time"
)

// Lanes is the number of lanes that a window's keys are dealt to when lanes are used. It is part of no result.
const Lanes = 16

// tokenWorkers is the greatest number of workers at which one worker at a time applies pieces by itself; from
// there on windows run in lanes (measured: the token is better up to about 4).
const tokenWorkers = 4

// Options are how a plan is run. None of them changes a result.
type Options struct {
	// Parallelism is the number of workers; 0 means what the plan says, or one for each processor.
	Parallelism int
	// ChunkSize is the size of a chunk in bytes; 0 leaves it to the engine.
	ChunkSize int64
	// BatchRows bounds the rows of a piece; 0 sets no bound.
	BatchRows int
	// Lanes says whether windows run in lanes.
	Lanes LaneMode
	// ReadAll reads chunks too of which statistics say that no row counts.
	ReadAll bool
	// Drain makes a run that is cancelled send the final watermark first, so that open windows are written.
	Drain bool
	// Stdin and Stdout stand for the process's own; nil means those.
	Stdin  io.Reader
	Stdout io.Writer
	// Warn is told what a person should know while the run goes on, Tell what one who waits may want to know; nil:
	// nobody is.
	Warn, Tell func(message string)
	// Monitor is kept up to date while the run goes on; nil: nobody looks.
	Monitor *Monitor
	// CommitEvery is how often the groups of sources are told how far their records are dealt with, in a run without
	// an end; 0 means 5 s.
	CommitEvery time.Duration
	// Clock is the time of day; nil means time.Now. TickEvery is how often it is looked at; 0 means 200 ms.
	Clock     func() time.Time
	TickEvery time.Duration

	pipeline string
}

func (o Options) now() time.Time {
	if o.Clock != nil {
		return o.Clock()
	}
	return time.Now()
}

// LaneMode says whether windows run in lanes.
type LaneMode uint8

// The modes.
const (
	LanesAuto LaneMode = iota // when there are more than a few workers
	LanesOff
	LanesOn
)

// workers gives the number of workers.
func (o Options) workers(planned int) int {
	switch {
	case o.Parallelism > 0:
		return o.Parallelism
	case planned > 0:
		return planned
	}
	return runtime.GOMAXPROCS(0)
}

// lanes gives the number of lanes for a number of workers.
func (o Options) lanes(workers int) int {
	if o.Lanes == LanesOn || o.Lanes == LanesAuto && workers > tokenWorkers {
		return Lanes
	}
	return 1
}
