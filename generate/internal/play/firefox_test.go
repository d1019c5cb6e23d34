//go:build playtest

package play

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/hyperplane-notebooks/hyperplane/generate/internal/must"
)

// A fox is a page in Firefox. The test controls Firefox through the Marionette protocol: it sends
// WebDriver commands as JSON over TCP, each preceded by its length.
type fox struct {
	t    testing.TB
	conn net.Conn
	in   *bufio.Reader
	n    int
	log  *bytes.Buffer
}

// startFirefox starts Firefox without a window and opens a session.
func startFirefox(t *testing.T) *fox {
	t.Helper()
	browser, err := exec.LookPath("firefox-esr")
	if err != nil {
		if browser, err = exec.LookPath("firefox"); err != nil {
			t.Fatal("Firefox is not installed: run docker/setup.sh browser")
		}
	}
	free := must.Get(net.Listen("tcp", "127.0.0.1:0"))(t)
	address := free.Addr().String()
	must.Do(t, free.Close())
	_, port, err := net.SplitHostPort(address)
	must.Do(t, err)
	profile := t.TempDir()
	must.Write(t, filepath.Join(profile, "user.js"), fmt.Sprintf(`user_pref("network.proxy.type", 0);
user_pref("marionette.port", %s);
user_pref("browser.shell.checkDefaultBrowser", false);
user_pref("datareporting.policy.dataSubmissionEnabled", false);
user_pref("app.update.enabled", false);
`, port))
	ctx, stop := context.WithTimeout(t.Context(), 10*time.Minute)
	f := &fox{t: t, log: &bytes.Buffer{}}
	cmd := exec.CommandContext(ctx, browser, "--headless", "--no-remote", "--marionette", "--profile", profile)
	cmd.Stdout, cmd.Stderr = f.log, f.log
	cmd.Cancel = func() error { return cmd.Process.Signal(os.Interrupt) }
	cmd.WaitDelay = 10 * time.Second
	must.Do(t, cmd.Start())
	t.Cleanup(func() { stop(); _ = cmd.Wait() })
	for f.conn == nil {
		if f.conn, err = net.Dial("tcp", address); err != nil {
			f.conn = nil
			if ctx.Err() != nil {
				t.Fatalf("Firefox does not accept connections: %v\n%s", err, f.log)
			}
			time.Sleep(50 * time.Millisecond)
		}
	}
	t.Cleanup(func() { f.conn.Close() })
	f.in = bufio.NewReader(f.conn)
	f.read() // the greeting
	f.do("WebDriver:NewSession", map[string]any{"strictFileInteractability": true})
	return f
}

// read returns the next message from Firefox, without the length in front of it.
func (f *fox) read() []byte {
	f.t.Helper()
	head, err := f.in.ReadString(':')
	if err != nil {
		f.t.Fatalf("Firefox: %v", err)
	}
	n, err := strconv.Atoi(strings.TrimSuffix(head, ":"))
	must.Do(f.t, err)
	text := make([]byte, n)
	must.Get(io.ReadFull(f.in, text))(f.t)
	return text
}

// do sends a command and returns its result.
func (f *fox) do(command string, params map[string]any) json.RawMessage {
	f.t.Helper()
	f.n++
	text := must.Get(json.Marshal([]any{0, f.n, command, params}))(f.t)
	must.Get(fmt.Fprintf(f.conn, "%d:%s", len(text), text))(f.t)
	var reply [4]json.RawMessage // a reply is a list: type, number, error and result
	must.Do(f.t, json.Unmarshal(f.read(), &reply))
	if string(reply[2]) != "null" {
		f.t.Fatalf("%s: %s", command, reply[2])
	}
	return reply[3]
}

func (f *fox) open(address string) {
	f.t.Helper()
	f.do("WebDriver:Navigate", map[string]any{"url": address})
}

