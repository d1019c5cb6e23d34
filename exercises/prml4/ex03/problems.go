package ex03

import (
	"math/rand/v2"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/hyperplane-notebooks/hyperplane/exercises/internal/form"
	"github.com/hyperplane-notebooks/hyperplane/exercises/internal/instance"
	"github.com/hyperplane-notebooks/hyperplane/exercises/internal/learner"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/verify"
)

// A problem is a training set, what its targets obey, and inputs to ask at.
type problem struct {
	name string
	X, T *mat.Dense  // N×D and N×K
	A    *mat.Dense  // P×K, nil for P = 0: all that the targets obey
	b    []float64   // P
	at   [][]float64 // inputs, each D, where the least-squares prediction is unique
}

func (p problem) constraints() int { return len(p.b) }

// draw makes a problem with standard normal inputs and targets, and no constraint.
func draw(r *rand.Rand, name string, n, d, k int) problem {
	p := problem{name: name, X: mat.NewDense(n, d, instance.Normals(r, n*d)), T: mat.NewDense(n, k, instance.Normals(r, n*k))}
	for i := range n {
		p.T.Set(i, i%k, p.T.At(i, i%k)+p.X.At(i, 0)) // something to learn
	}
	for _, reach := range []float64{1, 1, 1, 3, 3, 3, 10, 30} {
		x := instance.Normals(r, d)
		floats.Scale(reach, x)
		p.at = append(p.at, x)
	}
	return p
}

// obeying moves every target to the nearest one that satisfies c random
// constraints.
func (p problem) obeying(r *rand.Rand, c int) problem {
	n, k := p.T.Dims()
	p.A, p.b = mat.NewDense(c, k, instance.Normals(r, c*k)), instance.Normals(r, c)
	for i := range n {
		p.T.SetRow(i, project(p.A, p.b, p.T.RawRowView(i)))
	}
	return p
}

// project is the point nearest to t with At + b = 0; the rows of A are independent.
func project(A *mat.Dense, b, t []float64) []float64 {
	var miss, gram, lambda, back mat.Dense
	miss.Mul(A, mat.NewDense(len(t), 1, append([]float64(nil), t...)))
	miss.Add(&miss, mat.NewDense(len(b), 1, append([]float64(nil), b...)))
	gram.Mul(A, A.T())
	if lambda.Solve(&gram, &miss) != nil {
		return t
	}
	back.Mul(A.T(), &lambda)
	return instance.Minus(t, mat.Col(nil, 0, &back))
}

// blends replaces the inputs to ask at by affine combinations of the training
// inputs: there the prediction is unique although the weights are not.
func (p problem) blends(r *rand.Rand) problem {
	n, d := p.X.Dims()
	for i := range p.at {
		c := instance.Normals(r, n)
		floats.AddConst((1-floats.Sum(c))/float64(n), c)
		p.at[i] = make([]float64, d)
		for j := range n {
			floats.AddScaled(p.at[i], c[j], p.X.RawRowView(j))
		}
	}
	return p
}

// obedient are problems of full column rank whose targets obey constraints.
func obedient(r *rand.Rand) []problem {
	large := draw(r, "targets of size 1000, two constraints", 18, 2, 4)
	large.T.Scale(1000, large.T)
	c := own()
	codes := draw(r, "two 1-of-K codes side by side", 30, 2, c.colours+c.shapes)
	codes.T.Zero()
	for i := range 30 { // the colours, then the shapes
		codes.T.Set(i, i%c.colours, 1)
		codes.T.Set(i, c.colours+(i/c.colours)%c.shapes, 1)
	}
	codes.A = mat.NewDense(2, c.colours+c.shapes, nil)
	for k := range c.colours {
		codes.A.Set(0, k, 1)
	}
	for k := range c.shapes {
		codes.A.Set(1, c.colours+k, 1)
	}
	codes.b = []float64{-1, -1}
	return []problem{
		draw(r, "three targets, one constraint", 20, 2, 3).obeying(r, 1),
		draw(r, "four targets, two constraints", 25, 3, 4).obeying(r, 2),
		draw(r, "five targets, four constraints", 15, 1, 5).obeying(r, 4),
		codes,
		large.obeying(r, 2),
		draw(r, "two targets, two constraints: all targets equal", 6, 1, 2).obeying(r, 2),
	}
}

