package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"slices"
	"strings"

	"github.com/twmb/franz-go/pkg/kgo"

	"tidemark/cmd/run/internal/orders"
)

// table is what a topic says whose records replace those before them with the same key.
type table map[orders.Key]orders.Row

// apply takes a record. One without a value deletes what its key stands for.
func (w table) apply(key, value []byte) error {
	var k orders.Key
	if err := json.Unmarshal(key, &k); err != nil {
		return fmt.Errorf("key %q: %w", key, err)
	}
	if value == nil {
		delete(w, k)
		return nil
	}
	var row orders.Row
	strict := json.NewDecoder(bytes.NewReader(value))
	strict.DisallowUnknownFields()
	if err := strict.Decode(&row); err != nil {
		return fmt.Errorf("value %q: %w", value, err)
	}
	if row.UserID != k.UserID || !row.WindowStart.Equal(k.WindowStart) {
		return fmt.Errorf("value %s has the key %s", value, key)
	}
	w[k] = row
	return nil
}

func (w table) applyAll(records []*kgo.Record) error {
	for _, r := range records {
		if err := w.apply(r.Key, r.Value); err != nil {
			return err
		}
	}
	return nil
}

// table reads the last record of each key of a topic, if need be by another consumer, too.
func (c *cluster) table(topic string) table {
	c.t.Helper()
	found := table{}
	if err := found.applyAll(c.read(topic)); err != nil {
		c.t.Fatal(err)
	}
	if line := os.Getenv("TIDEMARK_KAFKA_CONSUME"); line != "" {
		other, err := consoleTable(line, topic)
		if err != nil {
			c.t.Fatal(err)
		}
		if problem := other.differs(found); problem != "" {
			c.t.Errorf("%s has another table: %s", line, problem)
		}
	}
	return found
}

// consoleTable reads what a console consumer prints: a key, a tab and a value, which is the word null where there is none.
func consoleTable(line, topic string) (table, error) {
	command := exec.Command("bash", "-c", line)
	command.Env = append(os.Environ(), "TOPIC="+topic)
	command.Stderr = nil
	out, err := command.Output()
	if err != nil {
		return nil, err
	}
	found := table{}
	for _, text := range strings.Split(strings.TrimSuffix(string(out), "\n"), "\n") {
		key, value, _ := strings.Cut(text, "\t")
		row := []byte(value)
		if value == "null" {
			row = nil
		}
		if err := found.apply([]byte(key), row); err != nil {
			return nil, err
		}
	}
	return found, nil
}

// differs says how a table differs from the one that is wanted, or nothing.
func (w table) differs(want table) string {
	var text strings.Builder
	several := 0
	say := func(format string, args ...any) {
		if several++; several <= 5 {
			fmt.Fprintf(&text, format+"\n", args...)
		}
	}
	byTime := func(a, b orders.Key) int {
		if c := a.WindowStart.Compare(b.WindowStart); c != 0 {
			return c
		}
		return strings.Compare(a.UserID, b.UserID)
	}
	for _, k := range slices.SortedFunc(maps.Keys(want), byTime) {
		switch got, ok := w[k]; {
		case !ok:
			say("%v is not there", want[k])
		case got != want[k]:
			say("%v, wants %v", got, want[k])
		}
	}
	for _, k := range slices.SortedFunc(maps.Keys(w), byTime) {
		if _, ok := want[k]; !ok {
			say("%v is not wanted", w[k])
		}
	}
	if several > 0 {
		fmt.Fprintf(&text, "%d differences among %d rows", several, len(want))
	}
	return text.String()
}
