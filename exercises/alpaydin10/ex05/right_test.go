package ex05_test

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/hyperplane-notebooks/hyperplane/exercises/alpaydin10/ex05"
	"github.com/hyperplane-notebooks/hyperplane/exercises/internal/gate"
)

type gradientFunc = func(W []*mat.Dense, w *mat.Dense, w0 []float64, X, R *mat.Dense) []*mat.Dense

func TestRight(t *testing.T) {
	for _, tc := range []struct {
		name   string
		answer gradientFunc
	}{
		{"reference", GradientW},
		{"loops over entries", by(func(y, r, _ float64) float64 { return y - r }, func(x []float64, j, l int) float64 { return x[j] * x[l] })},
		{"XᵀDX with diagonal residuals", weighted},
		{"linear softmax on products", products},
		{"symmetrised and mirrored", mirrored},
	} {
		t.Run(tc.name, func(t *testing.T) { gate.Right(t, ex05.Check(tc.answer)) })
	}
}

// discriminants is N×K, by loops.
func discriminants(W []*mat.Dense, w *mat.Dense, w0 []float64, X *mat.Dense) *mat.Dense {
	n, d := X.Dims()
	g := mat.NewDense(n, len(W), nil)
	for t := range n {
		for i := range W {
			s := w0[i]
			for j := range d {
				s += w.At(j, i) * X.At(t, j)
				for l := range d {
					s += X.At(t, j) * W[i].At(j, l) * X.At(t, l)
				}
			}
			g.Set(t, i, s)
		}
	}
	return g
}

func softmax(g []float64) []float64 {
	y, top := make([]float64, len(g)), floats.Max(g)
	for i, v := range g {
		y[i] = math.Exp(v - top)
	}
	floats.Scale(1/floats.Sum(y), y)
	return y
}

// by is Σ_t factor(y_i, r_i, g_i) · entry(x, j, l).
func by(factor func(y, r, g float64) float64, entry func(x []float64, j, l int) float64) gradientFunc {
	return func(W []*mat.Dense, w *mat.Dense, w0 []float64, X, R *mat.Dense) []*mat.Dense {
		n, d := X.Dims()
		g := discriminants(W, w, w0, X)
		out := make([]*mat.Dense, len(W))
		for i := range out {
			out[i] = mat.NewDense(d, d, nil)
			for t := range n {
				row := g.RawRowView(t)
				f := factor(softmax(row)[i], R.At(t, i), row[i])
				for j := range d {
					for l := range d {
						out[i].Set(j, l, out[i].At(j, l)+f*entry(X.RawRowView(t), j, l))
					}
				}
			}
		}
		return out
	}
}

func weighted(W []*mat.Dense, w *mat.Dense, w0 []float64, X, R *mat.Dense) []*mat.Dense {
	n, _ := X.Dims()
	g := discriminants(W, w, w0, X)
	var out []*mat.Dense
	for i := range W {
		scaled := mat.DenseCopyOf(X)
		for t := range n {
			floats.Scale(softmax(g.RawRowView(t))[i]-R.At(t, i), scaled.RawRowView(t))
		}
		var m mat.Dense
		m.Mul(X.T(), scaled)
		out = append(out, &m)
	}
	return out
}

// products learns a linear softmax on (x_j x_l, x_j, 1) and keeps the first part.
func products(W []*mat.Dense, w *mat.Dense, w0 []float64, X, R *mat.Dense) []*mat.Dense {
	n, d := X.Dims()
	k := len(W)
	phi := mat.NewDense(n, d*d+d+1, nil)
	for t := range n {
		row := phi.RawRowView(t)
		for j := range d {
			for l := range d {
				row[j*d+l] = X.At(t, j) * X.At(t, l)
			}
			row[d*d+j] = X.At(t, j)
		}
		row[d*d+d] = 1
	}
	v := mat.NewDense(d*d+d+1, k, nil)
	for i := range k {
		for j := range d {
			for l := range d {
				v.Set(j*d+l, i, W[i].At(j, l))
			}
			v.Set(d*d+j, i, w.At(j, i))
		}
		v.Set(d*d+d, i, w0[i])
	}
	var y, gradient mat.Dense
	y.Mul(phi, v)
	for t := range n {
		y.SetRow(t, softmax(y.RawRowView(t)))
	}
	y.Sub(&y, R)
	gradient.Mul(phi.T(), &y)
	out := make([]*mat.Dense, k)
	for i := range out {
		out[i] = mat.NewDense(d, d, mat.Col(nil, i, &gradient)[:d*d])
	}
	return out
}

// mirrored uses that xᵀWx sees the symmetric part only, and fills one triangle.
func mirrored(W []*mat.Dense, w *mat.Dense, w0 []float64, X, R *mat.Dense) []*mat.Dense {
	half := make([]*mat.Dense, len(W))
	for i, m := range W {
		var s mat.Dense
		s.Add(m, m.T())
		s.Scale(0.5, &s)
		half[i] = &s
	}
	out := weighted(half, w, w0, X, R)
	for _, m := range out {
		d, _ := m.Dims()
		for j := range d {
			for l := range j {
				m.Set(j, l, m.At(l, j))
			}
		}
	}
	return out
}
