package window

import "tidemark/stream"

// global has one pane for the whole input.
type global struct {
	core
	pane    pane
	entries []entry
	places  [1]place
}

func (Global) open(_ int64, l *layout) Operator {
	return &global{
		core: newCore(l, false),
		pane: pane{values: l.accumulators()},
	}
}

// Process takes rows and steps of the watermark.
func (g *global) Process(in *Input, out Output) { g.run(g, in, out) }

func (g *global) stop() stream.Time { return stream.MaxTime }

func (g *global) take(rows []int32) int {
	if len(rows) == 0 {
		return 0
	}
	p := &g.pane
	g.ids = p.table.Add(g.in.Keys, rows, g.ids[:0])
	for _, f := range p.table.Fresh() {
		p.firsts = append(p.firsts, g.in.Ordinal+uint64(f.Row))
	}
	p.records += len(rows)
	g.add(rows, p.values, len(p.firsts))
	return len(rows)
}

// advance comes at the end of the input only.
func (g *global) advance() {
	p := &g.pane
	g.places[0] = g.at(Window{stream.MinTime, stream.MaxTime})
	for id := 0; id < len(p.firsts); {
		g.entries = g.entries[:0]
		for ; id < len(p.firsts) && len(g.entries) < BunchRows; id++ {
			g.entries = append(g.entries, entry{p.firsts[id], uint32(id), uint32(id)})
		}
		g.emit(&g.steps, &p.table, p.values, g.entries, g.places[:])
	}
	p.table.Reset()
	p.values.reset()
	p.firsts, p.records = p.firsts[:0], 0
}

// NextFire is MaxTime: the window fires at the end.
func (g *global) NextFire() stream.Time { return stream.MaxTime }

// Entries counts keys.
func (g *global) Entries() int { return len(g.pane.firsts) }

// Unwritten counts the records, and the keys.
func (g *global) Unwritten() (records, windows int) { return g.pane.records, len(g.pane.firsts) }

// Oldest is the first record, as long as any is held.
func (g *global) Oldest() (ordinal uint64, ok bool) {
	var o oldest
	o.add(g.pane.firsts)
	return o.ordinal, o.ok
}

// Bytes gives the memory held.
func (g *global) Bytes() int64 { return g.pane.bytes() }
