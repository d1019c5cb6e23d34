package classify_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/hyperplane-notebooks/hyperplane/toolkit"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/classify"
)

var jeffreys = classify.Jeffreys{}

// refNumbers are reference numbers in JSON. A number is stored as a JSON number or as a string, which
// contains up to 17 digits or "+inf".
type refNumbers []float64

func (r *refNumbers) UnmarshalJSON(b []byte) error {
	var v []any
	if err := json.Unmarshal(b, &v); err != nil {
		return err
	}
	for _, a := range v {
		f, err := strconv.ParseFloat(fmt.Sprint(a), 64)
		if err != nil {
			return err
		}
		*r = append(*r, f)
	}
	return nil
}

// refFit contains data and reference results from a file in testdata/jeffreys. The scripts in that
// folder name the sources of the data and of the results. An entry sets only some of the fields.
type refFit struct {
	Name                string
	X                   [][]float64
	T, Weights, Dead    []float64
	Jeffreys            json.RawMessage // digits50.json: whether the prior is Jeffreys'; reference.json: W under Jeffreys' prior
	W, SE, Lower, Upper refNumbers
	E                   string
	Most, Least, Find   []int
}

func storedFits[T any](t *testing.T, file string) (v T) {
	t.Helper()
	b := must(os.ReadFile(filepath.Join("testdata", "jeffreys", file)))(t)
	if err := json.Unmarshal(b, &v); err != nil {
		t.Fatal(err)
	}
	return v
}

type rReference struct {
	Endometrial, Budworm refFit
	Konis                []refFit
}

func (r *refFit) x() *mat.Dense {
	m := mat.NewDense(len(r.X), len(r.X[0]), nil)
	for i, v := range r.X {
		m.SetRow(i, v)
	}
	return m
}

// TestJeffreysReference compares fits with the results of the R package brglm2, and with results
// computed with 50 digits.
func TestJeffreysReference(t *testing.T) {
	r := storedFits[rReference](t, "reference.json")
	m := must(classify.FitLogistic(r.Endometrial.x(), r.Endometrial.T, classify.LogisticOptions{Prior: jeffreys}))(t)
	allClose(t, "endometrial, brglm2: W", m.W, r.Endometrial.W, 1e-12)
	allClose(t, "endometrial, brglm2: standard errors", must(m.StandardErrors())(t), r.Endometrial.SE, 1e-12)
	target, weights := make([]float64, 12), make([]float64, 12)
	for i, dead := range r.Budworm.Dead {
		target[i], weights[i] = dead/20, 20
	}
	o := classify.LogisticOptions{Prior: jeffreys, Weights: weights}
	m = must(classify.FitLogistic(r.Budworm.x(), target, o))(t)
	var want refNumbers
	if err := json.Unmarshal(r.Budworm.Jeffreys, &want); err != nil {
		t.Fatal(err)
	}
	allClose(t, "budworm, brglm2: W", m.W, want, 1e-12)

	for _, f := range storedFits[[]refFit](t, "digits50.json") {
		t.Run(f.Name, func(t *testing.T) {
			o := classify.LogisticOptions{Weights: f.Weights}
			if string(f.Jeffreys) == "true" {
				o.Prior = jeffreys
			}
			x := f.x()
			m := must(classify.FitLogistic(x, f.T, o))(t)
			v := must(m.ProfileIntervals(x, f.T, classify.ProfileOptions{Prior: o.Prior, Weights: f.Weights}))(t)
			if o.Prior != nil {
				errorIf(t, !m.Converged || m.Separable || !m.HasPrior, "got Converged %v, Separable %v and HasPrior %v, want true, false and true: %s", m.Converged, m.Separable, m.HasPrior, m.Reason)
				allClose(t, "W", m.W, f.W, 1e-10)
				closeTo(t, m.E, must(strconv.ParseFloat(f.E, 64))(t), 1e-11*(1+math.Abs(m.E)), "E")
				closeTo(t, m.E, m.Penalty-m.LogLikelihood, 1e-13*(1+math.Abs(m.E)), "E compared with Penalty − LogLikelihood")
			}
			compareEnds(t, "lower", v.Lower, f.Lower)
			compareEnds(t, "upper", v.Upper, f.Upper)
		})
	}
}

// compareEnds compares two lists of interval ends, which may contain infinities.
func compareEnds(t *testing.T, name string, got, want []float64) {
	t.Helper()
	for i, w := range want {
		same := got[i] == w
		if !math.IsInf(w, 0) {
			same = math.Abs(got[i]-w) <= 1e-9*math.Abs(w)
		}
		errorIf(t, !same, "%s end of interval %d is %.12g, want %.12g", name, i, got[i], w)
	}
}

