package codec

import "tidemark/stream"

// undecided is the kind of a column none of whose values in this batch was seen.
const undecided stream.Kind = 255

// form is what a JSON value is.
type form uint8

const (
	formNumber form = 1 << iota
	formText
	formBool
	formList
	formObject
	formAny = formNumber | formText | formBool | formList | formObject
)

var formNames = map[form]string{
	formNumber: "a number", formText: "text", formBool: "true or false", formList: "a list", formObject: "an object",
}

// field is a column while a batch is read: out's slices have room for more rows than were read.
type field struct {
	Column
	at      int // among the batch's columns
	out     *stream.Column
	kind    stream.Kind // what out holds, or undecided
	fixed   stream.Kind // what the schema says it holds, or undecided
	accepts form
	decided int    // the row that decided kind
	cleared int    // the rows of a String column up to here hold references of this batch
	problem string // what is wrong with the value in the row that is read, to be put behind the field's name
	// troubled is set when problem is; all fields of a scanner share it.
	troubled *bool
}

func newField(c Column, at int) *field {
	f := &field{Column: c, at: at, fixed: undecided, accepts: formAny}
	if !c.Typed {
		return f
	}
	switch c.Type.Kind {
	case stream.Int, stream.Float:
		f.accepts, f.fixed = formNumber, c.Type.Kind
	case stream.String:
		// Integers beyond 64 bits are taken by their digits.
		f.accepts, f.fixed = formText|formNumber, stream.String
	case stream.Bool:
		f.accepts, f.fixed = formBool, stream.Bool
	case stream.Instant:
		f.accepts = formNumber | formText
	case stream.Any:
		switch c.Type.Shape {
		case stream.List:
			f.accepts, f.fixed = formList, stream.Any
		case stream.Object:
			f.accepts, f.fixed = formObject, stream.Any
		}
	}
	return f
}

// wants names the kind in the schema, or Any.
func (f *field) wants() stream.Kind {
	if f.Typed {
		return f.Type.Kind
	}
	return stream.Any
}

// begin readies the field for a batch with room for rows.
func (f *field) begin(out *stream.Column, data []byte, rows int) {
	f.out, f.kind, f.problem = out, f.fixed, ""
	f.decided, f.cleared = -1, 0
	if f.kind == undecided {
		out.Reset(stream.Any, 0)
	} else {
		out.Reset(f.kind, rows)
		clear(out.Boxed)
	}
	out.Data = data
}

// decide makes the field one of kind k, by its value in a row.
func (f *field) decide(k stream.Kind, row, rows int) {
	f.kind, f.decided, f.out.Kind = k, row, k
	f.resize(rows)
	if k == stream.String {
		// Rows so far were null, missing or bad; nobody should find references of an earlier batch there.
		clear(f.out.Refs[f.cleared:row])
		f.cleared = row
	}
}

// resize gives the field room for rows.
func (f *field) resize(rows int) {
	out := f.out
	switch f.kind {
	case stream.Int:
		out.Ints = stream.Resize(out.Ints, rows)
	case stream.Float:
		out.Floats = stream.Resize(out.Floats, rows)
	case stream.Bool:
		out.Bools = stream.Resize(out.Bools, rows)
	case stream.String:
		out.Refs = stream.Resize(out.Refs, rows)
	}
	if f.kind == stream.Any || len(out.Boxed) > 0 {
		out.Boxed = resizeClear(out.Boxed, rows)
	}
	if len(out.Tags) > 0 {
		out.Tags = resizeClear(out.Tags, rows)
	}
}

// finish cuts the field to the rows read.
func (f *field) finish(rows int) {
	if f.kind == undecided {
		f.kind = stream.Any
	}
	f.out.Kind = f.kind
	f.resize(rows)
	if f.out.Odd == 0 {
		f.out.Tags = f.out.Tags[:0]
	}
}

// fail notes that the value in the row can't be used; problem goes on from "field x".
func (f *field) fail(problem string) { f.problem, *f.troubled = problem, true }

// tag tags a row; rows is the room.
func (f *field) tag(row, rows int, t stream.Tag) {
	out := f.out
	if len(out.Tags) == 0 {
		out.Tags = resizeClear(out.Tags, rows)
	}
	if out.Tags[row] == stream.TagOK {
		out.Odd++
	}
	out.Tags[row] = t
	if f.kind == stream.String {
		out.Refs[row] = stream.Ref{}
	}
}

// box keeps a value of a row beside the column's own.
func (f *field) box(row, rows int, t stream.Tag, v any) {
	if len(f.out.Boxed) < rows {
		f.out.Boxed = resizeClear(f.out.Boxed, rows)
	}
	f.out.Boxed[row] = v
	if f.kind != stream.Any || t != stream.TagOther {
		f.tag(row, rows, t)
	}
}

// forget takes back what the row has given so far, so that a second value under the same name can be read.
func (f *field) forget(row int) {
	f.problem = ""
	out := f.out
	if out.Odd > 0 && out.Tags[row] != stream.TagOK {
		out.Tags[row] = stream.TagOK
		out.Odd--
	}
	if len(out.Boxed) > row {
		out.Boxed[row] = nil
	}
	if f.decided == row && f.kind != f.fixed {
		f.kind, f.decided = undecided, -1
		out.Kind = stream.Any
	}
}

// blank gives a row that could not be read the zero value, so that whoever looks at all rows finds one.
func (f *field) blank(row int) {
	f.forget(row)
	switch f.kind {
	case stream.Int:
		f.out.Ints[row] = 0
	case stream.Float:
		f.out.Floats[row] = 0
	case stream.Bool:
		f.out.Bools[row] = false
	case stream.String:
		f.out.Refs[row] = stream.Ref{}
	}
}

func resizeClear[T any](s []T, n int) []T {
	old := len(s)
	s = stream.Resize(s, n)
	if n > old {
		clear(s[old:])
	}
	return s
}
