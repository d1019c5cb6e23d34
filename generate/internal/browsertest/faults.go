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
	"time"

	"github.com/chromedp/chromedp"
)

// Charts waits until every chart of the page has replaced its static picture. It returns a CSS
// selector for each chart.
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

// BlankChart returns a fault if the picture of a chart contains fewer than 8 colours.
func (p *Page) BlankChart(chart string) []string {
	p.t.Helper()
	if n := colours(p.Picture(chart + " canvas")); n < 8 {
		return []string{fmt.Sprintf("the chart is blank: its picture has %d colours, want 8 or more", n)}
	}
	return nil
}

// CutChart returns a fault if the canvas of a chart extends beyond the left or right edge of the
// window. It also looks at the chart's element and at the elements around it, up to body. It returns a
// fault for each of these elements that cuts off or scrolls wide content and does not contain the whole
// width of the canvas.
func (p *Page) CutChart(chart string) []string {
	p.t.Helper()
	return Get[[]string](p, fmt.Sprintf(`(() => {
		const r = document.querySelector(%q + " canvas").getBoundingClientRect(), out = [];
		const cut = (left, right, what) => {
			if (r.left < left - 1 || r.right > right + 1) out.push("the chart is cut: it extends from " + r.left + " to " + r.right + ", but " + what + " only from " + left + " to " + right);
		};
		cut(0, document.documentElement.clientWidth, "the window");
		for (let e = document.querySelector(%q); e && e !== document.body; e = e.parentElement) {
			const box = e.getBoundingClientRect();
			if (getComputedStyle(e).overflowX !== "visible") cut(box.left, box.right, "an element around it");
		}
		return out;
	})()`, chart, chart))
}

// Unreadable returns a fault if the contrast between the title of a chart and the background behind
// the title is below 4.5, the minimum in the accessibility guidelines (WCAG). It looks at the top 60
// rows of pixels: the most frequent colour counts as the background, and the colour with the highest
// contrast to it counts as the title.
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
		return []string{fmt.Sprintf("the chart's title is hard to read: contrast %.1f against the background %v, want at least 4.5", best, ground)}
	}
	return nil
}

// contrast returns the contrast ratio of two opaque colours, as the accessibility guidelines (WCAG)
// define this ratio.
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

// RawLatex returns a fault for each text of the page that contains LaTeX source, because a formula was
// not typeset. The fault quotes the first formula or command in this text. RawLatex ignores code,
// scripts, styles, text fields, templates and the annotations of typeset formulas.
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

// BrokenLinks returns a fault for each link that is not a valid address, that leads to a file that
// cannot be read, or that leads to an anchor that the file does not contain. The page must have been
// opened from a file. BrokenLinks ignores links whose scheme is not file.
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
			broken = append(broken, fmt.Sprintf("broken link %q: the anchor is missing in %s", link, filepath.Base(path)))
		}
	}
	return broken
}

var (
	identifier = regexp.MustCompile(`(?i)\s(?:id|name)=(?:"([^"]*)"|'([^']*)'|([^\s>"']+))`)
	placesRead sync.Map // maps the path of an HTML file to the set of anchors in that file
)

// placesOf returns the anchors of the page at path: the values of all id and name attributes.
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

// TooWide returns no fault if the page is not wider than the window. Otherwise, it returns a fault
// that states the width of the page and the width of the window. It also returns one fault for each of
// the first three elements that extend beyond the right edge of the window.
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

// Foreign returns a fault for each request that the page has sent over the network. The page must
// have been opened from a file.
func (p *Page) Foreign() []string {
	var foreign []string
	for _, r := range p.Requests() {
		if strings.HasPrefix(r, "http:") || strings.HasPrefix(r, "https:") || strings.HasPrefix(r, "ws") {
			foreign = append(foreign, "request to "+r)
		}
	}
	return foreign
}

