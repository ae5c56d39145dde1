package client

import (
	"context"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strings"

	"github.com/segmentio/kafka-go/protocol"

	"tidemark/io/kafkaio/internal/wire"
)

// TopicID tells a topic from another one that has its name later. The zero value is an unknown id: brokers older than
// Kafka 2.8 give none.
type TopicID [16]byte

// Topic is what the cluster knows of a topic.
type Topic struct {
	Name string
	ID   TopicID
	// Internal topics are Kafka's own.
	Internal bool
	// Err is nil, or a *TopicError: the topic does not exist, or may not be read.
	Err error
	// Partitions are in the order of their numbers.
	Partitions []Partition
}

// Partition is what the cluster knows of a partition.
type Partition struct {
	Number int32
	// Leader is the number of the broker that leads it, -1 while there is none.
	Leader, LeaderEpoch int32
}

// Topics gives the topics of these names, in their order.
func (c *Client) Topics(ctx context.Context, names []string) (topics []Topic, err error) {
	err = c.repeat(ctx, "list of partitions", func(ctx context.Context) error {
		topics, err = c.metadata(ctx, append([]string{}, names...))
		return err
	})
	if err != nil {
		return nil, err
	}
	byName := make(map[string]Topic, len(topics))
	for _, t := range topics {
		byName[t.Name] = t
	}
	topics = make([]Topic, len(names))
	for i, name := range names {
		t, ok := byName[name]
		if !ok {
			t = Topic{Name: name, Err: &TopicError{name, UnknownTopicOrPartition}}
		}
		topics[i] = t
	}
	return topics, nil
}

// Pattern gives a test of whether a regular expression matches the whole of a topic's name.
func Pattern(text string) (func(name string) bool, error) {
	_, err := regexp.Compile(text)
	if err == nil {
		var whole *regexp.Regexp
		if whole, err = regexp.Compile("^(?:" + text + ")$"); err == nil { // not where \Q has no \E
			return whole.MatchString, nil
		}
	}
	return nil, fmt.Errorf("pattern %q is not a regular expression: %w", text, err)
}

// Match gives the topics whose names are wanted, sorted by name. Internal topics are left out.
func (c *Client) Match(ctx context.Context, wanted func(name string) bool) (topics []Topic, err error) {
	var all []Topic
	err = c.repeat(ctx, "list of topics", func(ctx context.Context) error {
		all, err = c.metadata(ctx, nil)
		return err
	})
	if err != nil {
		return nil, err
	}
	for _, t := range all {
		if !t.Internal && wanted(t.Name) {
			topics = append(topics, t)
		}
	}
	slices.SortFunc(topics, func(a, b Topic) int { return strings.Compare(a.Name, b.Name) })
	return topics, nil
}

// metadata asks a broker once, and takes note of who leads. No names are no topics, nil is all of them. Where the first
// addresses do not answer, another broker that is known is asked.
func (c *Client) metadata(ctx context.Context, names []string) (topics []Topic, err error) {
	topics, err = c.metadataOf(ctx, anyBroker, names)
	if err == nil || !Retriable(err) {
		return topics, err
	}
	if other, known := c.leaders.anyone(); known {
		if topics, again := c.metadataOf(ctx, other, names); again == nil {
			return topics, nil
		}
	}
	return nil, err
}

func (c *Client) metadataOf(ctx context.Context, broker int32, names []string) (topics []Topic, err error) {
	var brokers []int32
	err = c.exchange(ctx, requestTimeout, protocol.Metadata, broker, func(conn io.ReadWriter, _ int16) error {
		version, err := askVersion(conn, c.options.ClientID, protocol.Metadata)
		if err != nil {
			return err
		}
		// ids of topics come with version 10, which kafka-go does not know
		if version = min(version, 12); version < 5 {
			return errOldBroker
		}
		q := wire.Request{Key: int16(protocol.Metadata), Version: version, ClientID: c.options.ClientID, Flexible: version >= 9}
		r, err := ask(conn, q, nil, func(w *wire.Writer) { writeMetadata(w, version, names) })
		if err != nil {
			return err
		}
		brokers, topics, err = readMetadata(&r, version)
		return err
	})
	if err == nil {
		c.leaders.note(brokers, topics)
	}
	return topics, err
}

// askVersion gives the highest version of a request that the broker knows, which may be beyond what kafka-go does.
func askVersion(conn io.ReadWriter, clientID string, key protocol.ApiKey) (int16, error) {
	q := wire.Request{Key: int16(protocol.ApiVersions), ClientID: clientID}
	r, err := ask(conn, q, nil, func(*wire.Writer) {})
	if err != nil {
		return 0, err
	}
	if code := Code(r.Int16()); code != 0 {
		return 0, code
	}
	for range r.Array() {
		k, _, highest := r.Int16(), r.Int16(), r.Int16()
		if k == int16(key) {
			return highest, nil
		}
	}
	if err := r.Err(); err != nil {
		return 0, err
	}
	return 0, fmt.Errorf("the broker does not know %s", key)
}

func writeMetadata(w *wire.Writer, version int16, names []string) {
	if names == nil {
		w.Array(-1)
	} else {
		w.Array(len(names))
	}
	for _, name := range names {
		if version >= 10 {
			w.Raw(make([]byte, len(TopicID{})))
		}
		w.String(name)
		w.End()
	}
	w.Bool(false) // make topics that do not exist
	if version >= 8 && version <= 10 {
		w.Bool(false) // operations allowed on the cluster
	}
	if version >= 8 {
		w.Bool(false) // operations allowed on the topics
	}
	w.End()
}

func readMetadata(r *wire.Reader, version int16) (brokers []int32, topics []Topic, err error) {
	r.Int32() // throttle time
	for range r.Array() {
		brokers = append(brokers, r.Int32())
		_ = r.String()
		r.Int32() // port
		_ = r.String()
		r.End()
	}
	_ = r.String() // cluster id
	r.Int32()      // controller
	for range r.Array() {
		topics = append(topics, readTopic(r, version))
		if r.Err() != nil {
			break
		}
	}
	return brokers, topics, r.Err()
}

func readTopic(r *wire.Reader, version int16) (t Topic) {
	code := Code(r.Int16())
	t.Name = r.String()
	if code != 0 {
		t.Err = &TopicError{t.Name, code}
	}
	if version >= 10 {
		r.Fixed(t.ID[:])
	}
	t.Internal = r.Bool()
	for range r.Array() {
		p := Partition{LeaderEpoch: -1}
		code := Code(r.Int16())
		p.Number, p.Leader = r.Int32(), r.Int32()
		if version >= 7 {
			p.LeaderEpoch = r.Int32()
		}
		// a replica that is away is nothing to a partition that has a leader
		if code != 0 && code != ReplicaNotAvailable {
			p.Leader = -1
		}
		for range 3 { // replicas, those in sync, those offline
			for range r.Array() {
				r.Int32()
			}
		}
		r.End()
		t.Partitions = append(t.Partitions, p)
	}
	slices.SortFunc(t.Partitions, func(a, b Partition) int { return int(a.Number - b.Number) })
	if version >= 8 {
		r.Int32() // allowed operations
	}
	r.End()
	return t
}
