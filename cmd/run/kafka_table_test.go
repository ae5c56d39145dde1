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

// apply takes a record of a topic whose records replace those before them with the same key. One without a value deletes
// what its key stands for.
func apply(t orders.Table, key, value []byte) error {
	var k orders.Key
	if err := json.Unmarshal(key, &k); err != nil {
		return fmt.Errorf("key %q: %w", key, err)
	}
	if value == nil {
		delete(t, k)
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
	t[k] = row
	return nil
}

func applyAll(t orders.Table, records []*kgo.Record) error {
	for _, r := range records {
		if err := apply(t, r.Key, r.Value); err != nil {
			return err
		}
	}
	return nil
}

// table reads the last record of each key of a topic, if need be by another consumer, too.
func (c *cluster) table(topic string) orders.Table {
	c.t.Helper()
	found := orders.Table{}
	if err := applyAll(found, c.read(topic)); err != nil {
		c.t.Fatal(err)
	}
	if line := os.Getenv("TIDEMARK_KAFKA_CONSUME"); line != "" {
		other, err := consoleTable(line, topic)
		if err != nil {
			c.t.Fatal(err)
		}
		if problem := differs(other, found); problem != "" {
			c.t.Errorf("%s has another table: %s", line, problem)
		}
	}
	return found
}

// consoleTable reads what a console consumer prints: a key, a tab and a value, which is the word null where there is none.
func consoleTable(line, topic string) (orders.Table, error) {
	command := exec.Command("bash", "-c", line)
	command.Env = append(os.Environ(), "TOPIC="+topic)
	command.Stderr = nil
	out, err := command.Output()
	if err != nil {
		return nil, err
	}
	found := orders.Table{}
	for _, text := range strings.Split(strings.TrimSuffix(string(out), "\n"), "\n") {
		key, value, _ := strings.Cut(text, "\t")
		row := []byte(value)
		if value == "null" {
			row = nil
		}
		if err := apply(found, []byte(key), row); err != nil {
			return nil, err
		}
	}
	return found, nil
}

// differs says how a table differs from the one that is wanted, or nothing.
func differs(got, want orders.Table) string {
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
		switch row, ok := got[k]; {
		case !ok:
			say("%v is not there", want[k])
		case row != want[k]:
			say("%v, wants %v", row, want[k])
		}
	}
	for _, k := range slices.SortedFunc(maps.Keys(got), byTime) {
		if _, ok := want[k]; !ok {
			say("%v is not wanted", got[k])
		}
	}
	if several > 0 {
		fmt.Fprintf(&text, "%d differences among %d rows", several, len(want))
	}
	return text.String()
}
