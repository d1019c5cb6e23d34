// Package browsertest opens pages in a real Chromium and operates them as a reader would. Tests
// then read the contents of the page with JavaScript expressions.
//
// All tests of a package share one Chromium, which the package's TestMain must end:
//
//	func TestMain(m *testing.M) { os.Exit(browsertest.Main(m)) }
//
// Each page that Open opens is a tab with its own profile. Tests do not wait for a fixed time.
// Instead, they call Until, which waits until a condition is true. If the condition is still false at
// the time limit, Until fails the test and ends it.
package browsertest

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"image"
	"image/png"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/dom"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// Main runs the tests of a package and then ends Chromium if a test has started it. Main returns
// the exit status.
func Main(m *testing.M) int {
	defer func() { stop() }()
	return m.Run()
}

// stop ends the Chromium of this process. It does nothing if the function browser has not started
// Chromium.
var stop = func() {}

// browser starts Chromium on the first call. Later calls return the same browser.
var browser = sync.OnceValues(func() (context.Context, error) {
	path := find()
	if path == "" {
		return nil, fmt.Errorf("Chromium is not installed (Debian: apt-get install chromium)")
	}
	options := append(chromedp.DefaultExecAllocatorOptions[:], chromedp.ExecPath(path), chromedp.NoSandbox,
		chromedp.DisableGPU,
		chromedp.Flag("disable-quic", true), chromedp.Flag("disable-component-update", true),
		// Requests to local pages must bypass any proxy configured on this machine.
		chromedp.Flag("no-proxy-server", true))
	alloc, endProcess := chromedp.NewExecAllocator(context.Background(), options...)
	ctx, closeAll := chromedp.NewContext(alloc)
	stop = func() { closeAll(); endProcess() }
	return ctx, chromedp.Do(ctx)
})

func find() string {
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome"} {
		if path, err := exec.LookPath(name); err == nil {
			return path
		}
	}
	return ""
}

// A View describes the window in which a page is open. The zero View is a window of 1000 by 900
// pixels in light mode, with network access.
type View struct {
	Width, Height int
	Dark          bool // true if the reader prefers a dark page (prefers-color-scheme: dark)
	Offline       bool // true if the network is switched off
	Touch         bool // true if the window behaves like a touch screen
}

// A Page is a tab of the browser. It records the errors that occur in the tab, and the addresses that
// the tab requests.
type Page struct {
	t   testing.TB
	ctx context.Context

	mu       sync.Mutex
	errors   []string
	requests []string
}

// Open opens an address in a new tab and waits until the page has loaded. If Chromium is not
// installed, Open skips the test.
func Open(t testing.TB, url string, view View) *Page {
	t.Helper()
	if find() == "" {
		t.Skipf("%s needs Chromium (Debian: apt-get install chromium)", t.Name())
	}
	parent, err := browser()
	if err != nil {
		t.Fatalf("Chromium does not start: %v", err)
	}
	return open(t, parent, url, view, chromedp.WithNewBrowserContext())
}

// Tab opens an address in an additional tab, which shares the storage of tab p.
func (p *Page) Tab(url string, view View) *Page {
	p.t.Helper()
	return open(p.t, p.ctx, url, view)
}

func open(t testing.TB, parent context.Context, url string, view View, options ...chromedp.ContextOption) *Page {
	t.Helper()
	p := &Page{t: t}
	ctx, closeTab := chromedp.NewContext(parent, append(options, chromedp.WithListener(p.recordEvents))...)
	t.Cleanup(closeTab)
	p.ctx = ctx
	if err := chromedp.Do(ctx); err != nil { // This call creates the tab, which exists until ctx is cancelled.
		t.Fatal(err)
	}
	call(p, emulation.SetFocusEmulationEnabled, emulation.SetFocusEmulationEnabledParams{Enabled: true})
	call(p, emulation.SetDeviceMetricsOverride, emulation.SetDeviceMetricsOverrideParams{
		Width: int64(cmp.Or(view.Width, 1000)), Height: int64(cmp.Or(view.Height, 900)), DeviceScaleFactor: 1})
	scheme := "light"
	if view.Dark {
		scheme = "dark"
	}
	call(p, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{
		Features: []*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: scheme}}})
	if view.Touch {
		call(p, emulation.SetTouchEmulationEnabled, emulation.SetTouchEmulationEnabledParams{Enabled: true, MaxTouchPoints: 2})
	}
	if view.Offline {
		p.Offline()
	}
	p.Go(url)
	return p
}

