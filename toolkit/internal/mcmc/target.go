package mcmc

import (
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/block"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/glm"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/linalg"
)

// Target is the logarithm of the posterior, ln p(t|w) − ½(w−m0)ᵀS0⁻¹(w−m0), up to a constant. It is
// a function of z, where w′ = w′_MAP + Rz are the inner weights.
type Target struct {
	N, M  int
	Src   *block.Source
	T     []float64
	Coord *linalg.Coordinates
	Mode  []float64
	Root  *mat.Dense  // R
	Prior [][]float64 // the residual of the prior at z is Rest + Prior·z
	Rest  []float64
}

// evaluator evaluates the target for one chain and has its own scratch memory. A single goroutine
// computes the sums, in the order of the rows.
type evaluator struct {
	*Target
	w, g      []float64
	a, d1, d2 []float64
	buf       []float64
}

func (s *Target) newEvaluator() *evaluator {
	e := &evaluator{Target: s, w: make([]float64, s.M), g: make([]float64, s.M)}
	if s.N > 0 {
		rows := min(s.N, block.Rows(s.M))
		e.a, e.d1, e.d2 = make([]float64, rows), make([]float64, rows), make([]float64, rows)
		if !s.Src.InMemory() {
			e.buf = make([]float64, rows*(s.M-1))
		}
	}
	return e
}

// innerWeights returns w′ = w′_MAP + Rz. The next call overwrites the returned slice.
func (e *evaluator) innerWeights(z []float64) []float64 {
	raw := e.Root.RawMatrix()
	for i := range e.w {
		e.w[i] = e.Mode[i] + linalg.Dot(raw.Data[i*raw.Stride:i*raw.Stride+len(z)], z)
	}
	return e.w
}

// LogProb returns the target at z. It is the method that gonum's samplers call.
func (e *evaluator) LogProb(z []float64) float64 { return e.logTarget(z, nil) }

// logTarget returns the log density at z. It also writes the gradient to grad if grad is not nil.
// If the log density is NaN, logTarget returns −Inf, so that every sampler rejects z.
func (e *evaluator) logTarget(z, grad []float64) float64 {
	clear(e.g)
	sum := e.negLogLikelihood(e.innerWeights(z), grad != nil)
	if grad != nil {
		raw := e.Root.RawMatrix()
		clear(grad)
		for i, g := range e.g {
			for j, r := range raw.Data[i*raw.Stride : i*raw.Stride+len(grad)] {
				grad[j] -= r * g
			}
		}
	}
	for i, row := range e.Prior {
		u := e.Rest[i] + linalg.Dot(row, z)
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

// negLogLikelihood returns −ln p(t|w). If `gradient` is true, it adds the gradient of −ln p(t|w)
// with respect to the inner weights to the field g of the evaluator.
func (e *evaluator) negLogLikelihood(w []float64, gradient bool) float64 {
	var sum float64
	s, c, in := e.Coord.Scale, e.Coord.Shift, w[1:]
	s, c = s[:len(in)], c[:len(in)]
	for lo := 0; lo < e.N; lo += len(e.a) {
		hi := min(lo+len(e.a), e.N)
		rows, stride := e.Src.Rows(lo, hi, e.buf)
		a := e.a[:hi-lo]
		for r := range a {
			x := rows[r*stride:][:len(in)]
			v := w[0]
			for j, u := range x {
				v += (u*s[j] - c[j]) * in[j]
			}
			a[r] = v
		}
		weights := e.Src.Weights().Run(lo, hi)
		sum += glm.Eval(glm.CrossEntropy{}, a, e.T[lo:hi], e.d1, e.d2, weights)
		if !gradient {
			continue
		}
		for r := range a {
			x := rows[r*stride:][:len(in)]
			d := e.d1[r] * weights.At(r)
			g := e.g[1:][:len(in)]
			e.g[0] += d
			for j, u := range x {
				g[j] += d * (u*s[j] - c[j])
			}
		}
	}
	return sum
}
