package runner

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"regexp"
	"strings"

	"github.com/hyperplane-notebooks/hyperplane/generate/internal/nbformat"
)

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

// An unstarted error says that no cell could be run, nor begun.
type unstarted struct{ cause string }

func (e *unstarted) Error() string {
	return "the GoNB kernel did not start (`go run ./generate doctor` may tell why): " + e.cause
}

// play runs the cells of a job and returns what became of each. When ctx ends,
// everything ends at once and the cells not finished say so. warning says what the
// session left behind. An error means that the cells could not be run.
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

// apply notes an event in done, and reports whether it is the last. A notebook can
// reach the pipe that events come from: none is trusted to make sense.
func (s *session) apply(done []execution, e event) (last bool, err error) {
	stray := func(cell int) error {
		if cell >= 0 && cell < len(done) {
			return nil
		}
		return fmt.Errorf("an event %q about cell %d of %d came from the notebook's run (does the notebook meddle with it?)", e.Event, cell, len(done))
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

// bury marks the cell that was running when the kernel, or what drives it, went.
func bury(done []execution) {
	for i := range done {
		if done[i].started && !done[i].ended {
			done[i].ended, done[i].stopped = true, stoppedDead
		}
	}
}

// gonbFolder is the name, new for every kernel, of the folder and the module in
// which GoNB compiles a cell.
var gonbFolder = regexp.MustCompile(`\bgonb_[0-9a-f]{8}\b`)

// read decodes the outputs of a cell as they go into a notebook: pieces of a
// stream joined, and the names that differ from run to run replaced.
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

// joinStreams makes one output of consecutive pieces of the same stream: how a
// program's text is cut into messages is chance.
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
