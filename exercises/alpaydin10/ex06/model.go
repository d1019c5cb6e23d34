package ex06

import (
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/hyperplane-notebooks/hyperplane/exercises/internal/instance"
	"github.com/hyperplane-notebooks/hyperplane/exercises/internal/kernel"
)

// A sample is labelled inputs.
type sample struct {
	name string
	X    *mat.Dense // N×D
	r    []float64  // N, 0 or 1
}

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
)

// samples are problems on which every known mistake shows.
func samples(r *rand.Rand) []sample {
	return []sample{
		draw(r, "sixty points of three inputs, curved classes", 60, curved),
		draw(r, "forty points of three inputs, straight classes", 40, plain),
		draw(r, "thirty points of one input", 30, line),
	}
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

// truncate is the nearest matrix of this rank to the symmetric w.
func truncate(w *mat.Dense, rank int) *mat.Dense {
	var svd mat.SVD
	d, _ := w.Dims()
	out := mat.NewDense(d, d, nil)
	if !svd.Factorize(w, mat.SVDFull) {
		return out
	}
	var u, v mat.Dense
	svd.UTo(&u)
	svd.VTo(&v)
	for j, s := range svd.Values(nil)[:rank] {
		out.RankOne(out, s, u.ColView(j), v.ColView(j))
	}
	return out
}
