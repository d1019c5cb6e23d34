package classify_test

import (
	"bytes"
	"math"
	"reflect"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/hyperplane-notebooks/hyperplane/toolkit"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/classify"
)

// fuzzData converts bytes to rows, labels and targets. An entry of x has one of 16 values, some
// ordinary and some extreme. Equal entries, constant columns and separable classes are therefore
// frequent.
func fuzzData(b []byte, d int) (x *mat.Dense, labels []int, t []float64) {
	n := len(b) / (d + 1)
	x = mat.NewDense(n, d, nil)
	values := []float64{0, 1, -1, 2, 0.5, -3, 1e-3, 1e3, 1e150, -1e150, 1e-150, 1e8, 1e8 + 1, math.NaN(), math.Inf(1),
		7}
	for i := range n {
		row := b[i*(d+1) : (i+1)*(d+1)]
		for j := range d {
			x.Set(i, j, values[row[j]%16])
		}
		labels = append(labels, int(row[d]%3))
		t = append(t, []float64{0, 1, 0, 1, 0.5, 0.25}[row[d]%6])
	}
	return x, labels, t
}

func finite(t *testing.T, name string, v ...float64) {
	t.Helper()
	for _, a := range v {
		if math.IsNaN(a) || math.IsInf(a, 0) {
			t.Errorf("%s: got the numbers %v, want finite numbers", name, v)
			return
		}
	}
}

// reportedFields lists the fields in which models store results: weightFields, and the fields for
// other results.
var reportedFields = append([]string{
	"Direction", "E", "LogLikelihood", "NullLogLikelihood", "Hessian", "Covariance", "Precision", "SumSquare", "Excess",
	"LeastE", "J", "ProjectedScatters",
	"Eigenvalues", "Outputs", "Bound", "MCError", "Determined",
}, weightFields...)

// fuzzFits lists the fits that FuzzFit tries.
var fuzzFits = slices.Concat(models, others, []suiteEntry{
	{"separability", 2, fitter{nil, func(x mat.Matrix, labels []int, _ int, _ any) (any, error) {
		return classify.Separable(x, targets(labels))
	}}},
	{"linear machine of x", 2, plain(func(x mat.Matrix, _ []int, _ int) (classify.Predictor, error) {
		return orNone(classify.NewLinearMachine(x))
	})},
})

// varyOptions returns a copy of `options` in which options that were zero may have other values. Float64
// options are set to `a`; bool and enum options are set to values that depend on `bits`. The maximum
// number of iterations is set to 50. If `a` is not 0, a Prior is set to Isotropic with precision `a`.
// Tolerance and options of other types are unchanged.
func varyOptions(options any, a float64, bits byte) any {
	v := reflect.New(reflect.TypeOf(options)).Elem()
	v.Set(reflect.ValueOf(options))
	for i := range v.NumField() {
		f, name := v.Field(i), v.Type().Field(i).Name
		switch bits := bits >> (i % 8); {
		case !f.IsZero() || name == "Tolerance":
		case f.Kind() == reflect.Float64:
			f.SetFloat(a)
		case f.Kind() == reflect.Bool:
			f.SetBool(bits&1 != 0)
		case f.Kind() == reflect.Int && strings.HasPrefix(name, "Max"):
			f.SetInt(50)
		case f.Kind() == reflect.Int && f.Type() != reflect.TypeFor[int]():
			f.SetInt(int64(bits % 3))
		case f.Type() == reflect.TypeFor[classify.Prior]() && a != 0:
			f.Set(reflect.ValueOf(classify.Isotropic{Alpha: a, FreeBias: bits&1 != 0}))
		}
	}
	return v.Interface()
}

