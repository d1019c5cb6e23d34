// Package equations makes an index of the equations in the books. For each equation the index
// lists the meaning, the code that computes it, the tests that check it and its misprints. The index
// also lists the exercises, lessons and figures that use the equation.
//
// Authors write the table of equations by hand, in the folder generate/equations. The package finds
// the links from code, tests and texts to equations by reading the module's files. Doc comments
// contain a line such as "Equations: PRML (4.87), (4.90)–(4.92)." Tests call toolkit/equation.
// Exercises list equations in their headers, and texts contain {eq:prml-4.97} or (4.97).
package equations

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"regexp"
	"slices"
	"strings"

	"github.com/hyperplane-notebooks/hyperplane/exercises"
)

// A Table lists the books whose equations the index covers, the folders with the equations and the
// lessons, and the folders in which the package searches for citations of equations.
type Table struct {
	Books   exercises.Books // books in the order in which the page lists them
	Dir     string          // folder in the module that contains errata.md and the files of equations
	Lessons string          // folder of the lessons, in the module
	Roots   []string        // folders in the module whose files may cite equations
}

// Standard is the table of the course that belongs to the toolkit.
var Standard = Table{exercises.Standard(), "generate/equations", "generate/lessons",
	[]string{"toolkit", "exercises", "generate"}}

// An Equation is one equation in the table, with links to the places that cite the equation.
type Equation struct {
	ID        string   `json:"id"`                  // "prml-4.97", "gambosi-log-odds"
	Number    string   `json:"number"`              // "(4.97)", "(log-odds)"
	LaTeX     string   `json:"latex"`               // LaTeX of the formula, without the enclosing $$
	Words     string   `json:"words"`               // the meaning of the formula in words, on one line
	Uses      []string `json:"uses,omitempty"`      // ids of the equations that use this pure definition
	Same      string   `json:"same,omitempty"`      // id of the same equation in another source
	Misprints []string `json:"misprints,omitempty"` // ids of the errata for this equation
	NoCode    string   `json:"noCode,omitempty"`    // reason why the equation needs no code
	NoCheck   string   `json:"noCheck,omitempty"`   // reason why the equation needs no test
	Code      []Link   `json:"code,omitempty"`
	Checks    []Link   `json:"checks,omitempty"`
	Exercises []Link   `json:"exercises,omitempty"`
	Lessons   []Link   `json:"lessons,omitempty"`
	Figures   []Link   `json:"figures,omitempty"`

	book string
}

// A Link is a symbol, test, exercise, lesson, figure or file that refers to an equation or an erratum.
type Link struct {
	Name  string `json:"name"`            // "classify.FitLogistic", "TestSigmoid", "prml-4.12", "a.go"
	Path  string `json:"path"`            // path of the file in the module
	Title string `json:"title,omitempty"` // title of a lesson or exercise that cites an equation; "" for other links
}

// An Erratum is one entry of errata.md. It describes a place in a source that is wrong or seems
// wrong.
type Erratum struct {
	ID        string   `json:"id"`    // "P1"
	Where     string   `json:"where"` // name of the source, and position in the source
	Kind      string   `json:"kind"`  // one of Kinds
	Printed   string   `json:"printed"`
	Right     string   `json:"right"`
	Words     string   `json:"words,omitempty"`
	Equations []string `json:"equations,omitempty"`
	Proofs    []Link   `json:"proofs,omitempty"` // tests that prove the erratum
	Named     []Link   `json:"named,omitempty"`  // code and texts that mention the erratum
}

// Kinds lists the kinds of errata. Every erratum of the first four kinds must have a test.
var Kinds = []string{"wrong", "too general", "convention", rightAfterAll, "notation", "reference"}

const rightAfterAll = "right after all"

// Proved reports whether a test must prove an erratum of this kind by a computation.
func (e *Erratum) Proved() bool { return slices.Index(Kinds, e.Kind) < 4 }

// An Index contains all equations and errata of the table, together with all links to them.
type Index struct {
	Equations []*Equation `json:"equations"`
	Errata    []*Erratum  `json:"errata"`

	table   Table
	byID    map[string]*Equation
	errata  map[string]*Erratum
	symbols map[string][]string // maps a symbol to the ids of the equations that its doc comment cites
}

// read reads the table from the module's files. It does not search for links.
func (t Table) read(module fs.FS) (*Index, error) {
	x := &Index{table: t, byID: map[string]*Equation{}, errata: map[string]*Erratum{}, symbols: map[string][]string{}}
	for _, s := range t.Books {
		for _, file := range s.Equations {
			sections, err := read(module, path.Join(t.Dir, file))
			if err != nil {
				return nil, err
			}
			for _, part := range sections {
				if err := x.addEquation(s, part); err != nil {
					return nil, err
				}
			}
		}
	}
	sections, err := read(module, path.Join(t.Dir, "errata.md"))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	for _, part := range sections {
		if err := x.addErratum(part); err != nil {
			return nil, err
		}
	}
	return x, x.checkReferences()
}

