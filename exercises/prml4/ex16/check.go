// Package ex16 judges PRML exercise 4.16: the log likelihood of labels that are
// known only with a probability.
package ex16

import (
	"embed"
	"math"
	"math/rand/v2"
	"slices"

	"gonum.org/v1/gonum/floats"

	"github.com/hyperplane-notebooks/hyperplane/exercises"
	"github.com/hyperplane-notebooks/hyperplane/exercises/internal/instance"
	"github.com/hyperplane-notebooks/hyperplane/exercises/internal/judge"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/verify"
)

// Check judges logLikelihood, which returns the log likelihood of PRML exercise
// 4.16 for the model's probabilities p (N) and the labels' probabilities pi (N).
func Check(logLikelihood func(p, pi []float64) float64) *verify.Report {
	return exercise.Judge(askLikelihood.Parts(logLikelihood, []judge.Property[problem]{
		judge.Form("a finite number comes back, and p and π stay as they were", many, nil, judge.Wrong{}, "You returned a finite number for N from 1 to 3000."),
		{Name: "certain labels: the logarithm of the likelihood (4.89)", On: certain, Holds: enumerated,
			Wrong: judge.Wrong{Key: "certain", Hint: 2, Message: "With {problem} the result must be the logarithm of (4.89). Yours is {off}."},
			Right: "With labels that are certain it is the logarithm of a product of probabilities."},
		{Name: "uncertain labels: the average over all ways to label the points", On: uncertain, Holds: enumerated,
			Wrong: judge.Wrong{Key: "average", Hint: 2, Message: "For {problem}, averaged over all ways to label them with the probabilities that π gives, the log likelihood is not your number: yours is {off}."},
			Right: "It is the mean of the log likelihood over all 2ᴺ ways to label the points."},
		{Name: "a point labelled 1 by two of five counts as a fifth of five points", On: shared, Also: problem.labels, Holds: exact,
			Back: func(p problem, l []float64) []float64 {
				return floats.ScaleTo(make([]float64, 1), 1/float64(p.of), l)
			},
			Wrong: judge.Wrong{Key: "shares", Hint: 1, Message: "{problem} does not count as the share of as many points with certain labels and the same output. Many labels of one point multiply their probabilities."},
			Right: "A share of 2/5 counts as two labels of five, and one of ½ as one of two."},
		{Name: "the best score goes to the right model", On: rivals, Holds: firstIsBest,
			Wrong: judge.Wrong{Key: "not-best", Hint: 2, Message: "With {problem} a model with other outputs than π scores as high as the one that states the labels' own uncertainty. Each term must be greatest where p = π."},
			Right: "The score is greatest for the model whose outputs are the labels' own probabilities."},
		{Name: "outputs of exactly 0 and 1, and near them", On: limits, Limits: true, Holds: exact,
			Wrong: judge.Wrong{Key: "limits", Hint: 3, Message: "With {problem} your number is {off}. Are outputs kept away from 0 and 1, or small shares left out?"},
			Right: "Nothing is lost where probability 0 is given to a label that never occurs, and everything (−Inf) where it does."},
	}...)...)
}

// exact compares with the sum over the points, enumerated with the sum over all
// ways to label them.
func exact(q problem, l []float64) verify.Finding { return verify.Close(l[0], q.scores()[0], asked) }

func enumerated(q problem, l []float64) verify.Finding {
	return verify.Close(l[0], q.average(), asked)
}

// asked is the accuracy that the statement asks for.
var asked = verify.Tolerance{Rel: 1e-10, Abs: 1e-12}

// firstIsBest compares values of the learner's function with each other only.
func firstIsBest(_ problem, l []float64) verify.Finding {
	for _, other := range l[1:] {
		if !(other < l[0]) {
			return verify.Finding{Miss: other - l[0]}
		}
	}
	return verify.Finding{OK: true}
}

// A problem is what models say about points, one list of probabilities for each
// model, and what is known of the labels.
type problem struct {
	name       string
	p          [][]float64
	pi         []float64
	impossible bool // a label occurs to which the model gives probability 0
	of         int  // shares are multiples of 1/of
}

func (q problem) String() string { return "“" + q.name + "”" }

