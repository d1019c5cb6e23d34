// Package ex09 judges PRML exercise 4.9: the maximum-likelihood estimate of class
// priors is the share of each class among the data.
package ex09

import (
	"embed"
	"math"
	"math/rand/v2"
	"slices"

	"gonum.org/v1/gonum/floats"

	"github.com/hyperplane-notebooks/hyperplane/exercises"
	"github.com/hyperplane-notebooks/hyperplane/exercises/instance"
	"github.com/hyperplane-notebooks/hyperplane/exercises/judge"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/verify"
)

// Check judges priors of PRML exercise 4.9: from the labels of the data, whole
// numbers from 0 to K−1, it returns the K estimated prior probabilities.
func Check(priors func(labels []int, K int) []float64) *verify.Report {
	return exercise.Judge(askPriors.Parts(priors, []judge.Property[problem]{
		judge.Form("the result is K finite numbers, and labels stays unchanged", all, problem.reversed,
			judge.Wrong{Key: "order", Hint: 2,
				Message: "For {problem} your result depends on the order of the labels. The points are independent, so only the number of points of each class matters, and every label counts."},
			"You returned one number per class, for K from 1 to 40, whatever the order of the points."),
		{Name: "they are probabilities: not negative, and with the sum 1", On: all,
			First: notNegative,
			Holds: func(p problem, pi []float64) verify.Finding {
				return verify.SumsTo(pi, 1, verify.Tolerance{Abs: decimals * float64(p.k())})
			},
			Wrong: judge.Wrong{Key: "sum", Hint: 1,
				Message: "For {problem} your probabilities should sum to 1, but the sum is {off}."},
			Right: "Your probabilities are not negative, and their sum is 1."},
		{Name: "the Lagrangian is stationary at your π", On: all, Holds: stationary,
			Wrong: judge.Wrong{Key: "value", Hint: 2,
				Message: "For {problem} the derivatives of the log likelihood with respect to the π_k are not all equal ({off}), so moving probability from one class to another makes the labels more likely."},
			Right: "At your π the derivatives of the log likelihood with respect to all π_k are N. This is the condition of the multiplier, λ = −N."},
		{Name: "no other probabilities make the labels more likely", On: all,
			First: possible, Holds: largest,
			Wrong: judge.Wrong{Key: "not-largest", Hint: 1,
				Message: "For {problem} other probabilities make the labels more likely than yours: the log likelihood is {off}."},
			Right: "Neither random probabilities nor small changes of yours make the labels noticeably more likely."},
		{Name: "a class without data gets 0", On: sparse, Holds: emptyIsZero,
			Wrong: judge.Wrong{Key: "empty-class", Hint: 2,
				Message: "For {problem} a class has no data, but its π is not 0: it is {off}. Moving this probability to classes with data increases the likelihood."},
			Right: "A class without data gets probability 0. (This is the maximum of the likelihood, but not a plausible belief: the class would be impossible from now on.)"},
	}...)...)
}

// decimals is the accuracy required by the statement.
const decimals = 1e-11

func notNegative(p problem, pi []float64) *verify.Verdict {
	for k, v := range pi {
		if v < -decimals {
			return judge.Fail("negative", 1,
				"For %v the probability of class %d is negative, %.3g, so its logarithm does not exist.", p, k, v)
		}
	}
	return nil
}

// stationary checks the gradient of the log likelihood by central differences. Under the constraint
// Σπ_k = 1 its entries are equal to −λ = N for all classes with data.
func stationary(p problem, pi []float64) verify.Finding {
	gradient, n := make([]float64, p.k()), make([]float64, p.k())
	for k, c := range p.counts {
		n[k], gradient[k] = float64(p.n()), float64(p.n())
		if c > 0 {
			gradient[k] = derivative(p.logLikelihood, pi, k)
		}
	}
	if found := verify.CloseSlice(gradient, n, verify.Tolerance{Rel: 1e-7}); !found.OK {
		return found
	}
	return verify.CloseSlice(pi, p.shares(), verify.Tolerance{Abs: decimals}) // tests more digits than differences provide
}

// derivative returns ∂f/∂π_k. It changes π_k by relative steps, which suit π of any size.
func derivative(f func(pi []float64) float64, pi []float64, k int) float64 {
	at := slices.Clone(pi)
	return verify.Derivative(func(s float64) float64 {
		at[k] = pi[k] * (1 + s)
		return f(at)
	}, 0, 1e-2) / pi[k]
}

