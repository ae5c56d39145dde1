// Command gen writes deterministic auction bids as JSON lines, modelled on Nexmark's bid stream.
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
	flag.Parse()
	r := rng(*seed)
	w := bufio.NewWriterSize(os.Stdout, 1<<20)
	line := make([]byte, 0, 512)
	for i := range *n {
		line = appendBid(line[:0], &r, i)
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

// appendBid appends bid number i as one line. The order of the draws is part of the format.
func appendBid(b []byte, r *rng, i int) []byte {
	ts := int64(base) + int64(i/10) + 60_000
	if r.next()%1000 == 0 {
		ts -= 20_000 + int64(r.next()%40_001)
	} else {
		ts -= int64(r.next() % 4001)
	}
	auction := 1000 + r.next()%20_000
	if r.next()%2 == 0 { // half of the bids go to 100 hot auctions
		auction = 1000 + r.next()%100
	}
	bidder := 1000 + r.next()%10_000
	price := 100 + r.next()%10_000_000
	channel := channels[r.next()%uint64(len(channels))]
	b = append(b, `{"auction":`...)
	b = strconv.AppendUint(b, auction, 10)
	b = append(b, `,"bidder":`...)
	b = strconv.AppendUint(b, bidder, 10)
	b = append(b, `,"price":`...)
	b = strconv.AppendUint(b, price, 10)
	b = append(b, `,"channel":"`...)
	b = append(b, channel...)
	b = append(b, `","url":"https://www.nexmark.com/item/`...)
	b = strconv.AppendUint(b, r.next()%1_000_000, 16)
	b = append(b, `/page.htm?query=1","dateTime":`...)
	b = strconv.AppendInt(b, ts, 10)
	b = append(b, `,"extra":"`...)
	for k := uint64(0); k < 40+r.next()%20; k++ {
		b = append(b, byte('a'+r.next()%26))
	}
	return append(b, "\"}\n"...)
}
