package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"golang.org/x/sys/cpu"
	"gopkg.in/yaml.v3"
)

// This file contains the gates that check the Go code, the module files and the workflows.

// files lists the files in s.dir for which `match` returns true, including test data. It omits
// folders whose names begin with a dot, and folders with the name out. The function `match` gets the
// whole path of a file, but the list contains paths relative to s.dir.
func (s *session) files(match func(path string) bool) (list []string, err error) {
	err = filepath.WalkDir(s.dir, func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case path != s.dir && d.IsDir() && (strings.HasPrefix(d.Name(), ".") || d.Name() == "out"):
			return filepath.SkipDir
		case !d.IsDir() && match(path):
			rel, err := filepath.Rel(s.dir, path)
			list = append(list, rel)
			return err
		}
		return nil
	})
	return list, err
}

// gofmt returns an error if the command `gofmt -s` would change a file, or if there is no Go file. It
// reads the list of files that the command prints, because the exit status is 0 even if the command
// lists files.
func gofmt(s *session) error {
	list, err := s.files(func(path string) bool { return strings.HasSuffix(path, ".go") })
	if err != nil || len(list) == 0 {
		return errors.Join(err, errIf(len(list) == 0, "no Go file"))
	}
	bad, err := s.commandOutput("gofmt", append([]string{"-s", "-l"}, list...)...)
	return errors.Join(err, errIf(bad != "", "not formatted by gofmt -s:\n"+bad))
}

func vet(s *session) error { return s.runCommand("go", "vet", "./...") }

// vet386 runs `go vet` on the toolkit and its tests with GOARCH=386, where an int has only 32 bits.
func vet386(s *session) error {
	return s.runWithEnv([]string{"GOARCH=386"}, "go", "vet", "./toolkit/...")
}

// staticcheck runs the command `staticcheck` without the check ST1005, which requires error messages
// to begin with a lower-case letter. In this project a message may begin with a formula ("N = 0: …").
func staticcheck(s *session) error {
	return s.runCommand("staticcheck", "-checks", "inherit,-ST1005", "./...")
}

// A workflow contains the parts of a file in .github/workflows that the gate `actionlint` checks.
type workflow struct {
	Jobs map[string]struct {
		Strategy struct{ Matrix map[string][]string }
		Steps    []struct{ Run string }
	}
}

var (
	makeCommand = regexp.MustCompile(`^make( [A-Z]+="\$[A-Z_]+"| [a-z-]+)+$`)
	target      = regexp.MustCompile(`(?m)^([a-z-]+):`)
)

// actionlint checks the workflows. A workflow may only run targets of the Makefile, so that
// developers can run the same commands on their machines.
func actionlint(s *session) error {
	list, err := filepath.Glob(filepath.Join(s.dir, ".github", "workflows", "*.y*ml"))
	if err != nil || len(list) == 0 {
		return errors.Join(err, errors.New("no workflow in .github/workflows"))
	}
	makefile, err := os.ReadFile(filepath.Join(s.dir, "Makefile"))
	targets := map[string]bool{}
	for _, m := range target.FindAllSubmatch(makefile, -1) {
		targets[string(m[1])] = true
	}
	for _, file := range list {
		commands, e := workflowCommands(file)
		err = errors.Join(err, e)
		for _, c := range commands {
			missing := func(word string) bool {
				return word != "make" && !targets[word] &&
					!strings.Contains(word, "=")
			}
			if !makeCommand.MatchString(c) || slices.ContainsFunc(strings.Fields(c), missing) {
				err = errors.Join(err,
					fmt.Errorf("%s runs %q, want targets of the Makefile, such as make test", filepath.Base(file), c))
			}
		}
	}
	return errors.Join(err, s.runCommand("actionlint", append([]string{"-shellcheck=", "-pyflakes=", "-no-color"}, list...)...))
}

// workflowCommands lists the commands in the steps of a workflow. If a command contains a variable
// of the matrix, the list contains the command for each value of the variable.
func workflowCommands(file string) (commands []string, err error) {
	text, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	var w workflow
	if err := yaml.Unmarshal(text, &w); err != nil {
		return nil, fmt.Errorf("%s: %w", filepath.Base(file), err)
	}
	for _, job := range w.Jobs {
		for _, step := range job.Steps {
			runs := []string{step.Run}
			for name, values := range job.Strategy.Matrix {
				var filled []string
				for _, r := range runs {
					for _, v := range values {
						filled = append(filled, strings.ReplaceAll(r, "${{ matrix."+name+" }}", v))
					}
				}
				runs = filled
			}
			commands = append(commands, runs...)
		}
	}
	slices.Sort(commands)
	return slices.DeleteFunc(slices.Compact(commands), func(c string) bool { return c == "" }), nil
}

// moduleFolders lists the folders that contain a go.mod.
func (s *session) moduleFolders() ([]string, error) {
	list, err := s.files(func(path string) bool { return filepath.Base(path) == "go.mod" })
	for i := range list {
		list[i] = filepath.Dir(list[i])
	}
	return list, err
}

func tidy(s *session) error {
	list, err := s.moduleFolders()
	for _, dir := range list {
		if e := s.inFolder(filepath.Join(s.dir, dir)).runCommand("go", "mod", "tidy", "-diff"); e != nil {
			err = errors.Join(err, fmt.Errorf("%s/go.mod or its go.sum is not tidy, or go mod tidy fails: run go mod tidy in this folder", dir))
		}
	}
	return err
}

