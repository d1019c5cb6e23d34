// Package ex16 judges PRML exercise 4.16: the log likelihood of labels that are
// known only with a probability.
package ex16

import (
	"embed"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/hyperplane-notebooks/hyperplane/exercises"
	"github.com/hyperplane-notebooks/hyperplane/exercises/instance"
	"github.com/hyperplane-notebooks/hyperplane/exercises/judge"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/verify"
)

// Check judges the function logLikelihood of PRML exercise 4.16. logLikelihood returns the log
// likelihood of uncertain labels. p (N) contains the model's probabilities of t = 1, and pi (N)
// contains the probabilities that the labels are 1.
func Check(logLikelihood func(p, pi []float64) float64) *verify.Report {
	return exercise.Judge(likelihoodQuestion.Parts(logLikelihood, []judge.Property[problem]{
		judge.Form("the result is a finite number, and p and π stay unchanged", manyPoints, nil, judge.Wrong{},
			"You returned a finite number for N from 1 to 3000."),
		{Name: "certain labels: your number is the logarithm of the likelihood (4.89)", Problems: certain,
			Holds: enumerated,
			Wrong: judge.Wrong{Key: "certain", Hint: 2,
				Message: "For {problem} your number must be the logarithm of (4.89), but it is {off}."},
			Right: "If all labels are certain, your number is the logarithm of a product of probabilities."},
		{Name: "uncertain labels: your number is the log likelihood, averaged over all labellings of the points",
			Problems: uncertain, Holds: enumerated,
			Wrong: judge.Wrong{Key: "average", Hint: 2,
				Message: "For {problem} your number must be the log likelihood averaged over all labellings, weighted by their probabilities under π, but it is {off}."},
			Right: "Your number is the mean of the log likelihood over all 2ᴺ labellings of the points."},
		{Name: "a point with π = 2/5, ½ or 7/8 counts as the average of 5, 2 or 8 points with certain labels",
			Problems: singlePoints, Related: problem.certainLabels,
			Holds: exact,
			FromRelated: func(p problem, l []float64) []float64 {
				return []float64{l[0] / float64(p.labelCount)}
			},
			Wrong: judge.Wrong{Key: "shares", Hint: 1,
				Message: "For {problem} your number must be the average of the log likelihoods of several points. All these points have the same p, and each has a certain label: a fraction π of them have the label 1, the others 0. The likelihood of several labels is a product, so its logarithm is a sum."},
			Right: "In your result, a point with π = 2/5 counts as the average of five labels, two of which are 1. A point with π = ½ counts as the average of two labels, one of which is 1."},
		{Name: "the right model has the best score", Problems: severalModels, Holds: firstIsBest,
			Wrong: judge.Wrong{Key: "not-best", Hint: 2,
				Message: "For {problem} a model with outputs different from π scores at least as high as the model with p = π. Each term must be largest where p = π."},
			Right: "Your score is largest for the model with p = π."},
		{Name: "outputs that are exactly 0 or 1, and outputs near 0 or 1", Problems: limits, Extreme: true,
			Holds: exact,
			Wrong: judge.Wrong{Key: "limits", Hint: 3,
				Message: "For {problem} your number is {off}. Do not clip p, and do not omit labels with a small probability."},
			Right: "Where p assigns probability 0 to a label, your number is −Inf if the label occurs, and finite if it never occurs."},
	}...)...)
}

// exact compares the answer with the log likelihood, computed as a sum over the points. enumerated
// compares the answer with the average of the log likelihood over all ways to label the points.
func exact(q problem, l []float64) verify.Finding {
	return verify.Close(l[0], q.scores()[0], tolerance)
}

func enumerated(q problem, l []float64) verify.Finding {
	return verify.Close(l[0], q.average(), tolerance)
}

// tolerance accepts every error that the text of the exercise allows.
var tolerance = verify.Tolerance{Rel: 1e-10, Abs: 1e-12}

