package classify_test

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/hyperplane-notebooks/hyperplane/toolkit/classify"
)

// nilModels are nil pointers to every type that is a Predictor, a Basis or an
// objective; none of them is a model.
var nilModels = []any{
	(*classify.Adaline)(nil), (*classify.BayesLogistic)(nil), (*classify.BayesSoftmax)(nil), (*classify.ExponentialFamily)(nil),
	(*classify.Fisher)(nil), (*classify.FisherMulti)(nil), (*classify.Hyperplane)(nil), (*classify.LDA)(nil), (*classify.LabelFlip)(nil),
	(*classify.LeastSquares)(nil), (*classify.LinearMachine)(nil), (*classify.Logistic)(nil), (*classify.LogisticSample)(nil),
	(*classify.NaiveBayesBernoulli)(nil), (*classify.NaiveBayesCategorical)(nil), (*classify.NaiveBayesGaussian)(nil),
	(*classify.OneVersusOne)(nil), (*classify.OneVersusRest)(nil), (*classify.Perceptron)(nil), (*classify.Probit)(nil), (*classify.QDA)(nil),
	(*classify.QuadraticLogistic)(nil), (*classify.SigmoidSquares)(nil), (*classify.Softmax)(nil), (*classify.VariationalLogistic)(nil),
	(*classify.OnBasis[*classify.Logistic])(nil),
	(*classify.ChainBasis)(nil), (*classify.ColumnsBasis)(nil), (*classify.GaussianBasis)(nil), (*classify.JoinedBasis)(nil),
	(*classify.PolynomialBasis)(nil), (*classify.RidgeBasis)(nil), (*classify.ScaledBasis)(nil), (*classify.Objective)(nil),
}

// interfaceMethods are the methods of the package's interfaces that return an
// error, and Value, which those of package show ask for.
var interfaceMethods = []string{
	"Predict", "Scores", "Posterior", "Decide", "PosteriorError", "ActivationMoments", "LogDensities", "LogMarginal", "LogPosterior", "Sample", "Eval", "Value",
}

func TestNilModels(t *testing.T) {
	for _, m := range nilModels {
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
					if r := recover(); r != nil {
						t.Errorf("panic: %v", r)
					}
				}()
				out := f.Call(in)
				if err, _ := out[len(out)-1].Interface().(error); err == nil {
					t.Error("no error")
				} else {
					mentions(t, err, "classify: ")
				}
			})
		}
	}
}

