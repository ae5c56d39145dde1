package oracle

import (
	"slices"
	"strings"
)

// Run gives what the pipeline must write.
func Run(p *Pipeline) Result {
	g := newGraph(p)
	for {
		next := lowestPartition(g.partitions)
		if next == nil {
			return g.result
		}
		g.cause(next)
	}
}

// graph is a pipeline while it runs.
type graph struct {
	pipeline   *Pipeline
	partitions []*partition
	nodes      []*node
	// outputs has the rows of the present cause, by output.
	outputs map[string][]Row
	result  Result
}

// node is a transform while it runs.
type node struct {
	Transform
	feeds  map[int]bool
	counts *Counts
	// seen is the number of rows that came in.
	seen int
	// wasLate says that an element of the record at hand was late.
	wasLate bool
	windows *windows
	g       *graph
}

func newGraph(p *Pipeline) *graph {
	g := &graph{pipeline: p, result: Result{map[string][]string{}, map[string]*Counts{}}}
	feeds := map[string]map[int]bool{}
	for i, s := range p.Sources {
		g.result.Counts[s.Name] = &Counts{}
		feeds[s.Name] = map[int]bool{i: true}
		partitions := s.Partitions
		if s.Chained {
			partitions = [][]string{slices.Concat(partitions...)}
		}
		for _, lines := range partitions {
			g.partitions = append(g.partitions, newPartition(i, lines))
		}
	}
	for _, t := range p.Transforms {
		n := &node{Transform: t, feeds: map[int]bool{}, counts: &Counts{}, g: g}
		for _, from := range t.From {
			origin, _, _ := strings.Cut(from, ".")
			for source := range feeds[origin] {
				n.feeds[source] = true
			}
		}
		if t.Window != nil {
			n.windows = &windows{spec: *t.Window, lateness: t.Lateness, watermark: lowest}
			n.windows.fire = n.write
		}
		feeds[t.Name] = n.feeds
		g.result.Counts[t.Name] = n.counts
		g.nodes = append(g.nodes, n)
	}
	for _, s := range p.Sinks {
		g.result.Counts[s.Name] = &Counts{}
	}
	return g
}

// cause takes the next record of a partition, or its end, through the whole graph.
func (g *graph) cause(p *partition) {
	g.outputs = map[string][]Row{}
	source := g.pipeline.Sources[p.source]
	if p.next == len(p.lines) {
		p.ended, p.watermark = true, highest
	} else {
		g.read(source, p)
	}
	for _, n := range g.nodes {
		for _, row := range g.union(n.From) {
			n.take(row)
		}
		if n.windows != nil {
			n.windows.advance(combined(g.pipeline.Sources, g.partitions, n.feeds))
		}
	}
	for _, s := range g.pipeline.Sinks {
		for _, row := range g.union(s.From) {
			g.result.Counts[s.Name].In++
			if !s.Discard {
				g.result.Lines[s.Name] = append(g.result.Lines[s.Name], row.text(s.Milliseconds))
			}
		}
	}
}

// read takes a line: a record that moves the watermark, or a dirty one that doesn't.
func (g *graph) read(s Source, p *partition) {
	line := p.lines[p.next]
	p.next++
	if strings.TrimSpace(line) == "" {
		return
	}
	counts := g.result.Counts[s.Name]
	counts.In++
	row, err := parse(line)
	if g.pipeline.CSV {
		row, err = parseCSV(line)
	}
	if err != nil {
		counts.Dirty++
		g.put(s.Name+".dirty", dirty(s.Name, line))
		return
	}
	greatest := p.greatest
	if s.Watermark.MaxAhead > 0 {
		greatest = p.moved // what is too far ahead makes no others bad
	}
	if s.Watermark.Regress && row.time < greatest {
		counts.Dirty++
		g.put(s.Name+".dirty", dirty(s.Name, line))
		return
	}
	counts.Used++
	counts.Out++
	g.put(s.Name, row)
	p.see(s.Watermark, row)
}

func (g *graph) put(output string, r Row) { g.outputs[output] = append(g.outputs[output], r) }

