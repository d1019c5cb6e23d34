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
			t.Errorf("%s: %v", name, v)
			return
		}
	}
}

// reportedFields lists the fields of models that contain results other than weights.
var reportedFields = append([]string{
	"Direction", "E", "LogLikelihood", "NullLogLikelihood", "Hessian", "Covariance", "Precision", "SumSquare", "Excess",
	"LeastE", "J", "ProjectedScatters",
	"Eigenvalues", "Outputs", "Bound", "MCError", "Determined",
}, weightFields...)

// A fuzzRun contains the data of one run and the numbers that determine the options of the fit.
type fuzzRun struct {
	x      *mat.Dense
	labels []int
	target []float64
	a      float64
	bits   byte
	n      int
}

func (f *fuzzRun) even() bool { return f.n%2 == 0 }

// prior returns nil if a is 0, and Isotropic{Alpha: a} otherwise.
func (f *fuzzRun) prior() classify.Prior {
	if f.a == 0 {
		return nil
	}
	return classify.Isotropic{Alpha: f.a, FreeBias: f.even()}
}

// hardTargets returns the targets 0 and 1 of the rows.
func (f *fuzzRun) hardTargets() []float64 { return targets(f.labels) }

func (f *fuzzRun) counting() classify.NaiveBayesBernoulliOptions {
	return classify.NaiveBayesBernoulliOptions{Smoothing: f.a, UniformPriors: f.bits&1 != 0}
}

// fitLabels returns a fuzzFit that fits the labels of a run. fitTargets returns a fuzzFit that fits
// the targets 0 and 1.
func fitLabels[M, O any](fit func(mat.Matrix, []int, int, O) (M, error), o func(*fuzzRun) O) fuzzFit {
	return func(_ *testing.T, f *fuzzRun) (any, error) { return fit(f.x, f.labels, 3, o(f)) }
}

func fitTargets[M, O any](fit func(mat.Matrix, []float64, O) (M, error), o func(*fuzzRun) O) fuzzFit {
	return func(_ *testing.T, f *fuzzRun) (any, error) { return fit(f.x, f.hardTargets(), o(f)) }
}

type fuzzFit func(*testing.T, *fuzzRun) (any, error)

