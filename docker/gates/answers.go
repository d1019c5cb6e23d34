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

// The gates that judge answers.

var answers = []string{"./exercises/prml4/...", "./exercises/alpaydin10/...", "./exercises/lessons/..."}

// patient lets right answers take their time on a machine that is busy with other work.
const patient = "HYPERPLANE_PATIENCE=10"

// records is where the verdicts of this processor are kept for the gate wasm.
func (s *session) records() string { return filepath.Join(s.scratch, "native.json") }

// judge says how well the exercises' checks tell right answers from wrong ones.
func judge(s *session) error { return s.do(s.generate, "judge", "--records", s.records()) }

// behind judges answers by the seed of a personal variant and at the other end of a
// connection, as a class is graded.
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

// sample matches the reference answers and, by the first letter of their names, a seventh
// of the others.
const sample = `^Test/^(reference|[a-d])`

func wasm(s *session) error    { return s.wasm(600, 5, "-run="+sample) }
func wasmAll(s *session) error { return s.wasm(everyOne, 20) }

// everyOne asks for as many verdicts in a browser as there are here.
const everyOne = -1

// wasm compares the verdicts under js/wasm, run by node, with those of this processor: at
// least so many, of which at most so many reports may differ in words.
func (s *session) wasm(least, most int, args ...string) error {
	if info, err := os.Stat(s.records()); err != nil || info.Size() == 0 { // the gate judge has not run
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
	args = append([]string{"-count=1", "-timeout=40m",
		"-exec=" + filepath.Join(strings.TrimSpace(goroot), "lib", "wasm", "go_js_wasm_exec")}, args...)
	if err := s.goTest([]string{"HYPERPLANE_JUDGE=" + there, "GOOS=js", "GOARCH=wasm", patient},
		append(args, answers...)...); err != nil {
		return err
	}
	return s.sameReports(s.records(), there, least, most)
}

// sameReports compares what the same answers got here and in a browser, in any order.
// Processors round the last digit of exp and of sums in their own ways, and a message
// names the worst of nearly equal faults: in at most so many reports the words may differ.
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
			return fmt.Errorf("a verdict in a browser is not the verdict here: %s", verdict)
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
	fmt.Fprintf(s.w, "%d verdicts are the same, and so are %d reports\n", n, n-differ)
	if n < least || differ > most {
		return fmt.Errorf("want at least %d verdicts, and at most %d reports that differ", least, most)
	}
	return nil
}

// readRecords reads the records of package gate: the reports by what they say of an answer
// without its words.
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

// class grades submissions, hostile ones among them. Throughput and memory are printed and
// not bounded.
func class(s *session) error {
	return s.class(`^Test(ClassOfHandIns|Given|MessagesGiveNothingAway)$`)
}
func classAll(s *session) error {
	return s.class(`^Test(ClassOf(HandIns|Exercises)|Given|MessagesGiveNothingAway)$`)
}

func (s *session) class(tests string) error {
	figures := filepath.Join(s.scratch, "class-figures")
	err := s.goTest([]string{"HYPERPLANE_FIGURES=" + figures}, "-tags=classtest", "-timeout=40m", "-run="+tests,
		"./generate")
	text, e := os.ReadFile(figures)
	fmt.Fprintf(s.w, "%s", text)
	return errors.Join(err, e)
}
