//go:build !unix

package aside

import (
	"errors"
	"os"
)

// lock says that there are no locks, so leftovers of dead runs stay.
func lock(*os.File) (locked bool, err error) { return false, errors.ErrUnsupported }
