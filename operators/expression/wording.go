package expression

import (
	"errors"
	"reflect"
	"regexp"
	"strings"

	"github.com/expr-lang/expr/ast"
	"github.com/expr-lang/expr/file"
)

var mismatched = regexp.MustCompile(`^invalid operation: (\S+) \(mismatched types? (.+?)(?: and (.+))?\)$`)

// typeError words an error of the checker, the optimiser or the compiler.
func typeError(src string, root ast.Node, err error) *Error {
	var f *file.Error
	if !errors.As(err, &f) {
		message, _, _ := strings.Cut(err.Error(), "\n")
		return &Error{Kind: Type, End: len(src), Message: typeWords(message)}
	}
	e := &Error{Kind: Type, Message: typeWords(strings.TrimSpace(f.Message))}
	e.Offset, e.End = byteSpan(src, f.Location)
	switch m := mismatched.FindStringSubmatch(f.Message); {
	case strings.HasPrefix(f.Message, "error parsing regexp"):
		e.Kind = Syntax
	case strings.Contains(f.Message, "divide by zero"):
		e.Message = "division by zero"
	case wantsList.MatchString(f.Message):
		aggregateElsewhere(e, wantsList.FindStringSubmatch(f.Message))
	case m == nil:
	case m[3] == "":
		e.Message = "cannot use " + m[1] + " on " + typeWords(m[2])
		e.Hint = negatedHint(root, f.Location)
	default:
		mismatch(e, at(root, f.Location, binary(m[1])), m)
	}
	if e.Hint == "" {
		e.Hint = callHint(f.Message, at(root, f.Location, isNamedCall))
	}
	if e.Hint == "" {
		e.Hint = methodHint(f.Message, at(root, f.Location, isMember))
	}
	return e
}

// wantsList is what the checker says of sum(x) and its like, of which x is no list.
var wantsList = regexp.MustCompile(`^(?:builtin (sum|count) takes only array \(got (.+)\)|cannot get (first|last) element from (.+))$`)

// aggregateElsewhere words the call of an aggregate where the function of that name, over a list, is meant.
func aggregateElsewhere(e *Error, m []string) {
	e.Kind, e.Name = Aggregate, m[1]+m[3]
	e.Message = e.Name + "() wants a list here, got " + typeWords(m[2]+m[4])
	e.Hint = e.Name + "() over records belongs in aggregate"
}

// mismatch words an operator on two types that do not go together.
func mismatch(e *Error, n ast.Node, m []string) {
	left, right := operandType(m[2]), operandType(m[3])
	if b, ok := n.(*ast.BinaryNode); ok {
		left += " (" + show(b.Left) + ")"
		right += " (" + show(b.Right) + ")"
		e.Hint = mismatchHint(b)
	}
	switch m[1] {
	case "==", "!=", "<", ">", "<=", ">=":
		e.Message = "cannot compare " + left + " with " + right
	default:
		e.Message = "cannot use " + m[1] + " on " + left + " and " + right
	}
}

// operandType words a type of the checker, to which nil is unknown where it stands beside a known type.
func operandType(s string) string {
	if s == "unknown" {
		return "nil"
	}
	return typeWords(s)
}

func mismatchHint(b *ast.BinaryNode) string {
	_, leftText := b.Left.(*ast.StringNode)
	_, rightText := b.Right.(*ast.StringNode)
	l, r := b.Left.Nature(), b.Right.Nature()
	switch {
	case b.Operator == "||" && l.IsString() && r.IsString():
		return "write " + show(b.Left) + " + " + show(b.Right)
	case (leftText || rightText) && (l.IsNumber() || r.IsNumber()) && b.Operator != "+":
		return "remove the quotes?"
	case b.Operator == "+" && l.IsString() && r.IsNumber():
		return "string(" + show(b.Right) + ")"
	case b.Operator == "+" && r.IsString() && l.IsNumber():
		return "string(" + show(b.Left) + ")"
	case timeHint(b) != "":
		return timeHint(b)
	case b.Operator == "%" && (l.IsFloat || r.IsFloat):
		return "% wants whole numbers: int(x) % n"
	}
	return ""
}

// binary gives a test for binary nodes of an operator.
func binary(operator string) func(ast.Node) bool {
	return func(n ast.Node) bool {
		b, ok := n.(*ast.BinaryNode)
		return ok && b.Operator == operator
	}
}

// at finds the node at a location that passes a test.
func at(root ast.Node, l file.Location, want func(ast.Node) bool) ast.Node {
	return find(root, func(n ast.Node) bool { return n.Location() == l && want(n) })
}

// find gives the first node that passes a test.
func find(root ast.Node, want func(ast.Node) bool) ast.Node {
	if root == nil || want(root) {
		return root
	}
	for _, c := range children(root) {
		if n := find(c, want); n != nil {
			return n
		}
	}
	return nil
}

// show prints a node, shortened, as it could have been written.
func show(n ast.Node) string {
	s := randomArguments.ReplaceAllString(strings.ReplaceAll(n.String(), hidden, ""), "random()")
	if c, ok := n.(*ast.ConstantNode); ok {
		s = strings.ReplaceAll(c.String(), hidden, "")
	}
	const longest = 40
	if r := []rune(s); len(r) > longest {
		return string(r[:longest-1]) + "…"
	}
	return s
}

var typeReplacer = strings.NewReplacer(
	"map[string]interface {}", "object", "map[interface {}]interface {}", "object",
	"[]interface {}", "list", "[]string", "list", "[]int", "list", "interface {}", "any",
	"float64", "float", "int64", "int", "time.Time", "timestamp", "time.Duration", "duration",
	"<nil>", "nil", hidden, "")

// typeWords puts the words of a schema in the place of Go's types.
func typeWords(s string) string { return typeReplacer.Replace(s) }

// typeWord gives the word for the type of a boxed value.
func typeWord(v any) string {
	if v == nil {
		return "nil"
	}
	return typeWords(reflect.TypeOf(v).String())
}
