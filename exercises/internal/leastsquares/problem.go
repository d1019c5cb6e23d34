// Package leastsquares contains the code that the exercises about least-squares prediction with a
// bias share: the problems, the properties of right answers, and the known mistakes.
package leastsquares

import (
	"math"
	"math/rand/v2"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/hyperplane-notebooks/hyperplane/exercises/instance"
)

// A Predictor is the learner's function. It returns the K outputs y(x) for the training inputs X
// (N×D), the targets T (N×K) and a new input x with D entries.
type Predictor = func(X, T *mat.Dense, x []float64) []float64

// A Problem is a training set together with the inputs for which the learner's function predicts.
// In the field At, the training inputs come first. For all inputs in At the least-squares prediction is unique.
type Problem struct {
	Name      string
	X, T      *mat.Dense  // N×D and N×K
	A         *mat.Dense  // P×K; every target t satisfies A·t + B = 0; nil if P = 0
	B         []float64   // P
	At        [][]float64 // the inputs at which to predict, D entries each
	Tol       float64     // error that a right answer may have, divided by the unit; the properties allow larger errors
	Dependent bool        // whether the columns of [1 X] are dependent
	want      []float64   // the right predictions at the inputs in At, one after another
	unit      []float64   // for each right prediction, the unit of its error (see withPredictions)
}

// String returns the name in quotation marks, for use in messages.
func (p Problem) String() string { return "“" + p.Name + "”" }

// New returns the problem with the training inputs x and the targets t. The learner's function
// predicts at the training inputs and at the inputs in `more`.
func New(name string, x, t *mat.Dense, more [][]float64, tol float64) Problem {
	n, _ := x.Dims()
	p := Problem{Name: name, X: x, T: t, Tol: tol}
	for i := range n {
		p.At = append(p.At, x.RawRowView(i))
	}
	p.At = append(p.At, more...)
	return p.withPredictions()
}

// withPredictions returns p with the right predictions, and with the unit in which the check measures
// the error of each prediction. A prediction is a sum of terms. All predictions at an input have the
// same unit: the largest sum of the absolute values of their terms, but at least the largest absolute
// target. Therefore no unit is 0, even if a column is 0, unless all targets are 0.
func (p Problem) withPredictions() Problem {
	w, largest := instance.LeastSquares(p.X, p.T), floats.Norm(p.T.RawMatrix().Data, math.Inf(1))
	p.want, p.unit = nil, nil
	for _, x := range p.At {
		y, size := instance.Linear(w, x)
		p.want = append(p.want, y...)
		p.unit = append(p.unit, slices.Repeat([]float64{math.Max(size, largest)}, len(y))...)
	}
	return p
}

// WithTargets returns p with the targets t, and removes the constraint on the targets.
func (p Problem) WithTargets(t *mat.Dense) Problem {
	p.T, p.A, p.B = t, nil, nil
	return p.withPredictions()
}

// RandomTargets returns p with k columns of standard normal targets.
func (p Problem) RandomTargets(r *rand.Rand, k int) Problem {
	n, _ := p.X.Dims()
	return p.WithTargets(mat.NewDense(n, k, instance.Normals(r, n*k)))
}

// Obeying returns p with every target replaced by the nearest target that satisfies a·t + b = 0.
// The rows of the matrix `a` must be linearly independent.
func (p Problem) Obeying(a *mat.Dense, b []float64) Problem {
	t := mat.DenseCopyOf(p.T)
	n, _ := t.Dims()
	for i := range n {
		t.SetRow(i, project(a, b, t.RawRowView(i)))
	}
	p = p.WithTargets(t)
	p.A, p.B = a, b
	return p
}

// project returns the point nearest to t among all points y with a·y + b = 0.
func project(a *mat.Dense, b, t []float64) []float64 {
	miss := floats.AddTo(make([]float64, len(b)), Times(t, a.T()), b)
	return instance.Minus(t, mat.Col(nil, 0, Solve(a, mat.NewDense(len(b), 1, miss), FullRank)))
}

