// Package ex06 judges Alpaydin exercise 10.6: how to control the variance of quadratic
// discriminants by a penalty, by choosing its size on points left out, and by a lower rank.
package ex06

import (
	"embed"
	"encoding/json"
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
	"github.com/hyperplane-notebooks/hyperplane/exercises/internal/twoclass"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/verify"
)

//go:embed testdata/decisions.json
var decided []byte

// Check judges the three functions of Alpaydin exercise 10.6, for inputs X (N×D) and
// targets r (N, 0 or 1). fitRegularised returns the minimum of E + ½λ‖W‖², W being
// D×D. chooseLambda returns the λ of a grid that predicts new points best. fitLowRank returns
// a W of the given rank, with w and w0 fitted again.
func Check(fitRegularised func(X *mat.Dense, r []float64, lambda float64) (W *mat.Dense, w []float64, w0 float64),
	chooseLambda func(X *mat.Dense, r []float64, grid []float64) float64,
	fitLowRank func(X *mat.Dense, r []float64, lambda float64, rank int) (W *mat.Dense, w []float64,
		w0 float64)) *verify.Report {
	const shaped, form = ": W, w and w0 are finite, new and of the right shapes",
		"You returned a D×D matrix, D weights and a bias, for D from 1 to 5."
	parts := slices.Concat(
		askFit.Parts(fitRegularised, []judge.Property[sample]{
			judge.Form(askFit.Func+shaped, minima, nil, judge.Wrong{}, form),
			{Name: "FitRegularised: the minimum of E + ½λ‖W‖², with only W penalised", On: minima, Holds: vanishes,
				Wrong: judge.Wrong{Key: "not-minimum", Hint: 3,
					Message: "For {problem} the derivatives of E + ½λ‖W‖² do not vanish at your weights: together they are {off}."},
				Right: "All derivatives vanish at your weights: those with respect to w and w0 without a penalty, and dE/dW = −λW."},
		}...),
		askMany.Parts(fitRegularised,
			judge.Property[several]{Name: "FitRegularised: with λ the variance falls, and new points are predicted better", On: small, First: noFall, Holds: anything,
				Right: "Over twelve small samples", Note: fall}),
		askChoice.Parts(chooseLambda, []judge.Property[several]{
			{Name: "ChooseLambda: the same choice on every call", On: func() []several { return familiar()[:2] },
				Holds: anything,
				Also:  func(p several) several { return p },
				Wrong: judge.Wrong{Key: "not-constant", Hint: 4,
					Message: "Two calls with the same sample chose different values. If the points are divided at random, fix the seed."},
				Right: "You chose the same each time."},
			{Name: "ChooseLambda: new points are predicted better than with the ends of the grid", On: fresh,
				First: inGrid, Holds: predicts,
				Wrong: judge.Wrong{Key: "too-large", Hint: 3,
					Message: "On larger samples of strongly curved classes your choices do not predict new points distinctly better than the largest λ."},
				Right: "On ten small samples your choice predicts new points better than the smallest λ, on four larger, curved ones better than the largest:", Note: gained},
			{Name: "ChooseLambda: samples on which it hardly matters how the points are divided", On: fixed,
				First: inGrid, Holds: decides,
				Wrong: judge.Wrong{Key: "left-out-loss", Hint: 3,
					Message: "On {off} fixed samples, with two values of λ to choose from, the points left out are predicted better by the value that you do not choose, and it hardly matters how they are divided, if only every point has its turn (a single hold-out is a matter of luck here). Is each group predicted by what was learned from all the others? And what is added up for a point left out? It is −log of the probability given to its own class, neither the number of errors nor another distance, with g(x) = xᵀWx + wᵀx + w0 of the fit with just this λ."},
				Right: "On fixed samples, at most one of them left out, you choose the λ that predicts left-out points better, whatever the order of the grid."},
			{Name: "ChooseLambda: the same choice in other units, and from a part of a larger matrix", On: familiar,
				First: inGrid, Also: inUnits,
				Back: func(_ several, answer []float64) []float64 { return []float64{answer[0] / dearer} },
				Wrong: judge.Wrong{Key: "units", Hint: 3,
					Message: "For {problem}, with all inputs 8 times as large and all λ 4096 times, you choose another place of the grid. The W of each fit is then divided by 64: λ‖W‖² is the same, and so are g(x) and the loss of every point left out. What else enters your choice?"},
				Right: "In other units of the inputs, with λ in the units that belong to them, you choose the same."},
		}...),
		askRank.Parts(fitLowRank, []judge.Property[sample]{
			judge.Form(askRank.Func+shaped, func() []sample { return ranked()[:6] }, nil, judge.Wrong{}, form),
			{Name: "FitLowRank: the nearest W of that rank, with w and w0 relearned", On: ranked, Holds: lowered,
				Wrong: judge.Wrong{Key: "not-best", Hint: 3,
					Message: "For {problem} W is right, but w and w0 are not the best for it: the derivatives of E do not vanish."},
				Right: "Your W has the rank asked for and is the nearest such matrix to the fitted one; w and w0 are the best for it. Rank 0 is the linear discriminant, rank D the quadratic one."},
		}...))
	return exercise.Judge(parts...)
}

