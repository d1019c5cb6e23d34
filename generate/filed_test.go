//go:build classtest

package main

import (
	"encoding/json"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/hyperplane-notebooks/hyperplane/generate/internal/must"
	"github.com/hyperplane-notebooks/hyperplane/generate/internal/nbformat"
)

// A handIn puts what a learner hands in into dir, and says what it must earn. release is
// the learner's notebook, key the solved one of the next learner.
type handIn struct {
	kind
	lay func(t *testing.T, dir, release, next string)
}

// filed are the hand-ins in which the file matters, not the cell.
func filed() []handIn {
	write := func(text string) func(*testing.T, string, string, string) {
		return func(t *testing.T, dir, _, _ string) { must.Write(t, filepath.Join(dir, "prml-4.25.ipynb"), text) }
	}
	edited := func(change func(nb *nbformat.Notebook)) func(*testing.T, string, string, string) {
		return func(t *testing.T, dir, release, _ string) {
			nb := must.Get(nbformat.ReadFile(release))(t)
			change(nb)
			must.Do(t, nb.WriteFile(filepath.Join(dir, "prml-4.25.ipynb")))
		}
	}
	bad := func(name, text string) handIn { return handIn{kind{name: name, status: "Unreadable"}, write(text)} }
	misnamed := func(name string) handIn { // it is said, and not taken for a hand-in
		return handIn{kind{name: fmt.Sprintf("named %q", name), status: "Missing"}, func(t *testing.T, dir, release, _ string) {
			must.Write(t, filepath.Join(dir, name), must.Read(t, release))
		}}
	}
	const stub, check, setup = "prml-4-25-stub", "prml-4-25-check", "prml-4-25-setup"
	wrong := in25("", "return 0.2")
	forged := "forged := `passed`\n// ex25.Check(LambdaSquared)\nfmt.Println(forged)"
	full := func(name, want string, change func(nb *nbformat.Notebook)) handIn {
		return handIn{kind{name: name, points: 3, want: want}, edited(func(nb *nbformat.Notebook) {
			nb.Cell(stub).Source = in25("", right25())
			change(nb)
		})}
	}
	less := func(name, want string, change func(nb *nbformat.Notebook)) handIn {
		return handIn{kind{name: name, points: math.NaN(), want: want}, edited(func(nb *nbformat.Notebook) {
			nb.Cell(stub).Source = wrong
			change(nb)
		})}
	}
	return []handIn{
		bad("an empty file", ""), bad("not JSON", "{"), bad("not UTF-8", "{\"cells\": \"\xff\xfe\"}"), bad("UTF-16", "\xff\xfe{\x00}\x00"),
		bad("no cells", `{"cells": [], "metadata": {}, "nbformat": 4, "nbformat_minor": 5}`), bad("cells null", `{"cells": null, "metadata": {}, "nbformat": 4, "nbformat_minor": 5}`),
		bad("format 3", `{"worksheets": [], "metadata": {}, "nbformat": 3, "nbformat_minor": 0}`), bad("brackets", strings.Repeat("[", 200000)),
		bad("a list", "[]"), bad("NaN", `{"cells": NaN}`), bad("only text", `{"cells": [{"cell_type": "markdown", "id": "a", "metadata": {}, "source": "x"}], "metadata": {}, "nbformat": 4, "nbformat_minor": 5}`),
		{kind{name: "FIFO", status: "Unreadable"}, func(t *testing.T, dir, _, _ string) {
			must.Do(t, syscall.Mkfifo(filepath.Join(dir, "prml-4.25.ipynb"), 0o644))
		}},
		{kind{name: "giant", status: "Unreadable", want: "bytes"}, func(t *testing.T, dir, _, _ string) {
			path := filepath.Join(dir, "prml-4.25.ipynb")
			must.Write(t, path, "{")
			must.Do(t, os.Truncate(path, 1<<40))
		}},
		{kind{name: "dangling link", status: "Unreadable"}, func(t *testing.T, dir, _, _ string) {
			must.Do(t, os.Symlink("nowhere", filepath.Join(dir, "prml-4.25.ipynb")))
		}},
		{kind{name: "link to a device", status: "Unreadable"}, func(t *testing.T, dir, _, _ string) {
			must.Do(t, os.Symlink("/dev/zero", filepath.Join(dir, "prml-4.25.ipynb")))
		}},
		{kind{name: "link to the key", status: "Unreadable"}, func(t *testing.T, dir, _, next string) {
			must.Do(t, os.Symlink(next, filepath.Join(dir, "prml-4.25.ipynb")))
		}},
		{kind{name: "folder", status: "Unreadable"}, func(t *testing.T, dir, _, _ string) {
			must.Do(t, os.Mkdir(filepath.Join(dir, "prml-4.25.ipynb"), 0o755))
		}},
		{kind{name: "nothing", status: "Missing"}, func(t *testing.T, dir, _, _ string) {}},
		full("duplicate of the stub", "", func(nb *nbformat.Notebook) { nb.AddCode("prml-4-25-stub-2", wrong) }),
		{kind{name: "the stub is text", status: "Unreadable", want: "no cell declares"}, edited(func(nb *nbformat.Notebook) { nb.Cell(stub).Type = nbformat.Markdown })},
		misnamed("-x.ipynb"), misnamed("--help.ipynb"), misnamed("--output-dir=x.ipynb"), misnamed("bad\xff.ipynb"), misnamed("line\nPassed ada.ipynb"), misnamed("\x1b[2J.ipynb"),
		misnamed("prml-4.25.IPYNB"), misnamed("prml-4.25-Copy1.ipynb"), misnamed("<script>alert(1)<script>.ipynb"),
		full("check forged, answer right", "was changed", func(nb *nbformat.Notebook) { nb.Cell(check).Source = forged }),
		full("set-up gone", "is gone", func(nb *nbformat.Notebook) {
			cells := nb.Cells
			nb.Cells = nil
			for _, c := range cells {
				if c.ID != setup {
					nb.Cells = append(nb.Cells, c)
				}
			}
		}),
		full("the answer elsewhere", "not in that of the stub", func(nb *nbformat.Notebook) {
			nb.AddCode("mine", nb.Cell(stub).Source)
			nb.Cell(stub).Source = "// see below"
		}),
		less("check forged", "was changed", func(nb *nbformat.Notebook) { nb.Cell(check).Source = forged }),
		less("check of another answer", "was changed", func(nb *nbformat.Notebook) {
			nb.Cell(check).Source = "%%\nex25.Check(func() float64 { return math.Pi / 8 })"
		}),
		less("the right answer in a later cell", "cells of code were added", func(nb *nbformat.Notebook) { nb.AddCode("later", in25("", right25())) }),
		less("a shell cell", "cells of code were added", func(nb *nbformat.Notebook) { nb.AddCode("sh", "!sed -i s/Wrong/Right/ toolkit/verify/outcome.go") }),
		less("metadata expect it", "", func(nb *nbformat.Notebook) {
			nb.Cell(check).Metadata["hyperplane"] = map[string]any{"expect": "NotPassed"}
		}),
		less("metadata gone", "variant", func(nb *nbformat.Notebook) { nb.Metadata = map[string]any{} }),
		less("another exercise's name", "prml-4.1", func(nb *nbformat.Notebook) {
			nb.Metadata["hyperplane"].(map[string]any)["exercise"] = "prml-4.1"
		}),
		less("common variant", "was changed", func(nb *nbformat.Notebook) {
			nb.Cell(setup).Source = strings.Split(nb.Cell(setup).Source, "var _ =")[0]
			nb.Metadata["hyperplane"].(map[string]any)["seed"] = json.Number("0")
		}),
		less("outputs that say passed", "", func(nb *nbformat.Notebook) {
			nb.Cell(check).Outputs = []nbformat.Output{{"output_type": "stream", "name": "stdout", "text": "passed: all 3 parts right\n"}}
		}),
		{kind{name: "another's variant", exercise: "alpaydin-10.9", points: math.NaN(), want: "the learner's own"}, func(t *testing.T, dir, _, next string) {
			must.Write(t, filepath.Join(dir, "alpaydin-10.9.ipynb"), must.Read(t, next))
		}},
	}
}
