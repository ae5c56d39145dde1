package plan

import (
	"slices"
	"strings"

	"tidemark/operators/expression"
	"tidemark/spec"
	"tidemark/stream"
)

// Stage is work on batches that needs no state: its slots are the columns of the batches it makes, its steps
// fill those that are computed.
type Stage struct {
	Slots []Slot
	Steps []Step
}

// Slot is a column of a stage's batches.
type Slot struct {
	From SlotFrom
	// Input is the column of the stage's input (FromInput).
	Input int
	// Fact is the name below meta (FromMeta), or event_time and max_event_time.
	Fact string
	// Name says what the slot holds, for people.
	Name string
}

// SlotFrom says where a slot's values come from.
type SlotFrom uint8

// Where a slot's values come from.
const (
	FromInput   SlotFrom = iota // a column of the input
	FromStep                    // a step computes it
	FromNothing                 // no record has it: all missing
	FromMeta                    // the connector knows it
)

// StepKind is what a step does.
type StepKind uint8

// The kinds of a step.
const (
	Compute StepKind = iota // Target = Program over Columns
	Filter                  // keep the rows where Program over Columns is true
	Extract                 // Target = the value at Path below the value in Columns[0]
	Gather                  // Target = a record of the fields Names in Columns, over the record in Base
)

// Step is one thing that a stage does to a batch.
type Step struct {
	Kind StepKind
	// Clause and Field say where in the block the step was written, for dirty records.
	Clause, Field string
	Program       *expression.Program
	Columns       []int
	Target        int
	Path          stream.Path
	Names         []string
	Drop          []string
	Base          int
	Node          *spec.Node
	// Words are names in the program that stand for parts of the file's text, each followed by that part.
	Words []string
	// Text is what failed where that is no expression: an aggregate call.
	Text string
}

// stageBuilder adds slots and steps to a stage while the clauses of a block are read.
type stageBuilder struct {
	stage *Stage
	input *Output
	// names are the fields computed so far; order is the order in which they were first written.
	names map[string]int
	order []string
	types map[string]stream.Type
	// closed says that only names are fields from here on (after select, or behind a window).
	closed bool
	// unsure says that a fault hides which fields there are, so that no name is a mistake.
	unsure bool
	drop   []string
	// shown is what conditions have shown of the records.
	shown []expression.Fact
	loads map[string]int
	facts map[string]int
	// asks says that a program names a field of which nothing is known.
	asks bool
	// meta gives, for the stage of a source, the slot of something below meta; else the input has it.
	meta func(stream.Path) int
}

func newStageBuilder(stage *Stage, input *Output) *stageBuilder {
	return &stageBuilder{
		stage: stage, input: input,
		names: map[string]int{}, types: map[string]stream.Type{},
		loads: map[string]int{}, facts: map[string]int{}, unsure: input.unsure,
	}
}

func (s *stageBuilder) add(slot Slot) int {
	s.stage.Slots = append(s.stage.Slots, slot)
	return len(s.stage.Slots) - 1
}

// load gives the slot with the input's value at path, whatever was computed over it since.
func (s *stageBuilder) load(path stream.Path) int {
	key := pathKey(path)
	if slot, ok := s.loads[key]; ok {
		return slot
	}
	slot := s.add(Slot{From: FromInput, Input: s.input.Column(path), Name: path.String()})
	s.loads[key] = slot
	return slot
}

// fact gives the slot with something that the connector or the engine knows.
func (s *stageBuilder) fact(name string) int {
	if slot, ok := s.facts[name]; ok {
		return slot
	}
	slot := s.add(Slot{From: FromMeta, Fact: name, Name: name})
	s.facts[name] = slot
	return slot
}

func (s *stageBuilder) nothing() int {
	if slot, ok := s.facts[""]; ok {
		return slot
	}
	s.facts[""] = s.add(Slot{From: FromNothing, Name: "nothing"})
	return s.facts[""]
}

// column gives the slot of a path as the records look at this point of the block.
func (s *stageBuilder) column(path stream.Path) int {
	switch {
	case len(path) == 0:
		return s.record()
	case path[0] == stream.Meta && s.meta != nil:
		return s.meta(path)
	case path[0] == stream.Meta || isRaw(path):
		return s.load(path)
	}
	if slot, ok := s.names[path[0]]; ok {
		return s.below(slot, path)
	}
	if s.closed || contains(s.drop, path[0]) {
		return s.nothing()
	}
	return s.load(path)
}

// below gives the slot of a path whose first name is computed into base.
func (s *stageBuilder) below(base int, path stream.Path) int {
	if len(path) == 1 {
		return base
	}
	key := pathKey(append(stream.Path{"\x00below", itoa(base)}, path[1:]...))
	if slot, ok := s.loads[key]; ok {
		return slot
	}
	slot := s.add(Slot{From: FromStep, Name: path.String()})
	s.stage.Steps = append(s.stage.Steps, Step{Kind: Extract, Columns: []int{base}, Path: path, Target: slot})
	s.loads[key] = slot
	return slot
}

