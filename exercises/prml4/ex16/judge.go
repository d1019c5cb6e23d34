package ex16

import (
	"math"
	"math/rand/v2"

	"github.com/hyperplane-notebooks/hyperplane/exercises/internal/instance"
	"github.com/hyperplane-notebooks/hyperplane/exercises/internal/learner"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/verify"
)

// likelihoodFunc is the learner's function.
type likelihoodFunc = func(p, pi []float64) float64

// A problem is what a model says about points, and what is known of their labels.
type problem struct {
	p, pi []float64
}

func source(part uint64) *rand.Rand { return instance.Source(416, part) }

// draw makes n points with p and π strictly inside (0,1).
func draw(r *rand.Rand, n int) problem {
	q := problem{make([]float64, n), make([]float64, n)}
	for i := range n {
		q.p[i], q.pi[i] = 0.02+0.96*r.Float64(), 0.02+0.96*r.Float64()
	}
	return q
}

// certain makes n points with π of 0 and 1.
func certain(r *rand.Rand, n int) problem {
	q := draw(r, n)
	for i := range q.pi {
		q.pi[i] = float64(r.IntN(2))
	}
	return q
}

// ask calls the learner's function with copies; with a verdict instead where an
// input was changed.
func ask(f likelihoodFunc, q problem) (float64, *verify.Verdict) {
	var in learner.Inputs
	l := f(in.Slice("p", q.p), in.Slice("pi", q.pi))
	return l, in.Changed(3)
}

// askFinite is ask where a finite number must come back.
func askFinite(f likelihoodFunc, q problem) (float64, *verify.Verdict) {
	l, bad := ask(f, q)
	if bad == nil && (math.IsNaN(l) || math.IsInf(l, 0)) {
		bad = learner.Fail("not-finite", 3, "For %d points with all probabilities inside (0,1) you returned %g. Is there the logarithm of a negative number, or a division by zero?", len(q.p), l)
	}
	return l, bad
}

func judgeForm(f likelihoodFunc) verify.Verdict {
	r := source(1)
	for _, n := range []int{6, 1, 2, 40, 3000} {
		q := draw(r, n)
		first, bad := askFinite(f, q)
		if bad != nil {
			return *bad
		}
		second, bad := askFinite(f, q)
		if bad != nil {
			return *bad
		}
		if first != second {
			return verify.Fail("not-constant", 2, "Two calls with the same numbers gave different results. Labels need not be drawn at random: their average can be written down.")
		}
		if n == 3000 && first == 0 {
			return verify.Fail("underflow", 2, "For 3000 points you returned 0, which is certainty. A product of so many probabilities underflows; add their logarithms.")
		}
	}
	return verify.Pass("You returned a finite number for N from 1 to 3000.")
}

var tol = verify.Tolerance{Rel: 1e-11, Abs: 1e-12}

// likelihood is (4.89), a product of probabilities.
func likelihood(p, t []float64) float64 {
	l := 1.0
	for i := range p {
		if t[i] == 1 {
			l *= p[i]
		} else {
			l *= 1 - p[i]
		}
	}
	return l
}

// average is E[ln p(t)] over all 2^N ways to label the points.
func average(q problem) float64 {
	n := len(q.p)
	sum, t := 0.0, make([]float64, n)
	for code := range 1 << n {
		weight := 1.0
		for i := range t {
			t[i] = float64(code >> i & 1)
			weight *= t[i]*q.pi[i] + (1-t[i])*(1-q.pi[i])
		}
		sum += weight * math.Log(likelihood(q.p, t))
	}
	return sum
}

