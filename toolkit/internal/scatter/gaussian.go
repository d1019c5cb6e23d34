package scatter

import (
	"math"

	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/kernels"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/linalg"
)

// CovarianceRoot returns the factor of RᵀR/ν in the units of x.
func (f *Fit) CovarianceRoot(r *linalg.Upper, nu float64) *linalg.Upper {
	return linalg.UpperOf(f.D, func(i, j int) float64 { return r.At(i, j) / math.Sqrt(nu) / f.Scale[j] })
}

// GaussianLikelihood returns Σ_n ln N(x_n|μ, Σ) for n rows with the scatter
// S = RᵀR: −½{n·D·ln 2π + n·ln|Σ| + tr(Σ⁻¹S)}, R in scaled inputs. The trace is
// ν·D when Σ = S/ν, and otherwise ‖R·root⁻¹‖².
func (f *Fit) GaussianLikelihood(root, r *linalg.Upper, nu, n float64, shrunk bool) float64 {
	trace := nu * float64(f.D)
	if shrunk {
		trace = 0
		row := make([]float64, f.D)
		for i := range f.D {
			clear(row)
			for j := i; j < f.D; j++ {
				row[j] = r.At(i, j) / f.Scale[j]
			}
			u := root.SolveT(row)
			trace += linalg.Dot(u, u)
		}
	}
	return -(n*(float64(f.D)*kernels.Log2Pi+root.LogDet()) + trace) / 2
}