// A sample holds labelled inputs and the arguments of the learner's functions. A discriminant is
// given by the weights of its features 1, x_j and x_j·x_l: the bias, w, and W row by row.
type sample struct {
	twoclass.Problem            // the features, the targets, and the right weights
	X                *mat.Dense // N×D
	lambda           float64
	rank             int       // for FitLowRank
	tol              float64   // tolerance for the entries of its W
	grid             []float64 // candidates for λ
	better           float64   // the value to choose, or 0
	end              float64   // the end of the grid that the choice must beat …
	test             *sample   // … on these new points
}

func (s sample) String() string { return s.Name } // already in quotation marks

// several samples form one problem, because the result on a single one may be luck.
type several []sample

func (p several) String() string { return p[0].Name }

// each collects the numbers of all samples, rights their right weights.
func (p several) each(of func(s sample) []float64) (v []float64) {
	for _, s := range p {
		v = append(v, of(s)...)
	}
	return v
}

func (p several) rights() []float64 { return p.each(func(s sample) []float64 { return s.W }) }

func newSample(name string, X *mat.Dense, r []float64) sample {
	return sample{Problem: twoclass.Problem{Name: name, Phi: instance.Products(X), T: r}, X: X, grid: grid}
}

// apart splits weights into W, w and w0.
func (s sample) apart(v []float64) (W *mat.Dense, w []float64, w0 float64) {
	_, d := s.X.Dims()
	return mat.NewDense(d, d, v[1+d:]), v[1 : 1+d], v[0]
}

// loss returns the mean cross-entropy of the sample, gradient the derivatives of the sum.
func (s sample) loss(v []float64) float64 {
	return twoclass.Logistic.At(s.Problem, v) / float64(len(s.T))
}
func (s sample) gradient(v []float64) []float64 {
	return twoclass.Pulling(twoclass.Residual)(v, s.Phi, s.T)
}

func source(part uint64) *rand.Rand { return instance.Source(1006, part) }

// draw makes n points whose classes follow the weights truth.
func draw(r *rand.Rand, name string, n int, truth []float64) sample {
	d := int(math.Sqrt(float64(len(truth)))) // 1+d+d² lies between d² and (d+1)²
	s := newSample("“"+name+"”", mat.NewDense(n, d, instance.Normals(r, n*d)), make([]float64, n))
	for t, a := range instance.Activations(s.Phi, truth) {
		s.T[t] = twoclass.Label(r, a)
	}
	return s
}

// plain is a truth without quadratic terms, curved one with large quadratic terms.
var (
	plain  = []float64{0.2, 0.8, -0.5, 0.3, 12: 0}
	curved = []float64{-0.3, 0.5, 0.3, -0.4, 1.5, 0.7, 0, 0.7, -1.2, 0, 0, 0, 0.1}
	line   = []float64{0.3, 0.4, -0.6}
	five   = []float64{0.1, 0.7, -0.5, 0, 0.3, 0.4, 30: 0}
)

// samples draws problems on which every known mistake shows. The last one has a single
// point of class 1, in the midst of the others, so that no plane divides them.
func samples(r *rand.Rand) []sample {
	list := []sample{
		draw(r, "sixty points of three inputs, curved classes", 60, curved),
		draw(r, "forty points of three inputs, straight classes", 40, plain),
		draw(r, "thirty points of one input", 30, line),
		draw(r, "eighty points of five inputs, straight classes", 80, five),
		draw(r, "forty points of two inputs, one of them of class 1", 40, make([]float64, 7)),
	}
	copy(list[4].X.RawRowView(7), []float64{0.05, -0.02})
	list[4].Phi = instance.Products(list[4].X)
	list[4].Problem = list[4].Rare(7)
	return list
}

