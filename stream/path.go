package stream

import "strings"

// Path names a value inside a record: the field's name, then the names below it. The empty path is the whole
// record.
type Path []string

// Meta is the first name of the path of something that the connector knows of a record: meta.file. The record's own field
// meta has its own name first.
const Meta = "\x00meta"

// String joins the names with dots.
func (p Path) String() string { return strings.TrimPrefix(strings.Join(p, "."), Meta[:1]) }

// Equal reports whether two paths are the same.
func (p Path) Equal(q Path) bool {
	if len(p) != len(q) {
		return false
	}
	for i := range p {
		if p[i] != q[i] {
			return false
		}
	}
	return true
}
