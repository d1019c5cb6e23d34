// Package ex06 judges Alpaydin exercise 10.6: how the variance of quadratic
// discriminants is kept under control, by a penalty, by choosing its size on points
// not seen, and by a lower rank.
package ex06

import (
	_ "embed"
	"fmt"
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/hyperplane-notebooks/hyperplane/exercises"
	"github.com/hyperplane-notebooks/hyperplane/exercises/internal/instance"
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
	part := func(function, name string, judge func() verify.Verdict) verify.Part {
		// The limit is not shared among the functions: leaving out each point once takes time.
		return verify.Part{Name: function + ": " + name, Of: []string{function}, Limit: verify.DefaultLimit, Judge: judge}
	}
	const fit, choose, low = "FitRegularised", "ChooseLambda", "FitLowRank"
	return exercise.Judge(
		part(fit, "W, w and w0 are finite, new and of the right shapes", func() verify.Verdict {
			return judgeForm(samples(source(1)), 3, regularised(fitRegularised, 1))
		}),
		part(fit, "the minimum of E + ½λ‖W‖², with only W penalised", func() verify.Verdict { return judgeMinimum(fitRegularised) }),
		part(fit, "with λ the variance falls, and new points are predicted better", func() verify.Verdict { return judgeVariance(fitRegularised) }),
		part(choose, "a value of the grid, the same on every call", func() verify.Verdict { return judgeChoiceForm(chooseLambda) }),
		part(choose, "new points are predicted better than with the ends of the grid", func() verify.Verdict { return judgeChoice(chooseLambda) }),
		part(choose, "samples on which it hardly matters how the points are divided", func() verify.Verdict { return judgeDecided(chooseLambda) }),
		part(choose, "the same choice in other units", func() verify.Verdict { return judgeUnits(chooseLambda) }),
		part(low, "W, w and w0 are finite, new and of the right shapes", func() verify.Verdict { return judgeForm(ranked()[:6], 4, lowered(fitLowRank)) }),
		part(low, "the nearest W of that rank, with w and w0 learned anew", func() verify.Verdict { return judgeRank(fitLowRank) }),
	)
}

// A sample is labelled inputs.
type sample struct {
	name string
	X    *mat.Dense // N×D
	r    []float64  // N, 0 or 1
	rank int        // for FitLowRank
}

func (s sample) String() string { return "“" + s.name + "”" }

