package exercises

import (
	"io/fs"
	"os"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
)

// mostFiles is how many files an exercise's folder may have: those of needed, and
// mistakes.go where the table of wrong answers is long.
const mostFiles = 5

// needed are the files that every exercise has.
var needed = []string{"exercise.md", "check.go", "answer_test.go", "check_test.go"}

// beside are names that do not count.
var beside = []string{"testdata"}

// unfolded are the exercises whose judge still lies in more files than mostFiles. A
// new exercise does not come here: the list only gets shorter.
var unfolded = []string{
	"alpaydin10/ex06",
}

func TestExerciseIsFewFiles(t *testing.T) {
	folders, err := fs.Glob(os.DirFS("."), "*/ex[0-9][0-9]")
	if err != nil || len(folders) < 35 {
		t.Fatalf("%d folders of exercises (%v)", len(folders), err)
	}
	for _, fault := range fileFaults(os.DirFS("."), folders, unfolded) {
		t.Error(fault)
	}
}

// fileFaults says which folders have too many files or too few, and what should not
// be in the list of those that may have more.
func fileFaults(module fs.FS, folders, unfolded []string) []string {
	var faults []string
	for _, dir := range unfolded {
		if !slices.Contains(folders, dir) {
			faults = append(faults, dir+": there is no such exercise; strike it off the list")
		}
	}
	for _, dir := range folders {
		entries, err := fs.ReadDir(module, dir)
		if err != nil {
			faults = append(faults, err.Error())
			continue
		}
		var names []string
		for _, e := range entries {
			if !slices.Contains(beside, e.Name()) {
				names = append(names, e.Name())
			}
		}
		switch many := len(names) > mostFiles; {
		case slices.Contains(unfolded, dir):
			if !many {
				faults = append(faults, dir+": few files now; strike it off the list")
			}
		case many:
			faults = append(faults, dir+": too many files: "+strings.Join(names, ", "))
		default:
			for _, name := range needed {
				if !slices.Contains(names, name) {
					faults = append(faults, dir+": "+name+" is missing")
				}
			}
		}
	}
	return faults
}

func TestFileFaults(t *testing.T) {
	module := func(names ...string) fstest.MapFS {
		m := fstest.MapFS{}
		for _, name := range names {
			m["b/ex01/"+name] = &fstest.MapFile{}
		}
		return m
	}
	four := slices.Clone(needed)
	five := append(slices.Clone(needed), "mistakes.go")
	six := append(slices.Clone(five), "more.go")
	for _, tt := range []struct {
		name     string
		module   fstest.MapFS
		unfolded []string
		want     string // "" for no fault
	}{
		{"four", module(four...), nil, ""},
		{"five", module(five...), nil, ""},
		{"five and what does not count", module(append(five, "testdata/a", "testdata/b")...), nil, ""},
		{"six", module(six...), nil, "b/ex01: too many files: answer_test.go, check.go"},
		{"six, listed", module(six...), []string{"b/ex01"}, ""},
		{"five, listed", module(five...), []string{"b/ex01"}, "b/ex01: few files now"},
		{"one missing", module(four[:3]...), nil, "b/ex01: check_test.go is missing"},
		{"listed, not there", module(five...), []string{"b/ex02"}, "b/ex02: there is no such exercise"},
	} {
		got := strings.Join(fileFaults(tt.module, []string{"b/ex01"}, tt.unfolded), "\n")
		if (got == "") != (tt.want == "") || !strings.HasPrefix(got, tt.want) {
			t.Errorf("%s: %q, want %q", tt.name, got, tt.want)
		}
	}
}
