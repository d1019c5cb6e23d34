package glm

import (
	"math"

	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/block"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/kernels"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/linalg"
)

// Information contains the Fisher information H = Σ_n W_n r_n φ_nφ_nᵀ of a logistic likelihood for
// one vector of weights w, where W_n is the weight of row n and r_n = y_n(1−y_n). It also contains
// the derivatives of Jeffreys' penalty −½ ln|H|. With the leverages h_n = W_n r_n φ_nᵀH⁻¹φ_n, the
// gradient of the penalty is
//
//	−½∇ ln|H| = −Σ_n h_n(½ − y_n)φ_n,
//
// and its Hessian is Rᵀ·C·R, where H = RᵀR, ψ = R⁻ᵀφ and
//
//	C = −½ Σ_n W_n r_n(1−6r_n)‖ψ_n‖²ψ_nψ_nᵀ + ½ (tr V_jV_k)_jk, V_j = Σ_n W_n r_n(1−2y_n)ψ_nj·ψ_nψ_nᵀ.
//
// The Cauchy–Schwarz inequality shows that Σ_n h_n r_n ψ_nψ_nᵀ is an upper bound on C.
type Information struct {
	R         *linalg.Upper
	Grad      []float64     // −½∇ ln|H|
	Hessian   *linalg.Upper // factor of H plus the penalty's Hessian; nil if not computed or if a pivot of C + I is too small
	Bound     *linalg.Upper // factor of Σ (W_n+h_n) r_nφ_nφ_nᵀ, an upper bound on H plus the penalty's Hessian
	Curvature []float64     // the matrix C + I, row by row; nil if not computed
	// Σ h_n|½−y_n|·‖ψ_n‖: the largest change in the Newton step, measured in standard errors, that
	// relative errors of 1 in all h_n would cause
	Noise float64
}

// exactPenalty limits the cost of the penalty's Hessian. If the argument `exact` of InformationAt
// is false, InformationAt computes this Hessian only if at most exactPenalty products are
// necessary. If more products are necessary, the rows usually far outnumber the weights, and Bound
// is then close to the exact matrix.
const exactPenalty = 5e7

// leastCurvature is a lower limit for the pivots of C + I, which are at most about 2. A step uses C
// only if no pivot is below leastCurvature.
const leastCurvature = 1e-3

// informationSums are the sums over rows from which an Information is computed. The fields `bound`
// and `first` are weighted sums of the matrices vvᵀ with v = √(Wr)·ψ. The field `third` contains
// the matrices V_j. Only the upper triangle of each matrix is stored.
type informationSums struct {
	grad, bound, first, third []float64
	noise                     float64
}

// InformationAt returns the information at w, given the factor r of H at w. It also computes the
// Hessian of the penalty if the argument `exact` is true or if this computation is cheap (see
// exactPenalty).
func (g *Likelihood) InformationAt(w []float64, r *linalg.Upper, exact bool) *Information {
	m := g.M
	exact = exact || float64(g.N)*float64(m*m*(m+1)/2) <= exactPenalty
	inv := r.Inverse()
	cols := make([][]float64, m)
	for j := range cols {
		cols[j] = make([]float64, m)
		for i := range j + 1 {
			cols[j][i] = inv.At(i, j)
		}
	}
	size := m * m
	if exact {
		size *= m
	}
	s := block.ReduceWide(g.Design, size, func() *informationSums {
		s := &informationSums{grad: make([]float64, m), bound: make([]float64, m*m)}
		if exact {
			s.first, s.third = make([]float64, m*m), make([]float64, m*m*m)
		}
		return s
	}, func(rows int) func(*informationSums, *block.Block) {
		ψ, a := make([][]float64, m), make([]float64, rows)
		for j := range ψ {
			ψ[j] = make([]float64, rows)
		}
		v := make([]float64, m)
		return func(s *informationSums, b *block.Block) {
			b.Margins(w, a)
			for j, c := range cols {
				b.Margins(c, ψ[j])
			}
			slope := b.Scratch(0)
			for n := range b.N {
				weight := b.W.At(n)
				y, c, _ := kernels.SigmoidParts(a[n])
				root := math.Sqrt(weight) * math.Sqrt(y*c)
				var h, q float64
				for j := range v {
					v[j] = root * ψ[j][n]
					h += v[j] * v[j]
					q += ψ[j][n] * ψ[j][n]
				}
				slope[n] = h / weight * ((y - c) / 2) // divide by the row's weight, because AddRows multiplies by it
				s.noise += h * math.Abs(y-c) / 2 * math.Sqrt(q)
				addSquare(s.bound, v, h/weight)
				if !exact {
					continue
				}
				addSquare(s.first, v, -q*(1-6*y*c)/2)
				for j := range v {
					addSquare(s.third[j*m*m:(j+1)*m*m], v, (c-y)*ψ[j][n])
				}
			}
			b.AddRows(s.grad, slope)
		}
	}, func(dst, src *informationSums) {
		for _, p := range [][2][]float64{{dst.grad, src.grad}, {dst.bound, src.bound}, {dst.first, src.first},
			{dst.third, src.third}} {
			for i, v := range p[1] {
				p[0][i] += v
			}
		}
		dst.noise += src.noise
	})
	out := &Information{R: r, Grad: s.grad, Noise: s.noise}
	for i := range m {
		s.bound[i*m+i]++
	}
	if k, _ := linalg.Cholesky(func(i, j int) float64 { return s.bound[i*m+j] }, m); k != nil {
		out.Bound = product(k, r)
	}
	if !exact {
		return out
	}
	for j := range m {
		for k := j; k < m; k++ {
			s.first[j*m+k] += traceOfProduct(s.third[j*m*m:(j+1)*m*m], s.third[k*m*m:(k+1)*m*m], m) / 2
			s.first[k*m+j] = s.first[j*m+k]
		}
		s.first[j*m+j]++
	}
	out.Curvature = s.first
	if k, least := linalg.Cholesky(func(i, j int) float64 { return s.first[i*m+j] }, m); k != nil &&
		least > leastCurvature {
		out.Hessian = product(k, r)
	}
	return out
}

// addSquare adds s·vvᵀ to the upper triangle of sum.
func addSquare(sum, v []float64, s float64) {
	m := len(v)
	for i, a := range v {
		a *= s
		row := sum[i*m : (i+1)*m]
		for j := i; j < m; j++ {
			row[j] += a * v[j]
		}
	}
}

// traceOfProduct returns tr(ab) for two symmetric m×m matrices a and b. It reads only their upper
// triangles.
func traceOfProduct(a, b []float64, m int) float64 {
	var s float64
	for i := range m {
		s += a[i*m+i] * b[i*m+i]
		for j := i + 1; j < m; j++ {
			s += 2 * a[i*m+j] * b[i*m+j]
		}
	}
	return s
}

// product returns k·r.
func product(k, r *linalg.Upper) *linalg.Upper {
	return linalg.UpperOf(r.N, func(i, j int) float64 {
		var s float64
		for l := i; l <= j; l++ {
			s += k.At(i, l) * r.At(l, j)
		}
		return s
	})
}
