package parquetio

import (
	"context"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"

	"github.com/parquet-go/parquet-go"

	"tidemark/io/codec"
	"tidemark/io/connector"
	"tidemark/stream"
)

// bid is a record like those of the auction benchmarks.
type bid struct {
	Auction  *int64  `parquet:"auction,dict,zstd,optional"`
	Bidder   *int64  `parquet:"bidder,dict,zstd,optional"`
	Price    *int64  `parquet:"price,zstd,optional"`
	Channel  *string `parquet:"channel,dict,zstd,optional"`
	URL      *string `parquet:"url,zstd,optional"`
	DateTime *int64  `parquet:"date_time,dict,zstd,optional,timestamp(millisecond)"`
}

// writeBids writes a file of bids in row groups of 131,072.
func writeBids(b testing.TB, rows int) string {
	path := filepath.Join(b.TempDir(), "bids.parquet")
	f, err := os.Create(path)
	if err != nil {
		b.Fatal(err)
	}
	defer f.Close()
	w := parquet.NewGenericWriter[bid](f, parquet.MaxRowsPerRowGroup(131_072))
	random := rand.New(rand.NewPCG(1, 2))
	batch := make([]bid, 1000)
	channels := []string{"Google", "Facebook", "Baidu", "Apple"}
	for at := 0; at < rows; at += len(batch) {
		for i := range batch {
			auction, bidder, price := 1000+random.Int64N(2000), 1000+random.Int64N(5000), random.Int64N(1_000_000)
			channel, url, ts := channels[random.IntN(4)], "https://www.nexmark.com/"+channels[random.IntN(4)]+"/item.htm?query=1", int64(1_700_000_000_000)+int64(at+i)/10
			batch[i] = bid{&auction, &bidder, &price, &channel, &url, &ts}
		}
		if _, err := w.Write(batch); err != nil {
			b.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		b.Fatal(err)
	}
	return path
}

func BenchmarkRead(b *testing.B) {
	const rows = 1_000_000
	path := writeBids(b, rows)
	for _, c := range []struct {
		name  string
		paths []string
	}{
		{"three_ints", []string{"auction", "bidder", "date_time"}},
		{"plain_int", []string{"price"}},
		{"dictionary_text", []string{"channel"}},
		{"plain_text", []string{"url"}},
		{"all", []string{"auction", "bidder", "price", "channel", "url", "date_time"}},
	} {
		b.Run(c.name, func(b *testing.B) {
			var columns []codec.Column
			for _, p := range c.paths {
				columns = append(columns, codec.Column{Path: stream.Path{p}})
			}
			var batch stream.Batch
			var reader connector.ColumnReader
			b.ReportAllocs()
			for b.Loop() {
				if n := readAll(b, path, columns, &reader, &batch); n != rows {
					b.Fatal(n)
				}
			}
			b.ReportMetric(float64(rows)*float64(b.N)/b.Elapsed().Seconds()/1e6, "Mrow/s")
		})
	}
}

// readAll reads a file and gives the number of its rows.
func readAll(b testing.TB, path string, columns []codec.Column, reader *connector.ColumnReader, batch *stream.Batch) int {
	ctx := context.Background()
	partitions, err := (&SourceOptions{Path: []string{path}}).OpenColumns(ctx, connector.Environment{}, columns)
	if err != nil {
		b.Fatal(err)
	}
	n := 0
	for _, p := range partitions {
		if *reader == nil {
			*reader = p.Reader()
		}
		for {
			c, err := p.Next(ctx)
			if err == io.EOF {
				break
			}
			if err != nil {
				b.Fatal(err)
			}
			if _, err := (*reader).Load(ctx, p, c, batch); err != nil {
				b.Fatal(err)
			}
			n += batch.N
		}
		p.Close()
	}
	return n
}