// naiveJeffreys returns E and ∇E under Jeffreys' prior, computed from their definitions. It uses
// the determinant and the inverse of the whole Hessian H, and the leverages of Firth (1993).
func naiveJeffreys(t *testing.T, x mat.Matrix, target, weights, w []float64) (e float64, g []float64) {
	t.Helper()
	n, d := x.Dims()
	phi, h := mat.NewDense(n, d+1, nil), mat.NewDense(d+1, d+1, nil)
	y, r := make([]float64, n), make([]float64, n)
	for i := range n {
		if weights[i] == 0 {
			continue
		}
		phi.Set(i, 0, 1)
		a := w[0]
		for j := range d {
			phi.Set(i, j+1, x.At(i, j))
			a += w[j+1] * x.At(i, j)
		}
		y[i] = logisticCurve(a)
		r[i] = weights[i] * logisticCurve(a) * logisticCurve(-a)
		e += weights[i] * (target[i]*math.Log1p(math.Exp(-a)) + (1-target[i])*math.Log1p(math.Exp(a)))
		v := phi.RowView(i)
		h.RankOne(h, r[i], v, v)
	}
	var inv mat.Dense
	if err := inv.Inverse(h); err != nil {
		t.Fatal(err)
	}
	g = make([]float64, d+1)
	for i := range n {
		v := phi.RowView(i)
		slope := weights[i]*(y[i]-target[i]) - r[i]*mat.Inner(v, &inv, v)*(0.5-y[i])
		for j := range g {
			g[j] += slope * phi.At(i, j)
		}
	}
	return e - math.Log(mat.Det(h))/2, g
}

// TestJeffreysEdges fits data for which the likelihood has no maximum, and data with extreme inputs,
// starts or row weights. E at W must match its definition, and ∇E at W, computed from its definition,
// must be 0. For dependent columns and for a solver other than Newton, the fit must return an error.
// The objective must refuse dependent columns and weights at which the Hessian is singular.
func TestJeffreysEdges(t *testing.T) {
	line := []float64{-3, -2, -1, 1, 2, 3}
	split := []float64{0, 0, 0, 1, 1, 1}
	for _, c := range []struct {
		name   string
		x      []float64
		d      int
		t      []float64
		o      classify.LogisticOptions
		scales []float64 // naiveJeffreys gets each column divided by its scale; nil means 1
	}{
		{"separable", line, 1, split, classify.LogisticOptions{}, nil},
		{"quasi-separable", []float64{0, 1, 2, 2, 3, 4}, 1, split, classify.LogisticOptions{}, nil},
		{"one class", line, 1, make([]float64, 6), classify.LogisticOptions{}, nil},
		{"as many rows as entries of W", []float64{0, 1}, 1, []float64{0, 1}, classify.LogisticOptions{}, nil},
		{"inputs of ±800", []float64{-800, -799, 799, 800}, 1, []float64{0, 0, 1, 1}, classify.LogisticOptions{}, nil},
		{"start at ±800", []float64{-1, 1, -1, 1}, 1, []float64{0, 1, 1, 1},
			classify.LogisticOptions{Start: []float64{0, -800}}, nil},
		{"start at 1e300", []float64{-1, 1, -1, 1}, 1, []float64{0, 1, 1, 1},
			classify.LogisticOptions{Start: []float64{1e300, 1}}, nil},
		{"a row of weight 0", append(slices.Clone(line), 1e6), 1, append(slices.Clone(split), 0),
			classify.LogisticOptions{Weights: []float64{1, 2, 0.5, 3, 1, 1, 0}}, nil},
		{"small row weights", line, 1, split, classify.LogisticOptions{Weights: []float64{1e-9, 2e-9, 1e-9, 1e-9, 3e-9,
			1e-9}}, nil},
		{"a row far out", []float64{-2, -1, 1, 2, 1e10}, 1, []float64{0, 1, 0, 1, 0}, classify.LogisticOptions{},
			[]float64{1e10}},
		{"scales of 1e-50 and 1e50", []float64{1e-50, 3e50, 2e-50, 1e50, -1e-50, 2e50, 0, 0, 3e-50, -1e50, -2e-50,
			-2e50}, 2,
			[]float64{0, 1, 0, 1, 1, 0}, classify.LogisticOptions{}, []float64{1e-50, 1e50}},
		{"soft targets", line, 1, []float64{0.1, 0.9, 0.5, 0, 1, 0.7}, classify.LogisticOptions{}, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			x := mat.NewDense(len(c.t), c.d, c.x)
			c.o.Prior = jeffreys
			m := must(classify.FitLogistic(x, c.t, c.o))(t)
			errorIf(t, !m.Converged || m.Separable || m.Covariance == nil, "got Converged %v, Separable %v and Covariance == nil %v, want true, false and false: %s", m.Converged, m.Separable, m.Covariance == nil, m.Reason)
			weights := c.o.Weights
			if weights == nil {
				weights = slices.Repeat([]float64{1}, len(c.t))
			}
			w, shift := slices.Clone(m.W), 0.0
			for j, s := range c.scales {
				x.Apply(func(_, k int, v float64) float64 {
					if k == j {
						v /= s
					}
					return v
				}, x)
				w[j+1] *= s
				shift -= math.Log(s)
			}
			e, g := naiveJeffreys(t, x, c.t, weights, w)
			closeTo(t, m.E, e+shift, 1e-10*(1+math.Abs(m.E)), "E")
			for j, v := range g {
				errorIf(t, !(math.Abs(v) <= 1e-8), "component %d of the gradient is %v, want 0 ± 1e-8", j, v)
			}
		})
	}
	errorHas(t, errorOf(classify.FitLogistic(mat.NewDense(1, 1, []float64{3}), []float64{1},
		classify.LogisticOptions{Prior: jeffreys})),
		"constant", "column", ": 0", "Jeffreys")
	errorHas(t, errorOf(classify.FitLogistic(mat.NewDense(4, 3, []float64{1, 0, 1, 2, 1, 2, 3, 0, 3, 4, 1, 4}),
		[]float64{0, 0, 1, 1}, classify.LogisticOptions{Prior: jeffreys})),
		"linearly dependent: 0, 2:", "Jeffreys")
	errorHas(t, errorOf(classify.LogisticObjective(mat.NewDense(3, 2, []float64{1, 1, 2, 2, 3, 3}), []float64{0, 1, 1},
		jeffreys)),
		"LogisticObjective", "linearly dependent: 0, 1:")
	errorHas(t, errorOf(classify.FitLogistic(mat.NewDense(6, 1, line), split,
		classify.LogisticOptions{Prior: jeffreys, Solver: classify.LBFGS{}})),
		"LBFGS", "Newton{}")
	errorHas(t, errorOf(must(classify.LogisticObjective(mat.NewDense(6, 1, line), split,
		jeffreys))(t).Gradient([]float64{0, 1e4})),
		"Objective", "singular")
}

