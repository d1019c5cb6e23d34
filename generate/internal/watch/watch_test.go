package watch

import (
	"context"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/hyperplane-notebooks/hyperplane/generate/internal/browsertest"
	"github.com/hyperplane-notebooks/hyperplane/generate/internal/must"
	"github.com/hyperplane-notebooks/hyperplane/generate/internal/play"
)

func TestMain(m *testing.M) { os.Exit(browsertest.Main(m)) }

// TestChanged checks that Changed lists each file that was written, created or removed. The next
// call must not list the file again. Changed must ignore the temporary files of editors, folders
// named testdata, and all folders except the given folder, which can be the whole module.
func TestChanged(t *testing.T) {
	dir := t.TempDir()
	at := func(name string) string { return filepath.Join(dir, filepath.FromSlash(name)) }
	must.Write(t, at("a/b/written.md"), "1")
	must.Write(t, at("a/removed.md"), "1")
	must.Write(t, at("other/c.md"), "1")
	f := must.Get(NewFiles(os.DirFS(dir), "a"))(t)
	whole := must.Get(NewFiles(os.DirFS(dir), "."))(t)
	if got := must.Get(f.Changed())(t); len(got) > 0 {
		t.Errorf("nothing has changed, but Changed returns %q", got)
	}
	must.Write(t, at("a/b/written.md"), "12")
	must.Write(t, at("a/created.md"), "1")
	must.Write(t, at("a/testdata/x.md"), "1")
	must.Write(t, at("a/.created.md.swp"), "1")
	must.Write(t, at("a/created.md~"), "1")
	must.Write(t, at("other/c.md"), "12")
	must.Do(t, os.Remove(at("a/removed.md")))
	want := []string{"a/b/written.md", "a/created.md", "a/removed.md"}
	if got := must.Get(f.Changed())(t); !slices.Equal(got, want) {
		t.Errorf("Changed returns %q, want %q", got, want)
	}
	if got := must.Get(whole.Changed())(t); !slices.Equal(got, append(want, "other/c.md")) {
		t.Errorf("for the folder \".\", Changed returns %q, want %q", got, append(want, "other/c.md"))
	}
	if got := must.Get(f.Changed())(t); len(got) > 0 {
		t.Errorf("nothing has changed since the last call, but Changed returns %q", got)
	}
}

// request requests the news after the change with the given number, as a page does.
func request(t *testing.T, h http.Handler, since int64) reply {
	t.Helper()
	w := httptest.NewRecorder()
	h.ServeHTTP(w, httptest.NewRequest(http.MethodPost, Address, strings.NewReader(strconv.FormatInt(since, 10))))
	var r reply
	must.Do(t, json.Unmarshal(w.Body.Bytes(), &r))
	return r
}

// TestNews checks that a page receives every change since the last change that it knows, and the
// latest error. A page that was loaded from an earlier server must learn that the server has restarted.
func TestNews(t *testing.T) {
	n := NewNews()
	h := n.Handler(http.NotFoundHandler())
	start := n.version
	n.Tell("", "a.html", "b.html")
	n.Tell("", "b.html")
	n.Tell("a.md:3: wrong")
	n.Tell("a.md:3: wrong") // the page already has this error, so it is not news
	if r := request(t, h, start); r.Version != start+3 || !slices.Equal(r.Changed, []string{"a.html", "b.html"}) ||
		r.Failed != "a.md:3: wrong" || r.Restarted {
		t.Errorf("a page that knows no change gets the reply %+v, want the number of the third change, both pages, the error and no restart", r)
	}
	if r := request(t, h, start+1); !slices.Equal(r.Changed, []string{"b.html"}) {
		t.Errorf("a page that knows the first change gets the reply %+v, want only b.html", r)
	}
	n.Tell("")
	if r := request(t, h, start+3); r.Failed != "" || len(r.Changed) > 0 {
		t.Errorf("after the error is fixed, a page gets the reply %+v, want no error and no changed file", r)
	}
	if r := request(t, h, 5); !r.Restarted {
		t.Errorf("a page of an earlier server gets the reply %+v, want Restarted", r)
	}
	for _, bad := range []*http.Request{
		httptest.NewRequest(http.MethodGet, Address, nil),
		httptest.NewRequest(http.MethodPost, Address, strings.NewReader("x")),
		httptest.NewRequest(http.MethodPost, Address, strings.NewReader(strings.Repeat("1", 200))),
	} {
		w := httptest.NewRecorder()
		if h.ServeHTTP(w, bad); w.Code != http.StatusBadRequest {
			t.Errorf("%s: got the status %d, want 400", bad.Method, w.Code)
		}
	}
}

// A waitContext is a context that informs a test when a goroutine begins to wait for the end of the
// context.
type waitContext struct {
	context.Context
	requested chan struct{}
}

func (w waitContext) Done() <-chan struct{} {
	close(w.requested)
	return w.Context.Done()
}

