package expression

import (
	"github.com/expr-lang/expr/ast"
	"github.com/expr-lang/expr/file"

	"tidemark/stream"
)

// tagFail and the tags after it, up to tagFailEnd, are failures that a kernel can word itself: the machine
// would say the same, but takes microseconds to do so, and nulls come in numbers.
const (
	tagFail    stream.Tag = 128
	tagFailEnd stream.Tag = 250
)

// failed reports that a tag is a failure with its message.
func failed(t stream.Tag) bool { return t >= tagFail && t < tagFailEnd }

// faults are the messages of an evaluator's failure tags.
type faults struct{ messages []string }

func (f *faults) add(message string) stream.Tag {
	if len(f.messages) >= int(tagFailEnd-tagFail) {
		return tagRedo
	}
	f.messages = append(f.messages, message)
	return tagFail + stream.Tag(len(f.messages)-1)
}

func (f *faults) message(t stream.Tag) string { return f.messages[t-tagFail] }

// blame words the failures of one operator with a nil operand.
type blame struct {
	node    *ast.BinaryNode
	faults  *faults
	swapped bool // the kernel has the operands the other way round
	tags    [len(typeNames)][len(typeNames)]stream.Tag
}

// typeNames are the types of operands as the machine words them.
var typeNames = [...]string{"<nil>", "int64", "float64", "bool", "string", "time.Time"}

// typeCode gives the index in typeNames of a row's type; the row must have a value or be nil.
func typeCode(c *stream.Column, row int32) int {
	switch {
	case c.Odd > 0 && c.Tags[row] == tagWhole:
		return 1
	case stateOf(c, row) == isNull:
		return 0
	}
	return int(c.Kind) // Int is 1, Float 2, and so on
}

// tag gives the tag for a row of which at least one operand is nil and both are known.
func (b *blame) tag(left, right *stream.Column, row int32) stream.Tag {
	l, r := typeCode(left, row), typeCode(right, row)
	if b.swapped {
		l, r = r, l
	}
	if b.tags[l][r] == stream.TagOK {
		at := &file.Error{Location: b.node.Location()}
		m := []string{"", typeNames[l], b.node.Operator, typeNames[r]}
		b.tags[l][r] = b.faults.add(wordOperands(b.node, at, m))
	}
	return b.tags[l][r]
}

// carried gives the tag of a row whose operands, evaluated in their order, do not both have values. A failure
// stands if no operand before it may have failed in another way.
func carried(operands []*stream.Column, row int32) stream.Tag {
	for _, c := range operands {
		if c.Odd == 0 {
			continue
		}
		if t := c.Tags[row]; failed(t) {
			return t
		} else if t >= stream.TagParentNil && t != tagWhole {
			return tagRedo
		}
	}
	return tagRedo
}
