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
	"github.com/hyperplane-notebooks/hyperplane/generate/internal/cell"
	"github.com/hyperplane-notebooks/hyperplane/generate/internal/nbformat"
)

//go:embed runner.py
var script string

// A job is the input of runner.py. It contains the sources of the cells to run, and limits. The path
// Folder has the type []byte, because a path need not be valid UTF-8.
type job struct {
	Kernel     string   `json:"kernel"`
	Folder     []byte   `json:"folder"`  // working directory of the kernel; nil means the TMPDIR of the session
	Cells      []string `json:"cells"`   // sources
	Startup    float64  `json:"startup"` // maximum seconds to wait for the kernel to respond
	Timeout    float64  `json:"timeout"` // seconds per cell
	Grace      float64  `json:"grace"`   // maximum seconds for a cell's last messages to arrive (see grace)
	StreamCap  int      `json:"stream_cap"`
	DisplayCap int      `json:"display_cap"`

	person bool // true if the cells belong to a learner, whose progress is recorded
	charts bool // true if cells write interactive charts as well as pictures
}

// A session is one run of runner.py with all its child processes.
type session struct {
	folder string // folder of this session, which contains the TMPDIR of the kernel and the cells
	marker string
	cmd    *exec.Cmd
	stdin  io.Closer
	stderr *os.File
	events chan event
}

// open starts runner.py, which runs the cells of a job. The caller must call close, which ends
// runner.py and its descendants. If this process ends without calling close, runner.py ends itself
// and its descendants.
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
	s.cmd = pythonCommand(k.Python, script)
	s.cmd.Dir = s.folder // runner.py removes this folder if this process ends without calling close
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
	s.cmd.Stderr = s.stderr // a file, because an orphaned process could keep a pipe open and block cmd.Wait
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
	go s.readEvents(stdout)
	if j.Folder == nil {
		j.Folder = []byte(temp)
	}
	text, err := json.Marshal(j)
	if err == nil {
		_, err = stdin.Write(append(text, '\n'))
	}
	if err != nil {
		err = fmt.Errorf("%s: %w: %s", k.Python, err, s.lastStderrLine())
		return nil, errors.Join(err, s.close())
	}
	return s, nil
}

// readEvents decodes the lines that runner.py prints, and sends the events to s.events. It skips
// lines that it cannot decode, and closes the channel after the last line.
func (s *session) readEvents(r io.Reader) {
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

// close ends every process of the session and removes its folder. If processes did not end or the
// folder could not be removed, the error names them. The results of the session are valid even
// then.
func (s *session) close() error {
	left := endProcessTree(s.cmd.Process.Pid, s.marker)
	_ = s.stdin.Close()
	go func() {
		for range s.events { // receive the remaining events, so that readEvents can end
		}
	}()
	_ = s.cmd.Wait() // the process was killed, so ignore its exit status
	_ = s.stderr.Close()
	err := remove(s.folder)
	if len(left) > 0 {
		err = errors.Join(err, fmt.Errorf("these processes of the notebook did not end: %v", left))
	}
	return err
}

// lastStderrLine returns the last line that runner.py or the kernel has written to stderr. If stderr is
// empty, lastStderrLine returns a text that says so.
func (s *session) lastStderrLine() string {
	text, _ := os.ReadFile(s.stderr.Name())
	text = bytes.TrimSpace(text)
	if i := bytes.LastIndexByte(text, '\n'); i >= 0 {
		text = text[i+1:]
	}
	return firstOf(string(text), "no message on stderr")
}

func firstOf(texts ...string) string {
	for _, t := range texts {
		if t = strings.TrimSpace(t); t != "" {
			return t
		}
	}
	return ""
}

// remove deletes a folder as os.RemoveAll does, but also deletes read-only folders inside it.
// Read-only folders occur in a module cache, and a notebook can also create them.
func remove(folder string) error {
	if os.RemoveAll(folder) == nil {
		return nil
	}
	_ = filepath.WalkDir(folder, func(path string, d fs.DirEntry, err error) error {
		if err == nil && d.IsDir() { // WalkDir calls this function for a folder before it lists the folder's entries
			_ = os.Chmod(path, 0o700)
		}
		return nil
	})
	return os.RemoveAll(folder)
}

// An event is a message from runner.py. The doc string of runner.py says which of the fields each
// kind of event sets.
type event struct {
	Event   string          `json:"event"`
	Cell    int             `json:"cell"`
	Stopped string          `json:"stopped"`
	Count   *int            `json:"count"`
	Outputs json.RawMessage `json:"outputs"`
	Message string          `json:"message"`
}

// An execution is the result of running one cell of a job. The zero value means that the run ended
// before this cell began.
type execution struct {
	started, ended bool
	stopped        string
	count          *int
	outputs        []nbformat.Output
}

// An unstarted error means that no cell could be run because the kernel did not start.
type unstarted struct{ cause string }

func (e *unstarted) Error() string {
	return "the GoNB kernel did not start (`" + cell.Command() + " doctor` may tell why): " + e.cause
}

// runCells runs the cells of a job and returns the result of each cell. When ctx ends, runCells immediately
// ends all processes and returns. In the result of a cell that has not finished by then, the field
// `ended` is false. The result `warning` names processes that runCells could not end, and files that it
// could not remove. The result `err` is not nil only if the kernel did not start or an event from
// runner.py is invalid.
func runCells(ctx context.Context, k Kernel, j job, onEvent func(event)) (done []execution, warning, err error) {
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
				return nil, nil, &unstarted{firstOf(e.Message, s.lastStderrLine())}
			}
			recordKernelEnd(done)
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

// apply records the event e in `done`, the list of the results of the cells. It reports whether e is
// the last event. It validates the event, because a notebook can write to the pipe from which events
// are read.
func (s *session) apply(done []execution, e event) (last bool, err error) {
	stray := func(cell int) error {
		if cell >= 0 && cell < len(done) {
			return nil
		}
		return fmt.Errorf("invalid event %q from runner.py: got the cell index %d, want at least 0 and less than %d; the notebook may have written this event", e.Event, cell, len(done))
	}
	if err := stray(e.Cell); err != nil && (e.Event == "start" || e.Event == "end") {
		return false, err
	}
	switch e.Event {
	case "start":
		done[e.Cell].started = true
	case "end":
		outputs, err := s.decodeOutputs(e.Outputs)
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
			if done[i].outputs, err = s.decodeOutputs(text); err != nil {
				return false, err
			}
		}
		return true, nil
	}
	return false, nil
}

// recordKernelEnd records that the kernel or runner.py has ended unexpectedly. In the result of the
// cell that was running, this becomes the reason why the cell stopped.
func recordKernelEnd(done []execution) {
	for i := range done {
		if done[i].started && !done[i].ended {
			done[i].ended, done[i].stopped = true, stoppedDead
		}
	}
}

// gonbFolder matches the name of the folder and module in which GoNB compiles a cell. The name
// differs for every kernel.
var gonbFolder = regexp.MustCompile(`\bgonb_[0-9a-f]{8}\b`)

// decodeOutputs decodes the outputs of a cell. It joins the pieces of a stream and replaces names
// that differ from run to run.
func (s *session) decodeOutputs(text json.RawMessage) ([]nbformat.Output, error) {
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

// joinStreams joins consecutive outputs of the same stream into one output. This is necessary
// because the kernel sends the text of a program in pieces, whose lengths differ from run to run.
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
