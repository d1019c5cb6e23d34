package browsertest

import (
	"context"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/chromedp"

	"github.com/hyperplane-notebooks/hyperplane/generate/internal/must"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/figures"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/show"
)

// The wheel over a chart scrolls the page past it; with shift it zooms. Only the
// browser's own wheel shows it: an event that a script dispatches scrolls nothing.
func TestWheel(t *testing.T) {
	plane := must.Get(figures.PRML4x6Chart(figures.PRML4x6Options{}))(t)
	surfaces := must.Get(figures.PRML4x10Chart(figures.PRML4x10Options{}))(t)
	for name, c := range map[string]struct {
		chart *show.Chart
		zoom  string // a number that zooming changes
	}{
		"plane":    {plane, `chart.getOption().dataZoom[0].start`},
		"surfaces": {surfaces, `chart.getModel().getComponent("grid3D").coordinateSystem.viewGL.camera.right`},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			file := filepath.Join(t.TempDir(), "page.html")
			must.Do(t, os.WriteFile(file, must.Get(c.chart.HTML())(t), 0o600))
			ctx := browser(t)
			zoom := `(function () { var chart = document.querySelector(".hyperplane-chart").hyperplaneChart; return ` + c.zoom + `; })()`
			must.Do(t, chromedp.Do(ctx, chromedp.EmulateViewport(1000, 350), chromedp.Navigate("file://"+file)))
			must.Get(chromedp.Run(ctx, chromedp.Poll[bool](`!!document.querySelector(".hyperplane-chart").hyperplaneChart`, chromedp.WithPollingTimeout(time.Minute))))(t)
			at := must.Get(chromedp.Run(ctx, chromedp.Evaluate[[]float64](`(function () {
  document.body.style.height = "3000px";
  var place = document.querySelector(".hyperplane-chart"), r = place.querySelector("canvas").getBoundingClientRect();
  var frame = place.hyperplaneChart.getModel().getComponent("grid", 0).coordinateSystem.getRect();
  return [r.left + frame.x + frame.width / 2, r.top + frame.y + 60];
})()`)))(t)
			state := func() (scrolled, zoomed float64) {
				t.Helper()
				return must.Get(chromedp.Run(ctx, chromedp.Evaluate[float64]("scrollY")))(t), must.Get(chromedp.Run(ctx, chromedp.Evaluate[float64](zoom)))(t)
			}
			turn := func(delta, modifiers int) (scrolled, zoomed float64) {
				t.Helper()
				y, z := state()
				for _, event := range []string{"mouseMoved", "mouseWheel"} {
					_, err := chromedp.Call(ctx, mouse, map[string]any{"type": event, "x": at[0], "y": at[1], "deltaX": 0, "deltaY": delta, "modifiers": modifiers})
					must.Do(t, err)
				}
				must.Do(t, chromedp.Do(ctx, chromedp.Sleep(time.Second)))
				scrolled, zoomed = state()
				return scrolled - y, zoomed - z
			}
			const shift = 8
			if scrolled, zoomed := turn(-60, shift); scrolled != 0 || zoomed == 0 {
				t.Errorf("shift and the wheel: the page scrolled by %g, the chart zoomed by %g; want the zoom alone", scrolled, zoomed)
			}
			if scrolled, zoomed := turn(60, 0); scrolled != 60 || zoomed != 0 {
				t.Errorf("the wheel: the page scrolled by %g, the chart zoomed by %g; want 60 and none", scrolled, zoomed)
			}
		})
	}
}

// On a narrow page the chart scrolls in its box; the page does not.
func TestNarrowPage(t *testing.T) {
	c := must.Get(figures.PRML4x6Chart(figures.PRML4x6Options{}))(t)
	file := filepath.Join(t.TempDir(), "page.html")
	must.Do(t, os.WriteFile(file, must.Get(c.HTML())(t), 0o600))
	ctx := browser(t)
	must.Do(t, chromedp.Do(ctx, chromedp.EmulateViewport(390, 800, chromedp.EmulateMobile), chromedp.Navigate("file://"+file)))
	must.Get(chromedp.Run(ctx, chromedp.Poll[bool](`!!document.querySelector(".hyperplane-chart").hyperplaneChart`, chromedp.WithPollingTimeout(time.Minute))))(t)
	got := must.Get(chromedp.Run(ctx, chromedp.Evaluate[[]float64](`(function () {
  var frame = document.querySelector(".hyperplane-chart > div");
  return [document.documentElement.scrollWidth, frame.clientWidth, frame.scrollWidth];
})()`)))(t)
	if got[0] != 390 || got[1] > 390 || got[2] <= got[1] {
		t.Errorf("the page is %g pixels wide of 390, the chart's frame %g, what is in it %g", got[0], got[1], got[2])
	}
}

// mouse is input.DispatchMouseEvent with parameters that may be 0: the typed ones then
// go unsent, and the wheel wants both.
var mouse = cdp.Command[map[string]any, cdp.Empty]{Method: "Input.dispatchMouseEvent"}

// browser starts Chromium, which takes commands over its debugging protocol.
func browser(t *testing.T) context.Context {
	t.Helper()
	o := append(chromedp.DefaultExecAllocatorOptions[:], chromedp.ExecPath(find(t)), chromedp.NoSandbox,
		chromedp.Flag("enable-unsafe-swiftshader", true))
	alloc, stop := chromedp.NewExecAllocator(t.Context(), o...)
	t.Cleanup(stop)
	ctx, cancel := chromedp.NewContext(alloc)
	t.Cleanup(cancel)
	ctx, expire := context.WithTimeout(ctx, 2*time.Minute)
	t.Cleanup(expire)
	return ctx
}