// A model is a quadratic discriminant.
type model struct {
	W  *mat.Dense
	w  []float64
	w0 float64
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
	s := sample{name: name, X: mat.NewDense(n, len(truth.w), instance.Normals(r, n*len(truth.w))), r: make([]float64, n)}
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

// samples are problems on which every known mistake shows.
func samples(r *rand.Rand) []sample {
	return []sample{
		draw(r, "sixty points of three inputs, curved classes", 60, curved),
		draw(r, "forty points of three inputs, straight classes", 40, plain),
		draw(r, "thirty points of one input", 30, line),
		draw(r, "eighty points of five inputs, straight classes", 80, five),
		rare(r),
	}
}

// rare has a single point of class 1, in the midst of the others: no plane divides
// them.
func rare(r *rand.Rand) sample {
	s := draw(r, "forty points of two inputs, one of them of class 1", 40, model{mat.NewDense(2, 2, nil), []float64{0, 0}, 0})
	clear(s.r)
	s.r[7] = 1
	copy(s.X.RawRowView(7), []float64{0.05, -0.02})
	return s
}

// ranked are samples with every rank that W can be given.
func ranked() []sample {
	var out []sample
	for _, s := range samples(source(6)) {
		_, d := s.X.Dims()
		for rank := range d + 1 {
			if d > 3 && rank%3 != 2 { // ranks 2 and 5 tell enough of five inputs
				continue
			}
			named := s
			named.name, named.rank = fmt.Sprintf("%s, rank %d", s.name, rank), rank
			out = append(out, named)
		}
	}
	return out
}

// gradient returns the derivatives of E, the sum over all points, without penalty.
func (m model) gradient(s sample) (dW *mat.Dense, dw []float64, dw0 float64) {
	d := len(m.w)
	dW, dw = mat.NewDense(d, d, nil), make([]float64, d)
	for t, r := range s.r {
		x := s.X.RawRowView(t)
		e := kernel.Sigmoid(m.at(x)) - r
		v := mat.NewVecDense(d, x)
		dW.RankOne(dW, e, v, v)
		floats.AddScaled(dw, e, x)
		dw0 += e
	}
	return dW, dw, dw0
}

// fit minimises E + ½λ‖W‖² over w0, w and, unless it is fixed, W, by Newton's
// method with halved steps.
func (s sample) fit(lambda float64, fixed *mat.Dense) model {
	_, d := s.X.Dims()
	m := model{mat.NewDense(d, d, nil), make([]float64, d), 0}
	size := 1 + d + d*d
	if fixed != nil {
		m.W, size = fixed, 1+d
	}
	objective := func(m model) float64 {
		e := m.loss(s) * float64(len(s.r))
		if fixed == nil {
			e += lambda / 2 * math.Pow(mat.Norm(m.W, 2), 2)
		}
		return e
	}
	for range 100 {
		g, h := make([]float64, size), mat.NewSymDense(size, nil)
		for t, r := range s.r {
			x := s.X.RawRowView(t)
			phi := append([]float64{1}, x...)
			for j := 0; j < d && fixed == nil; j++ {
				for l := range d {
					phi = append(phi, x[j]*x[l])
				}
			}
			a := m.at(x)
			floats.AddScaled(g, kernel.Sigmoid(a)-r, phi)
			h.SymRankOne(h, kernel.Sigmoid(a)*kernel.Sigmoid(-a), mat.NewVecDense(size, phi))
		}
		for j := 1 + d; j < size; j++ {
			g[j] += lambda * m.W.RawMatrix().Data[j-1-d]
			h.SetSym(j, j, h.At(j, j)+lambda)
		}
		var chol mat.Cholesky
		var step mat.VecDense
		if floats.Norm(g, 2) < 1e-9*float64(len(s.r)) || !chol.Factorize(h) || chol.SolveVecTo(&step, mat.NewVecDense(size, g)) != nil {
			break
		}
		before, lower := objective(m), false
		for c := 1.0; c > 1e-6 && !lower; c /= 2 {
			next := model{mat.DenseCopyOf(m.W), append([]float64(nil), m.w...), m.w0 - c*step.AtVec(0)}
			for j := range d {
				next.w[j] -= c * step.AtVec(1+j)
			}
			for j := 1 + d; j < size; j++ {
				next.W.RawMatrix().Data[j-1-d] -= c * step.AtVec(j)
			}
			if objective(next) < before {
				m, lower = next, true
			}
		}
		if !lower { // as low as rounding lets it be
			break
		}
	}
	return m
}

// A decided is a fixed sample of one input, and two values of λ of which one
// predicts the points left out better, with hardly any exception among the ways to
// divide them (TestDecided). A random sample rarely tells so much; these were
// searched for, each such that the wrong losses above it prefer the other value.
// Every such loss has two samples at least, so that a single miss, by an unlucky
// division, can be let pass.
type decided struct {
	x, r          []float64
	better, worse float64
}

var decisions = []decided{
	// λ halved, the sign of w, or the scores of the errors alone
	{[]float64{-0.6, 1.8, 1.1, -2.3, -0.6, 0, 0.2, -0.5, 1.4, 0.2, 0.5, 1.7, 1.9, -0.5, 1.1, 0.2, 0.4, -0.5, 0.3, -2.7, -0.1, 0.8, -0.7, -0.4},
		[]float64{0, 0, 1, 0, 0, 1, 1, 0, 1, 1, 1, 0, 0, 0, 1, 1, 1, 0, 1, 0, 0, 0, 0, 0}, 0.125, 8},
	{[]float64{-0.5, 0.7, 1.1, 0.1, -0.4, 0.3, 0.9, -1.1, 1, 0.1, 0.4, 1.6, 1.7, -0.4, 0.9, 0.4, -0.6, -0.5, 0.1, 0.2, 0, 0.3, -0.6, -0.6},
		[]float64{0, 0, 1, 1, 0, 1, 0, 0, 1, 1, 1, 0, 0, 0, 1, 1, 0, 0, 0, 1, 0, 0, 0, 0}, 0.125, 4},
	// λ doubled
	{[]float64{-0.1, 0.1, 0.4, 0.4, 0.6, -1.6, 0.9, 0.7, 0.6, 0.6, -0.8, 0.8, 0.7, 1, 0.3, 0.4, 0.8, -1.6, 0.8, 0.6, 0, 0.4, 1.3, -3.1},
		[]float64{0, 0, 0, 1, 0, 1, 1, 1, 1, 0, 1, 0, 1, 0, 0, 0, 1, 1, 1, 1, 0, 0, 1, 0}, 8, 1},
	{[]float64{0.2, 1.2, 0.4, 0.6, 0.8, -1.6, -0.6, 1.2, 0.4, 0.3, 0.7, 0.9, 0.3, 1.3, 0.4, 0.2, 1.3, -3.3, 0.6, 1.3, -0.9, 0.2, 1.2, -3.5},
		[]float64{0, 1, 0, 0, 1, 1, 0, 1, 0, 0, 0, 0, 0, 1, 0, 0, 1, 1, 0, 1, 1, 0, 1, 0}, 8, 1},
	// too dear where g is near 0, or scores halved
	{[]float64{-1.4, 1.4, 0.1, 2, -1.3, -0.8, 0.3, 1.1, -3.2, 0.6, -3.5, -0.1, 0.1, -3.2, 3.5, 0.3, -1.4, 3.5, -0.3, 0.3, -0.1, 3.5, -1.4, 0.4},
		[]float64{0, 1, 1, 0, 0, 1, 1, 0, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 1, 1}, 4, 0.03125},
	{[]float64{-3.3, 0.6, 0, 2, -1.3, -0.8, 0.2, -0.4, -0.5, 0.8, -1.7, -0.6, 0.5, 1.8, -0.7, -0.1, 1.9, -0.7, -0.6, -3.5, 0.2, -1.6, -1.6, 0.4},
		[]float64{0, 1, 1, 0, 0, 1, 1, 1, 0, 0, 0, 1, 0, 0, 1, 1, 0, 0, 0, 0, 0, 0, 1, 0}, 4, 0.03125},
	// too cheap where g is near 0, or the sign of w0
	crowd([][3]float64{{-1, 28, 12}, {0, 24, 56}, {1, 28, 12}}, 0.01, 100),
	crowd([][3]float64{{-1, 30, 10}, {0, 20, 60}, {1, 30, 10}}, 0.01, 100),
	// too cheap away from 0, or scores doubled
	crowd([][3]float64{{-1, 72, 8}, {0, 16, 144}, {1, 72, 8}}, 0.01, 7),
	crowd([][3]float64{{-1, 72, 8}, {0, 16, 144}, {1, 72, 8}}, 0.01, 10),
}

// crowd has many points at few places, in a mixed order; a group is a place, its
// ones and its zeros.
func crowd(groups [][3]float64, better, worse float64) decided {
	c := decided{better: better, worse: worse}
	for _, g := range groups {
		for i := range int(g[1] + g[2]) {
			c.x = append(c.x, g[0])
			c.r = append(c.r, 0)
			if i < int(g[1]) {
				c.r[len(c.r)-1] = 1
			}
		}
	}
	rand.New(rand.NewPCG(1006, 1)).Shuffle(len(c.x), func(i, j int) {
		c.x[i], c.x[j], c.r[i], c.r[j] = c.x[j], c.x[i], c.r[j], c.r[i]
	})
	return c
}

func (c decided) sample() sample {
	return sample{name: fmt.Sprintf("%d points of one input", len(c.x)), X: mat.NewDense(len(c.x), 1, c.x), r: c.r}
}
