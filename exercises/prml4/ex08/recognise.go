package ex08

import (
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/hyperplane-notebooks/hyperplane/exercises/internal/instance"
	"github.com/hyperplane-notebooks/hyperplane/exercises/internal/learner"
)

type mistake = learner.Mistake[problem]

func (p problem) gap() []float64 { return instance.Minus(p.mu1, p.mu2) }

// times is Σv.
func (p problem) times(v []float64) []float64 {
	var out mat.VecDense
	out.MulVec(p.Sigma, mat.NewVecDense(len(v), v))
	return out.RawVector().Data
}

// powered is Σ^a v.
func (p problem) powered(a float64, v []float64) []float64 {
	out := make([]float64, len(v))
	for i, lambda := range p.values {
		axis := mat.Col(nil, i, p.vectors)
		floats.AddScaled(out, math.Pow(lambda, a)*floats.Dot(axis, v), axis)
	}
	return out
}

var weightMistakes = []mistake{
	{Key: "classes-swapped", Hint: 1, Value: func(p problem) []float64 { return p.solve(instance.Minus(p.mu2, p.mu1)) },
		Message: "Your w is Σ⁻¹(μ2 − μ1), which belongs to p(C2|x). For p(C1|x) the log odds grow towards μ1."},
	{Key: "sigma-for-inverse", Hint: 2, Value: func(p problem) []float64 { return p.times(p.gap()) },
		Message: "Your w is Σ(μ1 − μ2). The exponent of the density holds the inverse of Σ: along a direction in which the classes spread widely a step says little."},
	{Key: "sigma-missing", Hint: 2, Value: func(p problem) []float64 { return p.gap() },
		Message: "Your w is μ1 − μ2, right only for Σ = I. A tilted Σ turns the boundary."},
	{Key: "half-of-inverse", Hint: 3, Value: func(p problem) []float64 {
		var chol mat.Cholesky
		if !chol.Factorize(p.Sigma) {
			return nil
		}
		var l mat.TriDense
		chol.LTo(&l)
		var v mat.VecDense
		if v.SolveVec(&l, mat.NewVecDense(len(p.mu1), p.gap())) != nil {
			return nil
		}
		return v.RawVector().Data
	}, Message: "Your w is L⁻¹(μ1 − μ2) with the Cholesky factor L of Σ = LLᵀ. That is half of the way: the other half is L⁻ᵀ."},
	{Key: "half-of-inverse", Hint: 3, Value: func(p problem) []float64 { return p.powered(-0.5, p.gap()) },
		Message: "Your w is Σ^(−½)(μ1 − μ2): the root of the inverse. The exponent of the density holds the inverse itself."},
	{Key: "inverse-twice", Hint: 3, Value: func(p problem) []float64 { return p.powered(-2, p.gap()) },
		Message: "Your w is Σ⁻²(μ1 − μ2): the inverse was applied twice."},
	{Key: "diagonal-only", Hint: 2, Value: func(p problem) []float64 {
		w := p.gap()
		if len(w) == 1 {
			return nil
		}
		for j := range w {
			w[j] /= p.Sigma.At(j, j)
		}
		return w
	}, Message: "Each entry of μ1 − μ2 is divided by its own variance, as if Σ were diagonal. The inverse of a matrix is not made of the inverses of its entries."},
	{Key: "sum-of-means", Hint: 2, Value: func(p problem) []float64 {
		return p.solve(floats.AddTo(make([]float64, len(p.mu1)), p.mu1, p.mu2))
	}, Message: "Your w is Σ⁻¹(μ1 + μ2): the log odds are a difference of two exponents."},
	{Key: "one-mean", Hint: 2, Value: func(p problem) []float64 { return p.solve(p.mu1) },
		Message: "Your w is Σ⁻¹μ1: only class 1 is in it. That is w_1 of the K-class form (4.69); for two classes the difference of w_1 and w_2 is needed."},
}

// bias makes w0 of its three parts, with the right values put in.
func bias(f func(q1, q2, prior float64) float64) func(problem) []float64 {
	return func(p problem) []float64 {
		return []float64{f(p.quadratic(p.mu1), p.quadratic(p.mu2), math.Log(p.p1/(1-p.p1)))}
	}
}

