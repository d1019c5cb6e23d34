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
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"

	"github.com/hyperplane-notebooks/hyperplane/exercises"
	"github.com/hyperplane-notebooks/hyperplane/generate/internal/nbformat"
)

//go:embed runner.py
var script string

// job is the input of runner.py: cells to run. Paths are bytes because they need not be UTF-8.
type job struct {
	Kernel     string   `json:"kernel"`
	Folder     []byte   `json:"folder"`  // working directory of the kernel; nil means the session's own
	Cells      []string `json:"cells"`   // sources
	Startup    float64  `json:"startup"` // seconds to wait for the kernel
	Timeout    float64  `json:"timeout"` // seconds per cell
	Grace      float64  `json:"grace"`   // seconds for an interrupted cell to end
	StreamCap  int      `json:"stream_cap"`
	DisplayCap int      `json:"display_cap"`

	person bool // the cells belong to a learner, whose progress is recorded
	charts bool // write interactive charts beside their pictures
}

// A session is one run of runner.py with all its child processes.
type session struct {
	folder string // private: TMPDIR of kernel and cells
	marker string
	cmd    *exec.Cmd
	stdin  io.Closer
	stderr *os.File
	events chan event
}

// open starts runner.py on a job. Its child processes end with close or, if this process
// ends first, are ended by runner.py itself.
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
	temp, runtime, config := filepath.Join(s.folder, "tmp"), filepath.Join(s.folder, "runtime"),
		filepath.Join(s.folder, "config")
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
	s.cmd.Dir = s.folder // runner.py removes it if this process cannot
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
	s.cmd.Stderr = s.stderr // a file: a pipe would stay open as long as any orphan lives
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

// listen turns the lines of runner.py into events. It closes the channel after the last line.
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

// close ends every process of the session and removes its folder. An error lists
// leftover processes or a folder that remains; the results of the session stay valid.
func (s *session) close() error {
	left := endFamily(s.cmd.Process.Pid, s.marker)
	_ = s.stdin.Close()
	go func() {
		for range s.events { // lets listen end
		}
	}()
	_ = s.cmd.Wait() // killed, so its status carries no information
	_ = s.stderr.Close()
	err := remove(s.folder)
	if len(left) > 0 {
		err = errors.Join(err, fmt.Errorf("these processes of the notebook did not end: %v", left))
	}
	return err
}

// lastWords returns the last line that runner.py or the kernel wrote to stderr.
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

// remove is os.RemoveAll, but it also removes read-only folders. A module cache
// contains some, and a notebook may create one.
func remove(folder string) error {
	if os.RemoveAll(folder) == nil {
		return nil
	}
	_ = filepath.WalkDir(folder, func(path string, d fs.DirEntry, err error) error {
		if err == nil && d.IsDir() { // called before its entries are listed
			_ = os.Chmod(path, 0o700)
		}
		return nil
	})
	return os.RemoveAll(folder)
}

// event is a message from runner.py, whose doc string says when each field is set.
type event struct {
	Event   string          `json:"event"`
	Cell    int             `json:"cell"`
	Stopped string          `json:"stopped"`
	Count   *int            `json:"count"`
	Outputs json.RawMessage `json:"outputs"`
	Message string          `json:"message"`
}

// execution is the result of one cell of a job. The zero value means that the cell was not reached.
type execution struct {
	started, ended bool
	stopped        string
	count          *int
	outputs        []nbformat.Output
}

// An unstarted error means that the kernel did not start, so that no cell could be run.
type unstarted struct{ cause string }

func (e *unstarted) Error() string {
	return "the GoNB kernel did not start (`go run ./generate doctor` may tell why): " + e.cause
}

