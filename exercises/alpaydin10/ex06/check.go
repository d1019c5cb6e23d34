// Package ex06 judges Alpaydin exercise 10.6: how the variance of quadratic
// discriminants is kept under control, by a penalty, by choosing its size on points
// not seen, and by a lower rank.
package ex06

import (
	_ "embed"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/hyperplane-notebooks/hyperplane/exercises"
	"github.com/hyperplane-notebooks/hyperplane/exercises/internal/instance"
	"github.com/hyperplane-notebooks/hyperplane/exercises/internal/judge"
	"github.com/hyperplane-notebooks/hyperplane/exercises/internal/kernel"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/verify"
)

//go:embed exercise.md
var text string

//go:embed answer_test.go
var answer string

var exercise = exercises.MustParse("exercises/alpaydin10/ex06/exercise.md", text, answer)

// Exercise returns a copy of the text of this exercise.
func Exercise() *exercises.Exercise { return exercise.Copy() }

// Hint shows hint n, from 1, and returns its markdown.
func Hint(n int) string { return exercise.Hint(n) }

// Solution shows the worked derivation and the reference answer.
func Solution() string { return exercise.Solution() }

// Check judges the three functions of Alpaydin exercise 10.6, for inputs X (N×D) and
// targets r (N, 0 or 1). fitRegularised returns the minimum of E + ½λ‖W‖², W being
// D×D; chooseLambda the λ of a grid that serves new points best; fitLowRank a W of
// given rank with w and w0 learned anew.
func Check(fitRegularised func(X *mat.Dense, r []float64, lambda float64) (W *mat.Dense, w []float64, w0 float64),
	chooseLambda func(X *mat.Dense, r []float64, grid []float64) float64,
	fitLowRank func(X *mat.Dense, r []float64, lambda float64, rank int) (W *mat.Dense, w []float64, w0 float64)) *verify.Report {
	choosing := func(name string, judge func(c *chooser) verify.Verdict) []verify.Part {
		return []verify.Part{{Name: "ChooseLambda: " + name, Of: []string{"ChooseLambda"}, Judge: func() verify.Verdict {
			c := &chooser{choose: chooseLambda}
			if v := judge(c); c.bad == nil {
				return v
			}
			return *c.bad
		}}}
	}
	const shaped, form = ": W, w and w0 are finite, new and of the right shapes", "You returned a D×D matrix, D weights and a bias, for D from 1 to 5."
	parts := slices.Concat(
		askFit.Parts(fitRegularised,
			judge.Form(askFit.Func+shaped, minima, nil, judge.Wrong{}, form),
			judge.Property[sample]{
				Name: "FitRegularised: the minimum of E + ½λ‖W‖², with only W penalised", On: minima, Holds: vanishes,
				Wrong: judge.Wrong{Key: "not-minimum", Hint: 3, Message: "For {problem} the derivatives of E + ½λ‖W‖² do not vanish at your weights: together they are {off}."},
				Right: "All derivatives vanish at your weights: those with respect to w and w0 without a penalty, and dE/dW = −λW.",
			}),
		[]verify.Part{{Name: "FitRegularised: with λ the variance falls, and new points are predicted better", Of: []string{askFit.Func},
			Judge: func() verify.Verdict { return judgeVariance(fitRegularised) }}},
		choosing("a value of the grid, the same on every call", judgeChoiceForm),
		choosing("new points are predicted better than with the ends of the grid", judgeChoice),
		choosing("samples on which it hardly matters how the points are divided", judgeDecided),
		choosing("the same choice in other units", judgeUnits),
		askRank.Parts(fitLowRank,
			judge.Form(askRank.Func+shaped, func() []sample { return ranked()[:6] }, nil, judge.Wrong{}, form),
			judge.Property[sample]{
				Name: "FitLowRank: the nearest W of that rank, with w and w0 learned anew", On: ranked, Holds: lowered,
				Wrong: judge.Wrong{Key: "not-best", Hint: 3, Message: "For {problem} W is right, but w and w0 are not the best for it: the derivatives of E do not vanish."},
				Right: "Your W has the rank asked for and is the nearest such matrix to the fitted one; w and w0 are the best for it. Rank 0 is the linear discriminant, rank D the quadratic one.",
			}))
	for i := range parts { // The limit is not shared among the functions: leaving out each point once takes time.
		parts[i].Limit = verify.DefaultLimit
	}
	return exercise.Judge(parts...)
}

