package class

import (
	"bytes"
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/binary"
	"encoding/csv"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/hyperplane-notebooks/hyperplane/generate/internal/files"
)

// These constants are the names of files and folders in the folder of a class. The teacher may give
// learners only the files below the folder Release.
const (
	courseFile = "class.json"
	secretFile = "secret"
	Release    = "release"
	Key        = "key"
)

const courseSchema = "hyperplane-class/1"

// A Course records the exercises and learners of a class. The command `grade` takes the list of
// exercises, the learners and their seeds only from this record.
type Course struct {
	Schema    string     `json:"schema"`
	Version   string     `json:"version"` // version of the toolkit that made the released notebooks
	Exercises []Assigned `json:"exercises"`
	Learners  []Learner  `json:"learners"`

	Assignment string `json:"assignment,omitempty"` // name of the nbgrader assignment that contains all exercises
}

// Assigned is an exercise of the course, with the points that it is worth.
type Assigned struct {
	ID       string  `json:"id"`
	Weight   float64 `json:"weight"`
	Optional float64 `json:"optional,omitempty"` // weight of an optional part relative to a compulsory part
}

// Open reads the course in the folder dir. It returns an error if the course's file cannot be read, is
// not valid JSON, has a schema that this version cannot read, or contains an invalid id of a learner.
func Open(dir string) (*Course, error) {
	path := filepath.Join(dir, courseFile)
	text, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("%s is missing: make the class with the command `class`, or pass the folder of a class", path)
	}
	if err != nil {
		return nil, err
	}
	c := &Course{}
	if err := json.Unmarshal(text, c); err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	if c.Schema != courseSchema {
		return nil, fmt.Errorf("%s has the schema %q; this version reads %q", path, c.Schema, courseSchema)
	}
	for _, l := range c.Learners { // ids must be valid as folder names
		if err := validID(l.ID, l.ID); err != nil {
			return nil, fmt.Errorf("%s: %w", path, err)
		}
	}
	return c, nil
}

// Enrol adds exercises and the learners of a roster to the course in the folder dir, or to a new
// course. If a learner of the roster is already in the course, the learner keeps the seed, but gets
// the name, email and due date in the roster. An exercise that is already in the course gets its
// weight from `exercises` and keeps the weight of its optional parts. Enrol returns an error if two
// ids differ only in upper and lower case. Enrol does not save the course, but it creates the file
// of the course's secret if the course has no learners yet and this file is missing.
func Enrol(dir, version string, roster []Learner, exercises []Assigned) (*Course, error) {
	c, err := Open(dir)
	if err != nil {
		if _, missing := os.Lstat(filepath.Join(dir, courseFile)); !errors.Is(missing, fs.ErrNotExist) {
			return nil, err
		}
		c = &Course{}
	}
	secret, err := secret(dir, len(c.Learners) > 0)
	if err != nil {
		return nil, err
	}
	c.Schema, c.Version = courseSchema, version
	for _, e := range exercises {
		if i := slices.IndexFunc(c.Exercises, func(a Assigned) bool { return a.ID == e.ID }); i >= 0 {
			c.Exercises[i].Weight = e.Weight
		} else {
			c.Exercises = append(c.Exercises, e)
		}
	}
	for _, l := range roster {
		l.Seed = seed(secret, l.ID)
		if old := find(c.Learners, l.ID); old != nil {
			*old = l
			continue
		}
		if i := slices.IndexFunc(c.Learners, func(o Learner) bool { return strings.EqualFold(o.ID, l.ID) }); i >= 0 {
			return nil, fmt.Errorf("the ids %s and %s differ only in upper and lower case", c.Learners[i].ID, l.ID)
		}
		c.Learners = append(c.Learners, l)
	}
	return c, nil
}

// Save writes the course into the folder dir. The file must stay with the teacher because it
// contains the learners' seeds.
func (c *Course) Save(dir string) error {
	text, err := json.MarshalIndent(c, "", "  ")
	if err != nil {
		return err
	}
	return files.Write(filepath.Join(dir, courseFile), append(text, '\n'))
}

// secret returns the secret of the course in the folder dir. Learners who already have seeds need
// the old secret, because their seeds were derived from it. If there are such learners, the caller
// sets `needed`, and secret returns an error if the secret is missing. Otherwise secret creates a new
// secret in place of a missing one.
func secret(dir string, needed bool) ([]byte, error) {
	path := filepath.Join(dir, secretFile)
	text, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) && !needed {
		key := make([]byte, 32)
		rand.Read(key) //nolint:errcheck // rand.Read never returns an error
		if err := os.MkdirAll(dir, 0o755); err != nil {
			return nil, err
		}
		f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
		if err != nil {
			return nil, err
		}
		_, err = fmt.Fprintln(f, hex.EncodeToString(key))
		return key, errors.Join(err, f.Sync(), f.Close())
	}
	if err != nil {
		return nil, fmt.Errorf("cannot read the course's secret, from which learners' seeds are derived: %w", err)
	}
	key, err := hex.DecodeString(strings.TrimSpace(string(text)))
	if err != nil || len(key) != 32 {
		return nil, fmt.Errorf("%s does not contain the secret of a course: want 64 hexadecimal digits", path)
	}
	return key, nil
}

// seed returns a learner's seed. It takes 40 bits from the HMAC-SHA256 of a text that contains the
// learner's id. The key of the HMAC is the course's secret. The function also sets the next higher
// bit, so the seed is never 0. Learners do not know the secret, so they cannot compute each other's seeds.
func seed(secret []byte, id string) uint64 {
	mac := hmac.New(sha256.New, secret)
	mac.Write([]byte("hyperplane variant\n" + id))
	return binary.BigEndian.Uint64(mac.Sum(nil))>>24 | 1<<40
}

// feedbackDir is the folder of the feedback pages within the folder of grades.
const feedbackDir = "feedback"

// HandOut copies every learner's feedback page from the folder `grades` into the learner's release in
// the course folder `dir`. It returns the ids of the learners for whom there is no page, because they
// joined the class after the grading.
func (c *Course) HandOut(grades, dir string) (without []string, err error) {
	if _, err := os.ReadDir(filepath.Join(grades, feedbackDir)); err != nil {
		return nil, fmt.Errorf("%s contains no feedback: %w; run the command `grade` first", grades, err)
	}
	for _, l := range c.Learners {
		page, err := os.ReadFile(filepath.Join(grades, feedbackDir, l.ID+".html"))
		if errors.Is(err, fs.ErrNotExist) {
			without = append(without, l.ID)
			continue
		}
		if err != nil {
			return without, err
		}
		if err := files.Write(filepath.Join(dir, Release, l.ID, "feedback.html"), page); err != nil {
			return without, err
		}
	}
	return without, nil
}

// WriteStudents writes students.csv into the course folder `dir`. The file has the columns that
// `nbgrader db student import` reads.
func (c *Course) WriteStudents(dir string) error {
	rows := [][]string{{"id", "first_name", "last_name", "email"}}
	for _, l := range c.Learners {
		first, last := l.splitName()
		rows = append(rows, []string{l.ID, cellText(first), cellText(last), cellText(l.Email)})
	}
	var text bytes.Buffer
	if err := csv.NewWriter(&text).WriteAll(rows); err != nil {
		return err
	}
	return files.Write(filepath.Join(dir, "students.csv"), text.Bytes())
}

// splitName splits the learner's name. The last word is the last name, and all other words are
// first names.
func (l Learner) splitName() (first, last string) {
	names := strings.Fields(l.Name)
	n := max(0, len(names)-1)
	return strings.Join(names[:n], " "), strings.Join(names[n:], "")
}