// firstIsBest checks that the first model has the largest log likelihood. It compares values of the
// learner's function with each other, so it needs no reference values.
func firstIsBest(_ problem, l []float64) verify.Finding {
	for _, other := range l[1:] {
		if !(other < l[0]) {
			return verify.Finding{Miss: other - l[0]}
		}
	}
	return verify.Finding{OK: true}
}

// A problem contains one or more models of the same points. For each model, p contains a list of
// the probabilities that the model assigns to t = 1. pi contains the probabilities that the labels
// are 1.
type problem struct {
	name       string
	p          [][]float64
	pi         []float64
	impossible bool // whether some label has a probability above 0 under pi, but 0 under the model
	labelCount int  // number of labels of the only point, in the problems that singlePoints() returns; otherwise 0
}

func (q problem) String() string { return "“" + q.name + "”" }

func given(name string, p, pi []float64) problem {
	return problem{name: name, p: [][]float64{p}, pi: pi}
}

// drawPoints returns a problem of n points. Each model probability is random and strictly between 0
// and 1. The probability that the label of point i is 1 is pi(i).
func drawPoints(r *rand.Rand, name string, n int, pi func(i int) float64) problem {
	p, shares := make([]float64, n), make([]float64, n)
	for i := range n {
		p[i], shares[i] = inside(r), pi(i)
	}
	return given(name, p, shares)
}

func inside(r *rand.Rand) float64 { return 0.02 + 0.96*r.Float64() }

// manyPoints returns problems with 1 to 3000 points.
func manyPoints() []problem {
	r := instance.Source(416, 1)
	in := func(int) float64 { return inside(r) }
	return []problem{
		drawPoints(r, "six points", 6, in), drawPoints(r, "one point", 1, in), drawPoints(r, "two points", 2, in),
		drawPoints(r, "forty points", 40, in), drawPoints(r, "3000 points", 3000, in),
	}
}

func certain() []problem {
	r := instance.Source(416, 2)
	label := func(int) float64 { return float64(r.IntN(2)) }
	return []problem{
		drawPoints(r, "seven points, π of 0 and 1", 7, label), drawPoints(r, "one point, π = 1", 1, func(int) float64 { return 1 }),
		drawPoints(r, "one point, π = 0", 1, func(int) float64 { return 0 }),
		drawPoints(r, "twelve points, π of 0 and 1", 12, label),
	}
}

func uncertain() []problem {
	r := instance.Source(416, 3)
	in := func(int) float64 { return inside(r) }
	return []problem{
		drawPoints(r, "seven points", 7, in), drawPoints(r, "one point", 1, in), drawPoints(r, "two points", 2, in),
		drawPoints(r, "ten points", 10, in),
		drawPoints(r, "points with π of 0, ½ and 1", 6, func(i int) float64 { return float64(i%3) / 2 }),
		drawPoints(r, "points with π near 0, ½ and 1", 6, func(i int) float64 { return 1e-3 + 0.998*float64(i%3)/2 }),
	}
}

// singlePoints returns problems of one point that has several labels. π is the fraction of these
// labels that are 1.
func singlePoints() (list []problem) {
	r := instance.Source(416, 4)
	for i, name := range []string{"one point with π = 2/5", "one point with π = ½", "one point with π = 7/8"} {
		ones, total := []int{2, 1, 7}[i], []int{5, 2, 8}[i]
		q := drawPoints(r, name, 1, func(int) float64 { return float64(ones) / float64(total) })
		q.labelCount = total
		list = append(list, q)
	}
	return list
}

// certainLabels returns a problem that replaces the only point of q with several points, one for each
// label of this point. All these points have the same model probability as the only point of q.
// The label of each of them is certain: its probability π is 0 or 1.
func (q problem) certainLabels() problem {
	pi := make([]float64, q.labelCount)
	for i := range int(math.Round(q.pi[0] * float64(q.labelCount))) {
		pi[i] = 1
	}
	return given(q.name, slices.Repeat(q.p[0], q.labelCount), pi)
}

