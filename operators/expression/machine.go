package expression

import (
	"errors"
	"time"

	"github.com/expr-lang/expr/ast"
	"github.com/expr-lang/expr/file"
	"github.com/expr-lang/expr/vm"

	"tidemark/stream"
)

// machine runs code for single rows on boxed values.
type machine struct {
	vm    vm.VM
	env   map[string]any
	row   map[string]any // row, where only some of its fields are asked for
	whole int            // the column of the whole record, or -1
	slots []slot
	tree  ast.Node
	words map[fault]string
}

// slot is a column that a row's environment is built from.
type slot struct {
	path   stream.Path
	column int
	root   string // the name in the environment
	alias  string // a second name, where the first one hides a function
	whole  bool   // the root is a column of its own, so paths below it are not needed
}

// fault is an error as the virtual machine words it.
type fault struct {
	from    int
	message string
}

func newMachine(p *Program, columns []int) *machine {
	m := &machine{env: map[string]any{}, whole: -1, tree: p.tree, words: map[fault]string{}}
	if p.ofRow {
		m.row = map[string]any{}
	}
	for i, u := range p.uses {
		if len(u) == 0 {
			m.whole = columns[i]
			continue
		}
		s := slot{path: u, column: columns[i], root: u[0]}
		if builtinNames[s.root] || ourNames[s.root] {
			s.alias = hidden + s.root
		}
		for _, v := range p.uses {
			s.whole = s.whole || len(u) > 1 && len(v) == 1 && v[0] == u[0]
		}
		m.slots = append(m.slots, s)
	}
	return m
}

// load builds the environment of a row.
func (m *machine) load(b *stream.Batch, row int) {
	clear(m.env)
	for i := range m.slots {
		s := &m.slots[i]
		c := &b.Columns[s.column]
		switch {
		case s.whole:
		case len(s.path) == 1:
			m.set(s, c.Value(row))
		default:
			m.nest(s, c, row)
		}
	}
	m.loadRow(b, row)
}

// loadRow sets row: the whole record, or an object of the fields that are asked of it.
func (m *machine) loadRow(b *stream.Batch, row int) {
	if m.row != nil {
		for i := range m.slots {
			if root := m.slots[i].root; root != stream.Meta {
				m.row[root] = m.env[root]
			}
		}
		m.env["row"] = m.row
	}
	if m.whole >= 0 {
		m.env["row"] = b.Columns[m.whole].Value(row)
	}
}

// set gives a value to a slot's names.
func (m *machine) set(s *slot, v any) {
	m.env[s.root] = v
	if s.alias != "" {
		m.env[s.alias] = v
	}
}

// nest puts the value of a path below its root, or what there is in the place of one of its objects.
func (m *machine) nest(s *slot, c *stream.Column, row int) {
	depth, v := len(s.path)-1, any(nil)
	switch tag := c.Tag(row); {
	case tag >= stream.TagParentOther:
		depth, v = int(tag-stream.TagParentOther), c.Boxed[row]
	case tag >= stream.TagParentNil:
		depth = int(tag - stream.TagParentNil)
	default:
		v = c.Value(row)
	}
	if depth == 0 {
		m.set(s, v)
		return
	}
	object, ok := m.env[s.root].(map[string]any)
	if !ok {
		object = map[string]any{}
		m.set(s, object)
	}
	for _, name := range s.path[1:depth] {
		next, ok := object[name].(map[string]any)
		if !ok {
			next = map[string]any{}
			object[name] = next
		}
		object = next
	}
	object[s.path[depth]] = v
}

// part evaluates code of a part of an expression. It is not sure of values that an operator may treat in
// another way than what normal makes of them, such as a byte of a text.
func (m *machine) part(code *vm.Program) (v any, sure bool) {
	v, err := m.vm.Run(code, m.env)
	if err != nil {
		return nil, false
	}
	switch v.(type) {
	case nil, bool, int, int64, float64, string, time.Time:
		v, _ = normal(v)
		return v, true
	}
	return nil, false
}

// run evaluates code for the row that was loaded. Where there is no value, problem says why.
func (m *machine) run(code *vm.Program) (v any, problem string) {
	v, err := m.vm.Run(code, m.env)
	if err == nil {
		return normal(v)
	}
	var f *file.Error
	if !errors.As(err, &f) {
		return nil, typeWords(err.Error())
	}
	key := fault{f.From, f.Message}
	w, ok := m.words[key]
	if !ok {
		w = wordFault(m.tree, f)
		if len(m.words) < maxWords {
			m.words[key] = w
		}
	}
	return nil, w
}

// maxWords bounds the number of messages kept, since a message may hold a value of the data.
const maxWords = 256

// ourNames are the names of our functions and of now().
var ourNames = func() map[string]bool {
	m := map[string]bool{"now": true}
	for _, f := range ours {
		m[f.Name] = true
	}
	return m
}()
