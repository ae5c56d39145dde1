package parquetio

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"testing"
	"time"

	"tidemark/io/connector"
	"tidemark/stream"
)

// windowRows gives batches of result rows as a tumbling window by key writes them.
func windowRows(n int) ([]stream.Field, []*stream.Batch) {
	fields := []stream.Field{
		{Name: "bidder", Type: stream.Type{Kind: stream.Int}}, {Name: "window_start", Type: stream.Type{Kind: stream.Instant}},
		{Name: "window_end", Type: stream.Type{Kind: stream.Instant}}, {Name: "n", Type: stream.Type{Kind: stream.Int}},
		{Name: "total", Type: stream.Type{Kind: stream.Int}}, {Name: "top", Type: stream.Type{Kind: stream.Int}},
		{Name: "mean", Type: stream.Type{Kind: stream.Float}},
	}
	r := rand.New(rand.NewPCG(1, 2))
	var batches []*stream.Batch
	for done := 0; done < n; {
		b := &stream.Batch{N: min(4096, n-done), Columns: make([]stream.Column, len(fields))}
		for i := range fields {
			b.Columns[i].Reset(fields[i].Type.Kind, b.N)
		}
		for row := range b.N {
			start := 1_700_000_000_000 + int64((done+row)/10_000)*10_000
			count, price := 1+r.Int64N(4), 100+r.Int64N(10_000_000)
			for i, v := range []int64{1000 + r.Int64N(10_000), start, start + 10_000, count, price * count, price} {
				b.Columns[i].Ints[row] = v
			}
			b.Columns[6].Floats[row] = float64(price) * 1.01 / float64(count)
		}
		done += b.N
		batches = append(batches, b)
	}
	return fields, batches
}

func BenchmarkSink(b *testing.B) {
	const rows = 500_000
	fields, batches := windowRows(rows)
	for _, compression := range []string{"zstd", "snappy", "gzip", "none"} {
		b.Run(compression, func(b *testing.B) {
			path := filepath.Join(b.TempDir(), "out.parquet")
			var size int64
			for b.Loop() {
				o := &SinkOptions{Path: path, Overwrite: true, Compression: compression, RowGroup: DefaultRowGroup}
				if err := writeBatches(o, fields, batches); err != nil {
					b.Fatal(err)
				}
				info, _ := os.Stat(path)
				size = info.Size()
			}
			b.ReportMetric(float64(rows)*float64(b.N)/b.Elapsed().Seconds()/1e6, "Mrows/s")
			b.ReportMetric(float64(size)/rows, "B/row")
		})
	}
}

func writeBatches(o *SinkOptions, fields []stream.Field, batches []*stream.Batch) error {
	out, err := o.Open(context.Background(), connector.Environment{Pipeline: "test"})
	if err != nil {
		return err
	}
	defer out.Abort()
	sink := out.(connector.TypedSink)
	if err := sink.SetFields(fields); err != nil {
		return err
	}
	for i, b := range batches {
		if err := sink.WriteRows(b, nil); err != nil {
			return fmt.Errorf("batch %d: %w", i, err)
		}
	}
	return out.Commit()
}

// BenchmarkPartitions writes rows that go round 100 folders and tells how much memory it took at most.
func BenchmarkPartitions(b *testing.B) {
	for _, folders := range []int64{1, 100, 1000} {
		b.Run(fmt.Sprint(folders), func(b *testing.B) {
			const rows = 4_000_000
			fields, batches := windowRows(500_000)
			for _, batch := range batches {
				for row := range batch.Columns[3].Ints {
					batch.Columns[3].Ints[row] = int64(row) % folders
				}
			}
			for b.Loop() {
				runtime.GC()
				done, peak := make(chan struct{}), make(chan uint64)
				go watchHeap(done, peak)
				o := sinkTo(b.TempDir() + "/out")
				o.PartitionBy = []string{"n"}
				var all []*stream.Batch
				for range rows / 500_000 {
					all = append(all, batches...)
				}
				var before runtime.MemStats
				runtime.ReadMemStats(&before)
				if err := writeBatches(o, fields, all); err != nil {
					b.Fatal(err)
				}
				close(done)
				b.ReportMetric(float64(<-peak-before.HeapInuse)/1e6, "MB-peak")
				names, _ := filepath.Glob(o.Path + "/*/*.parquet")
				b.ReportMetric(float64(len(names)), "files")
			}
			b.ReportMetric(rows*float64(b.N)/b.Elapsed().Seconds()/1e6, "Mrows/s")
		})
	}
}

// watchHeap gives the most memory that the heap has had in use until done.
func watchHeap(done chan struct{}, peak chan uint64) {
	var most uint64
	for {
		select {
		case <-done:
			peak <- most
			return
		case <-time.After(5 * time.Millisecond):
			var m runtime.MemStats
			runtime.ReadMemStats(&m)
			most = max(most, m.HeapInuse)
		}
	}
}
