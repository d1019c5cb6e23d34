// Package equations is the index of the numbered equations of the sources: what each
// says, the code that computes it, the test that checks it, the exercises, lessons
// and figures that use it, and the misprints.
//
// The table is written by hand (generate/equations); every link is found in the
// sources: a doc comment's line "Equations: PRML (4.87), (4.90)–(4.92).", the calls
// of toolkit/internal/equation in tests, the heads of exercises, and {eq:prml-4.97}
// in texts.
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
)

// Dir is the folder of the module with the table: a file for each source, in this
// order, and the errata.
const Dir = "generate/equations"

// A Source is a document with equations.
type Source struct {
	ID    string // "prml": ids of its equations begin with it
	Name  string // as doc comments cite it: "PRML"
	Title string
	Files []string // of its equations, in Dir
}

// Sources in the order of the page.
var Sources = []Source{
	{"prml", "PRML", "Bishop, Pattern Recognition and Machine Learning, chapter 4", []string{"prml41.md", "prml42.md", "prml43.md", "prml44.md"}},
	{"alpaydin", "Alpaydin", "Alpaydin, Introduction to Machine Learning, chapter 10", []string{"alpaydin.md"}},
	{"gambosi", "Gambosi", "Gambosi, slides on probabilistic classification", []string{"gambosi.md"}},
	{"brief", "Brief notes", "Notes on PRML 4.1 to 4.5 in brief", []string{"brief.md"}},
	{"part1", "Notes on part I", "Notes on PRML chapter 4, part I", []string{"part1.md"}},
}

// An Equation is an entry of the table, with what was found about it.
type Equation struct {
	ID        string   `json:"id"`                  // "prml-4.97", "gambosi-log-odds"
	Number    string   `json:"number"`              // "(4.97)", "(log-odds)"
	LaTeX     string   `json:"latex"`               // between $$ and $$
	Words     string   `json:"words"`               // one line
	Uses      []string `json:"uses,omitempty"`      // a pure definition: the equations in which it is used
	Same      string   `json:"same,omitempty"`      // the equation of another source that it repeats
	Misprints []string `json:"misprints,omitempty"` // ids of the errata
	NoCode    string   `json:"noCode,omitempty"`    // why there is none
	NoCheck   string   `json:"noCheck,omitempty"`   // why there is none
	Code      []Link   `json:"code,omitempty"`
	Checks    []Link   `json:"checks,omitempty"`
	Exercises []Link   `json:"exercises,omitempty"`
	Lessons   []Link   `json:"lessons,omitempty"`
	Figures   []Link   `json:"figures,omitempty"`
}

// A Link is a place that has to do with an equation.
type Link struct {
	Name string `json:"name"` // "classify.FitLogistic", "TestSigmoid", "prml-4.12"
	Path string `json:"path"` // of the file in the module
}

// An Erratum is an entry of the errata.
type Erratum struct {
	ID        string   `json:"id"`    // "P1"
	Where     string   `json:"where"` // source and place
	Kind      string   `json:"kind"`  // see Kinds
	Printed   string   `json:"printed"`
	Right     string   `json:"right"`
	Words     string   `json:"words,omitempty"`
	Equations []string `json:"equations,omitempty"`
	Proofs    []Link   `json:"proofs,omitempty"` // tests
	Named     []Link   `json:"named,omitempty"`  // where code and texts name it
}

// Kinds of errata. The first four are Proved, by a test.
var Kinds = []string{"wrong", "too general", "convention", rightAfterAll, "notation", "reference"}

const rightAfterAll = "right after all"

// Proved says whether a number can decide about an entry.
func (e *Erratum) Proved() bool { return slices.Index(Kinds, e.Kind) < 4 }

// An Index is the table with all links.
type Index struct {
	Equations []*Equation `json:"equations"`
	Errata    []*Erratum  `json:"errata"`

	byID    map[string]*Equation
	errata  map[string]*Erratum
	symbols map[string][]string // equations by symbol
}

