package orders

import (
	"encoding/json"
	"time"
)

// Row is what has to be known of a buyer's minute.
type Row struct {
	UserID      string    `json:"user_id"`
	WindowStart time.Time `json:"window_start"`
	WindowEnd   time.Time `json:"window_end"`
	Orders      int64     `json:"orders"`
	Revenue     float64   `json:"revenue"`
	Average     float64   `json:"average"`
	Largest     float64   `json:"largest"`
}

// Key is what tells rows apart.
type Key struct {
	UserID      string    `json:"user_id"`
	WindowStart time.Time `json:"window_start"`
}

// Table is the rows of a result by what tells them apart.
type Table map[Key]Row

// Count counts the orders of records, wherever they came in.
func Count(records []Record) Table {
	t := Table{}
	for _, r := range records {
		if buyer, at, amount, ok := read(r.Value); ok {
			t.Add(buyer, at, amount)
		}
	}
	return t
}

// Add counts an order.
func (t Table) Add(buyer string, at time.Time, amount float64) {
	k := Key{buyer, at.UTC().Truncate(time.Minute)}
	row := t[k]
	row.UserID, row.WindowStart, row.WindowEnd = buyer, k.WindowStart, k.WindowStart.Add(time.Minute)
	row.Orders++
	row.Revenue += amount
	row.Average = row.Revenue / float64(row.Orders)
	row.Largest = max(row.Largest, amount)
	t[k] = row
}

// read gives what counts of a record; not ok where it is no order, or one that does not count.
func read(value []byte) (buyer string, at time.Time, amount float64, ok bool) {
	var o struct {
		UserID *string  `json:"user_id"`
		TS     *int64   `json:"ts"`
		Amount *float64 `json:"amount"`
	}
	if json.Unmarshal(value, &o) != nil || o.UserID == nil || o.TS == nil || o.Amount == nil || *o.Amount <= 0 {
		return "", time.Time{}, 0, false
	}
	at = time.UnixMilli(*o.TS).UTC()
	return *o.UserID, at, *o.Amount, at.Year() >= 2001 && at.Year() < 2286
}
