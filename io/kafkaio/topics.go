package kafkaio

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"tidemark/io/kafkaio/internal/client"
)

// look gives the topics when the source is opened. One that has just been made may need a while.
func (r *recordReader) look(ctx context.Context) ([]client.Topic, error) {
	end := time.Now().Add(cmp.Or(r.options.pace.reach, 10*time.Second))
	for failures := 1; ; failures++ {
		topics, _, err := r.subscription.Poll(ctx)
		if err == nil {
			err = r.wrong(ctx, topics)
		}
		if err == nil {
			return topics, nil
		}
		if !client.Retriable(err) || time.Now().After(end) {
			return nil, err
		}
		if err := client.Wait(ctx, client.Pause(failures)); err != nil {
			return nil, err
		}
	}
}

// wrong says which of the topics can't be read, and why.
func (r *recordReader) wrong(ctx context.Context, topics []client.Topic) error {
	var missing []string
	for _, t := range topics {
		var of *client.TopicError
		switch {
		case t.Err == nil:
		case errors.As(t.Err, &of) && (of.Code == client.UnknownTopicOrPartition || of.Code == client.UnknownTopicID):
			missing = append(missing, t.Name)
		default:
			return t.Err
		}
	}
	if len(missing) == 0 {
		return nil
	}
	all, err := r.client.Match(ctx, func(string) bool { return true })
	if err != nil {
		return err
	}
	var texts []string
	for _, name := range missing {
		text := fmt.Sprintf("topic %q does not exist at %s: ", name, r.client.Brokers())
		if near := nearTopics(name, all); near != "" {
			text += "did you mean " + near + "? "
		}
		texts = append(texts, text+"create it, or correct its name")
	}
	return errors.New(strings.Join(texts, "; "))
}

// nearTopics gives up to three topics whose names are like name, the nearest first.
func nearTopics(name string, all []client.Topic) string {
	type near struct {
		name     string
		distance int
	}
	var found []near
	for _, t := range all {
		d := editDistance(strings.ToLower(name), strings.ToLower(t.Name))
		if len(name) >= 3 && (strings.Contains(t.Name, name) || strings.Contains(name, t.Name) && len(t.Name) >= 3) {
			d = min(d, 2) // one is short for the other
		}
		if d <= max(1, len(name)/3) {
			found = append(found, near{t.Name, d})
		}
	}
	slices.SortStableFunc(found, func(a, b near) int { return cmp.Compare(a.distance, b.distance) })
	var names []string
	for _, n := range found[:min(3, len(found))] {
		names = append(names, n.name)
	}
	return strings.Join(names, " or ")
}

// editDistance counts the bytes to change, add or leave out to make b of a.
func editDistance(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		left := row[0] // what row[j] was for the byte before
		row[0] = i + 1
		for j := range len(b) {
			change := left
			if a[i] != b[j] {
				change++
			}
			left = row[j+1]
			row[j+1] = min(change, row[j]+1, left+1)
		}
	}
	return row[len(b)]
}