// A sample is labelled inputs, and what is asked about them.
type sample struct {
	name   string     // in quotation marks
	X      *mat.Dense // N×D
	r      []float64  // N, 0 or 1
	lambda float64
	rank   int       // for FitLowRank
	tol    float64   // of the entries of its W
	right  []float64 // the answer, as flat has it
}

func (s sample) String() string { return s.name }

// A model is a quadratic discriminant.
type model struct {
	W  *mat.Dense
	w  []float64
	w0 float64
}

// flat is all weights of a model, unflat the model of an answer.
func (m model) flat() []float64 { return slices.Concat(m.W.RawMatrix().Data, m.w, []float64{m.w0}) }

func (s sample) unflat(v []float64) model {
	_, d := s.X.Dims()
	return model{mat.NewDense(d, d, v[:d*d]), v[d*d : d*d+d], v[d*d+d]}
}

func source(part uint64) *rand.Rand { return instance.Source(1006, part) }

// at is g(x).
func (m model) at(x []float64) float64 {
	v := mat.NewVecDense(len(x), x)
	return mat.Inner(v, m.W, v) + floats.Dot(m.w, x) + m.w0
}

// loss is the mean cross-entropy on a sample.
func (m model) loss(s sample) float64 {
	e := 0.0
	for t, r := range s.r {
		e += kernel.CrossEntropy(m.at(s.X.RawRowView(t)), r) / float64(len(s.r))
	}
	return e
}

// draw makes n points whose classes follow a truth.
func draw(r *rand.Rand, name string, n int, truth model) sample {
	s := sample{name: "“" + name + "”", X: mat.NewDense(n, len(truth.w), instance.Normals(r, n*len(truth.w))), r: make([]float64, n)}
	for t := range s.r {
		if r.Float64() < kernel.Sigmoid(truth.at(s.X.RawRowView(t))) {
			s.r[t] = 1
		}
	}
	return s
}

// plain is a truth without quadratic terms, curved one with large ones.
var (
	plain  = model{mat.NewDense(3, 3, nil), []float64{0.8, -0.5, 0.3}, 0.2}
	curved = model{mat.NewDense(3, 3, []float64{1.5, 0.7, 0, 0.7, -1.2, 0, 0, 0, 0.1}), []float64{0.5, 0.3, -0.4}, -0.3}
	line   = model{mat.NewDense(1, 1, []float64{-0.6}), []float64{0.4}, 0.3}
	five   = model{mat.NewDense(5, 5, nil), []float64{0.7, -0.5, 0, 0.3, 0.4}, 0.1}
)

// samples are problems on which every known mistake shows. The last one has a single
// point of class 1, in the midst of the others: no plane divides them.
func samples(r *rand.Rand) []sample {
	list := []sample{
		draw(r, "sixty points of three inputs, curved classes", 60, curved),
		draw(r, "forty points of three inputs, straight classes", 40, plain),
		draw(r, "thirty points of one input", 30, line),
		draw(r, "eighty points of five inputs, straight classes", 80, five),
		draw(r, "forty points of two inputs, one of them of class 1", 40, model{mat.NewDense(2, 2, nil), []float64{0, 0}, 0}),
	}
	rare := list[4]
	clear(rare.r)
	rare.r[7] = 1
	copy(rare.X.RawRowView(7), []float64{0.05, -0.02})
	return list
}

var minima = instance.Once(func() (out []sample) {
	for _, s := range samples(source(2)) {
		for _, lambda := range []float64{0.3, 4} {
			named := s
			named.name += fmt.Sprintf(" and λ = %g", lambda)
			named.lambda, named.right = lambda, s.fit(own(lambda)).flat()
			out = append(out, named)
		}
	}
	return out
})

