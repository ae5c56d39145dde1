package main

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"os"
	"path/filepath"
	"testing"
)

// toCSV writes bids as CSV, with line feeds and quotes in every second text. Lines that are broken become records whose quotes are.
func toCSV(t *testing.T, bids string) string {
	t.Helper()
	text, err := os.ReadFile(bids)
	if err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	w := csv.NewWriter(&out)
	w.Write([]string{"auction", "bidder", "price", "channel", "url", "dateTime", "extra"})
	n := 0
	for line := range bytes.Lines(text) {
		var bid struct {
			Auction, Bidder, Price, DateTime json.Number
			Channel, URL, Extra              string
		}
		if json.Unmarshal(line, &bid) != nil {
			w.Flush()
			out.WriteString("1,\"broken\" record\n")
			continue
		}
		if n++; n%2 == 0 {
			bid.Extra = "\"" + bid.Extra + "\"\n1,2,3\n"
		}
		w.Write([]string{bid.Auction.String(), bid.Bidder.String(), bid.Price.String(), bid.Channel, bid.URL, bid.DateTime.String(), bid.Extra})
	}
	w.Flush()
	path := filepath.Join(t.TempDir(), "bids.csv")
	if err := os.WriteFile(path, out.Bytes(), 0o644); err != nil {
		t.Fatal(err)
	}
	return path
}
