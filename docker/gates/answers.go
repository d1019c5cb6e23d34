package main

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// This file contains the gates that judge answers to the exercises.

// withPatience sets an environment variable that multiplies the time limits for answers by 10.
// Right answers then pass even on a machine that is busy with other work.
const withPatience = "HYPERPLANE_PATIENCE=10"

// verdictFile returns the file in which the gate `judge` stores the verdicts of the native
// run. The gate `wasm` compares its own verdicts with the verdicts in this file.
func (s *session) verdictFile() string { return filepath.Join(s.scratch, "native.json") }

// judgeAnswers tests that the exercises' checks accept right answers and reject wrong answers.
func judgeAnswers(s *session) error {
	return s.runCommand(s.generate, "judge", "--records", s.verdictFile())
}

// judgeOverConnection judges answers to the exercises, with the constants that the given seed
// selects. The check calls each answer over a connection, as in the grading of a class.
func (s *session) judgeOverConnection(seed int, args ...string) error {
	list, err := s.packages(exercisePackage.MatchString)
	if err != nil {
		return err
	}
	env := []string{fmt.Sprint("HYPERPLANE_SEED=", seed), "HYPERPLANE_PIPE=1", withPatience}
	return s.goTest(env, append(args, list...)...)
}

func variants(s *session) error { return s.judgeOverConnection(7, "-run=^(TestRight|TestFunctions)") }

func variantsAll(s *session) (err error) {
	for _, seed := range []int{1, 2, 3, 4, 7} {
		err = errors.Join(err, s.judgeOverConnection(seed))
	}
	return err
}

// sampledTests matches the tests of all reference answers. It also matches about a seventh of the
// tests of other answers: the tests whose names begin with a letter from a to d.
const sampledTests = `^Test/^(reference|[a-d])`

func wasm(s *session) error    { return s.compareWasm(600, 5, "-run="+sampledTests) }
func wasmAll(s *session) error { return s.compareWasm(sameCount, 20) }

// sameCount is a special value for the argument `least` of the method compareWasm. With this value, the
// run under js/wasm must give at least as many verdicts as the native run on this machine has given.
const sameCount = -1

// compareWasm compares the verdicts under js/wasm, which the program `node` runs, with the verdicts on this
// processor. It returns an error if a verdict differs, if the number of verdicts is below `least`, or
// if the number of reports with different wording is above `most`.
func (s *session) compareWasm(least, most int, args ...string) error {
	answers, err := s.packages(exercisePackage.MatchString)
	if err != nil {
		return err
	}
	// If the gate `judge` has not written its verdicts, make the verdicts of the selected tests now.
	if info, err := os.Stat(s.verdictFile()); err != nil || info.Size() == 0 {
		if err := s.goTest([]string{"HYPERPLANE_JUDGE=" + s.verdictFile()},
			append(append([]string{"-count=1"}, args...), answers...)...); err != nil {
			return err
		}
	}
	goroot, err := s.commandOutput("go", "env", "GOROOT")
	if err != nil {
		return err
	}
	there := filepath.Join(s.scratch, "wasm.json")
	args = append([]string{"-count=1", "-timeout=40m",
		"-exec=" + filepath.Join(strings.TrimSpace(goroot), "lib", "wasm", "go_js_wasm_exec")}, args...)
	if err := s.goTest([]string{"HYPERPLANE_JUDGE=" + there, "GOOS=js", "GOARCH=wasm", withPatience},
		append(args, answers...)...); err != nil {
		return err
	}
	return s.sameReports(s.verdictFile(), there, least, most)
}

// sameReports compares two files that contain verdicts and reports: `here` comes from this processor,
// and `there` from js/wasm. The order in the files does not matter, and `here` may contain more
// answers. `there` must contain at least `least` verdicts, and each of them must also occur in `here`.
// If `least` is sameCount, `there` must contain at least as many verdicts as `here`. The wording may
// differ in at most `most` reports. Some wording may differ, because a message names the largest of
// several errors: if two errors are nearly equal, rounding decides which is larger, and processors
// round the last digit of exp and of sums differently.
func (s *session) sameReports(here, there string, least, most int) error {
	native, err := readRecords(here)
	if err != nil {
		return err
	}
	browser, err := readRecords(there)
	if err != nil {
		return err
	}
	if least == sameCount {
		least = 0
		for _, reports := range native {
			least += len(reports)
		}
	}
	n, differ := 0, 0
	for verdict, reports := range browser {
		known := native[verdict]
		if len(known) < len(reports) {
			return fmt.Errorf("a verdict under js/wasm differs from the verdict on this processor: %s", verdict)
		}
		n += len(reports)
		for _, r := range reports {
			if i := slices.Index(known, r); i >= 0 {
				known = slices.Delete(known, i, i+1)
			} else {
				differ++
			}
		}
	}
	fmt.Fprintf(s.w, "%d verdicts are equal, and %d of their reports have equal wording\n", n, n-differ)
	if n < least || differ > most {
		return fmt.Errorf("got %d verdicts and %d reports that differ in wording, want at least %d verdicts and at most %d reports that differ in wording", n, differ, least, most)
	}
	return nil
}

// readRecords reads the records that package gate has written to a file. In the resulting map, each
// key is a record without its texts. The value lists the texts (message and HTML) of all records
// with that key.
func readRecords(path string) (map[string][]string, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	records := map[string][]string{}
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, 64<<20)
	for lines.Scan() {
		var fields map[string]any
		if err := json.Unmarshal(lines.Bytes(), &fields); err != nil {
			return nil, fmt.Errorf("%s: %w", path, err)
		}
		words := fmt.Sprint(fields["message"], fields["html"])
		delete(fields, "message")
		delete(fields, "html")
		verdict, err := json.Marshal(fields)
		if err != nil {
			return nil, err
		}
		records[string(verdict)] = append(records[string(verdict)], words)
	}
	return records, lines.Err()
}

// The gate `class` grades submissions, including hostile ones. It prints the throughput and the
// memory, but sets no limits for these numbers.
func class(s *session) error {
	return s.runClassTests(`^Test(ClassOfSubmissions|Given|MessagesGiveNothingAway)$`)
}
func classAll(s *session) error {
	return s.runClassTests(`^Test(ClassOf(Submissions|Exercises)|Given|MessagesGiveNothingAway)$`)
}

func (s *session) runClassTests(tests string) error {
	figures := filepath.Join(s.scratch, "class-figures")
	err := s.goTest([]string{"HYPERPLANE_FIGURES=" + figures}, "-tags=classtest", "-timeout=40m", "-run="+tests,
		"./generate/course")
	text, e := os.ReadFile(figures)
	fmt.Fprintf(s.w, "%s", text)
	return errors.Join(err, e)
}