// fuzzFits lists the fits that FuzzFit tries.
var fuzzFits = []struct {
	name string
	fit  fuzzFit
}{
	{"least squares", fitLabels(classify.FitLeastSquares, func(f *fuzzRun) classify.LeastSquaresOptions {
		return classify.LeastSquaresOptions{Ridge: f.a, FreeBias: f.even(), Coding: classify.Coding(f.n % 3)}
	})},
	{"logistic", func(t *testing.T, f *fuzzRun) (any, error) {
		m, err := classify.FitLogistic(f.x, f.target, classify.LogisticOptions{Prior: f.prior()})
		if err == nil {
			errorIf(t, len(m.Trace) != m.Iterations+1, "%d steps, %d iterations", len(m.Trace), m.Iterations)
		}
		return m, err
	}},
	{"softmax", fitLabels(classify.FitSoftmax,
		func(f *fuzzRun) classify.SoftmaxOptions { return classify.SoftmaxOptions{Prior: f.prior()} })},
	{"probit", func(t *testing.T, f *fuzzRun) (any, error) {
		return classify.FitProbit(f.x, f.target, classify.ProbitOptions{Prior: f.prior()})
	}},
	{"label flip", func(t *testing.T, f *fuzzRun) (any, error) {
		return classify.FitLabelFlip(f.x, f.target,
			classify.LabelFlipOptions{Prior: f.prior(), Epsilon: 0.1, Estimate: f.n%3 == 0})
	}},
	{"squared sigmoid", fitLabels(classify.FitSigmoidSquares, func(f *fuzzRun) classify.SigmoidSquaresOptions {
		return classify.SigmoidSquaresOptions{Prior: f.prior()}
	})},
	{"canonical link", func(t *testing.T, f *fuzzRun) (any, error) {
		for i := range f.target {
			f.target[i] += float64(f.labels[i]) // 0 … 2.25
		}
		family := []classify.TargetFamily{classify.PoissonTarget{}, classify.GaussianTarget{},
			classify.GammaTarget{}}[f.bits%3]
		return classify.FitGLM(f.x, f.target, family, classify.GLMOptions{Prior: f.prior()})
	}},
	{"quadratic logistic", fitLabels(classify.FitQuadraticLogistic, func(f *fuzzRun) classify.QuadraticLogisticOptions {
		return classify.QuadraticLogisticOptions{Lambda: f.a, Rank: f.n % 3}
	})},
	{"perceptron", func(t *testing.T, f *fuzzRun) (any, error) {
		m, err := classify.FitPerceptron(f.x, f.hardTargets(),
			classify.PerceptronOptions{MaxEpochs: 20, Rate: f.a, Pocket: f.even(), Shuffle: f.n%3 == 0})
		if err == nil {
			errorIf(t, m.Converged && m.Misclassified != 0, "the perceptron has Converged set, but %d rows are misclassified", m.Misclassified)
		}
		return m, err
	}},
	{"adaline", fitTargets(classify.FitAdaline,
		func(f *fuzzRun) classify.AdalineOptions { return classify.AdalineOptions{MaxEpochs: 20, Rate: f.a} })},
	{"separability", func(t *testing.T, f *fuzzRun) (any, error) {
		s, err := classify.Separable(f.x, f.hardTargets())
		if err == nil {
			errorIf(t, s.Verify(f.x, f.hardTargets()) != nil, "%v", s.Verify(f.x, f.hardTargets()))
			finite(t, "certificate", append(append(s.W, s.Common...), s.Margin, s.Gap)...)
		}
		return nil, err
	}},
	{"linear machine", func(t *testing.T, f *fuzzRun) (any, error) {
		m, err := classify.NewLinearMachine(f.x)
		if err != nil {
			return nil, err
		}
		return m, nil
	}},
	{"one versus one", func(t *testing.T, f *fuzzRun) (any, error) {
		return classify.FitOneVersusOne(f.x, f.labels, 3, leastSquaresMachine,
			classify.OneVersusOneOptions{Rule: classify.PairRule(f.n % 3)})
	}},
	{"Fisher", fitTargets(classify.FitFisher, func(f *fuzzRun) classify.FisherOptions {
		return classify.FisherOptions{Threshold: classify.FisherThreshold(f.bits >> 1 & 1), Shrinkage: f.a,
			PseudoInverse: f.bits&4 != 0}
	})},
	{"Fisher, 3 classes", fitLabels(classify.FitFisherMulti, func(f *fuzzRun) classify.FisherMultiOptions {
		return classify.FisherMultiOptions{Shrinkage: f.a, PseudoInverse: f.bits&4 != 0, UniformPriors: f.bits&1 != 0}
	})},
	{"LDA", fitLabels(classify.FitLDA, func(f *fuzzRun) classify.LDAOptions {
		return classify.LDAOptions{Shrinkage: f.a, UniformPriors: f.bits&1 != 0, Unbiased: f.bits&2 != 0}
	})},
	{"QDA", fitLabels(classify.FitQDA, func(f *fuzzRun) classify.QDAOptions {
		return classify.QDAOptions{Shrinkage: f.a, UniformPriors: f.bits&1 != 0, Unbiased: f.bits&2 != 0}
	})},
	{"Gaussian naive Bayes", fitLabels(classify.FitNaiveBayesGaussian, func(f *fuzzRun) classify.NaiveBayesGaussianOptions {
		return classify.NaiveBayesGaussianOptions{Smoothing: f.a, UniformPriors: f.bits&1 != 0, Unbiased: f.bits&2 != 0}
	})},
	{"Bernoulli naive Bayes", fitLabels(classify.FitNaiveBayesBernoulli, (*fuzzRun).counting)},
	{"categorical naive Bayes", func(t *testing.T, f *fuzzRun) (any, error) {
		_, d := f.x.Dims()
		return classify.FitNaiveBayesCategorical(f.x, slices.Repeat([]int{8}, d), f.labels, 3,
			classify.NaiveBayesCategoricalOptions(f.counting()))
	}},
	{"exponential family", fitLabels(classify.FitExponentialFamily, func(f *fuzzRun) classify.ExponentialFamilyOptions {
		return classify.ExponentialFamilyOptions{Density: classify.Density(f.bits >> 3 % 5), Smoothing: f.a,
			UniformPriors: f.bits&1 != 0}
	})},
	{"Bayes logistic", func(t *testing.T, f *fuzzRun) (any, error) {
		m, err := classify.FitBayesLogistic(f.x, f.target,
			classify.BayesLogisticOptions{Prior: f.prior(), Method: classify.PredictiveMethod(f.bits % 4),
				Reestimate: f.n%3 == 0})
		if err == nil {
			finite(t, "evidence", m.LogEvidence(), m.Evidence.LogLikelihood)
		}
		return m, err
	}},
	{"Bayes softmax", fitLabels(classify.FitBayesSoftmax, func(f *fuzzRun) classify.BayesSoftmaxOptions {
		return classify.BayesSoftmaxOptions{Prior: f.prior(), Draws: 10, Reestimate: f.n%3 == 0}
	})},
	{"variational", fitTargets(classify.FitVariationalLogistic, func(f *fuzzRun) classify.VariationalLogisticOptions {
		return classify.VariationalLogisticOptions{Prior: f.prior(), Method: classify.PredictiveMethod(f.bits >> 1 % 3),
			Plain: f.bits&8 != 0, MaxIterations: 50}
	})},
	{"sample", fitTargets(classify.SampleLogistic, func(f *fuzzRun) classify.SampleLogisticOptions {
		return classify.SampleLogisticOptions{Prior: f.prior(), Method: classify.Sampler(f.bits >> 4 % 2), Draws: 8,
			Warmup: 4, Chains: 2}
	})},
}