// FuzzFit checks that, for any data, a fit does not panic. If the fit returns no error, its results must
// contain no NaN, the fields Converged, Separable and Reason must be consistent, and the saved model must
// load.
func FuzzFit(f *testing.F) {
	for _, seed := range []struct {
		b    []byte
		d    int
		a    float64
		bits byte
	}{
		{[]byte{0, 0, 0, 1, 1, 1, 2, 3, 0, 4, 5, 1}, 2, 0, 0},
		{[]byte{0, 0, 1, 1, 2, 0, 3, 1, 4, 0, 5, 1, 6, 0}, 1, 1, 1},
		{[]byte{0, 0, 1, 1, 2, 2, 3, 1, 4, 0, 5, 1, 6, 2}, 1, 1, 1},
		{[]byte{8, 0, 9, 1, 10, 0, 11, 1, 12, 0, 0, 1}, 1, 0, 0},
		{[]byte{8, 0, 9, 1, 10, 0, 11, 1, 12, 0, 0, 1}, 1, 0.5, 2},
		{[]byte{8, 0, 9, 1, 10, 0, 11, 1, 12, 0, 0, 1}, 1, 1e-200, 2},
		{[]byte{8, 0, 9, 1, 10, 2, 11, 1, 12, 0, 0, 1, 1, 5}, 1, 0.1, 3},
		{[]byte{1, 0, 2, 1, 3, 2, 4, 1, 5, 0, 6, 1, 7, 4}, 1, 0, 4},
		{[]byte{1, 2, 0, 2, 3, 1, 3, 4, 2, 4, 5, 1, 5, 6, 0}, 2, 0, 5},
		{[]byte{0, 1, 0, 1, 0, 1, 1, 1, 2, 0, 0, 0, 1, 0, 1, 1, 1, 2}, 2, 1e-3, 7},
		{[]byte{0, 1, 0, 1, 0, 1, 1, 1, 2, 0, 0, 0, 1, 0, 1, 1, 1, 2}, 2, 1e200, 7},
		{[]byte{11, 1, 12, 0, 11, 0, 12, 1}, 1, 1e-300, 0},
		{[]byte{13, 0, 14, 1}, 1, 0.5, 0},
		{[]byte("0180Z1"), 1, 0, 'z'},
		{[]byte("011Z00"), 2, 1.7142857142857142, 0xc2},
		{[]byte("18+00001110"), 4, 0, '('}, // fewer rows than columns; entries from 0 to 1e150
	} {
		for kind := range fuzzFits {
			f.Add(seed.b, seed.d, seed.a, seed.bits, byte(kind))
		}
	}
	f.Fuzz(func(t *testing.T, b []byte, d int, a float64, bits, kind byte) {
		if d < 1 || d > 6 || len(b) < d+1 || len(b) > 300 {
			return
		}
		x, labels, _ := fuzzData(b, d)
		e := fuzzFits[int(kind)%len(fuzzFits)]
		if e.k == 2 {
			for i := range labels {
				labels[i] %= 2
			}
		}
		if e.options != nil {
			e.options = varyOptions(e.options, a, bits)
		}
		m, err := e.run(x, labels, e.k)
		if err != nil {
			return
		}
		switch m := m.(type) {
		case *classify.Separability:
			errorIf(t, m.Verify(x, targets(labels)) != nil, "Verify rejects the certificate: %v", m.Verify(x, targets(labels)))
			finite(t, "certificate", append(append(m.W, m.Common...), m.Margin, m.Gap)...)
		case []classify.Approximation:
			for _, a := range m {
				checkSound(t, a.Name, a.Model, x)
			}
		case *mappedModel:
			checkSound(t, e.name, m.Model, m.input(x))
		default:
			checkSound(t, e.name, m, x)
		}
	})
}

// checkSound checks that the results and predictions of a fit are finite. The results of a generative
// model may also be infinite, because the log densities of an empty class are −Inf, but must not be
// NaN. The fields Converged, Separable and Reason must be consistent, and the saved model must load.
func checkSound(t *testing.T, name string, m any, x mat.Matrix) {
	t.Helper()
	numbers := numbersOf(nil, reflect.ValueOf(m), func(name string) bool { return slices.Contains(reportedFields, name) })
	g, generative := m.(classify.Generative)
	if generative {
		errorIf(t, slices.ContainsFunc(append(numbers, sharesOf(g).LogLikelihood), math.IsNaN),
			"%s: the results %v or the log likelihood %v contain NaN, want no NaN", name, numbers, sharesOf(g).LogLikelihood)
		if p, err := g.LogDensities(x); err == nil && slices.ContainsFunc(flat(p), math.IsNaN) {
			t.Errorf("%s: the log densities are %v, want no NaN", name, flat(p))
		}
		if p, err := g.LogMarginal(x); err == nil && slices.ContainsFunc(p, math.IsNaN) {
			t.Errorf("%s: the log marginals are %v, want no NaN", name, p)
		}
	} else {
		finite(t, name, numbers...)
	}
	checkReport(t, reflect.ValueOf(m).Elem())
	switch m := m.(type) {
	case *classify.Perceptron:
		errorIf(t, m.Converged && m.Misclassified != 0, "Converged is true, but %d rows are misclassified, want 0", m.Misclassified)
	case *classify.Logistic:
		errorIf(t, m.Trace[len(m.Trace)-1].Iteration != m.Iterations, "the trace ends with iteration %d, want %d, the last iteration of the fit",
			m.Trace[len(m.Trace)-1].Iteration, m.Iterations)
	case *classify.BayesLogistic:
		finite(t, "evidence", m.LogEvidence(), m.Evidence.LogLikelihood)
	}
	if p, ok := classify.ProberOf(m); ok {
		if p, err := p.Posterior(x); err == nil {
			finite(t, name+" posterior", flat(p)...)
		}
	}
	if p, ok := m.(classify.Predictive); ok {
		if p, se, err := p.PosteriorError(x); err == nil {
			finite(t, name+" posterior and its error", append(flat(p), flat(se)...)...)
		}
	}
	if p, ok := m.(classify.Predictor); ok {
		if class, err := p.Predict(x); err == nil && (slices.Min(class) < 0 || slices.Max(class) > 5) {
			t.Errorf("%s: Predict returns the classes %v, want classes from 0 to 5", name, class)
		}
	}
	if _, ok := m.(*classify.IRLS); ok { // an IRLS cannot be saved
		return
	}
	b := textOf(t, m)
	if err := loadError(string(b)); err != nil {
		t.Errorf("the saved model %s does not load: %v", b, err)
	}
}

