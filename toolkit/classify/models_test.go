package classify_test

import (
	"math"
	"math/rand/v2"
	"reflect"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/hyperplane-notebooks/hyperplane/toolkit"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/classify"
)

// suiteEntry is one entry of the lists `models` and `others`, which the common tests use. It contains
// a fit and the number of classes in its data.
type suiteEntry struct {
	name string
	k    int
	fitter
}

// fitter contains an Options struct, or nil for a fit without options, and a function that fits
// labelled rows with these options.
type fitter struct {
	options any
	call    func(x mat.Matrix, labels []int, k int, options any) (any, error)
}

type fitFunc func(x mat.Matrix, labels []int, k int) (classify.Predictor, error)

// run fits rows with the options of f.
func (f fitter) run(x mat.Matrix, labels []int, k int) (any, error) {
	return f.call(x, labels, k, f.options)
}

// fit does the same as `run`, but returns the model as a Predictor, or nil if the model does not
// implement Predictor.
func (f fitter) fit(x mat.Matrix, labels []int, k int) (classify.Predictor, error) {
	m, err := f.run(x, labels, k)
	p, _ := m.(classify.Predictor)
	return p, err
}

// has reports whether the options of f have a field with the given name.
func (f fitter) has(name string) bool {
	v := reflect.ValueOf(f.options)
	return v.Kind() == reflect.Struct && v.FieldByName(name).IsValid()
}

// The method `with` returns a copy of f in which one option has the given value.
func (f fitter) with(name string, value any) fitter {
	o := reflect.New(reflect.TypeOf(f.options)).Elem()
	o.Set(reflect.ValueOf(f.options))
	o.FieldByName(name).Set(reflect.ValueOf(value))
	f.options = o.Interface()
	return f
}

var (
	isotropic = classify.Isotropic{Alpha: 2}
	freeBias  = classify.Isotropic{Alpha: 2, FreeBias: true}
)

