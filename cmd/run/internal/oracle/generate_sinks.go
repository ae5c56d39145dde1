package oracle

import (
	"fmt"
	"strings"

	"pgregory.net/rapid"
)

// sinks draws who reads what. Outputs that write a window more than once go to stdout, where that is allowed;
// what nobody reads is discarded, so that every node runs.
func (g *generator) sinks() {
	t := g.t
	shown, _ := g.from("stdout", func(o *output) bool { return !o.dirty })
	g.sink(Sink{From: shown, Stdout: true})
	for _, name := range g.names {
		if !g.outputs[name].refined && rapid.IntRange(0, 2).Draw(t, name) > 0 {
			g.sink(Sink{From: []string{name}})
		}
	}
	for range rapid.IntRange(0, 2).Draw(t, "union sinks") {
		dirty := once(t, 4, "union of dirty")
		from, _ := g.from("sink", func(o *output) bool { return !o.refined && o.dirty == dirty })
		if len(from) > 0 {
			g.sink(Sink{From: from})
		}
	}
	if from := g.unread(); len(from) > 0 {
		g.sink(Sink{From: from, Discard: true})
	}
}

func (g *generator) sink(s Sink) {
	s.Name = fmt.Sprintf("o%d", len(g.p.Sinks)+1)
	s.Milliseconds = !s.Discard && once(g.t, 4, "ms")
	g.p.Sinks = append(g.p.Sinks, s)
}

// unread gives the nodes from which no way leads to a sink.
func (g *generator) unread() []string {
	read := map[string]bool{}
	mark := func(from []string) {
		for _, name := range from {
			node, _, _ := strings.Cut(name, ".")
			read[node] = true
		}
	}
	for _, s := range g.p.Sinks {
		mark(s.From)
	}
	var unread []string
	for i := len(g.p.Transforms) - 1; i >= 0; i-- {
		if tr := g.p.Transforms[i]; !read[tr.Name] {
			unread = append(unread, tr.outputs()[0])
		}
		mark(g.p.Transforms[i].From)
	}
	for _, s := range g.p.Sources {
		if !read[s.Name] {
			unread = append(unread, s.Name)
		}
	}
	return unread
}
