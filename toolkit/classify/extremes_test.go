package classify_test

import (
	"fmt"
	"math"
	"os"
	"reflect"
	"regexp"
	"runtime"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/hyperplane-notebooks/hyperplane/toolkit/classify"
)

// extremes sets every number in a value to extreme and invalid values, one number at a time. After
// each change it calls f. At the end it restores the old value. It sets each slice and each matrix
// to values of all the given sizes.
type extremes struct {
	sizes [][2]int
	f     func(c change)
}

// change is a new value of a field. path is the path to the field. If invalid is true, a fit must
// reject the value. Such values are NaN, infinities, negative numbers and unknown constants.
type change struct {
	path, value string
	invalid     bool
}

// field returns the name of the changed field.
func (c change) field() string { return c.path[strings.LastIndex(c.path, ".")+1:] }

func (e extremes) of(name string, v reflect.Value) {
	was := reflect.New(v.Type()).Elem()
	was.Set(v)
	defer v.Set(was)
	try := func(x any, invalid bool) {
		v.Set(reflect.ValueOf(x).Convert(v.Type()))
		e.f(change{name, fmt.Sprint(x), invalid})
	}
	numbers := []float64{math.NaN(), math.Inf(1), math.Inf(-1), -1, 0, math.MaxFloat64, math.SmallestNonzeroFloat64}
	switch v.Kind() {
	case reflect.Float64:
		for _, x := range numbers {
			try(x, !(x >= 0) || math.IsInf(x, 1))
		}
	case reflect.Int:
		for _, x := range []int{-1, 0, 1, math.MinInt, math.MaxInt, math.MaxInt32} {
			try(x, x < 0 || x > 1 && v.Type() != reflect.TypeFor[int]())
		}
	case reflect.Uint64:
		try(uint64(math.MaxUint64), false)
	case reflect.Bool:
		try(!was.Bool(), false)
	case reflect.Struct:
		for i := range v.NumField() {
			e.of(name+"."+v.Type().Field(i).Name, v.Field(i))
		}
	case reflect.Slice:
		numeric := v.Type().Elem().Kind() == reflect.Float64
		for _, size := range e.sizes {
			for _, x := range numbers {
				s := reflect.MakeSlice(v.Type(), size[0], size[0])
				for i := range size[0] {
					if at := s.Index(i); at.Kind() == reflect.Float64 {
						at.SetFloat(x)
					} else if at.Kind() == reflect.Int {
						at.SetInt(int64(max(math.MinInt32, min(math.MaxInt32, x))))
					}
				}
				v.Set(s)
				e.f(change{name, fmt.Sprintf("%d times %v", size[0], x), math.IsNaN(x) && numeric})
			}
		}
	case reflect.Interface, reflect.Pointer:
		e.setImplementations(name, v, numbers)
	}
}

// setImplementations sets v, an interface or a pointer, to one value after another: to every
// solver, prior and matrix that v accepts.
func (e extremes) setImplementations(name string, v reflect.Value, numbers []float64) {
	for _, x := range []any{
		classify.Newton{}, classify.GradientDescent{}, classify.Sequential{}, classify.CoordinateAscent{},
		classify.LBFGS{},
		classify.Isotropic{Alpha: 1}, classify.Gaussian{}, classify.Jeffreys{},
	} {
		if v.Kind() != reflect.Interface || !reflect.TypeOf(x).Implements(v.Type()) {
			continue
		}
		inner := reflect.New(reflect.TypeOf(x)).Elem()
		inner.Set(reflect.ValueOf(x))
		e2 := extremes{e.sizes, func(c change) {
			v.Set(inner)
			e.f(c)
		}}
		e2.of(fmt.Sprintf("%s %T", name, x), inner)
	}
	for _, size := range e.sizes {
		for _, x := range numbers {
			dense := mat.NewDense(size[0], size[1], nil)
			dense.Apply(func(int, int, float64) float64 { return x }, dense)
			sym := mat.NewSymDense(size[0], nil)
			for i := range size[0] {
				sym.SetSym(i, i, x)
			}
			for _, m := range []any{dense, sym} {
				if reflect.TypeOf(m).AssignableTo(v.Type()) {
					v.Set(reflect.ValueOf(m))
					e.f(change{name, fmt.Sprintf("%T, %d×%d times %v", m, size[0], size[1], x), math.IsNaN(x)})
				}
			}
		}
	}
}