// models lists fits of all models that predict classes. Add at least one entry for each new model of
// this kind.
var models = []suiteEntry{
	{"least squares, 3 classes", 3, labelled(classify.FitLeastSquares, classify.LeastSquaresOptions{})},
	{"least squares, 2 classes", 2, labelled(classify.FitLeastSquares, classify.LeastSquaresOptions{})},
	{"least squares, ±1", 2,
		labelled(classify.FitLeastSquares, classify.LeastSquaresOptions{Coding: classify.CodingPlusMinus})},
	{"least squares, ±1, 3 classes", 3,
		labelled(classify.FitLeastSquares, classify.LeastSquaresOptions{Coding: classify.CodingPlusMinus})},
	{"least squares, Fisher", 2,
		labelled(classify.FitLeastSquares, classify.LeastSquaresOptions{Coding: classify.CodingFisher})},
	{"least squares, ridge", 3, labelled(classify.FitLeastSquares, classify.LeastSquaresOptions{Ridge: 3})},
	{"least squares, ridge, free bias", 3,
		labelled(classify.FitLeastSquares, classify.LeastSquaresOptions{Ridge: 3, FreeBias: true})},
	{"perceptron", 2, twoClass(classify.FitPerceptron, classify.PerceptronOptions{MaxEpochs: 20})},
	{"perceptron, pocket", 2,
		twoClass(classify.FitPerceptron,
			classify.PerceptronOptions{MaxEpochs: 20, Pocket: true, Shuffle: true, Rule: classify.MistakeStep})},
	{"adaline", 2, twoClass(classify.FitAdaline, classify.AdalineOptions{Decay: 0.1})},
	{"adaline, shuffled", 2,
		twoClass(classify.FitAdaline, classify.AdalineOptions{Shuffle: true, Seed: 4, MaxEpochs: 10})},
	{"one versus rest", 3, labelled(fitRest, classify.OneVersusRestOptions{})},
	{"one versus rest, K−1", 3, labelled(fitRest, classify.OneVersusRestOptions{LastIsRest: true})},
	{"one versus one, votes", 3, labelled(fitOne, classify.OneVersusOneOptions{Rule: classify.PairVotes})},
	{"one versus one, sums", 4, labelled(fitOne, classify.OneVersusOneOptions{Rule: classify.PairSums})},
	{"one versus one, all", 3, labelled(fitOne, classify.OneVersusOneOptions{Rule: classify.PairAll})},
	{"linear machine", 3, plain(ofLeastSquares(classify.LinearMachineOf))},
	{"hyperplane", 2, plain(ofLeastSquares(classify.BoundaryOf))},

	{"logistic, maximum likelihood", 2, twoClass(classify.FitLogistic, classify.LogisticOptions{})},
	{"logistic, prior", 2, twoClass(classify.FitLogistic, classify.LogisticOptions{Prior: isotropic})},
	{"logistic, free bias", 2, twoClass(classify.FitLogistic, classify.LogisticOptions{Prior: freeBias})},
	{"logistic, Jeffreys", 2, twoClass(classify.FitLogistic, classify.LogisticOptions{Prior: classify.Jeffreys{}})},
	{"logistic, gradient descent", 2,
		twoClass(classify.FitLogistic,
			classify.LogisticOptions{Solver: classify.GradientDescent{SmallStart: true, Seed: 7}, MaxIterations: 20})},
	{"logistic, sequential", 2,
		twoClass(classify.FitLogistic,
			classify.LogisticOptions{Solver: classify.Sequential{Corrected: true, Shuffle: true, Seed: 3},
				MaxIterations: 20})},
	{"logistic, coordinate ascent", 2,
		twoClass(classify.FitLogistic,
			classify.LogisticOptions{Solver: classify.CoordinateAscent{}, MaxIterations: 20})},
	{"logistic, L-BFGS", 2,
		twoClass(classify.FitLogistic, classify.LogisticOptions{Solver: classify.LBFGS{Memory: 2}, MaxIterations: 8})},
	{"softmax, 2 classes", 2, labelled(classify.FitSoftmax, classify.SoftmaxOptions{})},
	{"softmax, 4 classes", 4, labelled(classify.FitSoftmax, classify.SoftmaxOptions{})},
	{"softmax, prior", 3, labelled(classify.FitSoftmax, classify.SoftmaxOptions{Prior: isotropic})},
	{"softmax, free bias", 3, labelled(classify.FitSoftmax, classify.SoftmaxOptions{Prior: freeBias})},
	{"probit", 2, twoClass(classify.FitProbit, classify.ProbitOptions{})},
	{"probit, prior", 2, twoClass(classify.FitProbit, classify.ProbitOptions{Prior: isotropic})},
	{"label flip, fixed", 2, twoClass(classify.FitLabelFlip, classify.LabelFlipOptions{Epsilon: 0.05})},
	{"label flip, estimated", 2,
		twoClass(classify.FitLabelFlip,
			classify.LabelFlipOptions{Estimate: true, Prior: classify.Isotropic{Alpha: 0.5}})},
	{"squared sigmoid, 2 classes", 2, labelled(classify.FitSigmoidSquares, classify.SigmoidSquaresOptions{})},
	{"squared sigmoid, 3 classes", 3,
		labelled(classify.FitSigmoidSquares, classify.SigmoidSquaresOptions{Prior: classify.Isotropic{Alpha: 0.1}})},
	{"quadratic logistic", 3, labelled(classify.FitQuadraticLogistic, classify.QuadraticLogisticOptions{})},
	{"quadratic logistic, rank 1", 3,
		labelled(classify.FitQuadraticLogistic, classify.QuadraticLogisticOptions{Lambda: 1, Rank: 1})},

	{"Fisher", 2, twoClass(classify.FitFisher, classify.FisherOptions{})},
	{"Fisher, midpoint, shrunk", 2,
		twoClass(classify.FitFisher,
			classify.FisherOptions{Threshold: classify.FisherThresholdMidpoint, Shrinkage: 0.1})},
	{"Fisher, 3 classes", 3, labelled(classify.FitFisherMulti, classify.FisherMultiOptions{})},
	{"Fisher, 3 classes, 1 feature", 3,
		labelled(classify.FitFisherMulti, classify.FisherMultiOptions{Features: 1, UniformPriors: true})},
	{"LDA, 2 classes", 2, labelled(classify.FitLDA, classify.LDAOptions{})},
	{"LDA, 3 classes, unbiased", 3, labelled(classify.FitLDA, classify.LDAOptions{Unbiased: true, Shrinkage: 0.05})},
	{"QDA, 3 classes", 3, labelled(classify.FitQDA, classify.QDAOptions{})},
	{"QDA, unbiased, shrunk", 3, labelled(classify.FitQDA, classify.QDAOptions{Unbiased: true, Shrinkage: 0.1})},
	{"Gaussian naive Bayes", 3, labelled(classify.FitNaiveBayesGaussian, classify.NaiveBayesGaussianOptions{})},
	{mappedNames[0], 3, mapped(0, labelled(classify.FitNaiveBayesBernoulli, classify.NaiveBayesBernoulliOptions{}))},
	{mappedNames[1], 3, mapped(1, labelled(fitThreeLevels, classify.NaiveBayesCategoricalOptions{Smoothing: 1}))},
	{mappedNames[2], 3, mapped(2, ofDensity(classify.DensityGaussian, 1.5, 0))},
	{mappedNames[3], 3, mapped(3, ofDensity(classify.DensityExponential, 1.5, 0))},
	{mappedNames[4], 3, mapped(4, ofDensity(classify.DensityGamma, 1.5, 2))},
	{mappedNames[5], 3, mapped(5, ofDensity(classify.DensityPoisson, 0, 0))},
	{mappedNames[6], 3, mapped(6, ofDensity(classify.DensityBernoulli, 0, 0))},

	{"Bayes logistic", 2, twoClass(classify.FitBayesLogistic, classify.BayesLogisticOptions{Prior: isotropic})},
	{"Bayes logistic, quadrature", 2,
		twoClass(classify.FitBayesLogistic,
			classify.BayesLogisticOptions{Prior: isotropic, Method: classify.PredictiveQuadrature})},
	{"Bayes logistic, plug-in, flat", 2,
		twoClass(classify.FitBayesLogistic, classify.BayesLogisticOptions{Method: classify.PredictivePlugIn})},
	{"Bayes logistic, α re-estimated", 2,
		twoClass(classify.FitBayesLogistic,
			classify.BayesLogisticOptions{Reestimate: true, Prior: classify.Isotropic{Alpha: 1, FreeBias: true}})},
	{"Bayes softmax", 3, labelled(classify.FitBayesSoftmax, classify.BayesSoftmaxOptions{Prior: freeBias, Draws: 50})},
	{"Bayes softmax, flat", 3, labelled(classify.FitBayesSoftmax, classify.BayesSoftmaxOptions{Draws: 50})},
	{"Bayes softmax, 2 classes", 2,
		labelled(classify.FitBayesSoftmax, classify.BayesSoftmaxOptions{Draws: 40, Prior: isotropic})},
	{"variational", 2, twoClass(classify.FitVariationalLogistic, classify.VariationalLogisticOptions{})},
	{"variational, prior, quadrature", 2,
		twoClass(classify.FitVariationalLogistic,
			classify.VariationalLogisticOptions{Prior: classify.Isotropic{Alpha: 1, FreeBias: true},
				Method: classify.PredictiveQuadrature})},
	{"sampling, Hamiltonian", 2,
		twoClass(classify.SampleLogistic, classify.SampleLogisticOptions{Draws: 50, Warmup: 30, Chains: 3})},
	{"sampling, random walk", 2,
		twoClass(classify.SampleLogistic,
			classify.SampleLogisticOptions{Draws: 50, Warmup: 30, Chains: 3,
				Prior: classify.Isotropic{Alpha: 1, FreeBias: true}, Method: classify.SamplerRandomWalk})},

	{"logistic on bells", 2, plain(onBells)},
	{"least squares on products and a sine, 3 classes", 3, plain(onPowers)},
}

