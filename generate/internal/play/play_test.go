//go:build playtest

package play

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/hyperplane-notebooks/hyperplane/generate/internal/browsertest"
	"github.com/hyperplane-notebooks/hyperplane/generate/internal/catalog"
	"github.com/hyperplane-notebooks/hyperplane/generate/internal/cell"
	"github.com/hyperplane-notebooks/hyperplane/generate/internal/exercise"
	"github.com/hyperplane-notebooks/hyperplane/generate/internal/licences"
	"github.com/hyperplane-notebooks/hyperplane/generate/internal/must"
)

const root = "../../.."

// allExercises returns the exercises, including the tasks of lessons.
func allExercises(t *testing.T) []*exercise.Exercise {
	t.Helper()
	return must.Get(catalog.Exercises(os.DirFS(root)))(t)
}

// exercisesOf returns the exercises that have a separate page.
func exercisesOf(t *testing.T) []*exercise.Exercise {
	return slices.DeleteFunc(allExercises(t), (*exercise.Exercise).OfLesson)
}

// TestBuild checks the sizes of the site's files, the manifest, and the names that the editors complete.
// Every page must have the packages that its check needs, and the site must name their licences. A
// second build must make the same files.
func TestBuild(t *testing.T) {
	dir := filepath.Join(siteFolder(t), filepath.FromSlash(Folder))
	var m Manifest
	must.Do(t, json.Unmarshal([]byte(must.Read(t, filepath.Join(dir, "play.json"))), &m))
	const mega = 1e6
	var sizes []int
	for id, pack := range m.Packs {
		if first := m.First(id); first > 14*mega {
			t.Errorf("%s: the first visit loads %.2f MB, want at most 14 MB", id, float64(first)/mega)
		}
		sizes = append(sizes, pack.Size)
	}
	slices.Sort(sizes)
	t.Logf("%s: compiler %.2f MB, linker %.2f MB, common packages %.2f MB; packages of one exercise %.3f to %.3f MB, median %.3f MB", m.Go,
		float64(m.Compile.Size)/mega,
		float64(m.Link.Size)/mega, float64(m.Base.Size)/mega, float64(sizes[0])/mega, float64(sizes[len(sizes)-1])/mega,
		float64(sizes[len(sizes)/2])/mega)
	// The largest limit is for the packages of PRML 4.7, which uses math/big.
	if n := len(sizes); n != len(catalog.Entries) || sizes[n/2] > 0.2*mega || sizes[n-2] > 0.31*mega || sizes[n-1] > 0.4*mega ||
		!m.Trimmed {
		t.Errorf("invalid manifest: %d exercises (want %d), packages of %d bytes (want at most: median 0.2 MB, the two largest 0.31 and 0.4 MB), trimmed compiler: %t (want true)",
			n, len(catalog.Entries), sizes, m.Trimmed)
	}
	t.Logf("files for cells %.2f MB, for variants %.2f MB, for the editor %.2f MB", float64(m.Cells.Size)/mega, float64(m.Variants.Size)/mega,
		float64(m.Editor.Size)/mega)
	if m.Cells.Size > 10*mega || m.Variants.Size > 1.5*mega || m.Editor.Size > 3*mega {
		t.Errorf("the files have %.2f MB for cells, %.2f MB for variants, %.2f MB for the editor; want at most 10, 1.5 and 3 MB", float64(m.Cells.Size)/mega,
			float64(m.Variants.Size)/mega, float64(m.Editor.Size)/mega)
	}
	var names map[string][]exportedName
	must.Do(t, json.Unmarshal([]byte(must.Read(t, filepath.Join(dir, "names.json"))), &names))
	for _, path := range slices.Concat(importable, forCells) {
		if called := (cell.Import{Path: path}).Called(); len(names[called]) == 0 {
			t.Errorf("the editors complete no names of the package %s", path)
		}
	}
	if m.Imports["rand"] != "math/rand/v2" || m.Imports["mat"] != "gonum.org/v1/gonum/mat" ||
		m.Go != runtime.Version() {
		t.Errorf("got the manifest %+v, want the import math/rand/v2 for rand, gonum.org/v1/gonum/mat for mat, and the version of this test's Go", m)
	}
	contents := packedPackages(t, &m)
	checkListed(t, &m, contents)
	checkComplete(t, &m, contents)
	again, _, err := Build(t.Context(),
		Options{Root: root, Cache: os.Getenv("HYPERPLANE_PLAY_CACHE"), Exercises: allExercises(t),
			Warn: func(text string) { t.Error(text) }})
	must.Do(t, err)
	for _, p := range again.Paths() {
		if !bytes.Equal(again[p], []byte(must.Read(t, filepath.Join(siteFolder(t), filepath.FromSlash(p))))) {
			t.Errorf("%s: a second build makes a different file", p)
		}
	}
}