// FuzzFit checks that, for any data, a fit does not panic and returns no NaN without an error. The
// fields Converged, Separable and Reason must be consistent, and a saved model must load.
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
		{[]byte("18+00001110"), 4, 0, '('}, // fewer rows than columns; the entries of the columns are about 1e150 and 1
	} {
		for kind := range fuzzFits {
			f.Add(seed.b, seed.d, seed.a, seed.bits, byte(kind))
		}
	}
	f.Fuzz(func(t *testing.T, b []byte, d int, a float64, bits, kind byte) {
		if d < 1 || d > 6 || len(b) < d+1 || len(b) > 300 {
			return
		}
		run := &fuzzRun{a: a, bits: bits, n: len(b)}
		run.x, run.labels, run.target = fuzzData(b, d)
		fit := fuzzFits[int(kind)%len(fuzzFits)]
		if m, err := fit.fit(t, run); err == nil && m != nil {
			checkSound(t, fit.name, m, run.x)
		}
	})
}

// checkSound checks that the results and predictions of a fit are finite. The fields Converged,
// Separable and Reason must be consistent, and the saved model must load.
func checkSound(t *testing.T, name string, m any, x mat.Matrix) {
	t.Helper()
	numbers := numbersOf(nil, reflect.ValueOf(m), func(name string) bool { return slices.Contains(reportedFields, name) })
	g, generative := m.(classify.Generative)
	if generative { // the log densities of an empty class are −Inf
		errorIf(t, slices.ContainsFunc(append(numbers, sharesOf(g).LogLikelihood), math.IsNaN),
			"%s: the results %v or the likelihood %v contain NaN, want numbers", name, numbers, sharesOf(g).LogLikelihood)
		if p, err := g.LogDensities(x); err == nil && slices.ContainsFunc(flat(p), math.IsNaN) {
			t.Errorf("%s: densities %v", name, flat(p))
		}
		if p, err := g.LogMarginal(x); err == nil && slices.ContainsFunc(p, math.IsNaN) {
			t.Errorf("%s: marginals %v", name, p)
		}
	} else {
		finite(t, name, numbers...)
	}
	checkReport(t, reflect.ValueOf(m).Elem())
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
			t.Errorf("%s: classes %v", name, class)
		}
	}
	b := textOf(t, m)
	if err := loadError(string(b)); err != nil {
		t.Errorf("the saved model %s does not load: %v", b, err)
	}
}

// checkReport checks that a model and each entry of its field Outputs have a Reason, and that
// Converged and Separable are not both set.
func checkReport(t *testing.T, v reflect.Value) {
	t.Helper()
	if c, s := v.FieldByName("Converged"), v.FieldByName("Separable"); c.IsValid() && s.IsValid() {
		reason := v.FieldByName("Reason").String()
		errorIf(t, c.Bool() && s.Bool() || reason == "", "got Converged %v, Separable %v, Reason %q; want a Reason, and not both fields set", c.Bool(), s.Bool(),
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
				errs = append(errs, of(p.Predict(x)))
			}
			if s, ok := m.(classify.Scorer); ok {
				errs = append(errs, of(s.Scores(x)))
			}
			if g, ok := m.(*classify.GLM); ok {
				errs = append(errs, of(g.Mean(x)))
			}
			for _, err := range errs {
				errorIf(t, err != nil && !strings.HasPrefix(err.Error(), "classify: "), "error %q has no prefix, want \"classify: \"", err)
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

// FuzzSolvers checks each solver on arbitrary data. A solver must not panic. If it returns no
// error, the results must not contain NaN, and Converged and Separable must not both be set.
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
		for _, way := range []classify.Solver{
			classify.GradientDescent{Rate: rate, Stop: classify.Stopping{NoErrors: len(b)%3 == 0}},
			classify.Sequential{Rate: rate, Shuffle: true, Corrected: len(b)%2 == 0, EveryUpdate: len(b) < 20},
			classify.CoordinateAscent{Rate: rate, EveryUpdate: len(b) < 20},
			classify.LBFGS{Stop: classify.Stopping{X: x, T: y}},
		} {
			o.Solver = way
			m, err := classify.FitLogistic(x, y, o)
			if err != nil {
				continue
			}
			finite(t, "w", m.W...)
			finite(t, "direction", m.Direction...)
			finite(t, "numbers", m.E, m.LogLikelihood, m.NullLogLikelihood)
			errorIf(t, m.Reason == "" || m.Converged && m.Separable, "%T: got Reason %q, Converged %v, Separable %v; want a Reason, and not both fields set", way,
				m.Reason, m.Converged, m.Separable)
			last := m.Trace[len(m.Trace)-1]
			errorIf(t, last.Iteration != m.Iterations || m.Iterations > 40, "%T: the last step has iteration %d, want %d, which must be at most 40", way,
				last.Iteration, m.Iterations)
		}
	})
}
