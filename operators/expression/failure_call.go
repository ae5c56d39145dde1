package expression

import (
	"regexp"
	"strconv"
	"strings"

	"github.com/expr-lang/expr/ast"
	"github.com/expr-lang/expr/file"
)

var (
	keyed     = regexp.MustCompile(`^reflect\.Value\.MapIndex: value of type (\w+) is not assignable to type string$`)
	reflected = regexp.MustCompile(`^reflect: call of reflect\.Value\.(\w+) on (\w+) Value$`)
	converted = regexp.MustCompile(`^invalid operation: (int|float)\((.*)\)$`)
	argument  = regexp.MustCompile(`^invalid argument for (\w+) \(type (.+)\)$`)
	noIn      = regexp.MustCompile(`^operator "in" not defined on (.+)$`)
)

// wordCall words an error of a function, or of an operator that is one within the machine, with the argument
// that is at fault where there is only one to choose.
func wordCall(root ast.Node, f *file.Error) string {
	m := strings.TrimPrefix(f.Message, "runtime error: ")
	if g := noIn.FindStringSubmatch(m); g != nil {
		if b, ok := at(root, f.Location, binary("in")).(*ast.BinaryNode); ok {
			return show(b.Right) + " is " + typeWords(g[1]) + ", wants a list or an object"
		}
	}
	if w := wordIndexed(root, f, m); w != "" {
		return w
	}
	n := at(root, f.Location, isNamedCall)
	name, args := calledBy(n)
	if len(args) == 0 {
		return wordBare(m)
	}
	if w := wordArgument(m, name, args); w != "" {
		return w
	}
	if rest, isNil := strings.CutSuffix(typeWords(m), ", got nil"); isNil {
		return show(args[0]) + " is nil: " + rest
	}
	return typeWords(m)
}

// wordIndexed words that a field was wanted of text or of a list, which the machine takes for a bad index, or an
// element of an object; "" for all other errors.
func wordIndexed(root ast.Node, f *file.Error, m string) string {
	g := converted.FindStringSubmatch(m)
	n, ok := at(root, f.Location, isMember).(*ast.MemberNode)
	if k := keyed.FindStringSubmatch(m); k != nil && ok {
		return show(n.Node) + " is an object and no list, wants the name of a field for " + show(n.Property)
	}
	if g == nil || g[1] != "int" || g[2] != "string" || !ok {
		return ""
	}
	if name, constant := n.Property.(*ast.StringNode); constant {
		return show(n.Node) + " is text or a list and has no field " + name.Value
	}
	return show(n.Node) + " is text or a list, wants a whole number for " + show(n.Property)
}

func isNamedCall(n ast.Node) bool { name, _ := calledBy(n); return name != "" }

// wordArgument words the errors in which the first argument is at fault; "" for all others.
func wordArgument(m, name string, args []ast.Node) string {
	if g := reflected.FindStringSubmatch(m); g != nil {
		got := strings.Replace(g[2], "zero", "nil", 1)
		if g[1] == "Type" {
			return wants(args[0], got, "a number", "0")
		}
		return wants(args[0], got, "a list", "[]")
	}
	if g := converted.FindStringSubmatch(m); g != nil && g[1] == name && !isTypeName(g[2]) {
		kind := map[string]string{"int": "a whole number", "float": "a number"}[name]
		return show(args[0]) + " is " + strconv.Quote(g[2]) + ", wants " + kind
	}
	if g := argument.FindStringSubmatch(m); g != nil && len(args) == 1 && !nullableFunctions[name] && name != "mean" && name != "median" {
		return show(args[0]) + " is " + typeWords(g[2]) + ": invalid argument for " + g[1]
	}
	return ""
}

// wordBare words an error of which no function is known.
func wordBare(m string) string {
	if g := converted.FindStringSubmatch(m); g != nil && isTypeName(g[2]) {
		kind := map[string]string{"int": "a whole number", "float": "a number"}[g[1]]
		return "got " + typeWords(g[2]) + ", wants " + kind
	}
	return typeWords(m)
}

// isTypeName reports that the machine wrote a type, not a value, between the brackets.
func isTypeName(s string) bool {
	return s == "<nil>" || s == "string" || s == "bool" || strings.Contains(s, "interface {}") || strings.HasPrefix(s, "time.")
}
