package class

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/printer"
	"go/token"
	"go/types"
	"maps"
	"slices"
	"strings"

	"github.com/hyperplane-notebooks/hyperplane/generate/internal/exercise"
	"github.com/hyperplane-notebooks/hyperplane/generate/internal/grading"
)

// An Alike is a function that at least two learners wrote in the same way, apart from names,
// comments and layout. If the constants of the exercise vary, the numbers may also differ. An Alike is
// a reason to question the learners, not proof of copying.
type Alike struct {
	Exercise, Function string
	Learners           []string // ids of the learners who wrote the function identically
	Of                 int      // number of learners whose answer was judged
	Numbers            string   // says whether the numbers in the functions are equal; "" if the constants do not vary
}

// A NotCompared is an answer that findAlike could not compare with other answers.
type NotCompared struct {
	Exercise, Learner string
	Reason            string
}

// maxNodes is a limit: an answer whose syntax tree has more nodes is not compared with other
// answers. For a long expression, the time that go/printer needs grows faster than the square of
// the expression's length. The longest reference answer has about 1000 nodes.
const maxNodes = 5_000

// findAlike ignores functions of at most leastNodes nodes, because any two learners write such
// short functions almost identically. Let n be the number of learners whose answer was judged.
// findAlike also ignores a function that more than max(2, n/commonOne) learners wrote identically.
const (
	leastNodes = 40
	commonOne  = 20
)

// findAlike compares the functions in the judged answers to each exercise. It ignores functions
// that equal the reference answer. If learners receive different constants in an exercise, the
// comparison ignores numbers. Alike.Numbers then says whether the numbers are also equal. The list
// `failed` contains the judged answers that findAlike could not compare.
func findAlike(c *Course, results []*Result,
	loadExercise func(string, Learner) (*exercise.Exercise, error)) (list []Alike, failed []NotCompared) {
	for _, a := range c.Exercises {
		forms := map[[2]string][]learnerFunction{}
		judged := 0
		var e *exercise.Exercise
		for _, r := range results {
			if r.Exercise != a.ID || r.Status != grading.Judged {
				continue
			}
			judged++
			theirs, err := loadExercise(a.ID, *find(c.Learners, r.Learner))
			var mine map[string]learnerFunction
			if err == nil {
				e = theirs
				mine, err = normalisedFunctions(e, r.Source)
			}
			if err != nil {
				failed = append(failed,
					NotCompared{a.ID, r.Learner, grading.Printable(err.Error(), grading.MaxMessage)})
				continue
			}
			reference, err := normalisedFunctions(e, e.Answer.Solution.Source)
			if err != nil {
				failed = append(failed, NotCompared{a.ID, r.Learner, "the reference answer: " + err.Error()})
				continue
			}
			for name, f := range mine {
				form := f.comparedText(e)
				if f.nodes > leastNodes && form != reference[name].comparedText(e) {
					f.learner = r.Learner
					forms[[2]string{name, form}] = append(forms[[2]string{name, form}], f)
				}
			}
		}
		keys := slices.SortedFunc(maps.Keys(forms), func(x, y [2]string) int { return slices.Compare(x[:], y[:]) })
		for _, key := range keys {
			answers := forms[key]
			if len(answers) < 2 || len(answers) > max(2, judged/commonOne) {
				continue
			}
			alike := Alike{Exercise: a.ID, Function: key[0], Of: judged}
			same := true
			for _, f := range answers {
				alike.Learners = append(alike.Learners, f.learner)
				same = same && f.numbered == answers[0].numbered
			}
			if vary(e) {
				alike.Numbers = "their numbers differ"
				if same {
					alike.Numbers = "the numbers are equal too, although the learners may have received different numbers"
				}
			}
			list = append(list, alike)
		}
	}
	return list, failed
}

// A learnerFunction is a function as one learner wrote it.
type learnerFunction struct {
	learner         string
	nodes           int
	plain, numbered string // normalised text: first without the numbers, then with the numbers
}

// comparedText returns the normalised text that findAlike compares. The text contains the numbers
// only if the constants of the exercise do not vary.
func (w learnerFunction) comparedText(e *exercise.Exercise) string {
	if vary(e) {
		return w.plain
	}
	return w.numbered
}

func vary(e *exercise.Exercise) bool { return slices.Contains(e.Varies(), "constants") }

// normalisedFunctions returns the functions of an answer in normalised form, keyed by name. It excludes
// methods.
func normalisedFunctions(e *exercise.Exercise, source string) (map[string]learnerFunction, error) {
	found := map[string]learnerFunction{}
	s, err := grading.Cut(e, source)
	if err != nil {
		return nil, err
	}
	imported := map[string]bool{}
	for _, i := range s.Imports {
		imported[i.Called()] = true
	}
	for _, numbers := range []bool{true, false} {
		file, err := parser.ParseFile(token.NewFileSet(), "", "package answer\n"+s.Source, 0)
		if err != nil {
			return nil, err
		}
		if n := grading.Nodes(file); n > maxNodes {
			return nil, fmt.Errorf("the syntax tree of the answer has %d nodes, want at most %d", n, maxNodes)
		}
		for _, d := range file.Decls {
			f, ok := d.(*ast.FuncDecl)
			if !ok || f.Recv != nil {
				continue
			}
			name := f.Name.Name
			w := found[name]
			w.nodes = grading.Nodes(f)
			normalise(f, imported, numbers)
			var b strings.Builder
			// Use an empty FileSet. Without positions, Fprint cannot keep the learner's layout and
			// uses a standard layout.
			if err := printer.Fprint(&b, token.NewFileSet(), f); err != nil {
				return nil, err
			}
			text := strings.Join(strings.Fields(b.String()), " ")
			if numbers {
				w.numbered = text
			} else {
				w.plain = text
			}
			found[name] = w
		}
	}
	return found, nil
}

// normalise replaces the names in a function with v0, v1, … in the order in which they first appear.
// It does not replace the names of imported packages, predeclared names of Go, selectors, or the
// blank identifier. If `numbers` is false, it also replaces every integer or floating-point literal with
// 0.
func normalise(f *ast.FuncDecl, imported map[string]bool, numbers bool) {
	names := map[string]string{}
	fixed := map[*ast.Ident]bool{}
	ast.Inspect(f, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.SelectorExpr:
			fixed[n.Sel] = true
		case *ast.Ident:
			if fixed[n] || imported[n.Name] || n.Name == "_" || types.Universe.Lookup(n.Name) != nil {
				return true
			}
			if names[n.Name] == "" {
				names[n.Name] = fmt.Sprintf("v%d", len(names))
			}
			n.Name = names[n.Name]
		case *ast.BasicLit:
			if !numbers && (n.Kind == token.INT || n.Kind == token.FLOAT) {
				n.Value = "0"
			}
		}
		return true
	})
}
