package course

import (
	"testing"

	"github.com/hyperplane-notebooks/hyperplane/generate/internal/catalog"
	"github.com/hyperplane-notebooks/hyperplane/generate/internal/equations"
	"github.com/hyperplane-notebooks/hyperplane/generate/internal/files"
	"github.com/hyperplane-notebooks/hyperplane/generate/internal/must"
	"github.com/hyperplane-notebooks/hyperplane/generate/internal/nbformat"
)

// TestNames checks that expand replaces each macro in a notebook with a link relative to the
// notebook, and does the same with the plain numbers of equations in an exercise. If a macro contains
// an unknown name, the error must contain the path of the notebook and the id of the cell.
func TestNames(t *testing.T) {
	_, module, err := openModule()
	must.Do(t, err)
	list := must.Get(catalog.Exercises(module))(t)
	n := newNames(must.Get(catalog.Course(module, list))(t), list)
	n.equations = must.Get(equations.Build(module))(t)
	for _, tt := range []struct{ in, want string }{
		{"see {eq:prml-4.97}", "see [(4.97)](../../equations.md#prml-4.97)"},
		{"uses (4.57), (4.58)", "uses [(4.57)](../../equations.md#prml-4.57), [(4.58)](../../equations.md#prml-4.58)"},
		{"{erratum:P21}", "[P21](../../equations.md#P21)"},
		{"{ex:alpaydin-10.3}", "[Alpaydin 10.3](../../exercises/alpaydin10/03-"},
		{"{ex:prml-4.25:which λ?}", "[which λ?](../../exercises/prml4/25-probit-scale.ipynb)"},
		{"{lesson:4}", "[lesson 4](../../lessons/04-perceptron.ipynb)"},
		{"{fig:prml-4.7}", "[figure 4.7](../../lessons/04-perceptron.ipynb)"},
		{"{page:tour:the tour}", "[the tour](../../tour.ipynb)"},
	} {
		nb := nbformat.New()
		nb.AddMarkdown("a", tt.in)
		tree := files.Tree{"exercises/prml4/x.ipynb": must.Get(nb.Marshal())(t)}
		must.Do(t, n.expand(tree))
		must.Contain(t, string(tree["exercises/prml4/x.ipynb"]), tt.want)
	}
	// If a macro in a lesson names the lesson itself or a figure in it, the result must be plain
	// text, and not a link.
	if got := must.Get(n.text("{lesson:4} and {fig:prml-4.7}", "lessons/04-perceptron.ipynb"))(t); got != "lesson 4 and figure 4.7" {
		t.Errorf("in the notebook of lesson 4: got %q, want plain text without a link to the lesson itself", got)
	}
	for _, in := range []string{"{eq:prml-4.997}", "{erratum:P997}", "{ex:prml-4.97}", "{lesson:97}", "{fig:prml-4.97}",
		"{page:nowhere}"} {
		nb := nbformat.New()
		nb.AddMarkdown("b", in)
		must.Fail(t, n.expand(files.Tree{"x.ipynb": must.Get(nb.Marshal())(t)}), "x.ipynb: b: ")
	}
}
