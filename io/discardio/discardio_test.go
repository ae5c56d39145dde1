package discardio

import (
	"context"
	"testing"

	"tidemark/io/connector"
	"tidemark/stream"
)

func TestCountsSelectedRows(t *testing.T) {
	out, err := new(Options).Open(context.Background(), connector.Environment{})
	if err != nil {
		t.Fatal(err)
	}
	rows := out.(connector.RowSink)
	rows.WriteRows(&stream.Batch{N: 5}, nil)
	rows.WriteRows(&stream.Batch{N: 5, Sel: []int32{1, 3}}, nil)
	if got := out.(*Counter).Rows(); got != 7 {
		t.Errorf("%d rows, want 7", got)
	}
}
