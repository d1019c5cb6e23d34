package classify

import (
	"math"

	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/linalg"
)

// covarianceRoot returns the factor of RᵀR/ν in the units of x.
func (f *scatterFit) covarianceRoot(r *linalg.Upper, nu int) *linalg.Upper {
	u := linalg.NewUpper(f.d)
	for i := range f.d {
		for j := i; j < f.d; j++ {
			u.Set(i, j, r.At(i, j)/math.Sqrt(float64(nu))/f.scale[j])
		}
	}
	return u
}

// gaussianLikelihood returns Σ_n ln N(x_n|μ, Σ) for n rows with the scatter
// S = RᵀR: −½{n·D·ln 2π + n·ln|Σ| + tr(Σ⁻¹S)}, R in scaled inputs. The trace is
// ν·D when Σ = S/ν, and otherwise ‖R·root⁻¹‖².
func (f *scatterFit) gaussianLikelihood(root, r *linalg.Upper, nu, n int, shrunk bool) float64 {
	trace := float64(nu) * float64(f.d)
	if shrunk {
		trace = 0
		row := make([]float64, f.d)
		for i := range f.d {
			clear(row)
			for j := i; j < f.d; j++ {
				row[j] = r.At(i, j) / f.scale[j]
			}
			u := root.SolveT(row)
			trace += linalg.Dot(u, u)
		}
	}
	return -(float64(n)*(float64(f.d)*log2Pi+root.LogDet()) + trace) / 2
}