// severalModels returns problems with several models. The probabilities of the first model are
// equal to π. The probabilities of all other models differ from π.
func severalModels() (list []problem) {
	r := instance.Source(416, 5)
	in := func(int) float64 { return inside(r) }
	for _, q := range []problem{
		drawPoints(r, "five points", 5, in), drawPoints(r, "one point", 1, in), drawPoints(r, "twenty points", 20, in),
		drawPoints(r, "three points with π = ½", 3, func(int) float64 { return 0.5 }),
	} {
		q.p = [][]float64{q.pi}
		for range 30 {
			other := slices.Clone(q.pi)
			for i, pi := range q.pi {
				other[i] += 0.2 * (r.Float64() - 0.5) * math.Min(pi, 1-pi)
			}
			q.p = append(q.p, other)
		}
		list = append(list, q)
	}
	return list
}

// limits returns problems in which p or π is 0, 1, or close to 0 or 1. In some of these problems
// the formula π ln p + (1−π) ln(1−p) contains 0·ln 0. In the first six problems some label has a
// probability above 0 under π, but 0 under the model.
func limits() []problem {
	list := []problem{
		given("p = 0 where π = 0.3", []float64{0, 0.5}, []float64{0.3, 0.5}),
		given("p = 1 where π = 0.3", []float64{1, 0.5}, []float64{0.3, 0.5}),
		given("p = 0 where π = 1", []float64{0}, []float64{1}),
		given("p = 1 where π = 0", []float64{1}, []float64{0}),
		given("p = 0 where π = 10⁻⁹", []float64{0, 0.5}, []float64{1e-9, 0.5}),
		given("p = 1 where π = 1 − 10⁻⁹", []float64{1, 0.5}, []float64{1 - 1e-9, 0.5}),
		given("p = 0 where π = 0", []float64{0, 0.5}, []float64{0, 1}),
		given("p = 1 where π = 1", []float64{1, 0.5}, []float64{1, 0}),
		given("p = π = (0, 1, 0)", []float64{0, 1, 0}, []float64{0, 1, 0}),
		given("p = 10⁻³⁰⁰ where π = 0.3", []float64{1e-300, 0.5}, []float64{0.3, 0.5}),
		given("p = 1 − 10⁻¹⁵ where π = 0.3", []float64{1 - 1e-15, 0.5}, []float64{0.3, 0.5}),
		given("p = 10⁻⁸ where π = 1", []float64{1e-8}, []float64{1}),
		given("p = 10⁻¹⁵⁰ where π = 10⁻⁶", []float64{1e-150, 0.5}, []float64{1e-6, 0.5}),
	}
	for i := range 6 {
		list[i].impossible = true
	}
	return list
}

// scores returns the log likelihood of each model, computed as a sum over the points. If the field
// `impossible` is true, the log likelihood is −Inf, but scores returns 0 for each model, because
// package judge compares only finite numbers. In the same case, Invoke of likelihoodQuestion also
// returns 0 for the learner's result, and infiniteFault judges the result itself.
func (q problem) scores() []float64 {
	l := make([]float64, len(q.p))
	for k, p := range q.p {
		for i := range p {
			l[k] += term(p[i], q.pi[i])
		}
		if q.impossible {
			l[k] = 0 // represents −Inf
		}
	}
	return l
}

// average returns the mean of ln p(t) over all 2^N ways to label the points, where p(t) is the
// product (4.89) for the first model. Each way is weighted by its probability under π.
func (q problem) average() float64 {
	sum := 0.0
	for code := range 1 << len(q.pi) {
		weight, likelihood := 1.0, 1.0
		for i, pi := range q.pi {
			if code>>i&1 == 1 {
				weight, likelihood = weight*pi, likelihood*q.p[0][i]
			} else {
				weight, likelihood = weight*(1-pi), likelihood*(1-q.p[0][i])
			}
		}
		sum += weight * math.Log(likelihood)
	}
	return sum
}

type likelihoodFunc = func(p, pi []float64) float64

