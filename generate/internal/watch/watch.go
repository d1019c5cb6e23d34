// Package watch detects changed files. It also tells pages that are open in a browser to reload.
// Only a server for the author of a course uses this package. Sites that are built for publication
// do not contain the package's script.
package watch

import (
	"bytes"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"net/http"
	"path"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"
)

// A stamp contains properties of a file that change when somebody changes the file.
type stamp struct {
	size     int64
	modified time.Time
}

// Files detects changes to the files below some folders. It ignores hidden files and folders, backup
// files whose names end in ~, and folders named testdata. It compares times and sizes, because events of
// the file system are not reliable: they can miss a file that the go command or an editor has replaced.
type Files struct {
	module  fs.FS
	folders []string
	known   map[string]stamp
}

// NewFiles returns a Files for the given folders of the module. The first call of Changed reports
// the changes since this call of NewFiles.
func NewFiles(module fs.FS, folders ...string) (*Files, error) {
	f := &Files{module: module, folders: folders}
	var err error
	f.known, err = f.stamps()
	return f, err
}

func (f *Files) stamps() (map[string]stamp, error) {
	found := map[string]stamp{}
	for _, folder := range f.folders {
		err := fs.WalkDir(f.module, folder, func(p string, d fs.DirEntry, err error) error {
			name := path.Base(p)
			if err == nil && d.IsDir() && p != "." && (name == "testdata" || strings.HasPrefix(name, ".")) {
				return fs.SkipDir
			}
			if err != nil || d.IsDir() || strings.HasPrefix(name, ".") || strings.HasSuffix(name, "~") {
				return ignoreMissing(err)
			}
			info, err := d.Info()
			if err != nil {
				return ignoreMissing(err)
			}
			found[p] = stamp{info.Size(), info.ModTime()}
			return nil
		})
		if err != nil {
			return nil, err
		}
	}
	return found, nil
}

// ignoreMissing returns nil if err says that a file does not exist, and otherwise err. A missing
// file is no problem, because an editor may remove a file for a moment.
func ignoreMissing(err error) error {
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
}

// Changed returns the sorted paths of the files that were written, created or removed since the
// last call.
func (f *Files) Changed() ([]string, error) {
	now, err := f.stamps()
	if err != nil {
		return nil, err
	}
	var changed []string
	for p, s := range now {
		if old, ok := f.known[p]; !ok || old != s {
			changed = append(changed, p)
		}
	}
	for p := range f.known {
		if _, ok := now[p]; !ok {
			changed = append(changed, p)
		}
	}
	f.known = now
	slices.Sort(changed)
	return changed, nil
}

// Address is the address at which the pages ask for changes. The pages use POST, because the site's
// service worker caches the replies to other requests.
const Address = "/watch"

// newsTimeout is the longest time for which the server delays its reply to a page that asks for
// news.
const newsTimeout = 25 * time.Second

// News sends two things to the pages: the paths of the site's changed files, and the errors in the
// sources.
type News struct {
	mu      sync.Mutex
	version int64            // number of the latest change
	first   int64            // value of version before the first change
	changed map[string]int64 // maps a file of the site to the number of the file's latest change
	failed  string
	wake    chan struct{} // closed when the next change occurs
}

// NewNews returns a News that contains no changes yet. The numbers of its changes are larger than
// all numbers that an earlier server has used.
func NewNews() *News {
	first := time.Now().UnixMilli()
	return &News{version: first, first: first, changed: map[string]int64{}, wake: make(chan struct{})}
}

// Tell tells the pages that the site's files with the given paths have changed. It also sends the
// errors in the sources, or "" if there is no error.
func (n *News) Tell(failed string, changed ...string) {
	n.mu.Lock()
	defer n.mu.Unlock()
	if failed == n.failed && len(changed) == 0 {
		return
	}
	n.version++
	n.failed = failed
	for _, p := range changed {
		n.changed[p] = n.version
	}
	close(n.wake)
	n.wake = make(chan struct{})
}

