// Package ex09 judges PRML exercise 4.9: the maximum-likelihood estimate of a class prior is the
// fraction of the data points that belong to the class.
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

// Check judges the function `priors` of PRML exercise 4.9. `priors` takes the labels of the data,
// which are whole numbers from 0 to K−1, and the number of classes K. It returns the K estimated
// prior probabilities.
func Check(priors func(labels []int, K int) []float64) *verify.Report {
	return exercise.Judge(priorsQuestion.Parts(priors, []judge.Property[problem]{
		judge.Form("the result is K finite numbers, and the labels stay unchanged", all, problem.reversed,
			judge.Wrong{Key: "order", Hint: 2,
				Message: "For {problem} your result depends on the order of the labels. The points are independent, so only the number of points of each class matters, and every label counts."},
			"You returned one number per class, for several K from 1 to 40, and the numbers do not depend on the order of the points."),
		{Name: "the numbers are probabilities: they are not negative and sum to 1", Problems: all,
			Precheck: notNegative,
			Holds: func(p problem, pi []float64) verify.Finding {
				return verify.SumsTo(pi, 1, verify.Tolerance{Abs: decimals * float64(p.k())})
			},
			Wrong: judge.Wrong{Key: "sum", Hint: 1,
				Message: "For {problem} your probabilities should sum to 1, but the sum is {off}."},
			Right: "Your probabilities are not negative, and their sum is 1."},
		{Name: "the Lagrangian is stationary at your π", Problems: all, Holds: stationary,
			Wrong: judge.Wrong{Key: "value", Hint: 2,
				Message: "For {problem} the derivatives of the log likelihood with respect to the π_k of the classes with data should all be N. At your π one of them, or one of your π_k, is {off}. If the derivatives differ, you can move probability from one class to another and make the labels more likely."},
			Right: "At your π the derivatives of the log likelihood with respect to the π_k of all classes with data are N. This is the condition with the multiplier λ = −N."},
		{Name: "no other probabilities make the labels more likely", Problems: all,
			Precheck: impossibleFault, Holds: largest,
			Wrong: judge.Wrong{Key: "not-largest", Hint: 1,
				Message: "For {problem} other probabilities make the labels more likely than yours: your log likelihood is {off}."},
			Right: "Random probabilities and small changes in your probabilities do not make the labels noticeably more likely."},
		{Name: "a class without data gets probability 0", Problems: sparse, Holds: emptyIsZero,
			Wrong: judge.Wrong{Key: "empty-class", Hint: 2,
				Message: "For {problem} a class has no data, but its π is not 0: your π is {off}. Moving this probability to classes with data increases the likelihood."},
			Right: "A class without data gets probability 0. (This probability maximises the likelihood, but it is not plausible: it says that the class never occurs.)"},
	}...)...)
}

// decimals is the largest absolute error that the text of the exercise allows.
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

// stationary checks the gradient of the log likelihood, computed by central differences. At the
// maximum under the constraint Σπ_k = 1, the derivative with respect to π_k is −λ = N for every
// class k with data. The function stationary also compares pi with the right probabilities.
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
	// finite differences have few digits, so the probabilities are also compared with the right
	// probabilities
	return verify.CloseSlice(pi, p.shares(), verify.Tolerance{Abs: decimals})
}

// derivative returns a difference quotient for ∂f/∂π_k. Its steps are proportional to π_k, because
// π_k can be very small.
func derivative(f func(pi []float64) float64, pi []float64, k int) float64 {
	at := slices.Clone(pi)
	return verify.Derivative(func(s float64) float64 {
		at[k] = pi[k] * (1 + s)
		return f(at)
	}, 0, 1e-2) / pi[k]
}

// impossibleFault returns a verdict if the function `largest` cannot compare pi with other
// probabilities: if an entry of pi is negative, if the sum of pi is not a positive finite number, or
// if the likelihood of pi is 0.
func impossibleFault(p problem, pi []float64) *verify.Verdict {
	if bad := notNegative(p, pi); bad != nil {
		return bad
	}
	if total := floats.Sum(pi); !(total > 0) || math.IsInf(total, 1) {
		return judge.Fail("sum", 1,
			"For %v the sum of your probabilities is %.3g, so their likelihood cannot be compared with other likelihoods.", p, total)
	}
	return judge.FailIf(math.IsInf(p.logLikelihood(pi), -1), "impossible", 2,
		"For %v the observed labels have probability 0, because π = 0 for a class that has data.", p)
}

