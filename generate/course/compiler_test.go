package course

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/spf13/cobra"

	"github.com/hyperplane-notebooks/hyperplane/generate/internal/must"
	"github.com/hyperplane-notebooks/hyperplane/generate/internal/play"
)

// TestListen checks that listen chooses one of the next ports if the usual port is in use. If the
// caller requests any other address whose port is in use, listen must return an error.
func TestListen(t *testing.T) {
	taken := must.Get(net.Listen("tcp", "127.0.0.1:0"))(t)
	defer taken.Close()
	address := taken.Addr().String()
	other := must.Get(listen(address, address))(t)
	defer other.Close()
	port := func(l net.Listener) int { return l.Addr().(*net.TCPAddr).Port }
	if n := port(other) - port(taken); n < 1 || n > 100 {
		t.Errorf("listen chose %s, want one of the 100 ports after %s, which is in use", other.Addr(), address)
	}
	third := must.Get(listen(address, address))(t)
	defer third.Close()
	if port(third) <= port(other) {
		t.Errorf("listen chose %s, want a free port after %s, which is in use", third.Addr(), other.Addr())
	}
	_, err := listen(address, usualAddress)
	must.Fail(t, err, address, "address already in use")
}

// TestTimeLeft checks the estimate of the remaining time of a build. The estimate must depend on
// how long the completed share of the build took. It must decrease even while the child process
// reports no progress.
func TestTimeLeft(t *testing.T) {
	b := &compilerBuild{begun: time.Now().Add(-200 * time.Second), estimated: usualBuild}
	if left := b.State().Left; left != 0 {
		t.Errorf("got %v seconds left after more than the usual time without progress, want 0", left)
	}
	b.recordProgress(0.5)
	first := b.State().Left
	b.begun = b.begun.Add(-100 * time.Second) // as if 100 seconds had passed
	if then := b.State().Left; first < 199 || first > 300 || then > first-100 || then <= 0 {
		t.Errorf("got %v seconds left when half of the build was done, and %v seconds left 100 seconds later; want 199 to 300, then at least 100 less, but above 0", first, then)
	}
}

// TestServePreparing checks that the server reports the expected build time to a page without a
// compiler. If the server ends or is killed, the child process that builds the compiler must end
// and remove its unfinished files.
func TestServePreparing(t *testing.T) {
	for _, tt := range []struct {
		name string
		end  syscall.Signal
		all  bool // true to send the signal to the server and its children; false to send it only to the server
	}{
		{"Ctrl-C", syscall.SIGINT, true},
		{"closed terminal", syscall.SIGHUP, true},
		{"interrupted alone", syscall.SIGINT, false},
		{"killed", syscall.SIGKILL, false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			dir, reuse, temp := t.TempDir(), t.TempDir(), t.TempDir()
			must.Write(t, filepath.Join(dir, "index.html"), "<p>here")
			old := filepath.Join(dir, filepath.FromSlash(play.ManifestPath))
			cmd := process(t, "site", "--serve=127.0.0.1:0", "--as-is", "--out", dir, "--reuse", reuse)
			cmd.Env = append(cmd.Env, "TMPDIR="+temp)
			cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
			out := must.Get(cmd.StdoutPipe())(t)
			must.Do(t, cmd.Start())
			lines := bufio.NewReader(out)
			said := must.Get(lines.ReadString('\n'))(t)
			at, _, _ := strings.Cut(strings.TrimPrefix(said, "serving "), " ")
			// Wait until the child process runs the go command, because only then are there
			// temporary files that the process must remove.
			waitUntil(t, "the go command begins",
				func() bool { return len(must.Get(filepath.Glob(temp+"/*/go-build*"))(t)) > 0 })
			answer := must.Get(http.Get(at + play.Folder + "/preparing.json"))(t)
			var state play.State
			must.Do(t, json.NewDecoder(answer.Body).Decode(&state))
			must.Do(t, answer.Body.Close())
			if state.Left <= 0 || state.Failed != "" {
				t.Errorf("preparing.json contains the state %+v, want a remaining time above 0 and no error", state)
			}
			to := cmd.Process.Pid
			if tt.all {
				to = -to
			}
			must.Do(t, syscall.Kill(to, tt.end))
			if err := cmd.Wait(); tt.end == syscall.SIGINT && err != nil {
				t.Errorf("after SIGINT the server ended with the error %v, want no error", err)
			}
			waitUntil(t, "the folder for temporary files is empty",
				func() bool { return len(must.Get(os.ReadDir(temp))(t)) == 0 })
			if made := must.Get(os.ReadDir(reuse))(t); len(made) > 0 {
				t.Errorf("the unfinished build left the files %v in the folder --reuse", made)
			}
			if _, err := os.Stat(old); err == nil {
				t.Error("the manifest exists although the compiler was not built")
			}
		})
	}
}

