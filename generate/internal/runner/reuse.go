package runner

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"

	"github.com/hyperplane-notebooks/hyperplane/generate/internal/files"
	"github.com/hyperplane-notebooks/hyperplane/generate/internal/nbformat"
)

// Reuse keeps what became of notebooks that passed, so that none is run again while
// neither it nor what it is made with has changed.
type Reuse struct {
	Dir    string // folder of the results; "" keeps none
	Inputs string // names all that a run depends on beside the notebook
}

// result is what is kept of a run.
type result struct {
	Notebook Notebook        `json:"notebook"`
	Executed json.RawMessage `json:"executed"`
}

// kept is the file for the result of a notebook, whose outputs are stripped, under the
// options; "" where none is kept.
func (b *batch) kept(nb *nbformat.Notebook) (string, error) {
	if b.Reuse.Dir == "" {
		return "", nil
	}
	text, err := nb.Marshal()
	if err != nil {
		return "", err
	}
	seed := ""
	if b.Seed != nil {
		seed = fmt.Sprint(*b.Seed)
	}
	sum := sha256.Sum256(fmt.Appendf(nil, "%q %v %q %q %s", b.Reuse.Inputs, b.Charts, b.Exercise, seed, text))
	return filepath.Join(b.Reuse.Dir, hex.EncodeToString(sum[:16])+".json"), nil
}

// again returns the result in a file, nothing if there is none that can be read.
func again(file, path string) (Notebook, *nbformat.Notebook) {
	var r result
	text, err := os.ReadFile(file)
	if err != nil || json.Unmarshal(text, &r) != nil {
		return Notebook{}, nil
	}
	nb, err := nbformat.Parse(file, r.Executed)
	if err != nil {
		return Notebook{}, nil
	}
	r.Notebook.Path, r.Notebook.Reused = path, true
	return r.Notebook, nb
}

// keep keeps the result of a notebook that passed.
func keep(file string, n Notebook, nb *nbformat.Notebook) error {
	text, err := nb.Marshal()
	if err != nil {
		return err
	}
	data, err := json.Marshal(result{n, text})
	if err != nil {
		return err
	}
	return files.Write(file, data)
}
