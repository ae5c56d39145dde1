package fileio

import (
	"context"
	"fmt"
	"os"
	"sync"
	"time"

	"tidemark/io/connector"
)

// waiting repeats a step until it gives something, with a heartbeat, until it is ended.
type waiting struct {
	stop chan struct{}
	once sync.Once
	busy sync.Mutex
}

func newWaiting() waiting { return waiting{stop: make(chan struct{})} }

// next gives what step gives, or what nothing does when step had nothing for as long as a heartbeat.
func (w *waiting) next(ctx context.Context, name string, step func() (connector.Chunk, bool, error), nothing func() connector.Chunk) (connector.Chunk, error) {
	w.busy.Lock()
	defer w.busy.Unlock()
	timer := time.NewTimer(poll)
	defer timer.Stop()
	for waited := time.Duration(0); ; waited += poll {
		select {
		case <-w.stop:
			return connector.Chunk{}, fmt.Errorf("%s: %w", name, os.ErrClosed)
		default:
		}
		if err := ctx.Err(); err != nil {
			return connector.Chunk{}, err
		}
		if c, ok, err := step(); ok || err != nil {
			return c, err
		}
		if waited >= heartbeat {
			return nothing(), nil
		}
		timer.Reset(poll)
		select {
		case <-timer.C:
		case <-w.stop:
		case <-ctx.Done():
		}
	}
}

// end makes next return, and then does what closes what it works on.
func (w *waiting) end(closing func()) {
	w.once.Do(func() {
		close(w.stop)
		w.busy.Lock()
		defer w.busy.Unlock()
		closing()
	})
}
