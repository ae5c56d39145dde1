package orders

import (
	"encoding/json"
	"reflect"
	"testing"
	"time"
)

// TestGenerate: the records are the same each time, and of every kind.
func TestGenerate(t *testing.T) {
	o := Options{Seed: 1, Start: time.Date(2024, 5, 1, 10, 0, 0, 0, time.UTC), Minutes: 6, PerSecond: 10}
	records := Generate(o)
	if !reflect.DeepEqual(records, Generate(o)) || len(records) != 3600 {
		t.Fatal("another run gives other records")
	}
	var used, broken, keyless, disorder, silent int
	var greatest [Partitions]time.Time
	for i, r := range records {
		if _, at, _, ok := read(r.Value); ok {
			used++
			if at.Before(greatest[r.Partition]) {
				disorder++
			}
			if at.After(greatest[r.Partition]) {
				greatest[r.Partition] = at
			}
		}
		if !json.Valid(r.Value) {
			broken++
		}
		if r.Key == nil {
			keyless++
		}
		if r.Partition == Partitions-1 && i > 1200 {
			silent++
		}
	}
	if used < 2800 || used > 3300 || broken < 20 || keyless < 200 || disorder < 300 || silent != 0 {
		t.Errorf("%d used, %d broken, %d without key, %d out of order, %d in the silent partition", used, broken, keyless, disorder, silent)
	}
}

// TestCount counts by hand.
func TestCount(t *testing.T) {
	at := func(s string) time.Time { got, _ := time.Parse(time.RFC3339, s); return got }
	got := Count([]Record{
		{Value: []byte(`{"user_id":"a","ts":1714557600000,"amount":1.5}`)},
		{Value: []byte(`{"user_id":"a","ts":1714557660000,"amount":3}`)},
		{Partition: 1, Value: []byte(`{"user_id":"a","ts":1714557659999,"amount":2.5}`)},
		{Value: []byte(`{"user_id":"a","ts":1714557600,"amount":1}`)},
		{Value: []byte(`{"user_id":"a","ts":1714557600000,"amount":0}`)},
		{Value: []byte(`{"user_id":"a","ts":1714557600000,"amount":null}`)},
		{Value: []byte(`{"user_id":null,"ts":1714557600000,"amount":1}`)},
		{Value: []byte(`{"user_id":"a","ts":null,"amount":1}`)},
		{Value: []byte(`{"user_id":"a","ts":1714557600000,"amount":"1"}`)},
		{Value: []byte(`{"user_id"`)},
	})
	first, second, third := at("2024-05-01T10:00:00Z"), at("2024-05-01T10:01:00Z"), at("2024-05-01T10:02:00Z")
	want := Table{
		{"a", first}:  {"a", first, second, 2, 4, 2, 2.5},
		{"a", second}: {"a", second, third, 1, 3, 3, 3},
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("%v", got)
	}
}