// checkReport checks a model that has the fields Converged and Separable, and the entries of its field
// Outputs. Each of them must have a Reason, and Converged and Separable must not both be true.
func checkReport(t *testing.T, v reflect.Value) {
	t.Helper()
	if c, s := v.FieldByName("Converged"), v.FieldByName("Separable"); c.IsValid() && s.IsValid() {
		reason := v.FieldByName("Reason").String()
		errorIf(t, c.Bool() && s.Bool() || reason == "", "got Converged %v, Separable %v, Reason %q; want a Reason, and Converged and Separable not both true", c.Bool(), s.Bool(),
			reason)
	}
	if o := v.FieldByName("Outputs"); o.IsValid() && o.Kind() == reflect.Slice {
		for i := range o.Len() {
			checkReport(t, o.Index(i))
		}
	}
}

// FuzzLoad checks that Load returns an error or a usable model for any bytes. If Load returns a
// model, it must be possible to save the model and to load it again.
func FuzzLoad(f *testing.F) {
	for _, e := range models {
		x, labels := clouds(60, 3, e.k, 1)
		f.Add(textOf(f, toolkit.Must(e.fit(x, labels, e.k))))
	}
	x, labels := clouds(20, 2, 2, 1)
	f.Add(textOf(f, toolkit.Must(classify.FitGLM(x, targets(labels), classify.PoissonTarget{}, classify.GLMOptions{}))))
	x = mat.NewDense(4, 2, []float64{1, 2, 2, 1, 3, 5, 4, 3})
	for _, b := range []classify.Basis{
		toolkit.Must(classify.BasisPolynomial(2, 2)),
		toolkit.Must(classify.BasisGaussian(x, 2)),
		toolkit.Must(classify.BasisStandard(x)),
		toolkit.Must(classify.BasisCompose(toolkit.Must(classify.BasisColumns(2, 1)), ridge("log", []float64{1, 2}))),
		toolkit.Must(classify.BasisJoin(ridge("indicator", []float64{1, 2, 3}))),
	} {
		f.Add(textOf(f, toolkit.Must(classify.FitOnBasis(x, b, func(phi mat.Matrix) (*classify.Logistic, error) {
			return classify.FitLogistic(phi, []float64{1, 0, 1, 0}, classify.LogisticOptions{Prior: isotropic})
		}))))
	}
	for _, text := range []string{
		`{"schema":"hyperplane-logistic/1","w":[1,"Infinity"],"trace":[{"w":[1,2]}]}`,
		`{"schema":"hyperplane-least-squares/1","w":{"rows":9223372036854775807,"cols":2,"data":[1]}}`,
		`{"schema":"hyperplane-on-basis/1","basis":{"kind":"chain"},"model":{}}`,
		`{"schema":"hyperplane-on-basis/1","basis":{"kind":"polynomial","powers":[[9223372036854775807]]},"model":{}}`,
		`{"schema":"hyperplane-lda/1","priors":[1,0],"counts":[1,0],"means":{"rows":2,"cols":1,"data":[1,2]}}`,
		`{"schema":"hyperplane-fisher-multi/1","w":{"rows":1,"cols":1,"data":[1]},"scatter":null}`,
		`{"schema":"hyperplane-one-versus-rest/1","k":2,"machines":[null,null]}`,
		`{"schema":"hyperplane-plane/1","w0":"Infinity","w":["NaN"]}`,
	} {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		m, err := classify.Load(bytes.NewReader(b))
		if err != nil {
			return
		}
		again := textOf(t, m)
		if err := loadError(string(again)); err != nil {
			t.Errorf("%s loads, but the saved copy %s does not: %v", b, again, err)
		}
		for d := 1; d < 4; d++ {
			x := mat.NewDense(1, d, slices.Repeat([]float64{1}, d))
			var errs []error
			if p, ok := m.(classify.Predictor); ok {
				errs = append(errs, errorOf(p.Predict(x)))
			}
			if s, ok := m.(classify.Scorer); ok {
				errs = append(errs, errorOf(s.Scores(x)))
			}
			if g, ok := m.(*classify.GLM); ok {
				errs = append(errs, errorOf(g.Mean(x)))
			}
			for _, err := range errs {
				errorIf(t, err != nil && !strings.HasPrefix(err.Error(), "classify: "), "error %q does not begin with \"classify: \"", err)
			}
			on, ok := m.(*classify.OnBasis[classify.Predictor])
			if !ok {
				continue
			}
			logistic, ok := on.Model.(*classify.Logistic)
			if !ok {
				continue
			}
			finiteWeights := !slices.ContainsFunc(logistic.W, func(v float64) bool { return math.IsNaN(v) || math.IsInf(v, 0) })
			if p, err := on.Posterior(x); err == nil && finiteWeights && slices.ContainsFunc(flat(p), math.IsNaN) {
				t.Errorf("got posterior %v for the finite weights %v, want no NaN", flat(p), logistic.W)
			}
		}
	})
}

