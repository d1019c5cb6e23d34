package progress

import "os"

// held reports that no other program has f: in a browser's page each has files of its
// own.
func held(*os.File) bool { return false }
