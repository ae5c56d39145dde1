package spec

import (
	"fmt"
	"slices"
	"strings"
)

// A block whose lines stand no deeper than its name is empty to YAML, and its keys are names beside it:
//
//	transforms:
//	  t:
//	  from: a
//
// One fault tells of that, and nothing is said about keys that are no names.

// clauses are keys of blocks that have a map below them, or whose lines may be unindented too. No block behind an empty
// one is taken to be called so.
var clauses = []string{"from", "type", "format", "schema", "timestamp", "watermark", "columns", "fields", "rows", "start", "stop", "sasl", "tls", "join",
	"where", "set", "explode", "select", "drop", "key", "window", "emit", "aggregate", "having", "split", "dedup", "top", "roll"}

// belonging gives how many entries behind entry i, which is empty, are keys that were meant to stand below it.
func (n *Node) belonging(i int) int {
	if e := &n.Entries[i]; n.Flow || e.Value.Kind != Null || e.Value.Unset || e.Value.alias {
		return 0
	}
	count := 0
	for _, e := range n.Entries[i+1:] {
		block := e.Value.Kind == Map && (e.Value.Has("from") || e.Value.Has("type")) || e.Value.Kind == Null
		if block && !slices.Contains(clauses, e.Key) {
			break
		}
		count++
	}
	return count
}

// unindented reports an empty block whose keys stand beside it.
func (r *reader) unindented(b *Block, e *Entry, keys []Entry, first bool) {
	names := make([]string, 0, len(keys))
	for _, k := range keys {
		names = append(names, k.Key)
	}
	hint := "begin them with " + spaces(e.KeyPos.Column+1)
	if first { // of later ones some keys may be missing, since a map has each once
		hint = fmt.Sprintf("%s before %s", spaces(e.KeyPos.Column+1), strings.Join(names, ", "))
	}
	d := e.Value.Diagnose("TM006", fmt.Sprintf("`%s` is empty; indent the lines that belong to it", e.Key), hint)
	d.Node = b.Name
	r.report(d)
	r.file.Partial = true
}

// withoutRepeated drops what was said about keys that stand twice in a section: those of unindented blocks do.
func (r *reader) withoutRepeated(faults Diagnostics) Diagnostics {
	return slices.DeleteFunc(faults, func(d Diagnostic) bool {
		return d.Rule == "TM002" && slices.ContainsFunc(r.scattered, func(n *Node) bool {
			return d.Column == n.Pos.Column && d.Line >= n.Pos.Line && d.Line <= n.scatteredTo()
		})
	})
}

// scatteredTo is the last line of a block map: that before the next one that is indented less.
func (n *Node) scatteredTo() int {
	line := n.Pos.Line
	for next := line + 1; next <= len(n.doc.lines); next++ {
		if !n.doc.isBlank(next) && n.doc.indent(next) < n.Pos.Column-1 {
			break
		}
		line = next
	}
	return line
}
