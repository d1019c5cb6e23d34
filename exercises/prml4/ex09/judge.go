package ex09

import (
	"math"

	"gonum.org/v1/gonum/floats"

	"github.com/hyperplane-notebooks/hyperplane/exercises/internal/instance"
	"github.com/hyperplane-notebooks/hyperplane/exercises/internal/learner"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/verify"
)

func judgeForm(priors priorsFunc) verify.Verdict {
	for _, p := range append(full(1), sparse(1)...) {
		first, bad := ask(priors, p)
		if bad != nil {
			return *bad
		}
		second, bad := ask(priors, p)
		if bad != nil {
			return *bad
		}
		if !verify.CloseSlice(second, first, verify.Tolerance{Rel: 1e-9}).OK {
			return verify.Fail("not-constant", 0, "Two calls with the same labels gave different numbers. Is something counted in a variable that outlives the call?")
		}
		// The order of the points is an accident.
		turned := p
		turned.labels = nil
		for i := range p.labels {
			turned.labels = append(turned.labels, p.labels[len(p.labels)-1-i])
		}
		third, bad := ask(priors, turned)
		if bad != nil {
			return *bad
		}
		if !verify.CloseSlice(third, first, verify.Tolerance{Abs: 1e-9}).OK {
			return verify.Fail("order", 2, "For “%s” the same labels in another order give other numbers. The points are independent; only how many there are of each class matters.", p.name)
		}
	}
	return verify.Pass("You returned one number per class, for K from 1 to 5, whatever the order of the points.")
}

// sumTol is for a sum of up to a hundred rounded terms.
var sumTol = verify.Tolerance{Abs: 1e-12}

func judgeSimplex(priors priorsFunc) verify.Verdict {
	for _, p := range append(full(2), sparse(2)...) {
		pi, bad := ask(priors, p)
		if bad != nil {
			return *bad
		}
		for k, v := range pi {
			if v < -1e-15 {
				return verify.Fail("negative", 1, "For “%s” the probability of class %d is negative, %.3g.", p.name, k, v)
			}
		}
		f := verify.SumsTo(pi, 1, sumTol)
		if f.OK {
			continue
		}
		if v, ok := learner.Recognise(mistakes, p, pi); ok {
			return v
		}
		if floats.Sum(pi) == 0 {
			return verify.Fail("all-zero", 3, "All your numbers are 0. In Go a division of whole numbers drops the rest: convert to float64 before you divide.")
		}
		return verify.Fail("sum", 1, "For “%s” your probabilities should sum to 1, and the sum is %s.", p.name, f.Off())
	}
	return verify.Pass("Not negative, and the sum is 1.")
}

// judgeStationary looks at the gradient of the log likelihood, by central
// differences: under the constraint Σπ_k = 1 all its entries are equal, to −λ.
func judgeStationary(priors priorsFunc) verify.Verdict {
	for _, p := range full(3) {
		pi, bad := ask(priors, p)
		if bad != nil {
			return *bad
		}
		if v := wrong(p, pi); v != nil {
			return *v
		}
		gradient := make([]float64, p.k())
		for k := range gradient {
			// The variable is a relative change, so that steps suit π of any size.
			at := append([]float64(nil), pi...)
			relative := verify.Derivative(func(s float64) float64 {
				at[k] = pi[k] * (1 + s)
				return p.logLikelihood(at)
			}, 0, 1e-2)
			gradient[k] = relative / pi[k]
		}
		for k := range gradient {
			if f := verify.Close(gradient[k], gradient[0], verify.Tolerance{Rel: 1e-6}); !f.OK {
				return verify.Fail("not-stationary", 2, "For “%s” the derivatives of the log likelihood with respect to π_0 and π_%d differ, and moving probability from one class to the other makes the labels more likely.", p.name, k)
			}
		}
	}
	return verify.Pass("At your π the log likelihood rises equally fast in all directions π_k, at N per unit: that is the multiplier's condition, λ = −N.")
}

