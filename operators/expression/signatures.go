package expression

import (
	"regexp"
	"strings"

	"github.com/expr-lang/expr/ast"
)

var (
	wrongCount = regexp.MustCompile(`^(?:(not enough|too many) arguments to call (\w+)|invalid number of arguments .*)$`)
	noMethod   = regexp.MustCompile(`^type (\S+) has no (?:method|field) (\w+)$`)
)

// callHint says how a function is called that was called wrongly, "" where the message is about something else.
func callHint(message string, n ast.Node) string {
	name, args := calledBy(n)
	switch m := wrongCount.FindStringSubmatch(message); {
	case m != nil && name == "round" && len(args) == 2:
		return "round gives whole numbers: round(" + show(args[0]) + " * 100) / 100"
	case m != nil && name == "time" && len(args) == 1 && args[0].Nature().IsString():
		return "write date(" + show(args[0]) + "), or time(" + show(args[0]) + `, "ms") where it holds a number`
	case m != nil && signature(name) != "":
		return "write " + signature(name)
	case name == "concat" && strings.HasPrefix(message, "cannot concat"):
		shown := make([]string, len(args))
		for i, a := range args {
			shown[i] = show(a)
		}
		return "write " + strings.Join(shown, " + ")
	}
	return ""
}

// signature says how a function of ours is called.
func signature(name string) string {
	for _, f := range ours {
		if f.Name == name {
			return f.Signature
		}
	}
	return ""
}

// methodHint gives the function that a method of another language stands for.
func methodHint(message string, n ast.Node) string {
	member, ok := n.(*ast.MemberNode)
	m := noMethod.FindStringSubmatch(message)
	if !ok || m == nil {
		return ""
	}
	if builtinNames[m[2]] {
		return "write " + m[2] + "(" + show(member.Node) + ")"
	}
	switch ours := foreignCall(m[2], []ast.Node{member.Node}); {
	case strings.HasPrefix(ours, "did you mean "):
		return "write " + strings.TrimSuffix(strings.TrimPrefix(ours, "did you mean "), "()?") + "(" + show(member.Node) + ")"
	default:
		return ours
	}
}