// TestNilModelsIsComplete: a new type with one of the methods belongs in the list.
func TestNilModelsIsComplete(t *testing.T) {
	var listed []string
	for _, m := range nilModels {
		name, _, _ := strings.Cut(reflect.TypeOf(m).Elem().Name(), "[")
		listed = append(listed, name)
	}
	files, err := filepath.Glob("*.go")
	if err != nil || len(files) < 50 {
		t.Fatalf("%d files, %v", len(files), err)
	}
	for _, file := range files {
		if strings.HasSuffix(file, "_test.go") {
			continue
		}
		f, err := parser.ParseFile(token.NewFileSet(), file, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range f.Decls {
			fn, ok := d.(*ast.FuncDecl)
			if !ok || fn.Recv == nil || !slices.Contains(interfaceMethods, fn.Name.Name) || fn.Name.Name == "Sample" {
				continue
			}
			typ := fn.Recv.List[0].Type
			star, ok := typ.(*ast.StarExpr)
			if !ok {
				continue // a value is never nil
			}
			typ = star.X
			if g, ok := typ.(*ast.IndexExpr); ok {
				typ = g.X
			}
			if name := typ.(*ast.Ident).Name; ast.IsExported(name) && !slices.Contains(listed, name) {
				t.Errorf("(*%s)(nil).%s is not tried", name, fn.Name.Name)
			}
		}
	}
}

// TestNilPointerOptions: an option that holds a nil pointer is an error, one that
// holds a pointer to a value means the value.
func TestNilPointerOptions(t *testing.T) {
	x, y, labels := mat.NewDense(4, 1, []float64{0, 1, 2, 3}), []float64{0, 1, 0, 1}, []int{0, 1, 0, 1}
	for _, nothing := range []classify.Prior{(*classify.Isotropic)(nil), (*classify.Gaussian)(nil)} {
		for name, err := range map[string]error{
			"FitLogistic":            of(classify.FitLogistic(x, y, classify.LogisticOptions{Prior: nothing})),
			"FitProbit":              of(classify.FitProbit(x, y, classify.ProbitOptions{Prior: nothing})),
			"FitLabelFlip":           of(classify.FitLabelFlip(x, y, classify.LabelFlipOptions{Prior: nothing})),
			"FitGLM":                 of(classify.FitGLM(x, y, classify.PoissonTarget{}, classify.GLMOptions{Prior: nothing})),
			"FitSoftmax":             of(classify.FitSoftmax(x, labels, 2, classify.SoftmaxOptions{Prior: nothing})),
			"FitSigmoidSquares":      of(classify.FitSigmoidSquares(x, labels, 2, classify.SigmoidSquaresOptions{Prior: nothing})),
			"FitBayesLogistic":       of(classify.FitBayesLogistic(x, y, classify.BayesLogisticOptions{Prior: nothing})),
			"FitBayesLogistic, x 0":  of(classify.FitBayesLogistic(&mat.Dense{}, nil, classify.BayesLogisticOptions{Prior: nothing})),
			"FitBayesSoftmax":        of(classify.FitBayesSoftmax(x, labels, 2, classify.BayesSoftmaxOptions{Prior: nothing})),
			"FitVariationalLogistic": of(classify.FitVariationalLogistic(x, y, classify.VariationalLogisticOptions{Prior: nothing})),
			"SampleLogistic":         of(classify.SampleLogistic(x, y, classify.SampleLogisticOptions{Prior: nothing})),
			"LogisticObjective":      of(classify.LogisticObjective(x, y, nothing)),
			"SoftmaxObjective":       of(classify.SoftmaxObjective(x, labels, 2, nothing)),
			"GLMObjective":           of(classify.GLMObjective(x, y, classify.PoissonTarget{}, nothing)),
		} {
			t.Run(name, func(t *testing.T) { mentions(t, err, "Prior is a nil *classify.") })
		}
	}
	for _, nothing := range []classify.Solver{
		(*classify.Newton)(nil), (*classify.GradientDescent)(nil), (*classify.Sequential)(nil), (*classify.CoordinateAscent)(nil), (*classify.LBFGS)(nil),
	} {
		_, err := classify.FitLogistic(x, y, classify.LogisticOptions{Solver: nothing})
		mentions(t, err, "Solver is a nil *classify.")
		_, err = classify.FitSoftmax(x, labels, 2, classify.SoftmaxOptions{Solver: nothing})
		mentions(t, err, "Solver is a nil *classify.")
	}
	_, err := classify.FitGLM(x, y, (*classify.GaussianTarget)(nil), classify.GLMOptions{})
	mentions(t, err, "family is nil")
	_, err = classify.Features(x, (*classify.PolynomialBasis)(nil))
	mentions(t, err, "basis is nil")

	for _, m := range []classify.Criteria{(*classify.Probit)(nil), (*classify.LabelFlip)(nil), (*classify.GLM)(nil), (*classify.Softmax)(nil)} {
		_, err := classify.CompareModels(classify.Candidate{Model: m})
		mentions(t, err, "without a fit")
	}

	prior := classify.Isotropic{Alpha: 2, FreeBias: true}
	value := must(classify.FitSoftmax(x, labels, 2, classify.SoftmaxOptions{Prior: prior}))(t)
	pointer := must(classify.FitSoftmax(x, labels, 2, classify.SoftmaxOptions{Prior: &prior, Solver: &classify.Newton{}}))(t)
	if !mat.Equal(value.W, pointer.W) {
		t.Errorf("a pointer to the prior gives %v, its value %v", pointer.W, value.W)
	}
}
