package class

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"

	"golang.org/x/text/unicode/norm"

	"github.com/hyperplane-notebooks/hyperplane/generate/internal/nbgrader"
)

// A HandIn is a file that was handed in.
type HandIn struct {
	Learner, Exercise string
	Path              string // as it was found
	File              string // below the folder of hand-ins
	Time              time.Time
	TimeFrom          string // what says so
	Notes             []string
}

// moodle is the folder that Moodle makes of one learner's files; the name comes before it.
var moodle = regexp.MustCompile(`^(.+)_[0-9]+_assignsubmission_file_?$`)

// Find lists the hand-ins below a folder, one for each learner and exercise at most, and
// what lies there that is none. It knows three shapes, ID/EXERCISE.ipynb,
// nbgrader's submitted/ID/ASSIGNMENT/EXERCISE.ipynb (with its timestamp.txt), and
// Moodle's NAME_NUMBER_assignsubmission_file_/EXERCISE.ipynb, and follows no links; the
// notebook may have nbgrader's name of the exercise. Of two for the same exercise the later
// counts. Times are those of the manifest, hand-ins.csv, if there is one, else those that
// nbgrader's collect has written in its own layout, else the files'. A timestamp.txt anywhere
// else may be a learner's.
func Find(dir string, c *Course) (list []*HandIn, strange []string, err error) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil, nil, err
	}
	f := &finder{course: c, root: dir, found: map[[2]string]*HandIn{}}
	if err := f.manifest(); err != nil {
		return nil, nil, err
	}
	for _, e := range entries {
		switch {
		case e.Name() == manifestFile:
		case e.IsDir() && e.Name() == "submitted" && find(c.Learners, "submitted") == nil:
			below, err := os.ReadDir(filepath.Join(dir, e.Name()))
			if err != nil {
				f.odd(e.Name(), err.Error())
			}
			for _, b := range below {
				f.folder(filepath.Join(e.Name(), b.Name()), b)
			}
		default:
			f.folder(e.Name(), e)
		}
	}
	for _, l := range c.Learners {
		for _, e := range c.Exercises {
			if h := f.found[[2]string{l.ID, e.ID}]; h != nil {
				list = append(list, h)
			}
		}
	}
	slices.Sort(f.strange)
	return list, f.strange, nil
}

type finder struct {
	course  *Course
	root    string
	found   map[[2]string]*HandIn
	times   map[[2]string]time.Time // of the manifest
	strange []string
}

// manifestFile says when what was handed in: its columns are id, exercise and time.
const manifestFile = "hand-ins.csv"

// manifest reads the times, if there is a file of them.
func (f *finder) manifest() error {
	path := filepath.Join(f.root, manifestFile)
	if _, err := os.Lstat(path); errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	text, err := readHandIn(path)
	if err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	rows, err := readTable(path, text, "the list of hand-ins", "id,exercise,time", "id", "exercise", "time")
	if err != nil {
		return err
	}
	f.times = map[[2]string]time.Time{}
	for _, row := range rows {
		id, exercise := row.text("id"), row.text("exercise")
		at, ok := moment(row.text("time"))
		switch {
		case !ok:
			return fmt.Errorf("%s:%d: the time %q is none: write it as 2026-12-01 18:00", path, row.line, row.text("time"))
		case find(f.course.Learners, id) == nil:
			f.odd(manifestFile, fmt.Sprintf("line %d: nobody in the class has the id %s", row.line, id))
		case f.course.assigned(exercise).Weight == 0:
			f.odd(manifestFile, fmt.Sprintf("line %d: %s is not an exercise of the class", row.line, exercise))
		default:
			f.times[[2]string{id, exercise}] = at.UTC()
		}
	}
	return nil
}

func (f *finder) odd(file, why string) {
	f.strange = append(f.strange, fmt.Sprintf("%q: %s", filepath.ToSlash(file), why))
}

// folder looks into what should be a learner's folder.
func (f *finder) folder(name string, e fs.DirEntry) {
	if strings.HasPrefix(e.Name(), ".") {
		return
	}
	if !e.IsDir() {
		f.odd(name, "not the folder of a learner")
		return
	}
	id, err := f.course.whose(e.Name())
	if err != nil {
		f.odd(name, err.Error())
		return
	}
	f.files(id, name, true)
}