// scripts defines three JavaScript functions for a chart. The function `scroller` returns the element
// that scrolls the chart vertically. The function `plots` returns the centre of the chart's first 2D
// plot and the centre of its first 3D plot. If the chart has no plot, `plots` returns the centre of
// the canvas. The function `seen` returns, as text, the zoom of the 2D axes and the cameras of the 3D
// plots.
const scripts = `
const place = document.querySelector(%q), chart = place.hyperplaneChart, option = chart.getOption();
const part = kind => chart.getModel()?.getComponent(kind, 0)?.coordinateSystem;
function scroller() {
	for (let e = place.parentElement; e; e = e.parentElement)
		if (/auto|scroll/.test(getComputedStyle(e).overflowY) && e.scrollHeight > e.clientHeight + 1) return e;
	return document.scrollingElement;
}
function plots() {
	const r = place.querySelector("canvas").getBoundingClientRect(), found = [], plane = part("grid")?.getRect(), view = part("grid3D")?.viewGL;
	if (plane) found.push([plane.x + plane.width / 2, plane.y + plane.height / 2]);
	if (view) found.push([view.viewport.x + view.viewport.width / 2, r.height - view.viewport.y - view.viewport.height / 2]);
	if (!found.length) found.push([r.width / 2, r.height / 2]);
	return found.map(([x, y]) => ({ X: r.left + x, Y: r.top + y }));
}
function seen() {
	const cameras = (option.grid3D || []).map((g, i) => {
		const c = chart.getModel().getComponent("grid3D", i).coordinateSystem.viewGL.camera;
		return [c.left, c.right, Array.from(c.position.array)];
	});
	return JSON.stringify([(option.dataZoom || []).map(z => [z.start, z.end]), cameras]);
}`

// evalInChart evaluates a JavaScript expression for the given chart. The expression may call the
// functions that the constant `scripts` defines.
func evalInChart[T any](p *Page, chart, expression string) T {
	p.t.Helper()
	return Get[T](p, "(() => {"+fmt.Sprintf(scripts, chart)+"\nreturn "+expression+"; })()")
}

// Plots scrolls a chart into the window. It returns the centre of the chart's first 2D plot and the
// centre of its first 3D plot. If the chart has no plot, Plots returns the centre of the canvas.
func (p *Page) Plots(chart string) []Point {
	p.t.Helper()
	p.Center(chart + " canvas")
	return evalInChart[[]Point](p, chart, "plots()")
}

// Wheels turns the mouse wheel over the plots of a chart (see Plots) and returns the faults. The wheel
// must scroll the page. While the shift key is held down, the wheel must zoom the chart and must not
// scroll the page.
func (p *Page) Wheels(chart string) []string {
	p.t.Helper()
	var faults []string
	for i := range p.Plots(chart) {
		faults = append(faults, p.wheels(chart, i)...)
	}
	return faults
}

func (p *Page) wheels(chart string, plot int) []string {
	p.t.Helper()
	at := p.Plots(chart)[plot]
	top := func() float64 { return evalInChart[float64](p, chart, "scroller().scrollTop") }
	turn := func(pixels float64, modifiers ...chromedp.Modifier) (taken bool) {
		p.Hover(at)
		Get[bool](p, `(() => { // capture: this listener runs even if the chart stops the propagation of the event
			globalThis.wheelTaken = null;
			addEventListener("wheel", e => setTimeout(() => { wheelTaken = e.defaultPrevented }), { capture: true, once: true, passive: true });
			return true;
		})()`)
		p.Wheel(at, pixels, modifiers...)
		p.Until("wheelTaken !== null")
		return Get[bool](p, "wheelTaken")
	}

	var faults []string
	before, shown := top(), evalInChart[string](p, chart, "seen()")
	if !turn(-120, chromedp.ModifierShift) { // zoom in, because the chart may already be fully zoomed out
		faults = append(faults, "while the shift key is held down, the chart does not handle the wheel")
	} else if !waitFor(5*time.Second, func() bool { return evalInChart[string](p, chart, "seen()") != shown }) {
		faults = append(faults, "while the shift key is held down, the wheel does not zoom the chart")
	}
	if after := top(); after != before {
		faults = append(faults, fmt.Sprintf("while the shift key is held down, the wheel scrolls the page by %g pixels", after-before))
	}
	pixels := 120.0
	if !evalInChart[bool](p, chart, "scroller().scrollTop + scroller().clientHeight + 60 < scroller().scrollHeight") {
		pixels = -pixels
	}
	if turn(pixels) {
		faults = append(faults, "the wheel is trapped: the chart prevents the page from scrolling")
	} else if !waitFor(10*time.Second, func() bool { return top() != before }) {
		faults = append(faults, "the wheel over the chart does not scroll the page")
	}
	return faults
}

// waitFor polls a condition for at most the duration d and reports whether the condition became
// true.
func waitFor(d time.Duration, condition func() bool) bool {
	for deadline := time.Now().Add(d); time.Now().Before(deadline); time.Sleep(50 * time.Millisecond) {
		if condition() {
			return true
		}
	}
	return false
}
