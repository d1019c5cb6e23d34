package toolkit_test

import (
	"errors"
	"go/ast"
	"math"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/hyperplane-notebooks/hyperplane/toolkit"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/classify"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/datasets"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/show"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/verify"
)

// callsWithNil returns calls of those exported functions and methods of the notebook packages that
// have a function, a reader or a writer as a parameter. Each call passes nil for this parameter. There
// are no calls of verify.BeforeParts and verify.Try, because they accept nil.
func callsWithNil() map[string]func() error {
	x, labels := mat.NewDense(4, 1, []float64{0, 1, 2, 3}), []int{0, 1, 0, 1}
	basis := toolkit.Must(classify.BasisPolynomial(1, 2))
	d := datasets.Iris()
	finding := func(f verify.Finding) error {
		if f.OK || f.Note == "" {
			return nil
		}
		return errors.New(f.Note)
	}
	errorOf := func(_ any, err error) error { return err }
	type predictor = *classify.Logistic
	return map[string]func() error{
		"classify.EvaluateFolds": func() error {
			return errorOf(classify.EvaluateFolds(x, labels, 2, nil,
				classify.EvaluateOptions{Folds: 2}))
		},
		"classify.EvaluateHeldOut": func() error {
			return errorOf(classify.EvaluateHeldOut(x, labels, 2, nil,
				classify.EvaluateOptions{}))
		},
		"classify.FitOnBasis": func() error { return errorOf(classify.FitOnBasis[predictor](x, basis, nil)) },
		"classify.FitOneVersusRest": func() error {
			return errorOf(classify.FitOneVersusRest(x, labels, 2, nil, classify.OneVersusRestOptions{}))
		},
		"classify.FitOneVersusOne": func() error {
			return errorOf(classify.FitOneVersusOne(x, labels, 2, nil,
				classify.OneVersusOneOptions{}))
		},
		"classify.NewRows": func() error { return errorOf(classify.NewRows(nil, classify.RowsOptions{})) },
		"classify.Laplace": func() error {
			return errorOf(classify.Laplace(nil, []float64{0},
				classify.LaplaceOptions{}))
		},
		"classify.LaplaceAt": func() error {
			return errorOf(classify.LaplaceAt(nil, []float64{0},
				classify.LaplaceOptions{}))
		},
		"classify.Laplace1D": func() error { return errorOf(classify.Laplace1D(nil, classify.Laplace1DOptions{})) },
		"classify.Exact": func() error {
			fit := toolkit.Must(classify.Laplace1D(func(z float64) float64 { return -z * z },
				classify.Laplace1DOptions{}))
			return errorOf(fit.Exact(nil))
		},
		"classify.Of": func() error {
			return errorOf(classify.Laplace1D(classify.ChangeLog().Of(nil), classify.Laplace1DOptions{}))
		},
		"classify.Back": func() error {
			return errorOf(classify.Laplace1D(classify.ChangeLog().Back(nil), classify.Laplace1DOptions{}))
		},
		"classify.Load":      func() error { return errorOf(classify.Load(nil)) },
		"classify.Save":      func() error { return classify.Save(nil, new(classify.Hyperplane)) },
		"datasets.ReadCSV":   func() error { return errorOf(datasets.ReadCSV(nil, datasets.CSVOptions{})) },
		"datasets.Each":      func() error { return new(datasets.CSVRows).Each(nil) },
		"datasets.ReadTable": func() error { return errorOf(datasets.ReadTable(nil, datasets.TableOptions{})) },
		"datasets.WriteCSV":  func() error { return datasets.WriteCSV(nil, d) },
		"show.Sliders":       func() error { return errorOf(show.Sliders(nil, show.Slider{Labels: []string{"a"}})) },
		"verify.Derivative": func() error {
			if v := verify.Derivative(nil, 1, 0); math.IsNaN(v) {
				return errors.New("the derivative of a nil function is NaN")
			}
			return nil
		},
		"verify.Gradient": func() error {
			return finding(verify.Gradient(nil, []float64{1}, []float64{1},
				verify.Tolerance{}))
		},
		"verify.Jacobian": func() error {
			return finding(verify.Jacobian(nil, []float64{1}, mat.NewDense(1, 1, nil), verify.Tolerance{}))
		},
	}
}

func TestNilFunctionIsAnError(t *testing.T) {
	cases := callsWithNil()
	for name, call := range cases {
		t.Run(name, func(t *testing.T) {
			defer func() {
				if r := recover(); r != nil {
					t.Errorf("the call panics with %v, want an error", r)
				}
			}()
			if err := call(); err == nil || !strings.Contains(err.Error(), "nil") &&
				!strings.Contains(err.Error(), "give logf") {
				t.Errorf("the error is %v, want an error that contains \"nil\" or \"give logf\"", err)
			}
		})
	}
	for _, dir := range notebookPackages {
		for _, name := range takingFunctions(t, filepath.Join(dir, "*.go")) {
			// BeforeParts and Try accept nil. TestBeforePartsNil tests them.
			if call := filepath.Base(dir) + "." + name; cases[call] == nil && call != "verify.BeforeParts" && call != "verify.Try" {
				t.Errorf("the test does not call %s.%s with nil", dir, name)
			}
		}
	}
}

// TestBeforePartsNil checks that BeforeParts(nil) removes the function that an earlier call of
// BeforeParts set. It also checks that Try(…, nil) does not panic and starts no trial.
func TestBeforePartsNil(t *testing.T) {
	calls := 0
	part := verify.Part{Name: "holds", Judge: func() verify.Verdict { return verify.Verdict{Outcome: verify.Right} }}
	verify.BeforeParts(func() { calls++ })
	verify.Run("none", "", part)
	verify.BeforeParts(nil)
	if r := verify.Run("none", "", part); calls != 1 || !r.Passed() {
		t.Errorf("the function was called %d times, want 1 call before BeforeParts(nil) and no call after it; Passed returns %t for the last report, want true", calls, r.Passed())
	}
	if verify.Try([]int{0}, nil); verify.Trying() {
		t.Error("a trial is running after Try(…, nil), want no running trial")
	}
}

// TestNilFunctionGoesRed checks that takingFunctions finds functions with a parameter that is a
// function or a reader.
func TestNilFunctionGoesRed(t *testing.T) {
	if names := takingFunctions(t, "testdata/takers.go"); !slices.Equal(names, []string{"Direct", "Named", "Reader"}) {
		t.Errorf("found the functions %q, want Direct, Named and Reader", names)
	}
}

// takingFunctions lists the exported functions and methods with a parameter that is a function, a
// reader or a writer. The type of the parameter may be a named function type of the package.
func takingFunctions(t *testing.T, pattern string) []string {
	t.Helper()
	_, files := parsedFiles(t, pattern, 0)
	named := map[string]bool{"Reader": true, "Writer": true}
	for _, f := range files {
		ast.Inspect(f, func(n ast.Node) bool {
			if spec, ok := n.(*ast.TypeSpec); ok {
				_, named[spec.Name.Name] = spec.Type.(*ast.FuncType)
			}
			return true
		})
	}
	var out []string
	for _, fn := range exportedFunctions(files) {
		if slices.ContainsFunc(fn.Type.Params.List, func(p *ast.Field) bool {
			_, direct := p.Type.(*ast.FuncType)
			_, pointer := p.Type.(*ast.StarExpr)
			return direct || !pointer && named[typeName(p.Type)]
		}) {
			out = append(out, fn.Name.Name)
		}
	}
	slices.Sort(out)
	return out
}