// others lists fits that TestCommon does not cover. Most of them are fits to soft targets or to
// numbers, or fits whose results do not predict classes.
var others = []suiteEntry{
	{"Bernoulli", 2, ofFamily(classify.BernoulliTarget{}, func(v float64) float64 { return v })},
	{"Poisson", 2, ofFamily(classify.PoissonTarget{}, func(v float64) float64 { return math.Floor(5 * v) })},
	{"Gaussian", 2, ofFamily(classify.GaussianTarget{Scale: 2}, func(v float64) float64 { return v })},
	{"gamma", 2, ofFamily(classify.GammaTarget{Scale: 0.5}, func(v float64) float64 { return 1 + v })},
	{"softmax, gradient descent", 3,
		labelled(classify.FitSoftmax, classify.SoftmaxOptions{Solver: classify.GradientDescent{}, MaxIterations: 50})},
	{"softmax, soft targets", 3, ofShares(classify.FitSoftmaxTargets, classify.SoftmaxOptions{})},
	{"least squares, soft targets", 3, ofShares(classify.FitLeastSquaresTargets, classify.LeastSquaresOptions{})},
	{"squared sigmoids, several likely classes", 3,
		ofShares(func(x, t mat.Matrix, o classify.SigmoidSquaresOptions) (*classify.SigmoidSquares, error) {
			likely := mat.DenseCopyOf(t)
			likely.Apply(func(_, _ int, v float64) float64 { return truth(v > 0.3) }, likely)
			return classify.FitSigmoidSquaresTargets(x, likely, o)
		}, classify.SigmoidSquaresOptions{Prior: isotropic})},
	{"weighted least squares", 2,
		twoClass(func(x mat.Matrix, t []float64,
			o classify.WeightedLeastSquaresOptions) (*classify.WeightedLeastSquares, error) {
			return classify.FitWeightedLeastSquares(x, t, nil, o)
		}, classify.WeightedLeastSquaresOptions{})},
	{"iterative reweighted least squares", 2, twoClass(classify.FitIRLS, classify.IRLSOptions{})},
	{"all approximations", 2,
		twoClass(classify.FitApproximations, classify.ApproximationsOptions{Prior: isotropic,
			Sample: classify.SampleLogisticOptions{Draws: 20, Warmup: 10, Chains: 1}})},
}

