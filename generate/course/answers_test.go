package course

import (
	"bytes"
	"maps"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"gopkg.in/yaml.v3"

	"github.com/hyperplane-notebooks/hyperplane/generate/internal/must"
	"github.com/hyperplane-notebooks/hyperplane/generate/internal/nbformat"
)

// podCommands contains the command lines of the two containers that the example docker/kubernetes
// starts in a pod.
type podCommands struct{ answers, judge string }

// podOf reads the command lines of the two containers from the Kubernetes manifest. The argument
// `names` contains pairs of strings. In the command lines, podOf replaces the first string of each
// pair with the second.
func podOf(t *testing.T, names ...string) podCommands {
	t.Helper()
	type container struct{ Args []string }
	var job struct {
		Spec struct {
			Template struct {
				Spec struct {
					InitContainers []container `yaml:"initContainers"`
					Containers     []container
				}
			}
		}
	}
	must.Do(t, yaml.Unmarshal([]byte(must.Read(t, filepath.Join(moduleRoot(t), "docker/kubernetes/grade.yaml"))), &job))
	p := job.Spec.Template.Spec
	r := strings.NewReplacer(names...)
	return podCommands{r.Replace(strings.Join(p.InitContainers[0].Args, " ")), r.Replace(p.Containers[0].Args[0])}
}

// startAnswers starts `generate answers` in a separate process, with the command line that the pod
// uses. The process creates its socket and its temporary files in `dir`. startAnswers returns when
// the process accepts connections.
func startAnswers(t *testing.T, dir string) (cmd *exec.Cmd, ended chan error) {
	t.Helper()
	socket := filepath.Join(dir, "s")
	cmd = process(t, strings.Fields(podOf(t, "/run/hyperplane/answers.sock", socket).answers)...)
	cmd.Env = append(cmd.Env, "TMPDIR="+dir)
	var said bytes.Buffer
	cmd.Stderr = &said
	must.Do(t, cmd.Start())
	ended = make(chan error, 1)
	go func() { ended <- cmd.Wait() }()
	for {
		if c, err := net.Dial("unix", socket); err == nil {
			must.Do(t, c.Close())
			return cmd, ended
		}
		select {
		case err := <-ended:
			t.Fatalf("the server ended before it accepted connections: %v %s", err, &said)
		case <-time.After(20 * time.Millisecond):
		}
	}
}

// shortDir creates a folder with a short path and returns the path. Tests create Unix sockets in
// this folder, because the system limits the path of a Unix socket to about 100 bytes.
func shortDir(t *testing.T) string {
	t.Helper()
	dir := must.Get(os.MkdirTemp("", "hp-"))(t)
	t.Cleanup(func() { os.RemoveAll(dir) })
	return dir
}

// newAnswersClass creates a class in which each learner submits an answer to PRML 4.25. The
// argument `bodies` maps a learner's id to the body of the function LambdaSquared in this learner's
// answer.
func newAnswersClass(t *testing.T, bodies map[string]string) (course, in string) {
	t.Helper()
	dir := t.TempDir()
	course, in = filepath.Join(dir, "course"), filepath.Join(dir, "in")
	roster := "id,name\n"
	// Sort the ids, so that the command `grade` judges the answers in the order of the ids.
	for _, id := range slices.Sorted(maps.Keys(bodies)) {
		roster += id + "," + id + "\n"
	}
	must.Write(t, filepath.Join(dir, "roster.csv"), roster)
	run(t, "class", filepath.Join(dir, "roster.csv"), "--exercises", "prml-4.25", "--out", course)
	for id, body := range bodies {
		nb := must.Get(nbformat.ReadFile(filepath.Join(course, "release", id, "prml-4.25.ipynb")))(t)
		nb.Cell(nbformat.ID("prml-4.25", "stub")).Source = "func LambdaSquared() float64 {\n\t" + body +
			"\n}\n\nfunc SigmoidSlope() float64 { return 0.25 }\nfunc ProbitSlope(lambda float64) float64 { panic(verify.TODO) }\n"
		must.Do(t, os.MkdirAll(filepath.Join(in, id), 0o755))
		must.Do(t, nb.WriteFile(filepath.Join(in, id, "prml-4.25.ipynb")))
	}
	return course, in
}

