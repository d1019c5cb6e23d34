package runner

import (
	"context"
	"fmt"
	"path/filepath"

	"github.com/hyperplane-notebooks/hyperplane/generate/internal/files"
	"github.com/hyperplane-notebooks/hyperplane/generate/internal/nbformat"
)

// write puts the executed notebook, and its page if wanted, at target with the
// right extension, each whole or not at all.
func (o Options) write(ctx context.Context, nb *nbformat.Notebook, target string) ([]string, error) {
	data, err := nb.Marshal()
	if err != nil {
		return nil, fmt.Errorf("%s: %w", target, err)
	}
	written := []string{target + extension}
	if err := files.Write(written[0], data); err != nil {
		return nil, err
	}
	if !o.HTML {
		return written, nil
	}
	page, err := o.page(ctx, filepath.Base(target), nb)
	if err != nil {
		return written, fmt.Errorf("%s: no HTML page: %w", target, err)
	}
	if err := files.Write(target+pageEnding, page); err != nil {
		return written, err
	}
	return append(written, target+pageEnding), nil
}
