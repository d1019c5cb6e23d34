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

// A Carried is an answer of the learner's and the new copy of its notebook.
type Carried struct {
	From string // path of the notebook in the folder that holds the answer
	To   string // path of the new copy beside it, in which nobody has worked
	Why  string // why the answer cannot go there, "" if it can
}

// String is the line that tells the learner.
func (c Carried) String() string {
	if c.Why != "" {
		return fmt.Sprintf("%s: your answer could not be carried into %s: %s; both are left as they are", c.From, c.To, c.Why)
	}
	return fmt.Sprintf("%s: your answer now stands in the new copy too: %s", c.From, c.To)
}

// Carry finds the answers that stand in older copies of the notebooks in dir, where
// the newest copy is as Lay put it there, and with write it puts them into those.
// An answer is the text of the cells with the stubs, whole; it can go where the new
// stubs ask for the same functions. A notebook in which the learner has worked is
// never written.
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
		for _, from := range slices.Backward(copies[:newest]) { // the learner went on in the newer ones
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

// transplant returns the fresh notebook with the answers of the one at path in its
// stubs. answers says that there is something to carry; an error says why it cannot
// be.
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
		return nil, true, errors.New(strings.TrimPrefix(err.Error(), path+": ")) // the line names it
	}
	for _, c := range nb.Cells {
		if nbformat.Own(c.Metadata)["role"] != "stub" {
			continue
		}
		stub, err := cell.ReadStub(c.Source)
		if err != nil {
			return nil, false, err
		}
		old := mine.Cell(c.ID)
		if old == nil {
			return nil, true, fmt.Errorf("the cell %s is not there any more", c.ID)
		}
		answer, err := cell.ReadStub(old.Source)
		if err != nil {
			return nil, true, fmt.Errorf("it is not Go: %w", err)
		}
		if !stub.Answers(answer) {
			continue
		}
		answers = true
		if err := stub.Fits(answer); err != nil {
			return nil, true, err
		}
		if a, b := nbformat.Own(mine.Metadata)["seed"], nbformat.Own(nb.Metadata)["seed"]; a != b {
			return nil, true, errors.New("it is of another variant")
		}
		c.Source = old.Source
	}
	if !answers {
		return nil, false, nil
	}
	data, err = nb.Marshal()
	return data, true, err
}
