package work

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/hyperplane-notebooks/hyperplane/exercises/progress"
	"github.com/hyperplane-notebooks/hyperplane/generate/internal/cell"
	"github.com/hyperplane-notebooks/hyperplane/generate/internal/files"
	"github.com/hyperplane-notebooks/hyperplane/generate/internal/nbformat"
)

// FileName is the name of the file into which a page exports all of a learner's work.
const FileName = "hyperplane-work.json"

// fileSchema is the name of the schema of a [File]. The state file of a learner's folder contains
// the same schema name. But Parse rejects the state file, because it has other fields.
const fileSchema = schema

// A File contains all work of a learner in the pages of the course: the answers, guesses and changed
// cells, in the form in which the browser stored them, and the progress.
type File struct {
	Schema   string             `json:"schema"`
	Answers  map[string]Answer  `json:"answers"`         // the keys come from progress.Key
	Guesses  map[string]Guess   `json:"guesses"`         // the keys are the page's keys, such as "lesson-2:with eight giants"
	Cells    map[string]Answer  `json:"cells,omitempty"` // changed cells, keyed by page and id, such as "lesson-2/fit"
	Progress *progress.Progress `json:"-"`
}

// An Answer is the text of a cell that a learner has changed, usually to write an answer.
type Answer struct {
	Time   string `json:"time"` // time of the last change, in the format of time.RFC3339; "" if unknown
	Source string `json:"source"`
}

// A Guess is the number that a learner has guessed when a lesson asked for it.
type Guess struct {
	Time  string   `json:"time"`
	Value *float64 `json:"value"` // nil if the learner chose to make no guess
}

// Parse reads a [File] from its text. The message of an error is one line.
func Parse(text []byte) (*File, error) {
	var raw struct {
		File
		Progress json.RawMessage `json:"progress"`
	}
	var named struct {
		Schema string `json:"schema"`
	}
	if err := json.Unmarshal(text, &named); err != nil {
		return nil, fmt.Errorf("it is not a JSON object with a schema: %w", err)
	}
	if named.Schema != fileSchema {
		return nil, fmt.Errorf("invalid schema %q: want %q, as the pages of this version export it", named.Schema,
			fileSchema)
	}
	d := json.NewDecoder(bytes.NewReader(text))
	d.DisallowUnknownFields()
	if err := d.Decode(&raw); err != nil {
		return nil, fmt.Errorf("invalid work file: %w", err)
	}
	if raw.Answers == nil || raw.Progress == nil {
		return nil, errors.New("invalid work file: want the fields answers and progress")
	}
	f := raw.File
	var err error
	if f.Progress, err = progress.Parse(raw.Progress); err != nil {
		return nil, fmt.Errorf("the field progress: %w", err)
	}
	return &f, nil
}

// ErrOtherVariant is wrapped by the error of Answer if the file contains an answer to the exercise in
// a different variant.
var ErrOtherVariant = errors.New("there is an answer in")

// Answer returns the answer to an exercise in the variant with this seed. If f does not contain the
// answer, the error names the variants of the exercise for which f contains an answer.
func (f *File) Answer(id string, seed uint64) (Answer, error) {
	if a, ok := f.Answers[progress.Key(id, seed)]; ok {
		return a, nil
	}
	var others []string
	for _, key := range slices.Sorted(maps.Keys(f.Answers)) {
		if exerciseID, n := progress.ParseKey(key); exerciseID == id {
			others = append(others, variant(n))
		}
	}
	if len(others) > 0 {
		return Answer{}, fmt.Errorf("no answer to %s in %s; %w %s", id, variant(seed),
			ErrOtherVariant, strings.Join(others, ", "))
	}
	return Answer{}, fmt.Errorf("no answer to %s", id)
}

func variant(seed uint64) string {
	if seed == 0 {
		return "the common variant"
	}
	return fmt.Sprintf("variant %d", seed)
}

