package grading

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/hyperplane-notebooks/hyperplane/generate/internal/cell"
	"github.com/hyperplane-notebooks/hyperplane/generate/internal/exercise"
	"github.com/hyperplane-notebooks/hyperplane/generate/internal/mutant"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/verify"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/verify/remote"
)

// DiagnosisTime is the time for which the command `check` lets Diagnose search for the mistake in a wrong
// answer. The time begins after the verdict on the answer.
const DiagnosisTime = 5 * time.Second

// maxRepairs is the maximum number of repairs for one answer. With more repairs, the compiler could
// need longer than DiagnosisTime.
const maxRepairs = 400

// repairCall is the time limit for one call of a repaired answer. All calls of a repaired answer
// together are limited only by the context of Diagnose, because a correct repair is called far more
// often than a wrong repair.
const repairCall = 250 * time.Millisecond

// Diagnose looks for the mistake in a wrong answer. First it looks for a small change to the answer
// that makes every attempted part pass with each of two seeds. If it finds no such change, or cannot
// tell which line is wrong, it looks for a relation between the answer's results and the right
// results. Diagnose returns a sentence about the mistake for each report. The sentence is "" if
// Diagnose finds no mistake, if the first failed part is not Wrong or already names the mistake, or if
// a server runs the answers. When ctx ends, Diagnose returns what it has found so far. Diagnose
// returns an error only if this machine is at fault.
//
// The changed answers, called repairs, run like the answer: in a separate process with the same
// limits. Only the limit for each call is shorter, see repairCall.
func (t *Toolchain) Diagnose(ctx context.Context, e *exercise.Exercise, checks []any, s *Answer, j Judgement,
	l Limits) ([]string, error) {
	messages := make([]string, len(j.Reports))
	if t.PackageDir == "" || !slices.ContainsFunc(j.Reports, func(r *verify.Report) bool {
		return findUnexplained(e, r) >= 0
	}) {
		return messages, nil
	}
	d, err := t.makeRepairs(ctx, e, s, l)
	if err != nil || d == nil {
		return messages, err
	}
	defer os.RemoveAll(d.dir)
	for i, r := range j.Reports {
		part := findUnexplained(e, r)
		if part < 0 {
			continue
		}
		repairing, cancel := withShare(ctx, 0.85)
		passing, err := d.passingRepairs(repairing, checks[i], e.Calls[i].Args, judgingOrder(e, r))
		cancel()
		if err != nil {
			return messages, err
		}
		if messages[i] = mistakeSentence(passing); messages[i] == "" {
			if text := d.relationOf(ctx, j.recordings[i][part]); text != "" {
				messages[i] = fmt.Sprintf("In part %d, %s, in every call.", part+1, text)
			}
		}
	}
	return messages, nil
}

// findUnexplained finds the first part that is neither Right nor NotAttempted. It returns the
// part's index if the part is Wrong and its verdict does not name the mistake. In all other cases
// it returns −1.
func findUnexplained(e *exercise.Exercise, r *verify.Report) int {
	i := slices.IndexFunc(r.Parts,
		func(p verify.Result) bool { return p.Outcome != verify.Right && p.Outcome != verify.NotAttempted })
	if i < 0 || r.Parts[i].Outcome != verify.Wrong {
		return -1
	}
	for _, k := range e.Known {
		if k.Key == r.Parts[i].Key {
			return -1
		}
	}
	for _, form := range []string{"views", "not-new", "wrong-shape", "wrong-length", keyNotRepeatable} {
		if strings.HasSuffix(r.Parts[i].Key, form) {
			return -1
		}
	}
	return i
}

// judgingOrder returns the order in which to judge the parts again. The part whose mistake Diagnose
// looks for comes first, because most repairs fail in this part. The other failed parts come next,
// and the parts that were Right come last. Parts that were NotAttempted are not judged again.
func judgingOrder(e *exercise.Exercise, r *verify.Report) []int {
	list := []int{findUnexplained(e, r)}
	for _, right := range []bool{false, true} {
		for i, p := range r.Parts {
			if i != list[0] && p.Outcome != verify.NotAttempted && right == (p.Outcome == verify.Right) {
				list = append(list, i)
			}
		}
	}
	return list
}

// A diagnosis is a wrong answer, compiled into one program with its repairs and the reference answer.
type diagnosis struct {
	exercise  *exercise.Exercise
	repairs   []*mutant.Repair
	functions []string // names of the program's functions
	session   *Session
	dir       string            // folder of the compiled program
	reference map[string]string // maps the name of a learner's function to the reference function's name in the program
}