// possible checks that the likelihood of pi is positive and finite, so that it can be compared.
func possible(p problem, pi []float64) *verify.Verdict {
	if bad := notNegative(p, pi); bad != nil {
		return bad
	}
	if total := floats.Sum(pi); !(total > 0) || math.IsInf(total, 1) {
		return judge.Fail("sum", 1,
			"For %v the sum of your probabilities is %.3g, so their likelihood cannot be compared with others.", p, total)
	}
	return judge.FailIf(math.IsInf(p.logLikelihood(pi), -1), "impossible", 2,
		"For %v the observed labels have probability 0, because π = 0 for a class that occurs.", p)
}

// largest compares the likelihood of pi with other probabilities, near and far. The comparison
// needs no formula for the solution. A separate part checks that π sums to 1.
func largest(p problem, pi []float64) verify.Finding {
	r := instance.Source(4090, 1)
	floats.Scale(1/floats.Sum(pi), pi)
	own := p.logLikelihood(pi)
	for i := range 300 {
		q := make([]float64, p.k()) // uniform on the simplex: exponential variables divided by their sum
		for k := range q {
			q[k] = r.ExpFloat64()
		}
		floats.Scale(1/floats.Sum(q), q)
		if i%2 == 1 { // close to the learner's probabilities
			floats.Scale(0.03, q)
			floats.AddScaled(q, 0.97, pi)
		}
		if more := p.logLikelihood(q) - own; more > 1e-9*float64(p.n()) {
			return verify.Finding{Miss: more}
		}
	}
	return verify.Finding{OK: true}
}

func emptyIsZero(p problem, pi []float64) verify.Finding {
	var empty []float64
	for k, c := range p.counts {
		if c == 0 {
			empty = append(empty, pi[k])
		}
	}
	f := verify.CloseSlice(empty, make([]float64, len(empty)), verify.Tolerance{Abs: decimals})
	f.Where = "" // the index among the empty classes is not the index of the class
	return f
}

// CheckSteps judges two optional steps of the derivation: slopes returns the derivatives (K) of the
// Lagrangian Σ N_k ln π_k + λ(Σ π_k − 1) with respect to the π_k. multiplier returns the λ for
// which all derivatives vanish while the constraint holds.
func CheckSteps(slopes func(pi []float64, lambda float64, labels []int) []float64,
	multiplier func(labels []int, K int) float64) *verify.Report {
	return exercise.JudgeSteps(slices.Concat(
		askSlopes.Steps(slopes, judge.Step[place]{Name: "Slopes: the derivatives of the Lagrangian", On: places,
			Routes: []judge.Route[place]{
				{Name: "the derivative of the logarithm", Tol: 1e-9, Value: askSlopes.Right},
				{Name: "the difference quotient of the Lagrangian", Tol: 1e-7, Value: place.differences},
			},
			Right: "Your slopes are the derivatives of the Lagrangian, computed by calculus and by difference quotients, on the simplex and off it."}),
		askMultiplier.Steps(multiplier,
			judge.Step[problem]{Name: "Multiplier: the λ that goes with the constraint", On: all,
				Routes: []judge.Route[problem]{
					{Name: "the sum of the conditions, each multiplied by its π_k,", Tol: 1e-9,
						Value: askMultiplier.Right},
					{Name: "the change of the maximum with the constraint", Tol: 1e-6,
						Value: problem.priceOfConstraint},
				},
				Right: "Your λ is the multiplier at the maximum. It agrees with the sum of the conditions, and with the derivative of the maximum with respect to the constraint."}),
		askSlopes.Parts(slopes,
			judge.Property[place]{Name: "together: with your λ your slopes vanish where the likelihood is largest",
				On: func() (at []place) {
					for _, p := range full() {
						at = append(at, place{p, p.shares(), multiplier(p.labels, p.k())})
					}
					return at
				},
				First: func(p place, g []float64) *verify.Verdict {
					return judge.FailIf(!verify.CloseSlice(g, make([]float64, p.k()),
						verify.Tolerance{Abs: 1e-9 * float64(p.n())}).OK, "not-stationary", 2,
						"For %v, at the π_k that make the labels most likely and with your λ, your derivatives do not vanish.", p)
				},
				Right: "With your λ all your derivatives vanish at the largest likelihood.", With: "Multiplier"}))...)
}