func (f *fox) get(expression string) string {
	f.t.Helper()
	var v struct{ Value string }
	must.Do(f.t, json.Unmarshal(f.do("WebDriver:ExecuteScript",
		map[string]any{"script": "return String(" + expression + ")", "args": []any{}}), &v))
	return v.Value
}

func (f *fox) until(condition string) {
	f.t.Helper()
	for end := time.Now().Add(3 * time.Minute); f.get(condition) != "true"; time.Sleep(50 * time.Millisecond) {
		if time.Now().After(end) {
			f.t.Fatalf("Firefox: timed out waiting for %s; the page shows\n%s", condition, f.get("document.body.innerText"))
		}
	}
}

// press clicks on an element after the element has stopped moving.
func (f *fox) press(selector string) {
	f.t.Helper()
	at := fmt.Sprintf(`(() => {
		const e = document.querySelector(%q);
		e.scrollIntoView({ block: "center", behavior: "instant" });
		const r = e.getBoundingClientRect(), x = Math.round(r.left + r.width / 2), y = Math.round(r.top + Math.min(r.height / 2, 200));
		return e.contains(document.elementFromPoint(x, y)) ? JSON.stringify([x, y]) : "";
	})()`, selector)
	f.until(fmt.Sprintf("document.querySelector(%q) !== null", selector))
	place, before := "", "-"
	for place == "" || place != before {
		before = place
		place = f.get(at)
		time.Sleep(50 * time.Millisecond)
	}
	var p [2]int
	must.Do(f.t, json.Unmarshal([]byte(place), &p))
	f.act("pointer", map[string]any{"type": "pointerMove", "x": p[0], "y": p[1]},
		map[string]any{"type": "pointerDown", "button": 0}, map[string]any{"type": "pointerUp", "button": 0})
}

func (f *fox) act(device string, actions ...map[string]any) {
	f.t.Helper()
	f.do("WebDriver:PerformActions",
		map[string]any{"actions": []any{map[string]any{"type": device, "id": device, "actions": actions}}})
}

func (f *fox) keys(text string) {
	f.t.Helper()
	for _, r := range text {
		if r == '\n' {
			r = rune(enter)
		}
		f.letter(r)
	}
}

func (f *fox) chord(k key, modifiers ...key) { f.t.Helper(); f.letter(rune(k), modifiers...) }
func (f *fox) letter(r rune, modifiers ...key) {
	f.t.Helper()
	var down, up []map[string]any
	for _, m := range modifiers {
		down = append(down, map[string]any{"type": "keyDown", "value": string(m)})
		up = append(up, map[string]any{"type": "keyUp", "value": string(m)})
	}
	down = append(down, map[string]any{"type": "keyDown", "value": string(r)},
		map[string]any{"type": "keyUp", "value": string(r)})
	f.act("key", append(down, up...)...)
}

// TestFirefox checks that Firefox compiles and judges answers in the page, and that the keys of all
// printable ASCII characters and the shortcuts work in the editors, as in Chromium.
func TestFirefox(t *testing.T) {
	t.Parallel()
	site, f := serveSite(t), startFirefox(t)
	testTyping(t, f, site)
	testEditing(t, f, site)
	f.open(addressOf(site, find(t, "prml-4.25")))
	awaitLoaded(f)
	for _, tt := range []struct{ answer, want string }{
		{"math.Sqrt(math.Pi / 8)", "Your number is λ, not λ²"}, {"math.Pi / 8", "passed: all 3 parts right"},
		{"mth.Pi", "undefined: mth"},
	} {
		f.press(".cm-content")
		f.letter('a', control)
		f.keys("func LambdaSquared() float64 { return " + tt.answer + " }")
		f.press(`[data-call^="Check("]`)
		f.until(`document.getElementById("play").dataset.busy === ""`)
		must.Contain(t,
			f.get(`document.getElementById("play-report").textContent + document.getElementById("play-says").textContent`), tt.want)
	}
}
