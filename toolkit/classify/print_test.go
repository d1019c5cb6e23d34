package classify_test

import (
	"fmt"
	"go/ast"
	"go/doc"
	"go/parser"
	"go/token"
	"math"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/hyperplane-notebooks/hyperplane/toolkit"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/classify"
)

// TestPrinted checks that models print their numbers and Names, and that an Evaluation prints its
// numbers. If a fit has not converged, its text must begin with "NOT CONVERGED".
func TestPrinted(t *testing.T) {
	x, labels := clouds(60, 2, 2, 1)
	target := targets(labels)
	names := classify.Names{Classes: []string{"healthy", "ill"}, Features: []string{"age", "dose"}}
	logistic := must(classify.FitLogistic(x, target, classify.LogisticOptions{}))(t)
	logistic.Names = names
	_, p, _ := logistic.Wald()
	short := must(classify.FitLogistic(x, target, classify.LogisticOptions{MaxIterations: 1}))(t)
	lda := must(classify.FitLDA(x, labels, 2, classify.LDAOptions{}))(t)
	lda.Names = names
	softmax := must(classify.FitSoftmax(x, labels, 2, classify.SoftmaxOptions{}))(t)
	softmax.Names = names
	squares := must(classify.FitLeastSquares(x, labels, 2, classify.LeastSquaresOptions{}))(t)
	squares.Names = names
	bayes := must(classify.FitBayesLogistic(x, target,
		classify.BayesLogisticOptions{Prior: classify.Isotropic{Alpha: 1}}))(t)
	flat := must(classify.FitBayesLogistic(x, target,
		classify.BayesLogisticOptions{Prior: classify.Isotropic{Alpha: 1, FreeBias: true}}))(t)
	poisson := must(classify.FitGLM(x, target, classify.PoissonTarget{}, classify.GLMOptions{}))(t)
	folds := func(fit func(x mat.Matrix, labels []int) (classify.Predictor, error)) *classify.Evaluation {
		return must(classify.EvaluateFolds(x, labels, 2, fit, classify.EvaluateOptions{Folds: 3}))(t)
	}
	evaluation := folds(func(x mat.Matrix, labels []int) (classify.Predictor, error) {
		return classify.FitLDA(x, labels, 2, classify.LDAOptions{})
	})
	points := folds(func(x mat.Matrix, labels []int) (classify.Predictor, error) {
		return classify.FitPerceptron(x, targets(labels), classify.PerceptronOptions{MaxEpochs: 5})
	})
	sample := must(classify.SampleLogistic(x, target, classify.SampleLogisticOptions{Draws: 100, Warmup: 50}))(t)
	for _, c := range []struct {
		model fmt.Stringer
		want  []string
	}{
		{logistic, []string{"age", "dose", "std. error", fmt.Sprintf("%.4g", p[1]), "AIC",
			"positive weights favour healthy\n"}},
		{short, []string{"NOT CONVERGED: ", "x1", "positive weights favour C₁ (target 1, class 0)"}},
		{flat, []string{"ln p(D) is not an evidence: 1 of 3 weights have a flat prior", "positive weights favour"}},
		{evaluation, []string{"60 rows, accuracy " + evaluation.Accuracy.String(),
			"log loss " + evaluation.LogLoss.String(),
			"AUC", "Brier", fmt.Sprintf("%.4g", evaluation.Folds[2].LogLoss), evaluation.Confusion.String()}},
		{points, []string{"60 rows, accuracy", "fold  rows  accuracy"}},
		{lda, []string{"healthy", "ill", "mean of dose", fmt.Sprintf("%.4g", lda.Means.At(1, 1))}},
		{softmax, []string{"healthy", "dose", fmt.Sprintf("%.4g", softmax.W.At(2, 1))}},
		{squares, []string{"ill", "bias", fmt.Sprintf("%.4g", squares.W.At(1, 0))}},
		{bayes, []string{"std. deviation", "x0", fmt.Sprintf("%.4g", math.Sqrt(bayes.Covariance.At(2, 2)))}},
		{sample, []string{"ESS", fmt.Sprintf("%.4g", sample.RHat[1])}},
	} {
		text := fmt.Sprint(c.model)
		for _, want := range c.want {
			errorIf(t, !strings.Contains(text, want), "the text of a %T does not contain %q:\n%s", c.model, want, text)
		}
	}
	errorIf(t, !strings.HasPrefix(short.String(), "NOT CONVERGED"),
		"the text of a fit that has not converged is\n%s\nwant NOT CONVERGED at its start",
		short)
	fold := evaluation.Folds[2]
	want := fmt.Sprintf("2 %d %.4g %.4g %.4g", fold.N, fold.Accuracy, fold.LogLoss, fold.Brier)
	line := strings.Join(strings.Fields(strings.Split(evaluation.String(), "\n")[4]), " ")
	errorIf(t, line != want, "the line of fold 2 is %q, want %q", line, want)
	for text, unwanted := range map[string]string{poisson.String(): "favour", bayes.String(): "not an evidence",
		points.String():                   "log loss",
		new(classify.Evaluation).String(): "accuracy", (*classify.Evaluation)(nil).String(): "accuracy"} {
		errorIf(t, strings.Contains(text, unwanted), "want no %q in the text\n%s", unwanted, text)
	}
	// A model that was never fitted must also print some text.
	for _, m := range []fmt.Stringer{
		new(classify.Logistic), new(classify.Softmax), new(classify.LDA), new(classify.QDA),
		new(classify.NaiveBayesBernoulli), new(classify.LeastSquares),
		new(classify.BayesLogistic), new(classify.VariationalLogistic), new(classify.LogisticSample),
		new(classify.Perceptron), new(classify.Adaline), new(classify.Fisher), new(classify.GLM),
		new(classify.Evaluation),
		new(classify.WeightIntervals),
	} {
		if text := fmt.Sprint(m); text == "" || strings.Contains(text, "PANIC") {
			t.Errorf("an empty %T prints %q, want text without PANIC", m, text)
		}
	}
}

