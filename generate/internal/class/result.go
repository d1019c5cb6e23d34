package class

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
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

// These statuses of a submission extend the statuses in package grading.
const (
	Unreadable grading.Status = "Unreadable" // the file cannot be read, has a wrong format, or contains no answer
	Missing    grading.Status = "Missing"    // there is no submission
	Failed     grading.Status = "Failed"     // judging failed; the next run judges the submission again
)

// Basis lists everything on which the verdict about a submission depends. If the stored result of a
// submission has the Basis that a new result would have, Grade does not judge the submission again.
// There are two exceptions: the stored result is Failed, or it timed out and the submission was not
// judged twice. The weights of the exercises and the due dates are not part of the Basis, because
// ReadBook applies them without judging again.
type Basis struct {
	// Hash is the SHA-256 of the submitted notebook or of the answer in a work.File, or of the error
	// if the file cannot be read.
	Hash     string         `json:"hash"`
	Exercise string         `json:"exercise"`
	Seed     uint64         `json:"seed"`
	Tool     string         `json:"tool"` // version of the judge, and the hash of the judge's program
	Limits   grading.Limits `json:"limits"`
}

// A Part is the result of one part of a check.
type Part struct {
	verify.Result
	Optional bool `json:"optional,omitempty"` // true if the part is optional; see Assigned.Optional
}

// A Result is the outcome of one submission, or records that a submission is missing.
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
	Retried  bool           `json:"retried,omitempty"` // true if the submission was judged again after a time-out
	Basis    *Basis         `json:"basis,omitempty"`
	Attempts int            `json:"attempts"` // number of different submissions to the exercise

	// Own is the record of the learner's own tries at the exercise, from a work.File. Own does not
	// affect the points.
	Own      *progress.Record `json:"own,omitempty"`
	Tries    int              `json:"tries"`              // tries until the first pass; 0 if not passed or unknown
	Mistakes []string         `json:"mistakes,omitempty"` // keys of the mistakes that occurred in any try, sorted

	Source  string           `json:"-"` // the code of the answer that was judged
	Reports []*verify.Report `json:"-"`
}

// score sets Parts, Max and Points of a result. The points are the exercise's weight times the
// share of parts that are Right. In this share, a compulsory part has the weight 1, and an optional
// part has the weight a.Optional.
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

// setLate sets Late if the time of the submission is after the learner's due date.
func (r *Result) setLate(l *Learner, at time.Time) {
	limit, err := time.Parse(time.RFC3339, l.Due)
	r.Late = err == nil && at.After(limit)
}

// An attempt is a result as a file below stateDir stores it. It includes Source and Reports, which
// the file results.json must not contain.
type attempt struct {
	Result
	Source  string           `json:"source"`
	Reports []*verify.Report `json:"reports"`
}

const (
	stateDir    = "state"
	stateSchema = "hyperplane-attempts/1"
)

// attempts contains all results of one learner for one exercise, ordered by the time of submission.
type attempts struct {
	Schema string    `json:"schema"`
	List   []attempt `json:"attempts"`
}

func statePath(out, learner, exercise string) string {
	return filepath.Join(out, stateDir, learner, exercise+".json")
}

// loadAttempts reads the stored attempts. If the file does not exist, it returns an empty list.
func loadAttempts(out, learner, exercise string) (*attempts, error) {
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
		return nil, fmt.Errorf("%s: %w; remove this file, and the next run judges the current submission again", path, err)
	}
	if a.Schema != stateSchema {
		return nil, fmt.Errorf("%s has the schema %q; this version reads %q", path, a.Schema, stateSchema)
	}
	for i := range a.List {
		a.List[i].Result.Source, a.List[i].Result.Reports = a.List[i].Source, a.List[i].Reports
	}
	return a, nil
}

// keepWait is the maximum time that the function `keep` waits while other runs and shards write their
// results.
var keepWait = time.Minute

// keep adds a result to the attempts of its learner and exercise. Two runs may write to the same
// folder at the same time. Therefore keep locks the folder and reads the file again before it adds
// the result. In this way the results of other runs are not lost.
func keep(out string, r *Result) error {
	if err := os.MkdirAll(filepath.Join(out, stateDir), 0o755); err != nil {
		return err
	}
	release, err := progress.Lock(filepath.Join(out, stateDir, ".lock"), keepWait)
	if err != nil {
		return fmt.Errorf("cannot store a result in %s: %w", out, err)
	}
	defer release()
	a, err := loadAttempts(out, r.Learner, r.Exercise)
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

// resultFor returns the result for the submission with the given hash, or nil if `a` does not contain
// such a result.
func (a *attempts) resultFor(hash string) *Result {
	for i := range a.List {
		if r := &a.List[i].Result; r.Basis != nil && r.Basis.Hash == hash {
			return r
		}
	}
	return nil
}

// put stores the result r. If a result for the same submission is already stored, put replaces it.
// The results stay in order of time.
func (a *attempts) put(r *Result) {
	kept, found := attempt{*r, r.Source, r.Reports}, false
	for i := range a.List {
		if a.List[i].Result.Basis.Hash == r.Basis.Hash {
			a.List[i] = kept
			found = true
			break
		}
	}
	if !found {
		a.List = append(a.List, kept)
	}
	slices.SortStableFunc(a.List, func(x, y attempt) int { return cmp.Compare(x.Time, y.Time) })
}

// countTries sets the number of tries until the learner first passed, and the mistakes made in any
// try. It reads the number from the learner's own record. If the record is missing or contains no
// such number, each submission counts as a try.
func (r *Result) countTries(a *attempts) {
	met := map[string]bool{}
	r.Tries = 0
	for i, s := range a.List {
		for _, report := range s.Reports {
			for _, p := range report.Parts {
				if p.Key != "" && p.Outcome == verify.Wrong {
					met[p.Key] = true
				}
			}
		}
		if len(s.Reports) > 0 && s.Reports[0].Passed() && r.Tries == 0 {
			r.Tries = i + 1
		}
	}
	if r.Own != nil {
		for _, try := range append(slices.Clone(r.Own.Answer.Earlier), r.Own.Answer.Last) {
			if try != nil {
				for _, key := range try.Wrong {
					// Ignore keys of more than 60 bytes, because the learner can write any text into the record.
					met[key] = len(key) <= 60
				}
			}
		}
		r.Tries = cmp.Or(r.Own.Answer.PassedAfter, r.Tries)
	}
	maps.DeleteFunc(met, func(key string, named bool) bool { return key == "" || !named })
	r.Mistakes = slices.Sorted(maps.Keys(met))
}

// choose returns the latest result. If `best` is true, choose returns the result with the most
// points instead. If several results have the most points, it returns the latest of them. Without
// results, it returns nil.
func (a *attempts) choose(best bool) *Result {
	var chosen *Result
	for i := range a.List {
		r := &a.List[i].Result
		switch {
		case chosen == nil, best && r.Points > chosen.Points,
			(!best || r.Points == chosen.Points) && r.Time >= chosen.Time: // UTC times in RFC 3339 sort as text
			chosen = r
		}
	}
	return chosen
}