// record gives the slot with whole records as they look at this point of the block.
func (s *stageBuilder) record() int {
	if !s.closed && len(s.names) == 0 && len(s.drop) == 0 {
		return s.load(nil)
	}
	step := Step{Kind: Gather, Base: -1, Drop: s.drop, Names: append([]string(nil), s.order...)}
	if !s.closed {
		step.Base = s.load(nil)
	}
	for _, name := range s.order {
		step.Columns = append(step.Columns, s.names[name])
	}
	step.Target = s.add(Slot{From: FromStep, Name: "row"})
	s.stage.Steps = append(s.stage.Steps, step)
	return step.Target
}

// set makes slot the value of a field from here on.
func (s *stageBuilder) set(name string, slot int, t stream.Type) {
	if _, ok := s.names[name]; !ok {
		s.order = append(s.order, name)
	}
	s.names[name], s.types[name] = slot, t
	s.forget(name)
	s.drop = without(s.drop, name)
}

// remove takes a field away from here on.
func (s *stageBuilder) remove(name string) {
	delete(s.names, name)
	s.forget(name)
	s.order = without(s.order, name)
	if !s.closed && !contains(s.drop, name) {
		s.drop = append(s.drop, name)
	}
}

// fields gives the known fields at this point of the block.
func (s *stageBuilder) fields() []stream.Field {
	var out []stream.Field
	if !s.closed {
		for _, f := range s.input.Fields {
			if t, ok := s.types[f.Name]; ok && s.has(f.Name) {
				f.Type = t
			}
			f.Type.Null = f.Type.Null && !s.present(f.Name)
			if !contains(s.drop, f.Name) {
				out = append(out, f)
			}
		}
	}
	for _, name := range s.order {
		if !hasField(out, name) {
			t := s.types[name]
			t.Null = t.Null && !s.present(name)
			out = append(out, stream.Field{Name: name, Type: t})
		}
	}
	return out
}

// forget drops what conditions have shown of a field's former value.
func (s *stageBuilder) forget(name string) {
	s.shown = slices.DeleteFunc(s.shown, func(f expression.Fact) bool { return f.About(name) })
}

// present reports whether a condition has shown that a field is not null.
func (s *stageBuilder) present(name string) bool {
	return slices.ContainsFunc(s.shown, func(f expression.Fact) bool { return f.Of == name && !f.NotZero })
}

func (s *stageBuilder) has(name string) bool { _, ok := s.names[name]; return ok }

// hidden gives a slot a name that expressions may use and that is no field of the record.
func (s *stageBuilder) hidden(name string, slot int) { s.names[name] = slot }

// unhide takes such a name away.
func (s *stageBuilder) unhide(name string) { delete(s.names, name) }

// scope gives what an expression may speak of at this point of the block.
func (s *stageBuilder) scope() expression.Scope {
	return expression.Scope{Fields: s.fields(), Meta: factNames(), Shown: s.shown, Open: s.unsure || !s.closed && s.input.Open && !s.input.Declared}
}

// bind gives the slots of what a program reads.
func (s *stageBuilder) bind(p *expression.Program) []int {
	uses := p.Uses()
	slots := make([]int, len(uses))
	for i, path := range uses {
		slots[i] = s.column(path)
		s.asks = s.asks || s.unknown(path)
	}
	return slots
}

// unknown reports whether a path is a field of records that may have any.
func (s *stageBuilder) unknown(path stream.Path) bool {
	return len(path) > 0 && path[0] != stream.Meta && !isRaw(path) && !s.closed && !s.has(path[0]) && s.input.Open && !s.input.Declared
}

// compute adds a step that evaluates a program, and gives its slot. A bare field needs no step; a path below a field
// does, since what is on the way may be no object.
func (s *stageBuilder) compute(step Step) int {
	columns := s.bind(step.Program)
	if path := step.Program.Uses(); bare(step.Program) && (len(path[0]) == 1 || path[0][0] == stream.Meta) {
		return columns[0]
	}
	step.Columns = columns
	step.Target = s.add(Slot{From: FromStep, Name: step.Field})
	s.stage.Steps = append(s.stage.Steps, step)
	return step.Target
}

// filter adds a step that keeps the rows where a program is true.
func (s *stageBuilder) filter(step Step) {
	step.Kind, step.Columns, step.Target = Filter, s.bind(step.Program), -1
	s.shown = append(s.shown, step.Program.Shown()...)
	s.stage.Steps = append(s.stage.Steps, step)
}

// bare reports whether a program is nothing but a field or a path.
func bare(p *expression.Program) bool {
	uses := p.Uses()
	return len(uses) == 1 && len(uses[0]) > 0 && strings.TrimSpace(p.Source()) == uses[0].String()
}
