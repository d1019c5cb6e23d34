package class

import (
	"fmt"
	"os"
	"path/filepath"
)

// Merge takes the results of other folders, of shards for example, into this one. Of two
// results of the same hand-in that of this folder stays. It is an error if a shard is
// missing: its hand-ins would count as not handed in.
func Merge(out string, c *Course, from []string) error {
	if err := allShards(from); err != nil {
		return err
	}
	for _, dir := range from {
		if _, err := os.ReadDir(filepath.Join(dir, stateDir)); err != nil {
			return fmt.Errorf("%s holds no results: %w", dir, err)
		}
	}
	release, err := Lock(out, Shard{})
	if err != nil {
		return err
	}
	defer release()
	for _, dir := range from {
		for _, l := range c.Learners {
			for _, e := range c.Exercises {
				theirs, err := load(dir, l.ID, e.ID)
				if err != nil {
					return err
				}
				if len(theirs.List) == 0 {
					continue
				}
				ours, err := load(out, l.ID, e.ID)
				if err != nil {
					return err
				}
				for i := range theirs.List {
					if r := &theirs.List[i].Result; ours.of(r.Basis.Hash) == nil {
						if err := keep(out, r); err != nil {
							return err
						}
					}
				}
			}
		}
	}
	return nil
}