// A reply is the answer to a page that asks for news. If Restarted is true, the page was loaded
// from an earlier server, so every file may have changed.
type reply struct {
	Version   int64    `json:"version"`
	Changed   []string `json:"changed"`
	Failed    string   `json:"failed"`
	Restarted bool     `json:"restarted"`
}

// since returns the news about all changes after the change with the given number. It also returns
// a channel that is closed when the next change occurs.
func (n *News) since(version int64) (reply, <-chan struct{}) {
	n.mu.Lock()
	defer n.mu.Unlock()
	r := reply{Version: n.version, Changed: []string{}, Failed: n.failed,
		Restarted: version < n.first || version > n.version}
	for _, p := range slices.Sorted(maps.Keys(n.changed)) {
		if n.changed[p] > version {
			r.Changed = append(r.Changed, p)
		}
	}
	return r, n.wake
}

//go:embed reload.js
var script string

// Handler answers requests for news. It passes all other requests to the handler `next`. To every
// page that `next` serves, it adds a script that requests news.
func (n *News) Handler(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == Address {
			n.awaitNews(w, r)
			return
		}
		ext := path.Ext(r.URL.Path)
		if r.Method != http.MethodGet || !slices.Contains([]string{"", ".html", ".css", ".js"}, ext) {
			next.ServeHTTP(w, r)
			return
		}
		for _, name := range []string{"If-Modified-Since", "If-None-Match", "Range"} {
			// Remove the header, so that the browser gets the whole file and does not reuse its
			// copy. The file's modification time cannot tell whether the copy is still valid: it
			// stays the same if the added script has changed, and its resolution is one second.
			r.Header.Del(name)
		}
		page := &buffer{header: w.Header(), code: http.StatusOK}
		// Get the number of the latest change before the file is read. If the file changes while it is
		// read, the page then asks for changes after this number, and reloads.
		news, _ := n.since(0)
		next.ServeHTTP(page, r)
		text := page.text.Bytes()
		if strings.HasPrefix(w.Header().Get("Content-Type"), "text/html") {
			failed, _ := json.Marshal(news.Failed) // in JSON, < is escaped, so the text of the error cannot end the script
			fill := strings.NewReplacer("VERSION", fmt.Sprint(news.Version), "FAILED", string(failed))
			own := "<script>" + fill.Replace(script) + "</script>\n</body>"
			text = bytes.Replace(text, []byte("</body>"), []byte(own), 1)
			w.Header().Del("Content-Length")
			w.Header().Del("Last-Modified")
		}
		w.WriteHeader(page.code)
		_, _ = w.Write(text) // ignore an error: the browser has disconnected
	})
}

// awaitNews replies to a page that asks for news. If there is no news yet, it first waits for news, but
// at most for the time newsTimeout.
func (n *News) awaitNews(w http.ResponseWriter, r *http.Request) {
	text, err := io.ReadAll(http.MaxBytesReader(w, r.Body, 100))
	var version int64
	if err == nil {
		version, err = strconv.ParseInt(string(text), 10, 64)
	}
	if err != nil || r.Method != http.MethodPost {
		http.Error(w, "invalid request: want POST with the number of the last change that the page has received", http.StatusBadRequest)
		return
	}
	news, wake := n.since(version)
	if news.Version == version {
		select {
		case <-wake:
		case <-r.Context().Done():
		case <-time.After(newsTimeout):
		}
		news, _ = n.since(version)
	}
	w.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(w).Encode(news) // ignore an error: the browser has disconnected
}

// buffer is a ResponseWriter that stores the text of a response, so that Handler can add the script.
type buffer struct {
	header http.Header
	code   int
	text   bytes.Buffer
}

func (b *buffer) Header() http.Header                { return b.header }
func (b *buffer) WriteHeader(code int)               { b.code = code }
func (b *buffer) Write(text []byte) (n int, _ error) { return b.text.Write(text) }
