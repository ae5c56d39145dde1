package codec

import (
	"bytes"

	"tidemark/stream"
)

// line reads the line at p by its grammar and gives the index of the next one. It makes a row, unless the
// line is blank.
func (s *JSONScanner) line(p int) int {
	at := s.space(p)
	if next, ended := s.lineEnd(at); ended && !s.separate {
		s.blanks = append(s.blanks, int32(s.row))
		return next
	}
	for _, f := range s.fields {
		f.forget(s.row)
	}
	s.troubled, s.repeated = false, false
	s.steps, s.lacking, s.from = s.steps[:0], s.lacking[:0], p
	end := -1
	if s.data[at] == '{' {
		end = s.object(at, &s.root, true)
	}
	if end >= 0 {
		if next, ended := s.lineEnd(s.space(end)); ended {
			s.learn(next)
			s.take(p, next)
			return next
		}
	}
	next := s.end
	if i := bytes.IndexByte(s.data[p:s.end], '\n'); i >= 0 {
		next = p + i + 1
	}
	s.refuse(p)
	return next
}

// lineEnd reports whether the line ends at p, and where the next one begins.
func (s *JSONScanner) lineEnd(p int) (next int, ended bool) {
	if p >= s.end {
		return s.end, true
	}
	return p + 1, s.data[p] == '\n'
}

// learn teaches the trie the layout of the line that ends at next.
func (s *JSONScanner) learn(next int) {
	if s.repeated || s.data[next-1] != '\n' {
		return
	}
	s.step(next, step{action: endLine})
	if !s.trie.learn(s.data, s.steps, s.lacking) {
		s.trie.reconsider()
	}
}

// step notes a step whose bytes end at p.
func (s *JSONScanner) step(p int, st step) {
	if len(s.steps) > mostSteps {
		return
	}
	st.from, st.to = s.from, p
	s.steps = append(s.steps, st)
}

// object reads the object at p for the columns below a place. With learn, its members are steps of the
// line's layout.
func (s *JSONScanner) object(p int, w *place, learn bool) int {
	s.stamp++
	stamp := s.stamp
	p = s.space(p + 1)
	if s.data[p] == '}' {
		s.lacks(w, stamp, learn)
		return p + 1
	}
	for {
		name, at := s.name(p)
		if at < 0 {
			return -1
		}
		if p = s.member(at, w.find(name), w, stamp, learn); p < 0 {
			return -1
		}
		switch p = s.space(p); s.data[p] {
		case '}':
			s.lacks(w, stamp, learn)
			return p + 1
		case ',':
			p = s.space(p + 1)
		default:
			return -1
		}
	}
}

// member reads the value at p of the member of in whose place is w, nil if it isn't wanted.
func (s *JSONScanner) member(p int, w, in *place, stamp uint64, learn bool) int {
	if w == nil {
		if learn {
			s.step(p, step{nesting: in.nesting()})
		}
		p = s.skip(p, in.nesting())
		s.from = p
		return p
	}
	if w.seen == stamp {
		s.repeated = true
		s.forgetPlace(w)
	}
	w.seen = stamp
	if learn && s.data[p] == '{' && w.passage() {
		return s.object(p, w, true)
	}
	if learn {
		s.step(p, step{action: readValue, place: w})
	}
	p = s.value(p, w)
	if learn {
		s.from = p
	}
	return p
}

// forgetPlace takes back what was read at and below a place: another value under its name has come.
func (s *JSONScanner) forgetPlace(w *place) {
	if w.field != nil {
		w.field.forget(s.row)
	}
	for _, f := range w.below {
		f.forget(s.row)
	}
}

// lacks tags what an object at w that bears the stamp did not have.
func (s *JSONScanner) lacks(w *place, stamp uint64, learn bool) {
	for _, c := range w.children {
		if c.seen == stamp {
			continue
		}
		s.absent(c, stream.TagMissing)
		if !learn {
			continue
		}
		if c.field != nil {
			s.lacking = append(s.lacking, lackingTag{c.field, stream.TagMissing})
		}
		for _, f := range c.below {
			s.lacking = append(s.lacking, lackingTag{f, stream.TagParentNil + c.tagDepth()})
		}
	}
}
