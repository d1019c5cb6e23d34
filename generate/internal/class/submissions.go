package class

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"syscall"
	"time"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"github.com/hyperplane-notebooks/hyperplane/exercises/progress"
	"github.com/hyperplane-notebooks/hyperplane/generate/internal/cell"
	"github.com/hyperplane-notebooks/hyperplane/generate/internal/exercise"
	"github.com/hyperplane-notebooks/hyperplane/generate/internal/nbformat"
	"github.com/hyperplane-notebooks/hyperplane/generate/internal/nbgrader"
	"github.com/hyperplane-notebooks/hyperplane/generate/internal/work"
)

// A Submission is a notebook, or the answer to one exercise in a work.File.
type Submission struct {
	Learner, Exercise string
	Path              string // path as found
	File              string // path relative to the folder of submissions
	Time              time.Time
	TimeFrom          string // source of Time
	Notes             []string
	Key               string           // key of the answer in a work.File; "" if the file is a notebook
	Record            *progress.Record // the tries that a work.File records for the exercise; nil without a record
}

// moodle matches the name of the folder that Moodle creates for one learner's files. The folder's
// name begins with the learner's name.
var moodle = regexp.MustCompile(`^(.+)_[0-9]+_assignsubmission_file_?$`)

// Find lists the submissions below dir, at most one for each learner and exercise, and the entries
// that are not submissions. It follows no links. Find recognises three layouts: ID/EXERCISE.ipynb,
// nbgrader's submitted/ID/ASSIGNMENT/EXERCISE.ipynb, and Moodle's
// NAME_NUMBER_assignsubmission_file_/EXERCISE.ipynb. The file name may also be nbgrader's name of
// the exercise. A learner's folder may also contain a work.File, which has answers to several
// exercises. If a learner submitted an exercise several times, the latest submission counts.
//
// Find reads the time of a submission from the manifest hand-ins.csv if the manifest lists the
// submission. If the manifest does not list a submission in nbgrader's layout, Find reads the
// timestamp.txt that nbgrader's collect has written. If there is neither a manifest entry nor a
// timestamp, Find uses the modification time of the file. In the other layouts, Find reads no time
// from a timestamp.txt, because the learner may have written this file.
func Find(dir string, c *Course) (list []*Submission, ungraded []string, err error) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil, nil, err
	}
	f := &finder{course: c, root: dir, found: map[[2]string]*Submission{}}
	if err := f.readTimes(); err != nil {
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
				f.addFolder(filepath.Join(e.Name(), b.Name()), b)
			}
		default:
			f.addFolder(e.Name(), e)
		}
	}
	for _, l := range c.Learners {
		for _, e := range c.Exercises {
			if h := f.found[[2]string{l.ID, e.ID}]; h != nil {
				list = append(list, h)
			}
		}
	}
	slices.Sort(f.ungraded)
	return list, f.ungraded, nil
}

type finder struct {
	course   *Course
	root     string
	found    map[[2]string]*Submission
	times    map[[2]string]time.Time // from the manifest
	ungraded []string
}

// manifestFile is the name of a table that lists when each submission was received. Its columns are
// id, exercise and time.
const manifestFile = "hand-ins.csv"

// readTimes reads the file manifestFile and stores the times in f.times. If the file does not
// exist, f.times stays empty. A line about an unknown learner or exercise is recorded in f.ungraded.
func (f *finder) readTimes() error {
	path := filepath.Join(f.root, manifestFile)
	if _, err := os.Lstat(path); errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	text, err := readSubmission(path)
	if err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	rows, err := readTable(path, text, "the list of submissions", "id,exercise,time", "id", "exercise", "time")
	if err != nil {
		return err
	}
	f.times = map[[2]string]time.Time{}
	for _, row := range rows {
		id, exercise := row.text("id"), row.text("exercise")
		at, ok := parseTime(row.text("time"))
		switch {
		case !ok:
			return fmt.Errorf("%s:%d: invalid time %q: want the form 2026-12-01 18:00", path, row.line, row.text("time"))
		case find(f.course.Learners, id) == nil:
			f.odd(manifestFile, fmt.Sprintf("line %d: nobody in the class has the id %s", row.line, id))
		case f.course.assignedEntry(exercise).Weight == 0:
			f.odd(manifestFile, fmt.Sprintf("line %d: %s is not an exercise of the class", row.line, exercise))
		default:
			f.times[[2]string{id, exercise}] = at.UTC()
		}
	}
	return nil
}

