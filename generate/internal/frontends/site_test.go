package frontends

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"github.com/hyperplane-notebooks/hyperplane/generate/internal/browsertest"
	"github.com/hyperplane-notebooks/hyperplane/generate/internal/must"
)

// offlineViews lists two windows in which a test opens the site without a network: one as wide as a
// desktop, and one as wide as a phone.
var offlineViews = map[string]browsertest.View{
	"1280": {Width: 1280, Offline: true},
	"390":  {Width: 390, Height: 844, Offline: true},
}

// siteFolder returns the folder of the site that docker/demo.sh has made.
func siteFolder(t *testing.T) string {
	t.Helper()
	dir := os.Getenv("HYPERPLANE_SITE")
	if dir == "" {
		t.Fatal("HYPERPLANE_SITE is not set: set it to the folder that `make demo` creates, out/site")
	}
	return must.Get(filepath.Abs(dir))(t)
}

// TestSite checks every page of the site without a server or a network. In both windows, the page
// must show its charts, fit into the window, report no errors, and load no files from other hosts. In
// the wide window, the test also checks that no chart is blank or cut off, that all formulas are
// typeset, and that no links are broken.
func TestSite(t *testing.T) {
	dir := siteFolder(t)
	var pages []string
	must.Do(t, filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err == nil && filepath.Ext(path) == ".html" {
			pages = append(pages, path)
		}
		return err
	}))
	if len(pages) < 40 {
		t.Fatalf("the site has %d pages, want at least 40", len(pages))
	}
	kinds := map[string]bool{}
	for _, path := range pages {
		rel, _ := filepath.Rel(dir, path)
		name := strings.ReplaceAll(strings.TrimSuffix(rel, ".html"), string(filepath.Separator), "-")
		kind := filepath.Dir(rel)
		if kind == "." || !kinds[kind] { // take a screenshot of each top-level page, and of one page per subfolder
			kinds[kind] = true
			kind = name
		} else {
			kind = ""
		}
		for width, view := range offlineViews {
			t.Run(rel+" at "+width, func(t *testing.T) {
				t.Parallel()
				p := browsertest.Open(t, "file://"+path, view)
				revealAnswers(p)
				charts := p.Charts()
				if width == "1280" {
					for _, chart := range charts {
						faults(t, p.BlankChart(chart))
						faults(t, p.CutChart(chart))
					}
					faults(t, p.RawLatex())
					faults(t, p.BrokenLinks())
				}
				faults(t, p.TooWide())
				faults(t, p.Foreign())
				if kind != "" {
					p.Center("h1")
					p.Screenshot("site-" + kind + "-" + width)
				}
				faults(t, p.Errors())
			})
		}
	}
}

// revealAnswers opens every answer on the page, like a reader who skips the guess. Before that, the
// answers and the charts in the answers are hidden.
func revealAnswers(p *browsertest.Page) {
	const button = "form[data-guess]:not([hidden]) button.quiet"
	for browsertest.Get[bool](p, "!!document.querySelector('"+button+"')") {
		p.Click(p.Center(button))
	}
}

// TestSiteSearch checks the search. The first result for a misspelt word must lead to a page that
// contains the word in its correct spelling. The first result for the number of an exercise must lead
// to this exercise. Links must lead from the exercise to an equation and back.
func TestSiteSearch(t *testing.T) {
	p := browsertest.Open(t, "file://"+siteFolder(t)+"/index.html", offlineViews["1280"])
	p.Click(p.Center("header input[name=q]"))
	p.Type("perseptron")
	p.Key(kb.Enter)
	p.Until(`document.querySelectorAll("#results a").length > 2`)
	p.Screenshot("site-search-perceptron")
	p.Click(p.Center("#results a"))
	p.Until(`!document.querySelector("#results") && document.readyState === "complete" && document.querySelector("main").textContent.toLowerCase().includes("perceptron")`)
	p.Key("/")
	p.Type("exercise 4.7")
	p.Key(kb.Enter)
	p.Until(`document.querySelectorAll("#results a").length > 2`)
	p.Click(p.Center("#results a"))
	p.Until(`location.pathname.includes("/prml4/07-") && document.readyState === "complete"`)
	// Follow the links with the keyboard and not with the mouse, because a link can move during
	// layout and can span two lines.
	follow := func(link string) {
		browsertest.Get[bool](p, "document.querySelector('"+link+"').focus(), true")
		p.Key(kb.Enter)
	}
	follow(`main a[href$="equations.html#prml-4.57"]`)
	p.Until(`location.hash === "#prml-4.57" && document.readyState === "complete"`)
	follow(`p:has([id="prml-4.57"]) ~ ul a[href*="/prml4/07-"]`)
	p.Until(`location.pathname.includes("/prml4/07-")`)
	faults(t, p.Errors())
}

// TestSiteKeyboard checks that the Tab key reaches every link and control at the top of a page. The
// first link must skip the navigation.
func TestSiteKeyboard(t *testing.T) {
	p := browsertest.Open(t, "file://"+siteFolder(t)+"/tour.html", offlineViews["1280"])
	const focus = "document.activeElement"
	p.Key(kb.Tab)
	p.Until(focus + `.matches(".skip") && ` + focus + `.getBoundingClientRect().left >= 0`)
	p.Screenshot("site-skip-link")
	seen := ""
	for range 8 {
		p.Key(kb.Tab)
		seen += browsertest.Get[string](p, "("+focus+`.ariaLabel || `+focus+`.textContent) + "|" + (`+focus+`.name || "") + "\n"`)
	}
	must.Contain(t, seen, "Lessons|", "Exercises|", "Figures|", "Equations|", "|q", "Switch to the dark theme|")
	p.Key(kb.Tab, chromedp.ModifierShift)
	p.Go(browsertest.Get[string](p, "location.href"))
	p.Key(kb.Tab)
	p.Key(kb.Enter)
	p.Until(`location.hash === "#main" && ` + focus + `.id === "main"`)
}

// TestSiteDark checks that a page is dark if the system prefers dark pages. A page must also become
// dark when the reader clicks the switch, and the next page must then be dark too. On a dark page,
// a chart's title must be readable, and the mouse wheel over a chart must scroll the page.
func TestSiteDark(t *testing.T) {
	dir := siteFolder(t)
	const dark = `(() => { const [r, g, b] = getComputedStyle(document.body).backgroundColor.match(/\d+/g).map(Number); return r + g + b < 200; })()`
	view := offlineViews["1280"]
	view.Dark = true
	p := browsertest.Open(t, "file://"+dir+"/tour.html", view)
	p.Until(dark)
	p.Screenshot("site-tour-dark")
	revealAnswers(p)
	charts := p.Charts()
	if len(charts) == 0 {
		t.Error("the tour has no interactive chart")
	}
	for i, chart := range charts {
		faults(t, p.Unreadable(chart))
		faults(t, p.Wheels(chart))
		p.Screenshot(fmt.Sprintf("site-tour-dark-chart-%d", i+1))
	}
	p = browsertest.Open(t, "file://"+dir+"/index.html", offlineViews["1280"])
	p.Until("!" + dark)
	p.Click(p.Center("#theme"))
	p.Until(dark)
	p.Screenshot("site-index-switched")
	p.Go("file://" + dir + "/equations.html")
	p.Until(dark)
	faults(t, p.Errors())
}