func judgeCertain(f likelihoodFunc) verify.Verdict {
	r := source(2)
	for _, n := range []int{7, 1, 12} {
		q := certain(r, n)
		l, bad := ask(f, q)
		if bad != nil {
			return *bad
		}
		g := verify.Close(l, math.Log(likelihood(q.p, q.pi)), tol)
		if g.OK {
			continue
		}
		if math.IsNaN(l) || math.IsInf(l, 0) {
			return verify.Fail("log-of-zero", 3, "With π of 0 and 1, and p inside (0,1), you returned %g. Is there a logarithm of π? The labels' probabilities are weights; only the model's go under a logarithm.", l)
		}
		if v, ok := learner.Recognise(mistakes, q, []float64{l}); ok {
			return v
		}
		return verify.Fail("certain", 2, "With %d points and π of 0 and 1 the result must be the logarithm of (4.89). Yours is %s.", n, g.Off())
	}
	return verify.Pass("With labels that are certain it is the logarithm of a product of probabilities.")
}

func judgeAverage(f likelihoodFunc) verify.Verdict {
	r := source(3)
	for _, n := range []int{7, 1, 2, 10} {
		q := draw(r, n)
		l, bad := askFinite(f, q)
		if bad != nil {
			return *bad
		}
		g := verify.Close(l, average(q), tol)
		if g.OK {
			continue
		}
		if v, ok := learner.Recognise(mistakes, q, []float64{l}); ok {
			return v
		}
		return verify.Fail("average", 2, "For %d points, averaged over all ways to label them with the probabilities that π gives, the log likelihood is not your number: yours is %s.", n, g.Off())
	}
	return verify.Pass("It is the mean of the log likelihood over all 2ᴺ ways to label the points.")
}

// judgeShares uses the learner's own function twice.
func judgeShares(f likelihoodFunc) verify.Verdict {
	r := source(4)
	for range 5 {
		p := 0.05 + 0.9*r.Float64()
		one, bad := askFinite(f, problem{[]float64{p}, []float64{0.4}})
		if bad != nil {
			return *bad
		}
		five, bad := ask(f, problem{[]float64{p, p, p, p, p}, []float64{1, 0, 1, 0, 0}})
		if bad != nil {
			return *bad
		}
		if math.IsNaN(five) || math.IsInf(five, 0) {
			return verify.Fail("log-of-zero", 3, "With π of 0 and 1, and p inside (0,1), you returned %g.", five)
		}
		if one == 0 && five == 0 {
			return verify.Fail("zero", 2, "Both are 0: a log likelihood is 0 only where the model is certain, and right.")
		}
		if g := verify.Close(one, five/5, tol); !g.OK {
			return verify.Fail("shares", 1, "One point with π = 2/5 is not a fifth of five points, two of them labelled 1 and three 0, with the same output: %s. Many labels of one point multiply their probabilities.", g.Off())
		}
	}
	return verify.Pass("A share of 2/5 counts as two labels of five.")
}

// judgeBest compares values of the learner's function with each other only.
func judgeBest(f likelihoodFunc) verify.Verdict {
	r := source(5)
	for _, n := range []int{5, 1, 20} {
		q := draw(r, n)
		best, bad := askFinite(f, problem{q.pi, q.pi})
		if bad != nil {
			return *bad
		}
		for range 30 {
			other := problem{append([]float64(nil), q.pi...), q.pi}
			for i := range other.p {
				other.p[i] += 0.2 * (r.Float64() - 0.5) * math.Min(q.pi[i], 1-q.pi[i])
			}
			l, bad := askFinite(f, other)
			if bad != nil {
				return *bad
			}
			if !(l < best) {
				if v, ok := learner.Recognise(mistakes, q, []float64{mustAsk(f, q)}); ok {
					return v
				}
				return verify.Fail("not-best", 2, "With %d points a model with other outputs than π scores as high as the one that states the labels' own uncertainty. Each term must be greatest where p = π.", n)
			}
		}
	}
	return verify.Pass("The score is greatest for the model whose outputs are the labels' own probabilities.")
}

// mustAsk is the learner's number, whatever it is.
func mustAsk(f likelihoodFunc, q problem) float64 {
	l, _ := ask(f, q)
	return l
}
