package main

import (
	"fmt"
	"math"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/hyperplane-notebooks/hyperplane/generate/internal/equations"
	"github.com/hyperplane-notebooks/hyperplane/generate/internal/files"
	"github.com/hyperplane-notebooks/hyperplane/generate/internal/must"
	"github.com/hyperplane-notebooks/hyperplane/generate/internal/nbformat"
)

// streamed is what the code cells of a committed notebook print, one after the other.
func streamed(t *testing.T, name string) string {
	t.Helper()
	nb := must.Get(nbformat.ReadFile(filepath.Join(moduleRoot(t), "notebooks", name)))(t)
	var all strings.Builder
	for _, c := range nb.Cells {
		for _, o := range c.Outputs {
			if name, text := o.Stream(); name == "stdout" {
				all.WriteString(text)
			}
		}
	}
	return all.String()
}

// numbers returns the groups of every match as numbers, and fails if there is none.
func numbers(t *testing.T, text, pattern string) [][]float64 {
	t.Helper()
	var rows [][]float64
	for _, m := range regexp.MustCompile(pattern).FindAllStringSubmatch(text, -1) {
		var row []float64
		for _, s := range m[1:] {
			row = append(row, must.Get(strconv.ParseFloat(s, 64))(t))
		}
		rows = append(rows, row)
	}
	if len(rows) == 0 {
		t.Fatalf("the notebook prints nothing like %q", pattern)
	}
	return rows
}

// TestBayesLaplace: the curvature's variance is nearly right, in the wrong place.
func TestBayesLaplace(t *testing.T) {
	out := streamed(t, "bayes.ipynb")
	v := numbers(t, out, `mode (\S+), variance (\S+) by the curvature; exact mean (\S+), variance (\S+)`)[0]
	if mode, by, mean, exact := v[0], v[1], v[2], v[3]; math.Abs(by/exact-1) > 0.1 || math.Abs((mean-mode)/math.Sqrt(exact)-0.93) > 0.05 {
		t.Errorf("mode %g and variance %g, exact mean %g and variance %g: the text says another thing", mode, by, mean, exact)
	}
	if z := numbers(t, out, `ln Z = (\S+), exact (\S+)`)[0]; math.Abs(z[0]-z[1]-0.07) > 0.005 {
		t.Errorf("ln Z = %g, exact %g: the text has them 0.07 apart", z[0], z[1])
	}
}

// TestBayesAveraging: on held-out data averaging over the sample of weights pays for
// every set of twelve points, by a tenth of their mean loss at least, and costs
// something for the irises; the plug-in believes too much there and too little here.
func TestBayesAveraging(t *testing.T) {
	const scores = `plug-in (\S+)   moderated (\S+)   sampling (\S+)   plug-in right (\S+), believed (\S+)`
	out := streamed(t, "bayes.ipynb")
	v := numbers(t, out, `irises: +`+scores)[0]
	if plugin, moderated, sampled, right, believed := v[0], v[1], v[2], v[3], v[4]; !(plugin < sampled-0.01 && sampled < moderated && believed < right) {
		t.Errorf("irises: %v", v)
	}
	clouds := numbers(t, out, `clouds \d: +`+scores)
	for i, v := range clouds {
		if plugin, sampled, right, believed := v[0], v[2], v[3], v[4]; !(sampled < plugin-0.04 && believed > right+0.04) {
			t.Errorf("clouds %d: %v", i, v)
		}
	}
	if mean := numbers(t, out, `mean: +`+scores)[0]; len(clouds) != 10 || !(mean[2] < 0.8*mean[0]) || !(mean[1] < mean[2]) {
		t.Errorf("%d samples, mean %v", len(clouds), mean)
	}
}

// TestBayesDecisions: what the text says of the two tables with a reject option.
func TestBayesDecisions(t *testing.T) {
	out := streamed(t, "bayes.ipynb")
	_, strict, ok := strings.Cut(out, "right with probability 0.99,")
	loose, _, ok2 := strings.Cut(out, "right with probability 0.99,")
	if !ok || !ok2 {
		t.Fatal("there is no table for 0.99")
	}
	// changed counts the points where the plug-in answers and a column does not.
	changed := func(table, column string) (xs []string) {
		line := regexp.MustCompile(`x = +(\S+) +plug-in (C\d|no answer) +moderated (C\d|no answer) +sampling (C\d|no answer)`)
		for _, m := range line.FindAllStringSubmatch(table, -1) {
			said := map[string]string{"moderated": m[3], "sampling": m[4]}[column]
			if m[2] != "no answer" && said == "no answer" {
				xs = append(xs, m[1])
			}
		}
		return xs
	}
	for _, c := range []struct{ name, table, column, want string }{
		{"0.9", loose, "moderated", "[-1.0 2.5]"}, {"0.9", loose, "sampling", "[]"},
		{"0.99", strict, "moderated", "[-8.0 -4.0 4.0 8.0]"}, {"0.99", strict, "sampling", "[4.0]"},
	} {
		if got := fmt.Sprint(changed(c.table, c.column)); got != c.want {
			t.Errorf("%s: %s withholds the plug-in's answers at %s, the text says %s", c.name, c.column, got, c.want)
		}
	}
	// Far out μ_a/√(1+πσ_a²/8) tends to w1/(s1·√(π/8)).
	w := numbers(t, out, `Laplace +\S+ ± \S+ +(\S+) ± (\S+)`)[0]
	if p := 1 / (1 + math.Exp(-w[0]/w[1]/math.Sqrt(math.Pi/8))); math.Abs(p-0.95) > 0.005 {
		t.Errorf("the moderated probability tends to %.4f, the text says 0.95", p)
	}
}

// TestEquationsInTexts: {eq:…} becomes a link to the page that lies beside the lessons,
// and an unknown one is an error with the notebook's name.
func TestEquationsInTexts(t *testing.T) {
	_, module, err := module()
	x := must.Get(equations.Build(module))(t)
	must.Do(t, err)
	nb := nbformat.New()
	nb.AddMarkdown("a", "see {eq:prml-4.97}")
	tree := files.Tree{"exercises/prml4/x.ipynb": must.Get(nb.Marshal())(t)}
	must.Do(t, expand(x, tree))
	must.Contain(t, string(tree["exercises/prml4/x.ipynb"]), "see [(4.97)](../../equations.md#prml-4.97)")
	nb.AddMarkdown("b", "see {eq:prml-4.997}")
	tree["x.ipynb"] = must.Get(nb.Marshal())(t)
	must.Fail(t, expand(x, tree), "x.ipynb: there is no equation prml-4.997")
}
