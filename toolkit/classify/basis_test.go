package classify_test

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"reflect"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/hyperplane-notebooks/hyperplane/toolkit"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/classify"
)

func TestBasisValues(t *testing.T) {
	centres := mat.NewDense(2, 2, []float64{0, 0, 3, 4})
	x := []float64{3, 4}
	for _, c := range []struct {
		name  string
		basis classify.Basis
		want  []float64
	}{
		// expected values: x1, x2, x1², x1x2, x2², and the four terms of degree 3
		{"polynomial", must(classify.BasisPolynomial(2, 3))(t), []float64{3, 4, 9, 12, 16, 27, 36, 48, 64}},
		{"products, Alpaydin's order", must(classify.BasisProducts(2))(t), []float64{3, 4, 9, 16, 12}},
		// The first centre is at distance 5 from x, so its basis function has the value
		// exp(−25/(2·25)) for width 5. In the next case, both centres are at distance 5, and the
		// widths are 2 and 5. The values are exp(−25/(2·4)) and exp(−25/(2·25)).
		{"gaussian", must(classify.BasisGaussian(centres, 5))(t), []float64{math.Exp(-0.5), 1}},
		{"gaussian, two widths", must(classify.BasisGaussian(mat.NewDense(2, 2, nil), 2, 5))(t),
			[]float64{math.Exp(-25.0 / 8), math.Exp(-0.5)}},
		{"sigmoid", ridge("sigmoid", []float64{0, 0, 0}, []float64{-2, 1, 0}),
			[]float64{0.5, 1 / (1 + math.Exp(-1))}},
		{"indicator",
			ridge("indicator", []float64{-3, 1, 0}, []float64{-2.9, 1, 0}, []float64{-17, 3, 2},
				[]float64{-16, 3, 2}), []float64{0, 1, 0, 1}},
		{"log", ridge("log", []float64{0, 0, 1}), []float64{math.Log(4)}},
		{"sin", ridge("sin", []float64{0, 1, 0}), []float64{math.Sin(3)}},
		{"columns", must(classify.BasisColumns(2, 1, 1))(t), []float64{4, 4}},
		{"all columns", must(classify.BasisColumns(2))(t), []float64{3, 4}},
		{"composed",
			must(classify.BasisCompose(must(classify.BasisColumns(2, 1))(t),
				must(classify.BasisPolynomial(1, 3))(t)))(t), []float64{4, 16, 64}},
		{"joined",
			must(classify.BasisJoin(must(classify.BasisColumns(2))(t),
				ridge("sin", []float64{0, 0, 1})))(t), []float64{3, 4, math.Sin(4)}},
	} {
		d, m := c.basis.Dims()
		errorIf(t, d != 2 || m != len(c.want), "%s: got %d inputs and %d functions, want 2 inputs and %d functions", c.name, d, m, len(c.want))
		phi := make([]float64, len(c.want))
		errorIf(t, c.basis.Eval(phi, x) != nil, "%s: Eval returns the error %v, want no error", c.name, c.basis.Eval(phi, x))
		allClose(t, c.name, phi, c.want, 1e-15)
		allClose(t, c.name, flat(must(classify.Features(oneRow(x), c.basis))(t)), phi, 0)
	}
	count, _ := classify.BasisPolynomial(5, 4)
	if _, m := count.Dims(); m != 125 { // C(9,4) − 1
		t.Errorf("got %d terms of degree 1 to 4 in 5 inputs, want 125", m)
	}
}

// broken is a basis that is not defined in package classify, so a model on it cannot be saved.
type broken struct{}

func (broken) Dims() (d, m int)            { return 2, 1 }
func (broken) Eval(phi, _ []float64) error { phi[0] = 1; return nil }

// ridge returns a RidgeBasis with the weights w.
func ridge(function string, w ...[]float64) *classify.RidgeBasis {
	return &classify.RidgeBasis{Function: function, W: w}
}