// wrong is the verdict on π that are not the shares, with the mistake that they
// look like, or one that speaks of the size of the miss.
func wrong(p problem, pi []float64) *verify.Verdict {
	f := verify.CloseSlice(pi, p.shares(), verify.Tolerance{Abs: 1e-11})
	if f.OK {
		return nil
	}
	if v, ok := learner.Recognise(mistakes, p, pi); ok {
		return &v
	}
	if alpha, ok := smoothing(p, pi); ok {
		return learner.Fail("smoothed", 2, "Your π are (N_k + α)/(N + Kα) with %s: a prior on the priors (Laplace smoothing, Dirichlet). A good idea with few data, but not the maximum of the likelihood.", alpha)
	}
	if verify.CloseSlice(pi, p.shares(), verify.Tolerance{Abs: 1e-3}).OK {
		return learner.Fail("rounded", 3, "Nearly: for “%s” you are %s. Was something rounded, or a search stopped early?", p.name, f.Off())
	}
	return learner.Fail("value", 2, "For “%s” the likelihood is not largest at your π: %s.", p.name, f.Off())
}

// judgeLargest compares with other probabilities, near and far, and needs no
// formula for the solution.
func judgeLargest(priors priorsFunc) verify.Verdict {
	r := instance.Source(4090, 1)
	for _, p := range append(full(4), sparse(4)...) {
		pi, bad := ask(priors, p)
		if bad != nil {
			return *bad
		}
		total := 0.0
		for k, v := range pi {
			if v < 0 {
				return verify.Fail("negative", 1, "For “%s” the probability of class %d is negative, and has no logarithm.", p.name, k)
			}
			total += v
		}
		if !(total > 0) || math.IsInf(total, 1) {
			return verify.Fail("sum", 1, "For “%s” the sum of your probabilities is %.3g: they cannot be compared with others.", p.name, total)
		}
		floats.Scale(1/total, pi) // their sum is judged in a part of its own
		own := p.logLikelihood(pi)
		if math.IsInf(own, -1) {
			return verify.Fail("impossible", 2, "For “%s” your π give the labels that were seen the probability 0: a class that occurs has π = 0.", p.name)
		}
		for i := range 300 {
			q := simplex(r.ExpFloat64, p.k())
			if i%2 == 1 { // near yours
				for k := range q {
					q[k] = 0.97*pi[k] + 0.03*q[k]
				}
			}
			if p.logLikelihood(q) > own+1e-9*float64(p.n()) {
				if v, ok := learner.Recognise(mistakes, p, pi); ok {
					return v
				}
				return verify.Fail("not-largest", 1, "For “%s” there are probabilities that make the labels more likely than yours do.", p.name)
			}
		}
	}
	return verify.Pass("Neither random probabilities nor small changes of yours make the labels more likely.")
}

// simplex draws a point of the simplex, uniformly: shares of exponential lengths.
func simplex(exponential func() float64, k int) []float64 {
	q := make([]float64, k)
	for i := range q {
		q[i] = exponential()
	}
	floats.Scale(1/floats.Sum(q), q)
	return q
}

func judgeEmpty(priors priorsFunc) verify.Verdict {
	for _, p := range sparse(5) {
		pi, bad := ask(priors, p)
		if bad != nil {
			return *bad
		}
		for k, c := range p.counts {
			if c == 0 && math.Abs(pi[k]) > 1e-12 {
				if v, ok := learner.Recognise(mistakes, p, pi); ok {
					return v
				}
				if alpha, ok := smoothing(p, pi); ok {
					return verify.Fail("smoothed", 2, "A class without data gets a positive probability: your π are (N_k + α)/(N + Kα) with %s. That is a prior on the priors, not the maximum of the likelihood.", alpha)
				}
				return verify.Fail("empty-class", 2, "For “%s” class %d has no data, and your π is %.3g. Probability that is spent on it is missing where data are; the likelihood is largest with none.", p.name, k, pi[k])
			}
		}
		if v := wrong(p, pi); v != nil {
			return *v
		}
	}
	return verify.Pass("A class without data gets probability 0. (That is what maximum likelihood says, not what you should believe: from now on that class is impossible.)")
}
