package client

import "context"

// Subscription is a set of topics that is looked at again and again. One goroutine at a time may use it.
type Subscription struct {
	client *Client
	names  []string
	wanted func(name string) bool
	last   []Topic
	// good is what each topic was like when it was last there, so that one that comes back is told from a new one.
	good map[string]Topic
}

// Subscribe subscribes to topics by name.
func (c *Client) Subscribe(names ...string) *Subscription {
	return &Subscription{client: c, names: names, good: make(map[string]Topic)}
}

// SubscribeMatching subscribes to the topics whose names are wanted, also those that do not exist yet. See [Pattern].
func (c *Client) SubscribeMatching(wanted func(name string) bool) *Subscription {
	return &Subscription{client: c, wanted: wanted, good: make(map[string]Topic)}
}

// Poll gives the topics as they are, and what has happened to them since the last time. The first time all topics that
// exist have appeared.
func (s *Subscription) Poll(ctx context.Context) (topics []Topic, changes []Change, err error) {
	if s.wanted != nil {
		topics, err = s.client.Match(ctx, s.wanted)
	} else {
		topics, err = s.client.Topics(ctx, s.names)
	}
	if err != nil {
		return nil, nil, err
	}
	changes = Compare(s.last, topics)
	for i, c := range changes {
		was, known := s.good[c.Topic]
		if c.Kind != TopicAppeared || !known {
			continue
		}
		if changes[i].Kind = TopicReturned; replaced(was, find(topics, c.Topic)) {
			changes[i].Kind = TopicReplaced
		}
	}
	s.last = topics
	for _, t := range topics {
		if t.Err == nil {
			s.good[t.Name] = t
		}
	}
	return topics, changes, nil
}

func find(topics []Topic, name string) Topic {
	for _, t := range topics {
		if t.Name == name {
			return t
		}
	}
	return Topic{}
}
