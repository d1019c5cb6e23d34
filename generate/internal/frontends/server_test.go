// Package frontends contains only tests. The tests use the notebooks as a reader would: with a real
// browser and the real kernel, in the classic Notebook and in JupyterLab. They also read the site
// without a network.
//
// The tests take minutes and need the container image. Therefore they run only if
// HYPERPLANE_FRONTENDS is set. The command `make test-image` sets this variable in its gate named
// “browser”.
package frontends

import (
	"bytes"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/hyperplane-notebooks/hyperplane/generate/internal/browsertest"
	"github.com/hyperplane-notebooks/hyperplane/generate/internal/must"
)

// root is the path from this package to the repository.
const root = "../../.."

// server is a Jupyter server with a temporary folder for the learner. The test starts the server
// with the command that a user would use.
type server struct {
	work    string // the learner's folder
	address string // http://127.0.0.1:PORT/BASE/
	token   string
}

// startServer starts Jupyter with a command of the repository and waits until Jupyter responds. It
// adds the variables in `environment` to the command's environment, and replaces {port} in them with a
// free port and {base} with `base`. The variable HYPERPLANE_WORK names the learner's folder. At the end
// of the test, startServer stops Jupyter.
func startServer(t *testing.T, work, base string, command []string, environment ...string) *server {
	t.Helper()
	port := freePort(t)
	cmd := exec.Command(command[0], command[1:]...)
	cmd.Dir = root
	for i, e := range environment {
		environment[i] = strings.NewReplacer("{port}", port, "{base}", base).Replace(e)
	}
	cmd.Env = append(os.Environ(), append(environment, "HYPERPLANE_WORK="+work)...)
	said := &safeBuffer{}
	cmd.Stdout, cmd.Stderr = said, said
	// The command gets its own process group, so that the test can kill all of its processes.
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	must.Do(t, cmd.Start())
	ended := make(chan error, 1)
	go func() { ended <- cmd.Wait() }()

	s := &server{work: work, address: "http://127.0.0.1:" + port + base}
	t.Cleanup(func() {
		if s.token != "" {
			s.callAPI(http.MethodPost, "api/shutdown")
		}
		select {
		case <-ended:
		case <-time.After(time.Minute):
			syscall.Kill(-cmd.Process.Pid, syscall.SIGTERM)
			<-ended
			t.Errorf("Jupyter did not stop within a minute; it printed\n%s", said)
		}
	})
	token := regexp.MustCompile(`token=([0-9a-f]{32,})`)
	for deadline := time.Now().Add(5 * time.Minute); ; time.Sleep(200 * time.Millisecond) {
		if m := token.FindStringSubmatch(said.String()); m != nil {
			s.token = m[1]
			if status, _ := s.callAPI(http.MethodGet, "api/status"); status == http.StatusOK {
				return s
			}
		}
		select {
		case err := <-ended:
			ended <- err
			t.Fatalf("Jupyter ended: %v; it printed\n%s", err, said)
		default:
		}
		if time.Now().After(deadline) {
			t.Fatalf("Jupyter has not answered within five minutes; it printed\n%s", said)
		}
	}
}

func freePort(t *testing.T) string {
	t.Helper()
	l := must.Get(net.Listen("tcp", "127.0.0.1:0"))(t)
	defer l.Close()
	_, port, _ := net.SplitHostPort(l.Addr().String())
	return port
}

// callAPI calls the server's API. If the server does not respond, it returns the status 0.
func (s *server) callAPI(method, path string) (status int, body []byte) {
	request, err := http.NewRequest(method, s.address+path, nil)
	if err != nil {
		return 0, nil
	}
	request.Header.Set("Authorization", "token "+s.token)
	answer, err := http.DefaultClient.Do(request)
	if err != nil {
		return 0, nil
	}
	defer answer.Body.Close()
	body, _ = io.ReadAll(answer.Body)
	return answer.StatusCode, body
}

// startNotebook starts the classic Notebook of Debian 12 with the command that `make lab` runs.
func startNotebook(t *testing.T, base string) *server {
	t.Helper()
	version := must.Get(exec.Command("jupyter-notebook", "--version").Output())(t)
	if !strings.HasPrefix(string(version), "6.") {
		t.Fatalf("jupyter-notebook is version %s; these tests need the classic Notebook, version 6 (Debian 12: apt-get install jupyter-notebook)", version)
	}
	work, own := t.TempDir(), t.TempDir()
	copyNotebooks(t, work)
	return startServer(t, work, base, []string{"docker/lab.sh"}, "HYPERPLANE_SERVER=jupyter-notebook",
		"LAB_ARGS=--no-browser --ip=127.0.0.1 --port={port} --NotebookApp.port_retries=0 --NotebookApp.base_url={base}",
		"JUPYTER_CONFIG_DIR="+own, "JUPYTER_DATA_DIR="+own, "JUPYTER_RUNTIME_DIR="+own)
}

// startLab starts JupyterLab in the container image. The image itself copies the notebooks to the
// learner's folder.
func startLab(t *testing.T, base string) *server {
	t.Helper()
	return startServer(t, t.TempDir(), base,
		[]string{"docker/image.sh", "run", "lab", "--LabApp.expose_app_in_browser=True",
			"--ServerApp.base_url=" + base}, "HYPERPLANE_PORT={port}")
}

// copyNotebooks copies the notebooks to the learner's folder as `make lab` does.
func copyNotebooks(t *testing.T, work string) {
	t.Helper()
	generate := must.Get(filepath.Abs(filepath.Join(root, ".tools/bin/generate")))(t)
	cmd := exec.Command(generate, "notebooks", "--work", work)
	cmd.Dir = root
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%s (built by `make setup`): %v\n%s", generate, err, out)
	}
}

// endKernels shuts down all kernels, because an open notebook needs about 150 MB of memory.
func (s *server) endKernels(t *testing.T) {
	t.Helper()
	_, body := s.callAPI(http.MethodGet, "api/sessions")
	for _, m := range regexp.MustCompile(`"id": ?"([0-9a-f-]{36})", ?"path"`).FindAllSubmatch(body, -1) {
		if status, said := s.callAPI(http.MethodDelete, "api/sessions/"+string(m[1])); status != http.StatusNoContent {
			t.Errorf("for the request to end session %s, the server returned the status %d, want 204; it says: %s", m[1], status, said)
		}
	}
}

// safeBuffer is a buffer that a test can read while a process writes to it.
type safeBuffer struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (s *safeBuffer) Write(p []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.b.Write(p)
}

func (s *safeBuffer) String() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.b.String()
}

func TestMain(m *testing.M) {
	if os.Getenv("HYPERPLANE_FRONTENDS") == "" {
		fmt.Println("not run: HYPERPLANE_FRONTENDS is not set; the gate “browser” of `make test-image` sets it")
		os.Exit(0)
	}
	os.Exit(browsertest.Main(m))
}