var likelihoodQuestion = &judge.Question[likelihoodFunc, problem]{
	Func: "LogLikelihood", Name: "log likelihood", Hint: 2, Right: problem.scores,
	Invoke: func(f likelihoodFunc, c *judge.Call, q problem) []float64 {
		l := make([]float64, len(q.p))
		for k, p := range q.p {
			l[k] = f(c.Slice("p", p), c.Slice("pi", q.pi))
			c.Say(q.infiniteFault(p, l[k]))
			if q.impossible {
				l[k] = 0
			}
		}
		return l
	},
	Nearly: judge.Wrong{Key: "nearly", Hint: 2,
		Message: "Nearly right: for {problem} your number is right to three digits, but not to ten. Do not round, do not clip p, and do not add a number inside the logarithm."},
	Sign: judge.Wrong{Key: "sign", Hint: 2,
		Message: "Your number is a positive multiple of the error, the negative log likelihood. The logarithm of a probability is never positive."},
	Factor: judge.Wrong{Key: "factor", Hint: 2,
		Message: "Your number is the log likelihood times a factor that is the same for all data. The log likelihood has no factor."},
	Mistakes: []judge.Mistake[likelihoodFunc]{
		{Key: "mixture", Hint: 2,
			Message: "You return Σ ln{πp + (1−π)(1−p)}, the logarithm of a mixture: the model of a single label that may be flipped, as in (4.117). Return the average of the logarithms, not the logarithm of the average.",
			Answer:  sum(func(p, pi float64) float64 { return math.Log(pi*p + (1-pi)*(1-p)) })},
		{Key: "sign", Answer: constant(-1), Hint: 2,
			Message: "Your number is the error, the negative log likelihood. The logarithm of a probability is never positive."},
		{Key: "averaged", Answer: scaledBy(func(n float64) float64 { return 1 / n }), Hint: 2,
			Message: "Your number is the log likelihood divided by N. The likelihood is a product over the points, so its logarithm is a sum."},
		{Key: "averaged", Answer: scaledBy(func(n float64) float64 { return -1 / n }), Hint: 2,
			Message: "Your number is the error per point, −1/N times the log likelihood. The log likelihood is a plain sum."},
		{Key: "base", Answer: constant(1 / math.Ln2), Hint: 2,
			Message: "Your number contains logarithms to base 2; use natural logarithms (math.Log)."},
		{Key: "base", Answer: constant(1 / math.Ln10), Hint: 2,
			Message: "Your number contains logarithms to base 10; use natural logarithms (math.Log)."},
		{Key: "likelihood", Answer: func(p, pi []float64) float64 { return math.Exp(sum(term)(p, pi)) }, Hint: 2,
			Message: "Your number is the likelihood. Return its logarithm."},
		{Key: "one-term-only", Answer: sum(func(p, pi float64) float64 { return weighted(pi, p) }), Hint: 2,
			Message: "Your sum contains only π ln p. The labels that are 0, a share 1−π of all labels, also have a probability under the model."},
		{Key: "one-term-only", Answer: sum(func(p, pi float64) float64 { return weighted(1-pi, 1-p) }), Hint: 2,
			Message: "Your sum contains only (1−π) ln(1−p). The labels that are 1, a share π of all labels, also have a probability under the model."},
		{Key: "inner-sign", Hint: 2, Message: "The second term in your sum has a minus. The logarithm of a product is a sum, so add the terms.",
			Answer: sum(func(p, pi float64) float64 { return weighted(pi, p) - weighted(1-pi, 1-p) })},
		{Key: "classes-swapped", Hint: 2,
			Message: "The weights in your sum are swapped. p is the probability of t = 1, so the weight of ln p is π.",
			Answer:  sum(func(p, pi float64) float64 { return weighted(1-pi, p) + weighted(pi, 1-p) })},
		{Key: "roles-swapped", Answer: sum(func(p, pi float64) float64 { return term(pi, p) }), Hint: 2,
			Message: "p and π are swapped in your sum. The probabilities π of the labels are the weights, and the logarithms contain p."},
		{Key: "no-weights", Answer: sum(func(p, _ float64) float64 { return math.Log(p) + math.Log(1-p) }), Hint: 1,
			Message: "Both logarithms have the weight 1 in your sum. The weight of each logarithm must be the probability of its label under π."},
		{Key: "thresholded", Answer: sum(func(p, pi float64) float64 { return term(p, math.Round(pi)) }), Hint: 1,
			Message: "In your sum, π is rounded to 0 or 1, as if the label were certain. Rounding discards the uncertainty of the label."},
		{Key: "squared-error", Answer: sum(func(p, pi float64) float64 { return -(p - pi) * (p - pi) }), Hint: 1,
			Message: "This is a sum of squares: the log likelihood of Gaussian noise, not of labels."},
		{Key: "squared-error", Answer: sum(func(p, pi float64) float64 { return (p - pi) * (p - pi) }), Hint: 1,
			Message: "You return a sum of squares, which is the error for Gaussian noise. Return the log likelihood of the labels."},
		{Key: "squared-error", Answer: sum(func(p, pi float64) float64 { return -(p - pi) * (p - pi) / 2 }), Hint: 1,
			Message: "This is a sum of squares: the log likelihood of Gaussian noise, not of labels."},
		{Key: "relative-entropy", Hint: 2,
			Message: "You return the log likelihood plus the entropy of π. This sum is the negative Kullback-Leibler divergence. The log likelihood contains only logarithms of p.",
			Answer:  sum(func(p, pi float64) float64 { return term(p, pi) - term(pi, pi) })},
		{Key: "relative-entropy", Hint: 2,
			Message: "You return the Kullback-Leibler divergence KL(π‖p). The log likelihood has the opposite sign and contains only logarithms of p.",
			Answer:  sum(func(p, pi float64) float64 { return term(pi, pi) - term(p, pi) })},
		{Key: "row-forgotten", Answer: partialSum(func(n int) (int, int) { return 0, n - 1 }), Hint: 3,
			Message: "Your sum leaves out the last point, as if a loop ended one point too early."},
		{Key: "row-forgotten", Answer: partialSum(func(n int) (int, int) { return 1, n }), Hint: 3,
			Message: "Your sum leaves out the first point. Indices start at 0."},
		{Key: "one-row", Answer: partialSum(func(n int) (int, int) { return n - 1, n }), Hint: 3,
			Message: "Your sum contains only the last point, as if each point replaced the previous point. Add all points."},
		{Key: "one-row", Answer: partialSum(func(int) (int, int) { return 0, 1 }), Hint: 3,
			Message: "Your sum contains only the first point, as if a loop ended too early. Add all points."},
		{Key: "zero", Answer: constant(0), Hint: 2,
			Message: "You returned 0. A log likelihood is 0 only if the model is certain and right."},
		{Key: "thresholded", Answer: sum(func(p, pi float64) float64 { return term(p, math.Ceil(pi-0.5)) }), Hint: 1,
			Message: "In your sum, π is rounded to 0 or 1, as if the label were certain. Rounding discards the uncertainty of the label."},
		{Key: "half-left-out", Hint: 1,
			Message: "Your sum leaves out points with π = ½. Half of their labels are 1 and half are 0, so a model that is certain of one label must be penalised.",
			Answer: sum(func(p, pi float64) float64 {
				if pi == 0.5 {
					return 0
				}
				return term(p, pi)
			})},
		{Key: "doubt-discounted", Hint: 1,
			Message: "You give a point less weight as its π approaches ½. All points must have equal weights.",
			Answer:  sum(func(p, pi float64) float64 { return math.Abs(2*pi-1) * term(p, pi) })},
	},
}