func (f *finder) odd(file, why string) {
	f.ungraded = append(f.ungraded, fmt.Sprintf("%q: %s", filepath.ToSlash(file), why))
}

// addFolder adds the submissions in the folder of a learner. It ignores an entry whose name begins with
// a dot. Any other entry that is not the folder of a learner is recorded in f.ungraded.
func (f *finder) addFolder(name string, e fs.DirEntry) {
	if strings.HasPrefix(e.Name(), ".") {
		return
	}
	if !e.IsDir() {
		f.odd(name, "not the folder of a learner")
		return
	}
	id, err := f.course.ownerOf(e.Name())
	if err != nil {
		f.odd(name, err.Error())
		return
	}
	f.addFiles(id, name, true)
}

// ownerOf returns the id of the learner who owns a folder. The folder's name must be an id or a
// name in Moodle's format.
func (c *Course) ownerOf(folder string) (string, error) {
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
	return "", fmt.Errorf("%s have the name %q: put the files into a folder whose name is the learner's id",
		strings.Join(ids, " and "), m[1])
}

// addFiles adds the submissions in a learner's folder. If `deeper` is true, it also adds the
// submissions in the subfolders. In nbgrader's layout, each subfolder is an assignment. addFiles ignores
// nbgrader's time stamp and names that begin with a dot. It records any other entry in f.ungraded.
func (f *finder) addFiles(id, folder string, deeper bool) {
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
			f.addSubmission(&Submission{Learner: id, Exercise: f.course.Exercises[at].ID}, path)
		case e.Name() == work.FileName:
			f.addWorkFile(id, path)
		case e.IsDir() && deeper:
			f.addFiles(id, path, false)
		default:
			f.odd(path, "this file or folder is not named after an exercise of the class")
		}
	}
}

// addWorkFile reads a work.File, which can contain answers to several exercises. For each exercise of
// the class, it adds a submission if the file contains an answer in the learner's own variant. If the
// file contains only answers in other variants of the exercise, addWorkFile records this in f.ungraded.
func (f *finder) addWorkFile(id, file string) {
	text, err := readSubmission(filepath.Join(f.root, file))
	if err != nil {
		f.odd(file, err.Error())
		return
	}
	all, err := work.Parse(text)
	if err != nil {
		f.odd(file, err.Error())
		return
	}
	seed := find(f.course.Learners, id).Seed
	answers := 0
	for _, e := range f.course.Exercises {
		if _, err := all.Answer(e.ID, seed); err != nil {
			if !strings.HasPrefix(err.Error(), "no answer to "+e.ID+" in ") {
				continue // the learner has not begun this exercise
			}
			f.odd(file, err.Error())
			continue
		}
		answers++
		key := progress.Key(e.ID, seed)
		f.addSubmission(&Submission{Learner: id, Exercise: e.ID, Key: key, Record: all.Progress.Exercises[key]}, file)
	}
	if answers == 0 {
		f.odd(file, "this file contains no answer to an exercise of the class in the learner's own variant")
	}
}

// read reads the text that determines the result of a submission. This text is either the whole
// notebook or a single answer in a work.File.
func (h *Submission) read() ([]byte, error) {
	data, err := readSubmission(h.Path)
	if err != nil || h.Key == "" {
		return data, err
	}
	all, err := work.Parse(data)
	if err != nil {
		return nil, err
	}
	return all.Only(h.Key)
}

// addSubmission sets the path and the time of the submission h, and adds h to f.found. If f.found already
// contains a submission to the same exercise by the same learner, addSubmission keeps only the later one,
// with a note about the other one.
func (f *finder) addSubmission(h *Submission, file string) {
	h.File, h.Path = filepath.ToSlash(file), filepath.Join(f.root, file)
	if info, err := os.Lstat(h.Path); err == nil {
		h.Time, h.TimeFrom = info.ModTime().UTC(), "the file"
	}
	if stamp := stampOf(file); stamp != "" {
		if t, ok := readStamp(filepath.Join(f.root, stamp)); ok {
			h.Time, h.TimeFrom = t, stampFile
		}
	}
	key := [2]string{h.Learner, h.Exercise}
	if t, ok := f.times[key]; ok {
		h.Time, h.TimeFrom = t, manifestFile
	}
	if other := f.found[key]; other != nil {
		if other.Time.After(h.Time) {
			h, other = other, h
		}
		h.Notes = append(append(h.Notes, other.Notes...),
			fmt.Sprintf("Another submission, %s, does not count, because it is not newer than this submission.", other.File))
	}
	f.found[key] = h
}