func TestBasisErrors(t *testing.T) {
	x := mat.NewDense(3, 2, []float64{1, 2, 3, 0, 5, 6})
	logs, high := ridge("log", []float64{0, 0, 1}), must(classify.BasisPolynomial(2, 3))(t)
	row := func(b classify.Basis, v ...float64) error {
		return errorOf(classify.Features(mat.NewDense(1, len(v), v), b))
	}
	unknown := must(classify.FitOnBasis(x, classify.Basis(broken{}), func(phi mat.Matrix) (*classify.Logistic, error) {
		return classify.FitLogistic(phi, []float64{1, 0, 1}, classify.LogisticOptions{})
	}))(t)
	allFail(t, []failingCall{
		{"log of 0", errorOf(classify.Features(x, logs)), []string{"row 1", "logarithm of 0", "greater than 0"}},
		{"one column instead of two", row(logs, 1), []string{"1×1", "2 columns"}},
		{"overflow", row(high, 1, 1e200), []string{"row 0", "function 4", "+Inf"}},
		{"NaN", row(high, 1, math.NaN()), []string{"row 0", "column 1"}},
		{"nil basis", row(nil, 1), []string{"basis is nil"}},
		{"degree 0", errorOf(classify.BasisPolynomial(2, 0)), []string{"degree is 0"}},
		{"many terms", errorOf(classify.BasisPolynomial(100, 6)), []string{"more than"}},
		{"high degree", errorOf(classify.BasisPolynomial(1, 1<<30)), []string{"more than"}},
		{"products of no inputs", errorOf(classify.BasisProducts(0)), []string{"d is 0"}},
		{"width 0", errorOf(classify.BasisGaussian(x, 0)), []string{"Widths[0]", "greater than 0"}},
		{"two widths, three centres", errorOf(classify.BasisGaussian(x, 1, 2)), []string{"2 widths", "3 centres"}},
		{"no weights", row(ridge("sin"), 1), []string{"empty"}},
		{"only a bias", row(ridge("sin", []float64{1}), 1), []string{"bias"}},
		{"ragged weights", row(ridge("sin", []float64{1, 2}, []float64{1}), 1), []string{"W[1]"}},
		{"no column", errorOf(classify.BasisColumns(2, 2)), []string{"column 2", "0…1"}},
		{"compose, nine functions and two inputs", errorOf(classify.BasisCompose(high, logs)), []string{"9 functions", "2 inputs"}},
		{"compose nil", errorOf(classify.BasisCompose(high, nil)), []string{"part 1", "nil"}},
		{"join nothing", errorOf(classify.BasisJoin()), []string{"no parts"}},
		{"join, three and two inputs", errorOf(classify.BasisJoin(must(classify.BasisColumns(3))(t), logs)),
			[]string{"part 1", "2 inputs"}},
		{"constant term", row(&classify.PolynomialBasis{Powers: [][]int{{0, 0}}}, 1, 2), []string{"bias"}},
		{"empty literal", row(&classify.RidgeBasis{}, 1), []string{"Function"}},
		{"constant column", errorOf(classify.BasisStandard(mat.NewDense(3, 2, []float64{1, 7, 2, 7, 3, 7}))),
			[]string{"column 1", "constant"}},
		{"k-means, no centres", errorOf(classify.BasisCentresKMeans(x, 0, 0)), []string{"m is 0"}},
		{"not saved", classify.Save(new(bytes.Buffer), unknown), []string{"broken", "cannot be saved"}},
	})
}

func TestCentres(t *testing.T) {
	// The rows form three small clouds far apart, so the centres must be the means of the clouds.
	cloud, _ := clouds(600, 2, 2, 6)
	var mean [3][2]float64
	for i := range 600 {
		for j := range 2 {
			cloud.Set(i, j, 0.1*cloud.At(i, j)+float64(100*(i%3)*(1-2*j)))
			mean[i%3][j] += cloud.At(i, j) / 200
		}
	}
	c := must(classify.BasisCentresKMeans(cloud, 3, 1))(t)
	near(t, "by At", must(classify.BasisCentresKMeans(struct{ mat.Matrix }{cloud}, 3, 1))(t), c, 0)
	for _, m := range mean {
		far := math.Inf(1)
		for i := range 3 {
			far = math.Min(far, math.Hypot(c.At(i, 0)-m[0], c.At(i, 1)-m[1]))
		}
		closeTo(t, far, 0, 1e-9, "distance of a mean from the nearest centre")
	}
	same := mat.NewDense(5, 1, []float64{7, 7, 7, 7, 7})
	allClose(t, "centres of equal rows", flat(must(classify.BasisCentresKMeans(same, 3, 1))(t)), fill(3, 7), 0)
}

