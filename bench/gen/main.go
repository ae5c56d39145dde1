// Command gen writes deterministic auction bids as JSON lines or as CSV, modelled on Nexmark's bid stream.
// Event time advances 1 ms per 10 bids (10,000 bids/s of event time). Every timestamp is shifted back by
// a uniform 0..4000 ms disorder; 1 in 1000 bids is shifted back by 20..60 s (late for a 5 s bound).
// The same seed gives the same bytes on every machine: the known answers in check.py rest on that.
package main

import (
	"bufio"
	"flag"
	"log"
	"os"
	"strconv"
)

// rng is splitmix64.
type rng uint64

func (r *rng) next() uint64 {
	*r += 0x9e3779b97f4a7c15
	z := uint64(*r)
	z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9
	z = (z ^ (z >> 27)) * 0x94d049bb133111eb
	return z ^ (z >> 31)
}

func main() {
	n := flag.Int("n", 5_000_000, "bids")
	seed := flag.Uint64("seed", 1, "seed")
	format := flag.String("format", "json", "json or csv")
	flag.Parse()
	if *format != "json" && *format != "csv" {
		log.Fatalf("-format is json or csv, not %q", *format)
	}
	r := rng(*seed)
	w := bufio.NewWriterSize(os.Stdout, 1<<20)
	if *format == "csv" {
		w.WriteString("auction,bidder,price,channel,url,dateTime,extra\n")
	}
	line := make([]byte, 0, 512)
	for i := range *n {
		line = line[:0]
		if b := draw(&r, i); *format == "csv" {
			line = b.appendCSV(line)
		} else {
			line = b.appendJSON(line)
		}
		if _, err := w.Write(line); err != nil {
			log.Fatal(err)
		}
	}
	if err := w.Flush(); err != nil {
		log.Fatal(err)
	}
}

// base is the event time of bid 0, less one minute.
const base = 1_700_000_000_000

var channels = []string{"Google", "Facebook", "Baidu", "Apple", "TikTok", "WeChat", "Bing", "Yandex"}

// bid is one of them.
type bid struct {
	auction, bidder, price uint64
	channel                string
	item                   uint64
	dateTime               int64
	extra                  []byte
}

// draw makes bid number i. The order of the draws is part of the format.
func draw(r *rng, i int) bid {
	b := bid{dateTime: int64(base) + int64(i/10) + 60_000}
	if r.next()%1000 == 0 {
		b.dateTime -= 20_000 + int64(r.next()%40_001)
	} else {
		b.dateTime -= int64(r.next() % 4001)
	}
	b.auction = 1000 + r.next()%20_000
	if r.next()%2 == 0 { // half of the bids go to 100 hot auctions
		b.auction = 1000 + r.next()%100
	}
	b.bidder = 1000 + r.next()%10_000
	b.price = 100 + r.next()%10_000_000
	b.channel = channels[r.next()%uint64(len(channels))]
	b.item = r.next() % 1_000_000
	for k := uint64(0); k < 40+r.next()%20; k++ {
		b.extra = append(b.extra, byte('a'+r.next()%26))
	}
	return b
}

func (b bid) appendURL(dst []byte) []byte {
	dst = append(dst, "https://www.nexmark.com/item/"...)
	return append(strconv.AppendUint(dst, b.item, 16), "/page.htm?query=1"...)
}

// appendJSON appends the bid as one line.
func (b bid) appendJSON(dst []byte) []byte {
	dst = strconv.AppendUint(append(dst, `{"auction":`...), b.auction, 10)
	dst = strconv.AppendUint(append(dst, `,"bidder":`...), b.bidder, 10)
	dst = strconv.AppendUint(append(dst, `,"price":`...), b.price, 10)
	dst = append(append(dst, `,"channel":"`...), b.channel...)
	dst = b.appendURL(append(dst, `","url":"`...))
	dst = strconv.AppendInt(append(dst, `","dateTime":`...), b.dateTime, 10)
	dst = append(append(dst, `,"extra":"`...), b.extra...)
	return append(dst, "\"}\n"...)
}

// appendCSV appends the bid as one record; nothing in it needs quotes.
func (b bid) appendCSV(dst []byte) []byte {
	dst = append(strconv.AppendUint(dst, b.auction, 10), ',')
	dst = append(strconv.AppendUint(dst, b.bidder, 10), ',')
	dst = append(strconv.AppendUint(dst, b.price, 10), ',')
	dst = append(append(dst, b.channel...), ',')
	dst = append(b.appendURL(dst), ',')
	dst = append(strconv.AppendInt(dst, b.dateTime, 10), ',')
	return append(append(dst, b.extra...), '\n')
}
