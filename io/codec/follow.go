package codec

import "tidemark/stream"

// follow reads the line at p along the trie and gives the index behind it, or -1 if the trie does not have
// it or something in it needs a closer look; then what was stored for the row is to be written over.
func (s *JSONScanner) follow(p int) int {
	data := s.data
	for n := s.trie.root; n != nil; {
		word0, word1 := load2(data, p)
		if (word0^n.word0)&n.mask0|(word1^n.word1)&n.mask1 != 0 || n.rest != nil && !n.restIs(data[p+16:]) {
			n = n.sibling
			continue
		}
		q := p + n.size
		switch n.action {
		case skipValue:
			if data[q] == '"' {
				if q, _ = stringEnd(data, q+1); q < 0 {
					return -1
				}
				q++
			} else {
				q = s.skip(q, n.nesting)
			}
		case readValue:
			switch {
			case n.field != nil:
				q = s.read(q, n)
			case data[q] == '{' && n.place.passage():
				// The members of an object are steps of their own.
				n = n.sibling
				continue
			default:
				q = s.value(q, n.place)
			}
		case endLine:
			for _, l := range n.lacking {
				l.field.tag(s.row, s.rows, l.tag)
			}
			return q
		}
		if q < 0 && data[p+n.size] <= ' ' {
			// White space before the value may be a layout of its own.
			n = n.sibling
			continue
		}
		if q < 0 {
			return -1
		}
		p, n = q, n.child
	}
	return -1
}

// restIs reports whether data goes on with the node's bytes from the 16th.
func (n *node) restIs(data []byte) bool {
	return len(data) >= len(n.rest) && string(data[:len(n.rest)]) == string(n.rest)
}

// read reads the value at p into the one column that wants it.
func (s *JSONScanner) read(p int, n *node) int {
	f := n.field
	switch f.kind {
	case stream.Int:
		if v, end := shortInt(s.data, p); end >= 0 {
			f.out.Ints[s.row] = v
			return end
		}
	case stream.String:
		if s.data[p] == '"' {
			end, found := stringEnd(s.data, p+1)
			if end < 0 {
				return -1
			}
			if found != 0 {
				s.putText(f, p+1, end, found)
			} else {
				f.out.Refs[s.row] = stream.Ref{Off: uint32(p + 1), Len: uint32(end - p - 1)}
			}
			return end + 1
		}
	case stream.Float:
		if v, end, fraction := shortFloat(s.data, p); end >= 0 && (fraction || f.fixed == stream.Float) {
			f.out.Floats[s.row] = v
			return end
		}
	}
	return s.value(p, n.place)
}
