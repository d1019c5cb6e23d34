package exercises

import (
	"fmt"
	"html"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/janpfeifer/gonb/gonbui/protocol"

	"github.com/hyperplane-notebooks/hyperplane/exercises/internal/seed"
	"github.com/hyperplane-notebooks/hyperplane/exercises/progress"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/verify"
)

// Judge judges the learner's answer part by part and returns the report. In a notebook, Judge also
// shows the report, which contains the seed, and records the learner's progress. The Check of every
// exercise calls Judge.
func (e *Exercise) Judge(parts ...verify.Part) *verify.Report {
	return e.inProgramVariant().judge(toAnswer, verify.Heading{}, parts)
}

// JudgeSteps is like Judge, but judges the intermediate steps of an exercise. The CheckSteps of an
// exercise calls JudgeSteps. The report says that the intermediate steps are optional.
func (e *Exercise) JudgeSteps(parts ...verify.Part) *verify.Report {
	return e.inProgramVariant().judge(toSteps, verify.Heading{Title: " (steps)", Optional: true}, parts)
}

func (e *Exercise) judge(attempts func(*progress.Record) *progress.Attempts, h verify.Heading,
	parts []verify.Part) *verify.Report {
	h.Exercise, h.Title, h.Seed = e.ID, e.Title+h.Title, seed.Get()
	if old := uncompiledFunctions(parts); len(old) > 0 {
		return h.Run(notJudged(parts, old)...)
	}
	try := e.begin(attempts, len(parts))
	r := h.Run(parts...)
	if counts := try.end(r); counts && isRecording() {
		offerDispute(r, parts)
	}
	return r
}

// uncompiledFunctions returns the names of the functions that the parts judge although their cell did not compile when
// the learner last ran it. The names are sorted. GoNB would call the old version of such a function.
// The package docker/tools/uncompiled keeps the file that lists all such functions.
func uncompiledFunctions(parts []verify.Part) []string {
	dir := os.Getenv(protocol.GONB_TMP_DIR_ENV)
	if dir == "" {
		return nil
	}
	text, err := os.ReadFile(filepath.Join(dir, "uncompiled"))
	if err != nil {
		return nil // the file is missing if every cell has compiled
	}
	names := strings.Fields(string(text))
	old := map[string]bool{}
	for _, p := range parts {
		for _, f := range p.Of {
			if slices.Contains(names, f) {
				old[f] = true
			}
		}
	}
	return slices.Sorted(maps.Keys(old))
}

// notJudged returns a copy of each part; the copies do not call the learner's code. The verdict of
// the first copy says that the cells of the functions in `old` did not compile. The other verdicts
// are empty.
func notJudged(parts []verify.Part, old []string) []verify.Part {
	are := "is still the version"
	if len(old) > 1 {
		are = "are still the versions"
	}
	v := verify.Verdict{Message: fmt.Sprintf("%s %s from before: the cell did not compile when you last ran it. "+
		"Fix the error shown below that cell, run it, then check again. This check does not count as a try.",
		strings.Join(old, ", "), are)}
	parts = slices.Clone(parts)
	for i := range parts {
		parts[i].Judge = func() verify.Verdict {
			if i > 0 {
				return verify.Verdict{}
			}
			return v
		}
	}
	return parts
}

// Variant sets the seed to n and returns n. The seed selects the constants and the problems in
// checks, hints and solutions; seed 0 selects the constants that all learners share. The set-up
// cell of a personal notebook calls Variant as
//
//	var _ = exercises.Variant(12345)
//
// GoNB adds this line to the program of every later cell, so it runs before the check in that cell.
// Variant panics if the program has already used a seed other than n, or has already chosen a seed
// other than 0 and n.
func Variant(n uint64) uint64 {
	if err := seed.Choose(n); err != nil {
		panic("exercises: " + err.Error())
	}
	return n
}

// disputeText returns the text that a learner pastes into an issue about a wrong verdict: the
// exercise, the seed, the version, the answer and the report. The issue form "Wrong verdict" in
// .github describes this text, with the same contents in the same order.
func disputeText(r *verify.Report, answer string) string {
	if answer == "" {
		answer = "(paste the cell with your answer here)"
	}
	return fmt.Sprintf("Exercise: %s, seed %d\nVersion: %s\n\nAnswer:\n\n%s\n\nReport:\n\n%s", r.Exercise, r.Seed,
		r.Version, strings.TrimSpace(answer), r)
}

// offerDispute shows a folded text below the report in a notebook. A learner can copy this text
// into an issue about a wrong verdict. In a web page offerDispute shows nothing, because the page
// has a button for the same text.
func offerDispute(r *verify.Report, parts []verify.Part) {
	dir := os.Getenv(protocol.GONB_TMP_DIR_ENV)
	if dir == "" {
		return
	}
	// source is the program that GoNB has made from the notebook; if it is empty, the text for the
	// issue asks the learner to paste the answer
	source, _ := os.ReadFile(filepath.Join(dir, "main.go"))
	text := disputeText(r, declaredSource(string(source), parts))
	showFolded("<details><summary>Is this verdict wrong?</summary><p>Open an issue in the project's repository, paste this text into it, "+
		"and say what the report should say:</p><pre>"+html.EscapeString(text)+"</pre></details>\n",
		"Is this verdict wrong? The page of the notebook contains a text that you can copy into an issue.\n")
}

// showFolded shows the folded text of offerDispute. Tests replace this variable.
var showFolded = showBoth

// declaredSource returns the source of the functions that the parts judge. It returns "" if one of
// these functions is not in `source`.
func declaredSource(source string, parts []verify.Part) string {
	var names, found []string
	for _, p := range parts {
		names = append(names, p.Of...)
	}
	slices.Sort(names)
	for _, name := range slices.Compact(names) {
		text := regexp.MustCompile(`(?ms)^func ` + regexp.QuoteMeta(name) + `\(.*?^}`).FindString(source)
		if text == "" {
			return ""
		}
		found = append(found, text)
	}
	return strings.Join(found, "\n\n")
}