// TestServeAgain checks that a server keeps the compiler of its site if the compiler was built from
// the current sources. The test also checks that hasCompiler returns false for other sources.
func TestServeAgain(t *testing.T) {
	dir := t.TempDir()
	at := func(p string) string { return filepath.Join(dir, filepath.FromSlash(p)) }
	root, module, err := openModule()
	must.Do(t, err)
	inputs := must.Get(compilerInputs(module))(t)
	must.Write(t, at(play.ManifestPath), "the manifest")
	must.Write(t, at(inputsPath), inputs)
	cmd, out := &cobra.Command{}, &bytes.Buffer{}
	ctx, stop := context.WithCancel(t.Context())
	cmd.SetContext(ctx)
	cmd.SetOut(out)
	l := must.Get(play.Listen("127.0.0.1:0"))(t)
	done := make(chan error)
	go func() { done <- serveSite(cmd, l, root, dir, "", true) }()
	answer := must.Get(http.Get("http://" + l.Addr().String() + "/" + play.ManifestPath))(t)
	text := must.Get(io.ReadAll(answer.Body))(t)
	must.Do(t, answer.Body.Close())
	stop()
	must.Do(t, <-done)
	if string(text) != "the manifest" || strings.Contains(out.String(), "building") {
		t.Errorf("the server serves the manifest %q and prints %s; want the existing manifest and no new build", text, out)
	}
	if hasCompiler(dir, inputs+"x") || !hasCompiler(dir, inputs) {
		t.Errorf("hasCompiler returned %t for the current sources and %t for other sources, want true and false",
			hasCompiler(dir, inputs), hasCompiler(dir, inputs+"x"))
	}
}

// TestServeFailed checks a server that cannot build the compiler. The terminal must show the
// reason, and so must the file preparing.json, which the pages read. The terminal must also explain
// how to try again, and the server must continue.
func TestServeFailed(t *testing.T) {
	dir, path := t.TempDir(), t.TempDir()
	must.Write(t, filepath.Join(dir, "index.html"), "<p>here")
	real := must.Get(exec.LookPath("go"))(t)
	fake := "#!/bin/sh\n[ \"$1\" != build ] || { echo no room on the disk >&2; exit 1; }\nexec '" + real + "' \"$@\"\n"
	must.Do(t, os.WriteFile(filepath.Join(path, "go"), []byte(fake), 0o755))
	cmd := process(t, "site", "--serve=127.0.0.1:0", "--as-is", "--out", dir, "--reuse", t.TempDir())
	cmd.Env = append(cmd.Env, "PATH="+path+":"+os.Getenv("PATH"))
	out, said := must.Get(cmd.StdoutPipe())(t), must.Get(cmd.StderrPipe())(t)
	must.Do(t, cmd.Start())
	first := must.Get(bufio.NewReader(out).ReadString('\n'))(t)
	at, _, _ := strings.Cut(strings.TrimPrefix(first, "serving "), " ")
	var state play.State
	waitUntil(t, "preparing.json reports the failure", func() bool {
		answer := must.Get(http.Get(at + play.Folder + "/preparing.json"))(t)
		defer answer.Body.Close()
		must.Do(t, json.NewDecoder(answer.Body).Decode(&state))
		return state.Failed != ""
	})
	must.Contain(t, state.Failed, "no room on the disk")
	lines := bufio.NewScanner(said)
	printed := ""
	for !strings.Contains(printed, "run the same command") && lines.Scan() {
		printed += lines.Text() + "\n"
	}
	must.Contain(t, printed, "cannot build the compiler", "no room on the disk", "run the same command")
	must.Do(t, cmd.Process.Signal(os.Interrupt))
	must.Do(t, cmd.Wait())
}

// waitUntil waits until `condition` returns true. If this takes more than two minutes, waitUntil
// fails the test.
func waitUntil(t *testing.T, what string, condition func() bool) {
	t.Helper()
	for deadline := time.Now().Add(2 * time.Minute); !condition(); time.Sleep(50 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatalf("after two minutes, still waiting until %s", what)
		}
	}
}