// exercisePackage matches the import path of the package of an exercise or a lesson.
var exercisePackage = regexp.MustCompile(`/exercises/[a-z0-9]+/(ex|lesson)[0-9]+$`)

// unitTests runs the tests of all packages except generate/course, docker/gates, and the packages of
// exercises and lessons. The gate `command` tests generate/course, the gate `red` tests docker/gates,
// and the gate `exercises` tests the packages of exercises and lessons.
func unitTests(s *session) error {
	list, err := s.packages(func(path string) bool {
		return !exercisePackage.MatchString(path) && !strings.HasSuffix(path, "/generate/course") &&
			!strings.HasSuffix(path, "/docker/gates")
	})
	if err != nil {
		return err
	}
	return s.goTest(nil, list...)
}

func exercises(s *session) error { return s.goTest([]string{withPatience}, "./exercises/...") }

func red(s *session) error {
	return s.goTest(nil, "-count=1", "./docker/gates")
}

func commandTests(s *session) error { return s.goTest(nil, "-timeout=40m", "./generate/course") }

// nestedModules runs vet, staticcheck and the tests in every module of this repository whose folder
// contains tests. It omits the main module.
func nestedModules(s *session) error {
	list, err := s.moduleFolders()
	n := 0
	for _, dir := range list {
		if tests, _ := filepath.Glob(filepath.Join(s.dir, dir, "*_test.go")); dir == "." || len(tests) == 0 {
			continue
		}
		n++
		inner := s.inFolder(filepath.Join(s.dir, dir))
		e := vet(inner)
		if e == nil {
			e = staticcheck(inner)
		}
		if e == nil {
			e = inner.goTest(nil, "./...")
		}
		if e != nil {
			err = errors.Join(err, fmt.Errorf("the module in %s: %w", dir, e))
		}
	}
	fmt.Fprintf(s.w, "%d modules\n", n)
	return errors.Join(err, errIf(n == 0, "found no nested module"))
}

// kernelTests runs the tests of toolkit/internal and of the models with several vector paths. A path
// is a version of the vector kernels. kernelTests tests every path that this processor supports,
// except the path that the toolkit selects. The gate `unit` tests the selected path.
func kernelTests(s *session) error {
	own := selectedPath()
	if own == "generic" {
		return notRun("this processor supports only the generic path, which the gate “unit” tests")
	}
	var err error
	for _, path := range []string{"generic", "avx2"} {
		if path == own {
			continue
		}
		env := []string{"HYPERPLANE_KERNEL=" + path}
		if e := errors.Join(s.goTest(env, "./toolkit/internal/..."),
			s.goTest(env, "-run="+numbers, "./toolkit/classify")); e != nil {
			err = errors.Join(err, fmt.Errorf("the tests fail on the vector path %q: %w", path, e))
		}
	}
	return err
}

// selectedPath returns the name of the vector path that the package toolkit/internal/vec selects on
// this processor.
func selectedPath() string {
	x := cpu.X86
	switch {
	case x.HasAVX512F && x.HasAVX512DQ && x.HasAVX512VL:
		return "avx512"
	case x.HasAVX2 && x.HasFMA:
		return "avx2"
	}
	return "generic"
}

// These expressions match the tests of toolkit/classify that use several goroutines. The first,
// sideBySide, matches the tests in which several goroutines fit every model and predict at the same
// time. The second, manyRows, matches tests with many rows, in memory or streamed. It also matches
// tests of sufficient statistics, which are sums over the rows. In TestReadersChangeNothing, two
// goroutines read the same statistics.
const (
	sideBySide = "^TestCommon$//^goroutines$"
	manyRows   = "^Test(ManyRows|ManyRowsStreamed|PredictManyRows|SameBits|Sources|RowsProgress|LogisticSums|ReadersChangeNothing)$"
)

// The expression `numbers` matches tests of toolkit/classify that compare computed numbers with
// reference values, with equations, or with each other. It also matches the fuzz tests.
const numbers = "^(TestCommon|TestOracle|TestManyRows|TestSources|TestEquations.*|Fuzz.*)$"

// raceTests runs the concurrent tests under the race detector. TestCheck draws two figures at
// the same time. If the code of both figures writes a global variable without a lock, the detector
// should report a race. However, locks for other data put most of these writes in an order, so the
// detector may miss the race in a single run. Therefore this part of TestCheck runs ten times.
func raceTests(s *session) error {
	env := []string{"CGO_ENABLED=1"}
	return errors.Join(
		s.goTest(env, "-race", "./toolkit/internal/...", "./toolkit/verify/..."),
		s.goTest(env, "-race", "-count=10", "-run=^TestCheck$/^as_written$", "./generate/internal/manifest"),
		s.goTest(env, "-race", "-timeout=30m", "-run="+sideBySide, "./toolkit/classify"),
		s.goTest(env, "-race", "-timeout=30m", "-run="+manyRows, "./toolkit/classify"))
}

// fuzz runs each fuzz target for the duration in the environment variable FUZZTIME. If the variable
// is not set, the duration is 10 seconds.
func fuzz(s *session) error {
	time := os.Getenv("FUZZTIME")
	if time == "" {
		time = "10s"
	}
	return s.runWithEnv([]string{"FUZZTIME=" + time}, "docker/fuzz.sh")
}