// TestJeffreysObjective compares ∇E and ∇∇E with finite differences, and E and ∇E with their
// definitions, at random weights for random data.
func TestJeffreysObjective(t *testing.T) {
	rng := rand.New(rand.NewPCG(19, 93))
	for k := range 40 {
		d := 1 + k%4
		x, target := overlappingRows(rng, d+4+rng.IntN(6), d)
		o := must(classify.LogisticObjective(x, target, jeffreys))(t)
		w := normals(rng, d+1)
		floats.Scale(2, w)
		checkDerivatives(t, o, w, true)
		e, g := naiveJeffreys(t, x, target, slices.Repeat([]float64{1}, len(target)), w)
		closeTo(t, must(o.Value(w))(t), e, 1e-10*(1+math.Abs(e)), "E")
		allClose(t, "∇E", must(o.Gradient(w))(t), g, 1e-9)
	}
}

// priorErrors calls the functions that take a Prior, except ProfileIntervals and Profile, with the
// prior p. It returns a map of the errors. A key is the name of the function or of the struct that
// contains the Prior. For a fit, the key is the type of the options and the name of the fit.
func priorErrors(t *testing.T, p classify.Prior) map[string]error {
	t.Helper()
	x, labels := clouds(30, 2, 2, 1)
	y := targets(labels)
	m := must(classify.FitLogistic(x, y, classify.LogisticOptions{}))(t)
	sums := must(classify.NewLogisticSums(make([]float64, 3)))(t)
	out := map[string]error{
		"Candidate":               errorOf(classify.CompareModels(classify.Candidate{Model: m, Prior: p})),
		"EvidenceOf":              errorOf(classify.EvidenceOf(m, p)),
		"LogisticObjective":       errorOf(classify.LogisticObjective(x, y, p)),
		"GLMObjective":            errorOf(classify.GLMObjective(x, y, classify.BernoulliTarget{}, p)),
		"ProbitObjective":         errorOf(classify.ProbitObjective(x, y, p)),
		"LabelFlipObjective":      errorOf(classify.LabelFlipObjective(x, y, 0.1, p)),
		"SigmoidObjective":        errorOf(classify.SigmoidObjective(x, y, p)),
		"SoftmaxObjective":        errorOf(classify.SoftmaxObjective(x, labels, 2, p)),
		"SoftmaxTargetsObjective": errorOf(classify.SoftmaxTargetsObjective(x, bothTargets(y), p)),
		"Step":                    errors.Join(sums.Add(x.RawRowView(0), y[0]), errorOf2(sums.Step(p))),
	}
	for _, e := range slices.Concat(models, others) {
		if x, labels := clouds(30, 2, e.k, 1); e.has("Prior") {
			out[reflect.TypeOf(e.options).Name()+" "+e.name] = errorOf(e.with("Prior", p).run(x, labels, e.k))
		}
	}
	return out
}