// OpenHTML writes the HTML of a page to a temporary file and opens that file.
func OpenHTML(t testing.TB, page []byte) *Page {
	t.Helper()
	file := filepath.Join(t.TempDir(), "page.html")
	if err := os.WriteFile(file, page, 0o600); err != nil {
		t.Fatal(err)
	}
	return Open(t, "file://"+file, View{})
}

// Go navigates the tab to a different address.
func (p *Page) Go(url string) {
	p.t.Helper()
	p.runSteps(chromedp.Navigate(url))
}

// Reload reloads the page.
func (p *Page) Reload() {
	p.t.Helper()
	p.runSteps(chromedp.Reload())
}

// runSteps runs steps in the browser. If a step fails, or if the steps together take longer than
// actionTimeout, runSteps fails the test and ends it. See failNow.
func (p *Page) runSteps(steps ...chromedp.Action[chromedp.Void]) {
	p.t.Helper()
	ctx, cancel := context.WithTimeout(p.ctx, actionTimeout)
	defer cancel()
	if err := chromedp.Do(ctx, steps...); err != nil {
		p.failNow(err.Error())
	}
}

// call sends one command of the browser's protocol and returns the result.
func call[P, R any](p *Page, command cdp.Command[P, R], params P) R {
	p.t.Helper()
	ctx, cancel := context.WithTimeout(p.ctx, actionTimeout)
	defer cancel()
	answer, err := chromedp.Call(ctx, command, params)
	if err != nil {
		p.failNow(command.Method + ": " + err.Error())
	}
	return answer
}

// recordEvents receives the events of the tab. It records errors and requests, and ignores all
// other events.
func (p *Page) recordEvents(event any) {
	p.mu.Lock()
	defer p.mu.Unlock()
	switch e := event.(type) {
	case *runtime.EventExceptionThrown:
		text := e.ExceptionDetails.Text
		if o := e.ExceptionDetails.Exception; o != nil {
			text += " " + o.Description
		}
		p.errors = append(p.errors, text)
	case *runtime.EventConsoleAPICalled:
		if e.Type != runtime.ConsoleAPICalledTypeError && e.Type != runtime.ConsoleAPICalledTypeAssert {
			return
		}
		var words []string
		for _, a := range e.Args {
			words = append(words, strings.Trim(string(a.Value), `"`)+a.Description)
		}
		p.errors = append(p.errors, strings.Join(words, " "))
	case *log.EventEntryAdded:
		if e.Entry.Level == log.EntryLevelError {
			p.errors = append(p.errors, e.Entry.Text+" "+e.Entry.URL)
		}
	case *network.EventRequestWillBeSent:
		p.requests = append(p.requests, e.Request.URL)
	}
}

// Errors returns the errors that have occurred in the tab since it was opened. The list contains
// uncaught exceptions, messages of console.error, failed calls of console.assert, and errors in the
// browser's log, such as a resource that could not be loaded.
func (p *Page) Errors() []string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return append([]string(nil), p.errors...)
}

// Requests returns the addresses that the tab has requested.
func (p *Page) Requests() []string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return append([]string(nil), p.requests...)
}

// Point is a position in the window, in CSS pixels from the upper left corner.
type Point struct{ X, Y float64 }

// Center waits until an element matches a CSS selector, scrolls the first such element into the
// window, and returns the centre of this element.
func (p *Page) Center(selector string) Point {
	p.t.Helper()
	p.Until(fmt.Sprintf("document.querySelector(%q)", selector))
	return Get[Point](p, fmt.Sprintf(`(() => {
		const e = document.querySelector(%q);
		e.scrollIntoView({ block: "center", inline: "nearest", behavior: "instant" });
		const r = e.getBoundingClientRect();
		return { X: r.left + r.width / 2, Y: r.top + r.height / 2 };
	})()`, selector))
}

// Hover moves the mouse to a position in the window.
func (p *Page) Hover(at Point) {
	p.t.Helper()
	p.runSteps(chromedp.MouseEvent(input.DispatchMouseEventTypeMouseMoved, at.X, at.Y))
}

// Click clicks the left mouse button at a position in the window.
func (p *Page) Click(at Point) {
	p.t.Helper()
	p.Hover(at)
	p.runSteps(chromedp.MouseClickXY(at.X, at.Y))
}

