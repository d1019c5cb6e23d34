package runner

import (
	"bufio"
	"bytes"
	"crypto/rand"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"github.com/hyperplane-notebooks/hyperplane/exercises"
)

//go:embed runner.py
var script string

// job is what runner.py is told: cells to run. Paths are bytes, for they need not be UTF-8.
type job struct {
	Kernel     string   `json:"kernel"`
	Folder     []byte   `json:"folder"`  // where the kernel runs; nil is the session's own
	Cells      []string `json:"cells"`   // sources
	Startup    float64  `json:"startup"` // seconds to wait for the kernel
	Timeout    float64  `json:"timeout"` // seconds for a cell
	Grace      float64  `json:"grace"`   // seconds for an interrupted cell to end
	StreamCap  int      `json:"stream_cap"`
	DisplayCap int      `json:"display_cap"`

	person bool // the cells are a person's, whose progress is recorded
	charts bool // interactive charts come beside their pictures
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

// open starts runner.py on a job. What is below it ends with close or, should this
// process end first, by runner.py itself.
func open(k Kernel, j job) (_ *session, err error) {
	s := &session{marker: rand.Text(), events: make(chan event)}
	if s.folder, err = os.MkdirTemp("", "hyperplane-run-"); err != nil {
		return nil, err
	}
	defer func() {
		if err != nil {
			_ = remove(s.folder)
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
	s.cmd = python(k.Python, script)
	s.cmd.Dir = s.folder // which runner.py removes if this process cannot
	headless := "1"
	switch {
	case j.person:
		headless = "0"
	case j.charts:
		headless = "charts"
	}
	s.cmd.Env = append(environment(),
		markerVariable+"="+s.marker, "HYPERPLANE_HEADLESS="+headless, "TMPDIR="+temp,
		"JUPYTER_PATH="+k.Data, "JUPYTER_RUNTIME_DIR="+runtime, "JUPYTER_CONFIG_DIR="+config, "IPYTHONDIR="+config)
	s.cmd.Stderr = s.stderr // a file: a pipe would stay open as long as any orphan
	s.cmd.SysProcAttr = ownGroup()
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
	if j.Folder == nil {
		j.Folder = []byte(temp)
	}
	text, err := json.Marshal(j)
	if err == nil {
		_, err = stdin.Write(append(text, '\n'))
	}
	if err != nil {
		err = fmt.Errorf("%s: %w: %s", k.Python, err, s.lastWords())
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

// close ends every process of the session and removes its folder. An error says
// what is left of them; what the session gave is good all the same.
func (s *session) close() error {
	left := endFamily(s.cmd.Process.Pid, s.marker)
	_ = s.stdin.Close()
	go func() {
		for range s.events { // lets listen end
		}
	}()
	_ = s.cmd.Wait() // killed: its status says nothing
	_ = s.stderr.Close()
	err := remove(s.folder)
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

// remove is os.RemoveAll that also gets rid of folders in which nothing may be
// changed: a module cache has such, and a notebook may make one.
func remove(folder string) error {
	if os.RemoveAll(folder) == nil {
		return nil
	}
	_ = filepath.WalkDir(folder, func(path string, d fs.DirEntry, err error) error {
		if err == nil && d.IsDir() { // before what is in it is listed
			_ = os.Chmod(path, 0o700)
		}
		return nil
	})
	return os.RemoveAll(folder)
}
