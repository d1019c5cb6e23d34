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

// suiteEntry is one entry of the list of models that the common tests use. It contains a fit and
// the number of classes in its data.
type suiteEntry struct {
	name string
	k    int
	fit  fitFunc
}

type fitFunc func(x mat.Matrix, labels []int, k int) (classify.Predictor, error)

var (
	isotropic = classify.Isotropic{Alpha: 2}
	freeBias  = classify.Isotropic{Alpha: 2, FreeBias: true}
)

// models lists the fits of all models. Add one entry for each new model.
var models = []suiteEntry{
	{"least squares, 3 classes", 3, multi(classify.FitLeastSquares, classify.LeastSquaresOptions{})},
	{"least squares, 2 classes", 2, multi(classify.FitLeastSquares, classify.LeastSquaresOptions{})},
	{"least squares, ±1", 2,
		multi(classify.FitLeastSquares, classify.LeastSquaresOptions{Coding: classify.CodingPlusMinus})},
	{"least squares, ±1, 3 classes", 3,
		multi(classify.FitLeastSquares, classify.LeastSquaresOptions{Coding: classify.CodingPlusMinus})},
	{"least squares, Fisher", 2,
		multi(classify.FitLeastSquares, classify.LeastSquaresOptions{Coding: classify.CodingFisher})},
	{"least squares, ridge", 3, multi(classify.FitLeastSquares, classify.LeastSquaresOptions{Ridge: 3})},
	{"least squares, ridge, free bias", 3,
		multi(classify.FitLeastSquares, classify.LeastSquaresOptions{Ridge: 3, FreeBias: true})},
	{"perceptron", 2, binary(classify.FitPerceptron, classify.PerceptronOptions{MaxEpochs: 20})},
	{"perceptron, pocket", 2,
		binary(classify.FitPerceptron,
			classify.PerceptronOptions{MaxEpochs: 20, Pocket: true, Shuffle: true, Rule: classify.MistakeStep})},
	{"adaline", 2, binary(classify.FitAdaline, classify.AdalineOptions{Decay: 0.1})},
	{"adaline, shuffled", 2,
		binary(classify.FitAdaline, classify.AdalineOptions{Shuffle: true, Seed: 4, MaxEpochs: 10})},
	{"one versus rest", 3, fitRest(classify.OneVersusRestOptions{})},
	{"one versus rest, K−1", 3, fitRest(classify.OneVersusRestOptions{LastIsRest: true})},
	{"one versus one, votes", 3, fitOne(classify.PairVotes)},
	{"one versus one, sums", 4, fitOne(classify.PairSums)},
	{"one versus one, all", 3, fitOne(classify.PairAll)},
	{"linear machine", 3, ofLeastSquares(classify.LinearMachineOf)},
	{"hyperplane", 2, ofLeastSquares(classify.BoundaryOf)},

	{"logistic, maximum likelihood", 2, binary(classify.FitLogistic, classify.LogisticOptions{})},
	{"logistic, prior", 2, binary(classify.FitLogistic, classify.LogisticOptions{Prior: isotropic})},
	{"logistic, free bias", 2, binary(classify.FitLogistic, classify.LogisticOptions{Prior: freeBias})},
	{"logistic, Jeffreys", 2, binary(classify.FitLogistic, classify.LogisticOptions{Prior: classify.Jeffreys{}})},
	{"logistic, gradient descent", 2,
		binary(classify.FitLogistic,
			classify.LogisticOptions{Solver: classify.GradientDescent{SmallStart: true, Seed: 7}, MaxIterations: 20})},
	{"logistic, sequential", 2,
		binary(classify.FitLogistic,
			classify.LogisticOptions{Solver: classify.Sequential{Corrected: true, Shuffle: true, Seed: 3},
				MaxIterations: 20})},
	{"logistic, coordinate ascent", 2,
		binary(classify.FitLogistic, classify.LogisticOptions{Solver: classify.CoordinateAscent{}, MaxIterations: 20})},
	{"logistic, L-BFGS", 2,
		binary(classify.FitLogistic, classify.LogisticOptions{Solver: classify.LBFGS{Memory: 2}, MaxIterations: 20})},
	{"softmax, 2 classes", 2, multi(classify.FitSoftmax, classify.SoftmaxOptions{})},
	{"softmax, 4 classes", 4, multi(classify.FitSoftmax, classify.SoftmaxOptions{})},
	{"softmax, prior", 3, multi(classify.FitSoftmax, classify.SoftmaxOptions{Prior: isotropic})},
	{"softmax, free bias", 3, multi(classify.FitSoftmax, classify.SoftmaxOptions{Prior: freeBias})},
	{"probit", 2, binary(classify.FitProbit, classify.ProbitOptions{})},
	{"probit, prior", 2, binary(classify.FitProbit, classify.ProbitOptions{Prior: isotropic})},
	{"label flip, fixed", 2, binary(classify.FitLabelFlip, classify.LabelFlipOptions{Epsilon: 0.05})},
	{"label flip, estimated", 2,
		binary(classify.FitLabelFlip,
			classify.LabelFlipOptions{Estimate: true, Prior: classify.Isotropic{Alpha: 0.5}})},
	{"squared sigmoid, 2 classes", 2, multi(classify.FitSigmoidSquares, classify.SigmoidSquaresOptions{})},
	{"squared sigmoid, 3 classes", 3,
		multi(classify.FitSigmoidSquares, classify.SigmoidSquaresOptions{Prior: classify.Isotropic{Alpha: 0.1}})},
	{"quadratic logistic", 3, multi(classify.FitQuadraticLogistic, classify.QuadraticLogisticOptions{})},
	{"quadratic logistic, rank 1", 3,
		multi(classify.FitQuadraticLogistic, classify.QuadraticLogisticOptions{Lambda: 1, Rank: 1})},

	{"Fisher", 2, binary(classify.FitFisher, classify.FisherOptions{})},
	{"Fisher, midpoint, shrunk", 2,
		binary(classify.FitFisher,
			classify.FisherOptions{Threshold: classify.FisherThresholdMidpoint, Shrinkage: 0.1})},
	{"Fisher, 3 classes", 3, multi(classify.FitFisherMulti, classify.FisherMultiOptions{})},
	{"Fisher, 3 classes, 1 feature", 3,
		multi(classify.FitFisherMulti, classify.FisherMultiOptions{Features: 1, UniformPriors: true})},
	{"LDA, 2 classes", 2, multi(classify.FitLDA, classify.LDAOptions{})},
	{"LDA, 3 classes, unbiased", 3, multi(classify.FitLDA, classify.LDAOptions{Unbiased: true, Shrinkage: 0.05})},
	{"QDA, 3 classes", 3, multi(classify.FitQDA, classify.QDAOptions{})},
	{"Gaussian naive Bayes", 3, multi(classify.FitNaiveBayesGaussian, classify.NaiveBayesGaussianOptions{})},
	{mappedNames[0], 3, fitMapped(0)},
	{mappedNames[1], 3, fitMapped(1)},
	{mappedNames[2], 3, fitMapped(2)},
	{mappedNames[3], 3, fitMapped(3)},
	{mappedNames[4], 3, fitMapped(4)},
	{mappedNames[5], 3, fitMapped(5)},
	{mappedNames[6], 3, fitMapped(6)},

	{"Bayes logistic", 2, binary(classify.FitBayesLogistic, classify.BayesLogisticOptions{Prior: isotropic})},
	{"Bayes logistic, quadrature", 2,
		binary(classify.FitBayesLogistic,
			classify.BayesLogisticOptions{Prior: isotropic, Method: classify.PredictiveQuadrature})},
	{"Bayes logistic, plug-in, flat", 2,
		binary(classify.FitBayesLogistic, classify.BayesLogisticOptions{Method: classify.PredictivePlugIn})},
	{"Bayes logistic, α re-estimated", 2,
		binary(classify.FitBayesLogistic,
			classify.BayesLogisticOptions{Reestimate: true, Prior: classify.Isotropic{Alpha: 1, FreeBias: true}})},
	{"Bayes softmax", 3, multi(classify.FitBayesSoftmax, classify.BayesSoftmaxOptions{Prior: freeBias, Draws: 50})},
	{"Bayes softmax, flat", 3, multi(classify.FitBayesSoftmax, classify.BayesSoftmaxOptions{Draws: 50})},
	{"Bayes softmax, 2 classes", 2,
		multi(classify.FitBayesSoftmax, classify.BayesSoftmaxOptions{Draws: 40, Prior: isotropic})},
	{"variational", 2, binary(classify.FitVariationalLogistic, classify.VariationalLogisticOptions{})},
	{"variational, prior, quadrature", 2,
		binary(classify.FitVariationalLogistic,
			classify.VariationalLogisticOptions{Prior: classify.Isotropic{Alpha: 1, FreeBias: true},
				Method: classify.PredictiveQuadrature})},
	{"sampling, Hamiltonian", 2,
		binary(classify.SampleLogistic, classify.SampleLogisticOptions{Draws: 50, Warmup: 30, Chains: 3})},
	{"sampling, random walk", 2,
		binary(classify.SampleLogistic,
			classify.SampleLogisticOptions{Draws: 50, Warmup: 30, Chains: 3,
				Prior: classify.Isotropic{Alpha: 1, FreeBias: true}, Method: classify.SamplerRandomWalk})},

	{"logistic on bells", 2, onBells},
	{"least squares on products and a sine, 3 classes", 3, onPowers},
}

