package browsertest

import (
	"bytes"
	"context"
	"fmt"
	"image"
	"image/png"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"
)

// limit is how long anything may take; only a fault takes as long.
const limit = 2 * time.Minute

// ScreenshotsVariable is the environment variable with the folder for screenshots.
// Without it none are written.
const ScreenshotsVariable = "HYPERPLANE_SCREENSHOTS"

// Get returns the value of a JavaScript expression, or of the promise that it is.
func Get[T any](p *Page, expression string) T {
	p.t.Helper()
	ctx, cancel := context.WithTimeout(p.ctx, limit)
	defer cancel()
	v, err := chromedp.Run(ctx, chromedp.Evaluate[T](expression, chromedp.EvalAwaitPromise))
	if err != nil {
		p.fail(fmt.Sprintf("%s: %v", expression, err))
	}
	return v
}

// Until waits until a JavaScript expression is true. One that cannot be evaluated
// yet is not true yet.
func (p *Page) Until(condition string) {
	p.t.Helper()
	p.Wait(condition, limit)
}

// Wait is Until with a limit of its own.
func (p *Page) Wait(condition string, limit time.Duration) {
	p.t.Helper()
	expression := "(() => { try { return !!(" + condition + ") } catch (e) { return false } })()"
	deadline := time.Now().Add(limit)
	for {
		ctx, cancel := context.WithDeadline(p.ctx, deadline)
		// An error is a page that gives way to another.
		ok, err := chromedp.Run(ctx, chromedp.Evaluate[bool](expression))
		cancel()
		if ok && err == nil {
			return
		}
		if time.Now().After(deadline) || p.ctx.Err() != nil {
			p.fail(fmt.Sprintf("waited in vain for %s (%v)", condition, err))
		}
		time.Sleep(50 * time.Millisecond)
	}
}

// fail ends the test with what the page has said, and a picture of it.
func (p *Page) fail(why string) {
	p.t.Helper()
	var url string
	ctx, cancel := context.WithTimeout(p.ctx, 10*time.Second)
	defer cancel()
	url, _ = chromedp.Run(ctx, chromedp.Location())
	if data, err := chromedp.Run(ctx, chromedp.CaptureScreenshot()); err == nil {
		p.write("failed-"+p.t.Name(), data)
	}
	p.t.Fatalf("%s: %s\nerrors of the page: %q", url, why, p.Errors())
}

// Screenshot writes what is in the window as NAME.png.
func (p *Page) Screenshot(name string) {
	p.t.Helper()
	data, err := chromedp.Run(p.ctx, chromedp.CaptureScreenshot())
	if err != nil {
		p.t.Fatal(err)
	}
	p.write(name, data)
}

func (p *Page) write(name string, png []byte) {
	dir := os.Getenv(ScreenshotsVariable)
	if dir == "" {
		return
	}
	file := filepath.Join(dir, strings.NewReplacer("/", "-", " ", "-").Replace(name)+".png")
	if err := os.MkdirAll(dir, 0o755); err != nil {
		p.t.Error(err)
	}
	if err := os.WriteFile(file, png, 0o644); err != nil {
		p.t.Error(err)
	}
}

// Picture returns what is seen of the first element that a selector finds.
func (p *Page) Picture(selector string) image.Image {
	p.t.Helper()
	p.Center(selector)
	clip := Get[page.Viewport](p, fmt.Sprintf(`(() => {
		const r = document.querySelector(%q).getBoundingClientRect();
		return { x: r.left + scrollX, y: r.top + scrollY, width: r.width, height: r.height, scale: 1 };
	})()`, selector))
	shot := call(p, page.CaptureScreenshot, page.CaptureScreenshotParams{Clip: &clip})
	img, err := png.Decode(bytes.NewReader(shot.Data))
	if err != nil {
		p.t.Fatal(err)
	}
	return img
}
