package verify

import (
	"encoding/json"
	"fmt"
	"html"
	"io"
	"os"
	"regexp"
	"slices"
	"strings"

	"github.com/hyperplane-notebooks/hyperplane/toolkit"
)

// ReportMIME is the MIME type of a report in the output of a notebook.
const ReportMIME = "application/vnd.hyperplane.report+json"

// A Heading is the part of a report above its results. It states the exercise, its variant, and
// whether the report is optional.
type Heading struct {
	Exercise string // "prml-4.25"
	Title    string
	Seed     uint64 // seed of a learner's personal variant; 0 for the variant that all learners have
	Optional bool   // true for a report on intermediate steps, which are not needed to pass the exercise
}

// A Report contains the results of judging one exercise, part by part.
type Report struct {
	Schema   string   `json:"schema"`
	Exercise string   `json:"exercise"`
	Title    string   `json:"title"`
	Version  string   `json:"version"`
	Seed     uint64   `json:"seed"`               // seed of a learner's personal variant; 0 for the variant that all learners have
	Optional bool     `json:"optional,omitempty"` // true for a report on intermediate steps, which are not needed to pass the exercise
	Complete bool     `json:"complete"`
	Parts    []Result `json:"parts"`
}

// Result is the outcome of one part of a report together with a message.
type Result struct {
	Name    string  `json:"name"`
	Outcome Outcome `json:"outcome"`
	Key     string  `json:"key,omitempty"`
	Message string  `json:"message,omitempty"`
	Hint    int     `json:"hint,omitempty"`
}

func newReport(h Heading, parts []Part) *Report {
	r := &Report{
		Schema: "hyperplane-report/1", Version: toolkit.Version,
		Exercise: h.Exercise, Title: h.Title, Seed: h.Seed, Optional: h.Optional, Parts: []Result{},
	}
	for _, p := range parts {
		r.Parts = append(r.Parts, Result{Name: p.Name, Outcome: NotRun})
	}
	return r
}

func (p *Result) set(v Verdict) {
	p.Outcome, p.Key, p.Message, p.Hint = v.Outcome, v.Key, v.Message, v.Hint
}

// Passed reports whether the report is complete and every part is Right. A report without parts has
// not passed.
func (r *Report) Passed() bool {
	return r.Complete && len(r.Parts) > 0 && r.Count(Right) == len(r.Parts)
}

// MarshalJSON writes the report with an additional field "passed", so that other programs need not
// compute its value from the parts.
func (r *Report) MarshalJSON() ([]byte, error) {
	type plain Report // without methods
	return json.Marshal(struct {
		*plain
		Passed bool `json:"passed"`
	}{(*plain)(r), r.Passed()})
}

// Count returns the number of parts with the given outcome.
func (r *Report) Count(o Outcome) int {
	n := 0
	for _, p := range r.Parts {
		if p.Outcome == o {
			n++
		}
	}
	return n
}

// Summary returns the result of the report in one line.
func (r *Report) Summary() string {
	switch {
	case r.Passed():
		return fmt.Sprintf("passed: all %d parts right", len(r.Parts))
	case !r.Complete:
		return fmt.Sprintf("judging: %d of %d parts done", len(r.Parts)-r.Count(NotRun), len(r.Parts))
	case r.Count(NotRun) == len(r.Parts):
		return "not judged"
	case r.Count(NotAttempted) == len(r.Parts):
		return "not attempted yet: replace the stub's panic(verify.TODO) by your answer"
	}
	return fmt.Sprintf("not passed: %d of %d parts right", r.Count(Right), len(r.Parts))
}

// String returns the report as text for a terminal. Each part has one line, and its message is
// indented below.
func (r *Report) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s · %s%s\n", r.Exercise, r.Title, r.variantSuffix())
	for i, p := range r.Parts {
		mark, _ := outcomeMark(p.Outcome)
		fmt.Fprintf(&b, "  %s %-12s %s\n", mark, p.Outcome, r.numberedName(i))
		for line := range strings.FieldsFuncSeq(r.messageWithHint(p), func(c rune) bool { return c == '\n' }) {
			fmt.Fprintf(&b, "                   %s\n", line)
		}
	}
	fmt.Fprintf(&b, "%s\n", r.Summary())
	return b.String()
}

// variantSuffix returns the end of the heading. For a personal variant it states the seed. For the
// common variant, which all learners have, it is "".
func (r *Report) variantSuffix() string {
	if r.Seed == 0 {
		return ""
	}
	return fmt.Sprintf(" · variant %d", r.Seed)
}

// numberedName returns the name of part i. If there are several parts, the name begins with the
// part's number, because messages refer to parts by number.
func (r *Report) numberedName(i int) string {
	if len(r.Parts) < 2 {
		return r.Parts[i].Name
	}
	return fmt.Sprintf("%d. %s", i+1, r.Parts[i].Name)
}

// messageWithHint returns the message of a part. If there is a hint, it adds the function call with
// which the learner can show the hint.
func (r *Report) messageWithHint(p Result) string {
	if p.Hint == 0 {
		return p.Message
	}
	return fmt.Sprintf("%s\n%sHint(%d) takes it from here.", p.Message, packageOf(r.Exercise), p.Hint)
}

var numbered = regexp.MustCompile(`^[a-z]+-[0-9]+\.([0-9]+)$`)

// packageOf returns the prefix of a cell's calls to functions of the exercise's package, such as
// "ex07." for prml-4.7. It returns "" if the report is not about a numbered exercise.
func packageOf(exercise string) string {
	m := numbered.FindStringSubmatch(exercise)
	if m == nil {
		return ""
	}
	return fmt.Sprintf("ex%02s.", m[1])
}

