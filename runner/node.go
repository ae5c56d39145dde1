package runner

import "tidemark/stream"

// node is a transform, a union or a sink at work. Nodes are called by the worker that holds the token, and call
// their readers before they return.
type node interface {
	// take takes rows and steps of the watermark of one input.
	take(input int, b *stream.Batch)
	// flush hands on what was gathered from a piece. It is called for every node after every piece, for those
	// upstream first.
	flush()
}

// target is an input of a node.
type target struct {
	node  node
	input int
	watch *stopwatch
	meter *meter
}

// push hands a batch to all readers of an output.
func push(readers []target, b *stream.Batch) {
	for i := range readers {
		r := &readers[i]
		if r.watch == nil {
			r.node.take(r.input, b)
			continue
		}
		before := r.watch.enter(r.meter)
		r.node.take(r.input, b)
		r.watch.enter(before)
	}
}
