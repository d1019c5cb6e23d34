// Package work copies the notebooks into the learner's folder. It never overwrites notebooks that
// the learner has edited, but it can copy the learner's answers into newer versions of these
// notebooks. It also reads the file into which a page exports a learner's work.
package work

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/hyperplane-notebooks/hyperplane/generate/internal/files"
)

// StateFile is the name of a file in the learner's folder. The file records the copies that Update has
// written there.
const StateFile = ".hyperplane.json"

const schema = "hyperplane-work/1"

// A state records which copies Update has written and what they contained.
type state struct {
	Schema string               `json:"schema"`
	Files  map[string]copyState `json:"files"` // maps a path in the folder to the copy that Update wrote there
}

type copyState struct {
	// SHA256 is the SHA-256 of the unedited copy. It is "" if Update found a file that it had not written
	// and that differed from the new version.
	SHA256  string `json:"sha256"`
	Version string `json:"version"` // version of the toolkit when Update wrote or found the copy
	// Beside is the SHA-256 of the newest version that Update wrote beside an edited copy.
	Beside string `json:"beside,omitempty"`
	// Copies are the paths of the newer versions that Update wrote beside the edited copy, the newest last.
	Copies []string `json:"copies,omitempty"`
}

// An Action describes what Update did with one notebook.
type Action string

// The possible actions of Update.
const (
	Created  Action = "created"   // the file did not exist, so Update created it
	Same     Action = "unchanged" // the file already equals the new version
	Replaced Action = "updated"   // the new version has replaced an older copy that the learner had not edited
	Kept     Action = "yours"     // the learner has edited the file, and Update has no new version to write beside it
	Beside   Action = "beside"    // the learner has edited the file, so Update wrote the newer version beside it
)

// A Step is the action of Update for one notebook, with the paths of the files.
type Step struct {
	Path   string // path of the notebook in the learner's folder
	Action Action
	New    string // path of the newer version if Action is Beside
}

// String returns a message that tells the learner what Update did with the notebook.
func (s Step) String() string {
	switch s.Action {
	case Kept:
		return s.Path + ": edited by you, left unchanged"
	case Beside:
		return s.Path + ": edited by you, left unchanged; the new version is beside it: " + s.New
	}
	return s.Path + ": " + string(s.Action)
}

// Update writes the notebooks (path → content) of the given toolkit version into dir. If a file in dir
// differs from the copy that Update has written there, Update assumes that the learner has edited the
// file. Update keeps that file and writes each new version once beside it, as name.v<version>.ipynb. If
// the state file is invalid, Update renames it and reports this in the result `notes`. In that case, Update
// assumes that the learner has edited every notebook that differs from the new version.
func Update(ctx context.Context, dir, version string, notebooks files.Tree) (steps []Step, notes []string, err error) {
	st, note, err := readState(dir)
	if err != nil {
		return nil, nil, err
	}
	if note != "" {
		notes = append(notes, note)
	}
	write := files.Tree{}
	for _, path := range notebooks.Paths() {
		fresh := notebooks[path]
		old, known := st.Files[path]
		found, err := os.ReadFile(filepath.Join(dir, filepath.FromSlash(path)))
		switch {
		case errors.Is(err, fs.ErrNotExist):
			write[path] = fresh
			st.Files[path] = copyState{SHA256: hash(fresh), Version: version}
			steps = append(steps, Step{Path: path, Action: Created})
		case err != nil:
			return nil, notes, err
		case hash(found) == hash(fresh):
			if !known || old.SHA256 != hash(fresh) {
				st.Files[path] = copyState{SHA256: hash(fresh), Version: version}
			}
			steps = append(steps, Step{Path: path, Action: Same})
		case known && hash(found) == old.SHA256:
			write[path] = fresh
			st.Files[path] = copyState{SHA256: hash(fresh), Version: version}
			steps = append(steps, Step{Path: path, Action: Replaced})
		case known && (old.SHA256 == hash(fresh) || old.Beside == hash(fresh)):
			steps = append(steps, Step{Path: path, Action: Kept})
		default:
			beside, exists, err := freeName(dir, path, version, fresh)
			if err != nil {
				return nil, notes, err
			}
			if !exists {
				write[beside] = fresh
			}
			old.Beside = hash(fresh)
			if !slices.Contains(old.Copies, beside) {
				old.Copies = append(old.Copies, beside)
			}
			if !known { // Update has not written this file, so treat the file as edited
				old.SHA256, old.Version = "", version
			}
			st.Files[path] = old
			steps = append(steps, Step{Path: path, Action: Beside, New: beside})
		}
	}
	text, err := json.MarshalIndent(st, "", "  ")
	if err != nil {
		return nil, notes, err
	}
	// Write the notebooks first and the state last. If only the state were written, the next call
	// of Update would treat unedited old copies as edited. If only the notebooks are written, there is
	// no harm, because Update recognises an up-to-date notebook by its content.
	if _, err := write.Write(ctx, dir); err != nil {
		return nil, notes, err
	}
	return steps, notes, files.Write(filepath.Join(dir, StateFile), append(text, '\n'))
}

// freeName returns the name for a new version beside path: name.v<version>.ipynb. If a file with
// different content already has this name, the name ends in -2, -3, and so on. The result `exists` is
// true if a file with the returned name already contains the new version.
func freeName(dir, path, version string, fresh []byte) (name string, exists bool, err error) {
	stem := strings.TrimSuffix(path, ".ipynb")
	for n := 1; ; n++ {
		name = fmt.Sprintf("%s.v%s.ipynb", stem, version)
		if n > 1 {
			name = fmt.Sprintf("%s.v%s-%d.ipynb", stem, version, n)
		}
		found, err := os.ReadFile(filepath.Join(dir, filepath.FromSlash(name)))
		switch {
		case errors.Is(err, fs.ErrNotExist):
			return name, false, nil
		case err != nil:
			return "", false, err
		case hash(found) == hash(fresh):
			return name, true, nil
		}
	}
}

// readState reads the state file. If the file does not exist, readState returns an empty state. If
// the file is invalid, readState renames it, returns an empty state, and describes the problem in the
// result `note`.
func readState(dir string) (st state, note string, err error) {
	empty := state{Schema: schema, Files: map[string]copyState{}}
	path := filepath.Join(dir, StateFile)
	text, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return empty, "", nil
	}
	if err != nil {
		return empty, "", err
	}
	if err := json.Unmarshal(text, &st); err == nil && st.Schema == schema && st.Files != nil {
		return st, "", nil
	}
	aside := path + ".broken"
	if err := os.Rename(path, aside); err != nil {
		return empty, "", fmt.Errorf("%s is invalid and cannot be renamed: %w", path, err)
	}
	return empty, fmt.Sprintf("%s is invalid and was renamed to %s; every notebook that differs from the new version counts as edited by you", path, aside), nil
}

func hash(data []byte) string {
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:])
}