// targets returns two-class targets for the labels: 1 for class 0, and 0 for the other classes.
func targets(labels []int) []float64 {
	t := make([]float64, len(labels))
	for i, l := range labels {
		t[i] = truth(l == 0)
	}
	return t
}

// strictTargets converts labels as the function targets does, but an invalid label becomes an
// invalid target.
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

// orNone returns a nil Predictor if err is not nil. If the function returned the nil pointer m
// instead, the interface would not be nil.
func orNone[M classify.Predictor](m M, err error) (classify.Predictor, error) {
	if err != nil {
		return nil, err
	}
	return m, nil
}

func multi[M classify.Predictor, O any](fit func(mat.Matrix, []int, int, O) (M, error), o O) fitFunc {
	return func(x mat.Matrix, labels []int, k int) (classify.Predictor, error) {
		return orNone(fit(x, labels, k, o))
	}
}

func binary[M classify.Predictor, O any](fit func(mat.Matrix, []float64, O) (M, error), o O) fitFunc {
	return func(x mat.Matrix, labels []int, _ int) (classify.Predictor, error) {
		return orNone(fit(x, strictTargets(labels), o))
	}
}

// logisticMachine fits the two-class machines that one-versus-rest and one-versus-one models
// combine.
func logisticMachine(x mat.Matrix, t []float64) (classify.Scorer, error) {
	return classify.FitLogistic(x, t, classify.LogisticOptions{Prior: classify.Isotropic{Alpha: 1}})
}

