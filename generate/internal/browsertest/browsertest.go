// Package browsertest opens pages in a real Chromium, acts on them as a reader
// would, and tells tests what was seen.
package browsertest

import (
	"context"
	"encoding/json"
	"html"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"
)

// Seen is what became of a page.
type Seen struct {
	Result  json.RawMessage // what the script returned
	Errors  []string        // of the page: exceptions, and what it wrote to console.error
	DOM     string          // the page in the end
	Console string          // all that the browser said
}

// prelude gathers errors from the start; actions runs the test's script when the
// page is there, and leaves its result on the page.
const (
	prelude = `<script>
globalThis.pageErrors = [];
addEventListener("error", function (e) { pageErrors.push(String(e.message)); });
addEventListener("unhandledrejection", function (e) { pageErrors.push(String(e.reason)); });
console.error = (function (log) { return function () { pageErrors.push(Array.from(arguments).join(" ")); log.apply(console, arguments); }; })(console.error);
</script>`
	actions = `<script>
(async function () {
  function sleep(ms) { return new Promise(function (done) { setTimeout(done, ms); }); }
  async function until(condition) { for (var i = 0; i < 200 && !condition(); i++) await sleep(50); if (!condition()) throw new Error("waited in vain for " + condition); }
  var result = null;
  try { result = await (async function () { %SCRIPT% })(); } catch (e) { pageErrors.push("script: " + e); }
  var out = document.createElement("pre");
  out.id = "browsertest";
  out.textContent = JSON.stringify({ result: result, errors: pageErrors });
  document.body.appendChild(out);
})();
</script>`
)

var written = regexp.MustCompile(`(?s)<pre id="browsertest">(.*?)</pre>`)

// Open opens a page in Chromium, runs script on it (the body of an async function,
// which has sleep(ms) and until(condition) and returns what JSON can hold) and
// returns what was seen. It skips the test, by name, where there is no Chromium.
func Open(t *testing.T, page []byte, script string) Seen {
	t.Helper()
	chromium := find(t)
	dir := t.TempDir()
	text := strings.Replace(string(page), "<head>", "<head>"+prelude, 1)
	if !strings.Contains(text, prelude) {
		text = prelude + text
	}
	text += strings.Replace(actions, "%SCRIPT%", script, 1)
	file := filepath.Join(dir, "page.html")
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, chromium, "--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
		"--disable-background-networking", "--disable-component-update", "--disable-sync", "--user-data-dir="+filepath.Join(dir, "user"),
		"--window-size=1000,900", "--virtual-time-budget=60000", "--enable-logging=stderr", "--dump-dom", "file://"+file)
	var out, said strings.Builder
	cmd.Stdout, cmd.Stderr = &out, &said
	cmd.WaitDelay = 5 * time.Second
	if err := cmd.Run(); err != nil {
		t.Fatalf("%s: %v\n%s", chromium, err, said.String())
	}
	seen := Seen{DOM: out.String(), Console: said.String()}
	m := written.FindStringSubmatch(seen.DOM)
	if m == nil {
		t.Fatalf("the page did not come to an end; the browser said:\n%s", said.String())
	}
	var end struct {
		Result json.RawMessage
		Errors []string
	}
	if err := json.Unmarshal([]byte(html.UnescapeString(m[1])), &end); err != nil {
		t.Fatal(err)
	}
	seen.Result, seen.Errors = end.Result, end.Errors
	return seen
}

// Read decodes what the script returned into v.
func (s Seen) Read(t *testing.T, v any) {
	t.Helper()
	if err := json.Unmarshal(s.Result, v); err != nil {
		t.Fatalf("the script returned %s: %v; errors of the page: %q", s.Result, err, s.Errors)
	}
}

func find(t *testing.T) string {
	t.Helper()
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome"} {
		if path, err := exec.LookPath(name); err == nil {
			return path
		}
	}
	t.Skipf("%s needs Chromium (Debian: apt-get install chromium)", t.Name())
	return ""
}
