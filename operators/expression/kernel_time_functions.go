package expression

import (
	"time"

	"github.com/expr-lang/expr/ast"

	"tidemark/operators/zone"
	"tidemark/stream"
)

// timeFunction gives the kernel of a function of times with constant settings, or nil.
func (b *builder) timeFunction(name string, args []ast.Node) kernel {
	settings := make([]string, 0, 2)
	for _, n := range args[1:] {
		v, _ := literal(n)
		text, ok := v.(string)
		if !ok {
			return nil
		}
		settings = append(settings, text)
	}
	switch {
	case name == "date" && len(settings) == 1:
		layout := settings[0]
		return &dateCall{arg: b.build(args[0]), parse: func(text string) (time.Time, bool) {
			t, err := time.Parse(layout, text)
			return t, err == nil
		}}
	case name == "trunc_time" && len(settings) == 1:
		if span, ok := parseSpan(settings[0]); ok {
			return &truncCall{arg: b.build(args[0]), span: span}
		}
	case name == "format_time" && len(settings) > 0:
		z := time.UTC
		if len(settings) == 2 {
			var err error
			if z, err = zone.Load(settings[1]); err != nil {
				return nil
			}
		}
		return &formatCall{arg: b.build(args[0]), layout: settings[0], zone: z}
	}
	return nil
}

// truncCall is trunc_time(t, span) with a constant span, in milliseconds.
type truncCall struct {
	arg  kernel
	span int64
	out  stream.Column
}

func (k *truncCall) eval(f frame, rows []int32) *stream.Column {
	a := k.arg.eval(f, rows)
	if a.Kind != stream.Instant {
		return redoAll(&k.out, stream.Instant, f.n, rows)
	}
	start(stream.Instant, f, &k.out, a, rows)
	for _, r := range rows {
		if ok(&k.out, r) {
			k.out.Ints[r] = floor(a.Ints[r], k.span) * k.span
		}
	}
	return &k.out
}

// formatCall is format_time(t, layout, zone) with a constant layout and zone. Times of a stream repeat, above all
// those cut down to a window, so a time like the one before is not written again.
type formatCall struct {
	arg    kernel
	layout string
	zone   *time.Location
	out    stream.Column
}

func (k *formatCall) eval(f frame, rows []int32) *stream.Column {
	a := k.arg.eval(f, rows)
	if a.Kind != stream.Instant {
		return redoAll(&k.out, stream.String, f.n, rows)
	}
	start(stream.String, f, &k.out, a, rows)
	var last stream.Ref
	var of int64
	written := false
	for _, r := range rows {
		if !ok(&k.out, r) {
			continue
		}
		if t := a.Ints[r]; !written || t != of {
			from := len(k.out.Arena)
			k.out.Arena = stream.Time(t).Std().In(k.zone).AppendFormat(k.out.Arena, k.layout)
			last = stream.Ref{Off: uint32(from) | stream.ArenaBit, Len: uint32(len(k.out.Arena) - from)}
			of, written = t, true
		}
		k.out.Refs[r] = last
	}
	return &k.out
}
