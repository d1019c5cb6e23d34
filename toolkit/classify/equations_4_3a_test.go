package classify_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/hyperplane-notebooks/hyperplane/toolkit"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/classify"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/equation"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/kernels"
)

// byFive is the tolerance of a derivative by five points.
const byFive = 1e-8

// A problem43 is a two-class problem, weights, and what they give, written out.
type problem43 struct {
	x, phi        *mat.Dense
	t, w, a, y, v []float64 // v is y(1−y)
	e             *classify.Objective
}

func newProblem43(r *rand.Rand) *problem43 {
	p := &problem43{}
	d := 1 + r.IntN(3)
	p.x, p.t = overlapping(r, 8+r.IntN(8), d)
	p.phi, p.w = withOnes(p.x), normals(r, d+1)
	for j := range p.w {
		p.w[j] *= 0.4
	}
	p.a = timesVector(p.phi, p.w)
	for _, a := range p.a {
		y := logisticOf(a)
		p.y, p.v = append(p.y, y), append(p.v, y*(1-y))
	}
	p.e = toolkit.Must(classify.LogisticObjective(p.x, p.t, nil))
	return p
}

// crossEntropy is (4.90) at any w, written out.
func (p *problem43) crossEntropy(w []float64) float64 { return crossEntropyOf(p.x, p.t, w) }

// first is the first step of iterative reweighted least squares from w, and its result.
func (p *problem43) first() (step classify.IRLSStep, next []float64) {
	m := toolkit.Must(classify.FitIRLS(p.x, p.t, classify.IRLSOptions{Start: p.w, MaxIterations: 1}))
	return m.Steps[0], m.W
}

func timesVector(a mat.Matrix, v []float64) []float64 {
	var out mat.VecDense
	out.MulVec(a, mat.NewVecDense(len(v), v))
	return out.RawVector().Data
}

// weightedGram is ΦᵀRΦ.
func weightedGram(phi *mat.Dense, r []float64) *mat.Dense {
	var g mat.Dense
	g.Product(phi.T(), mat.NewDiagDense(len(r), r), phi)
	return &g
}

// newtonFrom is w − H⁻¹∇E by a general solver.
func newtonFrom(e *classify.Objective, w []float64) []float64 {
	var step mat.VecDense
	if err := step.SolveVec(toolkit.Must(e.Hessian(w)), mat.NewVecDense(len(w), toolkit.Must(e.Gradient(w)))); err != nil {
		panic(err)
	}
	return minus(w, step.RawVector().Data)
}

func minus(a, b []float64) []float64 {
	out := make([]float64, len(a))
	for i := range a {
		out[i] = a[i] - b[i]
	}
	return out
}

func TestEquations43Logistic(t *testing.T) {
	equation.Check(t, "prml-4.87", func(r *rand.Rand) (left, right any) {
		p := newProblem43(r)
		m := &classify.Logistic{Estimate: classify.Estimate{W: p.w}}
		written := mat.NewDense(len(p.y), 2, nil)
		for n, y := range p.y {
			written.SetRow(n, []float64{y, 1 - y})
		}
		return toolkit.Must(m.Posterior(p.x)), written
	})
	equation.Check(t, "prml-4.88", func(r *rand.Rand) (left, right any) {
		a := 3 * r.NormFloat64()
		y, c, _ := kernels.SigmoidParts(a)
		s := logisticOf(a) * (1 - logisticOf(a))
		return []float64{slope(kernels.Sigmoid, a), y * c}, []float64{s, s}
	})
	equation.Check(t, "prml-4.89", func(r *rand.Rand) (left, right any) {
		p, likelihood := newProblem43(r), 1.0
		for n, y := range p.y {
			likelihood *= math.Pow(y, p.t[n]) * math.Pow(1-y, 1-p.t[n])
		}
		return math.Exp(-toolkit.Must(p.e.Value(p.w))), likelihood
	})
	equation.Check(t, "prml-4.90", func(r *rand.Rand) (left, right any) {
		p := newProblem43(r)
		m := toolkit.Must(classify.FitLogistic(p.x, p.t, classify.LogisticOptions{MaxIterations: 1}))
		return []float64{toolkit.Must(p.e.Value(p.w)), m.E, -m.LogLikelihood}, []float64{p.crossEntropy(p.w), p.crossEntropy(m.W), p.crossEntropy(m.W)}
	})
	equation.CheckTo(t, "prml-4.91", byFive, func(r *rand.Rand) (left, right any) {
		p := newProblem43(r)
		sum := make([]float64, len(p.w))
		for n, y := range p.y {
			for j := range sum {
				sum[j] += (y - p.t[n]) * p.phi.At(n, j)
			}
		}
		g := toolkit.Must(p.e.Gradient(p.w))
		return []any{g, g}, []any{sum, slopes(p.crossEntropy, p.w)}
	})
}

