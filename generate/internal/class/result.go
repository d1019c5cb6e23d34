package class

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/hyperplane-notebooks/hyperplane/exercises/progress"
	"github.com/hyperplane-notebooks/hyperplane/generate/internal/files"
	"github.com/hyperplane-notebooks/hyperplane/generate/internal/grading"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/verify"
)

// What can become of a hand-in besides what grading says.
const (
	Unreadable grading.Status = "Unreadable" // the file is no notebook, or has no answer
	Missing    grading.Status = "Missing"    // there is no submission
	Failed     grading.Status = "Failed"     // the judge could not do its work; the next run tries again
)

// Basis is what a result depends on: by the same basis nothing is judged twice.
type Basis struct {
	Hash     string         `json:"hash"` // of the file
	Exercise string         `json:"exercise"`
	Seed     uint64         `json:"seed"`
	Tool     string         `json:"tool"` // the version that judged, and the program's hash
	Limits   grading.Limits `json:"limits"`
}

// A Part is one thing that was judged.
type Part struct {
	verify.Result
	Optional bool `json:"optional,omitempty"` // it gives no points
}

// A Result is what became of one hand-in.
type Result struct {
	Learner  string         `json:"learner"`
	Name     string         `json:"name"`
	Exercise string         `json:"exercise"`
	Status   grading.Status `json:"status"`
	Message  string         `json:"message,omitempty"`
	Points   float64        `json:"points"`
	Max      float64        `json:"max"`
	Parts    []Part         `json:"parts"`
	Notes    []string       `json:"notes"`
	File     string         `json:"file,omitempty"`
	Time     string         `json:"time,omitempty"`
	TimeFrom string         `json:"time_from,omitempty"`
	Late     bool           `json:"late"`
	Retried  bool           `json:"retried,omitempty"` // judged once more, alone, as the time had run out
	Basis    *Basis         `json:"basis,omitempty"`
	Attempts int            `json:"attempts"` // hand-ins that differ

	Source  string           `json:"-"` // what was judged
	Reports []*verify.Report `json:"-"`
}

// score gives a result its parts and points: of the exercise's weight the share of the
// parts that are Right, where an optional part counts as much of a compulsory one as the
// exercise says.
func (r *Result) score(a Assigned) {
	r.Parts, r.Max, r.Points = []Part{}, a.Weight, 0
	right, all := 0., 0.
	for _, report := range r.Reports {
		for _, p := range report.Parts {
			r.Parts = append(r.Parts, Part{p, report.Optional})
			counts := 1.
			if report.Optional {
				counts = a.Optional
			}
			all += counts
			if p.Outcome == verify.Right {
				right += counts
			}
		}
	}
	if all > 0 {
		r.Points = math.Round(a.Weight*right/all*1e6) / 1e6
	}
}

func (r *Result) timedOut() bool {
	return slices.ContainsFunc(r.Parts, func(p Part) bool { return p.Outcome == verify.TimedOut })
}

// due says whether a result is of a hand-in after the learner's due date.
func (r *Result) due(l *Learner, at time.Time) {
	if limit, err := time.Parse(time.RFC3339, l.Due); err == nil {
		r.Late = at.After(limit)
	}
}

// An attempt is a result as it is kept, with what no page of others may show.
type attempt struct {
	Result
	Source  string           `json:"source"`
	Reports []*verify.Report `json:"reports"`
}

const (
	stateDir    = "state"
	stateSchema = "hyperplane-attempts/1"
)

// attempts are all results of one learner's exercise, in the order of the hand-ins' times.
type attempts struct {
	Schema string    `json:"schema"`
	List   []attempt `json:"attempts"`
}

func statePath(out, learner, exercise string) string {
	return filepath.Join(out, stateDir, learner, exercise+".json")
}

// load reads the attempts that are kept, none if there is no file.
func load(out, learner, exercise string) (*attempts, error) {
	path := statePath(out, learner, exercise)
	text, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return &attempts{Schema: stateSchema}, nil
	}
	if err != nil {
		return nil, err
	}
	a := &attempts{}
	if err := json.Unmarshal(text, a); err != nil {
		return nil, fmt.Errorf("%s: %w; remove it to judge anew", path, err)
	}
	if a.Schema != stateSchema {
		return nil, fmt.Errorf("%s has the schema %q; this version reads %q", path, a.Schema, stateSchema)
	}
	for i := range a.List {
		a.List[i].Result.Source, a.List[i].Result.Reports = a.List[i].Source, a.List[i].Reports
	}
	return a, nil
}

// keepWait is how long keep waits for other runs and shards to write their results.
var keepWait = time.Minute

// keep puts a result among the attempts of its learner and exercise. Two runs into one
// folder may do so at a time: what is there is read again, and what another run has put
// there since stays.
func keep(out string, r *Result) error {
	if err := os.MkdirAll(filepath.Join(out, stateDir), 0o755); err != nil {
		return err
	}
	release, err := progress.Lock(filepath.Join(out, stateDir, ".lock"), keepWait)
	if err != nil {
		return fmt.Errorf("the results in %s: %w", out, err)
	}
	defer release()
	a, err := load(out, r.Learner, r.Exercise)
	if err != nil {
		return err
	}
	a.put(r)
	return a.save(out, r.Learner, r.Exercise)
}

func (a *attempts) save(out, learner, exercise string) error {
	text, err := json.MarshalIndent(a, "", "  ")
	if err != nil {
		return err
	}
	return files.Write(statePath(out, learner, exercise), append(text, '\n'))
}

// of is the result of a hand-in by its hash, nil if it was never judged.
func (a *attempts) of(hash string) *Result {
	for i := range a.List {
		if r := &a.List[i].Result; r.Basis != nil && r.Basis.Hash == hash {
			return r
		}
	}
	return nil
}

// put keeps a result in place of that of the same hand-in, or as the last.
func (a *attempts) put(r *Result) {
	kept := attempt{*r, r.Source, r.Reports}
	for i := range a.List {
		if a.List[i].Result.Basis.Hash == r.Basis.Hash {
			a.List[i] = kept
			return
		}
	}
	a.List = append(a.List, kept)
	slices.SortStableFunc(a.List, func(x, y attempt) int { return cmp.Compare(x.Time, y.Time) })
}

// choose is the result that counts: of the last hand-in, or of the best, and of equals the
// last. There is none where nothing was handed in.
func (a *attempts) choose(best bool) *Result {
	var chosen *Result
	for i := range a.List {
		r := &a.List[i].Result
		switch {
		case chosen == nil, best && r.Points > chosen.Points, (!best || r.Points == chosen.Points) && r.Time >= chosen.Time: // times are UTC
			chosen = r
		}
	}
	return chosen
}