// targets returns two-class targets for the labels: 1 for class 0, and 0 for the other classes.
func targets(labels []int) []float64 {
	t := make([]float64, len(labels))
	for i, l := range labels {
		t[i] = truth(l == 0)
	}
	return t
}

// strictTargets converts labels in the same way as the function `targets`, but an invalid label
// becomes an invalid target.
func strictTargets(labels []int) []float64 {
	t := targets(labels)
	for i, l := range labels {
		if l < 0 || l > 1 {
			t[i] = float64(l)
		}
	}
	return t
}

// sidesOf converts two-class targets to the labels 0 and 1.
func sidesOf(t []float64) []int {
	labels := make([]int, len(t))
	for i, v := range t {
		if v == 0 {
			labels[i] = 1
		}
	}
	return labels
}

// clouds returns n random points of k overlapping classes in d dimensions, and their labels.
func clouds(n, d, k int, seed uint64) (*mat.Dense, []int) {
	rng := rand.New(rand.NewPCG(seed, 11))
	x, labels := mat.NewDense(n, d, nil), make([]int, n)
	for i := range n {
		labels[i] = i % k
		for j := range d {
			v := rng.NormFloat64()
			if j%k == labels[i] {
				v += 0.8
			}
			x.Set(i, j, v)
		}
	}
	return x, labels
}

func orNone[M classify.Predictor](m M, err error) (classify.Predictor, error) {
	if err != nil {
		return nil, err
	}
	return m, nil
}

// labelled returns a fitter for a function that fits labels.
func labelled[M, O any](fit func(mat.Matrix, []int, int, O) (M, error), o O) fitter {
	return fitter{o, func(x mat.Matrix, labels []int, k int, o any) (any, error) {
		return orNil(fit(x, labels, k, o.(O)))
	}}
}

// twoClass returns a fitter for a function that fits the targets 0 and 1.
func twoClass[M, O any](fit func(mat.Matrix, []float64, O) (M, error), o O) fitter {
	return labelled(func(x mat.Matrix, labels []int, _ int, o O) (M, error) {
		return fit(x, strictTargets(labels), o)
	}, o)
}

// ofShares returns a fitter for a function that fits a matrix of targets. The targets depend only
// on the row of x and on the number of classes.
func ofShares[M, O any](fit func(x, t mat.Matrix, o O) (M, error), o O) fitter {
	return labelled(func(x mat.Matrix, _ []int, k int, o O) (M, error) {
		n, _ := x.Dims()
		t := mat.NewDense(n, k, nil)
		for i := range n {
			a, rest := shareOf(x, i), 1.0
			for c := range k {
				t.Set(i, c, rest*truth(c == k-1)+a*rest*truth(c < k-1))
				rest -= t.At(i, c)
			}
		}
		return fit(x, t, o)
	}, o)
}

// shareOf returns a number from 0.1 to 0.6 that depends only on row i of x.
func shareOf(x mat.Matrix, i int) float64 { return 0.1 + 0.5*math.Mod(math.Abs(7*x.At(i, 0)), 1) }

// ofFamily returns a fitter of a generalized linear model. The target of row i of x is
// f(shareOf(x, i)).
func ofFamily(family classify.TargetFamily, f func(share float64) float64) fitter {
	return labelled(func(x mat.Matrix, labels []int, _ int, o classify.GLMOptions) (*classify.GLM, error) {
		t := make([]float64, len(labels))
		for i := range t {
			t[i] = f(shareOf(x, i))
		}
		return classify.FitGLM(x, t, family, o)
	}, classify.GLMOptions{})
}