// SumsToOne returns copies of the problems with the constraint that the entries of every target sum
// to 1. The targets must already satisfy this constraint, as 1-of-K codes do.
func SumsToOne(list []Problem) []Problem {
	out := slices.Clone(list)
	for i, p := range out {
		_, k := p.T.Dims()
		out[i].A, out[i].B = mat.NewDense(1, k, slices.Repeat([]float64{1}, k)), []float64{-1}
	}
	return out
}

// A recipe describes the distribution from which the inputs and labels of a problem are drawn.
type recipe struct {
	name   string
	counts []int     // points per class
	shift  []float64 // D values, one for each column of X
	scale  []float64 // D values, one for each column of X
	tol    float64
}

// recipes describes problems in which [1 X] has full column rank. An answer that solves the normal
// equations is accurate enough for the tolerances of these problems, although the normal equations
// square the condition number. The condition number is at most 1e2 for most problems. It is up to 6e5
// for the last four problems: their inputs are far from the origin, or differ much in size from each
// other or from 1.
var recipes = []recipe{
	{"three classes in the plane", []int{4, 3, 4}, []float64{1.5, -0.5}, []float64{1, 1}, 1e-8},
	{"two classes on a line", []int{3, 3}, []float64{0.7}, []float64{2}, 1e-8},
	{"five classes of very unequal size", []int{5, 2, 2, 1, 1}, []float64{0, 1, -2}, []float64{1, 0.5, 2}, 1e-8},
	{"four points for three weights", []int{2, 1, 1}, []float64{0, 1}, []float64{1, 1}, 1e-8},
	{"a class without points", []int{4, 0, 3}, []float64{0.5, 0}, []float64{1, 1}, 1e-8},
	{"inputs far from the origin", []int{3, 3, 3}, []float64{1e4, -1e4}, []float64{3e3, 3e3}, 1e-5},
	{"columns of very different size", []int{3, 2, 2, 2}, []float64{0.02, -50}, []float64{1e-2, 1e2}, 1e-5},
	{"a column of size 200 000", []int{3, 2, 4}, []float64{1, 0}, []float64{1, 2e5}, 1e-4},
	{"inputs of size 5e-6", []int{2, 3, 4}, []float64{0, 0}, []float64{5e-6, 5e-6}, 1e-4},
}

// Full draws problems in which [1 X] has full column rank. Their targets are 1-of-K codes.
func Full(r *rand.Rand) (list []Problem) {
	for _, c := range recipes {
		p := oneOfK(r, c)
		for !p.forNormalEquations() {
			p = oneOfK(r, c)
		}
		list = append(list, p)
	}
	square := oneOfK(r, recipe{"as many points as weights", []int{1, 2}, []float64{0, 0}, []float64{1, 1}, 1e-8})
	for i := range 3 { // the points lie near the corners of a triangle, so they are never collinear
		corner := []float64{0.2 * r.NormFloat64(), 0.2 * r.NormFloat64()}
		if i > 0 {
			corner[i-1] += 3
		}
		square.X.SetRow(i, corner)
	}
	return slices.Insert(list, 4, square.withPredictions())
}

// forNormalEquations reports whether an answer that solves the normal equations is accurate enough
// for the tolerance of p. A recipe may draw a problem whose condition number is too large.
func (p Problem) forNormalEquations() bool {
	n, d := p.X.Dims()
	design := mat.NewDense(n, d+1, nil)
	for i := range n {
		copy(design.RawRowView(i), append([]float64{1}, p.X.RawRowView(i)...))
	}
	cond := mat.Cond(design, 2)
	return cond*cond*0x1p-52 < 0.8*p.Tol
}

