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

// An Alike is a function that several learners, but few others, have written in the same way, apart
// from names, comments and layout. It is a reason to ask, not proof.
type Alike struct {
	Exercise, Function string
	Learners           []string // their ids
	Of                 int      // number of learners who submitted an answer
	Numbers            string   // how the numbers in it compare across variants
}

// A NotCompared is an answer that could not be compared with the others.
type NotCompared struct {
	Exercise, Learner string
	Reason            string
}

// maxNodes limits the syntax tree of an answer that is compared: the time that go/printer takes
// grows faster than the square of an expression's length. The longest reference answer has about
// 1000 nodes.
const maxNodes = 5_000

// A function with fewer than leastNodes nodes can hardly be written in two ways. A form written by
// more than one learner in commonOne is common.
const (
	leastNodes = 40
	commonOne  = 20
)

// findAlike compares the judged results, one exercise at a time. If the constants of an exercise
// vary, the numbers are not compared; Alike says whether they are the same in two variants.
// Functions equal to the reference answer are left out.
func findAlike(c *Course, results []*Result,
	loadExercise func(string, Learner) (*exercise.Exercise, error)) (list []Alike, failed []NotCompared) {
	for _, a := range c.Exercises {
		forms := map[[2]string][]written{}
		of := 0
		var e *exercise.Exercise
		for _, r := range results {
			if r.Exercise != a.ID || r.Status != grading.Judged {
				continue
			}
			of++
			theirs, err := loadExercise(a.ID, *find(c.Learners, r.Learner))
			var mine map[string]written
			if err == nil {
				e = theirs
				mine, err = functions(e, r.Source)
			}
			if err != nil {
				failed = append(failed,
					NotCompared{a.ID, r.Learner, grading.Printable(err.Error(), grading.MaxMessage)})
				continue
			}
			reference, err := functions(e, e.Answer.Solution.Source)
			if err != nil {
				failed = append(failed, NotCompared{a.ID, r.Learner, "the reference answer: " + err.Error()})
				continue
			}
			for name, f := range mine {
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
				alike.Numbers = "their numbers differ"
				if same {
					alike.Numbers = "the numbers are equal too, although each learner was given different ones"
				}
			}
			list = append(list, alike)
		}
	}
	return list, failed
}

// A written is one learner's version of a function.
type written struct {
	learner         string
	nodes           int
	plain, numbered string // without and with its numbers
}

// form returns the text that is compared.
func (w written) form(e *exercise.Exercise) string {
	if vary(e) {
		return w.plain
	}
	return w.numbered
}

func vary(e *exercise.Exercise) bool { return slices.Contains(e.Varies(), "constants") }

// functions returns the functions of an answer by name.
func functions(e *exercise.Exercise, source string) (map[string]written, error) {
	found := map[string]written{}
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
			return nil, fmt.Errorf("its syntax tree has %d nodes, at most %d are compared", n, maxNodes)
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
			if err := printer.Fprint(&b, token.NewFileSet(), f); err != nil { // printed without positions, so in a standard layout
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

// normalise replaces every name that belongs to neither Go nor an imported package by one that
// records only its order of appearance. If numbers is false, it also replaces every number by 0.
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
