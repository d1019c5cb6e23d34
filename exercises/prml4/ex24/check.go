// Package ex24 judges PRML exercise 4.24: the distribution of the activation wᵀφ
// when the weights have a Gaussian one.
package ex24

import (
	"embed"
	"math"
	"math/rand/v2"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat"

	"github.com/hyperplane-notebooks/hyperplane/exercises"
	"github.com/hyperplane-notebooks/hyperplane/exercises/internal/instance"
	"github.com/hyperplane-notebooks/hyperplane/exercises/internal/judge"
	"github.com/hyperplane-notebooks/hyperplane/exercises/internal/kernel"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/verify"
)

// Check judges project, which returns mean and variance of the activation wᵀφ for
// features phi (M) and weights with the distribution N(m,S), m with M entries and
// S M×M: (4.149) and (4.150).
func Check(project func(phi, m []float64, S *mat.SymDense) (mu, variance float64)) *verify.Report {
	return exercise.Judge(slices.Concat(
		askBoth.Parts(project, judge.Form("two finite numbers come back, and the arguments stay as they were", problems, nil, judge.Wrong{},
			"You returned two finite numbers for M from 1 to 8.")),
		askMean.Parts(project, moment("mean", 0, "It is the mean activation of weight vectors placed symmetrically about m, for features of every size.")),
		askVariance.Parts(project, moment("variance", 1, "It is the mean squared deviation of the activations of weight vectors that have the covariance S, for features of every size.")),
		askBoth.Parts(project, []judge.Property[problem]{
			{Name: "one integral over a is the M-dimensional integral over w", On: small,
				First: func(p problem, got []float64) *verify.Verdict { return notNegative(p, got[1:]) },
				Holds: func(p problem, got []float64) verify.Finding { // (4.151): both sums are right to 10 decimals
					return verify.Close(average(0.01, got[0], []float64{math.Sqrt(got[1])}), p.overWeights(), verify.Tolerance{Abs: 1e-8})
				},
				Wrong: judge.Wrong{Key: "integral", Hint: 2, Message: "For {problem} the integral of σ(a) over your Gaussian is not that of σ(wᵀφ) over all weights: {off}."},
				Right: "The average of σ over your one-dimensional Gaussian equals the average over all weights, in up to three dimensions, to 8 decimals."},
			{Name: "where w is a sum of independent parts, means and variances add", On: problems,
				Holds: func(p problem, got []float64) verify.Finding {
					other, sum := p.plus(draw(instance.Source(424, 3), "", len(p.m), 1))
					mu, variance := project(other.phi, other.m, other.S)
					a, b := project(sum.phi, sum.m, sum.S)
					return sum.agree([]float64{a, b}, got[0]+mu, got[1]+variance, 1e-9, 0)
				},
				Wrong: judge.Wrong{Key: "not-additive", Hint: 2, Message: "For {problem}: where w is the sum of two independent Gaussian vectors, means and variances of the activation add. Yours do not: {off}."},
				Right: "The mean is linear in m, the variance in S."},
			{Name: "weights that are partly known exactly, and features that are 0", On: singular, Limits: true,
				Holds: func(p problem, got []float64) verify.Finding {
					return p.agree(got, p.mean(), p.variance(), 1e-10, 1e-12)
				},
				Wrong: judge.Wrong{Key: "singular", Hint: 3, Message: "With {problem} your mean or variance is not right: {off}. Is S inverted, factorized or added to, or something divided by a length?"},
				Right: "It holds for a singular S, too, and for φ = 0: no matrix need be inverted."},
		}...))...)
}

// moment compares one of the results with that of points which have the weights' mean
// and covariance.
func moment(name string, which int, right string) judge.Property[problem] {
	return judge.Property[problem]{Name: "the " + name + " of the activation, over weights in all M directions", On: scales,
		Holds: func(p problem, got []float64) verify.Finding {
			return verify.Close(got[0], p.moments()[which], verify.Tolerance{Abs: 1e-10 * p.sizes()[which]})
		},
		Wrong: judge.Wrong{Key: name, Hint: 2, Message: "For {problem}: weight vectors in pairs, a step forward and back along each of the M directions, which together have the mean m and the covariance S, have activations of another " + name + " than yours: it is {off}."},
		Right: right}
}

// agree compares both results, to tol of the terms that they are summed from; a variance
// may be off by atZero, too.
func (p problem) agree(got []float64, mean, variance, tol, atZero float64) verify.Finding {
	size := p.sizes()
	return judge.All(verify.Close(got[0], mean, verify.Tolerance{Abs: tol * size[0]}),
		verify.Close(got[1], variance, verify.Tolerance{Abs: atZero + max(tol, 1e-9)*size[1]}))
}

func notNegative(p problem, got []float64) *verify.Verdict {
	return judge.FailIf(got[0] < 0, "negative", 2, "For %v your variance is %.4g. A variance is not negative.", p, got[0])
}

// A problem is a feature vector and a Gaussian over the weights.
type problem struct {
	name   string
	phi, m []float64
	S      *mat.SymDense
	exact  bool // S is singular, or φ = 0
}

func (p problem) String() string { return "“" + p.name + "”" }

// draw makes a problem with M weights; scale is that of the covariance.
func draw(r *rand.Rand, name string, m int, scale float64) problem {
	p := problem{name: name, phi: instance.Normals(r, m), m: instance.Normals(r, m), S: instance.Covariance(r, m)}
	p.S.ScaleSym(scale, p.S)
	return p
}

