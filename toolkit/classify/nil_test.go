package classify_test

import (
	"fmt"
	"math"
	"reflect"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/hyperplane-notebooks/hyperplane/toolkit/classify"
)

// nilModels returns a nil pointer for the type of every model in the test lists, for every type of
// Basis, and for Objective.
func nilModels(t *testing.T) []any {
	t.Helper()
	all := []any{
		(*classify.ChainBasis)(nil), (*classify.ColumnsBasis)(nil), (*classify.GaussianBasis)(nil),
		(*classify.JoinedBasis)(nil), (*classify.PolynomialBasis)(nil), (*classify.RidgeBasis)(nil),
		(*classify.ScaledBasis)(nil), (*classify.Objective)(nil),
	}
	for _, e := range slices.Concat(models, others) {
		x, labels := clouds(60, 3, e.k, 1)
		if typ := reflect.TypeOf(bareModel(must(e.run(x, labels, e.k))(t))); typ.Kind() == reflect.Pointer {
			all = append(all, reflect.Zero(typ).Interface())
		}
	}
	return all
}

// interfaceMethods are the exported methods of the package's interfaces that return an error. The list
// includes Value, because an interface of package `show` contains this method.
var interfaceMethods = []string{
	"Predict", "Scores", "Posterior", "Decide", "PosteriorError", "ActivationMoments", "LogDensities", "LogMarginal",
	"LogPosterior", "Sample", "Eval", "Value",
}

func TestNilModels(t *testing.T) {
	for _, m := range nilModels(t) {
		v := reflect.ValueOf(m)
		for _, name := range interfaceMethods {
			f := v.MethodByName(name)
			if !f.IsValid() {
				continue
			}
			t.Run(fmt.Sprintf("%T.%s", m, name), func(t *testing.T) {
				var in []reflect.Value
				for i := range f.Type().NumIn() {
					switch typ := f.Type().In(i); typ {
					case reflect.TypeFor[mat.Matrix]():
						in = append(in, reflect.ValueOf(mat.NewDense(1, 1, nil)))
					case reflect.TypeFor[[]float64]():
						in = append(in, reflect.ValueOf(make([]float64, 1)))
					default:
						in = append(in, reflect.Zero(typ))
					}
				}
				defer func() {
					r := recover()
					errorIf(t, r != nil, "panic: %v", r)
				}()
				out := f.Call(in)
				if err, _ := out[len(out)-1].Interface().(error); err == nil {
					t.Error("got no error, want an error for a nil pointer")
				} else {
					errorHas(t, err, "classify: ")
				}
			})
		}
	}
}

// TestNilModelsIsComplete checks that nilModels contains every type that has one of the
// interfaceMethods with a pointer receiver. Sample does not count, because types that are not models
// also have this method.
func TestNilModelsIsComplete(t *testing.T) {
	var listed []string
	for _, m := range nilModels(t) {
		name, _, _ := strings.Cut(reflect.TypeOf(m).Elem().Name(), "[")
		listed = append(listed, name)
	}
	types := documentation(t).Types
	errorIf(t, len(types) < 50, "found %d types, want at least 50", len(types))
	for _, typ := range types {
		for _, m := range typ.Methods { // skip methods with a value receiver, which is never nil
			required := strings.HasPrefix(m.Recv, "*") && m.Name != "Sample" && slices.Contains(interfaceMethods, m.Name)
			errorIf(t, required && !slices.Contains(listed, typ.Name), "TestNilModels does not call (*%s)(nil).%s: add the type to nilModels", typ.Name, m.Name)
		}
	}
}

// TestNilPointerOptions checks that a nil pointer as a prior, solver, family, basis or model gives an
// error. Pointers to a prior and a solver must have the same effect as the prior and the solver.
func TestNilPointerOptions(t *testing.T) {
	x, y, labels := mat.NewDense(4, 1, []float64{0, 1, 2, 3}), []float64{0, 1, 0, 1}, []int{0, 1, 0, 1}
	errorHas(t, errorOf(classify.FitBayesLogistic(&mat.Dense{}, nil,
		classify.BayesLogisticOptions{Prior: (*classify.Isotropic)(nil)})),
		"Prior is a nil *classify.")
	for _, nothing := range []classify.Solver{
		(*classify.Newton)(nil), (*classify.GradientDescent)(nil), (*classify.Sequential)(nil),
		(*classify.CoordinateAscent)(nil), (*classify.LBFGS)(nil),
	} {
		errorHas(t, errorOf(classify.FitLogistic(x, y, classify.LogisticOptions{Solver: nothing})),
			"Solver is a nil *classify.")
		errorHas(t, errorOf(classify.FitSoftmax(x, labels, 2, classify.SoftmaxOptions{Solver: nothing})),
			"Solver is a nil *classify.")
	}
	errorHas(t, errorOf(classify.FitGLM(x, y, (*classify.GaussianTarget)(nil), classify.GLMOptions{})), "family is nil")
	errorHas(t, errorOf(classify.Features(x, (*classify.PolynomialBasis)(nil))), "basis is nil")

	for _, m := range []classify.Criteria{(*classify.Probit)(nil), (*classify.LabelFlip)(nil), (*classify.GLM)(nil),
		(*classify.Softmax)(nil), (*classify.QuadraticLogistic)(nil), &classify.QuadraticLogistic{}} {
		errorHas(t, errorOf(classify.CompareModels(classify.Candidate{Model: m})), "without a fit")
	}

	prior := classify.Isotropic{Alpha: 2, FreeBias: true}
	value := must(classify.FitSoftmax(x, labels, 2, classify.SoftmaxOptions{Prior: prior}))(t)
	pointer := must(classify.FitSoftmax(x, labels, 2,
		classify.SoftmaxOptions{Prior: &prior, Solver: &classify.Newton{}}))(t)
	errorIf(t, !mat.Equal(value.W, pointer.W), "with pointers to the prior and the solver the weights are %v, want %v, the weights with the prior itself and the default solver", pointer.W, value.W)
}

