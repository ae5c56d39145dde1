package codec

import "tidemark/stream"

// Bounds of what is learned, so that no input makes it large or slow.
const (
	mostSiblings = 16
	mostNodes    = 4096
	mostSteps    = 512
	longestStep  = 255
)

// action is what a node does with what follows its bytes.
type action uint8

const (
	skipValue action = iota
	readValue        // into a column, or several
	endLine
)

// node is a step on the way through a line: bytes that must be there, and what to do behind them.
type node struct {
	word0, mask0, word1, mask1 uint64 // the first 16 bytes
	size                       int
	rest                       []byte // the bytes from the 16th
	action                     action
	nesting                    int    // brackets open around the value
	field                      *field // of readValue, where one column wants the value and none what is in it
	place                      *place // of readValue
	child, sibling             *node  // the steps behind the value; other steps in place of this one
	lacking                    []lackingTag
}

// lackingTag says that a line of this layout lacks a field.
type lackingTag struct {
	field *field
	tag   stream.Tag
}

// trie holds the layouts of the lines met. All layouts with a wanted name twice are left out, so that on a
// way through the trie no column gets two values.
type trie struct {
	root  *node
	slabs [][]node // of slabNodes each; nodes are handed out in order
	nodes int
	// missed counts, among the lines of late, those that the trie did not have and could not learn.
	missed, lines int
}

// slabNodes are made at once.
const slabNodes = 128

// step is a part of a line just read: the bytes from..to, and the place of the value behind them.
type step struct {
	from, to int
	action   action
	nesting  int
	place    *place
}

// learn adds a line's steps. It reports whether all found room.
func (t *trie) learn(data []byte, steps []step, lacking []lackingTag) bool {
	if len(steps) > mostSteps {
		return false
	}
	slot := &t.root
	for _, step := range steps {
		text := data[step.from:step.to]
		if len(text) > longestStep {
			return false
		}
		n, siblings := *slot, 0
		for n != nil && !n.is(text, step) {
			slot, n = &n.sibling, n.sibling
			siblings++
		}
		if n == nil {
			if siblings >= mostSiblings || t.nodes == mostNodes {
				return false
			}
			n = t.add(text, step)
			*slot = n
			if step.action == endLine {
				n.lacking = append(n.lacking[:0], lacking...)
			}
		}
		slot = &n.child
	}
	return true
}

func (t *trie) add(text []byte, s step) *node {
	if t.nodes == len(t.slabs)*slabNodes {
		t.slabs = append(t.slabs, make([]node, slabNodes))
	}
	n := &t.slabs[t.nodes/slabNodes][t.nodes%slabNodes]
	t.nodes++
	rest, lacking := n.rest[:0], n.lacking[:0]
	*n = node{size: len(text), action: s.action, nesting: s.nesting, place: s.place, lacking: lacking}
	var padded [16]byte
	copy(padded[:], text)
	n.word0, n.word1 = load(padded[:], 0), load(padded[:], 8)
	n.mask0, n.mask1 = firstBytes(len(text)), firstBytes(len(text)-8)
	if len(text) > 16 {
		n.rest = append(rest, text[16:]...)
	}
	if s.place != nil && len(s.place.below) == 0 {
		n.field = s.place.field
	}
	return n
}

// is reports whether n is the node for a step.
func (n *node) is(text []byte, s step) bool {
	if n.size != len(text) || n.action != s.action || n.place != s.place {
		return false
	}
	var padded [16]byte
	copy(padded[:], text)
	return load(padded[:], 0) == n.word0 && load(padded[:], 8) == n.word1 && (n.rest == nil || string(text[16:]) == string(n.rest))
}

// reconsider empties a trie that many lines miss, so that it can learn what they look like now. The lines
// that must miss it first make up for the cost.
func (t *trie) reconsider() {
	t.missed++
	if t.missed >= 1024 && t.missed > t.lines/4 {
		t.root, t.nodes = nil, 0
		t.missed, t.lines = 0, 0
	}
}

// count counts lines read. What was long ago weighs less and less.
func (t *trie) count(lines int) {
	t.lines += lines
	if t.lines > 1<<17 {
		t.lines /= 2
		t.missed /= 2
	}
}
