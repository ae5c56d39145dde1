package codec

// TimeFormat is how instants are written.
type TimeFormat uint8

// The ways to write an instant.
const (
	RFC3339      TimeFormat = iota // text such as "2024-05-01T10:00:00Z", fractions only where needed
	Milliseconds                   // an integer: milliseconds since 1970
	Seconds                        // a number: seconds since 1970, with a fraction only where it is not whole
)

// LayoutField is a member of an encoded object: its name and the column that has its values.
type LayoutField struct {
	Name   string
	Column int
	// InPlace says that it is written only where the base has it.
	InPlace bool
}

// Layout says what an encoded record consists of.
type Layout struct {
	// Base is the column of the record that Fields are laid over: its text (see Raw), or the record as a
	// map[string]any. Below zero there is none.
	Base int
	// Drop are members of the base that are left out.
	Drop []string
	// Fields are written in this order; one that the base has takes the place of the base's.
	Fields []LayoutField
	// Meta, where there are any, are the members of an object "meta" that comes last.
	Meta []LayoutField
	// Choices, where there are any, are layouts of their own for records of different forms, and Choice is the
	// column of integers that says which one a row has. All else is empty then.
	Choices []Layout
	Choice  int
}

// Columns gives the layout with every column replaced by what f gives for it.
func (l Layout) Columns(f func(column int) int) Layout {
	if l.Base >= 0 {
		l.Base = f(l.Base)
	}
	l.Drop = append([]string(nil), l.Drop...)
	l.Fields, l.Meta = mapFields(l.Fields, f), mapFields(l.Meta, f)
	if len(l.Choices) > 0 {
		l.Choice = f(l.Choice)
		l.Choices = append([]Layout(nil), l.Choices...)
		for i := range l.Choices {
			l.Choices[i] = l.Choices[i].Columns(f)
		}
	}
	return l
}

func mapFields(fields []LayoutField, f func(column int) int) []LayoutField {
	out := append([]LayoutField(nil), fields...)
	for i := range out {
		out[i].Column = f(out[i].Column)
	}
	return out
}
