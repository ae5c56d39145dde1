package oracle

import (
	"testing"

	"pgregory.net/rapid"
)

// TestGeneratedPipelines checks what holds for every result, and that the pipelines drawn reach every corner.
func TestGeneratedPipelines(t *testing.T) {
	var total Counts
	refined, split, exploding, lines := 0, 0, 0, 0
	rapid.Check(t, func(t *rapid.T) {
		p := Generate(t)
		result := Run(p)
		for name, c := range result.Counts {
			if sink := c.Used == 0 && c.Out == 0 && c.Filtered+c.Late+c.Dirty == 0; sink {
				lines += int(c.In)
				continue
			}
			if c.In != c.Filtered+c.Late+c.Dirty+c.Used {
				t.Fatalf("%s: %+v does not add up\n%s", name, *c, p.YAML("."))
			}
			total.In += c.In
			total.Filtered += c.Filtered
			total.Late += c.Late
			total.Dirty += c.Dirty
			total.Used += c.Used
		}
		for _, tr := range p.Transforms {
			if tr.Lateness > 0 {
				refined++
			}
			if tr.Explode != "" {
				exploding++
			}
			if len(tr.Split) > 1 {
				split++
			}
		}
	})
	if total.Filtered == 0 || total.Late == 0 || total.Dirty == 0 || total.Used == 0 || refined == 0 || split == 0 || exploding == 0 || lines == 0 {
		t.Errorf("something never happened: %+v, %d refining, %d splitting, %d exploding, %d lines", total, refined, split, exploding, lines)
	}
	t.Logf("%+v, %d refining, %d splitting, %d exploding, %d lines", total, refined, split, exploding, lines)
}
