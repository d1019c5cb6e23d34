package ex07

import (
	"math/rand/v2"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/hyperplane-notebooks/hyperplane/exercises/internal/instance"
	"github.com/hyperplane-notebooks/hyperplane/exercises/internal/kernel"
)

// A run is one descent to be counted.
type run struct {
	name     string
	X        *mat.Dense
	r        []float64
	eta, tol float64
	max      int
}

func source(part uint64) *rand.Rand { return instance.Source(1007, part) }

// draw makes overlapping classes, so that E has a minimum, on inputs with these
// offsets and scales; eta is fraction of the largest step that is always safe.
func draw(r *rand.Rand, name string, n int, offset, scale []float64, fraction float64) run {
	d := len(scale)
	p := run{name: name, X: mat.NewDense(n, d, nil), r: make([]float64, n), tol: 1e-2, max: 20000}
	for t := range n {
		a := 0.3
		for j := range d {
			z := r.NormFloat64()
			a += (0.8 - 0.5*float64(j%2)) * z
			p.X.Set(t, j, offset[j]+scale[j]*z)
		}
		if r.Float64() < kernel.Sigmoid(a) {
			p.r[t] = 1
		}
	}
	p.eta = fraction / largestCurvature(p.X)
	return p
}

// largestCurvature bounds the eigenvalues of the Hessian of E from above:
// ¼ of the largest eigenvalue of [1 X]ᵀ[1 X].
func largestCurvature(x *mat.Dense) float64 {
	values := spectrum(x)
	return values[len(values)-1] / 4
}

// spectrum returns the eigenvalues of [1 X]ᵀ[1 X], rising.
func spectrum(x *mat.Dense) []float64 {
	n, d := x.Dims()
	ones := mat.NewDense(n, d+1, nil)
	for t := range n {
		ones.SetRow(t, append([]float64{1}, x.RawRowView(t)...))
	}
	gram := mat.NewSymDense(d+1, nil)
	gram.SymOuterK(1, ones.T())
	var e mat.EigenSym
	e.Factorize(gram, false)
	return e.Values(nil)
}

// runs are descents of some hundred steps, the first general enough to tell all
// known mistakes apart.
func runs(r *rand.Rand) []run {
	return []run{
		draw(r, "two inputs, scales 1 and 4", 40, []float64{0.3, -0.5}, []float64{1, 4}, 1),
		draw(r, "one input", 20, []float64{0.5}, []float64{1}, 0.7),
		draw(r, "three inputs", 30, []float64{0, 1, 0}, []float64{1, 0.5, 2}, 1.2),
		draw(r, "an input far from 0", 25, []float64{5}, []float64{1}, 1),
	}
}

// A variant is one way to run and stop a descent; the zero value is the right one.
type variant struct {
	update func(y, r float64) float64             // factor of the input, default y − r
	stop   func(g, step []float64, n int) float64 // compared with tol, default ‖g‖
	noBias bool                                   // the bias stays 0
	online bool                                   // the weights change after every point
	divide bool                                   // the gradient divided by N
	square bool                                   // ‖g‖² compared with tol
	shift  int                                    // added to the count
}

// count runs the descent.
func (p run) count(v variant) int {
	n, d := p.X.Dims()
	w := make([]float64, d+1)
	for step := 0; ; step++ {
		g, at := make([]float64, d+1), append([]float64(nil), w...)
		for t := range n {
			x := p.X.RawRowView(t)
			y := kernel.Sigmoid(at[0] + floats.Dot(at[1:], x))
			e := y - p.r[t]
			if v.update != nil {
				e = v.update(y, p.r[t])
			}
			if !v.noBias {
				g[0] += e
			}
			floats.AddScaled(g[1:], e, x)
			if v.online {
				if !v.noBias {
					at[0] -= p.eta * e
				}
				floats.AddScaled(at[1:], -p.eta*e, x)
			}
		}
		if v.divide {
			floats.Scale(1/float64(n), g)
		}
		change := floats.ScaleTo(make([]float64, d+1), p.eta, g)
		size := floats.Norm(g, 2)
		if v.square {
			size *= size
		}
		if v.stop != nil {
			size = v.stop(g, change, n)
		}
		if size <= p.tol {
			return step + v.shift
		}
		if step == p.max {
			return -1
		}
		if v.online {
			w = at
		} else {
			floats.Sub(w, change)
		}
	}
}
