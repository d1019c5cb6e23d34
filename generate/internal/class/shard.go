package class

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/hyperplane-notebooks/hyperplane/exercises/progress"
	"github.com/hyperplane-notebooks/hyperplane/generate/internal/files"
)

// A Shard is one of the parts into which the submissions are divided. Index is the number of this
// part, counted from 1, and Count is the number of parts. The zero value stands for all
// submissions.
type Shard struct{ Index, Count int }

func (s Shard) has(i int) bool { return s.Count == 0 || i%s.Count == s.Index-1 }

func (s Shard) String() string { return fmt.Sprintf("%d-of-%d", s.Index, s.Count) }

// shardsDir is the name of a folder with one file for each shard that has started. Each file is named
// after its shard. Merge needs these files to detect a missing shard. The leading dot distinguishes
// the folder from learners' folders, because ids never start with a dot.
const shardsDir = stateDir + "/.shards"

const (
	shardBegun = "begun\n"
	shardDone  = "done\n"
)

// shardFiles lists the files in the folder shardsDir below a folder of results. If shardsDir does
// not exist, it returns an empty list.
func shardFiles(out string) ([]fs.DirEntry, error) {
	entries, err := os.ReadDir(filepath.Join(out, shardsDir))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	// Skip files that a concurrent run is still writing. Such a file has a temporary name with a
	// leading dot.
	return slices.DeleteFunc(entries, func(e fs.DirEntry) bool { return strings.HasPrefix(e.Name(), ".") }), err
}

// begin records, in the folder of results, that the shard has started. It removes the records of an
// earlier run with a different number of shards. For the zero Shard, begin only removes records.
func (s Shard) begin(out string) error {
	entries, err := shardFiles(out)
	if err != nil {
		return err
	}
	for _, e := range entries {
		if !strings.HasSuffix(e.Name(), fmt.Sprintf("-of-%d", s.Count)) {
			// Ignore the error if a concurrent shard of this run has already removed the file.
			if err := os.Remove(filepath.Join(out, shardsDir, e.Name())); err != nil && !errors.Is(err, fs.ErrNotExist) {
				return err
			}
		}
	}
	return s.note(out, shardBegun)
}

func (s Shard) end(out string) error { return s.note(out, shardDone) }

func (s Shard) note(out, text string) error {
	if s.Count == 0 {
		return nil
	}
	return files.Write(filepath.Join(out, shardsDir, s.String()), []byte(text))
}

// allShards reads the records of shards in the given folders. If a record belongs to shard i of n and
// not all n shards are complete, allShards returns an error. A shard is complete if its record in at
// least one folder says that the shard is done.
func allShards(folders []string) error {
	state := map[Shard]string{}
	var numbers []int
	for _, dir := range folders {
		entries, err := shardFiles(dir)
		if err != nil {
			return err
		}
		for _, e := range entries {
			path := filepath.Join(dir, shardsDir, e.Name())
			var s Shard
			if _, err := fmt.Sscanf(e.Name(), "%d-of-%d", &s.Index, &s.Count); err != nil {
				return fmt.Errorf("%s is not a shard's record: %w; remove the file", path, err)
			}
			text, err := os.ReadFile(path)
			if err != nil {
				return err
			}
			if state[s] != shardDone {
				state[s] = string(text)
			}
			numbers = append(numbers, s.Count)
		}
	}
	slices.Sort(numbers)
	for _, n := range slices.Compact(numbers) {
		for i := range n {
			switch s := (Shard{i + 1, n}); state[s] {
			case shardDone:
			case "":
				return fmt.Errorf("shard %d of %d is missing: judge this shard, or add the folder of its results", s.Index, n)
			default:
				return fmt.Errorf("shard %d of %d is incomplete: run this shard again to resume", s.Index, n)
			}
		}
	}
	return nil
}

// Merge copies results from the given folders into the folder `out`. Each of these folders contains,
// for example, the results of one shard. If the folder `out` already contains a result for a
// submission, Merge keeps this result. If a shard is missing or incomplete, Merge returns an error,
// because the grades would otherwise list submissions of this shard as Missing.
func Merge(out string, c *Course, folders []string) error {
	if err := allShards(folders); err != nil {
		return err
	}
	for _, dir := range folders {
		if _, err := os.ReadDir(filepath.Join(dir, stateDir)); err != nil {
			return fmt.Errorf("%s contains no results: %w", dir, err)
		}
	}
	release, err := Lock(out, Shard{})
	if err != nil {
		return err
	}
	defer release()
	for _, dir := range folders {
		for _, l := range c.Learners {
			for _, e := range c.Exercises {
				theirs, err := loadAttempts(dir, l.ID, e.ID)
				if err != nil {
					return err
				}
				if len(theirs.List) == 0 {
					continue
				}
				ours, err := loadAttempts(out, l.ID, e.ID)
				if err != nil {
					return err
				}
				for i := range theirs.List {
					if r := &theirs.List[i].Result; ours.resultFor(r.Basis.Hash) == nil {
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

// Lock prevents other runs of the same shard from writing to a folder of results until the caller
// calls release or this program ends. Different shards have separate locks, because they judge
// different submissions.
func Lock(out string, s Shard) (release func(), err error) {
	if err := os.MkdirAll(out, 0o755); err != nil {
		return nil, err
	}
	name := ".lock"
	if s.Count > 0 {
		name = fmt.Sprintf(".lock-%d-of-%d", s.Index, s.Count)
	}
	release, err = progress.Lock(filepath.Join(out, name), 2*time.Second)
	if err != nil {
		return nil, fmt.Errorf("another run is writing to %s, or this folder cannot be locked (%w): "+
			"wait until the other run ends, or choose a different folder with --out", out, err)
	}
	return release, nil
}