// TestGradeAnswers judges the same answers twice: first in a sandbox on this machine, and then in
// two shards with the two commands that docker/kubernetes runs in a pod. Both runs must write the
// same files with grades, byte for byte.
func TestGradeAnswers(t *testing.T) {
	dir := t.TempDir()
	course, in := newAnswersClass(t, map[string]string{
		"right": "return math.Pi / 8", "wrong": "return -8 / math.Pi", "stub": "panic(verify.TODO)",
		"panics":  "var v []float64\n\treturn v[0]",
		"endless": "for {\n\t}", "not-compiled": "return x", "refused": "return float64(len(os.Args))",
	})
	t.Chdir(moduleRoot(t))
	at := shortDir(t)
	socket := filepath.Join(at, "s")
	server, ended := startAnswers(t, at)
	args := func(out string, more ...string) []string {
		return append([]string{"grade", in, "--class", course, "--cpu", "1s", "--out", filepath.Join(dir, out)},
			more...)
	}
	runApart(t, 0, args("here"), "right prml-4.25: 1 of 1 points", "endless prml-4.25: 0 of 1 points, out of time",
		"refused prml-4.25: 0 of 1 points, Refused")
	shards := filepath.Join(dir, "shards")
	command := podOf(t, "/opt/hyperplane/docker/entrypoint.sh", must.Get(os.Executable())(t), " /hand-ins ", " "+in+" ",
		" /class ", " "+course+" ",
		" /grades ", " "+shards+" ", "/run/hyperplane/answers.sock", socket).judge
	for _, index := range []string{"0", "1"} {
		cmd := exec.Command("/bin/sh", "-c", command+" --cpu 1s")
		cmd.Env = append(os.Environ(), asCommand+"=1", "SHARDS=2", "JOB_COMPLETION_INDEX="+index)
		if text, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("%s: %v\n%s", command, err, text)
		}
	}
	must.Do(t, server.Process.Signal(syscall.SIGTERM))
	must.Do(t, <-ended)
	if left := must.Get(os.ReadDir(at))(t); len(left) > 0 {
		t.Errorf("the server left the files %v behind", left)
	}
	runApart(t, 0, []string{"grade", "--merge", shards, "--class", course, "--out", filepath.Join(dir, "there")},
		"7 results, of which 0 are missing")
	here, there := must.Tree(t, filepath.Join(dir, "here")), must.Tree(t, filepath.Join(dir, "there"))
	delete(there, "state/.shards/1-of-2")
	delete(there, "state/.shards/2-of-2")
	for path, text := range here {
		if there[path] != text {
			t.Errorf("the file %s of the sandbox\n%s\ndiffers from the file of the pod\n%s", path, text, there[path])
		}
	}
	if len(here) != len(there) || !strings.Contains(here["results.json"], "TimedOut") {
		t.Errorf("got %d files from the sandbox and %d files from the pod, want the same number; want an answer with the status TimedOut in results.json, got\n%s", len(here), len(there), here["results.json"])
	}
	// If no server listens on the socket, the command `grade` must fail. Otherwise it would give 0
	// points to answers that nobody has judged.
	runApart(t, exitBad, args("none", "--answers", socket), "no server for answers at "+socket)
	runApart(t, exitBad, args("none", "--answers", socket, "--no-isolation"), "cannot be combined")
	if _, err := os.Stat(filepath.Join(dir, "none", "grades.csv")); err == nil {
		t.Error("the command wrote grades although no server judged the answers")
	}
}

// TestGradeAnswersKilled kills the answers server while it judges Bob's answer. The result of this
// answer must have the status Failed. The next run, with a new server at the same socket, must judge
// Bob's next answer and keep Ada's result.
func TestGradeAnswersKilled(t *testing.T) {
	out := t.TempDir()
	course, in := newAnswersClass(t, map[string]string{"ada": "return math.Pi / 8", "bob": "for {\n\t}"})
	t.Chdir(moduleRoot(t))
	at := shortDir(t)
	server, ended := startAnswers(t, at)
	go func() {
		for t.Context().Err() == nil {
			if programs, _ := filepath.Glob(filepath.Join(at, "*", "jobs", "*", "answer")); len(programs) > 0 {
				if text, err := os.ReadFile(filepath.Join(out, "state", "ada", "prml-4.25.json")); err == nil && strings.Contains(string(text), "Right") {
					// Ignore the error of Kill: if the server still runs, a check below fails.
					_ = server.Process.Kill()
					return
				}
			}
			time.Sleep(10 * time.Millisecond)
		}
	}()
	args := []string{"grade", in, "--class", course, "--out", out, "--jobs", "1", "--answers", filepath.Join(at, "s"),
		"--cpu", "60s"}
	runApart(t, exitBad, args, "ada prml-4.25: 1 of 1 points", "bob prml-4.25: the judge", "the answers server at")
	if err := <-ended; err == nil {
		t.Fatal("the server was not killed")
	}
	must.Contain(t, must.Read(t, filepath.Join(out, "results.json")), `"status": "Failed"`, "this is not your fault")
	startAnswers(t, at)
	nb := filepath.Join(in, "bob", "prml-4.25.ipynb")
	must.Write(t, nb, strings.Replace(must.Read(t, nb), "for {", "for range 1 {", 1))
	runApart(t, 0, args, "ada prml-4.25: as before", "bob prml-4.25: 0 of 1 points, NotCompiled")
}

// TestAnswersSocket checks that listenAt replaces the socket of a server that has ended. listenAt
// must return an error if the socket is in use, or if its path is an ordinary file.
func TestAnswersSocket(t *testing.T) {
	dir := t.TempDir()
	socket := filepath.Join(dir, "s")
	l := must.Get(listenAt(socket))(t)
	_, err := listenAt(socket)
	must.Fail(t, err, "another server already listens at")
	l.(*net.UnixListener).SetUnlinkOnClose(false)
	must.Do(t, l.Close())
	must.Do(t, must.Get(listenAt(socket))(t).Close())
	must.Write(t, socket, "a file")
	_, err = listenAt(socket)
	must.Fail(t, err, "address already in use")
	if must.Read(t, socket) != "a file" {
		t.Error("listenAt has changed the ordinary file at the path, want it unchanged")
	}
}