// TestWait checks that a request waits for the next change, and ends when the reader leaves the
// page.
func TestWait(t *testing.T) {
	n := NewNews()
	number := func() io.Reader { return strings.NewReader(strconv.FormatInt(n.version, 10)) }
	waiting, answers := waitContext{t.Context(), make(chan struct{})}, make(chan string)
	go func() {
		w := httptest.NewRecorder()
		n.awaitNews(w, httptest.NewRequest(http.MethodPost, Address, number()).WithContext(waiting))
		answers <- w.Body.String()
	}()
	select {
	case text := <-answers:
		t.Fatalf("got a reply without news: %s", text)
	case <-waiting.requested:
	}
	n.Tell("", "a.html")
	if text := <-answers; !strings.Contains(text, `"changed":["a.html"]`) {
		t.Errorf("got the reply %s, want the changed file a.html", text)
	}
	ctx, leave := context.WithCancel(t.Context())
	leave()
	w := httptest.NewRecorder()
	question := httptest.NewRequest(http.MethodPost, Address, number())
	n.awaitNews(w, question.WithContext(ctx))
	if !strings.Contains(w.Body.String(), `"changed":[]`) {
		t.Errorf("after the reader has left the page, got the reply %s, want no changed file", w.Body)
	}
}

// TestHandler checks that the server adds the script to pages, and only to pages.
func TestHandler(t *testing.T) {
	dir := t.TempDir()
	const page, data = "<html><body><h1>A</h1></body></html>", "</body>"
	must.Write(t, filepath.Join(dir, "index.html"), page)
	must.Write(t, filepath.Join(dir, "data.bin"), data)
	n := NewNews()
	n.Tell("a.md:1: </script>")
	server := httptest.NewServer(n.Handler(http.FileServer(http.Dir(dir))))
	defer server.Close()
	get := func(path string) (string, *http.Response) {
		request := must.Get(http.NewRequestWithContext(t.Context(), http.MethodGet, server.URL+path, nil))(t)
		request.Header.Set("If-Modified-Since", "Wed, 01 Jan 2200 00:00:00 GMT")
		answer := must.Get(http.DefaultClient.Do(request))(t)
		defer answer.Body.Close()
		return string(must.Get(io.ReadAll(answer.Body))(t)), answer
	}
	text, answer := get("/")
	must.Contain(t, text, "<h1>A</h1>", "let version = "+strconv.FormatInt(n.version, 10), `say("a.md:1: \u003c/script\u003e")`)
	if answer.StatusCode != http.StatusOK || strings.Count(text, "</script>") != 1 {
		t.Errorf("got the status %s and the page %s, want 200 and a page with one script", answer.Status, text)
	}
	if _, answer := get("/data.bin"); answer.StatusCode != http.StatusNotModified {
		t.Errorf("got the status %s for a binary file, want 304, the status of the file server", answer.Status)
	}
	if _, answer := get("/absent.html"); answer.StatusCode != http.StatusNotFound {
		t.Errorf("for a missing page, got the status %s, want 404", answer.Status)
	}
	if got := must.Read(t, filepath.Join(dir, "index.html")); got != page {
		t.Errorf("the handler has changed the file on disk: %s", got)
	}
}

// TestReload checks in a browser when a page reloads: only if one of its files has changed, or if the
// server has started again. The page must show the errors in the sources until they are fixed, without
// reloading.
func TestReload(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string) { must.Write(t, filepath.Join(dir, name), text) }
	const style = `<link rel="stylesheet" href="site.css"></head><body><h1>`
	write("index.html", "<html><head>"+style+"old</h1></body></html>")
	write("site.css", "h1 { color: rgb(1, 2, 3) }")
	n := NewNews()
	var handler atomic.Value // handler of the server that is currently running
	handler.Store(n.Handler(play.Handler(dir, nil)))
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		handler.Load().(http.Handler).ServeHTTP(w, r)
	}))
	page := browsertest.Open(t, server.URL+"/", browsertest.View{})
	t.Cleanup(func() { page.Go("about:blank"); server.CloseClientConnections(); server.Close() })
	mark := func() { browsertest.Get[bool](page, `window.marked = true`) }
	const kept, heading, box = `window.marked`, `document.querySelector("h1").textContent`, `document.querySelector("#watch-failed")`

	mark()
	n.Tell("", "other.html")
	n.Tell("a.md:3: <b>unknown</b> name")
	page.Until(box + `.textContent === "a.md:3: <b>unknown</b> name" && ` + box + `.getBoundingClientRect().height > 0`)
	if !browsertest.Get[bool](page, kept+` && `+heading+` === "old"`) {
		t.Error("the page loaded again, although only an error was reported and a different page has changed")
	}
	n.Tell("")
	page.Until(box + ` === null && ` + kept)

	write("index.html", "<html><head>"+style+"fresh</h1></body></html>")
	n.Tell("", "index.html")
	page.Until(heading + ` === "fresh" && !` + kept)
	mark()
	write("site.css", "h1 { color: rgb(7, 8, 9) }")
	n.Tell("", "site.css")
	page.Until(`getComputedStyle(document.querySelector("h1")).color === "rgb(7, 8, 9)" && !` + kept)

	mark()
	n.Tell("a.md:3: an error")
	page.Until(box + ` !== null && ` + kept)
	restarted := NewNews()
	restarted.first, restarted.version = n.version+10, n.version+10
	handler.Store(restarted.Handler(play.Handler(dir, nil)))
	// At the end of the test, make the server answer the open requests, because Close waits for
	// these requests.
	t.Cleanup(func() { page.Go("about:blank"); n.Tell("end"); restarted.Tell("end") })
	n.Tell("") // answer the request that the page has sent to the earlier server
	page.Until(box + ` === null && !` + kept)
}
