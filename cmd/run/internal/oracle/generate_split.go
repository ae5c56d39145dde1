package oracle

import (
	"fmt"

	"pgregory.net/rapid"
)

// split draws a split now and then, and adds what the transform's rows come out of.
func (g *generator) split(tr *Transform, result *output, windowed bool) {
	fields := result.ints
	if windowed {
		fields = result.whole
	}
	for i := range rapid.SampledFrom([]int{0, 0, 0, 1, 2}).Draw(g.t, "branches") {
		if c := g.condition("branch", fields, result.whole, 1); c != nil {
			tr.Split = append(tr.Split, Branch{fmt.Sprintf("part%d", i+1), c})
		}
	}
	for _, name := range tr.outputs() {
		g.add(name, result)
	}
}

// outputs names what the rows come out of.
func (t Transform) outputs() []string {
	if len(t.Split) == 0 {
		return []string{t.Name}
	}
	var names []string
	for _, b := range t.Split {
		names = append(names, t.Name+"."+b.Name)
	}
	return append(names, t.Name+"."+Rest)
}