// infiniteFault returns a verdict if the right result is −Inf but the learner's result l is not. If
// the right result is finite, infiniteFault returns a verdict in two cases: l is NaN or infinite for
// a cause that it recognises, or l is 0 for 3000 points, because a product of probabilities
// underflows.
func (q problem) infiniteFault(p []float64, l float64) *verify.Verdict {
	edge, sure := false, true
	for i := range p {
		edge = edge || p[i] == 0 || p[i] == 1
		sure = sure && (q.pi[i] == 0 || q.pi[i] == 1)
	}
	nan, inf := math.IsNaN(l), math.IsInf(l, 0)
	switch {
	case q.impossible && math.IsInf(l, -1):
		return nil
	case edge && nan && !slices.Contains(q.pi, 0) && !slices.Contains(q.pi, 1):
		return judge.Fail("infinity-minus-infinity", 3,
			"For %v you returned NaN. Here a term is −Inf, and no π is 0 or 1. Perhaps you compute −Inf − (−Inf), or you round a π to 0 or 1 and compute 0·(−Inf).", q)
	case edge && nan:
		return judge.Fail("zero-times-log", 3,
			"For %v you returned NaN. In Go 0·ln 0 is 0·(−Inf), which is NaN. If the factor of a logarithm is 0, omit the term.",
			q)
	case q.impossible && math.IsInf(l, 1):
		return judge.Fail("infinity-sign", 3,
			"For %v the model assigns probability 0 to a label that has a positive probability under π. The logarithm of 0 is −Inf, but you returned +Inf, which has the wrong sign.", q)
	case q.impossible:
		return judge.Fail("impossible-label", 3,
			"For %v the model assigns probability 0 to a label that has a positive probability under π. The likelihood is 0 and its logarithm −Inf, but you returned %g, as if you clipped p or omitted labels.", q, l)
	case edge && inf:
		return judge.Fail("label-that-never-occurs", 3,
			"For %v you returned %g. The model assigns probability 0 only to labels that also have probability 0 under π, so the result is finite.",
			q, l)
	case sure && (nan || inf):
		return judge.Fail("log-of-zero", 3,
			"For labels with π = 0 or 1, and p strictly between 0 and 1, you returned %g, as if you took the logarithm of 0 or divided by 0. Do not take the logarithm of π, because π is only a weight.", l)
	case len(p) == 3000 && l == 0:
		return judge.Fail("underflow", 2,
			"For 3000 points you returned 0. A product of so many probabilities underflows, so add their logarithms.")
	}
	return nil
}