// Drag presses the left mouse button at one position, moves the mouse to another position, and
// releases the button.
func (p *Page) Drag(from, to Point) {
	p.t.Helper()
	p.Hover(from)
	for i, kind := range []input.DispatchMouseEventType{input.DispatchMouseEventTypeMousePressed,
		input.DispatchMouseEventTypeMouseMoved, input.DispatchMouseEventTypeMouseReleased} {
		at := to
		if i == 0 {
			at = from
		}
		call(p, input.DispatchMouseEvent, input.DispatchMouseEventParams{Type: kind, X: at.X, Y: at.Y,
			Button: input.MouseButtonLeft, Buttons: 1, ClickCount: 1})
	}
}

// Swipe puts a finger on a touch screen at each position in `from`. In ten steps, it moves the
// fingers by dx and dy pixels, and then it lifts them. If there are two fingers, the second finger
// moves in the opposite direction.
func (p *Page) Swipe(dx, dy float64, from ...Point) {
	p.t.Helper()
	const steps = 10
	touch := func(kind input.DispatchTouchEventType, share float64) {
		e := input.DispatchTouchEventParams{Type: kind, TouchPoints: []*input.TouchPoint{}}
		for i, at := range from {
			if kind != input.DispatchTouchEventTypeTouchEnd {
				id, offset := float64(i), share*float64(1-2*i)
				e.TouchPoints = append(e.TouchPoints, &input.TouchPoint{X: at.X + offset*dx, Y: at.Y + offset*dy,
					ID: &id})
			}
		}
		call(p, input.DispatchTouchEvent, e)
	}
	touch(input.DispatchTouchEventTypeTouchStart, 0)
	for i := range steps {
		p.WaitForFrame()
		touch(input.DispatchTouchEventTypeTouchMove, float64(i+1)/steps)
	}
	touch(input.DispatchTouchEventTypeTouchEnd, 1)
}

// Wheel moves the mouse to a position in the window and turns the wheel by the given number of
// pixels. While the wheel turns, the modifiers, for example chromedp.ModifierShift, are held down.
func (p *Page) Wheel(at Point, pixels float64, modifiers ...chromedp.Modifier) {
	p.t.Helper()
	p.Hover(at)
	e := wheelEvent{Type: input.DispatchMouseEventTypeMouseWheel, X: at.X, Y: at.Y, DeltaY: pixels}
	for _, m := range modifiers {
		e.Modifiers |= int64(m)
	}
	call(p, cdp.Command[wheelEvent, cdp.Empty]{Method: input.CommandDispatchMouseEvent}, e)
}

// wheelEvent contains those fields of input.DispatchMouseEventParams that describe a turn of the
// mouse wheel. This type is necessary because the browser requires both deltas, but the JSON of
// input.DispatchMouseEventParams omits a delta of zero.
type wheelEvent struct {
	Type      input.DispatchMouseEventType `json:"type"`
	X         float64                      `json:"x"`
	Y         float64                      `json:"y"`
	Modifiers int64                        `json:"modifiers"`
	DeltaX    float64                      `json:"deltaX"`
	DeltaY    float64                      `json:"deltaY"`
}

// Type inserts text into the focused element in one step, as pasting does. Therefore an editor on
// the page does not add closing brackets or indentation.
func (p *Page) Type(text string) {
	p.t.Helper()
	call(p, input.InsertText, input.InsertTextParams{Text: text})
}

// Press presses the key of each character of a text, as a person does while typing. The browser
// inserts each character only if the page does not prevent the default action of the key event.
// While the keys are pressed, the modifiers are held down.
func (p *Page) Press(text string, modifiers ...chromedp.Modifier) {
	p.t.Helper()
	for _, r := range text {
		for _, event := range kb.Encode(r) {
			switch {
			case event.Type == kb.KeyDown && event.Key != "" && kb.Keys[r].Print:
				event.Text, event.UnmodifiedText = kb.Keys[r].Text, kb.Keys[r].Unmodified
			case event.Type == kb.KeyChar:
				continue
			}
			for _, m := range modifiers {
				event.Modifiers |= int64(m)
			}
			call(p, input.DispatchKeyEvent, *event)
		}
	}
}

// Key presses a key while the modifiers are held down. The argument `key` is the character of the key
// or a constant of package kb.
func (p *Page) Key(key string, modifiers ...chromedp.Modifier) {
	p.t.Helper()
	p.runSteps(chromedp.KeyEvent(key, chromedp.KeyModifiers(modifiers...)))
}

