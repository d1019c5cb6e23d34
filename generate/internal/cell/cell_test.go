package cell

import (
	"slices"
	"strings"
	"testing"

	"github.com/hyperplane-notebooks/hyperplane/generate/internal/must"
)

func TestRead(t *testing.T) {
	tests := []struct {
		name, in, source string
		imports          []string
	}{
		{"statements", "%%\nfmt.Println(math.Pi)", "%%\nfmt.Println(math.Pi)", []string{"fmt", "math"}},
		{"declarations", "var iris = datasets.Iris()", "var iris = datasets.Iris()",
			[]string{HyperplaneModule + "/toolkit/datasets"}},
		{"both", "func f(x *mat.Dense) {}\n\n%%\nf(nil)\n", "func f(x *mat.Dense) {}\n\n%%\nf(nil)",
			[]string{"gonum.org/v1/gonum/mat"}},
		{"own import", "import \"math/cmplx\"\n\nvar z = cmplx.Inf()", "var z = cmplx.Inf()", []string{"math/cmplx"}},
		{"named import instead of the known package", "import rand \"math/rand\"\n%%\nrand.Int()", "%%\nrand.Int()",
			[]string{"math/rand"}},
		{"import block", "import (\n\t\"fmt\"\n)\n%%\nfmt.Println()", "%%\nfmt.Println()", []string{"fmt"}},
		{"local variable with the name of a package", "%%\nmath := struct{ Pi int }{3}\n_ = math.Pi",
			"%%\nmath := struct{ Pi int }{3}\n_ = math.Pi", nil},
		{"variable of another cell", "%%\n_ = iris.X", "%%\n_ = iris.X", nil},
		{"set-up only", "%noautoget\nimport \"fmt\"\n\n%%\ntoolkit.MadeWith(\"0\")\n", "",
			[]string{"fmt", HyperplaneModule + "/toolkit"}},
		{"commands stay", "!ls -l {x}\n%env A=b\n%%\nfmt.Println()", "!ls -l {x}\n%env A=b\n%%\nfmt.Println()",
			[]string{"fmt"}},
		{"cell magic, without the newline at its end", "%%bash\nfor f in *; do echo $f; done\n", "%%bash\nfor f in *; do echo $f; done",
			nil},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			c := must.Get(Read("x.md", 10, tt.in, Common()))(t)
			if c.Source != tt.source {
				t.Errorf("got the source %q, want %q", c.Source, tt.source)
			}
			var got []string
			for _, i := range c.Imports {
				got = append(got, i.Path)
			}
			if !slices.Equal(got, tt.imports) {
				t.Errorf("got the imports %q, want %q", got, tt.imports)
			}
		})
	}
}

func TestReadErrorsHaveFileAndLine(t *testing.T) {
	for _, tt := range []struct{ name, in, want string }{
		{"first line", "func (", "x.md:10: "},
		{"third line", "%%\nx := 1\ny = = 2\n", "x.md:12: "},
		{"backslash at the end of a Go line", "%%\nn := 7\n_ = n \\\n", "x.md:12: "},
		{"function after %%", "%%\n\nfunc f() {}", "x.md:12: "},
	} {
		t.Run(tt.name, func(t *testing.T) {
			_, err := Read("x.md", 10, tt.in, nil)
			must.Fail(t, err, tt.want)
		})
	}
}

func TestDeclaration(t *testing.T) {
	got := Declaration(Merge(
		[]Import{{Path: "gonum.org/v1/gonum/mat"}, {Path: "math"}},
		[]Import{{Path: "math"}, {Name: "r", Path: "math/rand/v2"}, {Path: HyperplaneModule + "/toolkit"}},
	))
	want := `import (
	"math"
	r "math/rand/v2"

	"github.com/hyperplane-notebooks/hyperplane/toolkit"
	"gonum.org/v1/gonum/mat"
)`
	if got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	if Declaration(nil) != "" {
		t.Error("Declaration returns a text for an empty list of imports, want an empty string")
	}
	if name := (Import{Path: "math/rand/v2"}).Called(); name != "rand" {
		t.Errorf("the name of the import math/rand/v2 is %s, want rand", name)
	}
}

