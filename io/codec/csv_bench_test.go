package codec

import (
	"bytes"
	"encoding/json"
	"strconv"
	"testing"

	"tidemark/stream"
)

// bidNames are the columns of bids as CSV.
var bidNames = []string{"auction", "bidder", "price", "channel", "url", "dateTime", "extra"}

// bidRecords makes the bids as CSV without a header, with quotes around each text or none.
func bidRecords(n int, quotes bool) []byte {
	var out []byte
	for line := range bytes.Lines(bids(n)) {
		var bid struct {
			Auction, Bidder, Price, DateTime int64
			Channel, URL, Extra              string
		}
		if err := json.Unmarshal(line, &bid); err != nil {
			panic(err)
		}
		text := func(s string) string {
			if quotes {
				return `"` + s + `"`
			}
			return s
		}
		for i, cell := range []string{strconv.FormatInt(bid.Auction, 10), strconv.FormatInt(bid.Bidder, 10), strconv.FormatInt(bid.Price, 10),
			text(bid.Channel), text(bid.URL), strconv.FormatInt(bid.DateTime, 10), text(bid.Extra)} {
			if i > 0 {
				out = append(out, ',')
			}
			out = append(out, cell...)
		}
		out = append(out, '\n')
	}
	return out
}

var bidFormat = CSVFormat{Names: bidNames, Delimiter: ',', Nulls: []string{""}, MaxRecord: 64 << 20}

func BenchmarkScanCSV(b *testing.B) {
	const records = 300_000
	bare, quoted := chunks(bidRecords(records, false), 512<<10), chunks(bidRecords(records, true), 512<<10)
	three := []Column{
		{Path: stream.Path{"bidder"}, Type: stream.Type{Kind: stream.Int}, Typed: true},
		{Path: stream.Path{"price"}, Type: stream.Type{Kind: stream.Int}, Typed: true},
		{Path: stream.Path{"dateTime"}, Type: stream.Type{Kind: stream.Int}, Typed: true},
	}
	for _, c := range []struct {
		name    string
		columns []Column
		pieces  [][]byte
	}{
		{"ints", three, bare},
		{"quoted", three, quoted},
		{"all", paths(bidNames...), bare},
		{"object", []Column{{Path: Object}}, bare},
	} {
		b.Run(c.name, func(b *testing.B) {
			s := NewCSVScanner(c.columns, bidFormat)
			if err := s.SetHead(nil, true); err != nil {
				b.Fatal(err)
			}
			var batch stream.Batch
			b.ReportAllocs()
			read, rows := 0, 0
			for i := 0; b.Loop(); i++ {
				piece := c.pieces[i%len(c.pieces)]
				s.Scan(piece, &batch)
				read += len(piece)
				rows += batch.N
			}
			b.SetBytes(int64(read / b.N))
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(rows), "ns/record")
		})
	}
}

// Cutting is what is left to one goroutine where several read.
func BenchmarkCutCSV(b *testing.B) {
	for name, text := range map[string][]byte{"bare": bidRecords(20_000, false), "quoted": bidRecords(20_000, true)} {
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(text)))
			for b.Loop() {
				NewCSVCutter(&bidFormat).Cut(text)
			}
		})
	}
}