func TestEquations43Newton(t *testing.T) {
	equation.Check(t, "prml-4.92", func(r *rand.Rand) (left, right any) {
		p := newProblem43(r)
		_, next := p.first()
		return next, newtonFrom(p.e, p.w)
	})
	gaussian := func(r *rand.Rand) (p *problem43, e *classify.Objective) {
		p = newProblem43(r)
		p.t = normals(r, len(p.t))
		return p, toolkit.Must(classify.GLMObjective(p.x, p.t, classify.GaussianTarget{}, nil))
	}
	equation.CheckTo(t, "prml-4.93", byFive, func(r *rand.Rand) (left, right any) {
		p, e := gaussian(r)
		residual := minus(p.a, p.t)
		squares := func(w []float64) (s float64) {
			for n, y := range timesVector(p.phi, w) {
				s += (y - p.t[n]) * (y - p.t[n]) / 2
			}
			return s
		}
		g := toolkit.Must(e.Gradient(p.w))
		return []any{g, g}, []any{timesVector(p.phi.T(), residual), slopes(squares, p.w)}
	})
	equation.Check(t, "prml-4.94", func(r *rand.Rand) (left, right any) {
		p, e := gaussian(r)
		var gram mat.Dense
		gram.Mul(p.phi.T(), p.phi)
		return toolkit.Must(e.Hessian(p.w)), &gram
	})
	equation.Check(t, "prml-4.95", func(r *rand.Rand) (left, right any) {
		p, e := gaussian(r)
		m := toolkit.Must(classify.FitWeightedLeastSquares(p.x, p.t, nil, classify.WeightedLeastSquaresOptions{}))
		g := toolkit.Must(classify.FitGLM(p.x, p.t, classify.GaussianTarget{}, classify.GLMOptions{Start: p.w, MaxIterations: 1}))
		var gram, inverse mat.Dense
		gram.Mul(p.phi.T(), p.phi)
		if err := inverse.Inverse(&gram); err != nil {
			panic(err)
		}
		normal := timesVector(&inverse, timesVector(p.phi.T(), p.t))
		return []any{newtonFrom(e, p.w), m.W, g.W}, []any{normal, normal, normal} // one step, from anywhere
	})
	equation.Check(t, "prml-4.96", func(r *rand.Rand) (left, right any) {
		p := newProblem43(r)
		return toolkit.Must(p.e.Gradient(p.w)), timesVector(p.phi.T(), minus(p.y, p.t))
	})
	equation.CheckTo(t, "prml-4.97", byFive, func(r *rand.Rand) (left, right any) {
		p := newProblem43(r)
		m := len(p.w)
		rows := mat.NewDense(m, m, nil) // the derivatives of the gradient's entries
		for j := range m {
			rows.SetRow(j, slopes(func(w []float64) (s float64) {
				for n, a := range timesVector(p.phi, w) {
					s += (logisticOf(a) - p.t[n]) * p.phi.At(n, j)
				}
				return s
			}, p.w))
		}
		h := toolkit.Must(p.e.Hessian(p.w))
		return []any{h, h}, []any{weightedGram(p.phi, p.v), rows}
	})
	equation.Holds(t, "prml-4.97", func(r *rand.Rand) error { // convex, not concave: erratum P5
		p := newProblem43(r)
		u, v := normals(r, len(p.w)), p.w
		mid := make([]float64, len(u))
		for j := range mid {
			mid[j] = (u[j] + v[j]) / 2
		}
		if m, ends := toolkit.Must(p.e.Value(mid)), (toolkit.Must(p.e.Value(u))+toolkit.Must(p.e.Value(v)))/2; !(m < ends) {
			return fmt.Errorf("E is %v in the middle, %v at the ends", m, ends)
		}
		return nil
	})
}

func TestEquations43IRLS(t *testing.T) {
	equation.Check(t, "prml-4.98", func(r *rand.Rand) (left, right any) {
		p := newProblem43(r)
		step, _ := p.first()
		return step.R, p.v
	})
	equation.Check(t, "prml-4.99", func(r *rand.Rand) (left, right any) {
		p := newProblem43(r)
		step, next := p.first()
		z, weights := normals(r, len(p.y)), make([]float64, len(p.y))
		for n := range weights {
			weights[n] = r.ExpFloat64()
		}
		normal := func(weights, z []float64) []float64 { // (ΦᵀRΦ)⁻¹ΦᵀRz
			var inverse, all mat.Dense
			if err := inverse.Inverse(weightedGram(p.phi, weights)); err != nil {
				panic(err)
			}
			all.Product(&inverse, p.phi.T(), mat.NewDiagDense(len(weights), weights))
			return timesVector(&all, z)
		}
		m := toolkit.Must(classify.FitWeightedLeastSquares(p.x, z, weights, classify.WeightedLeastSquaresOptions{}))
		return []any{next, m.W}, []any{normal(step.R, step.Z), normal(weights, z)}
	})
	equation.Check(t, "prml-4.100", func(r *rand.Rand) (left, right any) {
		p := newProblem43(r)
		step, _ := p.first()
		var inverse mat.Dense
		if err := inverse.Inverse(mat.NewDiagDense(len(step.R), step.R)); err != nil {
			panic(err)
		}
		return step.Z, minus(p.a, timesVector(&inverse, minus(p.y, p.t)))
	})
}