func TestCalls(t *testing.T) {
	wanted := []string{"Mean", "Halve", "Sum"}
	for _, tt := range []struct {
		name  string
		cells []string
		want  string // functions that the last cell calls
	}{
		{"directly", []string{"%%\nfmt.Println(Mean(x))"}, "Mean"},
		{"several functions, in the order of wanted", []string{"%%\nSum(Mean(x))"}, "Mean Sum"},
		{"as a value", []string{"%%\nplot(Halve)"}, "Halve"},
		{"call through a function of the cell", []string{"func f() { Halve(2) }\n%%\nf()"}, "Halve"},
		{"through an earlier cell", []string{"func f() { g() }", "func g() { Sum(nil) }", "%%\nf()"}, "Sum"},
		{"through a method",
			[]string{"type curve struct{}\nfunc (c *curve) At() float64 { return Mean(nil) }", "%%\nplot(&curve{})"},
			"Mean"},
		{"through a variable", []string{"var f = Mean", "%%\nf()"}, "Mean"},
		{"in circles", []string{"func f() { g() }\nfunc g() { f(); Sum(nil) }", "%%\nf()"}, "Sum"},
		{"declared and not called", []string{"func f() { Halve(2) }", "%%\nfmt.Println()"}, ""},
		{"main of another cell", []string{"%%\nMean(x)", "%%\nfmt.Println()"}, ""},
		{"no main", []string{"func f() { Halve(2) }"}, ""},
		{"of another package", []string{"%%\nstat.Mean(x, nil)"}, ""},
		{"variable with the function's name", []string{"%%\nMean := 2.0\nfmt.Println(Mean)"}, ""},
		{"parameter with the function's name", []string{"func f(Mean float64) float64 { return Mean }\n%%\nf(1)"}, ""},
		{"name in a comment and in a string", []string{"%%\n// Mean(x)\nfmt.Println(\"Halve\")"}, ""},
		{"no Go", []string{"%%bash\nMean"}, ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var c Calls
			var got []string
			for _, source := range tt.cells {
				got = c.Add(source, wanted)
			}
			if strings.Join(got, " ") != tt.want {
				t.Errorf("according to Add, the last cell calls %q, want %q", got, tt.want)
			}
		})
	}
}

func TestOnTop(t *testing.T) {
	for source, want := range map[string]string{
		"%%\nf()":            "%%\ndefer g()\nf()",
		"var x = 1\n%main\n": "var x = 1\n%main\ndefer g()\n",
		"func f() {}":        "func f() {}",
		"%%bash\nls":         "%%bash\nls",
	} {
		if got := OnTop(source, "defer g()"); got != want {
			t.Errorf("%q becomes %q, want %q", source, got, want)
		}
	}
}

const stub = `// Scale is a factor.
type Scale float64

// Half is given.
func Half() float64 { return 0.5 }

// Mean returns the mean.
func Mean(x, w []float64) (float64, error) {
	panic(verify.TODO)
}

// Sum is a step on the way.
func Sum(x []float64) float64 {
	panic(verify.TODO)
}`

func readStub(t *testing.T, source string) *Stub {
	t.Helper()
	return must.Get(ReadStub(source))(t)
}

func TestStub(t *testing.T) {
	const todo = "\tpanic(verify.TODO)\n"
	edit := func(pairs ...string) string {
		t.Helper()
		for i := 0; i < len(pairs); i += 2 {
			if !strings.Contains(stub, pairs[i]) {
				t.Fatalf("the stub does not contain %q", pairs[i])
			}
		}
		return strings.NewReplacer(pairs...).Replace(stub)
	}
	fresh := readStub(t, stub)
	for _, tt := range []struct {
		name, mine string
		answers    bool
		fault      string // part of the error's text; "" if the answer fits the stub
	}{
		{"as handed out", stub, false, ""},
		{"a comment", stub + "\n// to do", false, ""},
		{"one of two functions", edit(todo+"}\n\n// Sum", "\treturn 1, nil\n}\n\n// Sum"), true, ""},
		{"print statement before the panic", edit(todo+"}\n\n// Sum", "\tfmt.Println(x)\n"+todo+"}\n\n// Sum"), true, ""},
		{"other names, own layout",
			edit("x, w []float64", "points []float64,\n\tweights []float64,\n", todo, "\treturn\n"), true, ""},
		{"own import, function and main", "import \"slices\"\n" + edit(todo, "\treturn mine()\n") +
			"\n\nfunc mine() (float64, error) { return 0, nil }\n\n%%\nfmt.Println(Mean(nil, nil))", true, ""},
		{"a comment in a given function", edit("{ return 0.5 }", "{\n\treturn 0.5 // the half\n}", todo, "\treturn\n"),
			true, ""},
		{"other parameters", edit("x, w []float64", "x []float64", todo, "\treturn\n"), true,
			"the signature of Mean has changed"},
		{"other results", edit("(float64, error)", "float64", todo, "\treturn\n"), true,
			"the signature of Mean has changed"},
		{"a step deleted", stub[:strings.Index(stub, "// Sum")], false, "the cell has no function Sum"},
		{"given function changed", edit("0.5", "0.25", todo, "\treturn\n"), true,
			"Half, which the exercise provides, has changed"},
		{"given type changed", edit("type Scale float64", "type Scale int", todo, "\treturn\n"), true,
			"Scale, which the exercise provides, has changed"},
		{"empty cell", "", false, "Scale, which the exercise provides"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			mine := readStub(t, tt.mine)
			if got := fresh.Answers(mine); got != tt.answers {
				t.Errorf("Answers reports %t, want %t", got, tt.answers)
			}
			must.Fail(t, fresh.Fits(mine), tt.fault)
		})
	}
	_, err := ReadStub("func Mean( {\n}")
	must.Fail(t, err, "the cell:1: ")
}

