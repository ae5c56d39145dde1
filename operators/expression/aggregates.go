package expression

import (
	"strconv"
	"strings"

	"github.com/expr-lang/expr/builtin"
	"github.com/expr-lang/expr/file"
	"github.com/expr-lang/expr/parser"
	"github.com/expr-lang/expr/parser/lexer"
)

// Call is a call of an aggregate within an expression.
type Call struct {
	Name string
	// Args are the arguments as they were written, ArgOffsets the bytes of the source at which they begin.
	Args       []string
	ArgOffsets []int
	// Offset and End are the bytes of the source that the call takes up, [Offset, End).
	Offset, End int
}

// SplitAggregates takes an expression over aggregate calls apart, such as sum(amount) / count(). post is the
// same expression with each call replaced by a name, agg0 and so on counted from first; it is filled up with
// blanks, so that a place in post is the same place in src. Names that aggregates share with functions of
// expr-lang mean the aggregate here. The error is an *Error; an aggregate within another is one.
func SplitAggregates(src string, isAggregate func(string) bool, first int) (post string, calls []Call, err error) {
	if err := parseAggregates(src, isAggregate); err != nil {
		return "", nil, err
	}
	s, err := newSplitter(src, isAggregate)
	if err != nil {
		return "", nil, err
	}
	if fault := s.split(); fault != nil {
		return "", nil, fault
	}
	var b strings.Builder
	last := 0
	for i, c := range s.calls {
		b.WriteString(src[last:c.Offset])
		name := ResultName(first + i)
		b.WriteString(name + strings.Repeat(" ", max(0, c.End-c.Offset-len(name))))
		last = c.End
	}
	b.WriteString(src[last:])
	return b.String(), s.calls, nil
}

// parseAggregates checks the syntax, with aggregates in the place of builtin functions.
func parseAggregates(src string, isAggregate func(string) bool) error {
	c := fresh()
	for name, f := range (&Scope{}).functions() {
		c.Functions[name] = f
	}
	tokens, _ := lexer.Lex(file.NewSource(src))
	for _, t := range tokens {
		if t.Kind == lexer.Identifier && isAggregate(t.Value) {
			c.Disabled[t.Value] = true
			c.Functions[t.Value] = &builtin.Function{Name: t.Value}
		}
	}
	if _, err := parser.ParseWithConfig(src, c); err != nil {
		return syntaxError(src, err)
	}
	return nil
}

// splitter walks over the tokens of an expression that is known to parse.
type splitter struct {
	src         string
	tokens      []lexer.Token
	offsets     []int // of tokens, in bytes
	isAggregate func(string) bool
	calls       []Call
}

func newSplitter(src string, isAggregate func(string) bool) (*splitter, error) {
	tokens, err := lexer.Lex(file.NewSource(src))
	if err != nil {
		return nil, syntaxError(src, err)
	}
	s := &splitter{src: src, tokens: tokens, isAggregate: isAggregate}
	for _, t := range tokens {
		s.offsets = append(s.offsets, byteOffset(src, t.From))
	}
	return s, nil
}

// isCall reports that a call of an aggregate begins at token i.
func (s *splitter) isCall(i int) bool {
	t := s.tokens[i]
	if t.Kind != lexer.Identifier || !s.isAggregate(t.Value) || i+1 >= len(s.tokens) || !s.tokens[i+1].Is(lexer.Bracket, "(") {
		return false
	}
	return i == 0 || !s.tokens[i-1].Is(lexer.Operator, ".", "?.")
}

func (s *splitter) split() *Error {
	for i := 0; i < len(s.tokens); i++ {
		if !s.isCall(i) {
			continue
		}
		if i > 0 && s.tokens[i-1].Is(lexer.Operator, "|") {
			return s.fault(i, "an aggregate can't stand behind a pipe", "write "+s.tokens[i].Value+"(x)")
		}
		end, fault := s.call(i)
		if fault != nil {
			return fault
		}
		i = end
	}
	return nil
}

// call reads the call that begins at token i and gives the token that ends it.
func (s *splitter) call(i int) (end int, fault *Error) {
	c := Call{Name: s.tokens[i].Value, Offset: s.offsets[i]}
	depth, from := 0, i+2
	for j := i + 1; j < len(s.tokens); j++ {
		t := s.tokens[j]
		switch {
		case t.Is(lexer.Bracket, "(", "[", "{"):
			depth++
		case t.Is(lexer.Bracket):
			depth--
		case j > i && s.isCall(j):
			return 0, s.fault(j, "aggregate "+t.Value+"() within "+c.Name+"()",
				"aggregate twice: first in one transform, then in another")
		}
		if depth == 0 || depth == 1 && t.Is(lexer.Operator, ",") {
			if j > from {
				arg := strings.TrimRight(s.src[s.offsets[from]:s.offsets[j]], " \t\r\n")
				c.Args, c.ArgOffsets = append(c.Args, arg), append(c.ArgOffsets, s.offsets[from])
			}
			from = j + 1
		}
		if depth == 0 {
			c.End = byteOffset(s.src, t.To)
			s.calls = append(s.calls, c)
			return j, nil
		}
	}
	return 0, s.fault(i, "unexpected end of expression", "")
}

func (s *splitter) fault(token int, message, hint string) *Error {
	t := s.tokens[token]
	return &Error{Offset: s.offsets[token], End: byteOffset(s.src, t.To), Kind: Aggregate, Message: message, Hint: hint, Name: t.Value}
}

// Result begins the names of aggregates' results: a letter that no field's name begins with, so that these share theirs
// with none.
const Result = "ǀ"

// ResultName names the result of call i.
func ResultName(i int) string { return Result + strconv.Itoa(i) }
