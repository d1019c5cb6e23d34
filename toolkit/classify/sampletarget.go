package classify

import (
	"errors"
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/block"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/glm"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/linalg"
)

// sampleTarget is ln p(t|w) − ½(w−m0)ᵀS0⁻¹(w−m0) as a function of z, with inner
// weights w′ = w′_MAP + Rz.
type sampleTarget struct {
	n, m  int
	src   *block.Source
	t     []float64
	coord *linalg.Coordinates
	mode  []float64
	root  *mat.Dense  // R
	prior [][]float64 // the prior's residual is rest + prior·z
	rest  []float64
}

// newSampleTarget checks the data and finds the mode and the curvature there.
func newSampleTarget(x mat.Matrix, t []float64, prior Prior) (*sampleTarget, error) {
	b, err := bayesPriorOnly(x, t, BayesLogisticOptions{Prior: prior})
	if err != nil {
		return nil, err
	}
	if b != nil {
		return priorTarget(b), nil
	}
	p, err := variationalProblem(x, t, prior)
	if err != nil {
		return nil, err
	}
	p.start, p.maxIt, p.tol = make([]float64, p.glm.M), 100, 1e-6
	way := Newton{}.solve(p)
	if way.quad == nil {
		return nil, errors.New("the curvature at the mode is not positive definite in double precision: standardise the columns of x, or narrow the prior; " + way.reason)
	}
	s := &sampleTarget{
		n: p.glm.N, m: p.glm.M, src: p.glm.Design.Source(), t: p.glm.T, coord: p.coord,
		mode: way.w, root: way.quad.r.Inverse(), rest: p.residual(way.w),
	}
	for _, row := range p.root {
		s.prior = append(s.prior, linalg.MulVecT(s.root, row))
	}
	return s, nil
}

// priorTarget is the posterior of no data: the prior, ½‖z‖² around its mean.
func priorTarget(b *BayesLogistic) *sampleTarget {
	m := len(b.W)
	s := &sampleTarget{m: m, mode: b.W, root: b.Root, rest: make([]float64, m), coord: &linalg.Coordinates{Scale: make([]float64, m-1), Shift: make([]float64, m-1)}}
	for j := range s.coord.Scale {
		s.coord.Scale[j] = 1
	}
	for i := range m {
		row := make([]float64, m)
		row[i] = 1
		s.prior = append(s.prior, row)
	}
	return s
}

// sampleEval evaluates the target for one chain, with memory of its own: sums are
// made in the order of the rows by a single goroutine.
type sampleEval struct {
	*sampleTarget
	w, g      []float64
	a, d1, d2 []float64
	buf       []float64
}

func (s *sampleTarget) evaluator() *sampleEval {
	e := &sampleEval{sampleTarget: s, w: make([]float64, s.m), g: make([]float64, s.m)}
	if s.n > 0 {
		rows := min(s.n, block.Rows(s.m))
		e.a, e.d1, e.d2 = make([]float64, rows), make([]float64, rows), make([]float64, rows)
		if !s.src.InMemory() {
			e.buf = make([]float64, rows*(s.m-1))
		}
	}
	return e
}

// inner returns w′ = w′_MAP + Rz, in memory that the next call uses again.
func (e *sampleEval) inner(z []float64) []float64 {
	raw := e.root.RawMatrix()
	for i := range e.w {
		e.w[i] = e.mode[i] + linalg.Dot(raw.Data[i*raw.Stride:i*raw.Stride+len(z)], z)
	}
	return e.w
}

// LogProb is the target for gonum's samplers.
func (e *sampleEval) LogProb(z []float64) float64 { return e.at(z, nil) }

// at returns the target at z, and writes its gradient to grad if that is not nil.
// Where it is not a number it is −Inf, so that no sampler goes there.
func (e *sampleEval) at(z, grad []float64) float64 {
	clear(e.g)
	sum := e.likelihood(e.inner(z), grad != nil)
	if grad != nil {
		raw := e.root.RawMatrix()
		clear(grad)
		for i, g := range e.g {
			for j, r := range raw.Data[i*raw.Stride : i*raw.Stride+len(grad)] {
				grad[j] -= r * g
			}
		}
	}
	for i, row := range e.prior {
		u := e.rest[i] + linalg.Dot(row, z)
		sum += u * u / 2
		if grad != nil {
			for j, v := range row {
				grad[j] -= u * v
			}
		}
	}
	if math.IsNaN(sum) {
		return math.Inf(-1)
	}
	return -sum
}

// likelihood returns −ln p(t|w), and adds its gradient in inner coordinates to e.g.
func (e *sampleEval) likelihood(w []float64, gradient bool) float64 {
	var sum float64
	s, c, in := e.coord.Scale, e.coord.Shift, w[1:]
	s, c = s[:len(in)], c[:len(in)]
	for lo := 0; lo < e.n; lo += len(e.a) {
		hi := min(lo+len(e.a), e.n)
		rows, stride := e.src.Rows(lo, hi, e.buf)
		a := e.a[:hi-lo]
		for r := range a {
			x := rows[r*stride:][:len(in)]
			v := w[0]
			for j, u := range x {
				v += (u*s[j] - c[j]) * in[j]
			}
			a[r] = v
		}
		sum += glm.CrossEntropy{}.Eval(a, e.t[lo:hi], e.d1, e.d2)
		if !gradient {
			continue
		}
		for r := range a {
			x := rows[r*stride:][:len(in)]
			d := e.d1[r]
			g := e.g[1:][:len(in)]
			e.g[0] += d
			for j, u := range x {
				g[j] += d * (u*s[j] - c[j])
			}
		}
	}
	return sum
}
