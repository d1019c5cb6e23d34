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

// The gates that judge exercise answers.

// patient multiplies the time limits for answers by 10, so that right answers pass on a machine
// that is busy with other work.
const patient = "HYPERPLANE_PATIENCE=10"

// records returns the file in which the gate judge stores the verdicts of this processor. The gate
// wasm reads it.
func (s *session) records() string { return filepath.Join(s.scratch, "native.json") }

// judge tests whether the exercises' checks accept right answers and reject wrong answers.
func judge(s *session) error { return s.do(s.generate, "judge", "--records", s.records()) }

// behind judges answers to a personal variant of the exercises, made from the seed. The check calls
// the answers over a connection, as it does when a class is graded.
func (s *session) behind(seed int, args ...string) error {
	list, err := s.packages(exercisePackage.MatchString)
	if err != nil {
		return err
	}
	env := []string{fmt.Sprint("HYPERPLANE_SEED=", seed), "HYPERPLANE_PIPE=1", patient}
	return s.goTest(env, append(args, list...)...)
}

func variants(s *session) error { return s.behind(7, "-run=^(TestRight|TestFunctions)") }

func variantsAll(s *session) (err error) {
	for _, seed := range []int{1, 2, 3, 4, 7} {
		err = errors.Join(err, s.behind(seed))
	}
	return err
}

// sample matches the tests of all reference answers and of about a seventh of the other answers. It
// selects these other answers by the first letter of their names.
const sample = `^Test/^(reference|[a-d])`

func wasm(s *session) error    { return s.wasm(600, 5, "-run="+sample) }
func wasmAll(s *session) error { return s.wasm(everyOne, 20) }

// everyOne is a minimum for wasm: js/wasm must yield as many verdicts as this processor recorded.
const everyOne = -1

// wasm compares the verdicts under js/wasm, run by node, with the verdicts of this processor. It
// requires at least `least` verdicts, and it allows `most` reports whose wording differs.
func (s *session) wasm(least, most int, args ...string) error {
	answers, err := s.packages(exercisePackage.MatchString)
	if err != nil {
		return err
	}
	if info, err := os.Stat(s.records()); err != nil || info.Size() == 0 { // the gate judge has not run yet
		if err := s.goTest([]string{"HYPERPLANE_JUDGE=" + s.records()},
			append(append([]string{"-count=1"}, args...), answers...)...); err != nil {
			return err
		}
	}
	goroot, err := s.output("go", "env", "GOROOT")
	if err != nil {
		return err
	}
	there := filepath.Join(s.scratch, "wasm.json")
	// Most tests are shorter than the optimising compiler of V8 needs, so node uses the fast compiler only.
	args = append([]string{"-count=1", "-timeout=40m", "-exec=node --stack-size=8192 --liftoff-only " +
		filepath.Join(strings.TrimSpace(goroot), "lib", "wasm", "wasm_exec_node.js")}, args...)
	if err := s.goTest([]string{"HYPERPLANE_JUDGE=" + there, "GOOS=js", "GOARCH=wasm", patient},
		append(args, answers...)...); err != nil {
		return err
	}
	return s.sameReports(s.records(), there, least, most)
}

// sameReports compares the verdicts and reports on the same answers, made here and under js/wasm,
// in any order. All verdicts must be equal. The wording may differ in at most `most` reports,
// because processors round the last digit of exp and of sums differently. A message names the
// largest of several errors. If two errors are nearly equal, rounding decides which of them is
// larger.
func (s *session) sameReports(here, there string, least, most int) error {
	native, err := readRecords(here)
	if err != nil {
		return err
	}
	browser, err := readRecords(there)
	if err != nil {
		return err
	}
	if least == everyOne {
		least = 0
		for _, reports := range native {
			least += len(reports)
		}
	}
	n, differ := 0, 0
	for verdict, reports := range browser {
		known := native[verdict]
		if len(known) < len(reports) {
			return fmt.Errorf("a verdict under js/wasm differs from the verdict here: %s", verdict)
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
	fmt.Fprintf(s.w, "%d verdicts have equal results, and %d reports have equal wording\n", n, n-differ)
	if n < least || differ > most {
		return fmt.Errorf("want at least %d verdicts, and at most %d reports that differ in wording", least, most)
	}
	return nil
}

// readRecords reads the records that package gate writes. The keys of the map are records without
// their text. Each value lists the texts (message and HTML) of that record.
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

// class grades submissions, including hostile ones. It prints throughput and memory but sets no
// limits for them.
func class(s *session) error {
	return s.class(`^Test(ClassOfHandIns|Given|MessagesGiveNothingAway)$`)
}
func classAll(s *session) error {
	return s.class(`^Test(ClassOf(HandIns|Exercises)|Given|MessagesGiveNothingAway)$`)
}

func (s *session) class(tests string) error {
	figures := filepath.Join(s.scratch, "class-figures")
	err := s.goTest([]string{"HYPERPLANE_FIGURES=" + figures}, "-tags=classtest", "-timeout=40m", "-run="+tests,
		"./generate/course")
	text, e := os.ReadFile(figures)
	fmt.Fprintf(s.w, "%s", text)
	return errors.Join(err, e)
}