func ofDensity(d classify.Density, scale, shape float64) fitter {
	return labelled(classify.FitExponentialFamily,
		classify.ExponentialFamilyOptions{Density: d, Scale: scale, Shape: shape})
}

// plain returns a fitter without options.
func plain(fit fitFunc) fitter {
	return fitter{nil, func(x mat.Matrix, labels []int, k int, _ any) (any, error) { return fit(x, labels, k) }}
}

// orNil returns m if err is nil. Otherwise it returns nil instead of m, because m may be a nil pointer,
// and an interface that contains a nil pointer is not nil.
func orNil[M any](m M, err error) (any, error) {
	if err != nil {
		return nil, err
	}
	return m, nil
}

func multi[M classify.Predictor, O any](fit func(mat.Matrix, []int, int, O) (M, error), o O) fitFunc {
	return labelled(fit, o).fit
}

func binary[M classify.Predictor, O any](fit func(mat.Matrix, []float64, O) (M, error), o O) fitFunc {
	return twoClass(fit, o).fit
}

// logisticMachine fits the two-class machines that one-versus-rest and one-versus-one models
// combine.
func logisticMachine(x mat.Matrix, t []float64) (classify.Scorer, error) {
	return classify.FitLogistic(x, t, classify.LogisticOptions{Prior: classify.Isotropic{Alpha: 1}})
}

func fitRest(x mat.Matrix, labels []int, k int, o classify.OneVersusRestOptions) (*classify.OneVersusRest, error) {
	return classify.FitOneVersusRest(x, labels, k, logisticMachine, o)
}

func fitOne(x mat.Matrix, labels []int, k int, o classify.OneVersusOneOptions) (*classify.OneVersusOne, error) {
	return classify.FitOneVersusOne(x, labels, k, logisticMachine, o)
}

func fitThreeLevels(x mat.Matrix, labels []int, k int,
	o classify.NaiveBayesCategoricalOptions) (*classify.NaiveBayesCategorical, error) {
	levels := []int{3, 3, 3}
	if x, ok := x.(mappedMatrix); ok {
		_, d := x.Dims()
		levels = levels[:min(d, 3)]
	}
	return classify.FitNaiveBayesCategorical(x, levels, labels, k, o)
}

func ofLeastSquares[M classify.Predictor](wrap func(m classify.Scorer, d int) (M, error)) fitFunc {
	return func(x mat.Matrix, labels []int, k int) (classify.Predictor, error) {
		m, err := classify.FitLeastSquares(x, labels, k, classify.LeastSquaresOptions{})
		if err != nil {
			return nil, err
		}
		_, d := x.Dims()
		return orNone(wrap(m, d))
	}
}

func onBells(x mat.Matrix, labels []int, _ int) (classify.Predictor, error) {
	c := mat.NewDense(3, 3, []float64{0, 0, 0, 1, 1, 1, -1, 0, 1})
	bells := toolkit.Must(classify.BasisCompose(toolkit.Must(classify.BasisColumns(3, 2, 0, 1)),
		toolkit.Must(classify.BasisGaussian(c, 1.5))))
	return orNone(classify.FitOnBasis(x, bells, func(phi mat.Matrix) (*classify.Logistic, error) {
		return classify.FitLogistic(phi, strictTargets(labels), classify.LogisticOptions{})
	}))
}

func onPowers(x mat.Matrix, labels []int, k int) (classify.Predictor, error) {
	powers := toolkit.Must(classify.BasisJoin(toolkit.Must(classify.BasisProducts(3)),
		ridge("sin", []float64{0, 1, 1, 0})))
	return orNone(classify.FitOnBasis(x, powers, func(phi mat.Matrix) (*classify.LeastSquares, error) {
		return classify.FitLeastSquares(phi, labels, k, classify.LeastSquaresOptions{})
	}))
}

// emptyOf returns a new empty model of the type of m.
func emptyOf(m any) any {
	if m, ok := m.(*mappedModel); ok {
		return &mappedModel{m.Kind, emptyOf(m.Model).(classify.Generative)}
	}
	return reflect.New(reflect.TypeOf(m).Elem()).Interface()
}

