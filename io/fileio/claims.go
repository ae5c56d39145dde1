package fileio

import (
	"bytes"
	"io/fs"
	"os"
	"slices"
	"sync"
	"time"
)

// claims says which files are read, or were, so that one that was renamed is not read again under its new name.
type claims struct {
	mu   sync.Mutex
	list []*claim
}

// claim is a file, whatever it is called. When it is not read any more it may be deleted, and another one get its
// identity, which is told by what the file begins with and that it has not become shorter.
type claim struct {
	file fs.FileInfo
	left time.Time // when it was left; zero while it is read
	read int64
	head []byte
}

const (
	// headSize is how much of a file's beginning is compared.
	headSize = 256
	// remembered is how long a file that has none of the names any more is known.
	remembered = time.Minute
)

// take makes the file at a path the caller's. It reports false where it is, or was, somebody's.
func (c *claims) take(path string, file fs.FileInfo) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.find(path, file) {
		return false
	}
	c.list = append(c.list, &claim{file: file})
	return true
}

// taken reports whether the file at a path is, or was, somebody's.
func (c *claims) taken(path string, file fs.FileInfo) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.find(path, file)
}

func (c *claims) find(path string, file fs.FileInfo) bool {
	return slices.ContainsFunc(c.list, func(claim *claim) bool {
		if !os.SameFile(claim.file, file) {
			return false
		}
		return claim.left.IsZero() || file.Size() >= claim.read && claim.begins(path)
	})
}

// begins reports whether the file at a path begins as the claim's did.
func (c *claim) begins(path string) bool {
	f, err := os.Open(path)
	if err != nil {
		return true // one that can't be read is not read again
	}
	defer f.Close()
	return bytes.Equal(headOf(f, c.read), c.head)
}

// headOf gives what a file begins with, of the bytes that were read of it.
func headOf(f *os.File, read int64) []byte {
	head := make([]byte, min(headSize, read))
	n, _ := f.ReadAt(head, 0) // less is as good
	return head[:n]
}

// leave says that a file is not read any more, and how much of it was.
func (c *claims) leave(f *os.File, file fs.FileInfo, read int64) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, claim := range c.list {
		if claim.left.IsZero() && os.SameFile(claim.file, file) {
			claim.left, claim.read, claim.head = time.Now(), read, headOf(f, read)
		}
	}
}

// forget drops the claims of files that were left long ago and have none of the names.
func (c *claims) forget(named []fs.FileInfo) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.list = slices.DeleteFunc(c.list, func(claim *claim) bool {
		old := !claim.left.IsZero() && time.Since(claim.left) > remembered
		return old && !slices.ContainsFunc(named, func(f fs.FileInfo) bool { return os.SameFile(f, claim.file) })
	})
}
