package play

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"net/http"
	"time"
)

// Policy is the Content-Security-Policy under which the site works. It forbids loading anything
// from other sites. It allows WebAssembly for the compiler. It allows eval because the pages unpack
// the chart library and run it.
const Policy = "default-src 'self'; script-src 'self' 'unsafe-inline' 'unsafe-eval' 'wasm-unsafe-eval'; style-src 'self' 'unsafe-inline'; img-src 'self' data: blob:; font-src 'self' data:"

// A State describes the progress of building the site's compiler while the site is served.
type State struct {
	Left   float64 `json:"left"`   // approximate time left, in seconds
	Failed string  `json:"failed"` // reason why the build failed; "" if it did not fail
}

// Handler returns a handler that serves the folder of a site with the headers that a host should
// send. A page that does not find the compiler requests the file preparing.json. If `state` is not
// nil, the handler answers this request with the result of `state` as JSON.
func Handler(dir string, state func() State) http.Handler {
	files := http.FileServer(http.Dir(dir))
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		h := w.Header()
		h.Set("Content-Security-Policy", Policy)
		h.Set("X-Content-Type-Options", "nosniff")
		h.Set("Cache-Control", "no-cache") // before the browser uses a stored file, it asks whether the file has changed
		if state != nil && r.URL.Path == "/"+Folder+"/preparing.json" {
			h.Set("Content-Type", "application/json")
			_ = json.NewEncoder(w).Encode(state()) // ignore the error, because the page requests the state again later
			return
		}
		files.ServeHTTP(w, r)
	})
}

// Listen listens on an address that only this machine can reach. It rejects every other address.
func Listen(address string) (net.Listener, error) {
	host, _, err := net.SplitHostPort(address)
	if err != nil {
		return nil, fmt.Errorf("invalid address %q: %w; want a form such as 127.0.0.1:8080", address, err)
	}
	if ip := net.ParseIP(host); host != "localhost" && (ip == nil || !ip.IsLoopback()) {
		return nil, fmt.Errorf("other machines may be able to reach %s, want 127.0.0.1 or localhost: this server is for your own browser only; for other readers, copy the site's folder to a host of static files", address)
	}
	return net.Listen("tcp", address)
}

// Serve serves a site until ctx is done. The handler `h` usually comes from [Handler].
func Serve(ctx context.Context, l net.Listener, h http.Handler) error {
	server := &http.Server{Handler: h, ReadHeaderTimeout: 10 * time.Second}
	stop := context.AfterFunc(ctx, func() { _ = server.Close() })
	defer stop()
	if err := server.Serve(l); !errors.Is(err, http.ErrServerClosed) {
		return err
	}
	return nil
}