func TestNeeded(t *testing.T) {
	earlier := []string{
		"// first is replaced.\nfunc first() int { return 0 }\n\ntype pair struct{ a, b int }\n\nfunc (p pair) sum() int { return p.a + p.b + base }",
		"%%\nfmt.Println(first())",
		"%%bash\necho first",
		"const base = 1\n\nvar unused = first()\n\n%%\nfmt.Println(base)",
		"// first counts.\nfunc first() int { return pair{1, 2}.sum() }",
		"type unit struct{}\n\nfunc (u unit) size() int { return 0 }",
		"func (u unit) name() string { return \"unit\" }\n\nfunc (u unit) size() int { return base }",
	}
	for source, want := range map[string]string{
		"%%\nfmt.Println(1)":                      "",
		"%%\nfmt.Println(base)":                   "const base = 1",
		"%%\nfirst := 2\nfmt.Println(first)":      "",
		"%%\nfmt.Println(first())":                "type pair struct{ a, b int }\n\nfunc (p pair) sum() int { return p.a + p.b + base }\n\nconst base = 1\n\n// first counts.\nfunc first() int { return pair{1, 2}.sum() }",
		"func f() int { return base }\n%%\nf()":   "const base = 1",
		"this is not Go":                          "",
		"const base = 2\n%%\nfmt.Println(base)":   "",
		"%%\nfmt.Println(unit{}.size())":          "const base = 1\n\ntype unit struct{}\n\nfunc (u unit) name() string { return \"unit\" }\n\nfunc (u unit) size() int { return base }",
		"%%bash\necho base":                       "",
		"%%\nfmt.Println(pair{1, 2}.sum())\n\n\n": "type pair struct{ a, b int }\n\nfunc (p pair) sum() int { return p.a + p.b + base }\n\nconst base = 1",
	} {
		if got := Needed(earlier, source); got != want {
			t.Errorf("%q needs\n%s\nwant\n%s", source, got, want)
		}
	}
}

// TestFormat checks that Format formats both the declarations above %% and the statements below %%.
// Commands and raw strings must keep their text, and errors must state the line in the cell.
func TestFormat(t *testing.T) {
	for _, tt := range []struct{ name, source, want string }{
		{"empty", "", ""},
		{"declarations", "func f( ) int{\nreturn 1}", "func f() int {\n\treturn 1\n}"},
		{"statements", "%%\nx:=1\nif x>0{\nfmt.Println( x )\n}", "%%\nx := 1\nif x > 0 {\n\tfmt.Println(x)\n}"},
		{"both", "const a=1\n\n%%\nfmt.Println(a )\n", "const a = 1\n\n%%\nfmt.Println(a)\n"},
		{"raw string", "%%\nx:=`a\n\tb`\n_=x", "%%\nx := `a\n\tb`\n_ = x"},
		{"commands", "%noautoget\n!ls  -l\nconst a=1\n%%\n_=a", "%noautoget\n!ls  -l\nconst a = 1\n%%\n_ = a"},
		{"a line that begins with !", "func f(a,b bool) bool {\nreturn a&&\n!b\n}",
			"func f(a, b bool) bool {\n\treturn a &&\n\t\t!b\n}"},
		{"without %%", "x:=3", "x := 3"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got := must.Get(Format(tt.source))(t); got != tt.want {
				t.Errorf("%q becomes\n%q, want\n%q", tt.source, got, tt.want)
			}
		})
	}
	for source, want := range map[string]string{
		"func f() {\n\treturn (1\n}":      "line 2: ",
		"const a = 1\n%%\nx := 1\ny := (": "line 4: ",
		"%%\nfor {":                       "line 2: ",
	} {
		_, err := Format(source)
		must.Fail(t, err, want)
	}
}