// HTML returns the report as a table. The styles are attributes of the elements, because Jupyter
// removes style sheets from untrusted notebooks but keeps attributes. Each outcome is shown as a
// word, a mark and a colour.
func (r *Report) HTML() string {
	var b strings.Builder
	fmt.Fprintf(&b, "<table><caption style=\"text-align:left\"><b>%s</b> · %s%s</caption>\n",
		html.EscapeString(r.Exercise), html.EscapeString(r.Title), r.variantSuffix())
	for i, p := range r.Parts {
		mark, colour := outcomeMark(p.Outcome)
		note := strings.ReplaceAll(html.EscapeString(r.messageWithHint(p)), "\n", "<br>")
		fmt.Fprintf(&b,
			"<tr><td style=\"text-align:left;vertical-align:top;white-space:nowrap;color:%s\"><b>%s&nbsp;%s</b></td><td style=\"text-align:left\">%s",
			colour, mark, p.Outcome, html.EscapeString(r.numberedName(i)))
		if note != "" {
			fmt.Fprintf(&b, "<br><span style=\"opacity:0.8\">%s</span>", note)
		}
		b.WriteString("</td></tr>\n")
	}
	fmt.Fprintf(&b, "<tr><td style=\"text-align:left\" colspan=\"2\">%s</td></tr></table>\n",
		html.EscapeString(r.Summary()))
	return b.String()
}

// outcomeMark returns a mark and a colour for an outcome. People with colour blindness can
// distinguish these colours.
func outcomeMark(o Outcome) (mark, colour string) {
	switch o {
	case Right:
		return "✓", "#00796b"
	case NotRun, NotAttempted:
		return "·", "#757575"
	}
	return "✗", "#c2410c"
}

// Outcome is the result of judging one part.
type Outcome int

const (
	NotRun       Outcome = iota // the part was not judged, for example because the program ended earlier
	NotAttempted                // a stub of the learner was called and panicked with TODO
	Right                       // everything that the part checks is correct
	Wrong                       // the answer is wrong; the verdict has a message and may have a hint
	Crashed                     // the part panicked, or the learner's code ended its goroutine or its process
	TimedOut                    // the part's time limit passed before the code returned
)

var outcomeNames = [...]string{"NotRun", "NotAttempted", "Right", "Wrong", "Crashed", "TimedOut"}

// String returns the outcome's name, as reports show it.
func (o Outcome) String() string {
	if o < 0 || int(o) >= len(outcomeNames) {
		return fmt.Sprintf("Outcome(%d)", int(o))
	}
	return outcomeNames[o]
}

// MarshalText returns the outcome's name.
func (o Outcome) MarshalText() ([]byte, error) { return []byte(o.String()), nil }

// UnmarshalText sets the outcome from its name. It returns an error for an unknown name.
func (o *Outcome) UnmarshalText(text []byte) error {
	i := slices.Index(outcomeNames[:], string(text))
	if i < 0 {
		return fmt.Errorf("verify: unknown outcome %q; want NotRun, NotAttempted, Right, Wrong, Crashed or TimedOut", text)
	}
	*o = Outcome(i)
	return nil
}

type todo struct{}

func (todo) String() string { return "not attempted yet" }

// TODO is the panic value of every stub. If the learner's code panics with TODO, the
// outcome is NotAttempted. If it panics with any other value, the outcome is Crashed.
var TODO any = todo{}

// A Verdict is the result that the function Judge of a part returns. Use Pass or Fail to make a
// Verdict.
type Verdict struct {
	Outcome Outcome
	Key     string // name of the mistake; "" for a Right part
	Message string // the result of the check and, for a wrong answer, the likely cause
	Hint    int    // number of the hint that helps; 0 means no hint
}

// Pass returns a Right verdict. The message says which property the answer has. If several
// conventions are right, the message also says which of them the answer follows.
func Pass(format string, args ...any) Verdict {
	return Verdict{Outcome: Right, Message: fmt.Sprintf(format, args...)}
}

// Fail returns a Wrong verdict. The argument `key` is the name of the mistake, and `hint` is the
// number of the hint that helps (0 means none). The message is formatted as in fmt.Sprintf.
func Fail(key string, hint int, format string, args ...any) Verdict {
	return Verdict{Outcome: Wrong, Key: key, Message: fmt.Sprintf(format, args...), Hint: hint}
}

// nbgraderVariable is the name of an environment variable that nbgrader sets while it runs a
// notebook to grade or validate it.
const nbgraderVariable = "NBGRADER_EXECUTION"

func underNbgrader() bool { return os.Getenv(nbgraderVariable) != "" }

// traceWriter returns the writer for stack traces of the learner's code. The writer is standard
// error, unless nbgrader runs the notebook. In this case it is standard output, because nbgrader
// gives no points to a cell that writes to standard error.
func traceWriter() io.Writer {
	if underNbgrader() {
		return os.Stdout
	}
	return os.Stderr
}

// Require is the last call in a test cell of nbgrader. If nbgrader runs the notebook and part n of
// the report (counted from 1) is not Right or does not exist, Require writes a line to standard
// error, and the cell earns no points. In all other cases Require does nothing, because the notebook
// has already shown the report.
func (r *Report) Require(n int) {
	if !underNbgrader() {
		return
	}
	if n < 1 || n > len(r.Parts) {
		fmt.Fprintf(os.Stderr, "no part %d: %s has parts 1 to %d\n", n, r.Exercise, len(r.Parts))
		return
	}
	if p := r.Parts[n-1]; p.Outcome != Right {
		fmt.Fprintf(os.Stderr, "part %d is %v: %s\n", n, p.Outcome, p.Name)
	}
}
