// Package ex06 judges Alpaydin exercise 10.6: how to control the variance of quadratic
// discriminants. The three methods are a penalty on W, a choice of the penalty by the loss on
// points left out, and a W of lower rank.
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
	"github.com/hyperplane-notebooks/hyperplane/exercises/instance"
	"github.com/hyperplane-notebooks/hyperplane/exercises/internal/twoclass"
	"github.com/hyperplane-notebooks/hyperplane/exercises/judge"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/verify"
)

//go:embed testdata/decisions.json
var decided []byte

// Check judges the three functions of Alpaydin exercise 10.6, for inputs X (N×D) and targets r (N,
// 0 or 1). fitRegularised returns the minimum of E + ½λ‖W‖², where W is D×D. chooseLambda returns
// the λ of a grid that predicts new points best. fitLowRank returns a W of the given rank, and w
// and w0 fitted again for this W.
func Check(fitRegularised func(X *mat.Dense, r []float64, lambda float64) (W *mat.Dense, w []float64, w0 float64),
	chooseLambda func(X *mat.Dense, r []float64, grid []float64) float64,
	fitLowRank func(X *mat.Dense, r []float64, lambda float64, rank int) (W *mat.Dense, w []float64,
		w0 float64)) *verify.Report {
	const shaped, form = ": W, w and w0 are finite, new and of the right shapes",
		"You returned a D×D matrix, D weights and a bias, for D from 1 to 5."
	parts := slices.Concat(
		askFit.Parts(fitRegularised, []judge.Property[sample]{
			judge.Form(askFit.Func+shaped, minima, nil, judge.Wrong{}, form),
			{Name: "FitRegularised: the minimum of E + ½λ‖W‖², with a penalty on W only", On: minima, Holds: vanishes,
				Wrong: judge.Wrong{Key: "not-minimum", Hint: 3,
					Message: "For {problem} the derivatives of E + ½λ‖W‖² do not vanish at your weights: their size is {off}."},
				Right: "All derivatives vanish at your weights: dE/dw = 0 and dE/dw0 = 0 without a penalty, and dE/dW = −λW."},
		}...),
		askMany.Parts(fitRegularised,
			judge.Property[several]{Name: "FitRegularised: a larger λ decreases the variance, and improves the prediction of new points", On: small, First: noFall, Holds: anything,
				Right: "Over twelve small samples", Note: fall}),
		askChoice.Parts(chooseLambda, []judge.Property[several]{
			{Name: "ChooseLambda: the same choice on every call", On: func() []several { return familiar()[:2] },
				Holds: anything,
				Also:  func(p several) several { return p },
				Wrong: judge.Wrong{Key: "not-constant", Hint: 4,
					Message: "Two calls with the same sample chose different values. If the points are divided at random, fix the seed."},
				Right: "You chose the same value each time."},
			{Name: "ChooseLambda: your choice predicts new points better than the smallest and the largest λ", On: fresh,
				First: inGrid, Holds: predicts,
				Wrong: judge.Wrong{Key: "too-large", Hint: 3,
					Message: "On larger samples of strongly curved classes your choices do not predict new points clearly better than the largest λ."},
				Right: "On ten small samples your choice predicts new points better than the smallest λ; on four larger, curved samples better than the largest λ:", Note: gained},
			{Name: "ChooseLambda: the choice on fixed samples, nearly independent of how the points are divided", On: fixed,
				First: inGrid, Holds: decides,
				Wrong: judge.Wrong{Key: "left-out-loss", Hint: 3,
					Message: "On {off} fixed samples with two values of λ, the value that you do not choose predicts the points left out better. The division of the points hardly matters if every point is left out once; a single hold-out depends on luck. Predict each group by a fit to all the others. For each point left out, add −log of the probability of its own class, not the number of errors or another distance. Use g(x) = xᵀWx + wᵀx + w0 of the fit with exactly this λ."},
				Right: "On all fixed samples, or all but one, you choose the λ that predicts the points left out better, whatever the order of the grid."},
			{Name: "ChooseLambda: the same choice in other units, and from a part of a larger matrix", On: familiar,
				First: inGrid, Also: inUnits,
				Back: func(_ several, answer []float64) []float64 { return []float64{answer[0] / dearer} },
				Wrong: judge.Wrong{Key: "units", Hint: 3,
					Message: "For {problem}, with all inputs 8 times as large and all λ 4096 times, you choose a different value of the grid. The W of each fit is then divided by 64, so λ‖W‖², g(x) and the loss of every point left out stay the same. Your choice must depend on nothing else."},
				Right: "With other units of the inputs, and λ in the corresponding units, you choose the same value."},
		}...),
		askRank.Parts(fitLowRank, []judge.Property[sample]{
			judge.Form(askRank.Func+shaped, func() []sample { return ranked()[:6] }, nil, judge.Wrong{}, form),
			{Name: "FitLowRank: the nearest W of that rank, with w and w0 fitted again", On: ranked, Holds: lowered,
				Wrong: judge.Wrong{Key: "not-best", Hint: 3,
					Message: "For {problem} W is right, but w and w0 do not minimise E for this W: the derivatives of E with respect to them do not vanish."},
				Right: "Your W has the required rank and is the nearest such matrix to the fitted W; w and w0 minimise E for your W. Rank 0 is the linear discriminant, rank D the quadratic one."},
		}...))
	return exercise.Judge(parts...)
}

