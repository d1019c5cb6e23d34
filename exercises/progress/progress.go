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

// schemaName and schemaVersion make up the file's schema, "hyperplane-progress/2". A new field
// requires a new version. Files of oldVersion are read too: they have one record per exercise, which
// becomes the record of the common variant.
const (
	schemaName    = "hyperplane-progress/"
	schemaVersion = "2"
	oldVersion    = "1"
)

// Progress is the contents of the file.
type Progress struct {
	Schema    string             `json:"schema"`
	Exercises map[string]*Record `json:"exercises"` // by Key
}

// Key returns the name of the record of an exercise in the variant with this seed: the exercise's id
// for the common variant, whose seed is 0, and "prml-4.25:7" for the variant 7.
func Key(id string, seed uint64) string {
	if seed == 0 {
		return id
	}
	return id + ":" + strconv.FormatUint(seed, 10)
}

// ParseKey returns the exercise and the seed that a key names.
func ParseKey(key string) (id string, seed uint64) {
	id, number, _ := strings.Cut(key, ":")
	seed, err := strconv.ParseUint(number, 10, 64)
	if number != "" && err != nil {
		return key, 0
	}
	return id, seed
}

// New returns the progress of a learner who has not begun.
func New() *Progress {
	return &Progress{Schema: schemaName + schemaVersion, Exercises: map[string]*Record{}}
}

// Exercise returns the record with this [Key], and creates it if necessary. Changes to it are
// changes to p.
func (p *Progress) Exercise(key string) *Record {
	r := p.Peek(key)
	p.Exercises[key] = r
	return r
}

// Peek returns the record with this [Key] for reading; it is empty if p has no such record.
func (p *Progress) Peek(key string) *Record {
	if r := p.Exercises[key]; r != nil {
		return r
	}
	return &Record{}
}

// seeds returns the seeds of the variants of an exercise that have a record, in ascending order.
func (p *Progress) seeds(id string) []uint64 {
	var list []uint64
	for key := range p.Exercises {
		if of, seed := ParseKey(key); of == id {
			list = append(list, seed)
		}
	}
	return slices.Sorted(slices.Values(list))
}

// unusedSeed returns the smallest seed of a personal variant of the exercise that has no record.
func (p *Progress) unusedSeed(id string) uint64 {
	seed := uint64(1)
	for ; slices.Contains(p.seeds(id), seed); seed++ {
	}
	return seed
}

// retryAfter is the time after which a passed exercise is worth a second try with other numbers.
const retryAfter = 14 * 24 * time.Hour

// Due lists, in order of their ids, the exercises whose latest pass, in any variant, was more than
// two weeks before now. Passes without a date, from files of schema 1, do not count.
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

// A brokenError explains what is wrong with a damaged or empty text.
type brokenError string

func (e brokenError) Error() string { return string(e) }

// Parse returns the progress in the text of a file, which may have schema 1.
func Parse(text []byte) (*Progress, error) { return parse(text) }

// parse parses the text of a file. The error is a brokenError if the text is damaged, and a
// different error if it is intact but not for this toolkit.
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
	d.DisallowUnknownFields() // writing would lose unknown fields
	if err := d.Decode(p); err != nil {
		if field, unknown := strings.CutPrefix(err.Error(), "json: unknown field "); unknown {
			return nil, fmt.Errorf(newer, "the field "+field, "other fields")
		}
		return nil, brokenError(err.Error())
	}
	p.Schema = schemaName + schemaVersion // the form in which p is written
	if p.Exercises == nil {
		p.Exercises = map[string]*Record{}
	}
	return p, nil
}

// text returns p as the text of a file, with the exercises sorted by id. The schema comes first, so
// that even a truncated file contains it.
func (p *Progress) text() ([]byte, error) {
	for id, r := range p.Exercises {
		if r == nil || r.empty() { // left by a withdrawn try
			delete(p.Exercises, id)
			continue
		}
		if r.Steps != nil && r.Steps.empty() {
			r.Steps = nil
		}
		r.Hints = append([]int{}, r.Hints...) // [] in JSON, not null
	}
	b, err := json.MarshalIndent(p, "", "  ")
	return append(b, '\n'), err
}

