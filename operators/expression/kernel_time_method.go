package expression

import (
	"time"

	"github.com/expr-lang/expr/ast"

	"tidemark/stream"
)

// timeMethod is a method of a time that gives an int, such as at.Hour(). Only columns and time(x, unit) are
// sure to be in UTC: date(text).Hour() speaks of the zone in the text.
type timeMethod struct {
	arg kernel
	of  func(time.Time) int64
	out stream.Column
}

// timeMethods do not have Month and Weekday, which have types of their own in the machine.
var timeMethods = map[string]func(time.Time) int64{
	"Year":      func(t time.Time) int64 { return int64(t.Year()) },
	"YearDay":   func(t time.Time) int64 { return int64(t.YearDay()) },
	"Day":       func(t time.Time) int64 { return int64(t.Day()) },
	"Hour":      func(t time.Time) int64 { return int64(t.Hour()) },
	"Minute":    func(t time.Time) int64 { return int64(t.Minute()) },
	"Second":    func(t time.Time) int64 { return int64(t.Second()) },
	"Unix":      func(t time.Time) int64 { return t.Unix() },
	"UnixMilli": func(t time.Time) int64 { return t.UnixMilli() },
}

// timeMethod gives the kernel of a method's call, or nil.
func (b *builder) timeMethod(callee *ast.MemberNode, args []ast.Node) kernel {
	name, _ := literal(callee.Property)
	text, _ := name.(string)
	of := timeMethods[text]
	if of == nil || len(args) > 0 || callee.Optional {
		return nil
	}
	if _, chain := callee.Node.(*ast.ChainNode); chain {
		return nil
	}
	switch arg := b.build(callee.Node).(type) {
	case *leaf:
		return &timeMethod{arg: arg, of: of}
	case *timeCall:
		if _, column := arg.arg.(*leaf); column {
			return &timeMethod{arg: arg, of: of}
		}
	}
	return nil
}

func (k *timeMethod) eval(f frame, rows []int32) *stream.Column {
	a := k.arg.eval(f, rows)
	if a.Kind != stream.Instant {
		return redoAll(&k.out, stream.Int, f.n, rows)
	}
	start(stream.Int, f, &k.out, a, rows)
	for _, r := range rows {
		if ok(&k.out, r) {
			k.out.Ints[r] = k.of(stream.Time(a.Ints[r]).Std())
		}
	}
	return &k.out
}