// extremeFit is a fit with a pointer to its options, which a test can change.
type extremeFit struct {
	name    string
	options any
	fit     func() (any, error)
}

func extreme[O any](name string, o O, fit func(o O) (any, error)) extremeFit {
	p := &o
	return extremeFit{name, p, func() (any, error) { return fit(*p) }}
}

// anyNumber matches the names of options for which a negative or infinite number is valid, and the
// names of options that the fit ignores.
var anyNumber = regexp.MustCompile(`KeepUpdates|Random|Lower|Upper|Options.Sample.(Prior|Weights)`)

// TestExtremeOptions sets every option of every fit to extreme values. The fit must return an error
// or a model, without a panic on any goroutine and with bounded memory. The error for an invalid
// value must name the option.
func TestExtremeOptions(t *testing.T) {
	x, labels := clouds(24, 2, 2, 17)
	far, sides := clouds(24, 2, 2, 18)
	for i, k := range sides { // these classes are separable, because some fits stop only if classes are separable
		far.Set(i, 0, far.At(i, 0)+100*float64(k))
	}
	target, soft := targets(labels), bothTargets(targets(labels))
	var above mat.Dense
	above.Apply(func(_, _ int, v float64) float64 { return truth(v > 1) }, x)
	scorer := func(x mat.Matrix, t []float64) (classify.Scorer, error) {
		return classify.FitLogistic(x, t, classify.LogisticOptions{Prior: classify.Isotropic{Alpha: 1}})
	}
	predictor := func(x mat.Matrix, labels []int) (classify.Predictor, error) {
		return classify.FitLDA(x, labels, 2, classify.LDAOptions{})
	}
	bowl := func(z []float64) float64 { return -z[0] * z[0] }
	fits := []extremeFit{
		extreme("Logistic", classify.LogisticOptions{MaxIterations: 20},
			func(o classify.LogisticOptions) (any, error) { return classify.FitLogistic(x, target, o) }),
		extreme("Probit", classify.ProbitOptions{MaxIterations: 20},
			func(o classify.ProbitOptions) (any, error) { return classify.FitProbit(x, target, o) }),
		extreme("LabelFlip", classify.LabelFlipOptions{MaxIterations: 20, Epsilon: 0.1},
			func(o classify.LabelFlipOptions) (any, error) { return classify.FitLabelFlip(x, target, o) }),
		extreme("GLM Bernoulli", classify.GLMOptions{MaxIterations: 20}, func(o classify.GLMOptions) (any, error) {
			return classify.FitGLM(x, target, classify.BernoulliTarget{}, o)
		}),
		extreme("GLM Poisson", classify.GLMOptions{MaxIterations: 20}, func(o classify.GLMOptions) (any, error) {
			return classify.FitGLM(x, target, classify.PoissonTarget{}, o)
		}),
		extreme("Gaussian target", classify.GaussianTarget{}, func(f classify.GaussianTarget) (any, error) {
			return classify.FitGLM(x, target, f, classify.GLMOptions{})
		}),
		extreme("gamma target", classify.GammaTarget{}, func(f classify.GammaTarget) (any, error) {
			return classify.FitGLM(x, constantColumn(len(target), 1.5), f, classify.GLMOptions{})
		}),
		extreme("Softmax", classify.SoftmaxOptions{MaxIterations: 20},
			func(o classify.SoftmaxOptions) (any, error) { return classify.FitSoftmax(x, labels, 2, o) }),
		extreme("SoftmaxTargets", classify.SoftmaxOptions{MaxIterations: 20},
			func(o classify.SoftmaxOptions) (any, error) { return classify.FitSoftmaxTargets(x, soft, o) }),
		extreme("QuadraticLogistic", classify.QuadraticLogisticOptions{MaxIterations: 20, Alpha: 1, Lambda: 1},
			func(o classify.QuadraticLogisticOptions) (any, error) {
				return classify.FitQuadraticLogistic(x, labels, 2, o)
			}),
		extreme("SigmoidSquares", classify.SigmoidSquaresOptions{MaxIterations: 20},
			func(o classify.SigmoidSquaresOptions) (any, error) {
				return classify.FitSigmoidSquares(x, labels, 2, o)
			}),
		extreme("SigmoidSquaresTargets", classify.SigmoidSquaresOptions{MaxIterations: 20},
			func(o classify.SigmoidSquaresOptions) (any, error) {
				return classify.FitSigmoidSquaresTargets(x, soft, o)
			}),
		extreme("LeastSquares", classify.LeastSquaresOptions{},
			func(o classify.LeastSquaresOptions) (any, error) { return classify.FitLeastSquares(x, labels, 2, o) }),
		extreme("LeastSquaresTargets", classify.LeastSquaresOptions{},
			func(o classify.LeastSquaresOptions) (any, error) { return classify.FitLeastSquaresTargets(x, soft, o) }),
		extreme("WeightedLeastSquares", classify.WeightedLeastSquaresOptions{},
			func(o classify.WeightedLeastSquaresOptions) (any, error) {
				return classify.FitWeightedLeastSquares(x, target, constantColumn(len(target), 1), o)
			}),
		extreme("IRLS", classify.IRLSOptions{},
			func(o classify.IRLSOptions) (any, error) { return classify.FitIRLS(x, target, o) }),
		extreme("Adaline", classify.AdalineOptions{},
			func(o classify.AdalineOptions) (any, error) { return classify.FitAdaline(x, target, o) }),
		extreme("Perceptron", classify.PerceptronOptions{},
			func(o classify.PerceptronOptions) (any, error) { return classify.FitPerceptron(far, targets(sides), o) }),
		extreme("Fisher", classify.FisherOptions{},
			func(o classify.FisherOptions) (any, error) { return classify.FitFisher(x, target, o) }),
		extreme("FisherMulti", classify.FisherMultiOptions{},
			func(o classify.FisherMultiOptions) (any, error) { return classify.FitFisherMulti(x, labels, 2, o) }),
		extreme("LDA", classify.LDAOptions{},
			func(o classify.LDAOptions) (any, error) { return classify.FitLDA(x, labels, 2, o) }),
		extreme("QDA", classify.QDAOptions{},
			func(o classify.QDAOptions) (any, error) { return classify.FitQDA(x, labels, 2, o) }),
		extreme("NaiveBayesGaussian", classify.NaiveBayesGaussianOptions{},
			func(o classify.NaiveBayesGaussianOptions) (any, error) {
				return classify.FitNaiveBayesGaussian(x, labels, 2, o)
			}),
		extreme("NaiveBayesBernoulli", classify.NaiveBayesBernoulliOptions{},
			func(o classify.NaiveBayesBernoulliOptions) (any, error) {
				return classify.FitNaiveBayesBernoulli(&above, labels, 2, o)
			}),
		extreme("NaiveBayesCategorical", classify.NaiveBayesCategoricalOptions{},
			func(o classify.NaiveBayesCategoricalOptions) (any, error) {
				return classify.FitNaiveBayesCategorical(&above, []int{2, 2}, labels, 2, o)
			}),
		extreme("ExponentialFamily", classify.ExponentialFamilyOptions{},
			func(o classify.ExponentialFamilyOptions) (any, error) {
				return classify.FitExponentialFamily(x, labels, 2, o)
			}),
		extreme("BayesLogistic", classify.BayesLogisticOptions{},
			func(o classify.BayesLogisticOptions) (any, error) { return classify.FitBayesLogistic(x, target, o) }),
		extreme("BayesSoftmax", classify.BayesSoftmaxOptions{}, func(o classify.BayesSoftmaxOptions) (any, error) {
			m, err := classify.FitBayesSoftmax(x, labels, 2, o)
			if err != nil {
				return nil, err
			}
			return m.Posterior(x)
		}),
		extreme("VariationalLogistic", classify.VariationalLogisticOptions{MaxIterations: 20},
			func(o classify.VariationalLogisticOptions) (any, error) {
				return classify.FitVariationalLogistic(x, target, o)
			}),
		extreme("SampleLogistic", classify.SampleLogisticOptions{Draws: 20, Warmup: 10, Chains: 2},
			func(o classify.SampleLogisticOptions) (any, error) {
				return classify.SampleLogistic(x, target, o)
			}),
		extreme("Approximations",
			classify.ApproximationsOptions{Sample: classify.SampleLogisticOptions{Draws: 20, Warmup: 10, Chains: 1}},
			func(o classify.ApproximationsOptions) (any, error) {
				return classify.FitApproximations(x, target, o)
			}),
		extreme("ProfileIntervals", classify.ProfileOptions{}, func(o classify.ProfileOptions) (any, error) {
			m, err := classify.FitLogistic(x, target, classify.LogisticOptions{Prior: o.Prior, Weights: o.Weights})
			if err != nil {
				return nil, err
			}
			return m.ProfileIntervals(x, target, o)
		}),
		extreme("OneVersusRest", classify.OneVersusRestOptions{}, func(o classify.OneVersusRestOptions) (any, error) {
			return classify.FitOneVersusRest(x, labels, 2, scorer, o)
		}),
		extreme("OneVersusOne", classify.OneVersusOneOptions{}, func(o classify.OneVersusOneOptions) (any, error) {
			return classify.FitOneVersusOne(x, labels, 2, scorer, o)
		}),
		extreme("Laplace", classify.LaplaceOptions{},
			func(o classify.LaplaceOptions) (any, error) { return classify.Laplace(bowl, []float64{1}, o) }),
		extreme("LaplaceAt", classify.LaplaceOptions{},
			func(o classify.LaplaceOptions) (any, error) { return classify.LaplaceAt(bowl, []float64{0}, o) }),
		extreme("Laplace1D", classify.Laplace1DOptions{}, func(o classify.Laplace1DOptions) (any, error) {
			return classify.Laplace1D(func(z float64) float64 { return -z * z }, o)
		}),
		extreme("EvaluateFolds", classify.EvaluateOptions{}, func(o classify.EvaluateOptions) (any, error) {
			return classify.EvaluateFolds(x, labels, 2, predictor, o)
		}),
		extreme("EvaluateHeldOut", classify.EvaluateOptions{}, func(o classify.EvaluateOptions) (any, error) {
			return classify.EvaluateHeldOut(x, labels, 2, predictor, o)
		}),
	}
	// RowsOptions are options of a reader of rows, not of a fit.
	have := map[string]bool{"RowsOptions": true}
	for _, c := range fits {
		have[reflect.TypeOf(c.options).Elem().Name()] = true
	}
	for _, m := range regexp.MustCompile(`(?m)^classify: type (\w+Options) struct`).FindAllSubmatch(must(os.ReadFile("../api.txt"))(t), -1) {
		errorIf(t, !have[string(m[1])], "no fit in the table has the option %s", m[1])
	}
	for _, f := range fits {
		t.Run(f.name, func(t *testing.T) {
			tried := 0
			e := extremes{[][2]int{{1, 1}, {2, 3}, {3, 2}, {3, 3}, {24, 2}, {6, 6}}, func(c change) {
				name := c.path + " = " + c.value
				var before, after runtime.MemStats
				runtime.ReadMemStats(&before)
				defer func() {
					if r := recover(); r != nil {
						t.Errorf("%s: panic: %v", name, r)
					}
				}()
				m, err := f.fit()
				runtime.ReadMemStats(&after)
				errorIf(t, err == nil && m == nil, "%s: got no model and no error", name)
				errorIf(t, after.TotalAlloc-before.TotalAlloc > 1<<28, "%s: the fit allocated %d MB, which is too much; error %v", name,
					(after.TotalAlloc-before.TotalAlloc)>>20, err)
				if c.invalid && !anyNumber.MatchString(c.path) {
					said := strings.ToLower(fmt.Sprint(err))
					errorIf(t, !strings.HasPrefix(said, "classify: ") || !strings.Contains(said, strings.ToLower(c.field())),
						"%s: got error %v, want an error that names the option", name, err)
				}
				tried++
			}}
			e.of(reflect.TypeOf(f.options).Elem().Name(), reflect.ValueOf(f.options).Elem())
			errorIf(t, tried == 0, "no option was tried")
		})
	}
}

func constantColumn(n int, v float64) []float64 {
	c := make([]float64, n)
	for i := range c {
		c[i] = v
	}
	return c
}
