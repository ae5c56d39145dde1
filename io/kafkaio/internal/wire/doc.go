// Package wire has the primitive types of Kafka's protocol, written to and read from frames in memory. It knows both
// encodings: the first one, and the flexible one of newer request versions, where lengths are variable and structures
// end with tagged fields.
package wire