// Read reads the table from the module's files, without links.
func Read(module fs.FS) (*Index, error) {
	x := &Index{byID: map[string]*Equation{}, errata: map[string]*Erratum{}, symbols: map[string][]string{}}
	for _, s := range Sources {
		for _, file := range s.Files {
			sections, err := read(module, file)
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
	sections, err := read(module, "errata.md")
	if err != nil {
		return nil, err
	}
	for _, part := range sections {
		if err := x.addErratum(part); err != nil {
			return nil, err
		}
	}
	return x, x.consistent()
}

func (x *Index) addEquation(s Source, part section) error {
	if !strings.HasPrefix(part.id, s.ID+"-") {
		return part.errorf("ids of this file begin with %s-", s.ID)
	}
	if x.byID[part.id] != nil {
		return part.errorf("there is another one")
	}
	e := &Equation{ID: part.id, Number: "(" + strings.TrimPrefix(part.id, s.ID+"-") + ")", LaTeX: part.latex, Words: part.words}
	if e.LaTeX == "" || e.Words == "" {
		return part.errorf("it needs $$ a formula $$ and a line in words")
	}
	if strings.Contains(e.Words, "\n") {
		return part.errorf("its words take more than one line")
	}
	for key, value := range part.keys {
		switch key {
		case "uses":
			e.Uses = list(value)
		case "same":
			e.Same = value
		case "misprints":
			e.Misprints = list(value)
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
		return part.errorf("there is another one")
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
			e.Equations = list(value)
		default:
			return part.errorf("unknown key %q; known are where, kind, printed, right, equations", key)
		}
	}
	if !slices.Contains(Kinds, e.Kind) || e.Where == "" || e.Printed == "" || e.Right == "" {
		return part.errorf("it needs where, printed, right and one of the kinds %q", Kinds)
	}
	x.Errata = append(x.Errata, e)
	x.errata[e.ID] = e
	return nil
}

// consistent fails on an entry that names another one that does not exist.
func (x *Index) consistent() error {
	var bad []error
	known := func(of, id string) {
		if x.byID[id] == nil {
			bad = append(bad, fmt.Errorf("%s/%s: there is no equation %s", Dir, of, id))
		}
	}
	for _, e := range x.Equations {
		for _, id := range append(slices.Clone(e.Uses), cmp.Or(e.Same, e.ID)) {
			known(e.ID, id)
		}
		for _, id := range e.Misprints {
			if x.errata[id] == nil {
				bad = append(bad, fmt.Errorf("%s: %s: there is no entry %s of the errata", Dir, e.ID, id))
			}
		}
	}
	for _, e := range x.Errata {
		for _, id := range e.Equations {
			known(e.ID, id)
		}
		for _, m := range cited.FindAllStringSubmatch(e.Where, -1) {
			named := func(id string) bool { return strings.HasSuffix(id, "-"+m[1]) }
			if e.Kind == rightAfterAll && !slices.ContainsFunc(e.Equations, named) {
				bad = append(bad, fmt.Errorf("%s: %s: (%s) stands in where, but not in equations", path.Join(Dir, "errata.md"), e.ID, m[1]))
			}
		}
	}
	return errors.Join(bad...)
}

// HasErratum reports whether the errata have an entry with that id, as P21.
func (x *Index) HasErratum(id string) bool { return x.errata[id] != nil }

// Find returns the equation with that id, nil for none.
func (x *Index) Find(id string) *Equation { return x.byID[id] }

// A section is an entry as it is written: a heading with the id, a formula, a line
// in words, a list of keys.
type section struct {
	file, id, latex, words string
	keys                   map[string]string
}

func (s section) errorf(format string, args ...any) error {
	return fmt.Errorf("%s: %s: %s", path.Join(Dir, s.file), s.id, fmt.Sprintf(format, args...))
}

var (
	heading = regexp.MustCompile(`(?m)^## (.+)$`)
	formula = regexp.MustCompile(`(?s)\$\$(.*?)\$\$`)
	keyLine = regexp.MustCompile(`(?m)^- ([a-z ]+): (.+)$`)
)

func read(module fs.FS, file string) (sections []section, err error) {
	text, err := fs.ReadFile(module, path.Join(Dir, file))
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

// list divides "a, b" at the commas.
func list(s string) (items []string) {
	for _, item := range strings.Split(s, ",") {
		items = append(items, strings.TrimSpace(item))
	}
	return items
}
