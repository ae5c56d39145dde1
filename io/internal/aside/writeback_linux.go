package aside

import (
	"os"
	"syscall"
)

// syncFileRangeWrite starts writing the dirty pages of a range and does not wait for it (sync_file_range(2)).
const syncFileRangeWrite = 2

// beginWriteback sets the disk to work on a range of a file. It promises nothing: Sync does, and finds errors.
func beginWriteback(f *os.File, offset, n int64) {
	conn, err := f.SyscallConn()
	if err != nil {
		return
	}
	_ = conn.Control(func(fd uintptr) { _ = syscall.SyncFileRange(int(fd), offset, n, syncFileRangeWrite) })
}