func leastSquaresMachine(x mat.Matrix, t []float64) (classify.Scorer, error) {
	return classify.FitLeastSquares(x, sidesOf(t), 2, classify.LeastSquaresOptions{Coding: classify.CodingPlusMinus})
}

func fitRest(o classify.OneVersusRestOptions) fitFunc {
	return func(x mat.Matrix, labels []int, k int) (classify.Predictor, error) {
		return orNone(classify.FitOneVersusRest(x, labels, k, logisticMachine, o))
	}
}

func fitOne(rule classify.PairRule) fitFunc {
	return func(x mat.Matrix, labels []int, k int) (classify.Predictor, error) {
		return orNone(classify.FitOneVersusOne(x, labels, k, logisticMachine, classify.OneVersusOneOptions{Rule: rule}))
	}
}

func ofLeastSquares[M classify.Predictor](of func(m classify.Scorer, d int) (M, error)) fitFunc {
	return func(x mat.Matrix, labels []int, k int) (classify.Predictor, error) {
		m, err := classify.FitLeastSquares(x, labels, k, classify.LeastSquaresOptions{})
		if err != nil {
			return nil, err
		}
		_, d := x.Dims()
		return orNone(of(m, d))
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

// numbersOf appends the numbers in the exported fields with the given names to a list.
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

// hasConverged reports whether Converged is set in the model or in every one of its outputs.
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

// mappedModel is a model that accepts only inputs of one kind, such as counts. It converts the
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

func fitMapped(kind int) fitFunc {
	return func(x mat.Matrix, labels []int, k int) (classify.Predictor, error) {
		m := &mappedModel{Kind: kind}
		var err error
		switch kind {
		case 0:
			m.Model, err = classify.FitNaiveBayesBernoulli(m.input(x), labels, k, classify.NaiveBayesBernoulliOptions{})
		case 1:
			m.Model,
				err = classify.FitNaiveBayesCategorical(m.input(x), []int{3, 3, 3}, labels, k,
				classify.NaiveBayesCategoricalOptions{Smoothing: 1})
		default:
			o := classify.ExponentialFamilyOptions{Density: classify.Density(kind - 2)}
			if kind < 5 {
				o.Scale = 1.5
			}
			if kind == 4 {
				o.Shape = 2
			}
			m.Model, err = classify.FitExponentialFamily(m.input(x), labels, k, o)
		}
		return orNone(m, err)
	}
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