// deficient are problems whose columns of [1 X] depend on each other.
func deficient(r *rand.Rand) []problem {
	twice := draw(r, "a column that is the sum of two others", 20, 3, 4)
	for i := range 20 {
		twice.X.Set(i, 2, twice.X.At(i, 0)+twice.X.At(i, 1))
	}
	constant := draw(r, "a column that is constant", 12, 2, 3)
	for i := range 12 {
		constant.X.Set(i, 1, 2)
	}
	return []problem{
		twice.obeying(r, 2).blends(r),
		constant.obeying(r, 1).blends(r),
		draw(r, "fewer points than weights", 4, 6, 3).obeying(r, 1).blends(r),
	}
}

// free are problems of full rank whose targets obey no constraint, some nearly.
func free(r *rand.Rand) []problem {
	nearly := draw(r, "targets that nearly obey one constraint", 30, 4, 3).obeying(r, 1)
	first := draw(r, "1-of-K targets of which the first sums to 2", 24, 4, 3)
	last := draw(r, "1-of-K targets of which the last sums to 2", 24, 4, 3)
	first.T.Zero()
	last.T.Zero()
	for i := range 24 {
		for j := range 3 {
			nearly.T.Set(i, j, nearly.T.At(i, j)+1e-3*r.NormFloat64())
		}
		first.T.Set(i, i%3, 1)
		last.T.Set(i, i%3, 1)
	}
	first.T.Set(0, 1, 1)
	last.T.Set(23, 0, 1)
	nearly.T.Set(24, 0, nearly.T.At(24, 0)+1e-3)
	nearly.A, nearly.b = nil, nil
	return []problem{draw(r, "three targets without constraint", 20, 4, 3), nearly, first, last, draw(r, "a single target", 10, 2, 1)}
}

// The names of the targets whose size alone is the difficulty.
const (
	tinyTargets = "targets of size 1e-10 without constraint"
	hugeTargets = "targets of size 1e10, two constraints"
	zeroTargets = "all targets 0"
)

// extremes are targets of unusual size, for Constraints only.
func extremes(r *rand.Rand) []problem {
	tiny, huge := draw(r, tinyTargets, 20, 2, 3), draw(r, hugeTargets, 18, 2, 4).obeying(r, 2)
	tiny.T.Scale(1e-10, tiny.T)
	huge.T.Scale(1e10, huge.T) // the same A; b is as many times as large
	floats.Scale(1e10, huge.b)
	zero := problem{name: zeroTargets, X: mat.NewDense(5, 1, instance.Normals(r, 5)), T: mat.NewDense(5, 2, nil)}
	zero.A, zero.b = mat.NewDense(2, 2, []float64{1, 0, 0, 1}), []float64{0, 0}
	return []problem{tiny, huge, zero}
}

// ask calls the learner's Predict with copies and returns a copy of its answer,
// with a verdict instead where that is not K finite numbers or an argument was
// changed.
func ask(predict predictor, p problem, x []float64) ([]float64, *verify.Verdict) {
	var in learner.Inputs
	y := append([]float64(nil), predict(in.Dense("X", p.X), in.Dense("T", p.T), in.Slice("x", x))...)
	if bad := in.Changed(4); bad != nil {
		return nil, bad
	}
	_, k := p.T.Dims()
	return y, form.Vector("y(x)", y, k, "column of T", p.name, 4)
}

// answers are the predictions at the training inputs, N×K, and at p.at.
func answers(predict predictor, p problem) (training, elsewhere *mat.Dense, bad *verify.Verdict) {
	n, _ := p.X.Dims()
	_, k := p.T.Dims()
	training, elsewhere = mat.NewDense(n, k, nil), mat.NewDense(len(p.at), k, nil)
	for i := range n + len(p.at) {
		x, to, row := []float64(nil), training, i
		if i < n {
			x = p.X.RawRowView(i)
		} else {
			x, to, row = p.at[i-n], elsewhere, i-n
		}
		y, bad := ask(predict, p, x)
		if bad != nil {
			return nil, nil, bad
		}
		to.SetRow(row, y)
	}
	return training, elsewhere, nil
}