// FuzzSolvers checks every solver except Newton on arbitrary data. A solver must not panic. If it
// returns no error, the results must be finite, there must be a Reason, and Converged and Separable
// must not both be true. The trace must end with the last of at most 40 iterations.
func FuzzSolvers(f *testing.F) {
	f.Add([]byte{0, 0, 0, 1, 1, 1, 2, 3, 0, 4, 5, 1}, 2, 0.0, 0.5)
	f.Add([]byte{0, 0, 1, 1, 2, 0, 3, 1, 4, 0, 5, 1, 6, 0}, 1, 1.0, 0.0)
	f.Add([]byte{8, 0, 9, 1, 10, 0, 11, 1, 12, 0, 0, 1}, 1, 0.0, 1e3)
	f.Fuzz(func(t *testing.T, b []byte, d int, alpha, rate float64) {
		if d < 1 || d > 4 || len(b) < d+1 || len(b) > 100 {
			return
		}
		x, _, y := fuzzData(b, d)
		o := classify.LogisticOptions{MaxIterations: 40}
		if alpha != 0 {
			o.Prior = classify.Isotropic{Alpha: alpha, FreeBias: len(b)%2 == 0}
		}
		for _, solver := range []classify.Solver{
			classify.GradientDescent{Rate: rate, Stop: classify.Stopping{NoErrors: len(b)%3 == 0}},
			classify.Sequential{Rate: rate, Shuffle: true, Corrected: len(b)%2 == 0, EveryUpdate: len(b) < 20},
			classify.CoordinateAscent{Rate: rate, EveryUpdate: len(b) < 20},
			classify.LBFGS{Stop: classify.Stopping{X: x, T: y}},
		} {
			o.Solver = solver
			m, err := classify.FitLogistic(x, y, o)
			if err != nil {
				continue
			}
			finite(t, "w", m.W...)
			finite(t, "direction", m.Direction...)
			finite(t, "numbers", m.E, m.LogLikelihood, m.NullLogLikelihood)
			errorIf(t, m.Reason == "" || m.Converged && m.Separable, "%T: got Reason %q, Converged %v, Separable %v; want a Reason, and Converged and Separable not both true", solver,
				m.Reason, m.Converged, m.Separable)
			last := m.Trace[len(m.Trace)-1]
			errorIf(t, last.Iteration != m.Iterations || m.Iterations > 40, "%T: the last step has iteration %d, but the model reports %d iterations; want equal numbers of at most 40", solver,
				last.Iteration, m.Iterations)
		}
	})
}
