package parquetio

import "slices"

// footer is what the end of a file says of the rest.
type footer struct {
	schema []element
	groups []rowGroup
}

// element is a node of the schema, which is written in depth-first order.
type element struct {
	name       string
	physical   int64 // or noType for a group
	length     int64 // of fixed-length bytes
	repetition int64
	children   int64
	converted  int64 // or noType
	scale      int64
	annotation annotation
}

// annotation is a logical type with its details; of is noType where there is none.
type annotation struct {
	of       int64
	scale    int64
	unit     int64 // unitMillis and so on
	utc      bool
	width    int64
	unsigned bool
}

const noType = -1

// Physical types.
const (
	physicalBool = iota
	physicalInt32
	physicalInt64
	physicalInt96
	physicalFloat
	physicalDouble
	physicalBytes
	physicalFixed
)

// Repetitions.
const (
	required = iota
	optional
	repeated
)

// rowGroup is some rows, column by column.
type rowGroup struct {
	columns []chunkMeta
	rows    int64
}

// chunkMeta says where a leaf's values of a row group are.
type chunkMeta struct {
	physical                 int64
	codec                    int64
	values                   int64
	compressed, uncompressed int64
	dataOffset, dictOffset   int64
	least, greatest          []byte // nil where not known
	nulls                    int64  // -1 where not known
	elsewhere                bool   // in another file
	encrypted                bool
}

// decodeFooter reads a FileMetaData. It reports false if the bytes are none.
func decodeFooter(data []byte) (*footer, bool) {
	t := thrift{data: data}
	f := &footer{}
	t.fields(func(id int64, kind byte) bool {
		switch {
		case id == 2 && kind == thriftList:
			t.list(thriftStruct, func() { f.schema = append(f.schema, t.element()) })
		case id == 4 && kind == thriftList:
			t.list(thriftStruct, func() { f.groups = append(f.groups, t.rowGroup()) })
		default:
			return false
		}
		return true
	})
	return f, !t.bad
}

func (t *thrift) element() element {
	e := element{physical: noType, converted: noType, annotation: annotation{of: noType}}
	t.fields(func(id int64, kind byte) bool {
		switch {
		case id == 4 && kind == thriftBinary:
			e.name = string(t.bytes())
		case id == 10 && kind == thriftStruct:
			e.annotation = t.annotation()
		case kind == thriftI32:
			into := e.number(id)
			if into == nil {
				return false
			}
			*into = t.int()
		default:
			return false
		}
		return true
	})
	return e
}

// number gives the place of a field that is a number.
func (e *element) number(id int64) *int64 {
	switch id {
	case 1:
		return &e.physical
	case 2:
		return &e.length
	case 3:
		return &e.repetition
	case 5:
		return &e.children
	case 6:
		return &e.converted
	case 7:
		return &e.scale
	}
	return nil
}

// annotation reads a LogicalType, a union: the field's number says which.
func (t *thrift) annotation() annotation {
	a := annotation{of: noType}
	t.fields(func(of int64, kind byte) bool {
		if kind != thriftStruct {
			return false
		}
		a.of = of
		t.fields(func(id int64, kind byte) bool {
			truth := kind == thriftTrue || kind == thriftFalse
			switch {
			case of == logicalDecimal && id == 1 && kind == thriftI32:
				a.scale = t.int()
			case (of == logicalTime || of == logicalTimestamp) && id == 1 && truth:
				a.utc = kind == thriftTrue
			case (of == logicalTime || of == logicalTimestamp) && id == 2 && kind == thriftStruct:
				t.fields(func(unit int64, _ byte) bool { a.unit = unit; return false })
			case of == logicalInteger && id == 1 && kind == thriftByte:
				a.width = int64(t.byte())
			case of == logicalInteger && id == 2 && truth:
				a.unsigned = kind == thriftFalse
			default:
				return false
			}
			return true
		})
		return true
	})
	return a
}

func (t *thrift) rowGroup() rowGroup {
	var g rowGroup
	t.fields(func(id int64, kind byte) bool {
		switch {
		case id == 1 && kind == thriftList:
			t.list(thriftStruct, func() { g.columns = append(g.columns, t.chunk()) })
		case id == 3 && kind == thriftI64:
			g.rows = t.int()
		default:
			return false
		}
		return true
	})
	return g
}

func (t *thrift) chunk() chunkMeta {
	c := chunkMeta{nulls: -1, codec: noType}
	t.fields(func(id int64, kind byte) bool {
		switch {
		case id == 1 && kind == thriftBinary:
			c.elsewhere = len(t.bytes()) > 0
		case id == 3 && kind == thriftStruct:
			t.chunkDetails(&c)
		case id == 8 || id == 9:
			c.encrypted = true
			return false
		default:
			return false
		}
		return true
	})
	return c
}

func (t *thrift) chunkDetails(c *chunkMeta) {
	t.fields(func(id int64, kind byte) bool {
		switch {
		case id == 12 && kind == thriftStruct:
			t.statistics(c)
		case id == 1 && kind == thriftI32:
			c.physical = t.int()
		case id == 4 && kind == thriftI32:
			c.codec = t.int()
		case kind != thriftI64:
			return false
		case id == 5:
			c.values = t.int()
		case id == 6:
			c.uncompressed = t.int()
		case id == 7:
			c.compressed = t.int()
		case id == 9:
			c.dataOffset = t.int()
		case id == 11:
			c.dictOffset = t.int()
		default:
			return false
		}
		return true
	})
}

func (t *thrift) statistics(c *chunkMeta) {
	t.fields(func(id int64, kind byte) bool {
		switch {
		case id == 3 && kind == thriftI64:
			c.nulls = t.int()
		case id == 5 && kind == thriftBinary:
			c.greatest = slices.Clone(t.bytes()) // not the footer, which is let go of
		case id == 6 && kind == thriftBinary:
			c.least = slices.Clone(t.bytes())
		default:
			return false
		}
		return true
	})
}
