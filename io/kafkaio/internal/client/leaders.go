package client

import (
	"context"
	"math/rand/v2"
	"sync"
)

// leader is who leads a partition.
type leader struct{ broker, epoch int32 }

// leaders remembers who leads which partition.
type leaders struct {
	sync.Mutex
	of map[string][]leader
	// brokers are all that there are.
	brokers []int32
	// asking is not nil while somebody asks the cluster; it is closed when the answer is there.
	asking map[string]chan struct{}
}

// note takes over what the cluster said.
func (l *leaders) note(brokers []int32, topics []Topic) {
	l.Lock()
	defer l.Unlock()
	if len(brokers) > 0 {
		l.brokers = brokers
	}
	for _, t := range topics {
		if t.Err != nil {
			delete(l.of, t.Name)
			continue
		}
		known := make([]leader, 0, len(t.Partitions))
		for _, p := range t.Partitions {
			for int(p.Number) > len(known) && p.Number < 1<<20 {
				known = append(known, leader{-1, -1})
			}
			known = append(known, leader{p.Leader, p.LeaderEpoch})
		}
		l.of[t.Name] = known
	}
}

// anyone gives a broker at random.
func (l *leaders) anyone() (broker int32, known bool) {
	l.Lock()
	defer l.Unlock()
	if len(l.brokers) == 0 {
		return 0, false
	}
	return l.brokers[rand.IntN(len(l.brokers))], true
}

// get gives the leader of a partition; known is false where the cluster has to be asked.
func (l *leaders) get(p TopicPartition) (broker int32, known bool) {
	l.Lock()
	defer l.Unlock()
	of, known := l.of[p.Topic]
	if !known || p.Partition < 0 || int(p.Partition) >= len(of) || of[p.Partition].broker < 0 {
		return 0, false
	}
	return of[p.Partition].broker, true
}

// forget makes the next one who wants to know the leaders of a topic ask the cluster.
func (l *leaders) forget(topic string) {
	l.Lock()
	delete(l.of, topic)
	l.Unlock()
}

// Leader gives the broker that leads a partition. It asks the cluster at most once.
func (c *Client) Leader(ctx context.Context, p TopicPartition) (int32, error) {
	if broker, known := c.leaders.get(p); known {
		return broker, nil
	}
	if err := c.askLeaders(ctx, p.Topic); err != nil {
		return 0, err
	}
	if broker, known := c.leaders.get(p); known {
		return broker, nil
	}
	return 0, &PartitionError{p, LeaderNotAvailable}
}

// KnownLeader gives the leader of a partition where nobody has to be asked.
func (c *Client) KnownLeader(p TopicPartition) (broker int32, known bool) { return c.leaders.get(p) }

// askLeaders asks the cluster about a topic, or waits for the answer that somebody else is waiting for.
func (c *Client) askLeaders(ctx context.Context, topic string) error {
	c.leaders.Lock()
	if c.leaders.asking == nil {
		c.leaders.asking = make(map[string]chan struct{})
	}
	if asking := c.leaders.asking[topic]; asking != nil {
		c.leaders.Unlock()
		select {
		case <-asking:
			return nil
		case <-ctx.Done():
			return ctx.Err()
		}
	}
	asking := make(chan struct{})
	c.leaders.asking[topic] = asking
	c.leaders.Unlock()
	defer func() {
		c.leaders.Lock()
		delete(c.leaders.asking, topic)
		c.leaders.Unlock()
		close(asking)
	}()
	topics, err := c.metadata(ctx, []string{topic})
	if err != nil {
		return err
	}
	for _, t := range topics {
		if t.Name == topic && t.Err != nil {
			return t.Err
		}
	}
	return nil
}

// Moved says that a partition's leader may be another one, as an error of a request suggests.
func (c *Client) Moved(p TopicPartition) { c.leaders.forget(p.Topic) }