func problems() []problem {
	r := instance.Source(424, 1)
	bias := draw(r, "a bias and three features", 4, 0.7)
	bias.phi[0] = 1
	return []problem{
		draw(r, "three weights", 3, 1.3),
		draw(r, "one weight", 1, 0.4),
		draw(r, "two weights", 2, 2),
		bias,
		draw(r, "eight weights", 8, 0.5),
		draw(r, "two weights, very uncertain", 2, 40),
	}
}

// scales are the problems, and some with features a thousand times as small and ten
// thousand times as large: the mean grows with φ, the variance with its square.
func scales() []problem {
	list := problems()
	for _, p := range list[:3] {
		for _, to := range []struct {
			c    float64
			word string
		}{{1e-3, "small"}, {1e4, "large"}, {-3, "negative"}} {
			q := p
			q.name = p.name + ", " + to.word + " features"
			q.phi = floats.ScaleTo(make([]float64, len(p.phi)), to.c, p.phi)
			list = append(list, q)
		}
	}
	return list
}

// small are problems of up to three weights, over which σ can be integrated.
func small() []problem {
	r := instance.Source(424, 2)
	return []problem{draw(r, "one weight", 1, 1), draw(r, "two weights", 2, 1), draw(r, "three weights", 3, 0.7), draw(r, "two weights, small variances", 2, 0.05)}
}

func singular() (list []problem) {
	r := instance.Source(424, 4)
	for _, m := range []int{1, 2, 4} {
		p := draw(r, "weights known exactly", m, 1)
		p.S, p.exact = mat.NewSymDense(m, nil), true
		list = append(list, p)
		if m > 1 {
			p.name, p.S = "weights uncertain in one direction only", mat.NewSymDense(m, nil)
			p.S.SymRankOne(p.S, 2, mat.NewVecDense(m, instance.Unit(r, m)))
			list = append(list, p)
		}
		p = draw(r, "features that are all 0", m, 1)
		clear(p.phi)
		p.exact = true
		list = append(list, p)
	}
	return list
}

// plus is other with the features of p, and what p and it are together.
func (p problem) plus(other problem) (_, sum problem) {
	other.phi, sum = p.phi, p
	sum.m = floats.AddTo(make([]float64, len(p.m)), p.m, other.m)
	sum.S = mat.NewSymDense(len(p.m), nil)
	sum.S.AddSym(p.S, other.S)
	return other, sum
}

// sizes are those of the sums that mean and variance are, to which tolerances
// relate.
func (p problem) sizes() []float64 {
	var mean, variance float64
	for i := range p.phi {
		mean += math.Abs(p.phi[i] * p.m[i])
		for j := range p.phi {
			variance += math.Abs(p.phi[i] * p.S.At(i, j) * p.phi[j])
		}
	}
	return []float64{mean, variance}
}

// factor is L with LLᵀ = S: w = m + Lz has the distribution N(m,S) for a standard
// normal z.
func (p problem) factor() *mat.TriDense {
	var chol mat.Cholesky
	chol.Factorize(p.S)
	var l mat.TriDense
	chol.LTo(&l)
	return &l
}

// moments are mean and variance of the activation over the 2M points m ± √M·L_i,
// which have the weights' mean and covariance; for a linear function of w nothing
// more is needed, and no formula for a's variance is used.
func (p problem) moments() []float64 {
	m, l := len(p.m), p.factor()
	var a []float64
	for i := range m {
		column := mat.Col(nil, i, l)
		for _, sign := range []float64{1, -1} {
			w := floats.AddScaledTo(make([]float64, m), p.m, sign*math.Sqrt(float64(m)), column)
			a = append(a, floats.Dot(w, p.phi))
		}
	}
	mean, variance := stat.PopMeanVariance(a, nil)
	return []float64{mean, variance}
}

// overWeights is the integral of σ(wᵀφ) N(w|m,S) over all weights, M up to 3, by
// the trapezoidal rule in each direction of z from −7 to 7. The poles of σ at ±iπ
// leave e^{−2π²/(ch)} where a grows by c per unit of z and h is the step: ten
// decimals for ch ≤ 0.8.
func (p problem) overWeights() float64 {
	h := 0.25
	m, l := len(p.m), p.factor()
	direction := make([]float64, m) // of a for each z: Lᵀφ
	for i := range m {
		direction[i] = floats.Dot(mat.Col(nil, i, l), p.phi)
		h = math.Min(h, 0.8/math.Abs(direction[i]))
	}
	return average(h, floats.Dot(p.m, p.phi), direction)
}

// average is the mean of σ(a + Σ direction_i z_i) over standard normal z, a sum in steps
// of h.
func average(h, a float64, direction []float64) float64 {
	if len(direction) == 0 {
		return kernel.Sigmoid(a)
	}
	sum, reach := 0.0, int(math.Ceil(7/h))
	for k := -reach; k <= reach; k++ {
		z := h * float64(k)
		sum += h * kernel.NormPDF(z) * average(h, a+direction[0]*z, direction[1:])
	}
	return sum
}

//go:embed exercise.md answer_test.go
var files embed.FS

var exercise = exercises.MustParse("exercises/prml4/ex24", files)

// Exercise returns a copy of the text of this exercise.
func Exercise() *exercises.Exercise { return exercise.Copy() }

// Hint shows hint n, from 1, and returns its markdown.
func Hint(n int) string { return exercise.Hint(n) }

// Solution shows the worked derivation and the reference answer.
func Solution() string { return exercise.Solution() }
