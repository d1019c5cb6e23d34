package progress

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"time"
)

// schemaName and schemaVersion form the file's schema, "hyperplane-progress/2". A new field
// requires a new version. The toolkit also reads files with the version oldVersion. Such a file has
// one record per exercise, which the toolkit uses as the record for seed 0.
const (
	schemaName    = "hyperplane-progress/"
	schemaVersion = "2"
	oldVersion    = "1"
)

// Progress is the parsed contents of a progress file.
type Progress struct {
	Schema    string             `json:"schema"`
	Exercises map[string]*Record `json:"exercises"` // by Key
}

// Key returns the key under which the progress file stores the record of an exercise for a seed.
// For seed 0 the key is the exercise's id. For seed 7 it is the id with a suffix, such as
// "prml-4.25:7".
func Key(id string, seed uint64) string {
	if seed == 0 {
		return id
	}
	return id + ":" + strconv.FormatUint(seed, 10)
}

// ParseKey is the inverse of Key: it returns the exercise's id and the seed in the given key. If the
// text after the colon is not a seed as Key writes it, such as "07", ParseKey returns the whole key and 0.
func ParseKey(key string) (id string, seed uint64) {
	id, number, _ := strings.Cut(key, ":")
	seed, _ = strconv.ParseUint(number, 10, 64)
	if Key(id, seed) != key {
		return key, 0
	}
	return id, seed
}

// New returns an empty Progress, for a learner who has not begun any exercise.
func New() *Progress {
	return &Progress{Schema: schemaName + schemaVersion, Exercises: map[string]*Record{}}
}

// Exercise returns the record with this [Key]. If p lacks this record, Exercise adds an empty
// record. The record is a part of p, so changes to the record change p.
func (p *Progress) Exercise(key string) *Record {
	r := p.Peek(key)
	p.Exercises[key] = r
	return r
}

// Peek returns the record with this [Key] for reading. If p lacks this record, Peek returns an
// empty record and does not add it to p.
func (p *Progress) Peek(key string) *Record {
	if r := p.Exercises[key]; r != nil {
		return r
	}
	return &Record{}
}

// seeds returns the seeds for which the exercise has a record, in ascending order.
func (p *Progress) seeds(id string) []uint64 {
	var list []uint64
	for key := range p.Exercises {
		if exerciseID, seed := ParseKey(key); exerciseID == id {
			list = append(list, seed)
		}
	}
	return slices.Sorted(slices.Values(list))
}

// unusedSeed returns the smallest seed above 0 for which the exercise has no record.
func (p *Progress) unusedSeed(id string) uint64 {
	seed := uint64(1)
	for ; slices.Contains(p.seeds(id), seed); seed++ {
	}
	return seed
}

// retryAfter is the time after which a learner should try a passed exercise again, with a different
// seed.
const retryAfter = 14 * 24 * time.Hour

// Due lists the exercises whose latest pass, with any seed, was more than two weeks before now. The
// ids are in alphabetical order. Passes without a date, from files of schema 1, do not count.
func (p *Progress) Due(now time.Time) []string {
	latest := map[string]string{}
	for key, r := range p.Exercises {
		if id, _ := ParseKey(key); r != nil {
			latest[id] = max(latest[id], r.Answer.PassedOn)
		}
	}
	maps.DeleteFunc(latest, func(_, date string) bool {
		at, err := time.Parse(time.DateOnly, date)
		return err != nil || now.Sub(at) <= retryAfter
	})
	return slices.Sorted(maps.Keys(latest))
}

// A brokenError is the error for a file that is damaged or empty.
type brokenError string

func (e brokenError) Error() string { return string(e) }

// Parse returns the Progress that the text of a progress file describes. The text may have schema 1
// or 2.
func Parse(text []byte) (*Progress, error) { return parse(text) }

