package browsertest

import (
	"fmt"
	"html"
	"image"
	"image/color"
	"math"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
)

// Charts waits until every chart of the page is drawn in place of its picture, and
// returns a selector for each.
func (p *Page) Charts() []string {
	p.t.Helper()
	p.Until(`[...document.querySelectorAll(".hyperplane-chart")].every(place => place.hyperplaneChart)`)
	n := Get[int](p, `(() => {
		const all = document.querySelectorAll(".hyperplane-chart");
		all.forEach((place, i) => { place.dataset.browsertest = i });
		return all.length;
	})()`)
	selectors := make([]string, n)
	for i := range selectors {
		selectors[i] = fmt.Sprintf(`[data-browsertest="%d"]`, i)
	}
	return selectors
}

// BlankChart says whether nothing is to be seen of a chart.
func (p *Page) BlankChart(chart string) []string {
	p.t.Helper()
	if n := colours(p.Picture(chart + " canvas")); n < 8 {
		return []string{fmt.Sprintf("the chart is blank: it has %d colours", n)}
	}
	return nil
}

// CutChart says whether a part of a chart lies outside the window, or of a box that
// would have to be scrolled sideways.
func (p *Page) CutChart(chart string) []string {
	p.t.Helper()
	return Get[[]string](p, fmt.Sprintf(`(() => {
		const r = document.querySelector(%q + " canvas").getBoundingClientRect(), out = [];
		const cut = (left, right, what) => {
			if (r.left < left - 1 || r.right > right + 1) out.push("the chart is cut: it goes from " + r.left + " to " + r.right + ", " + what + " from " + left + " to " + right);
		};
		cut(0, document.documentElement.clientWidth, "the window");
		for (let e = document.querySelector(%q); e && e !== document.body; e = e.parentElement) {
			const box = e.getBoundingClientRect();
			if (getComputedStyle(e).overflowX !== "visible") cut(box.left, box.right, "a box");
		}
		return out;
	})()`, chart, chart))
}

// Unreadable says whether the title of a chart, at its top, can hardly be told from the
// ground on which it is seen: WCAG asks for a contrast of 4.5.
func (p *Page) Unreadable(chart string) []string {
	p.t.Helper()
	img := p.Picture(chart + " canvas")
	top := img.Bounds()
	top.Max.Y = min(top.Max.Y, top.Min.Y+60)
	count := map[color.Color]int{}
	var ground color.Color
	for y := top.Min.Y; y < top.Max.Y; y++ {
		for x := top.Min.X; x < top.Max.X; x++ {
			c := img.At(x, y)
			if count[c]++; ground == nil || count[c] > count[ground] {
				ground = c
			}
		}
	}
	best := 1.0
	for c := range count {
		best = max(best, contrast(c, ground))
	}
	if best < 4.5 {
		return []string{fmt.Sprintf("the chart's title is hard to read: a contrast of %.1f on %v", best, ground)}
	}
	return nil
}

// contrast is WCAG's ratio of the luminances of two opaque colours.
func contrast(a, b color.Color) float64 {
	luminance := func(c color.Color) float64 {
		r, g, b, _ := c.RGBA()
		linear := func(v uint32) float64 {
			s := float64(v) / 0xffff
			if s <= 0.04045 {
				return s / 12.92
			}
			return math.Pow((s+0.055)/1.055, 2.4)
		}
		return 0.2126*linear(r) + 0.7152*linear(g) + 0.0722*linear(b)
	}
	x, y := luminance(a), luminance(b)
	return (max(x, y) + 0.05) / (min(x, y) + 0.05)
}

func colours(img image.Image) int {
	seen := map[[3]uint32]bool{}
	for y := img.Bounds().Min.Y; y < img.Bounds().Max.Y; y++ {
		for x := img.Bounds().Min.X; x < img.Bounds().Max.X; x++ {
			r, g, b, _ := img.At(x, y).RGBA()
			seen[[3]uint32{r >> 8, g >> 8, b >> 8}] = true
		}
	}
	return len(seen)
}

var latex = regexp.MustCompile(`\$[^$\n]*[\\^_{][^$\n]*\$|\\(frac|math[a-z]+|boldsymbol|sigma|Sigma|lambda|phi|Phi|sum|int|left|right|begin|tfrac|ln|exp)\b`)

// RawLatex returns the formulas that a reader sees as LaTeX: text of the page outside
// of code that is shown.
func (p *Page) RawLatex() []string {
	p.t.Helper()
	texts := Get[[]string](p, `(() => {
		const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT), out = [];
		for (let n = walk.nextNode(); n; n = walk.nextNode())
			if (!n.parentElement.closest("code, pre, script, style, textarea, annotation, template") && n.data.trim()) out.push(n.data);
		return out;
	})()`)
	var found []string
	for _, text := range texts {
		if m := latex.FindString(text); m != "" {
			found = append(found, "raw LaTeX: "+m)
		}
	}
	return found
}

// BrokenLinks returns the links of a page opened as a file that lead to no file, or
// to no place in it. Links to other hosts are not followed.
func (p *Page) BrokenLinks() []string {
	p.t.Helper()
	var broken []string
	for _, link := range Get[[]string](p, `[...document.links].map(a => a.href)`) {
		u, err := url.Parse(link)
		if err != nil {
			broken = append(broken, fmt.Sprintf("broken link %q: %v", link, err))
			continue
		}
		if u.Scheme != "file" {
			continue
		}
		path := u.Path
		if strings.HasSuffix(path, "/") {
			path = filepath.Join(path, "index.html")
		}
		places, err := placesOf(path)
		if err != nil {
			broken = append(broken, fmt.Sprintf("broken link %q: %v", link, err))
		} else if u.Fragment != "" && !places[u.Fragment] {
			broken = append(broken, fmt.Sprintf("broken link %q: no such place in %s", link, filepath.Base(path)))
		}
	}
	return broken
}

var (
	identifier = regexp.MustCompile(`(?i)\s(?:id|name)=(?:"([^"]*)"|'([^']*)'|([^\s>"']+))`)
	placesRead sync.Map // path → map of its places
)

// placesOf returns the places in a page that a link can lead to.
func placesOf(path string) (map[string]bool, error) {
	if places, ok := placesRead.Load(path); ok {
		return places.(map[string]bool), nil
	}
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	places := map[string]bool{}
	for _, m := range identifier.FindAllStringSubmatch(string(text), -1) {
		places[html.UnescapeString(m[1]+m[2]+m[3])] = true
	}
	placesRead.Store(path, places)
	return places, nil
}

// TooWide says whether the page is to be scrolled sideways, and what is too wide.
func (p *Page) TooWide() []string {
	p.t.Helper()
	return Get[[]string](p, `(() => {
		const width = document.documentElement.clientWidth, out = [];
		if (document.documentElement.scrollWidth <= width) return out;
		out.push("the page is " + document.documentElement.scrollWidth + " pixels wide in a window of " + width);
		for (const e of document.body.querySelectorAll("*"))
			if (out.length < 4 && e.getBoundingClientRect().right > width + 1) out.push("too wide: " + e.outerHTML.slice(0, 120));
		return out;
	})()`)
}

// Foreign returns what the page asked another host for.
func (p *Page) Foreign() []string {
	var foreign []string
	for _, r := range p.Requests() {
		if strings.HasPrefix(r, "http:") || strings.HasPrefix(r, "https:") || strings.HasPrefix(r, "ws") {
			foreign = append(foreign, "request to "+r)
		}
	}
	return foreign
}
