package glm

import (
	"math"

	"gonum.org/v1/gonum/floats"

	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/block"
)

// boundedLoss is a loss whose second derivative e″ with respect to the activation has an upper
// bound.
type boundedLoss interface {
	Curvature() float64
}

// Curvature returns an upper bound on the second derivative e″ = y(1−y).
func (CrossEntropy) Curvature() float64 { return 0.25 }

// Curvature returns an upper bound on the second derivative e″, which tends to 1 for rows far on
// the wrong side of the boundary.
func (ProbitLoss) Curvature() float64 { return 1 }

// Curvature returns an upper bound on the second derivative e″ of every row's loss. For the
// logistic sigmoid, for example, it returns ¼. For the softmax it returns ½, an upper bound on all
// eigenvalues of the matrix of second derivatives of a row's loss with respect to the row's
// activations. For a loss without an upper bound it returns 1, which is a guess.
func (g *Likelihood) Curvature() float64 {
	if g.Many != nil {
		return 0.5
	}
	if l, ok := g.Loss.(boundedLoss); ok {
		return l.Curvature()
	}
	return 1
}

// Bound returns the triangular factor of a matrix that is an upper bound on the Hessian of the
// likelihood for all weights. This matrix is c·ΦᵀΦ, where c is the largest curvature of the loss.
// For the softmax it is ½(I − 11ᵀ/K) ⊗ ΦᵀΦ (Böhning 1992). For a loss without a bound, c = 1 is a
// guess.
func (g *Likelihood) Bound() *block.Triangle {
	_, m := g.Design.Dims()
	t := block.Reduce(g.Design, 0, func() *block.Triangle { return block.NewTriangle(m) },
		func(int) func(*block.Triangle, *block.Block) { return (*block.Triangle).Add }, (*block.Triangle).Merge)
	patterns, c := [][]float64{{1}}, 1.0
	if g.Many != nil {
		patterns, c = Helmert(g.Many.K), 0.5
	} else if l, ok := g.Loss.(boundedLoss); ok {
		c = l.Curvature()
	}
	out := block.NewTriangle(g.M)
	for _, h := range patterns {
		for i := range m {
			row := make([]float64, g.M)
			for k, v := range h {
				for j := i; j < m; j++ {
					row[k*m+j] = math.Sqrt(c) * v * t.At(i, j)
				}
			}
			out.AddRow(row)
		}
	}
	return out
}

// Helmert returns k−1 orthonormal vectors of k numbers. The numbers of each vector sum to 0.
func Helmert(k int) [][]float64 {
	var h [][]float64
	for i := 1; i < k; i++ {
		v := make([]float64, k)
		s := 1 / math.Sqrt(float64(i)*float64(i+1))
		for j := range i {
			v[j] = s
		}
		v[i] = -s * float64(i)
		h = append(h, v)
	}
	return h
}

// RowMax returns the largest of the numbers that a function computes for the rows, or 0 if all
// numbers are negative. newBody returns this function, which writes one number to s for each row of
// a block.
func RowMax(d *block.Design, newBody func(rows int) func(b *block.Block, s []float64)) float64 {
	return *block.Reduce(d, 0, func() *float64 { return new(float64) },
		func(rows int) func(*float64, *block.Block) {
			body, s := newBody(rows), make([]float64, rows)
			return func(acc *float64, b *block.Block) {
				body(b, s[:b.N])
				*acc = math.Max(*acc, floats.Max(s[:b.N]))
			}
		}, func(dst, src *float64) { *dst = math.Max(*dst, *src) })
}

// Reach returns the largest |c_j − c_k|/(1 + |a_j − a_k|) over all rows and pairs of classes. Here
// a_k are the activations of a row for the weights w, and c_k are the activations of the row for
// the weights d.
func (s *softmaxRows) Reach(w, d []float64) float64 {
	return RowMax(s.design, func(rows int) func(*block.Block, []float64) {
		a, change := make([]float64, s.K*rows), make([]float64, s.K*rows)
		return func(b *block.Block, most []float64) {
			clear(most)
			for k := range s.K {
				b.Margins(w[k*s.m:(k+1)*s.m], a[k*rows:])
				b.Margins(d[k*s.m:(k+1)*s.m], change[k*rows:])
			}
			for j := range s.K {
				for k := range j {
					for r := range most {
						c := math.Abs(change[j*rows+r] - change[k*rows+r])
						most[r] = math.Max(most[r], c/(1+math.Abs(a[j*rows+r]-a[k*rows+r])))
					}
				}
			}
		}
	})
}