// TestOnBasis checks that ScorerOf and ProberOf report activations but no posterior for a
// LeastSquares on a basis, and that ScorerOf reports no activations for a model that has only
// Predict. A call of a method that the underlying model lacks must return an error. A fit to the rows
// that Features computes must equal a fit to a stored copy of these rows. FitOnBasis must return the
// error of the fit.
func TestOnBasis(t *testing.T) {
	x, labels := clouds(80, 2, 2, 12)
	basis, y := must(classify.BasisProducts(2))(t), targets(labels)
	logistic := func(phi mat.Matrix) (*classify.Logistic, error) {
		return classify.FitLogistic(phi, y, classify.LogisticOptions{})
	}
	m, z := must(classify.FitOnBasis(x, basis, logistic))(t), mat.DenseCopyOf(must(classify.Features(x, basis))(t))
	plain := must(logistic(z))(t)
	errorIf(t, !reflect.DeepEqual(m.Model, plain), "the fit to computed rows differs from the fit to a stored copy, want equal models")
	near(t, "posteriors", must(m.Posterior(x))(t), must(plain.Posterior(z))(t), 0)
	ls := must(classify.FitOnBasis(x, basis, func(phi mat.Matrix) (*classify.LeastSquares, error) {
		return classify.FitLeastSquares(phi, labels, 2, classify.LeastSquaresOptions{})
	}))(t)
	_, prober := classify.ProberOf(ls)
	_, scorer := classify.ScorerOf(ls)
	errorIf(t, prober || !scorer,
		"least squares on a basis has a posterior: %v, want false; has activations: %v, want true",
		prober, scorer)
	near(t, "activations", must(ls.Scores(x))(t), must(ls.Model.Scores(z))(t), 0)
	errorHas(t, errorOf(ls.Posterior(x)), "a *classify.LeastSquares, has no posterior probabilities", "use Scores or Predict")
	only := must(classify.FitOnBasis(x, basis, func(mat.Matrix) (classify.Predictor, error) {
		return struct{ classify.Predictor }{plain}, nil
	}))(t)
	twice := must(classify.FitOnBasis(x, must(classify.BasisColumns(2, 0, 1))(t),
		func(mat.Matrix) (classify.Predictor, error) { return only, nil }))(t)
	for _, m := range []classify.Predictor{only, twice} {
		_, scorer := classify.ScorerOf(m)
		errorIf(t, scorer, "ScorerOf finds activations in a %T, want no activations", m)
		errorIf(t, !slices.Equal(must(m.Predict(x))(t), must(plain.Predict(z))(t)),
			"%T predicts other classes than the underlying model, want equal classes", m)
		errorHas(t, errorOf(m.(classify.Scorer).Scores(x)), "has no activations", "use Predict")
	}
	wrong := errors.New("not today")
	fails := func(mat.Matrix) (*classify.Logistic, error) { return nil, wrong }
	errorIf(t, !errors.Is(errorOf(classify.FitOnBasis(x, basis, fails)), wrong), "FitOnBasis does not return the error of the fit, want this error")
}

// TestOnBasisMemory checks that a fit in the space of 50 basis functions does not allocate a matrix
// of N×50 numbers (40 MB).
func TestOnBasisMemory(t *testing.T) {
	x, labels := clouds(100_000, 2, 2, 1)
	y := targets(labels)
	basis := must(classify.BasisGaussian(x.Slice(0, 50, 0, 2), 1.5))(t)
	o := classify.LogisticOptions{Prior: isotropic, MaxIterations: 3}
	size := allocated(t, func() error {
		return errorOf(classify.FitOnBasis(x, basis, func(phi mat.Matrix) (*classify.Logistic, error) {
			return classify.FitLogistic(phi, y, o)
		}))
	})
	errorIf(t, size > 20<<20, "the fit allocates %d bytes, want at most 20 MiB", size)
}

