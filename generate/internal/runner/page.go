package runner

import (
	"fmt"
	"path/filepath"

	"github.com/hyperplane-notebooks/hyperplane/generate/internal/files"
	"github.com/hyperplane-notebooks/hyperplane/generate/internal/nbformat"
	"github.com/hyperplane-notebooks/hyperplane/generate/internal/page"
)

// write puts the executed notebook, and its page if wanted, at target with the
// right extension, each whole or not at all. Unless o.Trust, what the notebook brings
// is shown without its scripts.
func (b *batch) write(nb *nbformat.Notebook, target string) ([]string, error) {
	data, err := nb.Marshal()
	if err != nil {
		return nil, fmt.Errorf("%s: %w", target, err)
	}
	written := []string{target + extension}
	if err := files.Write(written[0], data); err != nil {
		return nil, err
	}
	if !b.HTML {
		return written, nil
	}
	text := page.New(page.Options{Formulas: &b.formulas, Trust: b.Trust})
	text.Notebook(nb)
	doc, err := text.Document()
	if err == nil {
		data, err = doc.Alone(filepath.Base(target))
	}
	if err != nil {
		return written, fmt.Errorf("%s: no HTML page: %w", target, err)
	}
	if err := files.Write(target+pageEnding, data); err != nil {
		return written, err
	}
	return append(written, target+pageEnding), nil
}