// TestMessagesTellTheTruth checks that an error message names the option or the data that cause the
// error, and does not mention a different cause or remedy.
func TestMessagesTellTheTruth(t *testing.T) {
	x := mat.NewDense(6, 2, []float64{1, 1, 2, 2, 3, 4, 4, 3, 5, 5, 6, 9})
	labels := []int{0, 0, 0, 1, 1, 1}
	fill := mat.DenseCopyOf(x)
	fill.Set(5, 1, 1e200)
	check := func(err error, not string, want ...string) {
		t.Helper()
		errorHas(t, err, want...)
		errorIf(t, strings.Contains(fmt.Sprint(err), not), "error %q mentions %q, want no mention", err, not)
	}
	check(errorOf(classify.FitNaiveBayesGaussian(fill, labels, 2, classify.NaiveBayesGaussianOptions{})),
		"constant", "column 1", "1e+200", "class 0", "fill value")
	check(errorOf(classify.FitNaiveBayesGaussian(mat.NewDense(4, 1, []float64{7, 7, 1, 2}), []int{0, 0, 1, 1}, 2,
		classify.NaiveBayesGaussianOptions{})), "fill value", "column 0", "constant in the 2 row(s) of class 0")
	check(errorOf(classify.FitNaiveBayesGaussian(x, labels, 2, classify.NaiveBayesGaussianOptions{Smoothing: -1})),
		"Laplace", "Smoothing is -1", "share of each column's variance")
	check(errorOf(classify.FitQDA(x, labels, 2, classify.QDAOptions{Shrinkage: -1})), "FitLDA", "Shrinkage is -1", "[0,1]")
}

// TestLabelFlipOfEqualRows fits data in which all rows are equal. The likelihood of such data does not
// determine both ε and w. If the fit estimates ε, Reason must therefore say that all rows are the same.
// If ε is given, the fit must converge.
func TestLabelFlipOfEqualRows(t *testing.T) {
	x := mat.NewDense(4, 1, []float64{3, 3, 3, 3})
	for _, y := range [][]float64{{0, 1, 0, 1}, {0, 1, 1, 1}} {
		for _, p := range []classify.Prior{nil, classify.Isotropic{Alpha: 1}} {
			m := must(classify.FitLabelFlip(x, y, classify.LabelFlipOptions{Estimate: true, Prior: p}))(t)
			errorIf(t, !strings.Contains(m.Reason, "all rows of x are the same") || strings.Contains(m.Reason, "Inf"),
				"got Reason %q, want a Reason that says that all rows are the same, and does not contain Inf", m.Reason)
		}
		m := must(classify.FitLabelFlip(x, y, classify.LabelFlipOptions{Epsilon: 0.1}))(t)
		errorIf(t, !m.Converged || strings.Contains(m.Reason, "the same"), "with a given ε: got Converged %v and Reason %q, want true and a Reason that does not mention equal rows", m.Converged, m.Reason)
	}
}

// TestHugeDraws checks that a call returns an error at once if the requested draws would fill more
// than 1 GB.
func TestHugeDraws(t *testing.T) {
	const huge = math.MaxInt / 2
	x, y, labels := mat.NewDense(6, 1, []float64{0, 1, 2, 3, 4, 5}), []float64{0, 1, 0, 1, 0, 1},
		[]int{0, 1, 0, 1, 0, 1}
	iso := classify.Isotropic{Alpha: 1}
	bayes := must(classify.FitBayesLogistic(x, y, classify.BayesLogisticOptions{Prior: iso}))(t)
	variational := must(classify.FitVariationalLogistic(x, y, classify.VariationalLogisticOptions{Prior: iso}))(t)
	lda := must(classify.FitLDA(x, labels, 2, classify.LDAOptions{}))(t)
	laplace := must(classify.Laplace1D(func(z float64) float64 { return -z * z }, classify.Laplace1DOptions{}))(t)
	_, _, sample := lda.Sample(huge, 1)
	for name, err := range map[string]error{
		"LDA.Sample":                        sample,
		"BayesLogistic.SampleWeights":       errorOf(bayes.SampleWeights(huge, 1)),
		"VariationalLogistic.SampleWeights": errorOf(variational.SampleWeights(huge, 1)),
		"LaplaceFit1D.Sample":               errorOf(laplace.Sample(huge, 1)),
	} {
		t.Run(name, func(t *testing.T) { errorHas(t, err, "GB", "classify: ") })
	}
}
