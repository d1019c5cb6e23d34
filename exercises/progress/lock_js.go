package progress

import "os"

// held reports that no other program has f: in a browser each page has its own files.
func held(*os.File) bool { return false }
