package equations

import (
	"maps"
	"os"
	"path"
	"regexp"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/hyperplane-notebooks/hyperplane/generate/internal/cell"
	"github.com/hyperplane-notebooks/hyperplane/generate/internal/must"
)

// smallModule returns a module with a table of three equations and two errata, and with files that
// cite them. The map `change` gives new contents for some of these files, or adds files.
func smallModule(change map[string]string) fstest.MapFS {
	all := map[string]string{
		"prml41.md":                     "# PRML\n\n## prml-4.87\n\n$$*y*\\,z$$\n\nThe posterior.\n\n## prml-4.88\n\n$$\\sigma'$$\n\nThe derivative.\n\n- misprints: P5\n",
		"gambosi.md":                    "## gambosi-sigmoid\n\n$$s$$\n\nThe sigmoid.\n\n- same: prml-4.87\n",
		"errata.md":                     "## P5\n\n- where: PRML 4.3.3\n- kind: wrong\n- printed: concave\n- right: convex\n- equations: prml-4.88\n\n## OK1\n\n- where: PRML (4.88)\n- kind: right after all\n- printed: x\n- right: y\n- equations: prml-4.88, prml-4.87\n",
		"toolkit/classify/a.go":         "package classify\n\n// Fit fits.\n//\n// Equations: PRML (4.87)–(4.88);\n// Gambosi (sigmoid).\nfunc Fit() {}\n\ntype T struct{}\n\n// M is not concave: erratum P5.\n//\n// Equations: PRML (4.88).\nfunc (t *T) M() {}\n",
		"toolkit/classify/a_test.go":    "package classify\n\nfunc TestA() {\n\tequation.Check(t, \"prml-4.88\", nil)\n\tequation.Misprint(t, \"P5\", nil)\n}\n",
		"toolkit/figures/b.go":          "package figures\n\n// Equations: PRML (4.87).\nfunc PRML4x1() {}\n",
		"exercises/prml4/x/exercise.md": "# T\n\n- id: prml-4.12\n- equations: (4.88)\n\nsee (4.87), not `(4.86)`\n",
		"generate/lessons/07-a.md":      "---\n---\n\n# A lesson\n\nsee {eq:prml-4.88}\n",
	}
	maps.Copy(all, change)
	fsys := fstest.MapFS{}
	for name, text := range all {
		if !strings.Contains(name, "/") {
			name = path.Join(Standard.Dir, name)
		}
		fsys[name] = &fstest.MapFile{Data: []byte(text)}
	}
	for _, name := range []string{"prml42.md", "prml43.md", "prml44.md", "alpaydin.md", "brief.md", "part1.md"} {
		fsys[path.Join(Standard.Dir, name)] = &fstest.MapFile{}
	}
	return fsys
}

func names(links []Link) string {
	list := make([]string, len(links))
	for i, l := range links {
		list[i] = l.Name
	}
	return strings.Join(list, " ")
}

func TestBuild(t *testing.T) {
	x := must.Get(Build(smallModule(nil)))(t)
	a, b := x.Find("prml-4.87"), x.Find("prml-4.88")
	for _, c := range []struct{ got, want string }{
		{names(a.Code), "classify.Fit"}, {names(a.Figures), "figures.PRML4x1"}, {names(a.Exercises), "prml-4.12"},
		{names(a.Checks), ""},
		{names(b.Code), "classify.Fit classify.T.M"}, {names(b.Checks), "TestA"}, {names(b.Lessons), "07-a"},
		{names(b.Exercises), "prml-4.12"},
		{names(x.Errata[0].Proofs), "TestA"}, {names(x.Errata[1].Proofs), "TestA"}, {names(x.Errata[0].Named), "a.go"},
	} {
		if c.got != c.want {
			t.Errorf("got the links %q, want %q", c.got, c.want)
		}
	}
	if gaps := x.Gaps(); !slices.Equal(gaps, []Gap{{"prml-4.87", "check"}, {"OK1", "test of prml-4.87"}}) {
		t.Errorf("got the gaps %v, want the check of prml-4.87, and for OK1 the test of prml-4.87", gaps)
	}
	if list := x.Symbol("Fit"); len(list) != 3 || list[2].ID != "gambosi-sigmoid" || x.Symbol("Fi") != nil {
		t.Errorf("Symbol finds %d equations for Fit and %d for Fi; want three equations for Fit, gambosi-sigmoid last, and no equations for Fi",
			len(list), len(x.Symbol("Fi")))
	}
	text, err := x.Expand("by {eq:prml-4.88}", "../equations.md")
	if err != nil || text != "by [(4.88)](../equations.md#prml-4.88)" {
		t.Errorf("Expand gives %q and the error %v, want the link [(4.88)](../equations.md#prml-4.88)", text, err)
	}
	if text, err := x.Expand("by {eq:prml-4.88}", ""); err != nil || text != "by (4.88)" {
		t.Errorf("without a page, Expand gives %q and the error %v, want \"by (4.88)\"", text, err)
	}
	_, err = x.Expand("by {eq:prml-4.8}", "")
	must.Fail(t, err, "prml-4.8 in")
	for _, c := range []struct{ text, want string }{
		{"by (4.88).", "by [(4.88)](e.md#prml-4.88)."},
		{"(4.87)–(4.88)", "[(4.87)](e.md#prml-4.87)–[(4.88)](e.md#prml-4.88)"},
		{"((4.88) alone)", "([(4.88)](e.md#prml-4.88) alone)"},
		{"[(4.88)](x) $f(4.88)$ $$(4.88)$$ `f(4.88)`", "[(4.88)](x) $f(4.88)$ $$(4.88)$$ `f(4.88)`"},
		{"```go\n(4.88)\n```\n", "```go\n(4.88)\n```\n"},
		{"(4.8) (10.88) (4)", "(4.8) (10.88) (4)"},
	} {
		if got := x.Numbers(c.text, "e.md"); got != c.want {
			t.Errorf("Numbers(%q) = %q, want %q", c.text, got, c.want)
		}
	}
	page := string(x.Page("## Notation"))
	must.Contain(t, page, "### (4.88)", "[`classify.T.M`](../toolkit/classify/a.go)", "- misprint: [P5](#P5)",
		"- checked by: [`TestA`]", "says the same as: [(4.87)](#prml-4.87)",
		"- exercises: [PRML 4.12: T](../exercises/prml4/x/exercise.md)",
		"- lessons: [lesson 7: A lesson](../generate/lessons/07-a.md)", "- explained in: [`a.go`]",
		"- figures: [`figures.PRML4x1`](../toolkit/figures/b.go#PRML4x1)")
}

