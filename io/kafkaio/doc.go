// Package kafkaio reads topics of Kafka clusters.
//
// # Reading
//
// Each partition of the topics is read by itself, from an offset on, without the membership of a group: brokers never
// assign partitions, and who commits offsets of a group does so only to make known how far it is and to begin there the
// next time. Partitions and, with a pattern, topics that come later are found by asking the cluster again and again, and
// begin at their earliest record.
//
// A bounded read ends at the offsets that stop stood for when the source was opened. At read_committed the end is behind
// the last transaction that has ended, so an open one can not hold the read up.
//
// # Losses
//
// Offsets that are wanted and do not exist (retention was faster, a topic was made anew) end the run, unless
// on_offset_out_of_range says where to go on. Then a warning says how many records that concerns; they are never left
// out in silence.
package kafkaio