// oneOfK draws a problem with overlapping classes and 1-of-K targets. The learner's function
// predicts at the training inputs, at 0, at a new input near the training inputs, and at an input
// far away.
func oneOfK(r *rand.Rand, c recipe) Problem {
	var labels []int
	d := len(c.shift)
	var rows []float64
	for class, m := range c.counts {
		centre := instance.Normals(r, d)
		for range m {
			for j := range d {
				rows = append(rows, c.shift[j]+c.scale[j]*(centre[j]+r.NormFloat64()))
			}
			labels = append(labels, class)
		}
	}
	more := [][]float64{make([]float64, d)}
	for _, reach := range []float64{1, 30} { // typical distance of a new input from the shift, in units of the scale
		x := instance.Normals(r, d)
		for j := range x {
			x[j] = c.shift[j] + reach*c.scale[j]*x[j]
		}
		more = append(more, x)
	}
	return New(c.name, mat.NewDense(len(labels), d, rows), instance.OneOfK(labels, len(c.counts)), more, c.tol)
}

// rankTol is the tolerance for problems with dependent columns. An answer that uses a pseudo-inverse
// of [1 X]ᵀ[1 X] loses half the digits, but is accurate enough for this tolerance.
const rankTol = 1e-6

// Dependent draws problems in which the columns of [1 X] are dependent. Their targets are 1-of-K
// codes.
func Dependent(r *rand.Rand) []Problem {
	plane := recipe{"", []int{2, 2, 2}, []float64{1, -0.5, 0.3}, []float64{1, 1, 1}, rankTol}
	edit := func(name string, c recipe, change func(i int, row []float64)) Problem {
		p := oneOfK(r, c)
		n, _ := p.X.Dims()
		for i := range n {
			change(i, p.X.RawRowView(i))
		}
		blends := make([][]float64, 2)
		for i := range blends { // the prediction is unique only at affine combinations of the training inputs
			weights := instance.Normals(r, n)
			floats.AddConst((1-floats.Sum(weights))/float64(n), weights)
			blends[i] = instance.Combination(p.X, weights)
		}
		p = New(name, p.X, p.T, blends, c.tol)
		p.Dependent = true
		return p
	}
	unchanged := func(int, []float64) {}
	return []Problem{
		edit("a column that occurs twice", plane, func(_ int, x []float64) { x[2] = x[0] }),
		edit("a column that is a mixture of two others", plane,
			func(_ int, x []float64) { x[2] = 0.3*x[0] - 1.7*x[1] }),
		edit("a constant column", plane, func(_ int, x []float64) { x[1] = 2.5 }),
		edit("a column of zeros", plane, func(_ int, x []float64) { x[2] = 0 }),
		edit("three indicator columns, one of them 1", plane, func(i int, x []float64) {
			clear(x)
			x[i*i%3] = 1 // i*i%3 is 0 or 1, so indicator 2 is always 0
		}),
		edit("the same input in every row", plane, func(_ int, x []float64) { copy(x, []float64{0.5, -1, 2}) }),
		edit("three points in five dimensions",
			recipe{"", []int{1, 1, 1}, make([]float64, 5), []float64{1, 1, 1, 1, 1}, rankTol}, unchanged),
		edit("a single point", recipe{"", []int{1, 0}, []float64{1, 2}, []float64{1, 1}, rankTol}, unchanged),
		edit("a column of thousandths that occurs twice",
			recipe{"", []int{2, 2, 2}, make([]float64, 2), []float64{1e-3, 1e-3}, rankTol},
			func(_ int, x []float64) { x[1] = x[0] }),
	}
}

// atTrainingInputs returns the first part of `got`, the predictions at the training inputs, as an
// N×K matrix. The method `row` returns the prediction at input i.
func (p Problem) atTrainingInputs(got []float64) *mat.Dense {
	n, k := p.T.Dims()
	return mat.NewDense(n, k, got[:n*k])
}

func (p Problem) row(got []float64, i int) []float64 {
	_, k := p.T.Dims()
	return got[i*k : (i+1)*k]
}
