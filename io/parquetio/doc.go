// Package parquetio reads Parquet files straight into batches of columns.
//
// # Partitions, chunks, pages
//
// A file is a partition; a chunk is a row group, or a piece of a large one. Of a chunk only those leaf columns are
// read that the asked paths need: the path a.b of a struct is that leaf alone. A leaf is pages of values, of which
// a table is made once for each row group from their headers; a piece reads the pages that its rows lie in. A page
// is decoded into a column of the values that are there, and these are placed among the rows by the page's
// definition levels. A page of dictionary indexes has the dictionary for its values, so text is not copied and
// whatever is costly about a value (a decimal's digits, say) is done once for each different one.
//
// Lists, maps and whole structs are put together from the repetition and definition levels of their leaves, as
// Dremel does, into []any and map[string]any.
//
// # Values
//
// Integers of all widths are ints, and an unsigned one that 64 bits with a sign do not hold is its digits as text.
// Floats of 16, 32 and 64 bits are floats. Timestamps of every unit, INT96 and dates (at midnight) are instants; one
// without a zone is read as UTC. An instant with a fraction of a millisecond keeps it: it is boxed, unless the
// column says that milliseconds are enough. An instant outside the years 1 to 9999 makes a bad row. Decimals,
// times of day, intervals and UUIDs are text, and so are JSON and enums, as they stand in the file. Bytes that are
// no text are base64.
//
// # Files of one source
//
// Columns are matched by name. A column that a file lacks is missing there. Integers become floats where another
// file has floats; a column that has no common type is an error that names both files.
//
// # Damaged files
//
// Sizes and counts in a file are never believed: each is held against the bytes that are there before memory is
// taken for it, and every error names the file. The footer, the page headers and the pages are decoded here for
// that reason, as github.com/parquet-go/parquet-go writes warnings to standard error and takes what a header says.
//
// # Writing
//
// A sink gathers rows in slabs of typed columns, and a goroutine encodes, compresses and writes them, in their order,
// while more are gathered. Ints are INT64, floats DOUBLE, NaN and infinities too, bools BOOLEAN, strings UTF-8, and
// instants TIMESTAMP in milliseconds and UTC, an instant with a finer fraction rounded down. Lists, objects and
// values of no known type are JSON text. Columns are optional, but for those that the sink's schema says are never
// null. An integer in a column of floats becomes a float; any other value of another kind is an error that names the
// column. A column has a dictionary where at most half of the file's first 8,192 values are different. A file says
// in its metadata, under tidemark.pipeline, for which pipeline it was written.
//
// A row group ends with row_group rows or at 64 MiB, and a part of roll.size at the end of the row group that
// reaches it. Partitions are folders as Hive has them, and their columns are not in the files; null and the empty
// text are __HIVE_DEFAULT_PARTITION__. At most 256 files of partitions are open; for another one the one that has
// got nothing for longest is ended, and its folder's next rows begin a new part. Without rows there is a file without
// rows, and with partition_by an empty folder. Package aside has the rules for names, overwriting and leftovers.
package parquetio