// parse parses the text of a file. If the text is damaged, the error is a brokenError. If the text
// is intact but not for this toolkit, parse returns an error of a different type.
func parse(text []byte) (*Progress, error) {
	var fields map[string]any
	err := json.Unmarshal(text, &fields)
	if errors.As(err, new(*json.SyntaxError)) {
		return nil, brokenError(err.Error())
	}
	if err != nil || len(fields) == 0 {
		return nil, brokenError("it contains no exercises")
	}
	schema, _ := fields["schema"].(string)
	version, ours := strings.CutPrefix(schema, schemaName)
	const newer = "it needs another version of the toolkit (the file has %s, this toolkit reads %s): update the toolkit"
	switch {
	case !ours:
		return nil, fmt.Errorf("it belongs to another program, because it lacks \"schema\": \"%s\"", schemaName+schemaVersion)
	case version != schemaVersion && version != oldVersion:
		return nil, fmt.Errorf(newer, schema, schemaName+schemaVersion)
	}
	p := New()
	d := json.NewDecoder(bytes.NewReader(text))
	d.DisallowUnknownFields() // reject unknown fields, because writing the file would lose them
	if err := d.Decode(p); err != nil {
		if field, unknown := strings.CutPrefix(err.Error(), "json: unknown field "); unknown {
			return nil, fmt.Errorf(newer, "the field "+field, "other fields")
		}
		return nil, brokenError(err.Error())
	}
	p.Schema = schemaName + schemaVersion // the schema in which p is written
	if p.Exercises == nil {
		p.Exercises = map[string]*Record{}
	}
	return p, nil
}

// text removes the empty records from p and returns p as the text of a progress file, with the records
// sorted by key. The schema comes first, so that even a truncated file contains the schema.
func (p *Progress) text() ([]byte, error) {
	for id, r := range p.Exercises {
		if r == nil || r.empty() { // an empty record, such as the record of a withdrawn try
			delete(p.Exercises, id)
			continue
		}
		if r.Steps != nil && r.Steps.empty() {
			r.Steps = nil
		}
		r.Hints = append([]int{}, r.Hints...) // so that the JSON contains [] instead of null
	}
	b, err := json.MarshalIndent(p, "", "  ")
	return append(b, '\n'), err
}

// A Record is the history of one exercise for one seed. The zero value is the record of an exercise
// that the learner has not begun.
type Record struct {
	Answer   Attempts  `json:"answer"`   // tries at the exercise's Check
	Steps    *Attempts `json:"steps"`    // tries at the exercise's CheckSteps; nil before the first try
	Hints    []int     `json:"hints"`    // numbers of the hints that the learner has seen, in ascending order
	Offered  bool      `json:"offered"`  // whether Solution has offered hints or a try instead of the solution
	Revealed bool      `json:"revealed"` // whether the solution was shown before the exercise was passed
}

// Attempts is the record of the tries at one check.
type Attempts struct {
	Passed bool `json:"passed"` // whether any try has passed; a later failed try leaves the field true
	Tries  int  `json:"tries"`
	Last   *Try `json:"last"` // the latest try; nil before the first try

	// Earlier contains the latest tries before Last, at most maxEarlier. The newest of these tries
	// is the last entry.
	Earlier     []*Try `json:"earlier,omitempty"`
	PassedAfter int    `json:"passed_after,omitempty"` // number of tries up to the first pass
	PassedOn    string `json:"passed_on,omitempty"`    // date of the latest pass, such as "2026-11-24"
}

// maxEarlier limits the number of earlier tries in a record.
const maxEarlier = 8

// A Try is the outcome of one check.
type Try struct {
	Right    int  `json:"right"` // number of parts that are right
	Parts    int  `json:"parts"`
	Finished bool `json:"finished"` // false until the check ends; it stays false if the program ends first

	// Wrong maps the number of each part that is not right, counted from 1, to the key of the
	// mistake in that part. The key is "" if the verdict does not name a mistake.
	Wrong map[int]string `json:"wrong,omitempty"`
}

// Made reports whether a part of the try had the mistake with this key.
func (t *Try) Made(key string) bool {
	return t != nil && slices.Contains(slices.Collect(maps.Values(t.Wrong)), key)
}

// SawHint records that the learner saw hint n.
func (r *Record) SawHint(n int) {
	if i, seen := slices.BinarySearch(r.Hints, n); !seen {
		r.Hints = slices.Insert(r.Hints, i, n)
	}
}

// Unseen returns the hints from 1 to n that the learner has not seen.
func (r *Record) Unseen(n int) []int {
	var out []int
	for i := range n {
		if !slices.Contains(r.Hints, i+1) {
			out = append(out, i+1)
		}
	}
	return out
}