// makeRepairs makes the repairs of an answer and compiles them into one program, together with the
// answer and the reference answer. It returns nil without an error if the type checker rejects the
// answer, if the program with the repairs does not compile, or if ctx ends.
func (t *Toolchain) makeRepairs(ctx context.Context, e *exercise.Exercise, s *Answer, l Limits) (*diagnosis,
	error) {
	archives, err := t.archives()
	if err != nil {
		return nil, err
	}
	d := &diagnosis{exercise: e, reference: map[string]string{}}
	maker := mutant.MakerOf(archives)
	d.repairs, err = maker.Repairs(ctx, exercise.Code{Source: s.Source, Imports: s.Imports}, e.Answer.Functions,
		maxRepairs)
	if err != nil || ctx.Err() != nil { // no Fault: the type checker can reject an answer that compiles
		return nil, nil
	}
	var b strings.Builder
	b.WriteString(s.Source + "\n")
	imports := [][]cell.Import{s.Imports}
	solution := e.Answer.Solution
	solution.Imports = withoutCheck(e, solution.Imports)
	if reference, err := maker.Text(solution); err == nil {
		b.WriteString(reference.Suffixed("_reference") + "\n")
		imports = append(imports, reference.Needs())
		for _, f := range e.Answer.Functions {
			d.reference[f] = f + "_reference"
			d.functions = append(d.functions, f+"_reference")
		}
	}
	for k, r := range d.repairs {
		b.WriteString(r.Declarations(suffix(k)))
		imports = append(imports, r.Imports)
		for _, f := range e.Answer.Functions {
			if name := r.Name(f, suffix(k)); !slices.Contains(d.functions, name) {
				d.functions = append(d.functions, name)
			}
		}
	}
	all := &program{mainOf(d.functions),
		"package main\n\n" + cell.Declaration(cell.Merge(imports...)) + "\n\n//line answer.go:1:1\n" + b.String()}
	if d.dir, err = os.MkdirTemp("", "hyperplane-repairs-"); err != nil {
		return nil, err
	}
	if err := t.compile(ctx, all, d.dir); err != nil {
		os.RemoveAll(d.dir)
		var refused *CompileError
		if ctx.Err() != nil || errors.As(err, &refused) {
			return nil, nil
		}
		return nil, err
	}
	d.session = t.Session(filepath.Join(d.dir, "answer"), l, 0)
	d.session.Wall = verify.Patience(repairCall)
	return d, nil
}

func suffix(k int) string { return fmt.Sprintf("_repair%d", k) }

// archives returns the paths of the compiled packages that an answer may import, and of all packages
// that these import. The keys of the map are the import paths.
func (t *Toolchain) archives() (map[string]string, error) {
	text, err := os.ReadFile(filepath.Join(t.PackageDir, "importcfg"))
	if err != nil {
		return nil, err
	}
	files := map[string]string{}
	for line := range strings.Lines(string(text)) {
		path, file, _ := strings.Cut(strings.TrimPrefix(strings.TrimSpace(line), "packagefile "), "=")
		files[path] = filepath.Join(t.PackageDir, "pkg", filepath.Base(file))
	}
	return files, nil
}

// passingRepairs returns the repairs that make all listed parts of the check Right, both for
// the seed of this process and for a second seed. `order` lists the indices of these parts in the
// order in which they are judged. `names` lists the functions that the check calls. If ctx ends,
// passingRepairs returns only the repairs that have passed for both seeds by then. If no second seed
// selects the same constants (see WithOtherSeed), passingRepairs returns no repairs.
func (d *diagnosis) passingRepairs(ctx context.Context, check any, names []string, order []int) ([]*mutant.Repair,
	error) {
	pass := func(ctx context.Context, list []*mutant.Repair) (passed []*mutant.Repair, err error) {
		defer d.session.Close()
		for _, r := range list {
			if ctx.Err() != nil {
				break
			}
			ok, err := d.passesParts(ctx, check, names, order, r)
			if err != nil {
				return nil, err
			}
			if ok {
				passed = append(passed, r)
			}
		}
		return passed, nil
	}
	first, cancel := withShare(ctx, 0.85)
	defer cancel()
	passed, err := pass(first, d.repairs)
	if err != nil || len(passed) == 0 {
		return nil, err
	}
	var both []*mutant.Repair
	d.exercise.WithOtherSeed(func() { both, err = pass(ctx, passed) })
	return both, err
}

// withShare returns a context that ends when the given share of the time until the deadline of ctx has
// passed. If ctx has no deadline, the returned context ends with ctx.
func withShare(ctx context.Context, share float64) (context.Context, context.CancelFunc) {
	end, ok := ctx.Deadline()
	if !ok {
		return context.WithCancel(ctx)
	}
	return context.WithTimeout(ctx, time.Duration(share*float64(time.Until(end))))
}

