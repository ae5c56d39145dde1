package expression

import (
	"slices"
	"time"

	"tidemark/stream"
)

// Scope is the names that an expression may use, and what is known of them.
type Scope struct {
	// Fields are the fields of the record with their types.
	Fields []stream.Field
	// Open allows other names: the record has no schema. A name that a record lacks is nil.
	Open bool
	// Records are names for records within the record, such as the sides of a join.
	Records []Record
	// Shown is what conditions before have shown of the record.
	Shown []Fact
	// Meta are the names below meta, which the connector knows of its records. Any name is allowed where it is nil.
	Meta []string
	// Now is what now() gives; the start of the process if it is zero.
	Now time.Time
	// Random makes random() known; nil where there is none.
	Random *Random
}

// Record is a name for a record of known fields: o in o.amount.
type Record struct {
	Name   string
	Fields []stream.Field
	// Open allows other names than Fields.
	Open bool
	// Null says that there may be no record.
	Null bool
}

func (r Record) has(name string) bool {
	return slices.ContainsFunc(r.Fields, func(f stream.Field) bool { return f.Name == name })
}

func (s *Scope) field(name string) (stream.Field, bool) { return fieldOf(s.Fields, name) }

// isScalar reports whether a field is known to have no members.
func (s *Scope) isScalar(name string) bool {
	f, ok := s.field(name)
	return ok && f.Type.Kind != stream.Any
}

func fieldOf(fields []stream.Field, name string) (stream.Field, bool) {
	i := slices.IndexFunc(fields, func(f stream.Field) bool { return f.Name == name })
	if i < 0 {
		return stream.Field{}, false
	}
	return fields[i], true
}

func (s *Scope) record(name string) (Record, bool) {
	i := slices.IndexFunc(s.Records, func(r Record) bool { return r.Name == name })
	if i < 0 {
		return Record{}, false
	}
	return s.Records[i], true
}

func names(fields []stream.Field) []string {
	out := make([]string, len(fields))
	for i, f := range fields {
		out[i] = f.Name
	}
	return out
}

// typeAt gives what is known of the value at a path.
func (s *Scope) typeAt(p stream.Path) stream.Type {
	switch {
	case len(p) == 0:
		return stream.Type{Shape: stream.Object}
	case len(p) == 1:
		if f, ok := s.field(p[0]); ok {
			return f.Type
		}
		return stream.Type{Null: s.Open}
	}
	if rec, ok := s.record(p[0]); ok && len(p) == 2 {
		f, ok := fieldOf(rec.Fields, p[1])
		f.Type.Null = f.Type.Null || rec.Null || !ok
		return f.Type
	}
	if p[0] == stream.Meta && p[1] == "event_time" && len(p) == 2 {
		return stream.Type{Kind: stream.Instant}
	}
	return stream.Type{Null: true}
}