// actionTimeout is the time limit for a call of runSteps, call, Get or Until. If the call reaches the
// limit, the test fails and ends.
const actionTimeout = 2 * time.Minute

// ScreenshotsVariable is the environment variable that names the folder for screenshots. If it is
// not set, this package writes no screenshots.
const ScreenshotsVariable = "HYPERPLANE_SCREENSHOTS"

// Get returns the value of a JavaScript expression. If the value is a promise, Get waits for its
// result.
func Get[T any](p *Page, expression string) T {
	p.t.Helper()
	ctx, cancel := context.WithTimeout(p.ctx, actionTimeout)
	defer cancel()
	v, err := chromedp.Run(ctx, chromedp.Evaluate[T](expression, chromedp.EvalAwaitPromise))
	if err != nil {
		p.failNow(fmt.Sprintf("%s: %v", expression, err))
	}
	return v
}

// WaitForFrame waits until the browser has drawn the page, but at most a second, because on a busy
// machine the browser can stop drawing for minutes.
func (p *Page) WaitForFrame() {
	p.t.Helper()
	Get[bool](p, `new Promise((done) => {
		requestAnimationFrame(() => requestAnimationFrame(() => done(true)));
		setTimeout(() => done(true), 1000);
	})`)
}

// Until waits until a JavaScript expression is true. An expression that throws counts as false. If
// the expression is still false after two minutes, Until fails the test and ends it.
func (p *Page) Until(condition string) {
	p.t.Helper()
	p.Wait(condition, actionTimeout)
}

// Wait is like Until, but the caller chooses the time limit.
func (p *Page) Wait(condition string, limit time.Duration) {
	p.t.Helper()
	expression := "(() => { try { return !!(" + condition + ") } catch (e) { return false } })()"
	deadline := time.Now().Add(limit)
	for {
		ctx, cancel := context.WithDeadline(p.ctx, deadline)
		// An error can mean that the browser is still loading a new page. Therefore the loop
		// evaluates the expression again.
		ok, err := chromedp.Run(ctx, chromedp.Evaluate[bool](expression))
		cancel()
		if ok && err == nil {
			return
		}
		if time.Now().After(deadline) || p.ctx.Err() != nil {
			p.failNow(fmt.Sprintf("the condition %s did not become true (last error: %v)", condition, err))
		}
		time.Sleep(50 * time.Millisecond)
	}
}

// failNow fails the test and ends it. The failure message contains the address and the errors of the
// page. If ScreenshotsVariable is set, failNow first saves a screenshot.
func (p *Page) failNow(why string) {
	p.t.Helper()
	var url string
	ctx, cancel := context.WithTimeout(p.ctx, 10*time.Second)
	defer cancel()
	url, _ = chromedp.Run(ctx, chromedp.Location())
	if data, err := chromedp.Run(ctx, chromedp.CaptureScreenshot()); err == nil {
		p.write("failed-"+p.t.Name(), data)
	}
	p.t.Fatalf("%s: %s\nthe page reported the errors %q", url, why, p.Errors())
}

// Screenshot saves the contents of the window as NAME.png in the folder named by
// ScreenshotsVariable.
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

// Picture returns an image of the first element that matches a CSS selector.
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

// Offline makes the network unavailable to the page and its workers.
func (p *Page) Offline() {
	p.t.Helper()
	call(p, network.EmulateNetworkConditionsByRule, network.EmulateNetworkConditionsByRuleParams{
		MatchedNetworkConditions: []*network.Conditions{{Offline: true, DownloadThroughput: -1, UploadThroughput: -1}}})
}

// Choose selects a file in the first element that matches a CSS selector. This element must be a file
// input.
func (p *Page) Choose(selector, file string) {
	p.t.Helper()
	found := call(p, runtime.Evaluate,
		runtime.EvaluateParams{Expression: fmt.Sprintf("document.querySelector(%q)", selector)})
	if found.Result == nil || found.Result.ObjectID == "" {
		p.failNow("no element matches " + selector)
	}
	call(p, dom.SetFileInputFiles, dom.SetFileInputFilesParams{Files: []string{file}, ObjectID: found.Result.ObjectID})
}

// Before adds a script to the tab. On each page that the tab opens from now on, the script runs
// before the page's own scripts.
func (p *Page) Before(script string) {
	p.t.Helper()
	call(p, page.AddScriptToEvaluateOnNewDocument, page.AddScriptToEvaluateOnNewDocumentParams{Source: script})
}
