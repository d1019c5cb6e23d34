package browsertest

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/hyperplane-notebooks/hyperplane/generate/internal/kerneltest"
	"github.com/hyperplane-notebooks/hyperplane/generate/internal/must"
	"github.com/hyperplane-notebooks/hyperplane/generate/internal/nbformat"
)

const execute = `
import sys, nbformat, nbclient, nbconvert
nb = nbformat.read(sys.argv[1], 4)
if sys.argv[2] == "run":
    nbclient.NotebookClient(nb, timeout=300, kernel_name="gonb", resources={"metadata": {"path": "."}}).execute()
    nbformat.write(nb, sys.argv[1])
open(sys.argv[3], "w").write(nbconvert.HTMLExporter().from_notebook_node(nb)[0])
`

// A notebook as a learner has it: the library from one cell, a chart from another,
// through the kernel. Stripped of the library it is small, and shows the picture.
func TestNotebook(t *testing.T) {
	kernel := kerneltest.Kernel(t)
	dir := t.TempDir()
	nb := nbformat.New()
	nb.AddCode("load", "%noautoget\nimport (\n\t\"github.com/hyperplane-notebooks/hyperplane/toolkit/figures\"\n\t\"github.com/hyperplane-notebooks/hyperplane/toolkit/show\"\n)\n\n%%\nshow.LoadCharts()")
	nb.AddCode("chart", "%%\nshow.DisplayChart(figures.PRML4x10Chart(figures.PRML4x10Options{}))")
	file, html := filepath.Join(dir, "a.ipynb"), filepath.Join(dir, "a.html")
	convert := func(what string) string {
		t.Helper()
		must.Do(t, nb.WriteFile(file))
		ctx, cancel := context.WithTimeout(t.Context(), 5*time.Minute)
		defer cancel()
		cmd := exec.CommandContext(ctx, kernel.Python, "-c", execute, file, what, html)
		cmd.Dir = dir
		cmd.Env = append(os.Environ(), "JUPYTER_PATH="+kernel.Data)
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
		nb = must.Get(nbformat.ReadFile(file))(t)
		text := must.Get(os.ReadFile(html))(t)
		return string(text)
	}
	p := chart(t, []byte(convert("run")))
	got := Get[struct{ Pictures, Surfaces int }](p, `({ Pictures: place.querySelectorAll("img").length,
		Surfaces: chart.getOption().series.filter(s => s.type === "surface").length })`)
	if got.Pictures != 0 || got.Surfaces != 3 {
		t.Errorf("with the library: %+v, errors %q", got, p.Errors())
	}
	before := size(t, nb)
	nb.StripTiming()
	if after := size(t, nb); before < 700_000 || after > 500_000 {
		t.Errorf("%d bytes with the library, %d without", before, after)
	}
	p = OpenHTML(t, []byte(convert("convert")))
	stripped := Get[struct{ Pictures, Libraries int }](p, `({ Pictures: document.querySelectorAll(".hyperplane-chart img").length,
		Libraries: typeof hyperplaneCharts === "undefined" ? 0 : 1 })`)
	if stripped.Pictures != 1 || stripped.Libraries != 0 {
		t.Errorf("without the library: %+v", stripped)
	}
	for _, e := range p.Errors() {
		if strings.Contains(e, "hyperplane") {
			t.Error(e)
		}
	}
}

func size(t *testing.T, nb *nbformat.Notebook) int {
	t.Helper()
	b := must.Get(nb.Marshal())(t)
	return len(b)
}