// passesParts judges the parts whose indices `order` lists, in this order. It reports whether all of
// these parts are Right when the functions of the repair replace the functions of the answer. The
// next repair can use the same process, because repairs share no variables. If the process has
// ended, the next repair starts a new process.
func (d *diagnosis) passesParts(ctx context.Context, check any, names []string, order []int,
	r *mutant.Repair) (bool, error) {
	s := d.session
	s.Context, s.recordings = ctx, map[int]*remote.Conn{}
	defer context.AfterFunc(ctx, s.Close)()
	own := make([]string, len(names))
	for i, name := range names {
		own[i] = r.Name(name, suffix(slices.Index(d.repairs, r)))
	}
	in, err := s.standIns(check, own, d.functions)
	if err != nil {
		return false, err
	}
	var report *verify.Report
	verify.Try(order, func() { report = callReport(check, in) })
	if s.isLost() || ctx.Err() != nil {
		s.Close()
	}
	return report != nil && report.Complete, nil
}

// sameSpot is the largest distance, in lines, between two repairs of the same mistake. If the two
// lines with the most repairs are farther apart, the repairs of at least one line only compensate for
// the mistake. It is unknown which line this is, so mistakeSentence mentions neither of them.
const sameSpot = 2

// mistakeSentence states the line, or the two lines, with the most repairs. It also states what kind
// of change these repairs make. It does not state the new text, which could mislead the learner,
// because a repair on the right line can pass by removing only the effect of the mistake. If there
// is no repair, or if the two lines are farther apart than sameSpot, the result is "".
func mistakeSentence(passing []*mutant.Repair) string {
	byLine := map[int][]*mutant.Repair{}
	var lines []int
	for _, r := range passing {
		if byLine[r.Line] == nil {
			lines = append(lines, r.Line)
		}
		byLine[r.Line] = append(byLine[r.Line], r)
	}
	if len(lines) == 0 {
		return ""
	}
	slices.SortStableFunc(lines, func(a, b int) int { return cmp.Compare(len(byLine[b]), len(byLine[a])) })
	text := fmt.Sprintf("Your answer is one small change away from right. Look at line %d: %s", lines[0],
		describeChange(byLine[lines[0]]))
	if len(lines) > 1 {
		if d := lines[0] - lines[1]; d < -sameSpot || d > sameSpot {
			return ""
		}
		text += fmt.Sprintf(", or at line %d: %s", lines[1], describeChange(byLine[lines[1]]))
	}
	return text + "."
}

// describeChange describes the change that the repairs of one line make. If the repairs differ in
// kind or change different code, the description only quotes code of the line.
func describeChange(list []*mutant.Repair) string {
	kinds, operands := map[mutant.Kind]bool{}, map[string]bool{}
	shortest := list[0].Operand
	longest := shortest
	for _, r := range list {
		kinds[r.Kind], operands[r.Operand] = true, true
		if len(r.Operand) > len(longest) {
			longest = r.Operand
		}
		if len(r.Operand) < len(shortest) {
			shortest = r.Operand
		}
	}
	switch {
	case len(kinds) == 1 && len(operands) == 1:
		return fmt.Sprintf(changePhrases[list[0].Kind], list[0].Operand)
	case len(operands) == 1:
		return fmt.Sprintf("“%s”", longest)
	}
	// If the longest operand contains all other operands, quote the longest operand. Otherwise
	// quote the shortest operand.
	for o := range operands {
		if !strings.Contains(longest, o) {
			return fmt.Sprintf("the expression around “%s”", shortest)
		}
	}
	return fmt.Sprintf("“%s”", longest)
}

// changePhrases maps a kind of repair to a format that describes the change. The argument of the
// format is the changed text.
var changePhrases = map[mutant.Kind]string{
	mutant.Operator: "the operator in “%s”", mutant.Sign: "the sign of “%s”", mutant.Factor: "a factor of “%s”",
	mutant.Number: "the number “%s”",
	mutant.Term:   "the term “%s”", mutant.Statement: "the statement “%s”", mutant.Truth: "the truth value “%s”",
	mutant.Loop:  "the number of iterations of the loop “%s”",
	mutant.Order: "the order in “%s”", mutant.Function: "the function in “%s”", mutant.Condition: "the condition “%s”",
	mutant.Variable: "“%s”, which may be the wrong variable", mutant.Missing: "a factor or a term is missing at “%s”",
	mutant.Shared: "“%s” is shared with the caller",
}
