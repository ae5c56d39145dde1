// Package fileio reads lines from files and pipes, and writes files that are there whole or not at all.
//
// # Reading
//
// A regular file is cut into chunks of a constant size C: chunk n has the lines that start in the bytes
// [n·C, (n+1)·C). Claiming a chunk is adding one to a counter; whoever loads it reads its range and finds the
// line starts by itself, so nothing serial stands before the parsing. Each byte is read at most twice, however
// long the lines are. At most 512 files are open at once; a file that had to be closed is opened again where
// it is needed.
//
// Anything else (standard input, a named pipe, a device) is read by one goroutine, which hands on complete
// lines as soon as they are there and waits while as much as a chunk lies unread.
//
// What is compressed with gzip or zstd, by its first bytes, is unpacked by one goroutine, which runs a few chunks ahead
// and cuts the text behind lines. All members and frames are read; data that are cut short or damaged are an error
// behind the lines that were good.
//
// With partitions: one the files are a single partition, one behind the other by name.
//
// A followed file is read by whoever calls Next, which looks at it every 100 ms and gives a chunk without lines every half
// second. As long as it may be written or found again it is kept open, under whatever name: so no other file can get its
// identity, by which it is known. When it has had no name that is followed for a minute, and nothing new, it is closed.
//
// # Writing
//
// What a file sink writes is hidden until it is complete: see package aside, which has the rules for leftovers,
// overwriting and parts. With roll the lines are cut into parts, by rows and bytes that do not depend on how they
// came, or by the clock; each part is compressed by itself.
package fileio
