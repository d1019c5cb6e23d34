package exercises

import (
	"bytes"
	"fmt"
	"io/fs"
	"os"
	"path"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
)

// mostLines is the largest number of lines that the Go files of an exercise may have together.
const mostLines = 1300

// requiredFiles lists the files that every exercise must have. A testdata folder is allowed as
// well.
var requiredFiles = []string{"exercise.md", "check.go", "answer_test.go", "check_test.go"}

func TestExerciseIsFewFiles(t *testing.T) {
	folders, err := fs.Glob(os.DirFS("."), "*/*[0-9][0-9]")
	if err != nil || len(folders) != len(Entries()) {
		t.Errorf("got %d folders of exercises (error %v), want one for each of the %d exercises", len(folders), err, len(Entries()))
	}
	for _, fault := range fileFaults(os.DirFS("."), folders) {
		t.Error(fault)
	}
}

// fileFaults returns a line for each fault of an exercise's folder: too many files, a missing file,
// or too many lines of Go.
func fileFaults(module fs.FS, folders []string) []string {
	var faults []string
	for _, dir := range folders {
		fault := func(format string, args ...any) {
			faults = append(faults, dir+": "+fmt.Sprintf(format, args...))
		}
		paths, err := fs.Glob(module, dir+"/*")
		if err != nil {
			fault("%v", err)
		}
		var names []string
		lines := 0
		for _, p := range paths {
			if name := path.Base(p); name != "testdata" {
				names = append(names, name)
			}
			if b, err := fs.ReadFile(module, p); err == nil && path.Ext(p) == ".go" {
				lines += bytes.Count(b, []byte("\n"))
			}
		}
		if lines > mostLines {
			fault("%d lines of Go, want at most %d", lines, mostLines)
		}
		if len(names) > len(requiredFiles) {
			fault("too many files: %s; want only the four required files and a testdata folder", strings.Join(names, ", "))
		}
		for _, name := range requiredFiles {
			if !slices.Contains(names, name) {
				fault("%s is missing", name)
			}
		}
	}
	return faults
}

func TestFileFaults(t *testing.T) {
	const four, long = "exercise.md check.go answer_test.go check_test.go", "/long"
	// maps a list of an exercise's files to the beginning of the fault; "" means no fault
	for files, want := range map[string]string{
		four:                                  "",
		four + " testdata/a testdata/b":       "",
		four + " more.go":                     "b/ex01: too many files: answer_test.go, check.go",
		four + long:                           "b/ex01: 1301 lines of Go, want at most 1300",
		"exercise.md check.go answer_test.go": "b/ex01: check_test.go is missing",
	} {
		module := fstest.MapFS{}
		list, isLong := strings.CutSuffix(files, long)
		for name := range strings.FieldsSeq(list) {
			module["b/ex01/"+name] = &fstest.MapFile{}
		}
		if isLong {
			module["b/ex01/check.go"].Data = bytes.Repeat([]byte("\n"), mostLines+1)
		}
		got := strings.Join(fileFaults(module, []string{"b/ex01"}), "\n")
		if (got == "") != (want == "") || !strings.HasPrefix(got, want) {
			t.Errorf("for the files %s: got the faults %q, want text that begins with %q, or no fault if this is empty", files, got, want)
		}
	}
}
