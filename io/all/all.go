// Package all makes every kind of source and sink known to the registry in io/connector. A program imports it
// for that alone.
package all

import (
	_ "tidemark/io/discardio"  // discard
	_ "tidemark/io/fileio"     // file
	_ "tidemark/io/generateio" // generate
	_ "tidemark/io/inlineio"   // inline
	_ "tidemark/io/kafkaio"    // kafka
	_ "tidemark/io/parquetio"  // parquet
	_ "tidemark/io/stdoutio"   // stdout
)
