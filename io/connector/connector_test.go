package connector

import (
	"bytes"
	"testing"
)

func TestPad(t *testing.T) {
	for _, lines := range [][]byte{nil, []byte("a\n"), append(make([]byte, 0, 200), "a\nrest of what was read"...)[:2]} {
		want := string(lines)
		got := Pad(lines)
		pad := got[len(got) : len(got)+Padding]
		if string(got) != want || pad[0] != '\n' || bytes.Count(pad[1:], []byte{0}) != Padding-1 {
			t.Errorf("%q padded: %q, then %q", want, got, pad)
		}
	}
	roomy := make([]byte, 2, 200)
	if got := Pad(roomy); &got[0] != &roomy[0] {
		t.Error("lines with room were copied")
	}
}

func TestRegistry(t *testing.T) {
	defer func(old []*Kind) { kinds = old }(kinds)
	kinds = nil
	for _, name := range []string{"b", "a"} {
		Register(Kind{Name: name, Role: SourceRole})
		Register(Kind{Name: name + "2", Role: SinkRole})
	}
	if got := Kinds(SourceRole); len(got) != 2 || got[0].Name != "a" || got[1].Name != "b" {
		t.Errorf("%v", got)
	}
	if k, ok := Lookup(SinkRole, "a2"); !ok || k.Name != "a2" {
		t.Errorf("%v, %v", k, ok)
	}
	if _, ok := Lookup(SourceRole, "a2"); ok {
		t.Error("a sink was found among the sources")
	}
	defer func() {
		if recover() == nil {
			t.Error("two kinds of one name were taken")
		}
	}()
	Register(Kind{Name: "a", Role: SourceRole})
}

func TestChunkSize(t *testing.T) {
	if got := (Environment{}).Chunk(); got != DefaultChunkSize {
		t.Errorf("%d", got)
	}
	if got := (Environment{ChunkSize: 4096}).Chunk(); got != 4096 {
		t.Errorf("%d", got)
	}
}