// A sample contains labelled inputs and the arguments of the learner's functions. A vector of
// weights represents a discriminant: the bias, w, and W row by row, the weights of the features 1,
// x_j and x_j·x_l.
type sample struct {
	twoclass.Problem            // the features, the targets, and the right weights
	X                *mat.Dense // N×D
	lambda           float64
	rank             int       // for FitLowRank
	tol              float64   // tolerance for the entries of its W
	grid             []float64 // values of λ to choose from
	better           float64   // the right choice, or 0
	end              float64   // the smallest or largest value of the grid: the choice must predict …
	test             *sample   // … these new points better than the value end
}

func (s sample) String() string { return s.Name } // Name contains the quotation marks

// several contains samples that form one problem, because the result on a single sample may be
// luck.
type several []sample

func (p several) String() string { return p[0].Name }

// each concatenates the results of calling of on all samples. rights returns the right weights of
// all samples.
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

// apart splits weights v into W, w and w0.
func (s sample) apart(v []float64) (W *mat.Dense, w []float64, w0 float64) {
	_, d := s.X.Dims()
	return mat.NewDense(d, d, v[1+d:]), v[1 : 1+d], v[0]
}

// loss returns the mean cross-entropy of the sample. gradient returns the derivatives of the sum.
func (s sample) loss(v []float64) float64 {
	return twoclass.Logistic.At(s.Problem, v) / float64(len(s.T))
}
func (s sample) gradient(v []float64) []float64 {
	return twoclass.Pulling(twoclass.Residual)(v, s.Phi, s.T)
}

func source(part uint64) *rand.Rand { return instance.Source(1006, part) }

// draw draws n points, and their classes from the probabilities that the weights truth define.
func draw(r *rand.Rand, name string, n int, truth []float64) sample {
	d := int(math.Sqrt(float64(len(truth)))) // exact: len(truth) = 1+d+d² lies between d² and (d+1)²
	s := newSample("“"+name+"”", mat.NewDense(n, d, instance.Normals(r, n*d)), make([]float64, n))
	for t, a := range instance.Activations(s.Phi, truth) {
		s.T[t] = twoclass.Label(r, a)
	}
	return s
}

// The weights from which draw draws classes: plain, line and five have no quadratic terms, and
// curved has large ones.
var (
	plain  = []float64{0.2, 0.8, -0.5, 0.3, 12: 0}
	curved = []float64{-0.3, 0.5, 0.3, -0.4, 1.5, 0.7, 0, 0.7, -1.2, 0, 0, 0, 0.1}
	line   = []float64{0.3, 0.4, -0.6}
	five   = []float64{0.1, 0.7, -0.5, 0, 0.3, 0.4, 30: 0}
)

// samples draws samples on which every known mistake differs from the right answer. The last sample
// contains a single point of class 1 among the others, so that no plane separates the classes.
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

// ranked returns samples with every rank that W can have.
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

// minimumTol is the largest gradient per point that counts as zero. Newton's method reaches far
// smaller gradients, and every known mistake has a larger one.
const minimumTol = 1e-5

// vanishes checks that all derivatives are 0. The function is convex, so vanishing derivatives
// prove the minimum; a comparison with a second minimum is not needed.
func vanishes(s sample, got []float64) verify.Finding {
	W, _, _ := s.apart(got)
	dW, dw, dw0 := s.apart(s.gradient(got))
	floats.AddScaled(dW.RawMatrix().Data, s.lambda, W.RawMatrix().Data)
	size := slices.Max([]float64{mat.Norm(dW, 2), floats.Norm(dw, 2), math.Abs(dw0)})
	return verify.Finding{OK: size <= minimumTol*float64(len(s.T)), Note: "about " + verify.Magnitude(size)}
}

// nearest compares the W of the learner's answer with the right one.
func nearest(s sample, got []float64) verify.Finding {
	W, _, _ := s.apart(got)
	right, _, _ := s.apart(s.W)
	return verify.CloseMat(W, right, verify.Tolerance{Abs: s.tol})
}

// lowered checks W, and that the derivatives with respect to w and w0 are 0.
func lowered(s sample, got []float64) verify.Finding {
	if f := nearest(s, got); !f.OK {
		return f
	}
	_, dw, dw0 := s.apart(s.gradient(got))
	return verify.Finding{OK: floats.Norm(append(dw, dw0), 2) <= 10*minimumTol*float64(len(s.T))}
}

// decisions contains fixed samples of one input. Each sample occurs twice, with two values of λ in
// both orders of the grid. The first value in the file predicts the points left out better, for
// nearly all divisions of the points (TestDecided). Random samples are rarely so decisive, so a
// search found these. On each of them, the wrong losses that it tests prefer the other value. At
// least two samples test every such loss, so decides can allow one miss by an unlucky division.
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