func TestFaults(t *testing.T) {
	for _, c := range []struct{ file, text, want string }{
		{"toolkit/classify/a.go", "package classify\n\n// Equations: PRML (4.99).\nfunc F() {}\n",
			"a.go: F: there is no equation prml-4.99"},
		{"toolkit/classify/a.go", "package classify\n\n// Equations: Bishop (4.87).\nfunc F() {}\n",
			`unknown source "Bishop"`},
		{"toolkit/classify/a.go", "package classify\n\n// Equations: PRML (4.88)–(4.87).\nfunc F() {}\n",
			"invalid range"},
		{"toolkit/classify/a.go", "package classify\n\n// Equations: PRML 4.88.\nfunc F() {}\n", "invalid equation"},
		{"toolkit/classify/a.go", "package classify\n\n// Equations: PRML (4.88) and (4.87).\nfunc F() {}\n",
			"invalid equations"},
		{"toolkit/classify/a_test.go", "package classify\n\nfunc TestA() { equation.Check(t, \"prml-4.9\", nil) }\n",
			"no equation or erratum prml-4.9"},
		{"toolkit/classify/a_test.go", "package classify\n\nfunc TestA() { equation.Check(t, id, nil) }\n",
			"must be a literal"},
		{"generate/lessons/tour.md", "{eq:prml-4.1}", "tour.md: there is no equation prml-4.1"},
		{"generate/lessons/tour.md", "{eq:prml-4.85}–{eq:prml-4.88}", "tour.md: there is no equation prml-4.86"},
		{"generate/lessons/tour.md", "{eq:prml-4.88}–{eq:prml-4.87}", "tour.md: invalid range (4.88)–(4.87)"},
		{"exercises/prml4/x/exercise.md", "- id: prml-4.1\n- equations: 4.88\n", "invalid equation"},
		{"prml41.md", "## 4.87\n\n$$y$$\n\nw\n", "begin with prml-"},
		{"prml41.md", "## prml-4.87\n\nw\n", "want $$"},
		{"prml41.md", "## prml-4.87\n\n$$y$$\n\nw\nw\n", "more than one line"},
		{"prml41.md", "## prml-4.87\n\n$$y$$\n\nw\n\n- code: x\n", `unknown key "code"`},
		{"gambosi.md", "## gambosi-a\n\n$$y$$\n\nw\n\n- uses: prml-4.1\n", "gambosi-a: there is no equation prml-4.1"},
		{"errata.md",
			"## P5\n\n- where: PRML (4.87), (4.88)\n- kind: right after all\n- printed: x\n- right: y\n- equations: prml-4.88\n",
			`the key "where" contains (4.87), but the key "equations" does not`},
		{"errata.md", "## P5\n\n- where: x\n- kind: bad\n- printed: x\n- right: y\n", "one of the kinds"},
	} {
		_, err := Build(smallModule(map[string]string{c.file: c.text}))
		must.Fail(t, err, c.want)
	}
}

// maxGaps is the maximum number of gaps in the index (see [Index.Gaps]). Do not raise this limit.
const maxGaps = 0

func index(t *testing.T) *Index {
	t.Helper()
	return must.Get(Build(os.DirFS(must.Get(cell.FindRoot("."))(t))))(t)
}

func TestGaps(t *testing.T) {
	if gaps := index(t).Gaps(); len(gaps) > maxGaps {
		t.Errorf("got %d gaps, want at most %d: %v", len(gaps), maxGaps, gaps)
	}
}

// TestModelsNameTheirEquations checks that the doc comment of every function that fits a model, except
// for the functions in the list `general`, cites at least one equation.
func TestModelsNameTheirEquations(t *testing.T) {
	x := index(t)
	api := must.Read(t, path.Join(must.Get(cell.FindRoot("."))(t), "toolkit/api.txt"))
	// general lists functions whose documentation need not cite an equation. These functions only
	// combine or transform models, and the documentation of the models cites the equations.
	general := []string{"FitOnBasis"}
	fits := regexp.MustCompile(`(?m)^classify: func (Fit\w+|SampleLogistic|Laplace\w*)[(\[]`).FindAllStringSubmatch(api, -1)
	if len(fits) < 20 {
		t.Fatalf("found only %d functions Fit…, SampleLogistic and Laplace… in the API, want at least 20", len(fits))
	}
	for _, m := range fits {
		if len(x.Symbol(m[1])) == 0 && !slices.Contains(general, m[1]) {
			t.Errorf("the documentation of %s cites no equation, want at least one", m[1])
		}
	}
}
