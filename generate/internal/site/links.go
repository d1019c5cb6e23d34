package site

import (
	"fmt"
	"io/fs"
	"net/url"
	"path"
	"path/filepath"
	"strings"

	"github.com/hyperplane-notebooks/hyperplane/generate/internal/equations"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/figures"
)

// setPlaces fills the map b.places, which maps each file of the module that the site shows to its
// address on the site. These files are the notebooks, their sources, and the page of equations. The
// task of a lesson is part of the lesson's page. The map also contains a key for each function that
// draws a figure, for example the key toolkit/figures#PRML4x4.
func (b *builder) setPlaces(notebooks []string) {
	b.places = map[string]string{}
	if b.hasEquations() {
		b.places[path.Join(Folder, equations.PageName)] = "equations.html"
	}
	for _, p := range notebooks {
		b.places[path.Join(Folder, p)] = pageOf(p)
		b.places[path.Join(b.Lessons, path.Base(strings.TrimSuffix(p, ".ipynb"))+".md")] = pageOf(p)
	}
	for _, e := range b.Exercises {
		p := exercisePage(e)
		if e.OfLesson() {
			b.places[path.Join(e.Dir, "exercise.md")] = p + "#Your-turn"
			continue
		}
		b.places[path.Join(Folder, "exercises", e.LearnerPath())] = p
		b.places[path.Join(Folder, "exercises", e.SolvedPath())] = p + "#solution"
		b.places[path.Join(e.Dir, "exercise.md")] = p
	}
	if b.hasFigures() {
		for _, e := range figures.All() {
			name, _, _ := strings.Cut(strings.TrimPrefix(e.Call, "figures."), "(")
			b.places[figureFolder+"#"+name] = "figures.html#" + e.ID
		}
	}
}

// figureFolder is the folder of the files that draw figures. In a link to a file in this folder,
// the fragment names the function that draws the figure, for example:
// toolkit/figures/prml4_leastsquares.go#PRML4x4Chart.
const figureFolder = "toolkit/figures"

// resolveLink returns the address that a page must use for the link `href`. The link is in `source`,
// a file of the module, and `target` is the path of the page on the site. For a link to a page of
// the site, the result is the address of that page relative to `target`. For an external link or a
// link within the page, it is `href` itself. If the link leads to a different file below the folder of
// the notebooks, such as a picture, resolveLink adds this file to the site and returns its relative
// address. For a folder, a notebook without a page, or any other file of the module, it returns "". It
// returns an error if `href` is invalid or the file does not exist.
func (b *builder) resolveLink(target, source, href string) (string, error) {
	u, err := url.Parse(href)
	if err != nil {
		return "", fmt.Errorf("invalid link %q: %w", href, err)
	}
	if u.Scheme != "" || u.Host != "" || u.Path == "" {
		return href, nil // do not check the anchor here, because the function Check checks all anchors of the complete site
	}
	file := path.Join(path.Dir(source), u.Path)
	if path.Dir(file) == figureFolder {
		file, u.Fragment = figureFolder+"#"+strings.TrimSuffix(u.Fragment, "Chart"), ""
	}
	if place, ok := b.places[file]; ok {
		to, anchor, _ := strings.Cut(place, "#")
		if u.Fragment != "" {
			anchor = u.Fragment
		}
		return relative(target, to, anchor), nil
	}
	info, err := fs.Stat(b.Module, file)
	if err != nil {
		return "", fmt.Errorf("the link %q leads nowhere: there is no %s", href, file)
	}
	if rest, ok := strings.CutPrefix(file, Folder+"/"); ok && !info.IsDir() && path.Ext(file) != ".ipynb" {
		// Add the file to the site. It can be, for example, a picture that a notebook shows.
		if b.files[rest], err = fs.ReadFile(b.Module, file); err != nil {
			return "", err
		}
		return relative(target, rest, ""), nil
	}
	return "", nil
}

// relative returns the address of the page or file `target` relative to the page `fromPage`, which
// contains the link.
func relative(fromPage, target, anchor string) string {
	rel, err := filepath.Rel(path.Dir(fromPage), target)
	if err != nil {
		return target // both paths are relative, so this error cannot happen
	}
	u := url.URL{Path: filepath.ToSlash(rel), Fragment: anchor}
	return u.String()
}
