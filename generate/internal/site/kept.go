package site

import (
	"crypto/sha256"
	"fmt"
	"io/fs"
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/hyperplane-notebooks/hyperplane/generate/internal/exercise"
	"github.com/hyperplane-notebooks/hyperplane/generate/internal/files"
)

// Kept stores the pages that one call of Build has made, for the next call. Build does not make a
// page again if the page's inputs are unchanged. It always makes the start page and the frame around
// each page, because they depend on all pages, and also the search page. The zero value contains no
// pages. All calls of Build that use the same Kept must pass the same figures.
type Kept struct {
	Made []string // paths of the pages that the last Build made, except the start page and the search page

	pages map[string]keptPage
}

// A keptPage contains a page without the frame around it, and the files that the page adds to the
// site.
type keptPage struct {
	inputs [sha256.Size]byte
	sheet  sheet
	files  files.Tree
}

// makeOrReuse adds the page with the path `target` to the site. [Options.Kept] may contain an earlier
// version of the page. makeOrReuse adds this version if nothing that the page depends on has changed: its
// inputs, the result of sharedTexts, and whether the site has editors. Otherwise it calls the function
// `build`, which makes the page and adds one sheet. The argument `up` is the page to which
// the link “Up” of the page leads; nil means the start page.
func (b *builder) makeOrReuse(target string, up *sheet, build func() error, inputs ...any) error {
	k := b.Kept
	if k == nil {
		return build()
	}
	sum := sha256.Sum256(fmt.Appendf([]byte(b.sharedTexts()), "%v%q", b.Play != nil, inputs))
	if old, ok := k.pages[target]; ok && old.inputs == sum {
		s := old.sheet
		s.Up = up
		b.sheets = append(b.sheets, &s)
		maps.Copy(b.files, old.files)
		return nil
	}
	all, first := b.files, len(b.sheets)
	b.files = files.Tree{}
	err := build()
	own := b.files
	b.files = all
	maps.Copy(b.files, own)
	if err != nil {
		return err
	}
	if k.pages == nil {
		k.pages = map[string]keptPage{}
	}
	page := keptPage{sum, *b.sheets[first], own}
	page.sheet.Up = nil
	k.pages[target] = page
	k.Made = append(k.Made, target)
	return nil
}

// sharedTexts returns the texts on which every page may depend: the addresses of pages, the numbers
// of equations, the ids of misprints, the data of lessons and exercises that other pages can show,
// and the template of the editor.
func (b *builder) sharedTexts() string {
	var out strings.Builder
	for _, p := range slices.Sorted(maps.Keys(b.places)) {
		fmt.Fprintln(&out, p, b.places[p])
	}
	for _, e := range b.Index.Equations {
		fmt.Fprintln(&out, e.ID, e.Number)
	}
	for _, e := range b.Index.Errata {
		fmt.Fprintln(&out, e.ID)
	}
	if b.Course != nil {
		for _, l := range b.Course.Lessons {
			fmt.Fprintln(&out, l.ID, l.Title, l.Slug, l.Exercises)
		}
	}
	for _, e := range b.Exercises {
		fmt.Fprintln(&out, e.ID, e.Source, e.Varies())
	}
	editor, err := fs.ReadFile(b.ownFiles(), "play.html")
	fmt.Fprintln(&out, string(editor), err)
	return out.String()
}

// inputTexts returns the contents of a notebook and, unless e is nil, of the sources of the exercise e.
// The caller passes them to makeOrReuse as inputs of a page. inputTexts does not fail if a file cannot
// be read, because the code that makes the page reports the error.
func (b *builder) inputTexts(notebook string, e *exercise.Exercise) []any {
	var out []any
	if nb, err := b.current(notebook); err == nil {
		text, err := nb.Marshal()
		out = append(out, text, err)
	}
	if e == nil {
		return out
	}
	for _, p := range []string{path.Join(e.Dir, "exercise.md"), path.Join(e.Dir, "answer_test.go"),
		path.Join(Folder, "exercises", e.SolvedPath())} {
		text, err := fs.ReadFile(b.Module, p)
		out = append(out, text, err)
	}
	return append(out, fmt.Sprint(e.Calls))
}

// ownFiles returns the site's own scripts, styles and templates.
func (b *builder) ownFiles() fs.FS {
	if b.Own != nil {
		return b.Own
	}
	return own
}