// A problem is a list of labels.
type problem struct {
	name   string
	labels []int
	counts []int // the numbers N_k of points, one per class
}

func (p problem) String() string { return "“" + p.name + "”" }
func (p problem) k() int         { return len(p.counts) }
func (p problem) n() int         { return len(p.labels) }

// full returns problems with data in every class. sparse returns problems with classes that have no
// data.
func full() []problem {
	r := instance.Source(409, 1)
	return []problem{
		draw(r, "three classes", 11, 5, 2),
		draw(r, "two classes", 3, 14),
		draw(r, "five classes of very unequal size", 120, 3, 40, 1, 9),
		draw(r, "classes of one size", 4, 4, 4, 4),
		draw(r, "one point in each of two classes", 1, 1),
		draw(r, "a single class", 6),
		draw(r, "forty classes", forty...),
		draw(r, "70 000 points of one class", 300, 70_000),
	}
}

func sparse() []problem {
	r := instance.Source(409, 1)
	return []problem{
		draw(r, "the last class without data", 4, 3, 0),
		draw(r, "the first class without data", 0, 2, 7),
		draw(r, "a class in the middle without data", 5, 0, 2, 3),
		draw(r, "a single point, three classes", 0, 1, 0),
	}
}

func all() []problem { return append(full(), sparse()...) }

var forty = []int{11: 5, 17: 3, 26: 300, 39: 1}

func init() {
	for k := range forty {
		forty[k] += 1 + k%3
	}
}

// draw returns a problem with these counts and the labels in random order.
func draw(r *rand.Rand, name string, counts ...int) problem {
	p := problem{name: name, counts: counts}
	for k, c := range counts {
		p.labels = append(p.labels, slices.Repeat([]int{k}, c)...)
	}
	r.Shuffle(p.n(), func(i, j int) { p.labels[i], p.labels[j] = p.labels[j], p.labels[i] })
	return p
}

func (p problem) reversed() problem {
	p.labels = slices.Clone(p.labels)
	slices.Reverse(p.labels)
	return p
}

func (p problem) shares() []float64 { return shares(p.labels, p.k()) }

// logLikelihood returns the part of ln p(labels, inputs) that depends on the priors: the sum over n
// of ln π of label n.
func (p problem) logLikelihood(pi []float64) float64 {
	sum := 0.0
	for k, c := range p.counts {
		if c > 0 {
			sum += float64(c) * math.Log(pi[k])
		}
	}
	return sum
}

// priceOfConstraint computes λ from its meaning, which every multiplier has. λ is minus the
// derivative of the largest log likelihood with respect to c, where the π_k must sum to 1+c.
func (p problem) priceOfConstraint() []float64 {
	return []float64{-verify.Derivative(func(c float64) float64 {
		pi := p.shares()
		floats.Scale(1+c, pi)
		return p.logLikelihood(pi)
	}, 0, 0)}
}

// A place is a problem with the values of π and λ at which the Lagrangian is differentiated.
type place struct {
	problem
	pi     []float64
	lambda float64
}

// places returns places off the simplex. Some have classes without data.
func places() []place {
	r := instance.Source(409, 31)
	var out []place
	for _, p := range all() {
		at := place{p, make([]float64, p.k()), 5 * r.NormFloat64()}
		for k := range at.pi {
			at.pi[k] = 0.1 + 0.8*r.Float64()
		}
		out = append(out, at)
	}
	return out
}

// differences returns the derivatives of the Lagrangian, computed as difference quotients.
func (p place) differences() []float64 {
	out := make([]float64, p.k())
	for k := range out {
		out[k] = derivative(func(pi []float64) float64 { return p.logLikelihood(pi) + p.lambda*(floats.Sum(pi)-1) },
			p.pi, k)
	}
	return out
}

func init() {
	judge.Known(exercise, askPriors, Check)
	judge.Known(exercise, askSlopes, func(f slopesFunc) *verify.Report {
		return CheckSteps(f, number(func(n, _ float64) float64 { return -n }))
	})
}

//go:embed exercise.md answer_test.go
var files embed.FS

var exercise = exercises.MustParse("exercises/prml4/ex09", files)

// Exercise returns a copy of the text of this exercise.
func Exercise() *exercises.Exercise { return exercise.Copy() }

// Hint shows hint n, from 1, and returns its markdown.
func Hint(n int) string { return exercise.Hint(n) }

// Solution shows the worked derivation and the reference answer.
func Solution() string { return exercise.Solution() }
