// Package aside writes files that are under their names whole or not at all.
//
// # One file
//
// [Open] writes to a hidden file beside its target, .NAME.tidemark-PID-RANDOM. Commit syncs it, renames it, and
// syncs the folder, in this order: the bytes are on the disk before the name is, and the name is before anybody
// is told. Abort, and a run that fails, leave what was under the name as it was.
//
// # Many files
//
// [OpenParts] writes numbered parts, beside each other (out/uv-00001.jsonl) or in Hive folders
// (out/day=2024-01-02/part-00001.parquet), into a hidden folder of the same name pattern and file system. A part
// that is finished is synced. All of them are renamed at Commit, one after the other, and their folders synced;
// with Early each is renamed as soon as it is finished, for input that never ends. A crash between two renames
// leaves some of the files, each of them whole.
//
// # Overwriting
//
// Without overwrite whatever would be replaced is an error before the run starts, and again at the commit if it
// came into being meanwhile. With overwrite a file is replaced by a rename; of a set, exactly the files that the
// same naming gives are replaced: those that the run did not write again are removed after the first renames.
// Anything else in the folders stays.
//
// # Leftovers
//
// What is hidden is locked (flock) for as long as its run lives. A later run of the same target removes what has
// a free lock, and refuses to start while another run holds one.
//
// # Pipes and devices
//
// A target that exists and is no regular file, such as a named pipe or /dev/full, is written to directly.
package aside
