package plan

import (
	"slices"
	"strings"

	"tidemark/io/connector"
	"tidemark/operators/expression"
	"tidemark/stream"
)

// writesRecords reports whether a sink writes records with keys and headers.
func writesRecords(kind *connector.Kind) bool {
	return kind != nil && kind.Records
}

// bounded reports whether a source ends by itself. Those that say nothing do.
func (s *Source) bounded() bool {
	o, ok := s.Options.(interface{ Bounded() bool })
	return !ok || o.Bounded()
}

// live reports whether a source is read by partitions that may fall silent: Kafka's without an end.
func (s *Source) live() bool {
	_, records := s.Options.(connector.RecordSource)
	return records && !s.Main.Bounded
}

// recordFact gives the slot of a fact of a source of records; one that it does not know is nothing.
func (s *Source) recordFact(build *stageBuilder, records connector.RecordSource, path stream.Path) int {
	name := strings.Join(path[1:], ".")
	if !knownFact(records.Facts(), path[1:]) {
		return build.nothing()
	}
	if !slices.Contains(s.Facts, name) {
		s.Facts = append(s.Facts, name)
	}
	return build.fact(name)
}

// knownFact reports whether facts have what stands at a path below meta. Of those that end in a dot that is the whole
// object, or one member of it.
func knownFact(facts []string, path stream.Path) bool {
	if len(path) == 1 && slices.Contains(facts, path[0]) {
		return true
	}
	return len(path) <= 2 && slices.Contains(facts, path[0]+".")
}

// defaultTime makes a record's own timestamp the event time of a source whose block names none.
func (s *Source) defaultTime(build *stageBuilder, records connector.RecordSource) {
	p, err := expression.Compile("meta."+records.TimeFact(), expression.Scope{})
	if err != nil {
		panic("plan: the time of " + s.Kind.Name + " is no fact: " + err.Error())
	}
	s.Main.EventTime = true
	s.Timestamp = &Timestamp{Step: Step{Clause: "timestamp", Field: "timestamp", Program: p, Columns: build.bind(p), Target: -1}}
}

// Bounded reports whether the pipeline ends by itself: whether all its sources do.
func (p *Plan) Bounded() bool {
	return !slices.ContainsFunc(p.Sources, func(s *Source) bool { return !s.Main.Bounded })
}