func given(name string, p, pi []float64) problem {
	return problem{name: name, p: [][]float64{p}, pi: pi}
}

// draw makes n points with p strictly inside (0,1), and π(i) each.
func draw(r *rand.Rand, name string, n int, pi func(i int) float64) problem {
	p, shares := make([]float64, n), make([]float64, n)
	for i := range n {
		p[i], shares[i] = inside(r), pi(i)
	}
	return given(name, p, shares)
}

func inside(r *rand.Rand) float64 { return 0.02 + 0.96*r.Float64() }

// many are problems of every size.
func many() []problem {
	r := instance.Source(416, 1)
	in := func(int) float64 { return inside(r) }
	return []problem{
		draw(r, "six points", 6, in), draw(r, "one point", 1, in), draw(r, "two points", 2, in),
		draw(r, "forty points", 40, in), draw(r, "3000 points", 3000, in),
	}
}

func certain() []problem {
	r := instance.Source(416, 2)
	label := func(int) float64 { return float64(r.IntN(2)) }
	return []problem{
		draw(r, "seven points, π of 0 and 1", 7, label), draw(r, "one point, π = 1", 1, func(int) float64 { return 1 }),
		draw(r, "one point, π = 0", 1, func(int) float64 { return 0 }), draw(r, "twelve points, π of 0 and 1", 12, label),
	}
}

func uncertain() []problem {
	r := instance.Source(416, 3)
	in := func(int) float64 { return inside(r) }
	return []problem{
		draw(r, "seven points", 7, in), draw(r, "one point", 1, in), draw(r, "two points", 2, in), draw(r, "ten points", 10, in),
		draw(r, "points with π of 0, ½ and 1", 6, func(i int) float64 { return float64(i%3) / 2 }),
		draw(r, "points with π near 0, ½ and 1", 6, func(i int) float64 { return 1e-3 + 0.998*float64(i%3)/2 }),
	}
}

// shared are single points with a share of their labels 1.
func shared() (list []problem) {
	r := instance.Source(416, 4)
	for i, name := range []string{"one point with π = 2/5", "one point with π = ½", "one point with π = 7/8"} {
		ones, of := []int{2, 1, 7}[i], []int{5, 2, 8}[i]
		q := draw(r, name, 1, func(int) float64 { return float64(ones) / float64(of) })
		q.of = of
		list = append(list, q)
	}
	return list
}

// labels are as many points with certain labels, in the same shares.
func (q problem) labels() problem {
	pi := make([]float64, q.of)
	for i := range int(math.Round(q.pi[0] * float64(q.of))) {
		pi[i] = 1
	}
	return given(q.name, slices.Repeat(q.p[0], q.of), pi)
}

// rivals have a model that says π first, and then others.
func rivals() (list []problem) {
	r := instance.Source(416, 5)
	in := func(int) float64 { return inside(r) }
	for _, q := range []problem{
		draw(r, "five points", 5, in), draw(r, "one point", 1, in), draw(r, "twenty points", 20, in),
		draw(r, "three points with π = ½", 3, func(int) float64 { return 0.5 }),
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

// limits have outputs where a formula that is right on paper gives 0·ln 0, the
// impossible ones first, and outputs and shares that are nearly 0 and 1.
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

// scores are the log likelihoods of the models, point by point.
func (q problem) scores() []float64 {
	l := make([]float64, len(q.p))
	for k, p := range q.p {
		for i := range p {
			l[k] += term(p[i], q.pi[i])
		}
		if q.impossible {
			l[k] = 0 // for −Inf
		}
	}
	return l
}

// average is E[ln p(t)] of the first model over all 2^N ways to label the points,
// with p(t) the product (4.89).
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

//go:embed exercise.md answer_test.go
var files embed.FS

var exercise = exercises.MustParse("exercises/prml4/ex16", files)

// Exercise returns a copy of the text of this exercise.
func Exercise() *exercises.Exercise { return exercise.Copy() }

// Hint shows hint n, from 1, and returns its markdown.
func Hint(n int) string { return exercise.Hint(n) }

// Solution shows the worked derivation and the reference answer.
func Solution() string { return exercise.Solution() }