// stampFile is the name of the file into which nbgrader's collect writes the time of a submission.
const stampFile = "timestamp.txt"

// stampOf returns the path of nbgrader's time stamp next to a file, or "" if the file is not in
// nbgrader's layout, submitted/ID/ASSIGNMENT/FILE.
func stampOf(file string) string {
	if parts := strings.Split(filepath.ToSlash(file), "/"); len(parts) != 4 || parts[0] != "submitted" {
		return ""
	}
	return filepath.Join(filepath.Dir(file), stampFile)
}

// readStamp reads the time stamp of a submission. If the stamp names no time zone, readStamp assumes
// UTC. It reports false if the file is missing or contains no time.
func readStamp(path string) (time.Time, bool) {
	text, err := readFile(path, 200)
	if err != nil {
		return time.Time{}, false
	}
	for _, layout := range []string{"2006-01-02 15:04:05 MST", "2006-01-02 15:04:05 -0700", "2006-01-02 15:04:05",
		time.RFC3339} {
		if t, err := time.Parse(layout, strings.TrimSpace(string(text))); err == nil {
			return t.UTC(), true
		}
	}
	return time.Time{}, false
}

// hash returns the SHA-256 of a submission's contents, in hexadecimal digits.
func hash(data []byte) string {
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:])
}

// readSubmission returns the contents of a submitted file or of the manifest. It returns an error if the
// contents are not valid UTF-8.
func readSubmission(path string) ([]byte, error) {
	data, err := readFile(path, nbformat.MaxSize)
	if err == nil && !utf8.Valid(data) {
		return nil, fmt.Errorf("the file is not valid UTF-8")
	}
	return data, err
}

// readFile reads a file that a learner may have written. It returns an error if the file has more
// than maxBytes bytes or is not a regular file. In particular, it rejects links, because a link
// could point to a different learner's file.
func readFile(path string, maxBytes int64) ([]byte, error) {
	info, err := os.Lstat(path)
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() {
		kind := "a device or socket"
		switch {
		case info.IsDir():
			kind = "a folder"
		case info.Mode().Type() == fs.ModeSymlink:
			kind = "a link"
		case info.Mode().Type() == fs.ModeNamedPipe:
			kind = "a pipe"
		}
		return nil, fmt.Errorf("this is %s, not a file", kind)
	}
	return readSeen(path, info, maxBytes)
}

// readSeen reads the file at path. `seen` describes the file, as returned by an earlier call of
// Lstat. After that call, a learner with write access can replace the file with a link or a pipe.
// Therefore readSeen opens the file without blocking and checks that the opened file is the file
// that `seen` describes.
func readSeen(path string, seen os.FileInfo, maxBytes int64) ([]byte, error) {
	f, err := os.OpenFile(path, os.O_RDONLY|syscall.O_NONBLOCK, 0)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	if now, err := f.Stat(); err != nil || !os.SameFile(seen, now) {
		return nil, fmt.Errorf("the file was replaced while generate was reading it")
	}
	data, err := io.ReadAll(io.LimitReader(f, maxBytes+1))
	if err == nil && int64(len(data)) > maxBytes {
		return nil, fmt.Errorf("the file has more than %d bytes", maxBytes)
	}
	return data, err
}