// The inputs of C₁ are inside a ring of inputs of C₂ around the origin. In the space of x, no line
// separates the classes, but in the space of the squares x1², x2², a line does
// (compare PRML figure 4.12).
func ExampleFitOnBasis() {
	x := mat.NewDense(8, 2, []float64{0.1, 0, 0, -0.5, -0.6, 0.3, 0.4, 0.4, 2, 0.1, -1.5, 1, 0.3, -1.9, -1, -1.2})
	t := []float64{1, 1, 1, 1, 0, 0, 0, 0}
	m := toolkit.Must(classify.FitOnBasis(x, toolkit.Must(classify.BasisProducts(2)),
		func(phi mat.Matrix) (*classify.Logistic, error) {
			return classify.FitLogistic(phi, t, classify.LogisticOptions{Prior: classify.Isotropic{Alpha: 0.1}})
		}))
	fmt.Printf("weights of 1, x1, x2, x1², x2², x1x2: %.2f\n", m.Model.W)
	fmt.Println(toolkit.Must(m.Predict(mat.NewDense(3, 2, []float64{0, 0, 0, 3, -3, 0}))))
	// Output:
	// weights of 1, x1, x2, x1², x2², x1x2: [2.63 0.44 0.67 -1.87 -1.49 -0.07]
	// [0 1 1]
}

// A LeastSquares on a basis has no posterior probabilities. The basis contains the square of the
// input because class 0 lies between two parts of class 1.
func ExampleFitOnBasis_scores() {
	x := mat.NewDense(6, 1, []float64{-3, -2, -0.5, 0.5, 2, 3})
	labels := []int{1, 1, 0, 0, 1, 1}
	m := toolkit.Must(classify.FitOnBasis(x, toolkit.Must(classify.BasisPolynomial(1, 2)),
		func(phi mat.Matrix) (*classify.LeastSquares, error) {
			return classify.FitLeastSquares(phi, labels, 2, classify.LeastSquaresOptions{})
		}))
	fmt.Println(toolkit.Must(m.Predict(mat.NewDense(3, 1, []float64{-10, 0, 10}))))
	// Output: [1 0 1]
}

// A OneVersusRest on a basis has no posterior probabilities. The basis contains the product of the
// inputs because no line separates the classes of the exclusive or.
func ExampleFitOnBasis_classes() {
	x := mat.NewDense(4, 2, []float64{0, 0, 1, 1, 0, 1, 1, 0}) // exclusive or
	labels := []int{0, 0, 1, 1}
	m := toolkit.Must(classify.FitOnBasis(x, toolkit.Must(classify.BasisProducts(2)),
		func(phi mat.Matrix) (*classify.OneVersusRest, error) {
			return classify.FitOneVersusRest(phi, labels, 2, func(x mat.Matrix, t []float64) (classify.Scorer, error) {
				return classify.FitPerceptron(x, t, classify.PerceptronOptions{})
			}, classify.OneVersusRestOptions{})
		}))
	fmt.Println(toolkit.Must(m.Predict(x)))
	// Output: [0 0 1 1]
}

func ExampleFeatures() {
	x := mat.NewDense(2, 2, []float64{1, 2, 3, 4})
	basis := toolkit.Must(classify.BasisJoin(
		toolkit.Must(classify.BasisColumns(2)),
		&classify.RidgeBasis{Function: "log", W: [][]float64{{0, 0, 1}}},
		&classify.RidgeBasis{Function: "indicator", W: [][]float64{{-2, 1, 0}}},
	))
	fmt.Printf("%.3f\n", mat.Formatted(toolkit.Must(classify.Features(x, basis))))
	// Output:
	// ⎡1.000  2.000  0.693  0.000⎤
	// ⎣3.000  4.000  1.386  1.000⎦
}

func ExampleBasisGaussian() {
	x := mat.NewDense(6, 1, []float64{0, 0.1, 0.2, 5, 5.1, 5.2})
	centres := toolkit.Must(classify.BasisCentresKMeans(x, 2, 1))
	basis := toolkit.Must(classify.BasisGaussian(centres, 1))
	fmt.Printf("centres %.1f\n", basis.Centres)
	// Output:
	// centres [[5.1] [0.1]]
}
