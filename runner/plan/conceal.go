package plan

// Redact gives a text that speaks of the plan, such as an error of its run, with what is written in the file in
// the place of values that came from the environment.
func (p *Plan) Redact(text string) string {
	for _, s := range p.Sources {
		text = redact(s.Block.Node, text)
	}
	for _, t := range p.Transforms {
		text = redact(t.Block.Node, text)
	}
	for _, s := range p.Sinks {
		text = redact(s.Block.Node, text)
	}
	return text
}
