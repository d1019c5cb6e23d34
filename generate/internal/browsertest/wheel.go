package browsertest

import (
	"fmt"
	"time"

	"github.com/chromedp/chromedp"
)

// scripts has what the questions below ask: the box that scrolls an element up and
// down, the middle of each kind of plot in a chart, and what a chart shows (the ranges
// of its axes, and the cameras over its surfaces).
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

// ask evaluates an expression over a chart with the scripts.
func ask[T any](p *Page, chart, expression string) T {
	p.t.Helper()
	return Get[T](p, "(() => {"+fmt.Sprintf(scripts, chart)+"\nreturn "+expression+"; })()")
}

// Plots brings a chart into the window and returns the middle of its plane and of its
// surface, where it has one.
func (p *Page) Plots(chart string) []Point {
	p.t.Helper()
	p.Center(chart + " canvas")
	return ask[[]Point](p, chart, "plots()")
}

// Wheels turns the wheel over a chart: the page must scroll by it. With shift held
// down the chart must zoom and the page stay.
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
	top := func() float64 { return ask[float64](p, chart, "scroller().scrollTop") }
	turn := func(pixels float64, modifiers ...chromedp.Modifier) (taken bool) {
		p.Hover(at)
		Get[bool](p, `(() => { // capture: whoever stops the event cannot stop this
			globalThis.wheelTaken = null;
			addEventListener("wheel", e => setTimeout(() => { wheelTaken = e.defaultPrevented }), { capture: true, once: true, passive: true });
			return true;
		})()`)
		p.Wheel(at, pixels, modifiers...)
		p.Until("wheelTaken !== null")
		return Get[bool](p, "wheelTaken")
	}

	var faults []string
	before, shown := top(), ask[string](p, chart, "seen()")
	if !turn(-120, chromedp.ModifierShift) { // nearer; at the start a chart may be as far as it goes
		faults = append(faults, "with shift the wheel does not reach the chart")
	} else if !within(5*time.Second, func() bool { return ask[string](p, chart, "seen()") != shown }) {
		faults = append(faults, "with shift the wheel does not zoom the chart")
	}
	if after := top(); after != before {
		faults = append(faults, fmt.Sprintf("with shift the wheel scrolls the page by %g", after-before))
	}
	pixels := 120.0
	if !ask[bool](p, chart, "scroller().scrollTop + scroller().clientHeight + 60 < scroller().scrollHeight") {
		pixels = -pixels
	}
	if turn(pixels) {
		faults = append(faults, "the wheel is trapped: over the chart the page does not scroll")
	} else if !within(10*time.Second, func() bool { return top() != before }) {
		faults = append(faults, "the wheel over the chart does not scroll the page")
	}
	return faults
}

// within asks for a condition until it holds or the time is over.
func within(d time.Duration, condition func() bool) bool {
	for deadline := time.Now().Add(d); time.Now().Before(deadline); time.Sleep(50 * time.Millisecond) {
		if condition() {
			return true
		}
	}
	return false
}
