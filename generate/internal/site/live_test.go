package site

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"golang.org/x/net/html"

	"github.com/hyperplane-notebooks/hyperplane/generate/internal/cell"
	"github.com/hyperplane-notebooks/hyperplane/generate/internal/files"
	"github.com/hyperplane-notebooks/hyperplane/generate/internal/must"
	"github.com/hyperplane-notebooks/hyperplane/generate/internal/nbformat"
	"github.com/hyperplane-notebooks/hyperplane/generate/internal/page"
)

// A liveCell is a cell that the reader of a page can run.
type liveCell struct {
	ID, Source, Context string
	Before              []string
}

func liveCells(t *testing.T, text []byte) (list []liveCell) {
	t.Helper()
	for n := range must.Get(html.Parse(bytes.NewReader(text)))(t).Descendants() {
		if data := page.Attribute(n, "data-cell"); data != "" {
			var c liveCell
			must.Do(t, json.Unmarshal([]byte(data), &c))
			list = append(list, c)
		}
	}
	return list
}

// file returns the source of a package with a function Main that does the same as the cell. As in
// the page, the source contains the declarations that the cell needs, and uses neither the set-up
// cell nor the kernel.
func (c liveCell) file(t *testing.T, name string) string {
	t.Helper()
	source := "\n" + c.Context + "\n" + c.Source + "\n"
	imports := must.Get(cell.Read(c.ID, 1, strings.TrimPrefix(source, "\n"), cell.Common()))(t).Imports
	declarations, main, _ := strings.Cut(source, "\n%%\n")
	return fmt.Sprintf("package %s\n\n%s\n%s\n\nfunc Main() {\n%s}\n", name, cell.Declaration(imports), declarations, main)
}

// editorOrGuess matches three kinds of cells: cells that declare a guess, cells that show the
// learner's progress, and cells that the page replaces with the task's editor.
var editorOrGuess = regexp.MustCompile(`exercises\.(?:NoGuess|Progress)|verify\.TODO|\blesson\d\d\.`)

// TestLiveCells checks that every code cell of a lesson can be run in its page, except the cells
// that editorOrGuess matches. Every runnable cell must compile with the declarations that the page
// adds. In each lesson, one cell must print the same text as in the committed notebook.
func TestLiveCells(t *testing.T) {
	o, site := committedSite()
	all := 0
	root := must.Get(filepath.Abs("../../.."))(t)
	const virtual = "generate/internal/site/virtual"
	dir, replace := t.TempDir(), map[string]string{}
	add := func(name, text string) {
		file := filepath.Join(dir, fmt.Sprintf("%d.go", len(replace)))
		must.Write(t, file, text)
		replace[filepath.Join(root, virtual, name)] = file
	}
	var imports, calls strings.Builder
	want := map[string]string{} // maps a cell to the text that it prints in the committed notebook
	for _, p := range must.Get(fs.Glob(module(t), "notebooks/lessons/*.ipynb"))(t) {
		nb := must.Get(nbformat.Parse(p, must.Get(fs.ReadFile(module(t), p))(t)))(t)
		text := site[pageOf(strings.TrimPrefix(p, Folder+"/"))]
		cells := liveCells(t, text)
		byID := map[string]bool{}
		for _, c := range cells {
			byID[c.ID] = true
		}
		code, shown, checked := 0, "", ""
		for _, c := range nb.Cells {
			if nbformat.OwnMetadata(c.Metadata)["role"] != "code" || c.Type != nbformat.Code {
				continue
			}
			if editorOrGuess.MatchString(c.Source) {
				continue
			}
			code++
			if !byID[c.ID] {
				t.Errorf("%s: the reader cannot run cell %s", p, c.ID)
			}
			printed := ""
			for _, o := range c.Outputs {
				if _, text := o.Stream(); o.Data("image/png") == nil && printed != "picture" {
					printed += text
				} else {
					printed = "picture"
				}
			}
			// Compare the printed text only for a cell with the fence “go try”. Lessons use this
			// fence only for cells that draw no random samples.
			if triable(c) && printed != "picture" && checked == "" {
				shown, checked = printed, c.ID
			}
		}
		for _, c := range cells {
			name := fmt.Sprintf("c%d", all)
			all++
			add(name+"/cell.go", c.file(t, name))
			fmt.Fprintf(&imports, "import %s %q\n", name, cell.HyperplaneModule+"/"+virtual+"/"+name)
			fmt.Fprintf(&calls, "\tcase %q:\n\t\t%s.Main()\n", c.ID, name)
		}
		if want[checked] = shown; checked == "" {
			t.Errorf("%s: no cell with the fence “go try” prints only text, want at least one", p)
		}
		t.Logf("%s: %d of %d code cells are live", p, len(cells), code)
	}
	if n := len(o.Course.Tasks); len(want) != n || all < 160 {
		t.Errorf("got %d live cells in %d lessons, want at least 160 in %d lessons", all, len(want), n)
	}
	add("main.go", "package main\n\nimport \"os\"\n"+imports.String()+"\nfunc main() {\n\tswitch os.Args[1] {\n"+
		calls.String()+"\t}\n}\n")
	overlay, program := must.Get(files.Overlay(dir, replace))(t), filepath.Join(dir, "cells")
	build := exec.Command("go", "build", "-overlay="+overlay, "-buildvcs=false", "-o", program, "./"+virtual)
	build.Dir = root
	if text, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	for id, text := range want {
		began := time.Now()
		run := exec.Command(program, id)
		run.Env = append(os.Environ(), "HYPERPLANE_KERNEL=generic")
		printed, err := run.CombinedOutput()
		if t.Logf("%s: %v", id, time.Since(began).Round(time.Millisecond)); err != nil || string(printed) != text {
			t.Errorf("%s ended with the error %v and printed\n%s\nwant no error and the text\n%s", id, err, printed, text)
		}
	}
}
