package codec

import "tidemark/stream"

// Object is the path of a record as the text of a JSON object: a String column. It is for records that are read in
// another format than JSON, whose own text is at [Raw].
var Object = stream.Path{"\x00object"}

// Verbatim is the path of a CSV record's own bytes where they may be written as they are under the names of the
// source's fields, in their order; null where the record has to be written field by field.
var Verbatim = stream.Path{"\x00verbatim"}

// CSVFormat says how the records of a CSV file are written: as RFC 4180 has it, with line feeds or CR LF, where a
// field in quotes may hold line ends, and quotes that are doubled.
type CSVFormat struct {
	// Header says that the first record of each file, blank lines aside, names its columns. They may be in any order.
	Header bool
	// Names are those of the columns where they don't come from the header, or stand in its place.
	Names []string
	// Delimiter stands between fields: one byte of ASCII, no letter, digit, sign or quote.
	Delimiter byte
	// Nulls are the texts, in quotes or not, that mean null.
	Nulls []string
	// Fields are those of the source's schema, or of Names without types; none where the header alone knows them. They
	// say as what values are written in [Object], and to what names [Verbatim] keeps.
	Fields []stream.Field
	// MaxRecord is the number of bytes that a record may have without its end; longer ones are bad. 0 sets no limit.
	MaxRecord int
}

// overlong is by how many bytes a record exceeds the limit before its quotes are no longer believed: it then ends with
// its line, so that a quote that nobody closes does not take the rest of a file with it. One byte would do if the last
// could not be a carriage return, which does not count.
const overlong = 2

// limit gives the number of bytes from which on a record ends with its line.
func (f *CSVFormat) limit() int {
	if f.MaxRecord <= 0 {
		return 1 << 62
	}
	return f.MaxRecord + overlong
}

// names gives the names of the columns that a plan can know.
func (f *CSVFormat) names() []string {
	list := make([]string, len(f.Fields))
	for i, field := range f.Fields {
		list[i] = field.Name
	}
	return list
}
