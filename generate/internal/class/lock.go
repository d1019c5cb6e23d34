package class

import (
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/hyperplane-notebooks/hyperplane/exercises/progress"
)

// Lock keeps another run out of a folder of results until release is called, or this
// program ends. Different shards do not lock each other out: no hand-in is in two of them.
func Lock(out string, s Shard) (release func(), err error) {
	if err := os.MkdirAll(out, 0o755); err != nil {
		return nil, err
	}
	name := ".lock"
	if s.Of > 0 {
		name = fmt.Sprintf(".lock-%d-of-%d", s.Index, s.Of)
	}
	release, err = progress.Lock(filepath.Join(out, name), 2*time.Second)
	if err != nil {
		return nil, fmt.Errorf("another run grades into %s: wait for its end, or name another folder with --out (%w)", out, err)
	}
	return release, nil
}