// Only returns the text of a new File. The new File contains the source of the answer with the given
// key, and nothing else of f.
func (f *File) Only(key string) ([]byte, error) {
	one := struct {
		File
		Progress *progress.Progress `json:"progress"`
	}{File{Schema: fileSchema, Answers: map[string]Answer{key: {Source: f.Answers[key].Source}},
		Guesses: map[string]Guess{}}, progress.New()}
	return json.Marshal(one)
}

// CarryFile is like Carry, but takes the answers from the [File] in the learner's folder dir. An answer
// goes into the newest copy of the exercise's or lesson's notebook, unless this copy differs from the
// current version in `notebooks`, for example because the learner has edited it. Answers to personal
// variants are not carried, because dir contains only the notebooks of the common variant. If `write` is
// true, CarryFile writes the notebooks, and adds the progress in the file to the learner's progress.
// Otherwise it only reports what it would do. If the file does not exist, CarryFile does nothing.
func CarryFile(dir string, notebooks files.Tree, write bool) ([]Carried, error) {
	text, err := os.ReadFile(filepath.Join(dir, FileName))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	f, err := Parse(text)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", filepath.Join(dir, FileName), err)
	}
	st, _, err := readState(dir)
	if err != nil {
		return nil, err
	}
	var list []Carried
	placed := map[string]bool{}
	for _, path := range notebooks.Paths() {
		id, data, err := f.fillStub(notebooks[path])
		placed[id] = true
		if err == nil && data == nil {
			continue
		}
		copies := slices.Concat([]string{path}, st.Files[path].Copies)
		c := Carried{From: FileName, Exercise: id, To: copies[len(copies)-1]}
		target := filepath.Join(dir, filepath.FromSlash(c.To))
		found, readErr := os.ReadFile(target)
		switch {
		case err != nil:
			c.Why = err.Error()
		case readErr != nil:
			c.Why = "the notebook cannot be read"
		case hash(found) == hash(data):
			continue // carried before
		case hash(found) != hash(notebooks[path]):
			c.Why = "you have edited that notebook"
		case write:
			if err := files.Write(target, data); err != nil {
				return list, err
			}
		}
		list = append(list, c)
	}
	for _, key := range slices.Sorted(maps.Keys(f.Answers)) {
		if id, seed := progress.ParseKey(key); !placed[id] || seed != 0 {
			list = append(list, Carried{From: FileName, Exercise: id, To: "a notebook of " + variant(seed),
				Why: "this folder has no such notebook"})
		}
	}
	if !write {
		return list, nil
	}
	_, err = progress.Below(dir).Update(func(p *progress.Progress) { p.Join(f.Progress) })
	return list, err
}

// fillStub replaces the stub in a fresh notebook with the answer in f. It returns the id of the
// notebook's exercise or lesson, and the new text of the notebook. If f contains no answer or only the
// unchanged stub, the result `data` is nil. If the answer is not valid Go or does not fit the stub, the
// error states the reason.
func (f *File) fillStub(fresh []byte) (id string, data []byte, err error) {
	nb, err := nbformat.Parse("the notebook", fresh)
	if err != nil {
		return "", nil, nil // this file is the page of equations, not a notebook
	}
	own := nbformat.OwnMetadata(nb.Metadata)
	if id, _ = own["exercise"].(string); id == "" {
		id, _ = own["lesson"].(string)
	}
	a, ok := f.Answers[progress.Key(id, 0)]
	if !ok {
		return id, nil, nil
	}
	mine, err := cell.ReadStub(a.Source)
	if err != nil {
		return id, nil, fmt.Errorf("the answer is not valid Go: %w", err)
	}
	var renamed error
	for _, c := range nb.Cells {
		if c.Type != nbformat.Code || !strings.Contains(c.Source, "panic(verify.TODO)") {
			continue
		}
		stub, err := cell.ReadStub(c.Source)
		if err == nil && stub.Renamed(mine) {
			renamed = stub.Fits(mine)
		}
		if err == nil && stub.Answers(mine) {
			if err := stub.Fits(mine); err != nil {
				return id, nil, err
			}
			c.Source = strings.TrimRight(a.Source, "\n")
			data, err = nb.Marshal()
			return id, data, err
		}
	}
	return id, nil, renamed // nil if the text in f is an unchanged stub
}