// whose is the id of the learner that a folder belongs to.
func (c *Course) whose(folder string) (string, error) {
	name := norm.NFC.String(folder)
	if find(c.Learners, name) != nil {
		return name, nil
	}
	m := moodle.FindStringSubmatch(name)
	if m == nil {
		return "", fmt.Errorf("nobody in the class has this id")
	}
	var ids []string
	for _, l := range c.Learners {
		if strings.EqualFold(l.Name, strings.Join(strings.Fields(m[1]), " ")) {
			ids = append(ids, l.ID)
		}
	}
	switch len(ids) {
	case 0:
		return "", fmt.Errorf("nobody in the class has the name %q", m[1])
	case 1:
		return ids[0], nil
	}
	return "", fmt.Errorf("%s have the name %q: put the files into a folder with the id", strings.Join(ids, " and "), m[1])
}

// files takes in the files of a learner's folder, and with deeper those of the folders
// in it, which are nbgrader's assignments.
func (f *finder) files(id, folder string, deeper bool) {
	entries, err := os.ReadDir(filepath.Join(f.root, folder))
	if err != nil {
		f.odd(folder, err.Error())
	}
	for _, e := range entries {
		path := filepath.Join(folder, e.Name())
		at := slices.IndexFunc(f.course.Exercises, func(a Assigned) bool {
			return e.Name() == a.ID+".ipynb" || e.Name() == nbgrader.Notebook(a.ID)
		})
		switch {
		case strings.HasPrefix(e.Name(), ".") || path == stampOf(path):
		case at >= 0:
			f.take(id, f.course.Exercises[at].ID, path)
		case e.IsDir() && deeper:
			f.files(id, path, false)
		default:
			f.odd(path, "not called as an exercise of the class is")
		}
	}
}

func (f *finder) take(id, exercise, file string) {
	h := &HandIn{Learner: id, Exercise: exercise, File: filepath.ToSlash(file), Path: filepath.Join(f.root, file)}
	if info, err := os.Lstat(h.Path); err == nil {
		h.Time, h.TimeFrom = info.ModTime().UTC(), "the file"
	}
	if stamp := stampOf(file); stamp != "" {
		if t, ok := stamped(filepath.Join(f.root, stamp)); ok {
			h.Time, h.TimeFrom = t, stampFile
		}
	}
	key := [2]string{id, exercise}
	if t, ok := f.times[key]; ok {
		h.Time, h.TimeFrom = t, manifestFile
	}
	if other := f.found[key]; other != nil {
		if other.Time.After(h.Time) {
			h, other = other, h
		}
		h.Notes = append(append(h.Notes, other.Notes...), fmt.Sprintf("There is another hand-in, %s, which is not later; it does not count.", other.File))
	}
	f.found[key] = h
}

// stampFile is the file in which nbgrader's collect writes the time of a submission.
const stampFile = "timestamp.txt"

// stampOf returns the path of nbgrader's time stamp beside a file, "" if the file does not
// lie in nbgrader's layout, submitted/ID/ASSIGNMENT/FILE.
func stampOf(file string) string {
	if parts := strings.Split(filepath.ToSlash(file), "/"); len(parts) != 4 || parts[0] != "submitted" {
		return ""
	}
	return filepath.Join(filepath.Dir(file), stampFile)
}

// stamped is the time that nbgrader has written beside a hand-in.
func stamped(path string) (time.Time, bool) {
	text, err := readFile(path, 200)
	if err != nil {
		return time.Time{}, false
	}
	for _, layout := range []string{"2006-01-02 15:04:05 MST", "2006-01-02 15:04:05 -0700", "2006-01-02 15:04:05", time.RFC3339} {
		if t, err := time.Parse(layout, strings.TrimSpace(string(text))); err == nil {
			return t.UTC(), true
		}
	}
	return time.Time{}, false
}

// hash tells hand-ins apart by what they hold.
func hash(data []byte) string {
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:])
}