var minima = instance.Once(func() (out []sample) {
	for _, s := range samples(source(2)) {
		for _, lambda := range []float64{0.3, 4} {
			named := s
			named.Name += fmt.Sprintf(" and λ = %g", lambda)
			named.lambda, named.W = lambda, s.fit(own(lambda), nil)
			out = append(out, named)
		}
	}
	return out
})

// ranked are samples with every rank that W can have.
var ranked = instance.Once(func() (out []sample) {
	const held = 0.5 // λ
	for _, s := range samples(source(6)) {
		full := s.fit(own(held), nil)
		W, w, _ := s.apart(full)
		for rank := range len(w) + 1 {
			if len(w) > 3 && rank%3 != 2 { // for five inputs ranks 2 and 5 are enough
				continue
			}
			named := s
			named.Name = fmt.Sprintf("%s, rank %d”", strings.TrimSuffix(s.Name, "”"), rank)
			named.lambda, named.rank, named.tol = held, rank, 1e-4*(1+mat.Norm(W, 2))
			named.W = s.fit(own(unused), leading(bySize, itself)(W, rank))
			out = append(out, named)
		}
	}
	return out
})

// minimumTol is the gradient per point that still counts as zero: far looser than
// Newton's method needs, and tight enough to tell every mistake apart.
const minimumTol = 1e-5

// vanishes checks that the derivatives are 0. The function is convex, so this shows the
// minimum without a second one for comparison.
func vanishes(s sample, got []float64) verify.Finding {
	W, _, _ := s.apart(got)
	dW, dw, dw0 := s.apart(s.gradient(got))
	floats.AddScaled(dW.RawMatrix().Data, s.lambda, W.RawMatrix().Data)
	size := slices.Max([]float64{mat.Norm(dW, 2), floats.Norm(dw, 2), math.Abs(dw0)})
	return verify.Finding{OK: size <= minimumTol*float64(len(s.T)), Note: "about " + verify.Magnitude(size)}
}

// nearest compares the W of an answer with the right one.
func nearest(s sample, got []float64) verify.Finding {
	W, _, _ := s.apart(got)
	right, _, _ := s.apart(s.W)
	return verify.CloseMat(W, right, verify.Tolerance{Abs: s.tol})
}

// lowered checks W, and the derivatives with respect to the rest.
func lowered(s sample, got []float64) verify.Finding {
	if f := nearest(s, got); !f.OK {
		return f
	}
	_, dw, dw0 := s.apart(s.gradient(got))
	return verify.Finding{OK: floats.Norm(append(dw, dw0), 2) <= 10*minimumTol*float64(len(s.T))}
}

// decisions are fixed samples of one input, each with two values of λ in both orders of the
// grid. The first value predicts the points left out better, for nearly all ways to divide
// them (TestDecided). Random samples are rarely so decisive, so these were searched for: on
// each, the wrong losses that it tests prefer the other value. Every such loss has at least
// two samples, so that one miss by an unlucky division can be allowed.
var decisions = func() (list several) {
	var fixed []struct{ X, R, Grid []float64 }
	if err := json.Unmarshal(decided, &fixed); err != nil {
		panic(err) // impossible: the file is embedded
	}
	for _, d := range fixed {
		s := newSample("", mat.NewDense(len(d.X), 1, d.X), d.R)
		s.grid, s.better = d.Grid, d.Grid[0]
		turned := s
		turned.grid = []float64{d.Grid[1], d.Grid[0]}
		list = append(list, s, turned)
	}
	return list
}()

//go:embed exercise.md answer_test.go
var files embed.FS

var exercise = exercises.MustParse("exercises/alpaydin10/ex06", files)

// Exercise returns a copy of the text of this exercise.
func Exercise() *exercises.Exercise { return exercise.Copy() }

// Hint shows hint n, from 1, and returns its markdown.
func Hint(n int) string { return exercise.Hint(n) }

// Solution shows the worked derivation and the reference answer.
func Solution() string { return exercise.Solution() }