// held is the λ with which FitLowRank is asked.
const held = 0.5

// ranked are samples with every rank that W can be given.
var ranked = instance.Once(func() (out []sample) {
	for _, s := range samples(source(6)) {
		_, d := s.X.Dims()
		full := s.fit(own(held)).W
		for rank := range d + 1 {
			if d > 3 && rank%3 != 2 { // ranks 2 and 5 tell enough of five inputs
				continue
			}
			named := s
			named.name = fmt.Sprintf("%s, rank %d”", strings.TrimSuffix(s.name, "”"), rank)
			named.lambda, named.rank, named.tol = held, rank, 1e-4*(1+mat.Norm(full, 2))
			named.right = s.refit(leading(bySize, itself)(full, rank)).flat()
			out = append(out, named)
		}
	}
	return out
})

// minimumTol is the gradient per point that still counts as zero: far looser than
// Newton's method needs, and tight enough to tell every mistake apart.
const minimumTol = 1e-5

// gradient returns the derivatives of E, the sum over all points, without penalty.
func (m model) gradient(s sample) (dW, dw []float64, dw0 float64) {
	d := len(m.w)
	outer, dw := mat.NewDense(d, d, nil), make([]float64, d)
	for t, r := range s.r {
		x := s.X.RawRowView(t)
		e := kernel.Sigmoid(m.at(x)) - r
		v := mat.NewVecDense(d, x)
		outer.RankOne(outer, e, v, v)
		floats.AddScaled(dw, e, x)
		dw0 += e
	}
	return outer.RawMatrix().Data, dw, dw0
}

// vanishes needs no minimum to compare with: at it the derivatives vanish, and the
// function is convex.
func vanishes(s sample, got []float64) verify.Finding {
	m := s.unflat(got)
	dW, dw, dw0 := m.gradient(s)
	floats.AddScaled(dW, s.lambda, m.W.RawMatrix().Data)
	size := slices.Max([]float64{floats.Norm(dW, 2), floats.Norm(dw, 2), math.Abs(dw0)})
	return verify.Finding{OK: size <= minimumTol*float64(len(s.r)), Note: "about " + verify.Magnitude(size)}
}

// nearest is whether the W of an answer is the right one.
func nearest(s sample, got []float64) verify.Finding {
	return verify.CloseMat(s.unflat(got).W, s.unflat(s.right).W, verify.Tolerance{Abs: s.tol})
}

// lowered looks at W, and at the derivatives with respect to the rest.
func lowered(s sample, got []float64) verify.Finding {
	if f := nearest(s, got); !f.OK {
		return f
	}
	_, dw, dw0 := s.unflat(got).gradient(s)
	return verify.Finding{OK: floats.Norm(append(dw, dw0), 2) <= 10*minimumTol*float64(len(s.r))}
}

// A decided is a fixed sample of one input, and two values of λ of which one
// predicts the points left out better, with hardly any exception among the ways to
// divide them (TestDecided). A random sample rarely tells so much; these were
// searched for, each such that the wrong losses above it prefer the other value.
// Every such loss has two samples at least, so that a single miss, by an unlucky
// division, can be let pass.
type decided struct {
	sample
	better, worse float64
}