// Begin records the beginning of a try at a check with the given number of parts.
func (a *Attempts) Begin(parts int) {
	a.Tries++
	if a.Last != nil {
		a.Earlier = append(a.Earlier, a.Last)
		a.Earlier = a.Earlier[max(0, len(a.Earlier)-maxEarlier):]
	}
	a.Last = &Try{Parts: parts}
}

// today returns the current date, which is recorded for a pass. Tests replace this variable.
var today = func() string { return time.Now().Format(time.DateOnly) }

// Finish records the result of the latest try, which began with the last call of Begin.
func (a *Attempts) Finish(right, parts int, passed bool) {
	a.Last = &Try{Finished: true, Parts: parts, Right: right}
	if passed {
		if !a.Passed {
			a.PassedAfter = a.Tries
		}
		a.Passed, a.PassedOn = true, today()
	}
}

// Withdraw removes the record of the latest try. Callers withdraw a try that only called unwritten
// stubs. The argument `last` is the try before the withdrawn try, or nil if there was no such try.
func (a *Attempts) Withdraw(last *Try) {
	a.Tries = max(a.Tries-1, 0)
	a.Last = last
	if n := len(a.Earlier) - 1; n >= 0 && reflect.DeepEqual(a.Earlier[n], last) {
		a.Earlier = a.Earlier[:n]
	}
}

// Times returns the number of recorded tries that had the mistake with this key.
func (a *Attempts) Times(key string) int {
	n := 0
	for _, t := range slices.Concat(a.Earlier, []*Try{a.Last}) {
		if t.Made(key) {
			n++
		}
	}
	return n
}

func (a *Attempts) empty() bool { return reflect.DeepEqual(*a, Attempts{}) }

// empty reports whether the record contains no try, no hint that the learner has seen, and no
// request for the solution.
func (r *Record) empty() bool {
	return r.Answer.empty() && (r.Steps == nil || r.Steps.empty()) && len(r.Hints) == 0 && !r.Offered && !r.Revealed
}

// A State summarises a learner's progress on an exercise.
type State string

// The states.
const (
	NotBegun State = "not begun"
	Tried    State = "tried"
	Revealed State = "revealed" // the solution was shown, and the exercise has not been passed
	Passed   State = "passed"   // the exercise was passed, whether or not the solution was shown before
)

// State returns the state of the exercise. Hints and tries at CheckSteps do not affect the state.
func (r *Record) State() State {
	switch {
	case r.Answer.Passed:
		return Passed
	case r.Revealed:
		return Revealed
	case r.Answer.Tries > 0:
		return Tried
	}
	return NotBegun
}

// Join adds the records of another file to p. If both files have a record with the same key, p keeps
// the more advanced state, the tries of the record with more tries, and the hints seen in either record.
func (p *Progress) Join(other *Progress) {
	for key, r := range other.Exercises {
		if r == nil { // a file can contain the record null
			continue
		}
		mine := p.Exercise(key)
		mine.Answer = *mine.Answer.joinAttempts(&r.Answer)
		switch {
		case mine.Steps == nil:
			mine.Steps = r.Steps
		case r.Steps != nil:
			mine.Steps = mine.Steps.joinAttempts(r.Steps)
		}
		for _, n := range r.Hints {
			mine.SawHint(n)
		}
		mine.Offered, mine.Revealed = mine.Offered || r.Offered, mine.Revealed || r.Revealed
	}
}

// joinAttempts combines two records of tries at the same check.
func (a *Attempts) joinAttempts(b *Attempts) *Attempts {
	more, less := *a, b
	if b.Tries > a.Tries {
		more, less = *b, a
	}
	more.Passed = a.Passed || b.Passed
	more.PassedAfter = cmp.Or(more.PassedAfter, less.PassedAfter)
	more.PassedOn = max(a.PassedOn, b.PassedOn)
	return &more
}

// betterState returns the more advanced of the states s and t. For an exercise with records for
// several seeds, the most advanced of their states is the state of the exercise.
func (s State) betterState(t State) State {
	order := []State{NotBegun, Tried, Revealed, Passed}
	return order[max(slices.Index(order, s), slices.Index(order, t))]
}
