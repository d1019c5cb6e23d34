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

// Policy is the Content-Security-Policy under which the site works: nothing from
// elsewhere, WebAssembly, in which the compiler is, and the library of the charts, which
// comes compressed and is evaluated.
const Policy = "default-src 'self'; script-src 'self' 'unsafe-inline' 'unsafe-eval' 'wasm-unsafe-eval'; style-src 'self' 'unsafe-inline'; img-src 'self' data: blob:; font-src 'self' data:"

// A State is how far the compiler is that is built while the site is served.
type State struct {
	Left   float64 `json:"left"`   // seconds, about
	Failed string  `json:"failed"` // why there will be none
}

// Handler serves the folder of a site with the headers that a host should send. Unless state
// is nil it tells a page that finds no compiler what state says.
func Handler(dir string, state func() State) http.Handler {
	files := http.FileServer(http.Dir(dir))
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		h := w.Header()
		h.Set("Content-Security-Policy", Policy)
		h.Set("X-Content-Type-Options", "nosniff")
		h.Set("Cache-Control", "no-cache") // asked again each time, answered by "not modified"
		if state != nil && r.URL.Path == "/"+Folder+"/preparing.json" {
			h.Set("Content-Type", "application/json")
			_ = json.NewEncoder(w).Encode(state()) // else the page asks again
			return
		}
		files.ServeHTTP(w, r)
	})
}

// Listen listens on an address of this machine that no other machine can reach.
func Listen(address string) (net.Listener, error) {
	host, _, err := net.SplitHostPort(address)
	if err != nil {
		return nil, fmt.Errorf("%q is no address: %w; write one as 127.0.0.1:8080", address, err)
	}
	if ip := net.ParseIP(host); host != "localhost" && (ip == nil || !ip.IsLoopback()) {
		return nil, fmt.Errorf("%s can be reached from other machines: this server is for your own browser, on 127.0.0.1 or localhost; for others put the folder on any static host", address)
	}
	return net.Listen("tcp", address)
}

// Serve serves the folder of a site until ctx is done; see [Handler].
func Serve(ctx context.Context, l net.Listener, dir string, state func() State) error {
	server := &http.Server{Handler: Handler(dir, state), ReadHeaderTimeout: 10 * time.Second}
	stop := context.AfterFunc(ctx, func() { _ = server.Close() })
	defer stop()
	if err := server.Serve(l); !errors.Is(err, http.ErrServerClosed) {
		return err
	}
	return nil
}
