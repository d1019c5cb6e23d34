// Package licences collects the licences and notices that must accompany third-party work: Go
// modules, scripts and fonts.
package licences

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/hyperplane-notebooks/hyperplane/generate/internal/cell"
	"github.com/hyperplane-notebooks/hyperplane/generate/internal/files"
)

// File and Notice are the names of the files that [Tree] returns.
const (
	File   = "LICENSES.txt"
	Notice = "NOTICE"
)

// A Work is a third-party work, such as a module, a script or a font.
type Work struct {
	Title   string   // path and version of a module, or a name such as "ECharts 5.6.0"
	Files   []string // paths of the files that contain the work, as patterns of [path.Match]
	Terms   []string // texts of the work's licences and patent grants
	Notices []string // texts that must be reproduced in addition to the licences
}

// bundled contains the site's scripts and fonts that are stored in this module, with the files that
// contain their licences.
var bundled = []struct {
	title   string
	files   []string
	folder  string
	terms   []string
	notices []string
}{
	{"Apache ECharts 5.6.0 (with ZRender 5.6.1, parts of d3.js, and tslib 2.3.0)", []string{"assets/charts.js"},
		echarts,
		[]string{"LICENSE-echarts", "LICENSE-zrender", "LICENSE-d3", "LICENSE-tslib"}, []string{"NOTICE-echarts"}},
	{"ECharts GL 2.1.0 (with ClayGL and ZRender)", []string{"assets/charts.js"}, echarts,
		[]string{"LICENSE-echarts-gl", "LICENSE-claygl", "LICENSE-zrender"}, []string{"NOTICE-echarts-gl"}},
	{"Temml 0.13.5 (style sheet, and a font made from KaTeX_Script)", []string{"assets/Temml.woff2", "assets/site.css"},
		"generate/internal/formula",
		[]string{"LICENSE-temml"}, nil},
	{"CodeMirror 6 and Lezer", []string{"assets/play/codemirror-6.min.js"}, "generate/internal/play/web",
		[]string{"LICENSE-codemirror.txt"}, nil},
	{"xz-decompress 0.2.3", []string{"assets/play/xz-decompress-0.2.3.min.js"}, "generate/internal/play/web",
		[]string{"LICENSE-xz-decompress.txt"}, nil},
}

const echarts = "toolkit/show/internal/echarts"

// fonts maps the import path of a package that contains a font to the files of the site that
// contain the same font.
var fonts = map[string][]string{
	"codeberg.org/go-fonts/stix/stix2mathregular":             {"assets/STIXTwoMath-Regular.otf"},
	"codeberg.org/go-fonts/liberation/liberationserifregular": {"figures/*.pdf"},
}

// Site returns the scripts and fonts of a site's pages. If `play` is true, it also returns the
// scripts of the site's editors. `root` is the folder of the module.
func Site(ctx context.Context, root string, play bool) ([]Work, error) {
	works, err := scripts(os.DirFS(root), play)
	if err != nil {
		return nil, err
	}
	paths := slices.Sorted(maps.Keys(fonts))
	list, err := List(ctx, root, paths...)
	if err != nil {
		return nil, err
	}
	for _, p := range list {
		holding, ok := fonts[p.ImportPath]
		if !ok {
			continue // the site contains only the font, not the other packages that the font's package imports
		}
		found, err := Modules(root, []Package{p})
		if err != nil {
			return nil, err
		}
		found[0].Files = holding
		works = append(works, found...)
	}
	return works, nil
}

func scripts(module fs.FS, play bool) ([]Work, error) {
	var works []Work
	for _, s := range bundled {
		if !play && strings.HasPrefix(s.files[0], "assets/play/") {
			continue
		}
		w := Work{Title: s.title, Files: s.files}
		for _, part := range []struct {
			from []string
			to   *[]string
		}{{s.terms, &w.Terms}, {s.notices, &w.Notices}} {
			for _, name := range part.from {
				text, err := fs.ReadFile(module, path.Join(s.folder, name))
				if err != nil {
					return nil, fmt.Errorf("licence of %s: %w", s.title, err)
				}
				*part.to = append(*part.to, string(text))
			}
		}
		works = append(works, w)
	}
	return works, nil
}

// Go returns a Work with the licence and the patent grant of the Go release in the folder goroot. The
// list `holding` contains the paths of the files that contain parts of Go.
func Go(goroot, version string, holding ...string) (Work, error) {
	w := Work{Title: "Go " + strings.TrimPrefix(version, "go"), Files: holding}
	for _, name := range []string{"LICENSE", "PATENTS"} {
		text, err := os.ReadFile(filepath.Join(goroot, name))
		switch {
		case err == nil:
			w.Terms = append(w.Terms, string(text))
		case errors.Is(err, fs.ErrNotExist):
			// A Go distribution can store the file outside goroot. Give the address of the text instead.
			w.Terms = append(w.Terms, "BSD-3-Clause, https://go.dev/"+name)
		default:
			return Work{}, err
		}
	}
	return w, nil
}

// A Package contains the fields of the output of `go list -json` that package licences needs.
type Package struct {
	ImportPath, Dir string
	Module          *Module
}

// A Module is the module of a package. If a replace directive applies, Dir is the folder of the
// replacement.
type Module struct{ Path, Version, Dir string }

// Fields lists the fields of a [Package] for go list's -json flag.
const Fields = "ImportPath,Dir,Module"

