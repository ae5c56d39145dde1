package plan

import "strings"

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

// Redact gives a text about the step, such as why it fails for a record, in the words of the file. Where parts of the expression came from
// the environment and the text does not hold the expression as a whole, any part of it may be one of them, so
// nothing of it is given.
func (s *Step) Redact(text string) string {
	if len(s.Words) > 0 {
		text = strings.NewReplacer(s.Words...).Replace(text)
	}
	if s.Node == nil || !s.Node.Secret() {
		return text
	}
	if shown := redact(s.Node, text); shown != text {
		return shown
	}
	return "can't be computed; more is not shown, since parts of the expression came from the environment"
}

// Redact gives a message of the source's records with what is written in the file in the place of values that came from the
// environment.
func (s *Source) Redact(text string) string { return redact(s.Block.Node, text) }
