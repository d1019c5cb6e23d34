package site

import (
	"bytes"
	"errors"
	"fmt"
	"net/url"
	"path"
	"regexp"
	"slices"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"github.com/hyperplane-notebooks/hyperplane/generate/internal/files"
	"github.com/hyperplane-notebooks/hyperplane/generate/internal/licences"
	"github.com/hyperplane-notebooks/hyperplane/generate/internal/page"
)

// Check checks the pages of a site as a browser would read them. It returns an error for:
//   - a page that does not have exactly one title, one viewport and one main heading;
//   - two elements of a page that have the same id;
//   - an invalid link, or a link within the site that leads to a missing file or anchor;
//   - a loaded file that is not on the site, or a script that is a module;
//   - LaTeX or a name that was left unexpanded;
//   - a picture without alternative text.
func Check(site files.Tree) error {
	c := checker{site: site, ids: map[string]map[string]bool{}}
	roots := map[string]*html.Node{}
	for _, p := range site.Paths() {
		switch path.Ext(p) {
		case ".html":
			root, err := html.Parse(bytes.NewReader(site[p]))
			if err != nil {
				return fmt.Errorf("%s: %w", p, err)
			}
			roots[p], c.ids[p] = root, map[string]bool{"": true}
			for n := range root.Descendants() {
				if id := page.Attribute(n, "id"); id != "" {
					if c.ids[p][id] {
						c.add(p, "two elements have the id %q", id)
					}
					c.ids[p][id] = true
				}
			}
		case ".css":
			for _, m := range cssURL.FindAllSubmatch(site[p], -1) {
				c.checkLoaded(p, string(m[1])+string(m[2])+string(m[3]))
			}
		}
	}
	for _, p := range site.Paths() {
		if roots[p] != nil {
			c.page(p, roots[p])
		}
	}
	return errors.Join(c.found...)
}

type checker struct {
	site  files.Tree
	ids   map[string]map[string]bool // maps each page to its valid anchors: its ids, and "" for the page itself
	found []error
}

func (c *checker) add(page, format string, args ...any) {
	c.found = append(c.found, fmt.Errorf("%s: "+format, append([]any{page}, args...)...))
}

var cssURL = regexp.MustCompile(`url\((?:"([^"]*)"|'([^']*)'|([^'")]*))\)`)

func (c *checker) page(p string, root *html.Node) {
	count := map[string]int{}
	for n := range root.Descendants() {
		if n.Type != html.ElementNode {
			continue
		}
		switch n.DataAtom {
		case atom.Title:
			if n.Parent.DataAtom == atom.Head && n.FirstChild != nil && strings.TrimSpace(n.FirstChild.Data) != "" {
				count["title"]++
			}
		case atom.H1:
			count["main heading <h1>"]++
		case atom.Meta:
			if page.Attribute(n, "name") == "viewport" {
				count["viewport"]++
			}
		case atom.A:
			c.checkLink(p, page.Attribute(n, "href"))
		case atom.Form:
			c.checkLink(p, page.Attribute(n, "action"))
		case atom.Img:
			if strings.TrimSpace(page.Attribute(n, "alt")) == "" {
				c.add(p, "a picture has no alt text: %.80s", page.Attribute(n, "src"))
			}
			c.checkLoaded(p, page.Attribute(n, "src"))
		case atom.Script, atom.Iframe, atom.Video, atom.Audio, atom.Source:
			if page.Attribute(n, "type") == "module" {
				c.add(p, "a script is a module, which a page opened from disk cannot load")
			}
			c.checkLoaded(p, page.Attribute(n, "src"))
			c.checkLoaded(p, page.Attribute(n, "srcset")) // on this site, a srcset contains only one address
		case atom.Link:
			c.checkLoaded(p, page.Attribute(n, "href"))
		}
	}
	for _, one := range []string{"title", "main heading <h1>", "viewport"} {
		if count[one] != 1 {
			c.add(p, "found %d instances of %s, want 1", count[one], one)
		}
	}
	for _, left := range Raw(root) {
		c.add(p, "a formula or a name was not replaced: %s", left)
	}
}

// checkLink checks that the target of a link exists. It ignores links to other sites.
func (c *checker) checkLink(p, href string) {
	u, err := url.Parse(href)
	if err != nil {
		c.add(p, "invalid link %q: %v", href, err)
		return
	}
	if u.Scheme != "" || u.Host != "" || href == "" {
		return
	}
	to := p
	if u.Path != "" {
		to = path.Join(path.Dir(p), u.Path)
	}
	if _, ok := c.site[to]; !ok {
		c.add(p, "the link %q leads nowhere: there is no %s", href, to)
	} else if ids := c.ids[to]; ids != nil && !ids[u.Fragment] {
		c.add(p, "the link %q leads nowhere: %s has no anchor %q", href, to, u.Fragment)
	}
}

// checkLoaded checks that a file that a page or a stylesheet loads is on the site.
func (c *checker) checkLoaded(p, address string) {
	if address == "" || strings.HasPrefix(address, "data:") {
		return
	}
	u, err := url.Parse(address)
	if err != nil || u.Scheme != "" || u.Host != "" {
		c.add(p, "this file needs %s, which is not on the site", address)
		return
	}
	c.checkLink(p, address)
}

// ownScripts lists the scripts on the site that belong to this project.
var ownScripts = append([]string{"sw.js", "assets/store.js", "assets/work.js", "assets/guess.js", "assets/site.js",
	"assets/start.js", "assets/list.js", "assets/search.js", "assets/charts/*.js"}, playOwn...)

// checkListed returns an error for each script, font, program and PDF of the site that does not
// belong to this project or to a work in [Options.Works].
func (b *builder) checkListed() error {
	patterns := append([]string{"assets/search-index.js"}, ownScripts...)
	for _, w := range b.Works {
		patterns = append(patterns, w.Files...)
	}
	var found []error
	for _, p := range b.files.Paths() {
		listed := func(pattern string) bool { ok, _ := path.Match(pattern, p); return ok }
		switch path.Ext(p) {
		case ".js", ".wasm", ".gz", ".xz", ".woff2", ".otf", ".ttf", ".pdf":
			if !slices.ContainsFunc(patterns, listed) {
				found = append(found,
					fmt.Errorf("%s: %s does not list this file; if this project has written the file, add it to ownScripts, and otherwise add its origin to package licences",
						p, licences.File))
			}
		}
	}
	return errors.Join(found...)
}

// unexpanded matches markup that the visible text of a page must not contain: a formula between
// dollar signs, a LaTeX command, or a name such as {eq:prml-4.97}.
var unexpanded = regexp.MustCompile(`\$[^$\n]+\$|\\[a-zA-Z]{2,}|\{[a-z]+:[a-z0-9]`)

// Raw returns the first piece of unexpanded markup in each visible text of a page. Raw skips code,
// scripts, styles, text fields and typeset formulas.
func Raw(root *html.Node) (found []string) {
	unread := []atom.Atom{atom.Code, atom.Pre, atom.Script, atom.Style, atom.Math, atom.Textarea}
	for n := range root.Descendants() {
		if n.Type != html.TextNode || !unexpanded.MatchString(n.Data) {
			continue
		}
		hidden := false
		for up := range n.Ancestors() {
			hidden = hidden || slices.Contains(unread, up.DataAtom)
		}
		if !hidden {
			found = append(found, unexpanded.FindString(n.Data))
		}
	}
	return found
}