var biasMistakes = []mistake{
	{Key: "prior-missing", Hint: 2, Value: bias(func(q1, q2, _ float64) float64 { return (q2 - q1) / 2 }),
		Message: "The prior is missing in your w0. A class that is rare is less probable at every x."},
	{Key: "prior-inverted", Hint: 2, Value: bias(func(q1, q2, prior float64) float64 { return (q2-q1)/2 - prior }),
		Message: "The ratio of the priors is upside down: a frequent class 1 must raise w0. (On one set of lecture slides it is printed like that.)"},
	{Key: "half-missing", Hint: 2, Value: bias(func(q1, q2, prior float64) float64 { return q2 - q1 + prior }),
		Message: "The ½ of the exponent is missing in the terms μᵀΣ⁻¹μ of your w0."},
	{Key: "half-on-all", Hint: 3, Value: bias(func(q1, q2, prior float64) float64 { return (q2 - q1 + prior) / 2 }),
		Message: "The ½ stands before the prior as well: it belongs to the exponents only."},
	{Key: "classes-swapped", Hint: 1, Value: bias(func(q1, q2, prior float64) float64 { return (q1-q2)/2 - prior }),
		Message: "Your w0 is that of p(C2|x): every sign is turned."},
	{Key: "quadratic-sign", Hint: 2, Value: bias(func(q1, q2, prior float64) float64 { return (q1-q2)/2 + prior }),
		Message: "The two terms μᵀΣ⁻¹μ have each other's sign. The exponent of class 1 enters with −½."},
	{Key: "quadratic-sum", Hint: 2, Value: bias(func(q1, q2, prior float64) float64 { return -(q1+q2)/2 + prior }),
		Message: "Both terms μᵀΣ⁻¹μ are subtracted. That of class 2 stands below the line of the ratio (4.58), so it is added."},
	{Key: "quadratic-missing", Hint: 2, Value: bias(func(_, _, prior float64) float64 { return prior }),
		Message: "Your w0 is the log ratio of the priors alone. What is left of the two exponents at x = 0?"},
	{Key: "one-quadratic", Hint: 2, Value: bias(func(q1, _, prior float64) float64 { return -q1/2 + prior }),
		Message: "Of the two terms μᵀΣ⁻¹μ only that of class 1 is in your w0."},
	{Key: "one-quadratic", Hint: 2, Value: bias(func(_, q2, prior float64) float64 { return q2/2 + prior }),
		Message: "Of the two terms μᵀΣ⁻¹μ only that of class 2 is in your w0."},
	{Key: "prior-no-log", Hint: 3, Value: func(p problem) []float64 {
		return []float64{(p.quadratic(p.mu2)-p.quadratic(p.mu1))/2 + p.p1/(1-p.p1)}
	}, Message: "The ratio of the priors enters your w0 without its logarithm."},
	{Key: "prior-of-one", Hint: 2, Value: func(p problem) []float64 {
		return []float64{(p.quadratic(p.mu2)-p.quadratic(p.mu1))/2 + math.Log(p.p1)}
	}, Message: "Only ln p1 is in your w0. The log odds need the ratio p1/(1 − p1)."},
	{Key: "sigma-for-inverse", Hint: 2, Value: func(p problem) []float64 {
		return []float64{(floats.Dot(p.mu2, p.times(p.mu2))-floats.Dot(p.mu1, p.times(p.mu1)))/2 + math.Log(p.p1/(1-p.p1))}
	}, Message: "The terms of your w0 are μᵀΣμ; the exponent of the density holds the inverse of Σ."},
	{Key: "sigma-missing", Hint: 2, Value: func(p problem) []float64 {
		return []float64{(floats.Dot(p.mu2, p.mu2)-floats.Dot(p.mu1, p.mu1))/2 + math.Log(p.p1/(1-p.p1))}
	}, Message: "The terms of your w0 are μᵀμ, without Σ⁻¹: right only for Σ = I."},
	{Key: "log-base", Hint: 3, Value: func(p problem) []float64 {
		return []float64{(p.quadratic(p.mu2)-p.quadratic(p.mu1))/2 + math.Log10(p.p1/(1-p.p1))}
	}, Message: "The log ratio of the priors is taken to base 10. σ is defined with e: math.Log is the natural logarithm."},
	{Key: "determinant-left", Hint: 3, Value: func(p problem) []float64 {
		half := 0.0
		for _, lambda := range p.values {
			half += math.Log(lambda) / 2
		}
		return []float64{(p.quadratic(p.mu2)-p.quadratic(p.mu1))/2 + math.Log(p.p1/(1-p.p1)) - half}
	}, Message: "A term ½ ln|Σ| is left in your w0. Both classes have the same one: it cancels."},
}