var decisions = []decided{
	// λ halved, the sign of w, or the scores of the errors alone
	one([]float64{-0.6, 1.8, 1.1, -2.3, -0.6, 0, 0.2, -0.5, 1.4, 0.2, 0.5, 1.7, 1.9, -0.5, 1.1, 0.2, 0.4, -0.5, 0.3, -2.7, -0.1, 0.8, -0.7, -0.4},
		[]float64{0, 0, 1, 0, 0, 1, 1, 0, 1, 1, 1, 0, 0, 0, 1, 1, 1, 0, 1, 0, 0, 0, 0, 0}, 0.125, 8),
	one([]float64{-0.5, 0.7, 1.1, 0.1, -0.4, 0.3, 0.9, -1.1, 1, 0.1, 0.4, 1.6, 1.7, -0.4, 0.9, 0.4, -0.6, -0.5, 0.1, 0.2, 0, 0.3, -0.6, -0.6},
		[]float64{0, 0, 1, 1, 0, 1, 0, 0, 1, 1, 1, 0, 0, 0, 1, 1, 0, 0, 0, 1, 0, 0, 0, 0}, 0.125, 4),
	// λ doubled
	one([]float64{-0.1, 0.1, 0.4, 0.4, 0.6, -1.6, 0.9, 0.7, 0.6, 0.6, -0.8, 0.8, 0.7, 1, 0.3, 0.4, 0.8, -1.6, 0.8, 0.6, 0, 0.4, 1.3, -3.1},
		[]float64{0, 0, 0, 1, 0, 1, 1, 1, 1, 0, 1, 0, 1, 0, 0, 0, 1, 1, 1, 1, 0, 0, 1, 0}, 8, 1),
	one([]float64{0.2, 1.2, 0.4, 0.6, 0.8, -1.6, -0.6, 1.2, 0.4, 0.3, 0.7, 0.9, 0.3, 1.3, 0.4, 0.2, 1.3, -3.3, 0.6, 1.3, -0.9, 0.2, 1.2, -3.5},
		[]float64{0, 1, 0, 0, 1, 1, 0, 1, 0, 0, 0, 0, 0, 1, 0, 0, 1, 1, 0, 1, 1, 0, 1, 0}, 8, 1),
	// too dear where g is near 0, or scores halved
	one([]float64{-1.4, 1.4, 0.1, 2, -1.3, -0.8, 0.3, 1.1, -3.2, 0.6, -3.5, -0.1, 0.1, -3.2, 3.5, 0.3, -1.4, 3.5, -0.3, 0.3, -0.1, 3.5, -1.4, 0.4},
		[]float64{0, 1, 1, 0, 0, 1, 1, 0, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 1, 1}, 4, 0.03125),
	one([]float64{-3.3, 0.6, 0, 2, -1.3, -0.8, 0.2, -0.4, -0.5, 0.8, -1.7, -0.6, 0.5, 1.8, -0.7, -0.1, 1.9, -0.7, -0.6, -3.5, 0.2, -1.6, -1.6, 0.4},
		[]float64{0, 1, 1, 0, 0, 1, 1, 1, 0, 0, 0, 1, 0, 0, 1, 1, 0, 0, 0, 0, 0, 0, 1, 0}, 4, 0.03125),
	// too cheap where g is near 0, or the sign of w0
	crowd([][3]float64{{-1, 28, 12}, {0, 24, 56}, {1, 28, 12}}, 0.01, 100),
	crowd([][3]float64{{-1, 30, 10}, {0, 20, 60}, {1, 30, 10}}, 0.01, 100),
	// too cheap away from 0, or scores doubled
	crowd([][3]float64{{-1, 72, 8}, {0, 16, 144}, {1, 72, 8}}, 0.01, 7),
	crowd([][3]float64{{-1, 72, 8}, {0, 16, 144}, {1, 72, 8}}, 0.01, 10),
}

// one has points of one input.
func one(x, r []float64, better, worse float64) decided {
	return decided{sample{name: fmt.Sprintf("%d points of one input", len(x)), X: mat.NewDense(len(x), 1, x), r: r}, better, worse}
}

// crowd has many points at few places, in a mixed order; a group is a place, its
// ones and its zeros.
func crowd(groups [][3]float64, better, worse float64) decided {
	var x, r []float64
	for _, g := range groups {
		x = append(x, slices.Repeat(g[:1], int(g[1]+g[2]))...)
		r = append(append(r, slices.Repeat([]float64{1}, int(g[1]))...), make([]float64, int(g[2]))...)
	}
	rand.New(rand.NewPCG(1006, 1)).Shuffle(len(x), func(i, j int) { x[i], x[j], r[i], r[j] = x[j], x[i], r[j], r[i] })
	return one(x, r, better, worse)
}