// largest compares the likelihood of pi with the likelihood of 300 other sets of probabilities, near
// pi and far from it. None of these sets may make the labels noticeably more likely than pi does.
// The comparison needs no formula for the solution. largest divides pi by its sum, because a
// separate part of the report checks the sum.
func largest(p problem, pi []float64) verify.Finding {
	r := instance.Source(4090, 1)
	floats.Scale(1/floats.Sum(pi), pi)
	own := p.logLikelihood(pi)
	for i := range 300 {
		q := make([]float64, p.k()) // exponential variables divided by their sum make q uniform on the simplex
		for k := range q {
			q[k] = r.ExpFloat64()
		}
		floats.Scale(1/floats.Sum(q), q)
		if i%2 == 1 { // every second q is close to the learner's probabilities
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
	f.Where = "" // f.Where is an index into the slice `empty`, not the number of a class
	return f
}

// CheckSteps judges two optional steps of the derivation. `slopes` returns the K derivatives of
// the Lagrangian Σ N_k ln π_k + λ(Σ π_k − 1) with respect to the π_k. `multiplier` returns the λ
// for which all derivatives vanish while the constraint holds.
func CheckSteps(slopes func(pi []float64, lambda float64, labels []int) []float64,
	multiplier func(labels []int, K int) float64) *verify.Report {
	return exercise.JudgeSteps(slices.Concat(
		slopesQuestion.Steps(slopes, judge.Step[place]{Name: "Slopes: the derivatives of the Lagrangian",
			Problems: places,
			Routes: []judge.Route[place]{
				{Name: "the derivative of the logarithm", Tol: 1e-9, Value: slopesQuestion.Right},
				{Name: "the difference quotient of the Lagrangian", Tol: 1e-7, Value: place.differences},
			},
			Right: "Your slopes agree with the derivatives of the Lagrangian, computed by calculus and by difference quotients, even where Σπ_k is not 1."}),
		multiplierQuestion.Steps(multiplier,
			judge.Step[problem]{Name: "Multiplier: the λ for the constraint Σπ_k = 1", Problems: all,
				Routes: []judge.Route[problem]{
					{Name: "the sum of the conditions, each multiplied by its π_k", Tol: 1e-9,
						Value: multiplierQuestion.Right},
					{Name: "the derivative of the maximum with respect to the constraint", Tol: 1e-6,
						Value: problem.priceOfConstraint},
				},
				Right: "Your λ is the multiplier at the maximum. Two other computations give the same λ: the sum of the conditions, and a small change to the 1 in the constraint Σπ_k = 1."}),
		slopesQuestion.Parts(slopes,
			judge.Property[place]{Name: "together: with your λ your slopes vanish where the likelihood is largest",
				Problems: func() (at []place) {
					for _, p := range full() {
						at = append(at, place{p, p.shares(), multiplier(p.labels, p.k())})
					}
					return at
				},
				Precheck: func(p place, g []float64) *verify.Verdict {
					return judge.FailIf(!verify.CloseSlice(g, make([]float64, p.k()),
						verify.Tolerance{Abs: 1e-9 * float64(p.n())}).OK, "not-stationary", 2,
						"For %v your derivatives do not vanish with your λ at the π_k that make the labels most likely.", p)
				},
				Right:      "With your λ all your derivatives vanish at the largest likelihood.",
				SecondFunc: "Multiplier"}))...)
}

// A problem contains the labels of the data points and the number of points of each class.
type problem struct {
	name   string
	labels []int
	counts []int // counts[k] is the number N_k of points of class k
}

func (p problem) String() string { return "“" + p.name + "”" }
func (p problem) k() int         { return len(p.counts) }
func (p problem) n() int         { return len(p.labels) }

// full returns problems with data in every class.
func full() []problem {
	r := instance.Source(409, 1)
	return []problem{
		drawProblem(r, "three classes", 11, 5, 2),
		drawProblem(r, "two classes", 3, 14),
		drawProblem(r, "five classes of very unequal size", 120, 3, 40, 1, 9),
		drawProblem(r, "classes of one size", 4, 4, 4, 4),
		drawProblem(r, "one point in each of two classes", 1, 1),
		drawProblem(r, "a single class", 6),
		drawProblem(r, "forty classes", forty...),
		drawProblem(r, "70 000 points of one class", 300, 70_000),
	}
}

// sparse returns problems in which some classes have no data.
func sparse() []problem {
	r := instance.Source(409, 1)
	return []problem{
		drawProblem(r, "the last class without data", 4, 3, 0),
		drawProblem(r, "the first class without data", 0, 2, 7),
		drawProblem(r, "a class in the middle without data", 5, 0, 2, 3),
		drawProblem(r, "a single point, three classes", 0, 1, 0),
	}
}

func all() []problem { return append(full(), sparse()...) }

var forty = []int{11: 5, 17: 3, 26: 300, 39: 1}

type (
	priorsFunc     = func(labels []int, K int) []float64
	slopesFunc     = func(pi []float64, lambda float64, labels []int) []float64
	multiplierFunc = func(labels []int, K int) float64
)

var priorsQuestion = &judge.Question[priorsFunc, problem]{
	Func: "Priors", Name: "π", Hint: 3, Per: "class", Right: problem.shares, Family: smoothed,
	Nearly: judge.Wrong{Key: "rounded", Hint: 3,
		Message: "Nearly right: for {problem} your π are {off}. The result is not accurate enough if you round numbers or use a search that stops early."},
	Invoke: func(priors priorsFunc, in *judge.Call, p problem) []float64 {
		return priors(in.Ints("labels", p.labels), p.k())
	},
	Length: func(p problem, n int) *verify.Verdict {
		switch n {
		case p.k() + 1:
			return judge.Fail("counted-from-1", 3,
				"For %v you returned K+1 numbers. The classes are counted from 0 to K−1.", p)
		case p.n():
			return judge.Fail("one-per-point", 2,
				"For %v you returned one number per data point. Return one per class, here %d.", p, p.k())
		}
		return nil
	},
	Mistakes: []judge.Mistake[priorsFunc]{
		{Key: "uniform", Answer: perClass(func(_, _, k float64) float64 { return 1 / k }), Hint: 1,
			Message: "All your π_k are 1/K, as if there were no data. They must depend on the labels."},
		{Key: "counts", Answer: perClass(func(nk, _, _ float64) float64 { return nk }), Hint: 2,
			Message: "You return the numbers of points N_k. Probabilities must sum to 1, and the multiplier enforces this constraint."},
		{Key: "n-minus-1", Answer: perClass(func(nk, n, _ float64) float64 { return nk / max(1, n-1) }), Hint: 2,
			Message: "You return N_k/(N−1), and the sum of these numbers is larger than 1. Divide by N; only an unbiased variance has the divisor N−1."},
		{Key: "divided-by-k", Answer: perClass(func(nk, _, k float64) float64 { return nk / k }), Hint: 2,
			Message: "You return N_k/K. Divide the counts by the number of points, not by the number of classes."},
		{Key: "upside-down", Answer: perClass(func(nk, n, _ float64) float64 { return n / max(nk, 1e-3) }), Hint: 2,
			Message: "You return N/N_k, the reciprocals of the right values. N/N_k are, up to the sign, the targets of section 4.1.5, not probabilities."},
		{Key: "inverse-frequency", Answer: normalised(func(nk, _, _ float64) float64 { return 1 / max(nk, 1e-3) }), Hint: 2,
			Message: "Your π are proportional to 1/N_k, so a rare class is probable. Such weights balance classes; they do not estimate frequencies."},
		{Key: "softmax", Answer: normalised(func(nk, n, _ float64) float64 { return math.Exp(nk / n) }), Hint: 2,
			Message: "You return a softmax of the shares N_k/N. The shares are probabilities already, so no softmax is needed."},
		{Key: "softmax", Answer: normalised(func(nk, _, _ float64) float64 { return math.Exp(nk) }), Hint: 2,
			Message: "You return a softmax of the counts. The fractions N_k/N are already probabilities, so no softmax is needed."},
		{Key: "squares", Answer: normalised(func(nk, _, _ float64) float64 { return nk * nk }), Hint: 2,
			Message: "Your π are proportional to N_k². The likelihood contains π_k to the power N_k, so the derivative of its logarithm is N_k/π_k."},
		{Key: "roots", Answer: normalised(func(nk, _, _ float64) float64 { return math.Sqrt(nk) }), Hint: 2,
			Message: "Your π are proportional to √N_k. The constraint is Σπ_k = 1, and the condition for the maximum is that N_k/π_k is the same number for all k."},
		{Key: "log-likelihood", Hint: 2,
			Message: "You return the logarithms of the probabilities. Return the π_k themselves.",
			Answer:  perClass(func(nk, n, _ float64) float64 { return math.Log(max(nk, 1e-3) / n) })},
		{Key: "all-zero", Hint: 3,
			Message: "Your numbers are 0, except for a 1 if a class contains all points. Convert the counts to float64 before you divide: in Go the quotient of two integers is an integer.",
			Answer:  perClass(func(nk, n, _ float64) float64 { return float64(int(nk) / int(n)) })},
		{Key: "all-zero", Hint: 3, Message: "All your numbers are 0. π_k is N_k/N.",
			Answer: perClass(func(_, _, _ float64) float64 { return 0 })},
		{Key: "most-frequent", Hint: 1,
			Message: "Your π is 1 for the most frequent class and 0 for all other classes. The labels of those classes are then impossible, so the likelihood is 0.",
			Answer:  changed(func(pi []float64, _ []int) { best := floats.MaxIdx(pi); clear(pi); pi[best] = 1 })},
		{Key: "reversed", Answer: changed(func(pi []float64, _ []int) { slices.Reverse(pi) }), Hint: 3,
			Message: "Your shares are right but in reverse order. Entry k belongs to label k."},
		{Key: "shifted", Hint: 3,
			Message: "Your shares are one place too far to the right, and the last share is missing. Class numbers start at 0.",
			Answer:  changed(func(pi []float64, _ []int) { copy(pi[1:], slices.Clone(pi)); pi[0] = 0 })},
		{Key: "shifted", Answer: changed(func(pi []float64, _ []int) { copy(pi, pi[1:]); pi[len(pi)-1] = 0 }), Hint: 3,
			Message: "Your shares are one place too far to the left, and the first share is missing. Class numbers start at 0."},
		{Key: "last-missing", Answer: changed(func(pi []float64, _ []int) { pi[len(pi)-1] = 0 }), Hint: 3,
			Message: "Your π of the last class is 0, although the class has data, as if a loop ended one step too early."},
		{Key: "off-by-one-point", Hint: 3, Message: "The first data point is missing in your counts.",
			Answer: changed(func(pi []float64, labels []int) { pi[labels[0]] -= 1 / float64(len(labels)) })},
	},
}

var slopesQuestion = &judge.Question[slopesFunc, place]{
	Func: "Slopes", Name: "Slopes", Key: "slopes", Hint: 2, Per: "class",
	Invoke: func(slopes slopesFunc, in *judge.Call, p place) []float64 {
		return slopes(in.Slice("pi", p.pi), p.lambda, in.Ints("labels", p.labels))
	},
	Right: func(p place) []float64 {
		return slope(func(nk, pi, l, _ float64) float64 { return nk/pi + l })(p.pi, p.lambda, p.labels)
	},
	Unit: func(p place, right []float64) []float64 {
		return slope(func(nk, pi, l, _ float64) float64 { return 1 + nk/pi + math.Abs(l) })(p.pi, p.lambda, p.labels)
	},
	Mistakes: []judge.Mistake[slopesFunc]{
		{Key: "multiplier-sign", Answer: slope(func(nk, pi, l, _ float64) float64 { return nk/pi - l }), Hint: 2,
			Message: "In your slopes, λ has a minus sign. In this Lagrangian λ has a plus sign."},
		{Key: "no-multiplier", Answer: slope(func(nk, pi, _, _ float64) float64 { return nk / pi }), Hint: 2,
			Message: "In your slopes, the derivative of the constraint term λ(Σπ_k − 1) is missing."},
		{Key: "no-logarithm", Answer: slope(func(nk, _, l, _ float64) float64 { return nk + l }), Hint: 2,
			Message: "In your slopes, N_k lacks the factor 1/π_k, the derivative of ln π_k."},
		{Key: "multiplied", Answer: slope(func(nk, pi, l, _ float64) float64 { return nk*pi + l }), Hint: 2,
			Message: "In your slopes, N_k has the factor π_k. The derivative of ln π_k is 1/π_k."},
		{Key: "no-count", Answer: slope(func(_, pi, l, _ float64) float64 { return 1/pi + l }), Hint: 2,
			Message: "In your slopes, the factor N_k is missing. Each of the N_k points of class k contributes ln π_k."},
		{Key: "all-points", Hint: 2, Message: "Your slopes contain N, the number of all points, in place of N_k.",
			Answer: func(pi []float64, l float64, labels []int) []float64 {
				return slope(func(_, pi, l, _ float64) float64 { return float64(len(labels))/pi + l })(pi, l, labels)
			}},
		{Key: "not-differentiated", Hint: 2, Message: "You return the terms of the Lagrangian. Return their derivatives.",
			Answer: slope(func(nk, pi, l, _ float64) float64 { return nk*math.Log(pi) + l*pi })},
		{Key: "constraint-not-differentiated",
			Answer: slope(func(nk, pi, l, sum float64) float64 { return nk/pi + l*(sum-1) }), Hint: 2,
			Message: "Your λ has the factor Σπ_k − 1. The derivative of λ(Σπ_k − 1) with respect to π_k is λ alone."},
		{Key: "times-prior", Answer: slope(func(nk, pi, l, _ float64) float64 { return nk/pi + l*pi }), Hint: 2,
			Message: "Your λ has a factor π_k. The derivative of λ(Σπ_k − 1) with respect to π_k is λ alone."},
	},
}

var multiplierQuestion = &judge.Question[multiplierFunc, problem]{
	Func: "Multiplier", Name: "Multiplier", Key: "multiplier", Hint: 2,
	Invoke: func(multiplier multiplierFunc, in *judge.Call, p problem) []float64 {
		return []float64{multiplier(in.Ints("labels", p.labels), p.k())}
	},
	Right: func(p problem) []float64 { return []float64{-float64(p.n())} },
	Mistakes: []judge.Mistake[multiplierFunc]{
		{Key: "plus", Answer: multiplierOf(func(n, _ float64) float64 { return n }), Hint: 2,
			Message: "The absolute value of your λ is right, but its sign is wrong. N_k/π_k is positive, so λ must be negative. (Your sign would be right for a Lagrangian with −λ.)"},
		{Key: "classes", Answer: multiplierOf(func(_, k float64) float64 { return -k }), Hint: 2,
			Message: "Your λ is −K. The sum of the conditions over the classes contains Σ N_k, which is the number of points N."},
		{Key: "classes", Answer: multiplierOf(func(_, k float64) float64 { return k }), Hint: 2,
			Message: "Your λ is K, the number of classes, but the sum of the conditions contains Σ N_k = N. Your sign is also wrong."},
		{Key: "inverse", Answer: multiplierOf(func(n, _ float64) float64 { return -1 / n }), Hint: 2,
			Message: "Your λ is −1/N, the reciprocal of the right value: π_k = −N_k/λ, and the sum over k must be 1."},
		{Key: "inverse", Answer: multiplierOf(func(n, _ float64) float64 { return 1 / n }), Hint: 2,
			Message: "Your λ is 1/N, the reciprocal of the right value with the wrong sign: π_k = −N_k/λ, and the sum over k must be 1."},
		{Key: "one", Answer: multiplierOf(func(_, _ float64) float64 { return -1 }), Hint: 2,
			Message: "Your λ is −1 for all data. λ depends on the N_k: the constraint Σπ_k = 1 determines it."},
		{Key: "first-class", Answer: func(labels []int, K int) float64 { return -instance.Counts(labels, K)[0] },
			Hint:    2,
			Message: "Your λ is minus the number of points of the first class, as if there were only one condition. All conditions contain the same λ, so multiply each condition by its π_k and sum over the classes."},
		{Key: "n-minus-1", Answer: multiplierOf(func(n, _ float64) float64 { return 1 - n }), Hint: 2,
			Message: "Your λ is −(N−1), but the counts N_k sum to N."},
	},
}

// perClass returns an answer that computes π_k = f(N_k, N, K).
func perClass(f func(nk, n, k float64) float64) priorsFunc {
	return func(labels []int, K int) []float64 {
		pi := instance.Counts(labels, K)
		for k, nk := range pi {
			pi[k] = f(nk, float64(len(labels)), float64(K))
		}
		return pi
	}
}

var shares = perClass(func(nk, n, _ float64) float64 { return nk / n })

// normalised returns an answer that computes f(N_k, N, K) for every class and divides each number
// by their sum.
func normalised(f func(nk, n, k float64) float64) priorsFunc {
	return func(labels []int, K int) []float64 {
		pi := perClass(f)(labels, K)
		floats.Scale(1/floats.Sum(pi), pi)
		return pi
	}
}

// changed returns an answer that computes the right probabilities and changes them with f.
func changed(f func(pi []float64, labels []int)) priorsFunc {
	return func(labels []int, K int) []float64 {
		pi := shares(labels, K)
		f(pi, labels)
		return pi
	}
}

// slope returns an answer that computes each derivative as f(N_k, π_k, λ, Σπ).
func slope(f func(nk, pi, lambda, sum float64) float64) slopesFunc {
	return func(pi []float64, lambda float64, labels []int) []float64 {
		g := instance.Counts(labels, len(pi))
		for k, nk := range g {
			g[k] = f(nk, pi[k], lambda, floats.Sum(pi))
		}
		return g
	}
}

// multiplierOf returns an answer that computes λ = f(N, K).
func multiplierOf(f func(n, k float64) float64) multiplierFunc {
	return func(labels []int, K int) float64 { return f(float64(len(labels)), float64(K)) }
}

// smoothed returns a verdict if one α > 0 gives π_k = (N_k + α)/(N + Kα) for all k. It tries each
// class j: it computes α from π_j, and then compares the π_k of all classes with this formula.
func smoothed(p problem, pi []float64) *verify.Verdict {
	k, n := float64(p.k()), float64(p.n())
	for j, c := range p.counts {
		alpha := (pi[j]*n - float64(c)) / (1 - k*pi[j])
		if math.Abs(1-k*pi[j]) < 1e-6 || !(alpha > 1e-7) {
			continue
		}
		smooth := perClass(func(nk, n, k float64) float64 { return (nk + alpha) / (n + k*alpha) })(p.labels, p.k())
		if verify.CloseSlice(pi, smooth, verify.Tolerance{Abs: 1e-9}).OK {
			which := "some α > 0"
			if math.Abs(alpha-1) < 1e-6 {
				which = "α = 1"
			}
			return judge.Fail("smoothed", 2,
				"Your π are (N_k + α)/(N + Kα) with %s, that is, Laplace smoothing with a Dirichlet prior. Smoothing helps with few data, but it does not maximise the likelihood.", which)
		}
	}
	return nil
}

func init() {
	for k := range forty {
		forty[k] += 1 + k%3
	}
}

// drawProblem returns a problem with the given counts and the labels in random order.
func drawProblem(r *rand.Rand, name string, counts ...int) problem {
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

// logLikelihood returns the part of ln p(labels, inputs) that depends on the priors: the sum of ln
// π_k over the data points, where k is the label of the point.
func (p problem) logLikelihood(pi []float64) float64 {
	sum := 0.0
	for k, c := range p.counts {
		if c > 0 {
			sum += float64(c) * math.Log(pi[k])
		}
	}
	return sum
}

// priceOfConstraint computes λ as a derivative. Let L(c) be the largest log likelihood under the
// constraint Σπ_k = 1+c. Then λ = −dL/dc at c = 0. (Every Lagrange multiplier is such a
// derivative.)
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

// places returns one place for each problem, including problems that have classes without data. The
// π_k of a place do not sum to 1.
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
	judge.Known(exercise, priorsQuestion, Check)
	judge.Known(exercise, slopesQuestion, func(f slopesFunc) *verify.Report {
		return CheckSteps(f, multiplierOf(func(n, _ float64) float64 { return -n }))
	})
	judge.Known(exercise, multiplierQuestion, func(f multiplierFunc) *verify.Report {
		return CheckSteps(slope(func(nk, pi, lambda, _ float64) float64 { return nk/pi + lambda }), f)
	})
}

//go:embed exercise.md answer_test.go
var files embed.FS

var exercise = exercises.MustParse("exercises/prml4/ex09", files)

// Exercise returns a copy of the text of this exercise.
func Exercise() *exercises.Exercise { return exercise.Copy() }

// Hint shows hint n, counted from 1, and returns the markdown of the hint.
func Hint(n int) string { return exercise.Hint(n) }

// Solution shows the worked derivation and the reference answer.
func Solution() string { return exercise.Solution() }
