// Package orders makes the orders that tests of the Kafka pipelines send, and knows what has to come of them.
//
// [Generate] gives what shops send, with all that goes wrong on the way: orders out of order and late, a partition that
// falls silent, lines that are no orders. [Count] counts them afterwards, all at once and without any of the engine's
// notions: it is what the last rows of all keys have to be, however the orders came and whatever broke meanwhile.
package orders