// weightFields are the names of the fields in which the models store their parameters.
var weightFields = []string{
	"W", "W0", "Linear", "Bias", "Quadratic", "Epsilon", "Means", "Sigma", "Variance", "Mean", "Machines", "Pairs",
	"Machine", "Model",
}

// weightsOf returns the parameters of a model as a list of numbers.
func weightsOf(m any) []float64 {
	return numbersOf(nil, reflect.ValueOf(m), func(name string) bool { return slices.Contains(weightFields, name) })
}

// numbersOf appends the float64 numbers in v to dst. In a struct, it visits only the exported fields
// that are embedded or have a name that the function `named` accepts.
func numbersOf(dst []float64, v reflect.Value, named func(string) bool) []float64 {
	switch v.Kind() {
	case reflect.Float64:
		return append(dst, v.Float())
	case reflect.Slice, reflect.Array:
		for i := range v.Len() {
			dst = numbersOf(dst, v.Index(i), named)
		}
	case reflect.Pointer, reflect.Interface:
		if v.IsNil() {
			return dst
		}
		if m, ok := v.Interface().(mat.Matrix); ok {
			return append(dst, flat(m)...)
		}
		return numbersOf(dst, v.Elem(), named)
	case reflect.Struct:
		for i := range v.NumField() {
			if f := v.Type().Field(i); f.IsExported() && (f.Anonymous || named(f.Name)) {
				dst = numbersOf(dst, v.Field(i), named)
			}
		}
	}
	return dst
}

// hasConverged returns the model's field Converged. For a model without this field, it reports whether
// all outputs have converged.
func hasConverged(m any) bool {
	v := reflect.Indirect(reflect.ValueOf(m))
	if f := v.FieldByName("Converged"); f.IsValid() {
		return f.Bool()
	}
	outputs := v.FieldByName("Outputs")
	if !outputs.IsValid() || outputs.Kind() != reflect.Slice {
		return false
	}
	for i := range outputs.Len() {
		if !hasConverged(outputs.Index(i).Interface()) {
			return false
		}
	}
	return true
}

// mappedModel wraps a model that accepts only inputs of one kind, such as counts. It converts the
// clouds of the common tests to such inputs. It leaves a nil input, NaN and Inf unchanged.
type mappedModel struct {
	Kind  int
	Model classify.Generative
}

var mappedNames = []string{"Bernoulli naive Bayes", "categorical naive Bayes", "Gaussian of given width",
	"exponential densities", "gamma densities", "Poisson densities", "Bernoulli densities"}

type mappedMatrix struct {
	mat.Matrix
	f func(float64) float64
}

// mapped returns a version of f that fits a mappedModel of the given kind.
func mapped(kind int, f fitter) fitter {
	return fitter{f.options, func(x mat.Matrix, labels []int, k int, o any) (any, error) {
		m := &mappedModel{Kind: kind}
		fitted, err := f.call(m.input(x), labels, k, o)
		if err != nil {
			return nil, err
		}
		m.Model = fitted.(classify.Generative)
		return m, nil
	}}
}

func fitMapped(kind int) fitFunc {
	return models[slices.IndexFunc(models, func(e suiteEntry) bool { return e.name == mappedNames[kind] })].fit
}

func (m mappedMatrix) At(i, j int) float64 {
	v := m.Matrix.At(i, j)
	if math.IsNaN(v) || math.IsInf(v, 0) {
		return v
	}
	return m.f(v)
}

func (m *mappedModel) input(x mat.Matrix) mat.Matrix {
	if d, ok := x.(*mat.Dense); x == nil || (ok && d == nil) || m.Kind == 2 {
		return x
	}
	return mappedMatrix{x, []func(float64) float64{
		func(v float64) float64 { return math.Max(0, math.Copysign(1, v)) },
		func(v float64) float64 { return math.Min(2, math.Floor(math.Abs(2*v))) },
		nil,
		math.Abs, math.Exp,
		func(v float64) float64 { return math.Floor(math.Exp(v)) },
		func(v float64) float64 { return math.Max(0, math.Copysign(1, v)) },
	}[m.Kind]}
}

func (m *mappedModel) Predict(x mat.Matrix) ([]int, error)     { return m.Model.Predict(m.input(x)) }
func (m *mappedModel) Scores(x mat.Matrix) (*mat.Dense, error) { return m.Model.Scores(m.input(x)) }
func (m *mappedModel) Posterior(x mat.Matrix) (*mat.Dense, error) {
	return m.Model.Posterior(m.input(x))
}
