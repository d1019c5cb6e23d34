package ex02

import (
	"math/rand/v2"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/hyperplane-notebooks/hyperplane/exercises/internal/instance"
)

// A problem is a training set with inputs at which to ask for predictions.
type problem struct {
	name string
	X    *mat.Dense  // N×D
	T    *mat.Dense  // N×K
	far  [][]float64 // inputs away from the training inputs, each D
	tol  float64     // agreement asked for, relative to the sizes that are compared
}

// A recipe says how the inputs and labels of a problem are drawn.
type recipe struct {
	name   string
	counts []int     // points per class
	shift  []float64 // per column of X, D values
	scale  []float64 // per column of X, D values
	tol    float64
}

// recipes are the data sets of full column rank. The tolerances leave room for
// the normal equations, which lose twice the digits of the condition number: up
// to 1e2 for the plain sets, 1e5 for the last two.
var recipes = []recipe{
	{"three classes in the plane", []int{14, 12, 14}, []float64{1.5, -0.5}, []float64{1, 1}, 1e-8},
	{"two classes on a line", []int{6, 6}, []float64{0.7}, []float64{2}, 1e-8},
	{"five classes of very unequal size", []int{40, 8, 5, 4, 3}, []float64{0, 1, -2}, []float64{1, 0.5, 2}, 1e-8},
	{"four points for three weights", []int{2, 1, 1}, []float64{0, 1}, []float64{1, 1}, 1e-8},
	{"inputs far from the origin", []int{10, 10, 10}, []float64{1e4, -1e4}, []float64{3e3, 3e3}, 1e-5},
	{"columns of very different size", []int{10, 8, 6, 6}, []float64{0.02, -50}, []float64{1e-2, 1e2}, 1e-5},
}

// source is the generator of part n: the same numbers on every run.
func source(n uint64) *rand.Rand { return instance.Source(402, n) }

// oneOfK draws a problem with overlapping classes and 1-of-K targets.
func oneOfK(r *rand.Rand, c recipe) problem {
	d, k, n := len(c.shift), len(c.counts), 0
	for _, m := range c.counts {
		n += m
	}
	p := problem{name: c.name, X: mat.NewDense(n, d, nil), T: mat.NewDense(n, k, nil), tol: c.tol}
	row := 0
	for class, m := range c.counts {
		centre := normals(r, d)
		for range m {
			for j := range d {
				p.X.Set(row, j, c.shift[j]+c.scale[j]*(centre[j]+r.NormFloat64()))
			}
			p.T.Set(row, class, 1)
			row++
		}
	}
	for _, reach := range []float64{1, 3, 3, 30} { // in units of the spread
		x := normals(r, d)
		for j := range x {
			x[j] = c.shift[j] + reach*c.scale[j]*x[j]
		}
		p.far = append(p.far, x)
	}
	return p
}

// withTargets replaces the targets by k standard normal columns.
func (p problem) withTargets(r *rand.Rand, k int) problem {
	n, _ := p.X.Dims()
	p.T = mat.NewDense(n, k, normals(r, n*k))
	return p
}

// constrain moves every target to the nearest one with aᵀt + b = 0.
func (p problem) constrain(a []float64, b float64) problem {
	p.T = mat.DenseCopyOf(p.T)
	n, _ := p.T.Dims()
	for i := range n {
		t := p.T.RawRowView(i)
		floats.AddScaled(t, -(floats.Dot(a, t)+b)/floats.Dot(a, a), a)
	}
	return p
}

// blends returns m affine combinations of the training inputs, with the weights
// of each, which sum to 1. There the least-squares prediction is unique whatever
// the rank of X: y(Σ c_n x_n) = Σ c_n y(x_n).
func (p problem) blends(r *rand.Rand, m int) (inputs, weights [][]float64) {
	n, d := p.X.Dims()
	for range m {
		c := normals(r, n)
		floats.AddConst((1-floats.Sum(c))/float64(n), c)
		x := make([]float64, d)
		for i := range n {
			floats.AddScaled(x, c[i], p.X.RawRowView(i))
		}
		inputs, weights = append(inputs, x), append(weights, c)
	}
	return inputs, weights
}

func normals(r *rand.Rand, n int) []float64 {
	v := make([]float64, n)
	for i := range v {
		v[i] = r.NormFloat64()
	}
	return v
}