// union merges the present cause's rows of several outputs, keeping the order within each.
func (g *graph) union(from []string) []Row {
	var heads [][]Row
	for _, output := range from {
		heads = append(heads, g.outputs[output])
	}
	var all []Row
	for {
		best := -1
		for i, rows := range heads {
			if len(rows) == 0 {
				continue
			}
			if best < 0 || before(rows[0], heads[best][0]) {
				best = i
			}
		}
		if best < 0 {
			return all
		}
		all = append(all, heads[best][0])
		heads[best] = heads[best][1:]
	}
}

// before reports whether row a of a later input goes before row b all the same: rows of windows come after
// others, in the order of their places.
func before(a, b Row) bool {
	switch {
	case b.place == nil:
		return false
	case a.place == nil:
		return true
	}
	if a.place.end != b.place.end {
		return a.place.end < b.place.end
	}
	return a.place.start < b.place.start
}

// take lets one record into a transform.
func (n *node) take(in Row) {
	n.counts.In++
	n.seen++
	if n.Where != nil {
		keep, err := n.Where.eval(in)
		if err != nil {
			n.dirty(in)
			return
		}
		if !keep {
			n.counts.Filtered++
			return
		}
	}
	row, err := n.assign(in)
	if err != nil {
		n.dirty(in)
		return
	}
	n.wasLate = false
	if n.Explode == "" {
		n.enter(in, row, in)
		return
	}
	switch list := row.get("e").(type) {
	case []any:
		for i, element := range list {
			if i > 0 {
				n.counts.In++
				n.seen++
			}
			of := row.with(n.Explode, element)
			n.enter(of, of, in)
		}
		if len(list) == 0 {
			n.counts.Filtered++
		}
	case nil:
		n.counts.Filtered++
	default:
		n.dirty(in)
	}
}

// enter lets a record that came as in, or an element of it, go through select into the window. record is what came in.
func (n *node) enter(in, row, record Row) {
	row, err := n.pick(row)
	if err != nil {
		n.dirty(in)
		return
	}
	if n.windows == nil {
		if !n.give(row) {
			n.dirty(in)
			return
		}
		n.counts.Used++
		return
	}
	var key []any
	for _, name := range n.Key {
		key = append(key, row.get(name))
	}
	switch n.windows.add(n.seen, key, row) {
	case used:
		n.counts.Used++
	case late:
		n.counts.Late++
		if !n.wasLate {
			n.g.put(n.Name+".late", record)
		}
		n.wasLate = true
	case uncovered:
		n.counts.Filtered++
	}
}

// assign does set.
func (n *node) assign(row Row) (Row, error) {
	for _, a := range n.Set {
		value, err := a.eval(row)
		if err != nil {
			return row, err
		}
		row = row.with(a.Name, value)
	}
	return row, nil
}

// pick does select.
func (n *node) pick(row Row) (Row, error) {
	if n.Select == nil {
		return row, nil
	}
	picked := Row{time: row.time, place: row.place}
	for _, a := range n.Select {
		value, err := a.eval(row)
		if err != nil {
			return row, err
		}
		picked = picked.with(a.Name, value)
	}
	return picked, nil
}

func (n *node) dirty(in Row) {
	n.counts.Dirty++
	n.g.put(n.Name+".dirty", dirty(n.Name, in.text(false)))
}

// write makes the result row of a firing.
func (n *node) write(p *pane) {
	at := p.place()
	row := Row{time: p.end - 1, place: &at}
	for i, name := range n.Key {
		row = row.with(name, p.key[i])
	}
	row = row.with("window_start", instant(p.start)).with("window_end", instant(p.end))
	for _, a := range n.Aggregates {
		row = row.with(a.Name, a.over(p.rows))
	}
	if n.Having != nil {
		if keep, err := n.Having.eval(row); err != nil || !keep {
			return
		}
	}
	n.give(row) // conditions of a split are over fields that are never nil here
}

// give hands a row on. It reports false where a condition of the split has no value for it.
func (n *node) give(row Row) bool {
	output := n.Name
	if len(n.Split) > 0 {
		output += "." + Rest
	}
	for _, b := range n.Split {
		holds, err := b.If.eval(row)
		if err != nil {
			return false
		}
		if holds {
			output = n.Name + "." + b.Name
			break
		}
	}
	n.counts.Out++
	n.g.put(output, row)
	return true
}
