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

// An Alike is a function that several learners have written in the same way, names,
// comments and layout aside, and few others. It is a reason to ask, no proof.
type Alike struct {
	Exercise, Function string
	Learners           []string // their ids
	Of                 int      // learners who handed in an answer
	Numbers            string   // what the variants say of the numbers in it
}

// Below leastNodes a function has hardly two ways to be written, and a way that more than
// one in commonOne take is common.
const (
	leastNodes = 40
	commonOne  = 20
)

// findAlike compares the answers that count, one exercise after another. In an exercise
// whose constants vary the numbers are not compared: that they are the same in two
// variants is said. What is as the reference answer has it is left out.
func findAlike(c *Course, results []*Result, loadExercise func(string, Learner) (*exercise.Exercise, error)) ([]Alike, error) {
	var list []Alike
	for _, a := range c.Exercises {
		forms := map[[2]string][]written{}
		of := 0
		var e *exercise.Exercise
		for _, r := range results {
			if r.Exercise != a.ID || r.Source == "" {
				continue
			}
			l := find(c.Learners, r.Learner)
			var err error
			if e, err = loadExercise(a.ID, *l); err != nil {
				return nil, err
			}
			of++
			reference := functions(e, e.Answer.Solution.Source)
			for name, f := range functions(e, r.Source) {
				form := f.form(e)
				if f.nodes > leastNodes && form != reference[name].form(e) {
					f.learner = r.Learner
					forms[[2]string{name, form}] = append(forms[[2]string{name, form}], f)
				}
			}
		}
		keys := slices.SortedFunc(maps.Keys(forms), func(x, y [2]string) int { return slices.Compare(x[:], y[:]) })
		for _, key := range keys {
			who := forms[key]
			if len(who) < 2 || len(who) > max(2, of/commonOne) {
				continue
			}
			alike := Alike{Exercise: a.ID, Function: key[0], Of: of}
			same := true
			for _, f := range who {
				alike.Learners = append(alike.Learners, f.learner)
				same = same && f.numbered == who[0].numbered
			}
			if vary(e) {
				alike.Numbers = "each has numbers of its own"
				if same {
					alike.Numbers = "the numbers are the same too, though each learner was given others"
				}
			}
			list = append(list, alike)
		}
	}
	return list, nil
}

// A written is a function as somebody has written it.
type written struct {
	learner         string
	nodes           int
	plain, numbered string // without and with its numbers
}

// form is what of a function is compared.
func (w written) form(e *exercise.Exercise) string {
	if vary(e) {
		return w.plain
	}
	return w.numbered
}

func vary(e *exercise.Exercise) bool { return slices.Contains(e.Varies(), "constants") }

// functions are the functions of an answer by name, none of one that is not Go.
func functions(e *exercise.Exercise, source string) map[string]written {
	found := map[string]written{}
	s, err := grading.Cut(e, source)
	if err != nil {
		return found
	}
	imported := map[string]bool{}
	for _, i := range s.Imports {
		imported[i.Called()] = true
	}
	for _, numbers := range []bool{true, false} {
		fset := token.NewFileSet()
		file, err := parser.ParseFile(fset, "", "package answer\n"+s.Source, 0)
		if err != nil {
			return found
		}
		for _, d := range file.Decls {
			f, ok := d.(*ast.FuncDecl)
			if !ok || f.Recv != nil {
				continue
			}
			name := f.Name.Name
			w := found[name]
			w.nodes = normalise(f, imported, numbers)
			var b strings.Builder
			if err := printer.Fprint(&b, token.NewFileSet(), f); err != nil { // without positions: a layout of its own
				continue
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
	return found
}

// normalise gives the names that are not Go's or a library's names of the order in which they
// come, and without numbers every number the same; it returns how many nodes there are.
func normalise(f *ast.FuncDecl, imported map[string]bool, numbers bool) int {
	nodes, names := 0, map[string]string{}
	fixed := map[*ast.Ident]bool{}
	ast.Inspect(f, func(n ast.Node) bool {
		if n != nil {
			nodes++
		}
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
	return nodes
}