// A Record is the history of one exercise. The zero value is the record of an exercise that has not
// been begun.
type Record struct {
	Answer   Attempts  `json:"answer"`
	Steps    *Attempts `json:"steps"`    // tries at the exercise's CheckSteps; nil before the first
	Hints    []int     `json:"hints"`    // numbers of the hints that the learner saw, in ascending order
	Offered  bool      `json:"offered"`  // the solution was requested, and the hints were offered instead
	Revealed bool      `json:"revealed"` // the solution was shown before the exercise was passed
}

// Attempts counts the tries at one check.
type Attempts struct {
	Passed bool `json:"passed"` // some try passed; later tries do not reset the field
	Tries  int  `json:"tries"`
	Last   *Try `json:"last"` // nil before the first

	// Earlier are the tries before Last, the latest last, at most maxEarlier.
	Earlier     []*Try `json:"earlier,omitempty"`
	PassedAfter int    `json:"passed_after,omitempty"` // number of tries up to the first pass
	PassedOn    string `json:"passed_on,omitempty"`    // date of the latest pass, such as "2026-11-24"
}

// maxEarlier bounds the size of a record.
const maxEarlier = 8

// A Try is the outcome of one check.
type Try struct {
	Right    int  `json:"right"` // number of parts that are right
	Parts    int  `json:"parts"`
	Finished bool `json:"finished"` // false if the program ended during the check

	// Wrong maps the number of each part that is not right, from 1, to the key of its mistake. The key
	// is "" if the mistake has no name.
	Wrong map[int]string `json:"wrong,omitempty"`
}

// Made reports whether the try made the mistake with this key.
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

// Begin records the beginning of a try at a check with this many parts.
func (a *Attempts) Begin(parts int) {
	a.Tries++
	if a.Last != nil {
		a.Earlier = append(a.Earlier, a.Last)
		a.Earlier = a.Earlier[max(0, len(a.Earlier)-maxEarlier):]
	}
	a.Last = &Try{Parts: parts}
}

// today returns the date of a pass. Tests replace this variable.
var today = func() string { return time.Now().Format(time.DateOnly) }

// Finish records the result of the try that began last.
func (a *Attempts) Finish(right, parts int, passed bool) {
	a.Last = &Try{Finished: true, Parts: parts, Right: right}
	if passed {
		if !a.Passed {
			a.PassedAfter = a.Tries
		}
		a.Passed, a.PassedOn = true, today()
	}
}

// Withdraw removes a try that called only unwritten stubs. last is the previous try.
func (a *Attempts) Withdraw(last *Try) {
	a.Tries = max(a.Tries-1, 0)
	a.Last = last
	if n := len(a.Earlier) - 1; n >= 0 && reflect.DeepEqual(a.Earlier[n], last) {
		a.Earlier = a.Earlier[:n]
	}
}

// Times returns how many of the tries in the record made the mistake with this key.
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

// empty reports whether nothing is recorded.
func (r *Record) empty() bool {
	return r.Answer.empty() && (r.Steps == nil || r.Steps.empty()) && len(r.Hints) == 0 && !r.Offered && !r.Revealed
}

// A State summarises a learner's progress on an exercise.
type State string

// The states.
const (
	NotBegun State = "not begun"
	Tried    State = "tried"
	Revealed State = "revealed" // solution shown, and not passed since
	Passed   State = "passed"   // passed, even if the solution was shown before
)

// State returns the learner's progress on the exercise. An exercise counts as not begun if the
// learner has only seen hints.
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

// Join adds the records of another file to p. Where both have a record, the better state counts,
// and the tries come from the record with more tries.
func (p *Progress) Join(other *Progress) {
	for key, r := range other.Exercises {
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

// joinAttempts returns the attempts of two records of the same check.
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

// betterState returns the state of an exercise with one variant in state s and another in state t: the more
// advanced state.
func (s State) betterState(t State) State {
	order := []State{NotBegun, Tried, Revealed, Passed}
	return order[max(slices.Index(order, s), slices.Index(order, t))]
}
