package equations

import (
	"cmp"
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// Build builds the index of equations for the toolkit's own course.
func Build(module fs.FS) (*Index, error) { return Standard.Build(module) }

// Build reads the table and collects all links from the module's files. It returns an error if a doc
// comment, a test, a macro or the header of an exercise cites an equation that is not in the table,
// or if a test names an erratum that is not in the table.
func (t Table) Build(module fs.FS) (*Index, error) {
	x, err := t.read(module)
	if err != nil {
		return nil, err
	}
	var bad []error
	note := func(err error) {
		if err != nil {
			bad = append(bad, err)
		}
	}
	for _, root := range t.Roots {
		err := fs.WalkDir(module, root, func(p string, d fs.DirEntry, err error) error {
			switch {
			// The folder may be missing, because a course need not have lessons.
			case errors.Is(err, fs.ErrNotExist) && p == root:
				return nil
			case err != nil:
				return err
			case d.IsDir() && (d.Name() == "testdata" || p == t.Dir):
				return fs.SkipDir
			case strings.HasSuffix(p, ".go"):
				note(x.goFile(module, p))
			case strings.HasSuffix(p, ".md"):
				note(x.recordText(module, p))
			}
			return nil
		})
		note(err)
	}
	if len(bad) > 0 {
		return nil, errors.Join(bad...)
	}
	for _, e := range x.Equations {
		for _, links := range []*[]Link{&e.Code, &e.Checks, &e.Exercises, &e.Lessons, &e.Figures} {
			tidy(links)
		}
	}
	for _, e := range x.Errata {
		// An erratum of the kind "right after all" says that the equations in the book are right,
		// although they seem wrong. Therefore the tests of these equations also prove the erratum.
		if e.Kind == rightAfterAll {
			for _, id := range e.Equations {
				e.Proofs = append(e.Proofs, x.byID[id].Checks...)
			}
		}
		tidy(&e.Proofs)
		tidy(&e.Named)
	}
	return x, nil
}

func tidy(links *[]Link) {
	slices.SortFunc(*links,
		func(a, b Link) int { return cmp.Or(cmp.Compare(a.Path, b.Path), cmp.Compare(a.Name, b.Name)) })
	*links = slices.Compact(*links)
}

func (x *Index) goFile(module fs.FS, p string) error {
	source, err := fs.ReadFile(module, p)
	if err != nil {
		return err
	}
	set := token.NewFileSet()
	file, err := parser.ParseFile(set, p, source, parser.ParseComments)
	if err != nil {
		return err
	}
	if strings.HasSuffix(p, "_test.go") {
		return x.recordTests(set, file, p)
	}
	if strings.HasPrefix(p, "toolkit/") {
		x.recordErrata(p, string(source))
	}
	pkg := strings.TrimPrefix(strings.TrimPrefix(path.Dir(p), "toolkit/"), "internal/")
	var bad []error
	eachSymbol(file, func(name string, doc *ast.CommentGroup) {
		ids, err := x.equationsOfDoc(doc.Text())
		for _, id := range ids {
			if e := x.byID[id]; e == nil {
				err = fmt.Errorf("there is no equation %s in %s", id, x.table.Dir)
			} else {
				link, links := Link{Name: pkg + "." + name, Path: p}, &e.Code
				if pkg == "figures" {
					links = &e.Figures
				}
				*links = append(*links, link)
				x.symbols[link.Name] = append(x.symbols[link.Name], id)
			}
		}
		if err != nil {
			bad = append(bad, fmt.Errorf("%s: %s: %w", p, name, err))
		}
	})
	return errors.Join(bad...)
}

// eachSymbol calls f for every documented function, method, type, constant and variable. If a
// declaration such as `var a, b int` has several names, eachSymbol passes only the first.
func eachSymbol(file *ast.File, f func(name string, doc *ast.CommentGroup)) {
	for _, decl := range file.Decls {
		switch d := decl.(type) {
		case *ast.FuncDecl:
			if d.Doc != nil {
				f(receiver(d)+d.Name.Name, d.Doc)
			}
		case *ast.GenDecl:
			for _, spec := range d.Specs {
				name, doc := "", d.Doc
				switch s := spec.(type) {
				case *ast.TypeSpec:
					name, doc = s.Name.Name, cmp.Or(s.Doc, doc)
				case *ast.ValueSpec:
					name, doc = s.Names[0].Name, cmp.Or(s.Doc, doc)
				}
				if doc != nil {
					f(name, doc)
				}
			}
		}
	}
}

// receiver returns "Logistic." for a method of Logistic, and "" for a function.
func receiver(d *ast.FuncDecl) string {
	if d.Recv == nil {
		return ""
	}
	t := d.Recv.List[0].Type
	for {
		switch v := t.(type) {
		case *ast.StarExpr:
			t = v.X
		case *ast.IndexExpr:
			t = v.X
		case *ast.Ident:
			return v.Name + "."
		default:
			return ""
		}
	}
}

// recordTests records the calls of package equation in a test file, such as equation.Check(t,
// "prml-4.88", …). In each call, the id must be a string literal.
func (x *Index) recordTests(set *token.FileSet, file *ast.File, p string) error {
	var bad []error
	for _, decl := range file.Decls {
		test, ok := decl.(*ast.FuncDecl)
		if !ok {
			continue
		}
		ast.Inspect(test, func(n ast.Node) bool {
			call, ok := n.(*ast.CallExpr)
			if !ok || len(call.Args) < 3 {
				return true
			}
			f, ok := call.Fun.(*ast.SelectorExpr)
			if !ok {
				return true
			}
			if pkg, ok := f.X.(*ast.Ident); !ok || pkg.Name != "equation" {
				return true
			}
			id := ""
			if lit, ok := call.Args[1].(*ast.BasicLit); ok {
				id, _ = strconv.Unquote(lit.Value)
			}
			link := Link{Name: test.Name.Name, Path: p}
			switch e, r := x.byID[id], x.errata[id]; {
			case r != nil:
				r.Proofs = append(r.Proofs, link)
			case e != nil:
				e.Checks = append(e.Checks, link)
			case id == "":
				bad = append(bad, fmt.Errorf("%s: the id of an equation or erratum must be a literal", set.Position(call.Pos())))
			default:
				bad = append(bad,
					fmt.Errorf("%s: there is no equation or erratum %s in %s", set.Position(call.Pos()), id, x.table.Dir))
			}
			return true
		})
	}
	return errors.Join(bad...)
}

var misprint = regexp.MustCompile(`\{erratum:(\w+)\}|\berratum ([A-Z]+\d+)\b`)

// recordErrata records a link to the file p for each erratum that the file mentions. Texts mention an
// erratum as {erratum:P5}, and comments as "erratum P5".
func (x *Index) recordErrata(p, text string) {
	for _, m := range misprint.FindAllStringSubmatch(text, -1) {
		if e := x.errata[cmp.Or(m[1], m[2])]; e != nil {
			e.Named = append(e.Named, Link{Name: path.Base(p), Path: p})
		}
	}
}

// firstHeading matches the first heading of a Markdown text.
var firstHeading = regexp.MustCompile(`(?m)^# (.+)`)

// recordText records the equations and errata that a Markdown text cites. A citation of an equation
// is a macro, a number in the text of a lesson or an exercise, or an entry under the key "equations"
// in the header of an exercise. recordText ignores a number in the text that no equation has, but
// returns an error if any other citation is unknown.
func (x *Index) recordText(module fs.FS, p string) error {
	text, err := fs.ReadFile(module, p)
	if err != nil {
		return err
	}
	x.recordErrata(p, string(text))
	var ids []string
	for _, m := range macroRange.FindAllStringSubmatch(string(text), -1) {
		numbers, err := numbersBetween(m[2], m[3])
		if err != nil {
			return fmt.Errorf("%s: %w", p, err)
		}
		for _, n := range numbers {
			ids = append(ids, m[1]+"-"+n)
		}
	}
	name := strings.TrimSuffix(path.Base(p), ".md")
	links := func(e *Equation) *[]Link { return &e.Lessons }
	if name == "exercise" {
		facts := map[string]string{}
		for _, m := range keyLine.FindAllStringSubmatch(string(text), -1) {
			facts[m[1]] = m[2]
		}
		name = facts["id"]
		source, _, _ := strings.Cut(name, "-")
		if list := facts["equations"]; list != "" {
			cited, err := x.Cited(list, source)
			if err != nil {
				return fmt.Errorf("%s: %w", p, err)
			}
			ids = append(ids, cited...)
		}
		links = func(e *Equation) *[]Link { return &e.Exercises }
	}
	if path.Dir(p) == x.table.Lessons || path.Base(p) == "exercise.md" {
		for _, m := range bareNumber.FindAllStringSubmatch(string(text), -1) {
			if e := x.findNumber(m[1]); e != nil {
				ids = append(ids, e.ID)
			}
		}
	}
	title := firstHeading.FindStringSubmatch(string(text) + "\n# " + name)[1]
	var bad []error
	for _, id := range ids {
		if e := x.byID[id]; e != nil {
			*links(e) = append(*links(e), Link{name, p, title})
		} else {
			bad = append(bad, fmt.Errorf("%s: there is no equation %s in %s", p, id, x.table.Dir))
		}
	}
	return errors.Join(bad...)
}

// Symbol returns the equations that the doc comment of a symbol cites. The name has a form such as
// FitLogistic, classify.FitLogistic or Logistic.Wald. Without a package in the name, Symbol searches
// the packages classify, datasets, figures, show and verify. If the symbol is unknown or cites no
// equations, Symbol returns nil.
func (x *Index) Symbol(name string) (list []*Equation) {
	for _, full := range []string{name, "classify." + name, "datasets." + name, "figures." + name, "show." + name,
		"verify." + name} {
		for _, id := range x.symbols[full] {
			list = append(list, x.byID[id])
		}
	}
	return list
}

// A Gap is an equation that lacks code or a check, or an erratum that lacks a test. Missing says
// what is missing.
type Gap struct{ ID, Missing string }

// Gaps lists equations that lack code or a check, and errata that lack a test although they need
// one. It does not list an equation if the table states a reason for the gap. In place of a pure
// definition, Gaps examines the equations that use the definition. If the table says that an
// equation is the same as an equation of another source, Gaps examines only the equation of the
// other source. An erratum of the kind "right after all" needs a test of each of its equations.
func (x *Index) Gaps() (gaps []Gap) {
	for _, e := range x.Equations {
		if len(e.Uses) > 0 || e.Same != "" {
			continue
		}
		if len(e.Code) == 0 && e.NoCode == "" {
			gaps = append(gaps, Gap{e.ID, "code"})
		}
		if len(e.Checks) == 0 && e.NoCheck == "" {
			gaps = append(gaps, Gap{e.ID, "check"})
		}
	}
	for _, e := range x.Errata {
		if e.Proved() && len(e.Proofs) == 0 {
			gaps = append(gaps, Gap{e.ID, "test"})
		}
		for _, id := range e.Equations {
			if e.Kind == rightAfterAll && len(x.byID[id].Checks) == 0 {
				gaps = append(gaps, Gap{e.ID, "test of " + id})
			}
		}
	}
	return gaps
}