// List returns the given packages and all packages that they import, directly or indirectly.
func List(ctx context.Context, root string, packages ...string) ([]Package, error) {
	cmd := exec.CommandContext(ctx, "go", append([]string{"list", "-deps", "-json=" + Fields}, packages...)...)
	cmd.Dir = root
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("go list: %w\n%s", err, strings.TrimSpace(stderr.String()))
	}
	var list []Package
	for d := json.NewDecoder(bytes.NewReader(out)); ; {
		var p Package
		switch err := d.Decode(&p); {
		case errors.Is(err, io.EOF):
			return list, nil
		case err != nil:
			return nil, fmt.Errorf("go list: %w", err)
		}
		list = append(list, p)
	}
}

// Modules returns the modules of the packages, except hyperplane and the course. It reads licences
// in the folder of each package and in the folders above it, up to the folder of the module.
// Modules returns an error if a module has no licence. If the folder of such a module is below
// root, Modules omits the module instead.
func Modules(root string, packages []Package) ([]Work, error) {
	byTitle := map[string]*Work{}
	for _, p := range packages {
		m := p.Module
		if m == nil || m.Path == cell.HyperplaneModule || m.Path == cell.CourseModule {
			continue
		}
		title := strings.TrimSpace(m.Path + " " + m.Version)
		w := byTitle[title]
		if w == nil {
			w = &Work{Title: title}
			byTitle[title] = w
		}
		for dir := p.Dir; ; dir = filepath.Dir(dir) {
			if err := w.addTerms(dir); err != nil {
				return nil, err
			}
			if rel, err := filepath.Rel(m.Dir, dir); err != nil || rel == "." || strings.HasPrefix(rel, "..") {
				break
			}
		}
		if rel, err := filepath.Rel(root, m.Dir); err == nil && filepath.IsLocal(rel) && len(w.Terms) == 0 {
			// Skip this module. It is a part of hyperplane that replaces a third-party module, and
			// it has hyperplane's licence.
			delete(byTitle, title)
		}
	}
	var works []Work
	for _, title := range slices.Sorted(maps.Keys(byTitle)) {
		w := byTitle[title]
		if len(w.Terms) == 0 {
			return nil, fmt.Errorf("module %s has no licence file: want a file whose name contains license or licence, or begins with copying", title)
		}
		works = append(works, *w)
	}
	return works, nil
}

// licenceName matches the names of files with licences, patent grants or notices.
var licenceName = regexp.MustCompile(`(?i)licen[cs]e|^copying|^patents|^notice`)

// addTerms adds to w the licences and notices in a folder and in its subfolder `licenses`.
func (w *Work) addTerms(dir string) error {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return err
	}
	for _, e := range entries {
		switch name := e.Name(); {
		case e.IsDir() && strings.EqualFold(name, "licenses"):
			more, err := filepath.Glob(filepath.Join(dir, name, "*"))
			if err != nil {
				return err
			}
			for _, file := range more {
				if err := w.add(file, &w.Terms); err != nil {
					return err
				}
			}
		case e.IsDir() || !licenceName.MatchString(name) || strings.HasSuffix(name, ".go"):
		case strings.HasPrefix(strings.ToUpper(name), "NOTICE"):
			err = errors.Join(err, w.add(filepath.Join(dir, name), &w.Notices))
		default:
			err = errors.Join(err, w.add(filepath.Join(dir, name), &w.Terms))
		}
	}
	return err
}

// add appends the text of a file to a list unless the list already contains the text.
func (w *Work) add(file string, to *[]string) error {
	text, err := os.ReadFile(file)
	if err == nil && !slices.Contains(*to, string(text)) {
		*to = append(*to, string(text))
	}
	return err
}

// Tree returns the files [File] and [Notice]. [File] lists the works by title and contains each
// licence once. [Notice] contains the notices of all works. Tree merges works with the same title.
func Tree(works []Work) files.Tree {
	merged := map[string]*Work{}
	for _, w := range works {
		m := merged[w.Title]
		if m == nil {
			m = &Work{Title: w.Title}
			merged[w.Title] = m
		}
		m.Files, m.Terms, m.Notices = union(m.Files, w.Files), union(m.Terms, w.Terms), union(m.Notices, w.Notices)
	}
	titles := slices.SortedFunc(maps.Keys(merged), func(a, b string) int {
		return cmp.Or(cmp.Compare(strings.ToLower(a), strings.ToLower(b)), cmp.Compare(a, b))
	})
	var list, texts, notices bytes.Buffer
	numbers := map[string]int{}
	for _, title := range titles {
		w := merged[title]
		fmt.Fprintf(&list, "%s\n", title)
		if len(w.Files) > 0 {
			fmt.Fprintf(&list, "    in %s\n", strings.Join(w.Files, ", "))
		}
		list.WriteString("    licence")
		var terms []string
		for _, text := range w.Terms {
			terms = union(terms, []string{strings.TrimSpace(text)})
		}
		for _, text := range terms {
			if numbers[text] == 0 {
				numbers[text] = len(numbers) + 1
				fmt.Fprintf(&texts, "\n==== licence [%d] ====\n\n%s\n", numbers[text], text)
			}
			fmt.Fprintf(&list, " [%d]", numbers[text])
		}
		list.WriteString("\n")
		for _, text := range w.Notices {
			fmt.Fprintf(&notices, "%s\n\n%s\n\n", title, strings.TrimSpace(text))
		}
	}
	head := "Third-party work that is distributed here, with its licences.\nHyperplane itself has the MIT licence.\n\n"
	return files.Tree{
		File:   slices.Concat([]byte(head), list.Bytes(), texts.Bytes()),
		Notice: notices.Bytes(),
	}
}

func union(a, b []string) []string {
	for _, s := range b {
		if !slices.Contains(a, s) {
			a = append(a, s)
		}
	}
	return a
}
