package cell

import (
	"slices"
	"strings"
	"testing"
)

func TestRead(t *testing.T) {
	tests := []struct {
		name, in, source string
		imports          []string
	}{
		{"statements", "%%\nfmt.Println(math.Pi)", "%%\nfmt.Println(math.Pi)", []string{"fmt", "math"}},
		{"declarations", "var iris = datasets.Iris()", "var iris = datasets.Iris()", []string{Module + "/toolkit/datasets"}},
		{"both", "func f(x *mat.Dense) {}\n\n%%\nf(nil)\n", "func f(x *mat.Dense) {}\n\n%%\nf(nil)", []string{"gonum.org/v1/gonum/mat"}},
		{"own import", "import \"math/cmplx\"\n\nvar z = cmplx.Inf()", "var z = cmplx.Inf()", []string{"math/cmplx"}},
		{"named import wins over the known one", "import rand \"math/rand\"\n%%\nrand.Int()", "%%\nrand.Int()", []string{"math/rand"}},
		{"import block", "import (\n\t\"fmt\"\n)\n%%\nfmt.Println()", "%%\nfmt.Println()", []string{"fmt"}},
		{"a local variable is no package", "%%\nmath := struct{ Pi int }{3}\n_ = math.Pi", "%%\nmath := struct{ Pi int }{3}\n_ = math.Pi", nil},
		{"a variable of another cell is no package", "%%\n_ = iris.X", "%%\n_ = iris.X", nil},
		{"set-up only", "%noautoget\nimport \"fmt\"\n\n%%\ntoolkit.MadeWith(\"0\")\n", "", []string{"fmt", Module + "/toolkit"}},
		{"commands stay", "!ls -l {x}\n%env A=b\n%%\nfmt.Println()", "!ls -l {x}\n%env A=b\n%%\nfmt.Println()", []string{"fmt"}},
		{"cell magic is left alone", "%%bash\nfor f in *; do echo $f; done\n", "%%bash\nfor f in *; do echo $f; done", nil},
		{"remainder is no command", "%%\nn := 7\n_ = n \\\n", "", nil},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			c, err := Read("x.md", 10, tt.in, Common())
			if tt.name == "remainder is no command" {
				if err == nil || !strings.HasPrefix(err.Error(), "x.md:12: ") {
					t.Fatalf("error %v, want one at x.md:12", err)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			if c.Source != tt.source {
				t.Errorf("source %q, want %q", c.Source, tt.source)
			}
			var got []string
			for _, i := range c.Imports {
				got = append(got, i.Path)
			}
			if !slices.Equal(got, tt.imports) {
				t.Errorf("imports %q, want %q", got, tt.imports)
			}
		})
	}
}

func TestReadErrorsHaveFileAndLine(t *testing.T) {
	for _, tt := range []struct{ name, in, want string }{
		{"first line", "func (", "x.md:10: "},
		{"third line", "%%\nx := 1\ny = = 2\n", "x.md:12: "},
		{"function after %%", "%%\n\nfunc f() {}", "x.md:12: "},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if _, err := Read("x.md", 10, tt.in, nil); err == nil || !strings.HasPrefix(err.Error(), tt.want) {
				t.Errorf("error %v, want %s…", err, tt.want)
			}
		})
	}
}

func TestDeclaration(t *testing.T) {
	got := Declaration(Merge(
		[]Import{{Path: "gonum.org/v1/gonum/mat"}, {Path: "math"}},
		[]Import{{Path: "math"}, {Name: "r", Path: "math/rand/v2"}, {Path: Module + "/toolkit"}},
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
		t.Error("no imports make a declaration")
	}
	if name := (Import{Path: "math/rand/v2"}).Called(); name != "rand" {
		t.Errorf("math/rand/v2 is called %s", name)
	}
}
