package play

import (
	"context"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"testing"

	"github.com/hyperplane-notebooks/hyperplane/generate/internal/must"
)

// TestListen checks that Listen rejects invalid addresses, and addresses that other machines may be able
// to reach.
func TestListen(t *testing.T) {
	for address, want := range map[string]string{
		"0.0.0.0:0": "other machines", ":0": "other machines", "192.0.2.1:0": "other machines",
		"example.org:0": "other machines", "8080": "invalid address",
	} {
		_, err := Listen(address)
		must.Fail(t, err, address, want)
	}
}

// TestServe checks that the server sends the Content-Security-Policy, the right media type, and the state
// of the compiler, and that it stops when its context is cancelled.
func TestServe(t *testing.T) {
	dir := t.TempDir()
	must.Do(t, os.WriteFile(filepath.Join(dir, "play.wasm"), []byte("x"), 0o600))
	l := must.Get(Listen("127.0.0.1:0"))(t)
	ctx, stop := context.WithCancel(t.Context())
	done := make(chan error)
	go func() { done <- Serve(ctx, l, Handler(dir, func() State { return State{Left: 60} })) }()
	answer := must.Get(http.Get("http://" + l.Addr().String() + "/play.wasm"))(t)
	text := must.Get(io.ReadAll(answer.Body))(t)
	must.Do(t, answer.Body.Close())
	if string(text) != "x" || answer.Header.Get("Content-Security-Policy") != Policy ||
		answer.Header.Get("Content-Type") != "application/wasm" {
		t.Errorf("got the body %q with the headers %v, want x with the policy and the type application/wasm", text, answer.Header)
	}
	answer = must.Get(http.Get("http://" + l.Addr().String() + "/assets/play/preparing.json"))(t)
	text = must.Get(io.ReadAll(answer.Body))(t)
	must.Do(t, answer.Body.Close())
	if string(text) != "{\"left\":60,\"failed\":\"\"}\n" {
		t.Errorf("got the state %q of the compiler, want 60 seconds left and no failure", text)
	}
	stop()
	must.Do(t, <-done)
}
