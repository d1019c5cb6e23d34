//go:build playtest

package play

import (
	"bytes"
	"context"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/hyperplane-notebooks/hyperplane/generate/internal/must"
)

// smoke works in a page as a learner does, and sends home what the page says: so no
// protocol of the browser is needed.
const smoke = `
const $ = (id) => document.getElementById("play-" + id), pause = () => new Promise((done) => setTimeout(done, 100));
const until = async (f) => { while (!f()) await pause(); };
(async () => {
	await until(() => $("state").textContent.includes("ready") || !$("load").hidden);
	$("load").click();
	await until(() => $("state").textContent.includes("is ready"));
	const said = [];
	for (const answer of ["math.Sqrt(math.Pi / 8)", "math.Pi / 8", "mth.Pi"]) {
		const view = document.querySelector(".cm-content").cmTile.view;
		view.dispatch({ changes: { from: 0, to: view.state.doc.length, insert: "func LambdaSquared() float64 { return " + answer + " }" } });
		document.querySelector("[data-call^=Check]").click();
		await pause();
		await until(() => document.getElementById("play").dataset.busy === "");
		said.push($("report").textContent + $("says").textContent);
	}
	fetch("/said", { method: "POST", body: said.join("\n") });
})().catch((e) => fetch("/said", { method: "POST", body: "failed: " + e }));
`

// Firefox compiles and judges in the page as Chromium does.
func TestFirefox(t *testing.T) {
	t.Parallel()
	browser, err := exec.LookPath("firefox-esr")
	if err != nil {
		if browser, err = exec.LookPath("firefox"); err != nil {
			t.Fatal("Firefox is not installed: docker/setup.sh browser")
		}
	}
	files, said := Handler(siteFolder(t)), make(chan string, 1)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch {
		case r.URL.Path == "/said":
			text, _ := io.ReadAll(r.Body)
			said <- string(text)
		case r.URL.Path == "/smoke.js":
			w.Header().Set("Content-Type", "text/javascript")
			_, _ = io.WriteString(w, smoke)
		case strings.HasSuffix(r.URL.Path, ".html"):
			page := must.Read(t, filepath.Join(siteFolder(t), filepath.FromSlash(r.URL.Path)))
			w.Header().Set("Content-Security-Policy", Policy)
			_, _ = io.WriteString(w, strings.Replace(page, "</body>", `<script src="/smoke.js" defer></script></body>`, 1))
		default:
			files.ServeHTTP(w, r)
		}
	}))
	defer server.Close()
	profile := t.TempDir()
	must.Write(t, filepath.Join(profile, "user.js"), `user_pref("network.proxy.type", 0);
user_pref("browser.shell.checkDefaultBrowser", false);
user_pref("datareporting.policy.dataSubmissionEnabled", false);
user_pref("app.update.enabled", false);
`)
	ctx, stop := context.WithTimeout(t.Context(), 3*time.Minute)
	defer stop()
	var log bytes.Buffer
	cmd := exec.CommandContext(ctx, browser, "--headless", "--no-remote", "--profile", profile, addressOf(server.URL, find(t, "prml-4.25")))
	cmd.Stdout, cmd.Stderr = &log, &log
	cmd.Cancel = func() error { return cmd.Process.Signal(os.Interrupt) }
	cmd.WaitDelay = 10 * time.Second
	began := time.Now()
	must.Do(t, cmd.Start())
	defer func() { stop(); _ = cmd.Wait() }()
	select {
	case text := <-said:
		must.Contain(t, text, "Your number is λ, not λ²", "passed: all 3 parts right", "undefined: mth")
		t.Logf("loaded, and three answers judged, in %v", time.Since(began).Round(time.Second/10))
	case <-ctx.Done():
		t.Errorf("Firefox said nothing:\n%s", &log)
	}
}
