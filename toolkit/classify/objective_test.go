package classify_test

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat/distuv"

	"github.com/hyperplane-notebooks/hyperplane/toolkit/classify"
)

// objectives lists objectives of two-class models with a single weight vector. The function `term`
// computes what one row contributes to E. If the field `exact` is true, the method Hessian returns the
// second derivatives of E. Otherwise it returns a positive semidefinite approximation.
var objectives = []struct {
	name      string
	objective func(x mat.Matrix, t []float64, p classify.Prior) (*classify.Objective, error)
	term      func(a, t float64) float64
	exact     bool
}{
	{"logistic", classify.LogisticObjective, crossEntropy(logisticCurve), true},
	{"probit", classify.ProbitObjective, crossEntropy(distuv.UnitNormal.CDF), true},
	{"label flip", flipObjective(0.2), crossEntropy(flipCurve(0.2)), false},
	{"label flip, 0.45", flipObjective(0.45), crossEntropy(flipCurve(0.45)), false},
	{"label flip of 0", flipObjective(0), crossEntropy(flipCurve(0)), true},
	{"squared sigmoid", classify.SigmoidObjective,
		func(a, t float64) float64 { return math.Pow(logisticCurve(a)-t, 2) / 2 }, false},
}

func logisticCurve(a float64) float64 { return 1 / (1 + math.Exp(-a)) }

// flipCurve returns p(t=1|x) as a function of the activation for the label-flip model, as in the
// corrected (4.117).
func flipCurve(eps float64) func(a float64) float64 {
	return func(a float64) float64 { return eps + (1-2*eps)*logisticCurve(a) }
}

// crossEntropy returns −t ln y(a) − (1−t) ln y(−a), for a function y with y(−a) = 1 − y(a).
func crossEntropy(y func(a float64) float64) func(a, t float64) float64 {
	return func(a, t float64) float64 { return -t*math.Log(y(a)) - (1-t)*math.Log(y(-a)) }
}

func flipObjective(eps float64) func(mat.Matrix, []float64, classify.Prior) (*classify.Objective, error) {
	return func(x mat.Matrix, t []float64, p classify.Prior) (*classify.Objective, error) {
		return classify.LabelFlipObjective(x, t, eps, p)
	}
}

// priorsOf returns a nil prior, and a prior of each Gaussian kind for n weights.
func priorsOf(n, m int) map[string]classify.Prior {
	cov, mean := mat.NewSymDense(n, nil), make([]float64, n)
	for i := range mean {
		mean[i] = float64(i%4) - 1
		cov.SetSym(i, i, 1+float64(i)/3)
		if i > 0 {
			cov.SetSym(i-1, i, 0.3)
		}
	}
	return map[string]classify.Prior{
		"none": nil, "isotropic": classify.Isotropic{Alpha: 0.7},
		"free bias": classify.Isotropic{Alpha: 0.7, FreeBias: true},
		"Gaussian":  classify.Gaussian{Mean: mean, Cov: cov},
	}
}

// negLogPrior returns −ln p(w) without its constant, computed from the definition. The weights 0,
// m, 2m, … are biases.
func negLogPrior(p classify.Prior, w []float64, m int) (sum float64) {
	switch p := p.(type) {
	case classify.Isotropic:
		for i, v := range w {
			if i%m > 0 || !p.FreeBias {
				sum += p.Alpha / 2 * v * v
			}
		}
	case classify.Gaussian:
		sum = form(minus(w, p.Mean), inverse(p.Cov), minus(w, p.Mean)) / 2
	}
	return sum
}

// TestObjectives checks every objective with every prior at an arbitrary w. The value must match the
// definition. The gradient must match central differences, and so must the Hessian if `exact` is true.
// Every Hessian, exact or not, must have no negative eigenvalues.
func TestObjectives(t *testing.T) {
	x, labels := clouds(50, 3, 2, 31)
	target := targets(labels)
	target[3], target[8] = 0.25, 0.9
	w := []float64{0.3, -1.2, 0.8, 0.1}
	for _, c := range objectives {
		for name, prior := range priorsOf(4, 4) {
			t.Run(c.name+"/"+name, func(t *testing.T) {
				o := must(c.objective(x, target, prior))(t)
				want := errorSum(x, target, w, c.term) + negLogPrior(prior, w, 4)
				closeTo(t, must(o.Value(w))(t), want, 1e-13*want, "E")
				checkDerivatives(t, o, w, c.exact)
				var e mat.EigenSym
				h := must(o.Hessian(w))(t)
				errorIf(t, !e.Factorize(h, false) || e.Values(nil)[0] < -1e-12,
					"the Hessian has the eigenvalues %v, want none below 0", e.Values(nil))
			})
		}
	}
	o := must(classify.LogisticObjective(x, target, nil))(t)
	errorIf(t, o.Dim() != 4, "Dim is %d, want 4", o.Dim())
	allFail(t, []failingCall{
		{"value", errorOf(o.Value([]float64{1})), []string{"1 entries", "4"}},
		{"gradient", errorOf(o.Gradient([]float64{1, 2, 3, math.NaN()})), []string{"w[3]", "NaN"}},
		{"Hessian", errorOf(o.Hessian(nil)), []string{"0 entries"}},
		{"targets", errorOf(classify.LogisticObjective(x, target[:4], nil)), []string{"4 targets", "50 rows"}},
		{"flip", errorOf(classify.LabelFlipObjective(x, target, 0.7, nil)), []string{"epsilon is 0.7"}},
	})
}