// Answer returns the text of a submitted notebook's answer cell. Only this cell is graded. The
// answer cell is the cell with the same id as the stub's cell. If this cell does not declare the
// functions of the answer, Answer uses the first cell that declares these functions. If no cell
// declares them, Answer uses the code cell with the stub's id all the same, or returns an error if
// there is no such cell. The list `notes` says if the answer is not in the stub's cell, and describes
// changes that do not count for the grade.
//
// If the data are a work.File, Answer returns the file's answer to e in the variant of e.
func Answer(data []byte, e *exercise.Exercise) (source string, notes []string, err error) {
	if all, err := work.Parse(data); err == nil {
		a, err := all.Answer(e.ID, e.Seed)
		return cell.WithoutPackage(a.Source), nil, err
	}
	nb, err := nbformat.Parse("the notebook", data)
	if err != nil {
		return "", nil, err
	}
	for _, c := range nb.Cells {
		c.Source = cell.WithoutPackage(c.Source)
	}
	release, err := e.Learner()
	if err != nil {
		return "", nil, err
	}
	stub := nbformat.ID(e.ID, "stub")
	at := slices.IndexFunc(nb.Cells,
		func(c *nbformat.Cell) bool { return c.ID == stub && c.Type == nbformat.Code && declaresAnswer(c, e) })
	if at < 0 {
		at = slices.IndexFunc(nb.Cells, func(c *nbformat.Cell) bool {
			return c.Type == nbformat.Code && declaresAnswer(c, e)
		})
		if at >= 0 {
			notes = append(notes, fmt.Sprintf("The answer is in the cell %s, not in the stub's cell.", nb.Cells[at].ID))
		} else if at = slices.IndexFunc(nb.Cells,
			func(c *nbformat.Cell) bool { return c.ID == stub && c.Type == nbformat.Code }); at < 0 {
			return "", nil, fmt.Errorf("no cell declares %s, and no code cell has the id of the stub's cell",
				strings.Join(e.Answer.Functions, ", "))
		}
	}
	return nb.Cells[at].Source, append(notes, listChanges(nb, release, nb.Cells[at].ID, e)...), nil
}

// declaresAnswer reports whether a cell declares every function of the answer, including the functions
// for the intermediate steps.
func declaresAnswer(c *nbformat.Cell, e *exercise.Exercise) bool {
	s, err := cell.ReadStub(c.Source)
	return err == nil && !slices.ContainsFunc(e.Answer.Functions, func(f string) bool { return !s.Declares(f) })
}

// listChanges describes changes to a notebook that do not count for the grade, but that the learner
// may expect to count.
func listChanges(nb, release *nbformat.Notebook, answer string, e *exercise.Exercise) (notes []string) {
	own, given := nbformat.OwnMetadata(nb.Metadata), nbformat.OwnMetadata(release.Metadata)
	if id := fmt.Sprint(own["exercise"]); own["exercise"] != nil && id != e.ID {
		notes = append(notes,
			fmt.Sprintf("The notebook names the exercise %s, but was judged as %s.", quoteShort(id), e.ID))
	}
	switch seed := own["seed"]; {
	case seed == nil && given["seed"] != nil:
		notes = append(notes, fmt.Sprintf("The notebook names no variant, but was judged as the learner's own variant %v.", given["seed"]))
	case fmt.Sprint(seed) != fmt.Sprint(given["seed"]):
		notes = append(notes,
			fmt.Sprintf("The notebook names the variant %s, but was judged as the learner's own variant %v.",
				quoteShort(fmt.Sprint(seed)), given["seed"]))
	}
	added := 0
	for _, c := range nb.Cells {
		if c.Type == nbformat.Code && release.Cell(c.ID) == nil && c.ID != answer && strings.TrimSpace(c.Source) != "" {
			added++
		}
	}
	if added > 0 {
		notes = append(notes, fmt.Sprintf("Code cells that were added: %d. They do not count.", added))
	}
	for _, c := range release.Cells {
		role, _ := nbformat.OwnMetadata(c.Metadata)["role"].(string)
		if role != "setup" && role != "check" && role != "stub" {
			continue // ignore other cells, because the learner may freely write notes and experiments
		}
		now := nb.Cell(c.ID)
		switch {
		case now == nil:
			notes = append(notes, fmt.Sprintf("The cell %s is missing.", c.ID))
		case c.ID != answer && strings.TrimSpace(now.Source) != strings.TrimSpace(c.Source):
			notes = append(notes, fmt.Sprintf("The cell %s was changed; the change does not count.", c.ID))
		}
	}
	return notes
}

// quoteShort cuts a text from a submission to 40 characters and returns it in quotes.
func quoteShort(text string) string {
	if r := []rune(text); len(r) > 40 {
		text = string(r[:40]) + "…"
	}
	return fmt.Sprintf("%q", text)
}