// sum returns an answer that computes Σ r(p_n, π_n) for a function r.
var sum = instance.Paired

// term returns π ln p + (1−π) ln(1−p). It omits a logarithm if the factor before it is 0.
func term(p, pi float64) float64 { return weighted(pi, p) + weighted(1-pi, 1-p) }

func weighted(factor, p float64) float64 {
	if factor == 0 {
		return 0
	}
	return factor * math.Log(p)
}

// scaledBy returns an answer that multiplies the right result by c(N).
func scaledBy(c func(n float64) float64) likelihoodFunc {
	return func(p, pi []float64) float64 { return c(float64(len(p))) * sum(term)(p, pi) }
}

func constant(c float64) likelihoodFunc { return scaledBy(func(float64) float64 { return c }) }

// partialSum returns an answer that sums only the points from index `from` up to, but not including,
// index `to`. which(N) returns these two indices.
func partialSum(which func(n int) (from, to int)) likelihoodFunc {
	return func(p, pi []float64) float64 {
		i, j := which(len(p))
		return sum(term)(p[i:j], pi[i:j])
	}
}

func init() { judge.Known(exercise, likelihoodQuestion, Check) }

//go:embed exercise.md answer_test.go
var files embed.FS

var exercise = exercises.MustParse("exercises/prml4/ex16", files)

// Exercise returns a copy of the text of this exercise.
func Exercise() *exercises.Exercise { return exercise.Copy() }

// Hint shows hint n, counted from 1, and returns the markdown of the hint.
func Hint(n int) string { return exercise.Hint(n) }

// Solution shows the worked derivation and the reference answer.
func Solution() string { return exercise.Solution() }
