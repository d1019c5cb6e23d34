package exercises

import (
	"fmt"
	"html"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/janpfeifer/gonb/gonbui/protocol"

	"github.com/hyperplane-notebooks/hyperplane/toolkit/verify"
)

// dispute returns a text about a report for an issue: the exercise, the seed, the version, the
// answer and the report. The form "Wrong verdict" of .github has the same fields in the same order.
func dispute(r *verify.Report, answer string) string {
	if answer == "" {
		answer = "(paste the cell with your answer here)"
	}
	return fmt.Sprintf("Exercise: %s, seed %d\nVersion: %s\n\nAnswer:\n\n%s\n\nReport:\n\n%s", r.Exercise, r.Seed,
		r.Version, strings.TrimSpace(answer), r)
}

// offerDispute shows, below the report of a notebook, a folded text with which the learner can report
// a wrong verdict. It shows nothing in a page, which has a button for the same text.
func offerDispute(r *verify.Report, parts []verify.Part) {
	dir := os.Getenv(protocol.GONB_TMP_DIR_ENV)
	if dir == "" {
		return
	}
	source, _ := os.ReadFile(filepath.Join(dir, "main.go")) // the program of the notebook; without it the learner pastes
	text := dispute(r, declared(string(source), parts))
	offer("<details><summary>This verdict is wrong?</summary><p>Copy this text into an issue of the project, "+
		"and say what the report should say:</p><pre>"+html.EscapeString(text)+"</pre></details>\n",
		"This verdict is wrong? The page of the notebook has a text for an issue.\n")
}

// offer is showBoth. Tests replace this variable.
var offer = showBoth

// declared returns the source of the functions that the parts judge, or "" if source lacks one of
// them.
func declared(source string, parts []verify.Part) string {
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
