package runner

import (
	"bufio"
	"bytes"
	"context"
	"crypto/rand"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"github.com/hyperplane-notebooks/hyperplane/exercises"
	"github.com/hyperplane-notebooks/hyperplane/generate/internal/nbformat"
)

//go:embed runner.py
var script string

// job is what runner.py is told.
type job struct {
	Kernel     string   `json:"kernel"`
	Folder     string   `json:"folder"`  // where the kernel runs
	Private    string   `json:"private"` // what to remove if the Go side cannot
	Cells      []string `json:"cells"`   // sources
	Startup    float64  `json:"startup"` // seconds to wait for the kernel
	Timeout    float64  `json:"timeout"` // seconds for a cell
	Grace      float64  `json:"grace"`   // seconds for an interrupted cell to end
	StreamCap  int      `json:"stream_cap"`
	DisplayCap int      `json:"display_cap"`

	person bool // the cells are a person's, whose progress is recorded
}

// event is what runner.py tells; its doc string says when which field is set.
type event struct {
	Event   string          `json:"event"`
	Cell    int             `json:"cell"`
	Stopped string          `json:"stopped"`
	Count   *int            `json:"count"`
	Outputs json.RawMessage `json:"outputs"`
	Message string          `json:"message"`
}

// execution is what became of one cell of a job; the zero value is that of a cell
// that was not reached.
type execution struct {
	started, ended bool
	stopped        string
	count          *int
	outputs        []nbformat.Output
}

// A session is one run of runner.py with all that lives below it.
type session struct {
	folder string // private: TMPDIR of kernel and cells
	marker string
	cmd    *exec.Cmd
	stdin  io.Closer
	stderr *os.File
	events chan event
}

// play runs the cells of a job and returns what became of each. When ctx ends,
// everything ends at once and the cells not finished say so. An error means that
// the cells could not be run at all.
func play(ctx context.Context, k Kernel, j job, onEvent func(event)) (_ []execution, err error) {
	s, err := open(k, j)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, s.close()) }()

	done := make([]execution, len(j.Cells))
	ready := false
	for {
		var e event
		var more bool
		select {
		case <-ctx.Done():
			return done, nil
		case e, more = <-s.events:
		}
		if !more || e.Event == "failed" {
			if !ready {
				return nil, fmt.Errorf("the GoNB kernel did not start (`go run ./generate doctor` may tell why): %s",
					firstOf(e.Message, s.lastWords()))
			}
			bury(done)
			return done, nil
		}
		onEvent(e)
		switch e.Event {
		case "ready":
			ready = true
		case "start":
			done[e.Cell].started = true
		case "end":
			outputs, err := s.read(e.Outputs)
			if err != nil {
				return nil, err
			}
			done[e.Cell] = execution{started: true, ended: true, stopped: e.Stopped, count: e.Count, outputs: outputs}
		case "final":
			var changed map[int]json.RawMessage
			if err := json.Unmarshal(e.Outputs, &changed); err != nil {
				return nil, fmt.Errorf("runner.py: %w", err)
			}
			for i, text := range changed {
				if done[i].outputs, err = s.read(text); err != nil {
					return nil, err
				}
			}
			return done, nil
		}
	}
}

// bury marks the cell that was running when the kernel, or what drives it, went.
func bury(done []execution) {
	for i := range done {
		if done[i].started && !done[i].ended {
			done[i].ended, done[i].stopped = true, stoppedDead
		}
	}
}

func open(k Kernel, j job) (_ *session, err error) {
	s := &session{marker: rand.Text(), events: make(chan event)}
	if s.folder, err = os.MkdirTemp("", "hyperplane-run-"); err != nil {
		return nil, err
	}
	defer func() {
		if err != nil {
			_ = os.RemoveAll(s.folder)
		}
	}()
	temp, runtime, config := filepath.Join(s.folder, "tmp"), filepath.Join(s.folder, "runtime"), filepath.Join(s.folder, "config")
	for _, dir := range []string{temp, runtime, config} {
		if err = os.Mkdir(dir, 0o700); err != nil {
			return nil, err
		}
	}
	if s.stderr, err = os.Create(filepath.Join(s.folder, "stderr")); err != nil {
		return nil, err
	}
	if !j.person {
		if err = os.WriteFile(filepath.Join(s.folder, exercises.HeadlessMark), nil, 0o600); err != nil {
			return nil, err
		}
	}
	s.cmd = exec.Command(k.Python, "-c", script)
	s.cmd.Env = append(os.Environ(),
		markerVariable+"="+s.marker, "HYPERPLANE_HEADLESS=1", "TMPDIR="+temp,
		"JUPYTER_PATH="+k.Data, "JUPYTER_RUNTIME_DIR="+runtime, "JUPYTER_CONFIG_DIR="+config, "IPYTHONDIR="+config,
		"PYTHONDONTWRITEBYTECODE=1", "PYTHONUNBUFFERED=1")
	s.cmd.Stderr = s.stderr // a file: a pipe would stay open as long as any orphan
	s.cmd.SysProcAttr = ownGroup()
	if j.person {
		s.cmd.Env = append(s.cmd.Env, "HYPERPLANE_HEADLESS=0")
	}
	stdin, err := s.cmd.StdinPipe()
	if err != nil {
		return nil, err
	}
	stdout, err := s.cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err = s.cmd.Start(); err != nil {
		return nil, fmt.Errorf("%s: %w", k.Python, err)
	}
	s.stdin = stdin
	go s.listen(stdout)
	j.Private = s.folder
	text, err := json.Marshal(j)
	if err == nil {
		_, err = stdin.Write(append(text, '\n'))
	}
	if err != nil {
		return nil, errors.Join(err, s.close())
	}
	return s, nil
}

// listen turns the lines of runner.py into events and closes the channel when
// they end.
func (s *session) listen(r io.Reader) {
	defer close(s.events)
	lines := bufio.NewReaderSize(r, 1<<16)
	for {
		line, err := lines.ReadBytes('\n')
		var e event
		if json.Unmarshal(line, &e) == nil {
			s.events <- e
		}
		if err != nil {
			return
		}
	}
}

// close ends every process of the session and removes its folder.
func (s *session) close() error {
	left := endFamily(s.cmd.Process.Pid, s.marker)
	_ = s.stdin.Close()
	go func() {
		for range s.events { // lets listen end
		}
	}()
	_ = s.cmd.Wait() // killed: its status says nothing
	_ = s.stderr.Close()
	err := os.RemoveAll(s.folder)
	if len(left) > 0 {
		err = errors.Join(err, fmt.Errorf("these processes of the notebook would not end: %v", left))
	}
	return err
}

// lastWords is the end of what runner.py and the kernel wrote to stderr.
func (s *session) lastWords() string {
	text, _ := os.ReadFile(s.stderr.Name())
	text = bytes.TrimSpace(text)
	if i := bytes.LastIndexByte(text, '\n'); i >= 0 {
		text = text[i+1:]
	}
	return firstOf(string(text), "it said nothing")
}

func firstOf(texts ...string) string {
	for _, t := range texts {
		if t = strings.TrimSpace(t); t != "" {
			return t
		}
	}
	return ""
}
