package codec

// maxNesting is how many lists and objects may be open at once, as in encoding/json.
const maxNesting = 10000

// parser reads JSON out of data. Behind the text there must be Padding bytes, the first of them a control
// character, where every scan stops. Its methods give the index behind what they read, or -1.
type parser struct {
	data []byte
	// document says that a line feed is white space; else it ends the line.
	document bool
	stack    []byte            // the brackets that close what is open
	names    map[string]string // texts of names met, so that objects share them
	scratch  []byte
	// unreadable is set by decode when it met a number that no value holds.
	unreadable bool
}

// space gives the index of the first byte from p that is not white space.
func (t *parser) space(p int) int {
	if t.data[p] > ' ' {
		return p
	}
	return t.spaceEnd(p)
}

func (t *parser) spaceEnd(p int) int {
	for {
		switch t.data[p] {
		case ' ', '\t', '\r':
			p++
		case '\n':
			if !t.document {
				return p
			}
			p++
		default:
			return p
		}
	}
}

// skip validates any value at p that has nesting lists and objects around it.
func (t *parser) skip(p, nesting int) int {
	switch c := t.data[p]; c {
	case '"':
		end, _ := stringEnd(t.data, p+1)
		if end < 0 {
			return -1
		}
		return end + 1
	case '{', '[':
		return t.skipNested(p, nesting)
	case 't', 'f', 'n':
		return wordEnd(t.data, p)
	}
	end, _ := numberEnd(t.data, p)
	return end
}

// wordEnd reads true, false or null.
func wordEnd(data []byte, p int) int {
	switch w := load(data, p); {
	case uint32(w) == 'n'|'u'<<8|'l'<<16|'l'<<24, uint32(w) == 't'|'r'<<8|'u'<<16|'e'<<24:
		return p + 4
	case w&0xffffffffff == 'f'|'a'<<8|'l'<<16|'s'<<24|'e'<<32:
		return p + 5
	}
	return -1
}

// skipNested validates the list or object at p without recursion.
func (t *parser) skipNested(p, nesting int) int {
	t.stack = t.stack[:0]
	for {
		// Here p is at a value.
		switch c := t.data[p]; c {
		case '{', '[':
			if len(t.stack)+nesting >= maxNesting {
				return -1
			}
			t.stack = append(t.stack, c+2) // '{'+2 is '}' and '['+2 is ']'
			p = t.space(p + 1)
			if t.data[p] == c+2 {
				break
			}
			if c == '{' {
				if p = t.nameEnd(p); p < 0 {
					return -1
				}
			}
			continue
		default:
			if p = t.skip(p, 0); p < 0 {
				return -1
			}
			p = t.space(p)
		}
		// Behind a value: closing brackets, then a comma.
		for t.data[p] == t.stack[len(t.stack)-1] {
			t.stack = t.stack[:len(t.stack)-1]
			if len(t.stack) == 0 {
				return p + 1
			}
			p = t.space(p + 1)
		}
		if t.data[p] != ',' {
			return -1
		}
		p = t.space(p + 1)
		if t.stack[len(t.stack)-1] == '}' {
			if p = t.nameEnd(p); p < 0 {
				return -1
			}
		}
	}
}

// nameEnd reads a member's name and colon at p and gives the index of its value.
func (t *parser) nameEnd(p int) int {
	if t.data[p] != '"' {
		return -1
	}
	if p, _ = stringEnd(t.data, p+1); p < 0 {
		return -1
	}
	if p = t.space(p + 1); t.data[p] != ':' {
		return -1
	}
	return t.space(p + 1)
}

// name reads like nameEnd, and gives the name. It is valid until the next call.
func (t *parser) name(p int) (name []byte, value int) {
	if t.data[p] != '"' {
		return nil, -1
	}
	end, found := stringEnd(t.data, p+1)
	if end < 0 {
		return nil, -1
	}
	name = t.data[p+1 : end]
	if found != 0 {
		t.scratch = appendText(t.scratch[:0], name)
		name = t.scratch
	}
	if p = t.space(end + 1); t.data[p] != ':' {
		return nil, -1
	}
	return name, t.space(p + 1)
}