func TestNamesAreSaved(t *testing.T) {
	x, labels := clouds(20, 2, 2, 1)
	m := must(classify.FitQDA(x, labels, 2, classify.QDAOptions{}))(t)
	m.Classes, m.Features = []string{"a", "b"}, []string{"u", "v"}
	back := loadModel[*classify.QDA](t, textOf(t, m))
	errorIf(t, fmt.Sprint(back) != fmt.Sprint(m) || back.Classes[1] != "b" || back.Features[1] != "v",
		"the loaded model prints\n%v\nwant the text and the names of the saved model", back)
}

func ExampleNames() {
	x := mat.NewDense(8, 1, []float64{0, 1, 2, 3, 2, 3, 4, 5})
	m := toolkit.Must(classify.FitLogistic(x, []float64{1, 1, 1, 1, 0, 0, 0, 0}, classify.LogisticOptions{}))
	m.Features = []string{"dose"}
	fmt.Print(m)

	c := toolkit.Must(classify.ScoreConfusion([]int{0, 0, 1}, []int{0, 1, 1}, 2))
	c.Classes = []string{"healthy", "ill"}
	fmt.Println(c)
	// Output:
	// N = 8   ln p(t|w) = -3.29334   AIC = 10.5867   BIC = 10.7456
	// positive weights favour C₁ (target 1, class 0)
	//         weight  std. error       z       p
	//   bias   3.874       2.909   1.332   0.183
	//   dose   -1.55       1.097  -1.412  0.1579
	//    predicted  healthy   ill
	// true healthy        1     1
	//     true ill        0     1
}

// documentation returns the parsed doc comments of this package, without its tests.
func documentation(t *testing.T) *doc.Package {
	t.Helper()
	fset := token.NewFileSet()
	names := must(filepath.Glob("*.go"))(t)
	var files []*ast.File
	for _, name := range names {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		f := must(parser.ParseFile(fset, name, nil, parser.ParseComments))(t)
		files = append(files, f)
	}
	d := must(doc.NewFromFiles(fset, files, "classify"))(t)
	return d
}

var citation = regexp.MustCompile(`(PRML|Alpaydin)(.|\n)*\d+\.\d+`)

// TestModelsNameTheirSource checks the doc comments of every Fit function and of the type that it
// returns. At least one of the two comments must name a section or an equation of a book.
func TestModelsNameTheirSource(t *testing.T) {
	models := 0
	for _, typ := range documentation(t).Types {
		for _, f := range typ.Funcs {
			if !strings.HasPrefix(f.Name, "Fit") || strings.HasSuffix(f.Name, "OnBasis") {
				continue // a model on a basis needs no citation, because it applies a documented model to φ(x)
			}
			models++
			errorIf(t, !citation.MatchString(typ.Doc) && !citation.MatchString(f.Doc),
				"the docs of %s and %s name no equation or section of a book", typ.Name, f.Name)
		}
	}
	errorIf(t, models < 20, "found only %d Fit functions, want at least 20", models)
}