func (x *Index) addEquation(s exercises.Book, part section) error {
	if !strings.HasPrefix(part.id, s.ID+"-") {
		return part.errorf("invalid id: all ids of this file begin with %s-", s.ID)
	}
	if x.byID[part.id] != nil {
		return part.errorf("the id is already used")
	}
	e := &Equation{ID: part.id, Number: "(" + strings.TrimPrefix(part.id, s.ID+"-") + ")", LaTeX: part.latex,
		Words: part.words, book: s.Source()}
	if e.LaTeX == "" || e.Words == "" {
		return part.errorf("missing formula or description: want $$ a formula $$ and one line in words")
	}
	if strings.Contains(e.Words, "\n") {
		return part.errorf("the description has more than one line")
	}
	for key, value := range part.keys {
		switch key {
		case "uses":
			e.Uses = splitList(value)
		case "same":
			e.Same = value
		case "misprints":
			e.Misprints = splitList(value)
		case "no code":
			e.NoCode = value
		case "no check":
			e.NoCheck = value
		default:
			return part.errorf("unknown key %q; known are uses, same, misprints, no code, no check", key)
		}
	}
	x.Equations = append(x.Equations, e)
	x.byID[e.ID] = e
	return nil
}

func (x *Index) addErratum(part section) error {
	if x.errata[part.id] != nil {
		return part.errorf("the id is already used")
	}
	e := &Erratum{ID: part.id, Words: part.words}
	for key, value := range part.keys {
		switch key {
		case "where":
			e.Where = value
		case "kind":
			e.Kind = value
		case "printed":
			e.Printed = value
		case "right":
			e.Right = value
		case "equations":
			e.Equations = splitList(value)
		default:
			return part.errorf("unknown key %q; known are where, kind, printed, right, equations", key)
		}
	}
	if !slices.Contains(Kinds, e.Kind) || e.Where == "" || e.Printed == "" || e.Right == "" {
		return part.errorf("missing or invalid key: want the keys where, printed and right, and the key kind with one of the kinds %q", Kinds)
	}
	x.Errata = append(x.Errata, e)
	x.errata[e.ID] = e
	return nil
}

// checkReferences returns an error if an entry refers to an equation or erratum that does not
// exist. For an erratum of the kind "right after all", each equation number in Where must also
// occur in Equations. If Where contains a range, only the first number of the range must.
func (x *Index) checkReferences() error {
	var bad []error
	known := func(place, id string) {
		if x.byID[id] == nil {
			bad = append(bad, fmt.Errorf("%s: %s: there is no equation %s", x.table.Dir, place, id))
		}
	}
	for _, e := range x.Equations {
		for _, id := range append(slices.Clone(e.Uses), cmp.Or(e.Same, e.ID)) {
			known(e.ID, id)
		}
		for _, id := range e.Misprints {
			if x.errata[id] == nil {
				bad = append(bad, fmt.Errorf("%s: %s: unknown erratum %s", x.table.Dir, e.ID, id))
			}
		}
	}
	for _, e := range x.Errata {
		for _, id := range e.Equations {
			known(e.ID, id)
		}
		for _, m := range citedNumber.FindAllStringSubmatch(e.Where, -1) {
			named := func(id string) bool { return strings.HasSuffix(id, "-"+m[1]) }
			if e.Kind == rightAfterAll && !slices.ContainsFunc(e.Equations, named) {
				bad = append(bad,
					fmt.Errorf("%s: %s: the key \"where\" contains (%s), but the key \"equations\" does not",
						path.Join(x.table.Dir, "errata.md"), e.ID, m[1]))
			}
		}
	}
	return errors.Join(bad...)
}

// HasErratum reports whether the index contains the erratum with the given id, such as P21.
func (x *Index) HasErratum(id string) bool { return x.errata[id] != nil }

// Find returns the equation with the given id, or nil if the index does not contain it.
func (x *Index) Find(id string) *Equation { return x.byID[id] }

// A section is an entry in a file of the table. It consists of a heading with the id, formulas, a
// description in words, and a list of keys with values. An erratum has no formulas, and its
// description may be missing.
type section struct {
	file, id, latex, words string
	keys                   map[string]string
}

func (s section) errorf(format string, args ...any) error {
	return fmt.Errorf("%s: %s: %s", s.file, s.id, fmt.Sprintf(format, args...))
}

var (
	heading = regexp.MustCompile(`(?m)^## (.+)$`)
	formula = regexp.MustCompile(`(?s)\$\$(.*?)\$\$`)
	keyLine = regexp.MustCompile(`(?m)^- ([a-z ]+): (.+)$`)
)

func read(module fs.FS, file string) (sections []section, err error) {
	text, err := fs.ReadFile(module, file)
	if err != nil {
		return nil, err
	}
	heads := heading.FindAllStringSubmatchIndex(string(text), -1)
	for i, h := range heads {
		end := len(text)
		if i+1 < len(heads) {
			end = heads[i+1][0]
		}
		body := string(text[h[1]:end])
		s := section{file: file, id: string(text[h[2]:h[3]]), keys: map[string]string{}}
		var formulas []string
		for _, m := range formula.FindAllStringSubmatch(body, -1) {
			formulas = append(formulas, strings.TrimSpace(m[1]))
		}
		s.latex = strings.Join(formulas, `,\quad `)
		body = formula.ReplaceAllString(body, "")
		for _, m := range keyLine.FindAllStringSubmatch(body, -1) {
			s.keys[m[1]] = strings.TrimSpace(m[2])
		}
		s.words = strings.TrimSpace(keyLine.ReplaceAllString(body, ""))
		sections = append(sections, s)
	}
	return sections, nil
}

// splitList splits "a, b" at the commas.
func splitList(s string) (items []string) {
	for _, item := range strings.Split(s, ",") {
		items = append(items, strings.TrimSpace(item))
	}
	return items
}
