package expression

import (
	"regexp"
	"strings"

	"github.com/expr-lang/expr/ast"
	"github.com/expr-lang/expr/file"
)

var (
	operands   = regexp.MustCompile(`^invalid operation: (\S+) (\S+) (\S+)$`)
	unary      = regexp.MustCompile(`^invalid operation: - (\S+)$`)
	fetched    = regexp.MustCompile(`^cannot fetch (.+) from (\S+)$`)
	conversion = regexp.MustCompile(`^interface conversion: interface \{\} is (.+), not (.+)$`)
	notCalled  = regexp.MustCompile(`^invalid operation: cannot call (?:nil|non-function of type (.+))$`)
)

// wordFault words an error of the virtual machine: short, and with the name of what was nil.
func wordFault(root ast.Node, f *file.Error) string {
	m := f.Message
	switch {
	case operands.MatchString(m):
		return wordOperands(root, f, operands.FindStringSubmatch(m))
	case unary.MatchString(m):
		if n, ok := at(root, f.Location, isUnary).(*ast.UnaryNode); ok {
			return wants(n.Node, unary.FindStringSubmatch(m)[1], "a number", "0")
		}
	case fetched.MatchString(m):
		return wordFetched(root, f, fetched.FindStringSubmatch(m))
	case conversion.MatchString(m):
		return wordConversion(root, f, conversion.FindStringSubmatch(m))
	case notCalled.MatchString(m):
		if n, ok := at(root, f.Location, isCall).(*ast.CallNode); ok {
			return show(n.Callee) + " is not a function"
		}
	case strings.HasPrefix(m, "runtime error: integer divide by zero"):
		if n := at(root, f.Location, binary("%")); n != nil {
			return "division by zero in " + show(n)
		}
		return "division by zero"
	case strings.HasPrefix(m, "runtime error: index out of range"):
		if n := at(root, f.Location, anyNode); n != nil {
			return "too few arguments in " + show(n)
		}
	}
	return wordCall(root, f)
}

func isUnary(n ast.Node) bool { _, ok := n.(*ast.UnaryNode); return ok }
func isCall(n ast.Node) bool  { _, ok := n.(*ast.CallNode); return ok }
func anyNode(ast.Node) bool   { return true }

// wordOperands words an operator on values that do not go together: left, operator, right.
func wordOperands(root ast.Node, f *file.Error, m []string) string {
	plain := typeWords(m[1]) + " " + m[2] + " " + typeWords(m[3])
	b, ok := at(root, f.Location, binary(m[2])).(*ast.BinaryNode)
	switch {
	case !ok:
		return "cannot compute " + plain
	case m[1] == "<nil>":
		return show(b.Left) + " is nil: " + plain + instead(b.Left, m[3])
	case m[3] == "<nil>":
		return show(b.Right) + " is nil: " + plain + instead(b.Right, m[1])
	}
	return show(b) + ": cannot compute " + plain
}

// instead proposes a default for a field that was nil, of the type that it met.
func instead(n ast.Node, other string) string {
	if _, ok := pathOf(n, never, never); !ok {
		return ""
	}
	switch other {
	case "string":
		return "; use " + show(n) + ` ?? ""`
	case "int", "int64", "float64":
		return "; use " + show(n) + " ?? 0"
	}
	return ""
}

func never(string) bool { return false }

// wants words a value of a wrong type.
func wants(n ast.Node, got, want, fallback string) string {
	if got == "<nil>" || got == "nil" {
		w := show(n) + " is nil, wants " + want
		if _, ok := pathOf(n, never, never); ok {
			w += "; use " + show(n) + " ?? " + fallback
		}
		return w
	}
	return show(n) + " is " + typeWords(got) + ", wants " + want
}

func wordFetched(root ast.Node, f *file.Error, m []string) string {
	n, ok := at(root, f.Location, isMember).(*ast.MemberNode)
	if !ok {
		return "no field " + m[1] + " in " + typeWords(m[2])
	}
	if m[2] != "<nil>" {
		return show(n.Node) + " is " + typeWords(m[2]) + " and has no field " + m[1]
	}
	w := show(n.Node) + " is nil and has no field " + m[1]
	if _, name := n.Property.(*ast.StringNode); name {
		w += "; use " + show(n.Node) + "?." + m[1]
	}
	return w
}

func isMember(n ast.Node) bool { _, ok := n.(*ast.MemberNode); return ok }

// wordConversion words an operand or argument of a wrong type, of which the machine says only the types.
func wordConversion(root ast.Node, f *file.Error, m []string) string {
	want, fallback := typeWords(m[2]), "0"
	switch m[2] {
	case "bool":
		want, fallback = "true or false", "false"
	case "string", "[]uint8":
		want, fallback = "a string", `""`
	}
	n := at(root, f.Location, anyNode)
	for _, c := range suspects(n) {
		if _, constant := literal(c); !constant {
			return wants(c, m[1], want, fallback)
		}
	}
	return "got " + typeWords(m[1]) + ", wants " + want
}

// suspects gives the nodes below n of which one had the wrong type, if there is only one to choose.
func suspects(n ast.Node) []ast.Node {
	switch n := n.(type) {
	case *ast.UnaryNode:
		return []ast.Node{n.Node}
	case *ast.ConditionalNode:
		return []ast.Node{n.Cond}
	case *ast.BinaryNode:
		switch n.Operator {
		case "and", "&&", "or", "||":
			return []ast.Node{n.Left}
		}
		if _, constant := literal(n.Right); constant {
			return []ast.Node{n.Left}
		}
	case *ast.BuiltinNode:
		if len(n.Arguments) > 0 {
			return n.Arguments[:1]
		}
	}
	return nil
}