// play runs the cells of a job and returns the result of each. When ctx ends, everything ends at
// once; the unfinished cells are marked as such. warning describes what the session left behind. An
// error means that the cells could not be run.
func play(ctx context.Context, k Kernel, j job, onEvent func(event)) (done []execution, warning, err error) {
	s, err := open(k, j)
	if err != nil {
		return nil, nil, &unstarted{err.Error()}
	}
	defer func() { warning = s.close() }()

	done = make([]execution, len(j.Cells))
	ready := false
	for {
		var e event
		var more bool
		select {
		case <-ctx.Done():
			return done, nil, nil
		case e, more = <-s.events:
		}
		if !more || e.Event == "failed" {
			if !ready {
				return nil, nil, &unstarted{firstOf(e.Message, s.lastWords())}
			}
			bury(done)
			return done, nil, nil
		}
		ready = ready || e.Event == "ready"
		last, err := s.apply(done, e)
		if err != nil {
			return nil, nil, err
		}
		onEvent(e)
		if last {
			return done, nil, nil
		}
	}
}

// apply records an event in done and reports whether it is the last one. Events may be invalid,
// because a notebook can write to the pipe from which they come.
func (s *session) apply(done []execution, e event) (last bool, err error) {
	stray := func(cell int) error {
		if cell >= 0 && cell < len(done) {
			return nil
		}
		return fmt.Errorf("the notebook's run sent an event %q about cell %d of %d (does the notebook interfere with it?)", e.Event, cell, len(done))
	}
	if err := stray(e.Cell); err != nil && (e.Event == "start" || e.Event == "end") {
		return false, err
	}
	switch e.Event {
	case "start":
		done[e.Cell].started = true
	case "end":
		outputs, err := s.read(e.Outputs)
		if err != nil {
			return false, err
		}
		done[e.Cell] = execution{started: true, ended: true, stopped: e.Stopped, count: e.Count, outputs: outputs}
	case "final":
		var changed map[int]json.RawMessage
		if err := json.Unmarshal(e.Outputs, &changed); err != nil {
			return false, fmt.Errorf("runner.py: %w", err)
		}
		for i, text := range changed {
			if err := stray(i); err != nil {
				return false, err
			}
			if done[i].outputs, err = s.read(text); err != nil {
				return false, err
			}
		}
		return true, nil
	}
	return false, nil
}

// bury marks the cell that was running when the kernel or its driver died.
func bury(done []execution) {
	for i := range done {
		if done[i].started && !done[i].ended {
			done[i].ended, done[i].stopped = true, stoppedDead
		}
	}
}

// gonbFolder matches the name of the folder and module in which GoNB compiles a cell. It is
// different for every kernel.
var gonbFolder = regexp.MustCompile(`\bgonb_[0-9a-f]{8}\b`)

// read decodes the outputs of a cell for a notebook. It joins pieces of a stream and replaces names
// that differ from run to run.
func (s *session) read(text json.RawMessage) ([]nbformat.Output, error) {
	text = bytes.ReplaceAll(text, []byte(s.folder+"/tmp"), []byte("/tmp"))
	text = gonbFolder.ReplaceAll(text, []byte("gonb"))
	d := json.NewDecoder(bytes.NewReader(text))
	d.UseNumber()
	var outputs []nbformat.Output
	if err := d.Decode(&outputs); err != nil {
		return nil, fmt.Errorf("runner.py: %w", err)
	}
	return joinStreams(outputs), nil
}

// joinStreams joins consecutive outputs of the same stream, because a program's text is split into
// messages at random.
func joinStreams(outputs []nbformat.Output) []nbformat.Output {
	joined := outputs[:0:0]
	var text strings.Builder
	flush := func() {
		if text.Len() > 0 {
			joined[len(joined)-1]["text"] = text.String()
			text.Reset()
		}
	}
	last := ""
	for _, o := range outputs {
		name, piece := o.Stream()
		if name == "" || name != last {
			flush()
			joined = append(joined, o)
		}
		if last = name; name != "" {
			text.WriteString(piece)
		}
	}
	flush()
	return joined
}