// packedPackages returns, for every file that contains packages, the import paths of these
// packages. The keys of the map are the names of the files.
func packedPackages(t *testing.T, m *Manifest) map[string][]string {
	t.Helper()
	contents := map[string][]string{}
	for _, part := range append(slices.Collect(maps.Values(m.Packs)), m.Base, m.Cells) {
		unpack := exec.Command(map[string]string{".xz": "xz", ".gz": "gzip"}[path.Ext(part.File)], "-dc",
			filepath.Join(siteFolder(t), filepath.FromSlash(Folder), part.File))
		line, _, _ := bytes.Cut(must.Get(unpack.Output())(t), []byte("\n"))
		var head [][3]any
		must.Do(t, json.Unmarshal(line, &head))
		for _, p := range head {
			contents[part.File] = append(contents[part.File], p[0].(string))
		}
	}
	return contents
}

// checkComplete checks that the page of every exercise has the packages that its check depends on.
// It gets the dependencies from go list, independently of Build, and checks only packages of this
// module and of Gonum.
func checkComplete(t *testing.T, m *Manifest, contents map[string][]string) {
	t.Helper()
	ids := map[string]string{} // by import path
	for _, e := range allExercises(t) {
		ids[e.Import().Path] = e.ID
	}
	list := exec.Command("go", append([]string{"list", "-f", "{{.ImportPath}} {{join .Deps \" \"}}"},
		slices.Sorted(maps.Keys(ids))...)...)
	list.Dir = root
	list.Env = append(os.Environ(), "GOOS=js", "GOARCH=wasm")
	for line := range strings.Lines(string(must.Get(list.Output())(t))) {
		needed := strings.Fields(line)
		id := ids[needed[0]]
		here := slices.Concat(contents[m.Base.File], contents[m.Packs[id].File])
		for _, p := range needed {
			own := strings.HasPrefix(p, cell.HyperplaneModule+"/") || strings.HasPrefix(p, "gonum.org/")
			if own && !slices.Contains(here, p) {
				t.Errorf("the page of %s lacks the package %s", id, p)
			}
		}
	}
}

// checkListed checks that the site's list of licences names Go, and the modules of all third-party
// packages in `contents`. The modules come from go list, independently of Build.
func checkListed(t *testing.T, m *Manifest, contents map[string][]string) {
	t.Helper()
	packed := map[string]bool{}
	for _, list := range contents {
		for _, p := range list {
			packed[p] = true
		}
	}
	list := exec.Command("go",
		append([]string{"list", "-f", "{{with .Module}}{{if not .Main}}{{.Path}} {{.Version}}{{end}}{{end}}"},
			slices.Sorted(maps.Keys(packed))...)...)
	list.Dir = root
	list.Env = append(os.Environ(), "GOOS=js", "GOARCH=wasm")
	modules := strings.Split(strings.TrimSpace(string(must.Get(list.Output())(t))), "\n")
	slices.Sort(modules)
	modules = slices.Compact(modules)
	text := must.Read(t, filepath.Join(siteFolder(t), licences.File))
	for _, name := range append(modules, strings.Replace(m.Go, "go", "Go ", 1)) {
		if !strings.Contains(text, "\n"+name+"\n") {
			t.Errorf("the licences in %s do not name %s", licences.File, name)
		}
	}
	if t.Logf("the files of packages contain %d packages of %d modules", len(packed), len(modules)); len(modules) < 10 {
		t.Errorf("the files of packages contain packages of %d modules, want at least 10: %s", len(modules), modules)
	}
}

// TestRedPage checks that desk.showsReport returns false for a page whose report differs from the report
// of a run without a browser.
func TestRedPage(t *testing.T) {
	t.Parallel()
	files := Handler(siteFolder(t), nil)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if path.Base(r.URL.Path) == "runner.js" {
			text := must.Read(t, filepath.Join(siteFolder(t), filepath.FromSlash(r.URL.Path)))
			w.Header().Set("Content-Type", "text/javascript")
			fmt.Fprint(w,
				strings.Replace(text, "id, html, text })",
					`id, html: html.replace("✗&nbsp;Wrong", "✓&nbsp;Right"), text })`, 1))
			return
		}
		files.ServeHTTP(w, r)
	}))
	defer server.Close()
	e := find(t, "prml-4.25")
	wrong := judgeNatively(t, []*exercise.Exercise{e}, wrongOnes)[e.ID][1]
	d := openDesk(t, addressOf(server.URL, e), browsertest.View{})
	d.judge(wrong.text.Source, "not passed")
	if d.showsReport(wrong.reports[0].HTML()) {
		t.Error("desk.showsReport accepts a page that shows Right for a wrong part")
	}
}
