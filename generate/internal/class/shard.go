package class

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/hyperplane-notebooks/hyperplane/generate/internal/files"
)

// A Shard is the part Index, from 1, of Of parts of the work. The zero value is all of it.
type Shard struct{ Index, Of int }

func (s Shard) has(i int) bool { return s.Of == 0 || i%s.Of == s.Index-1 }

func (s Shard) String() string { return fmt.Sprintf("%d-of-%d", s.Index, s.Of) }

// shardsDir holds a file for each shard that was begun, named as the shard: what its
// hand-ins are, whoever merges the results cannot see. No learner has an id with a dot in
// front.
const shardsDir = stateDir + "/.shards"

const (
	shardBegun = "begun\n"
	shardDone  = "done\n"
)

// notes are the files of the shards in a folder, none if there never was one.
func notes(out string) ([]fs.DirEntry, error) {
	entries, err := os.ReadDir(filepath.Join(out, shardsDir))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	// A file that is being written has a name of its own until it is whole.
	return slices.DeleteFunc(entries, func(e fs.DirEntry) bool { return strings.HasPrefix(e.Name(), ".") }), err
}

// begin notes in the folder of the results that a shard has begun. What is there of
// another number of shards is of an earlier run, which this one replaces.
func (s Shard) begin(out string) error {
	entries, err := notes(out)
	if err != nil {
		return err
	}
	for _, e := range entries {
		if !strings.HasSuffix(e.Name(), fmt.Sprintf("-of-%d", s.Of)) {
			// Another shard of this run may have removed it just now.
			if err := os.Remove(filepath.Join(out, shardsDir, e.Name())); err != nil && !errors.Is(err, fs.ErrNotExist) {
				return err
			}
		}
	}
	return s.note(out, shardBegun)
}

func (s Shard) end(out string) error { return s.note(out, shardDone) }

func (s Shard) note(out, text string) error {
	if s.Of == 0 {
		return nil
	}
	return files.Write(filepath.Join(out, shardsDir, s.String()), []byte(text))
}

// allShards returns an error unless every shard that belongs to those in these folders has
// come to its end in one of them.
func allShards(from []string) error {
	state := map[Shard]string{}
	var numbers []int
	for _, dir := range from {
		entries, err := notes(dir)
		if err != nil {
			return err
		}
		for _, e := range entries {
			path := filepath.Join(dir, shardsDir, e.Name())
			var s Shard
			if _, err := fmt.Sscanf(e.Name(), "%d-of-%d", &s.Index, &s.Of); err != nil {
				return fmt.Errorf("%s is not the note of a shard: %w; remove it", path, err)
			}
			text, err := os.ReadFile(path)
			if err != nil {
				return err
			}
			if state[s] != shardDone {
				state[s] = string(text)
			}
			numbers = append(numbers, s.Of)
		}
	}
	slices.Sort(numbers)
	for _, n := range slices.Compact(numbers) {
		for i := range n {
			switch s := (Shard{i + 1, n}); state[s] {
			case shardDone:
			case "":
				return fmt.Errorf("shard %d of %d is not there: judge it, or name its folder too", s.Index, n)
			default:
				return fmt.Errorf("shard %d of %d has not come to its end: start it again, it goes on where it was", s.Index, n)
			}
		}
	}
	return nil
}
