package main

import (
	"fmt"
	"io"

	"tidemark/cmd/run/internal/metrics"
	"tidemark/cmd/run/internal/progress"
	"tidemark/runner"
	"tidemark/spec"
)

// logged is how often progress is told of in a log; tests do not wait for so long.
var logged = progress.Logged

// watch is what others see of a run while it goes on: its metrics, its progress and what it says.
type watch struct {
	console *progress.Console
	stdout  io.Writer
	monitor *runner.Monitor // nil where nobody looks
	ends    []func()
}

// watch begins what the flags and the file ask for. The error is one of a run that can't begin.
func (f *runFlags) watch(s *streams, l *loaded) (*watch, error) {
	w := &watch{console: progress.NewConsole(s.err), stdout: s.out}
	if err := w.serve(f.metrics, l); err != nil {
		return nil, err
	}
	switch {
	case f.progress == "plain":
		w.follow(l, progress.Options{Every: logged, Show: func(line string) { fmt.Fprintln(w.console, "tidemark:", line) }})
	case f.progress == "auto" && progress.IsTerminal(s.err):
		if progress.IsTerminal(s.out) {
			w.stdout = w.console.Beside(s.out)
		}
		w.follow(l, progress.Options{Every: progress.Watched, Show: w.console.Show})
		w.ends = append(w.ends, w.console.Clear)
	}
	return w, nil
}

// serve serves metrics at the address of the flag, else at that of the file, if there is one.
func (w *watch) serve(address string, l *loaded) error {
	shown := address
	if address == "" {
		address, shown = l.plan.Settings.Metrics, shownMetrics(l.file)
	}
	if address == "" {
		return nil
	}
	m := &runner.Monitor{}
	server, err := metrics.Serve(address, metrics.NewCollector(m.Status, l.plan.Redact))
	if err != nil {
		return &exitError{exitFailed, fmt.Sprintf("metrics at %s: %v", shown, err)}
	}
	w.monitor = m
	w.ends = append(w.ends, server.Close)
	if shown == address {
		shown = server.URL()
	}
	fmt.Fprintln(w.console, "tidemark: metrics at", shown)
	return nil
}

// shownMetrics gives the file's address of metrics as people may read it: one from the environment is not shown.
func shownMetrics(file *spec.File) string {
	if file.Settings == nil {
		return ""
	}
	for _, e := range file.Settings.Entries {
		if e.Key == "metrics" && e.Value.Secret() {
			return e.Value.Raw
		} else if e.Key == "metrics" {
			return e.Value.Text
		}
	}
	return ""
}

func (w *watch) follow(l *loaded, o progress.Options) {
	if w.monitor == nil {
		w.monitor = &runner.Monitor{}
	}
	o.Status, o.Live = w.monitor.Status, !l.plan.Bounded()
	w.ends = append(w.ends, progress.Follow(o))
}

// close ends all that was begun. What is said after it is not torn by anything.
func (w *watch) close() {
	for _, end := range w.ends {
		end()
	}
}
