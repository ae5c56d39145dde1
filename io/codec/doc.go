// Package codec turns the bytes of records into columns and rows into bytes. It does no input or output.
//
// # Reading JSON lines
//
// A [JSONScanner] is told the paths that a pipeline reads and fills one typed [stream.Column] for each of
// them; whatever else a line holds is validated and skipped. It is exactly as strict as encoding/json, and
// gives the same values, with two differences: integers are exact (int64, never through a float64), and a
// line must hold an object.
//
// Records of one source look alike: what stands between two values (`{"id":`, `,"price":`, `}` and a line
// feed) is mostly the same from line to line. The scanner keeps a trie of these layouts. A node holds the
// bytes that must stand there, as masked 64-bit words, and what to do with the value behind them. A line
// that follows the trie costs two comparisons a field and the scanning of its values, eight bytes at a time;
// one that does not is read by a general parser, which teaches the trie its layout. No number of layouts
// makes the trie large or slow: siblings and nodes are capped, and a trie that no longer fits is forgotten.
//
// Without a schema the first value of a column that is not null decides its kind for that batch, and values
// of other kinds are boxed. A line that can't be used is still a row, listed in [JSONScanner.Bad] and left
// out of the selection, so that row numbers are places in the input.
//
// # Reading CSV and text
//
// A [CSVScanner] does the same for CSV and a [TextScanner] for plain lines. Their records have a form in JSON too, the
// column [Object], so that what is written from a record's text works for them as well. A [CSVCutter] finds the ends
// of CSV records without parsing them.
//
// All scanners also read values that are records of their own, each a [Span], whatever line ends they have.
//
// # Writing
//
// A [CSVEncoder] writes fields as CSV, and records that may stay as they are, see [Verbatim], byte for byte.
//
// A [JSONEncoder] appends rows to a buffer as a [Layout] says. A record that passes through unchanged is
// copied, not encoded again; fields that are added or replaced are written among the bytes that were read.
package codec