// TestPriorsRefused checks that the functions in priorErrors return an error if the Prior is a nil
// pointer. For Jeffreys' prior they must all return the same error, except FitLogistic and its
// objective, which accept this prior. The test searches the source code for functions and structs
// with a Prior. priorErrors must try all of them, except ProfileOptions.
func TestPriorsRefused(t *testing.T) {
	takesPrior := map[string]bool{}
	for _, name := range must(filepath.Glob("*.go"))(t) {
		f := must(parser.ParseFile(token.NewFileSet(), name, nil, 0))(t)
		isPrior := func(fields *ast.FieldList) bool {
			return fields != nil && slices.ContainsFunc(fields.List, func(f *ast.Field) bool {
				id, ok := f.Type.(*ast.Ident)
				return ok && id.Name == "Prior" && len(f.Names) > 0
			})
		}
		ast.Inspect(f, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.FuncDecl:
				takesPrior[n.Name.Name] = takesPrior[n.Name.Name] || n.Name.IsExported() && isPrior(n.Type.Params)
			case *ast.TypeSpec:
				typ, isStruct := n.Type.(*ast.StructType)
				base, defined := n.Type.(*ast.Ident)
				takesPrior[n.Name.Name] = n.Name.IsExported() && isStruct && isPrior(typ.Fields) ||
					defined && base.Name == "LogisticOptions"
			}
			return true
		})
	}
	said := errorOf(classify.ProbitObjective(pointsOn(1, 2), []float64{0, 1}, jeffreys)).Error()
	errorIf(t, strings.Count(said, "classify: ") != 1, "the error %q contains \"classify: \" several times or never, want it once, before ProbitObjective", said)
	shared := said[strings.Index(said, "Prior is Jeffreys"):]
	tried := map[string]bool{"ProfileOptions": true}
	for name, err := range priorErrors(t, jeffreys) {
		options, _, _ := strings.Cut(name, " ")
		tried[options] = true
		errorIf(t, !takesPrior[options], "priorErrors tries %s, which takes no Prior", options)
		if options != "LogisticOptions" && options != "LogisticObjective" {
			t.Run(name, func(t *testing.T) { errorHas(t, err, shared) })
		}
	}
	for name, taking := range takesPrior {
		errorIf(t, taking && !tried[name], "%s is a function or a struct with a Prior, but priorErrors does not try it: add a call", name)
	}
	for _, nothing := range []classify.Prior{(*classify.Isotropic)(nil), (*classify.Gaussian)(nil),
		(*classify.Jeffreys)(nil)} {
		for name, err := range priorErrors(t, nothing) {
			t.Run(name, func(t *testing.T) { errorHas(t, err, "Prior is a nil *classify.") })
		}
	}
	errorIf(t, reflect.TypeFor[classify.LogisticOptions]().NumField() != 6,
		"LogisticOptions no longer has 6 fields: check that a new field also works in GLMOptions and ProbitOptions, which have the same fields")
}

// A threshold on the input separates the two classes, so the maximum-likelihood weights are
// infinite. Jeffreys' prior gives finite weights, and has no parameter to choose.
func ExampleJeffreys() {
	x, t := mat.NewDense(6, 1, []float64{-3, -2, -1, 1, 2, 3}), []float64{0, 0, 0, 1, 1, 1}
	m := toolkit.Must(classify.FitLogistic(x, t, classify.LogisticOptions{Prior: classify.Jeffreys{}}))
	se := toolkit.Must(m.StandardErrors())
	fmt.Printf("%v, slope %.4f ± %.4f\n", m.Converged, m.W[1], se[1])
	v := toolkit.Must(m.ProfileIntervals(x, t, classify.ProfileOptions{Prior: classify.Jeffreys{}}))
	fmt.Printf("95%% interval %.3f to %.3f\n", v.Lower[1], v.Upper[1])
	// Output:
	// true, slope 0.9384 ± 0.6616
	// 95% interval 0.046 to 3.366
}
