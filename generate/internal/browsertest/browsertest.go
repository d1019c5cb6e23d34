// Package browsertest opens pages in a real Chromium, acts on them as a reader
// would, and tells tests what was seen.
//
// One Chromium serves all tests of a package, which end it by their TestMain:
//
//	func TestMain(m *testing.M) { os.Exit(browsertest.Main(m)) }
//
// Each page is a tab with a profile of its own. Nothing here sleeps to be sure:
// Until waits for a condition, with a limit that only a fault reaches.
package browsertest

import (
	"cmp"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
)

// Main runs the tests of a package and then ends Chromium, if one was started. It
// returns the status to exit with.
func Main(m *testing.M) int {
	defer func() { stop() }()
	return m.Run()
}

// stop ends the Chromium of this process.
var stop = func() {}

// browser starts the Chromium of this process, once.
var browser = sync.OnceValues(func() (context.Context, error) {
	path := find()
	if path == "" {
		return nil, fmt.Errorf("Chromium is not installed (Debian: apt-get install chromium)")
	}
	options := append(chromedp.DefaultExecAllocatorOptions[:], chromedp.ExecPath(path), chromedp.NoSandbox, chromedp.DisableGPU,
		chromedp.Flag("disable-quic", true), chromedp.Flag("disable-component-update", true),
		// A proxy of this machine has no business with pages that come from it.
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

// View is how a page is looked at. The zero View is a window of 1000 by 900 pixels,
// light, with the network that there is.
type View struct {
	Width, Height int
	Dark          bool // prefers-color-scheme
	Offline       bool // the network is switched off
}

// Page is a tab of the browser, and what was heard from it.
type Page struct {
	t   testing.TB
	ctx context.Context

	mu       sync.Mutex
	errors   []string
	requests []string
}

// Open opens an address in a new tab and waits until it has loaded. It skips the
// test, by name, where there is no Chromium.
func Open(t testing.TB, url string, view View) *Page {
	t.Helper()
	if find() == "" {
		t.Skipf("%s needs Chromium (Debian: apt-get install chromium)", t.Name())
	}
	parent, err := browser()
	if err != nil {
		t.Fatalf("Chromium does not start: %v", err)
	}
	p := &Page{t: t}
	ctx, closeTab := chromedp.NewContext(parent, chromedp.WithNewBrowserContext(), chromedp.WithListener(p.hear))
	t.Cleanup(closeTab)
	p.ctx = ctx
	if err := chromedp.Do(ctx); err != nil { // makes the tab, which lives as long as the context given now
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
	if view.Offline {
		p.Offline()
	}
	p.Go(url)
	return p
}

// OpenHTML opens a page that is given by its text, as a file.
func OpenHTML(t testing.TB, page []byte) *Page {
	t.Helper()
	file := filepath.Join(t.TempDir(), "page.html")
	if err := os.WriteFile(file, page, 0o600); err != nil {
		t.Fatal(err)
	}
	return Open(t, "file://"+file, View{})
}

// Go takes the tab to another address.
func (p *Page) Go(url string) {
	p.t.Helper()
	p.do(chromedp.Navigate(url))
}

// Reload loads the page anew.
func (p *Page) Reload() {
	p.t.Helper()
	p.do(chromedp.Reload())
}

// do has the browser do something, and ends the test with a picture of the page where
// that fails.
func (p *Page) do(steps ...chromedp.Action[chromedp.Void]) {
	p.t.Helper()
	ctx, cancel := context.WithTimeout(p.ctx, limit)
	defer cancel()
	if err := chromedp.Do(ctx, steps...); err != nil {
		p.fail(err.Error())
	}
}

// call sends one command of the browser's protocol.
func call[P, R any](p *Page, command cdp.Command[P, R], params P) R {
	p.t.Helper()
	ctx, cancel := context.WithTimeout(p.ctx, limit)
	defer cancel()
	answer, err := chromedp.Call(ctx, command, params)
	if err != nil {
		p.fail(command.Method + ": " + err.Error())
	}
	return answer
}

// hear notes errors and requests.
func (p *Page) hear(event any) {
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

// Errors returns what the page has complained of since it was opened: exceptions,
// console.error, and what the browser could not load.
func (p *Page) Errors() []string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return append([]string(nil), p.errors...)
}

// Requests returns the addresses that the page has asked for.
func (p *Page) Requests() []string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return append([]string(nil), p.requests...)
}
