package client

// ChangeKind says what happened to a topic.
type ChangeKind string

// The kinds of changes.
const (
	TopicAppeared  ChangeKind = "appeared"   // all its partitions are new
	PartitionAdded ChangeKind = "added"      // it has one more partition
	TopicGone      ChangeKind = "gone"       // it does not exist any more
	TopicReplaced  ChangeKind = "made anew"  // another topic has its name
	TopicReturned  ChangeKind = "came back"  // it was gone, or could not be read
	TopicHidden    ChangeKind = "not usable" // it may not be read any more, see the topic's error
)

// Change is a difference between what the cluster said at two times.
type Change struct {
	Kind  ChangeKind
	Topic string
	// Partition is the number of a partition that was added.
	Partition int32
}

// Compare gives what happened to topics between two answers of the cluster, in the order of after; topics that only
// before has follow.
func Compare(before, after []Topic) (changes []Change) {
	old := make(map[string]Topic, len(before))
	for _, t := range before {
		old[t.Name] = t
	}
	for _, t := range after {
		was, known := old[t.Name]
		delete(old, t.Name)
		changes = append(changes, compareTopic(was, t, known)...)
	}
	for _, t := range before {
		if _, left := old[t.Name]; left && t.Err == nil {
			changes = append(changes, Change{Kind: TopicGone, Topic: t.Name})
		}
	}
	return changes
}

func compareTopic(was, t Topic, known bool) (changes []Change) {
	one := func(kind ChangeKind) []Change { return []Change{{Kind: kind, Topic: t.Name}} }
	switch {
	case t.Err != nil && (!known || was.Err != nil):
		return nil
	case t.Err != nil && t.missing():
		return one(TopicGone)
	case t.Err != nil:
		return one(TopicHidden)
	case !known:
		return one(TopicAppeared)
	case replaced(was, t):
		return one(TopicReplaced)
	case was.Err != nil && len(was.Partitions) == 0:
		return one(TopicAppeared)
	case was.Err != nil:
		return one(TopicReturned)
	}
	for _, p := range t.Partitions[min(len(was.Partitions), len(t.Partitions)):] {
		changes = append(changes, Change{PartitionAdded, t.Name, p.Number})
	}
	return changes
}

// replaced reports whether a topic is another one than that which had its name. Topics never lose partitions.
func replaced(was, is Topic) bool {
	if was.ID != (TopicID{}) && is.ID != (TopicID{}) {
		return was.ID != is.ID
	}
	return len(is.Partitions) < len(was.Partitions)
}

// missing reports whether the topic does not exist.
func (t Topic) missing() bool {
	e, ok := t.Err.(*TopicError)
	return ok && (e.Code == UnknownTopicOrPartition || e.Code == UnknownTopicID)
}
