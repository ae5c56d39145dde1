package inlineio

import (
	"context"
	"fmt"
	"io"
	"strings"
	"testing"

	"tidemark/io/connector"
)

func TestAnyChunkSizeGivesTheSameRows(t *testing.T) {
	var o Options
	var want strings.Builder
	for i := range 100 {
		row := fmt.Sprintf(`{"i":%d,"s":"%s"}`, i, strings.Repeat("x", i%17))
		o.Rows = append(o.Rows, []byte(row))
		want.WriteString(row + "\n")
	}
	for _, size := range []int64{0, 1, 2, 50, 1000} {
		partitions, err := o.Open(context.Background(), connector.Environment{ChunkSize: size})
		if err != nil || len(partitions) != 1 {
			t.Fatal(len(partitions), err)
		}
		var got strings.Builder
		var buf []byte
		for index := int64(0); ; index++ {
			c, err := partitions[0].Next(context.Background())
			if err == io.EOF {
				break
			}
			if err != nil || c.Index != index || c.Offset != int64(got.Len()) {
				t.Fatalf("chunk %d at %d behind %d bytes: %v", c.Index, c.Offset, got.Len(), err)
			}
			if buf, err = partitions[0].Load(context.Background(), c, buf); err != nil {
				t.Fatal(err)
			}
			if cap(buf)-len(buf) < connector.Padding || buf[:len(buf)+1][len(buf)] != '\n' {
				t.Fatal("no padding")
			}
			got.Write(buf)
		}
		if got.String() != want.String() {
			t.Errorf("chunks of %d: %s", size, got.String())
		}
	}
}

func TestClosedPartition(t *testing.T) {
	partitions, err := (&Options{Rows: [][]byte{[]byte("{}")}}).Open(context.Background(), connector.Environment{})
	if err != nil {
		t.Fatal(err)
	}
	partitions[0].Close()
	if _, err := partitions[0].Next(context.Background()); err == nil || err == io.EOF {
		t.Errorf("Next gives %v", err)
	}
}