// sharedPrior and wholePrior are types of priors that behave like Isotropic and Gaussian, but are
// different types.
type (
	sharedPrior struct{ classify.Isotropic }
	wholePrior  struct{ classify.Gaussian }
)

// TestPriorKinds checks that a prior's methods, not its type, determine three things: whether the
// evidence procedure can change a precision, how many weights the prior covers, and whether a fit
// without data is possible.
func TestPriorKinds(t *testing.T) {
	x, labels := clouds(60, 3, 3, 5)
	y := targets(labels)
	iso := classify.Isotropic{Alpha: 3}
	for _, prior := range []classify.Prior{&iso, sharedPrior{iso}, &sharedPrior{iso}} {
		o := classify.BayesLogisticOptions{Prior: iso, Reestimate: true}
		want := must(classify.FitBayesLogistic(x, y, o))(t)
		o.Prior = prior
		m := must(classify.FitBayesLogistic(x, y, o))(t)
		allClose(t, "W, α", append(m.W, m.Alpha), append(want.W, want.Alpha), 0)
		s := must(classify.FitBayesSoftmax(x, labels, 3,
			classify.BayesSoftmaxOptions{Prior: prior, Reestimate: true}))(t)
		many := must(classify.FitBayesSoftmax(x, labels, 3,
			classify.BayesSoftmaxOptions{Prior: iso, Reestimate: true}))(t)
		allClose(t, "W and α of a softmax model", append(flat(s.W), s.Alpha), append(flat(many.W), many.Alpha), 0)
		_, err := classify.FitBayesLogistic(&mat.Dense{}, nil, classify.BayesLogisticOptions{Prior: prior})
		errorHas(t, err, "0×0", "a Gaussian prior that determines the number of weights")
	}
	g := wholePrior{classify.Gaussian{Cov: mat.NewSymDense(4, []float64{2, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1})}}
	_, err := classify.FitBayesLogistic(x, y, classify.BayesLogisticOptions{Prior: g, Reestimate: true})
	errorHas(t, err, "Reestimate needs an Isotropic prior", "Prior is a classify_test.wholePrior")
	_, err = classify.FitBayesSoftmax(x, labels, 3,
		classify.BayesSoftmaxOptions{Prior: &classify.Gaussian{}, Reestimate: true})
	errorHas(t, err, "Reestimate needs an Isotropic prior", "Prior is a *classify.Gaussian")
	_, err = classify.FitBayesSoftmax(x, labels, 3,
		classify.BayesSoftmaxOptions{Prior: sharedPrior{classify.Isotropic{Alpha: 1, FreeBias: true}}, Reestimate: true})
	errorHas(t, err, "without FreeBias")
	none := must(classify.FitBayesLogistic(&mat.Dense{}, nil, classify.BayesLogisticOptions{Prior: g}))(t)
	many := must(classify.FitBayesSoftmax(&mat.Dense{}, nil, 2, classify.BayesSoftmaxOptions{Prior: &g}))(t)
	errorIf(t, len(none.W) != 4 || none.Alpha != 0 || len(flat(many.W)) != 4, "without data: the weights are %v and Alpha is %v, and for softmax the weights are %v; want 4 weights in each case, and Alpha 0", none.W, none.Alpha, flat(many.W))
	for _, empty := range []classify.Prior{classify.Gaussian{}, wholePrior{}} {
		errorHas(t, errorOf(classify.FitBayesLogistic(&mat.Dense{}, nil, classify.BayesLogisticOptions{Prior: empty})),
			"Gaussian.Cov is nil")
		errorHas(t, errorOf(classify.FitBayesSoftmax(&mat.Dense{}, nil, 2, classify.BayesSoftmaxOptions{Prior: empty})),
			"Gaussian.Cov is nil")
	}
}
