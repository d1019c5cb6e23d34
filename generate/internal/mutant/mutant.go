// Package mutant makes mechanical mutants of a reference answer. A mutant is the answer with one
// small change that imitates a mistake, such as a different sign, factor or index, or a missing
// term. Every mutant compiles. A good check rejects every mutant, unless the mutant is still a
// right answer.
package mutant

import (
	"fmt"
	"go/token"
	"slices"
	"strings"

	"github.com/hyperplane-notebooks/hyperplane/generate/internal/cell"
	"github.com/hyperplane-notebooks/hyperplane/generate/internal/exercise"
)

// A Mutant is a reference answer with one change.
type Mutant struct {
	// Name describes the change by its content, not by its line: "Fit: a + b → a - b". If the same
	// change occurs several times in a function, an ordinal (#2) distinguishes the names.
	Name string
	Text Text
}

// A Text is a reference answer or a mutant, as declarations for a notebook cell. It distinguishes a
// top-level name from a local variable, or other identifier, of the same name.
type Text struct {
	exercise.Code
	names []name // identifiers that refer to top-level declarations, in source order
}

// A name is an identifier that refers to a top-level declaration.
type name struct {
	text string
	end  int // offset of the end of the identifier
}

// Suffixed returns the declarations with suffix appended to every top-level name. With different
// suffixes, one package can contain many texts.
func (t Text) Suffixed(suffix string) string {
	return t.suffixed(0, len(t.Source), suffix, func(string) bool { return true })
}

// suffixed returns the text from offset from to offset to, with suffix appended to each top-level
// name for which changed returns true.
func (t Text) suffixed(from, to int, suffix string, changed func(name string) bool) string {
	var b strings.Builder
	for _, n := range t.names {
		if from < n.end && n.end <= to && changed(n.text) {
			b.WriteString(t.Source[from:n.end] + suffix)
			from = n.end
		}
	}
	b.WriteString(t.Source[from:to])
	return b.String()
}

// Needs returns the imports that the declarations need.
func (t Text) Needs() []cell.Import { return t.Imports }

// A Maker makes mutants. It contains the types of the packages that answers import.
type Maker struct{ packages *packages }

// NewMaker returns a Maker for the reference answers of these exercises. root is the folder of the
// module.
func NewMaker(root string, list []*exercise.Exercise) (*Maker, error) {
	var imports []cell.Import
	for _, e := range list {
		imports = append(imports, e.Answer.Solution.Imports...)
	}
	p, err := load(root, cell.Merge(imports))
	return &Maker{p}, err
}

// Of returns the reference answer of an exercise and its mutants, in source order. Mutants do not
// change declarations that the stub provides.
func (m *Maker) Of(e *exercise.Exercise) (answer Text, mutants []Mutant, err error) {
	given, err := givenIn(e.Answer)
	if err != nil {
		return Text{}, nil, fmt.Errorf("%s: %w", e.Dir, err)
	}
	answer, mutants, err = m.mutate(e.Answer.Solution, given)
	if err != nil {
		return Text{}, nil, fmt.Errorf("%s: the reference answer: %w", e.Dir, err)
	}
	return answer, mutants, nil
}

// mutate returns the mutants of code. It does not change the declarations named in given.
func (m *Maker) mutate(code exercise.Code, given []string) (Text, []Mutant, error) {
	f, err := m.packages.check(code)
	if err != nil {
		return Text{}, nil, err
	}
	var mutants []Mutant
	seen := map[string]bool{code.Source: true}
	for _, e := range editsOf(f, kinds, given) {
		source := e.apply(code.Source)
		if seen[source] {
			continue
		}
		seen[source] = true
		g, err := m.packages.check(exercise.Code{Source: source, Imports: code.Imports})
		if err != nil {
			continue // skip a mutant that does not compile, because the compiler rejects such an answer anyway
		}
		mutants = append(mutants, Mutant{e.name(code.Source), g.text})
	}
	number(mutants)
	return f.text, mutants, nil
}

// number appends an ordinal to names that occur more than once.
func number(mutants []Mutant) {
	total, so := map[string]int{}, map[string]int{}
	for _, m := range mutants {
		total[m.Name]++
	}
	for i, m := range mutants {
		if total[m.Name] > 1 {
			so[m.Name]++
			mutants[i].Name = fmt.Sprintf("%s #%d", m.Name, so[m.Name])
		}
	}
}

// givenIn returns the names of the functions, constants and variables that the stub provides to the
// learner.
func givenIn(a *exercise.Answer) ([]string, error) {
	file, _, err := parse(token.NewFileSet(), a.Stub)
	if err != nil {
		return nil, err
	}
	var given []string
	for _, d := range file.Decls {
		for _, name := range namesOf(d) {
			if !slices.Contains(a.Functions, name) {
				given = append(given, name)
			}
		}
	}
	return given, nil
}
