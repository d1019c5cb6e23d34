package main

import (
	"errors"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
)

// textReaders lists the tests that read text files. In each entry, `pkg` is a package, and the
// pattern `run` selects tests of the package, where "" selects all tests. These tests read the files
// whose paths begin with `prefix`. A file that matches no prefix selects the package in the file's
// folder. So does a Go file, even if it matches a prefix. If the folder contains no package or belongs
// to test data, the file selects the package in the nearest folder above that contains a package.
var textReaders = []struct {
	prefix, pkg, run string
}{
	{"generate/lessons/", "./generate/internal/lesson", ""},
	{"generate/lessons/", "./generate/internal/catalog", ""},
	{"generate/lessons/", "./generate/course", "^Test(EverySectionHasALesson|Lessons)"},
	{"generate/equations/", "./generate/internal/equations", ""},
	{"generate/equations/", "./generate/course", "^TestEquations"},
	{"README.md", "./generate/course", "^TestPages"},
	{"CONTRIBUTING.md", "./generate/course", "^Test(Pages|Contributing)"},
	{"notebooks/", "./generate/course", "^TestPages"},
	{"Makefile", "./docker", ""},
	{"Dockerfile", "./docker", ""},
}

// A job is a package to test. The pattern `run` selects the tests of the package; "" selects all
// tests.
type job struct{ pkg, run string }

// jobsFor returns the jobs that test the changed files. The function `isPackage` reports whether a
// folder contains a Go package of this module.
func jobsFor(changed []string, isPackage func(dir string) bool) (jobs []job) {
	add := func(j job) {
		if !slices.Contains(jobs, j) && !slices.Contains(jobs, job{j.pkg, ""}) {
			jobs = append(jobs, j)
		}
	}
	for _, file := range changed {
		read := false
		for _, r := range textReaders {
			if strings.HasPrefix(file, r.prefix) {
				add(job{r.pkg, r.run})
				read = true
			}
		}
		if read && !strings.HasSuffix(file, ".go") {
			continue
		}
		dir := path.Dir(file)
		for dir != "." && (strings.Contains(dir, "testdata") || !isPackage(dir)) {
			dir = path.Dir(dir)
		}
		if dir != "." {
			add(job{"./" + dir, ""})
		}
	}
	slices.SortFunc(jobs, func(a, b job) int { return strings.Compare(a.pkg+" "+a.run, b.pkg+" "+b.run) })
	return slices.DeleteFunc(jobs, func(j job) bool { return j.run != "" && slices.Contains(jobs, job{j.pkg, ""}) })
}

// changedFiles lists the files that differ from a commit, including new files but not deleted
// files. The environment variable BASE names the commit. If BASE is not set, the files are compared
// with the last commit, or with the commit before it if the work tree has no changes. If the
// repository does not contain the commit, changedFiles lists all files.
func (s *session) changedFiles() ([]string, error) {
	base := os.Getenv("BASE")
	if base == "" {
		base = "HEAD"
		if status, err := s.commandOutput("git", "status", "--porcelain"); err != nil {
			return nil, err
		} else if status == "" {
			base = "HEAD~1"
		}
	}
	tracked, err := s.commandOutput("git", "diff", "--name-only", "--diff-filter=d", base)
	if err != nil { // the repository does not contain the commit, so regard all files as changed
		tracked, err = s.commandOutput("git", "ls-files")
	}
	untracked, e := s.commandOutput("git", "ls-files", "-o", "--exclude-standard")
	list := strings.Fields(tracked + untracked)
	slices.Sort(list)
	return slices.Compact(list), errors.Join(err, e)
}

// quickChecks runs checks that together take less than a minute. Developers use them while they
// work on a change. The checks test the formatting, go.mod, and the language of the texts. They run
// the tests that read the changed texts, and they run `go vet` and the short tests for the changed
// packages. Finally they compare the notebooks with their sources.
func quickChecks(s *session) error {
	files, err := s.changedFiles()
	if err != nil {
		return err
	}
	nested, err := s.moduleFolders()
	if err != nil {
		return err
	}
	var code []string
	for _, f := range files {
		if strings.HasSuffix(f, ".go") && !strings.Contains(f, "testdata") {
			code = append(code, f)
		}
	}
	jobs := jobsFor(files, func(dir string) bool {
		found, _ := filepath.Glob(filepath.Join(s.dir, dir, "*.go"))
		inNested := slices.ContainsFunc(nested,
			func(n string) bool { return n != "." && (dir == n || strings.HasPrefix(dir, n+"/")) })
		return len(found) > 0 && !inNested
	})
	fmt.Fprintf(s.w, "%d changed files; they select %d test jobs\n", len(files), len(jobs))
	if len(code) > 0 {
		bad, e := s.commandOutput("gofmt", append([]string{"-s", "-l"}, code...)...)
		err = errors.Join(err, e, errIf(bad != "", "not formatted by gofmt -s:\n"+bad))
	}
	err = errors.Join(err, s.runCommand("go", "mod", "tidy", "-diff"), checkLanguage(s))
	var packages, all []string
	for _, j := range jobs {
		packages = append(packages, j.pkg)
		if j.run == "" {
			all = append(all, j.pkg)
		} else {
			err = errors.Join(err, s.runCommand("go", "test", "-short", "-run="+j.run, j.pkg))
		}
	}
	slices.Sort(packages)
	if packages = slices.Compact(packages); len(packages) > 0 {
		err = errors.Join(err, s.runCommand("go", append([]string{"vet"}, packages...)...))
	}
	if len(all) > 0 {
		err = errors.Join(err, s.runCommand("go", append([]string{"test", "-short"}, all...)...))
	}
	if _, e := os.Stat(filepath.Join(s.dir, "generate")); e == nil {
		err = errors.Join(err, s.runCommand("go", "run", "./generate", "notebooks", "--check"))
	}
	return err
}
