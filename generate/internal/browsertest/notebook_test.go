package browsertest

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"github.com/hyperplane-notebooks/hyperplane/generate/internal/kerneltest"
	"github.com/hyperplane-notebooks/hyperplane/generate/internal/must"
	"github.com/hyperplane-notebooks/hyperplane/generate/internal/nbformat"
	pages "github.com/hyperplane-notebooks/hyperplane/generate/internal/page"
)

const execute = `
import sys, nbformat, nbclient
nb = nbformat.read(sys.argv[1], 4)
nbclient.NotebookClient(nb, timeout=300, kernel_name="gonb", resources={"metadata": {"path": "."}}).execute()
nbformat.write(nb, sys.argv[1])
`

// A notebook as a learner has it: the library from one cell, a chart from another,
// through the kernel. Stripped of the library it is small, and its page still moves; one
// without scripts shows the picture.
func TestNotebook(t *testing.T) {
	kernel := kerneltest.Kernel(t)
	dir := t.TempDir()
	nb := nbformat.New()
	nb.AddCode("load", "%noautoget\nimport (\n\t\"github.com/hyperplane-notebooks/hyperplane/toolkit/figures\"\n\t\"github.com/hyperplane-notebooks/hyperplane/toolkit/show\"\n)\n\n%%\nshow.LoadCharts()")
	nb.AddCode("chart", "%%\nshow.DisplayChart(figures.PRML4x10Chart(figures.PRML4x10Options{}))")
	file := filepath.Join(dir, "a.ipynb")
	must.Do(t, nb.WriteFile(file))
	ctx, cancel := context.WithTimeout(t.Context(), 5*time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, kernel.Python, "-c", execute, file)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "JUPYTER_PATH="+kernel.Data)
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	nb = must.Get(nbformat.ReadFile(file))(t)
	look := func(trust bool) struct{ Pictures, Surfaces int } {
		t.Helper()
		b := pages.New(pages.Options{Trust: trust})
		b.Notebook(nb)
		page := must.Get(must.Get(b.Document())(t).Alone("a"))(t)
		const pictures = `document.querySelectorAll(".hyperplane-chart img").length`
		if !trust {
			p := OpenHTML(t, page)
			clean(t, p)
			return struct{ Pictures, Surfaces int }{Get[int](p, pictures), 0}
		}
		p := chart(t, page)
		clean(t, p)
		return struct{ Pictures, Surfaces int }{Get[int](p, pictures), Get[int](p, `chart.getOption().series.filter(s => s.type === "surface").length`)}
	}
	if got := look(true); got.Pictures != 0 || got.Surfaces != 3 {
		t.Errorf("with the library: %+v", got)
	}
	before := size(t, nb)
	nb.StripTiming()
	if after := size(t, nb); before-after < 600_000 || after > 600_000 {
		t.Errorf("%d bytes with the library, %d without", before, after)
	}
	if got := look(true); got.Pictures != 0 || got.Surfaces != 3 {
		t.Errorf("stripped: %+v", got)
	}
	if got := look(false); got.Pictures != 1 || got.Surfaces != 0 {
		t.Errorf("without scripts: %+v", got)
	}
}

func size(t *testing.T, nb *nbformat.Notebook) int {
	t.Helper()
	b := must.Get(nb.Marshal())(t)
	return len(b)
}
