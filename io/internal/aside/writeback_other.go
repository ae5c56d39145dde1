//go:build !linux

package aside

import "os"

// beginWriteback does nothing where the system has no way to ask for it.
func beginWriteback(*os.File, int64, int64) {}
