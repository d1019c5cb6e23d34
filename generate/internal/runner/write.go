package runner

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"github.com/hyperplane-notebooks/hyperplane/generate/internal/files"
	"github.com/hyperplane-notebooks/hyperplane/generate/internal/nbformat"
)

// Debian's nbconvert links MathJax and RequireJS on the machine that made the
// page; these are where nbconvert itself looks for them elsewhere.
const (
	mathJax   = "https://cdnjs.cloudflare.com/ajax/libs/mathjax/2.7.7/latest.js?config=TeX-AMS_CHTML-full,Safe"
	requireJS = "https://cdnjs.cloudflare.com/ajax/libs/require.js/2.1.10/require.min.js"
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
	page, err := o.page(ctx, filepath.Base(target), data)
	if err != nil {
		return written, fmt.Errorf("%s: no HTML page: %w", target, err)
	}
	written = append(written, target+".html")
	return written, files.Write(written[1], page)
}

// page makes a notebook an HTML page; name becomes its title.
func (o Options) page(ctx context.Context, name string, notebook []byte) ([]byte, error) {
	folder, err := os.MkdirTemp("", "hyperplane-html-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(folder)
	if err := os.WriteFile(filepath.Join(folder, name+extension), notebook, 0o600); err != nil {
		return nil, err
	}
	cmd := exec.CommandContext(ctx, o.Kernel.Python, "-m", "nbconvert", "--log-level=ERROR", "--to=html", "--stdout",
		"--HTMLExporter.mathjax_url="+mathJax, "--HTMLExporter.require_js_url="+requireJS, name+extension)
	cmd.Dir = folder
	cmd.Env = append(os.Environ(), "JUPYTER_CONFIG_DIR="+folder, "JUPYTER_RUNTIME_DIR="+folder, "PYTHONDONTWRITEBYTECODE=1")
	var page, complaint bytes.Buffer
	cmd.Stdout, cmd.Stderr = &page, &complaint
	if err := cmd.Run(); err != nil {
		return nil, fmt.Errorf("nbconvert: %w: %s", err, strings.TrimSpace(complaint.String()))
	}
	return page.Bytes(), nil
}
