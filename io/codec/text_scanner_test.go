package codec

import (
	"fmt"
	"testing"

	"tidemark/stream"
)

// Every line is a record, whatever its bytes are; one that is too long is a bad one.
func TestTextScanner(t *testing.T) {
	columns := []Column{{Path: stream.Path{Message}}, {Path: Object}, {}, {Path: stream.Path{Message, "x"}}, {Path: stream.Path{"other"}}, {Path: Raw}}
	s := NewTextScanner(columns, 8)
	var b stream.Batch
	s.Scan(trapped([]byte("a \"b\"\r\n\n\xff,\n123456789\nend")), &b)
	checkShape(t, &b)
	want := [][]string{
		{"a \"b\"", `{"message":"a \"b\""}`}, {"", `{"message":""}`}, {"\xff,", `{"message":"\ufffd,"}`}, nil, {"end", `{"message":"end"}`},
	}
	if b.N != len(want) || s.Lines() != 4 || fmt.Sprint(b.Sel) != "[0 1 2 4]" {
		t.Fatalf("%d rows, %d line feeds, selected %v", b.N, s.Lines(), b.Sel)
	}
	for row, w := range want {
		if s.LineNumber(row) != row || string(b.Columns[5].Bytes(row)) != string(s.Line(row)) {
			t.Errorf("row %d is on line %d with the text %q", row, s.LineNumber(row), s.Line(row))
		}
		if w == nil {
			continue
		}
		whole := b.Columns[2].Value(row).(map[string]any)
		if string(b.Columns[0].Bytes(row)) != w[0] || string(b.Columns[1].Bytes(row)) != w[1] || whole[Message] != w[0] {
			t.Errorf("row %d: %q, %s, %v", row, b.Columns[0].Bytes(row), b.Columns[1].Bytes(row), whole)
		}
		if got := cell(&b.Columns[3], row) + cell(&b.Columns[4], row); got != fmt.Sprintf("other@0:%smissing", show(w[0])) {
			t.Errorf("row %d: below and beside it %s", row, got)
		}
	}
	if bad := s.Bad(); len(bad) != 1 || bad[0].Reason != "record longer than the limit of 8 bytes" {
		t.Errorf("%+v", bad)
	}
}
