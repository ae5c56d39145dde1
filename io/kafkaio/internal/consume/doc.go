// Package consume reads a partition of a topic, one fetch ahead of whoever uses the records.
//
// A partition is read from an offset on, without a group: nobody assigns partitions, and nothing is committed. Leaders
// that move and brokers that restart are survived; what is behind that is said by [client.Options.Notify]. What is not
// survived is an error of [Partition.Next]:
//
//   - [*OutOfRangeError]: the offset is not there; the error has the number of records concerned, and the caller decides
//     where to go on.
//   - [*GoneError]: the topic has been gone for longer than Options.Gone.
//   - [*ReplacedError]: another topic has the name now.
//   - errors of the record format, and, after Options.Patience, whatever keeps fetches from working.
package consume
