package exercises

import (
	"bytes"
	"fmt"
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

// mostLines is how many lines an exercise's Go files hold together.
const mostLines = 1200

// needed are the files that every exercise has.
var needed = []string{"exercise.md", "check.go", "answer_test.go", "check_test.go"}

// beside are names that do not count.
var beside = []string{"testdata"}

func TestExerciseIsFewFiles(t *testing.T) {
	folders, err := fs.Glob(os.DirFS("."), "*/ex[0-9][0-9]")
	if err != nil || len(folders) < 35 {
		t.Fatalf("%d folders of exercises (%v)", len(folders), err)
	}
	for _, fault := range fileFaults(os.DirFS("."), folders) {
		t.Error(fault)
	}
}

// fileFaults says which folders have too many files or too few, or too many lines of Go.
func fileFaults(module fs.FS, folders []string) []string {
	var faults []string
	for _, dir := range folders {
		entries, err := fs.ReadDir(module, dir)
		if err != nil {
			faults = append(faults, err.Error())
			continue
		}
		var names []string
		lines := 0
		for _, e := range entries {
			if slices.Contains(beside, e.Name()) {
				continue
			}
			names = append(names, e.Name())
			if b, err := fs.ReadFile(module, dir+"/"+e.Name()); err == nil && strings.HasSuffix(e.Name(), ".go") {
				lines += bytes.Count(b, []byte("\n"))
			}
		}
		if lines > mostLines {
			faults = append(faults, fmt.Sprintf("%s: %d lines of Go, more than %d", dir, lines, mostLines))
		}
		if len(names) > mostFiles {
			faults = append(faults, dir+": too many files: "+strings.Join(names, ", "))
		}
		for _, name := range needed {
			if !slices.Contains(names, name) {
				faults = append(faults, dir+": "+name+" is missing")
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
	long := module(five...)
	long["b/ex01/mistakes.go"].Data = bytes.Repeat([]byte("\n"), mostLines+1)
	for _, tt := range []struct {
		name   string
		module fstest.MapFS
		want   string // "" for no fault
	}{
		{"four", module(four...), ""},
		{"five", module(five...), ""},
		{"five and what does not count", module(append(five, "testdata/a", "testdata/b")...), ""},
		{"six", module(six...), "b/ex01: too many files: answer_test.go, check.go"},
		{"long", long, "b/ex01: 1201 lines of Go, more than 1200"},
		{"one missing", module(four[:3]...), "b/ex01: check_test.go is missing"},
	} {
		got := strings.Join(fileFaults(tt.module, []string{"b/ex01"}), "\n")
		if (got == "") != (tt.want == "") || !strings.HasPrefix(got, tt.want) {
			t.Errorf("%s: %q, want %q", tt.name, got, tt.want)
		}
	}
}
