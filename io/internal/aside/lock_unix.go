//go:build unix

package aside

import (
	"os"
	"syscall"
)

// lock takes the lock of an open file, which its closing or the end of the process gives back. locked is false
// if somebody else has it; an error means that the file system has no locks.
func lock(f *os.File) (locked bool, err error) {
	conn, err := f.SyscallConn()
	if err != nil {
		return false, err
	}
	if e := conn.Control(func(fd uintptr) {
		err = syscall.Flock(int(fd), syscall.LOCK_EX|syscall.LOCK_NB)
	}); e != nil {
		return false, e
	}
	if err == syscall.EWOULDBLOCK {
		return false, nil
	}
	return err == nil, err
}
