package quality

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/hyperplane-notebooks/hyperplane/generate/internal/exercise"
)

// recordVariable is the name of the environment variable that makes package exercises/gate record
// its results.
const recordVariable = "HYPERPLANE_JUDGE"

// A record is a line written by exercises/gate.
type record struct {
	Kind     string `json:"kind"`
	Exercise string `json:"exercise"`
	Test     string `json:"test"`
	Key      string `json:"key"`
	Passed   bool   `json:"passed"`
	Complete bool   `json:"complete"`
	Own      bool   `json:"own"`
}

// testCounts contains the results of one exercise's tests.
type testCounts struct {
	right, rejected, own Count
	faults               []string
}

// runTests runs the tests of the exercises and returns their results, in the order of the
// exercises.
func runTests(ctx context.Context, list []*exercise.Exercise, o Options) ([]testCounts, error) {
	dir, err := os.MkdirTemp("", "hyperplane-judge-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	file := filepath.Join(dir, "records")
	if o.Records != "" {
		if file, err = filepath.Abs(o.Records); err != nil {
			return nil, err
		}
		if err := os.WriteFile(file, nil, 0o600); err != nil { // empty the file, because the tests append to it
			return nil, err
		}
	}
	args := []string{"test", "-json", "-count=1", "-p", fmt.Sprint(o.Jobs)}
	for _, e := range list {
		args = append(args, "./"+e.Dir)
	}
	cmd := exec.CommandContext(ctx, "go", args...)
	cmd.Dir = o.Root
	cmd.WaitDelay = 5 * time.Second // after an interrupt, wait at most 5 seconds for tests that keep the output open
	cmd.Env = append(os.Environ(), recordVariable+"="+file)
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	events, runErr := cmd.Output()
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	failures, seen, err := readEvents(events)
	if err != nil || seen == 0 {
		return nil, fmt.Errorf("cannot run the exercises' tests: %w\n%s", errors.Join(runErr, err), &stderr)
	}
	records, err := readRecords(file)
	if err != nil {
		return nil, err
	}
	out := make([]testCounts, len(list))
	for i, e := range list {
		out[i] = combineRecords(e.ID, records, failures[e.Import().Path])
	}
	return out, nil
}

// combineRecords makes the testCounts of the exercise with the given id. It counts the records of this
// exercise and ignores all other records. Each of the exercise's failures, which come from readEvents,
// becomes a fault.
func combineRecords(id string, records []record, failures []string) testCounts {
	var f testCounts
	for _, r := range records {
		switch {
		case r.Exercise != id:
		case r.Kind == "right":
			if f.right.add(r.Passed); !r.Passed {
				f.faults = append(f.faults, "a right form is not accepted: "+r.Test)
			}
		case r.Kind == "wrong":
			rejected := r.Complete && !r.Passed
			f.rejected.add(rejected)
			f.own.add(r.Own)
			if !rejected {
				f.faults = append(f.faults, "a wrong answer is not rejected: "+r.Test)
			} else if !r.Own {
				f.faults = append(f.faults,
					fmt.Sprintf("a wrong answer does not get its own message (key %s): %s", r.Key, r.Test))
			}
		}
	}
	slices.Sort(f.faults)
	if f.right.Judged < leastRight {
		f.faults = append(f.faults,
			fmt.Sprintf("%d right forms are tested, want at least the reference and %d others", f.right.Judged,
				leastRight-1))
	}
	if f.rejected.Judged < leastWrong {
		f.faults = append(f.faults,
			fmt.Sprintf("%d wrong answers are tested, want at least %d", f.rejected.Judged, leastWrong))
	}
	for _, name := range failures {
		f.faults = append(f.faults, "its tests do not pass: "+name)
	}
	return f
}

func readRecords(file string) ([]record, error) {
	data, err := os.ReadFile(file)
	if errors.Is(err, fs.ErrNotExist) { // if no test calls exercises/gate, the file of records does not exist
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	var all []record
	for line := range bytes.Lines(data) {
		var r record
		if err := json.Unmarshal(line, &r); err != nil {
			return nil, fmt.Errorf("cannot read the records of the tests: %w", err)
		}
		all = append(all, r)
	}
	return all, nil
}

// readEvents returns, for each package, the innermost tests that failed or were skipped. If a
// package failed although none of its tests failed or was skipped, readEvents returns the package's
// output instead. The result `seen` is the number of packages that have finished.
func readEvents(events []byte) (failures map[string][]string, seen int, err error) {
	failures = map[string][]string{}
	outputs := map[string]string{} // text that a package printed outside its tests, or that its build printed
	for line := range bytes.Lines(events) {
		var e struct{ Action, Package, Test, Output, ImportPath, FailedBuild string }
		if err := json.Unmarshal(line, &e); err != nil {
			return nil, 0, fmt.Errorf("cannot read the output of go test -json: %w", err)
		}
		switch {
		case e.Action == "build-output":
			outputs[e.ImportPath] += e.Output
		case e.Action == "output" && e.Test == "":
			outputs[e.Package] += e.Output
		case e.Action == "fail" && e.Test != "":
			inner := slices.ContainsFunc(failures[e.Package],
				func(t string) bool { return strings.HasPrefix(t, e.Test+"/") })
			// go test reports the end of a test after the ends of its subtests. If the list already
			// contains a failed subtest of this test, do not add the test itself.
			if !inner {
				failures[e.Package] = append(failures[e.Package], e.Test)
			}
		case e.Action == "skip" && e.Test != "": // a skipped test counts as a fault, because it proves nothing
			failures[e.Package] = append(failures[e.Package], e.Test+" (skipped)")
		case e.Action == "fail" && len(failures[e.Package]) == 0:
			text := outputs[cmp.Or(e.FailedBuild, e.Package)]
			failures[e.Package] = []string{strings.Join(strings.Fields(text), " ")}
			seen++
		case e.Test == "" && (e.Action == "fail" || e.Action == "pass" || e.Action == "skip"):
			seen++
		}
	}
	return failures, seen, nil
}
