package work

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/hyperplane-notebooks/hyperplane/generate/internal/cell"
	"github.com/hyperplane-notebooks/hyperplane/generate/internal/files"
	"github.com/hyperplane-notebooks/hyperplane/generate/internal/nbformat"
)

// A Carried describes the copying of one answer of the learner into the newest copy of the answer's
// notebook.
type Carried struct {
	From     string // path of the notebook or File that contains the answer, relative to the learner's folder
	Exercise string // id of the answered exercise if From is a File
	To       string // path of the newest copy of the answer's notebook; a description if there is no such notebook
	Why      string // reason why the answer cannot be copied; "" if it can be copied
}

// String returns a message that tells the learner what happened to the answer.
func (c Carried) String() string {
	if c.Exercise != "" {
		c.From += ", " + c.Exercise
	}
	if c.Why != "" {
		return fmt.Sprintf("%s: your answer could not be copied into %s: %s; nothing was overwritten", c.From, c.To,
			c.Why)
	}
	return fmt.Sprintf("%s: your answer is now also in %s", c.From, c.To)
}

// Carry looks for the learner's answers in older copies of the notebooks in dir. It skips a notebook
// without a newer copy. It also skips a notebook if its newest copy differs from the current version in
// `notebooks`, for example because the learner has edited this copy. If `write` is true, Carry copies
// the answers into the newest copies. An answer is the whole text of the cells with the stubs. Carry
// copies an answer only if it fits the new stubs and belongs to the same variant. The result contains a
// Carried for each notebook that is not skipped and has an answer, or a file that cannot be read, among
// its older copies.
func Carry(dir string, notebooks files.Tree, write bool) ([]Carried, error) {
	st, _, err := readState(dir)
	if err != nil {
		return nil, err
	}
	var list []Carried
	for _, path := range notebooks.Paths() {
		copies := slices.Concat([]string{path}, st.Files[path].Copies)
		newest := len(copies) - 1
		found, err := os.ReadFile(filepath.Join(dir, filepath.FromSlash(copies[newest])))
		if newest == 0 || errors.Is(err, fs.ErrNotExist) || err == nil && hash(found) != hash(notebooks[path]) {
			continue
		}
		if err != nil {
			return list, err
		}
		// Begin with the newest of the older copies, because the learner worked in that copy last.
		for _, from := range slices.Backward(copies[:newest]) {
			data, answers, err := transplant(filepath.Join(dir, filepath.FromSlash(from)), notebooks[path])
			if !answers {
				continue
			}
			c := Carried{From: from, To: copies[newest]}
			if err != nil {
				c.Why = err.Error()
			} else if write {
				if err := files.Write(filepath.Join(dir, filepath.FromSlash(c.To)), data); err != nil {
					return list, err
				}
			}
			list = append(list, c)
			break
		}
	}
	return list, nil
}

// transplant returns the notebook `fresh`, with its stubs replaced by the answers in the notebook at
// path. The result `answers` is false if `fresh` or a stub in it is invalid, or if the notebook at path
// does not exist, or has the cells of all stubs but no answer in them. Otherwise it is true, even if the
// notebook at path cannot be read, lacks the cell of a stub, or contains invalid Go in this cell. If the
// answers cannot be copied, the error states the reason.
func transplant(path string, fresh []byte) (data []byte, answers bool, err error) {
	nb, err := nbformat.Parse("the new copy", fresh)
	if err != nil {
		return nil, false, err
	}
	mine, err := nbformat.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, false, nil
	}
	if err != nil {
		// Remove the path from the error, because Carried.String adds the path.
		return nil, true, errors.New(strings.TrimPrefix(err.Error(), path+": "))
	}
	for _, c := range nb.Cells {
		if nbformat.OwnMetadata(c.Metadata)["role"] != "stub" {
			continue
		}
		stub, err := cell.ReadStub(c.Source)
		if err != nil {
			return nil, false, err
		}
		old := mine.Cell(c.ID)
		if old == nil {
			return nil, true, fmt.Errorf("your copy no longer contains the cell %s", c.ID)
		}
		answer, err := cell.ReadStub(old.Source)
		if err != nil {
			return nil, true, fmt.Errorf("your answer is not valid Go: %w", err)
		}
		if !stub.Answers(answer) && !stub.Renamed(answer) {
			continue
		}
		answers = true
		if err := stub.Fits(answer); err != nil {
			return nil, true, err
		}
		if a, b := nbformat.OwnMetadata(mine.Metadata)["seed"], nbformat.OwnMetadata(nb.Metadata)["seed"]; a != b {
			return nil, true, errors.New("your copy is for a different variant")
		}
		c.Source = old.Source
	}
	if !answers {
		return nil, false, nil
	}
	data, err = nb.Marshal()
	return data, true, err
}
