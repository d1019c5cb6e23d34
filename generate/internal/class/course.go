package class

import (
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/binary"
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

// The files of a class, in its folder; those below Release are for the learners.
const (
	courseFile = "class.json"
	secretFile = "secret"
	Release    = "release"
	Key        = "key"
)

const courseSchema = "hyperplane-class/1"

// A Course is what a class was given: it alone says what a hand-in is judged by.
type Course struct {
	Schema    string     `json:"schema"`
	Version   string     `json:"version"` // of the toolkit that made the release
	Exercises []Assigned `json:"exercises"`
	Learners  []Learner  `json:"learners"`

	Assignment string `json:"assignment,omitempty"` // what nbgrader calls the exercises together
}

// Assigned is an exercise of the course and the points that it gives.
type Assigned struct {
	ID       string  `json:"id"`
	Weight   float64 `json:"weight"`
	Optional float64 `json:"optional,omitempty"` // how much of a compulsory part an optional one counts
}

// Open reads the course in a folder.
func Open(dir string) (*Course, error) {
	path := filepath.Join(dir, courseFile)
	text, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("%s is not there: make the class with `generate class`, or name its folder", path)
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
	for _, l := range c.Learners { // they name folders
		if err := validID(l.ID, l.ID); err != nil {
			return nil, fmt.Errorf("%s: %w", path, err)
		}
	}
	return c, nil
}

// Enrol returns the course in a folder with the exercises and learners of a roster added,
// or a new one. Who is in it stays, with the same seed; name, email and due date are
// those of the roster. An exercise that is given again has the new weight, and its optional
// parts count what they did.
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
			return nil, fmt.Errorf("the ids %s and %s differ in capitals only", c.Learners[i].ID, l.ID)
		}
		c.Learners = append(c.Learners, l)
	}
	return c, nil
}

// Save writes the course into its folder. It holds the seeds, and is the teacher's.
func (c *Course) Save(dir string) error {
	text, err := json.MarshalIndent(c, "", "  ")
	if err != nil {
		return err
	}
	return files.Write(filepath.Join(dir, courseFile), append(text, '\n'))
}

// secret is the course's secret, made once. Where learners have seeds of another one that
// is gone, there is an error.
func secret(dir string, needed bool) ([]byte, error) {
	path := filepath.Join(dir, secretFile)
	text, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) && !needed {
		key := make([]byte, 32)
		rand.Read(key) //nolint:errcheck // it never returns an error
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
		return nil, fmt.Errorf("the secret of the course, of which the learners' seeds are made: %w", err)
	}
	key, err := hex.DecodeString(strings.TrimSpace(string(text)))
	if err != nil || len(key) != 32 {
		return nil, fmt.Errorf("%s does not hold the secret of a course: 64 hexadecimal digits", path)
	}
	return key, nil
}

// seed is 40 bits of HMAC-SHA256 with the course's secret, never 0: who does not know the
// secret cannot tell another's variant.
func seed(secret []byte, id string) uint64 {
	mac := hmac.New(sha256.New, secret)
	mac.Write([]byte("hyperplane variant\n" + id))
	return binary.BigEndian.Uint64(mac.Sum(nil))>>24 | 1<<40
}
