package codec

import (
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"

	"tidemark/stream"
)

// bids makes lines of auction bids, the bench's record.
func bids(n int) []byte {
	r := rand.New(rand.NewPCG(1, 1))
	channels := []string{"Google", "Facebook", "Baidu", "Apple", "TikTok", "WeChat", "Bing", "Yandex"}
	var b []byte
	for i := range n {
		auction := 1000 + r.IntN(20_000)
		if r.IntN(2) == 0 {
			auction = 1000 + r.IntN(100)
		}
		b = strconv.AppendInt(append(b, `{"auction":`...), int64(auction), 10)
		b = strconv.AppendInt(append(b, `,"bidder":`...), int64(1000+r.IntN(10_000)), 10)
		b = strconv.AppendInt(append(b, `,"price":`...), int64(100+r.IntN(10_000_000)), 10)
		b = append(append(b, `,"channel":"`...), channels[r.IntN(len(channels))]...)
		b = strconv.AppendInt(append(b, `","url":"https://www.nexmark.com/item/`...), int64(r.IntN(1_000_000)), 16)
		b = append(b, `/page.htm?query=1","dateTime":`...)
		b = strconv.AppendInt(b, 1_700_000_000_000+int64(i/10)+60_000-int64(r.IntN(4001)), 10)
		b = append(b, `,"extra":"`...)
		for range 40 + r.IntN(20) {
			b = append(b, byte('a'+r.IntN(26)))
		}
		b = append(b, "\"}\n"...)
	}
	return b
}

func padded(text []byte) []byte {
	data := make([]byte, len(text), len(text)+Padding)
	copy(data, text)
	return data
}

// chunks cuts text at line ends into pieces of about size bytes, padded.
func chunks(text []byte, size int) [][]byte {
	var out [][]byte
	for len(text) > 0 {
		n := min(size, len(text))
		for n < len(text) && text[n-1] != '\n' {
			n++
		}
		out = append(out, padded(text[:n]))
		text = text[n:]
	}
	return out
}

func BenchmarkScan(b *testing.B) {
	const lines = 300_000
	pieces := chunks(bids(lines), 512<<10)
	three := paths("bidder", "price", "dateTime")
	typed := []Column{
		{Path: stream.Path{"bidder"}, Type: stream.Type{Kind: stream.Int}, Typed: true},
		{Path: stream.Path{"price"}, Type: stream.Type{Kind: stream.Float}, Typed: true},
		{Path: stream.Path{"dateTime"}, Type: stream.Type{Kind: stream.Int}, Typed: true},
	}
	for _, c := range []struct {
		name    string
		columns []Column
		general bool
	}{
		{"ints", three, false},
		{"typed", typed, false},
		{"all", paths("auction", "bidder", "price", "channel", "url", "dateTime", "extra"), false},
		{"raw", append(paths("-"), three...), false},
		{"whole", paths("*"), false},
		{"general", three, true},
	} {
		b.Run(c.name, func(b *testing.B) {
			s := NewJSONScanner(c.columns, 64<<20)
			var batch stream.Batch
			b.ReportAllocs()
			bytes := 0
			rows := 0
			for i := 0; b.Loop(); i++ {
				piece := pieces[i%len(pieces)]
				if c.general {
					s.trie = trie{nodes: mostNodes, lines: 1 << 30}
				}
				s.Scan(piece, &batch)
				bytes += len(piece)
				rows += batch.N
			}
			b.SetBytes(int64(bytes / b.N))
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(rows), "ns/line")
		})
	}
}

// Lines of other styles: spaces, nested objects, mixed layouts, text that is not ASCII.
func BenchmarkScanStyles(b *testing.B) {
	for _, c := range []struct {
		name, line string
		columns    []Column
	}{
		{"spaced", `{"id": 123456, "name": "somebody", "amount": 12.75, "at": "2024-05-01T10:00:00Z"}`, paths("id", "amount", "at")},
		{"nested", `{"user":{"id":123456,"name":"somebody","address":{"city":"Oslo"}},"amount":12.75,"tags":["a","b"]}`, paths("user.id", "user.address.city", "amount")},
		{"wide", `{"name":"Владимир Владимирович","city":"Санкт-Петербург","note":"hello"}`, paths("name", "note")},
		{"escaped", `{"name":"a \"quoted\" name","city":"x\ny","note":"hello"}`, paths("name", "note")},
		{"exponent", `{"a":1.2345678901234567,"b":1e-7,"c":0.1}`, paths("a", "b", "c")},
	} {
		b.Run(c.name, func(b *testing.B) {
			data := padded([]byte(strings.Repeat(c.line+"\n", 2000)))
			s := NewJSONScanner(c.columns, 0)
			var batch stream.Batch
			b.SetBytes(int64(len(data)))
			b.ReportAllocs()
			for b.Loop() {
				s.Scan(data, &batch)
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*2000), "ns/line")
		})
	}
}

func BenchmarkEncode(b *testing.B) {
	s := NewJSONScanner(paths("-", "auction", "bidder", "price", "channel", "url", "dateTime"), 0)
	var batch stream.Batch
	s.Scan(padded(bids(2000)), &batch)
	fields := []LayoutField{{Name: "bidder", Column: 2}, {Name: "price", Column: 3}, {Name: "channel", Column: 4}}
	for _, c := range []struct {
		name   string
		layout Layout
	}{
		{"fields", Layout{Base: -1, Fields: fields}},
		{"raw", Layout{Base: 0}},
		{"replace", Layout{Base: 0, Fields: fields, Drop: []string{"extra"}}},
	} {
		b.Run(c.name, func(b *testing.B) {
			e := NewJSONEncoder(c.layout, RFC3339)
			var out []byte
			b.ReportAllocs()
			for b.Loop() {
				out = out[:0]
				for row := range batch.N {
					out = e.Append(out, &batch, row)
				}
			}
			b.SetBytes(int64(len(out)))
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*batch.N), "ns/line")
		})
	}
}
