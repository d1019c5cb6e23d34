package classify

import (
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/floats"
)

// covarianceRoot returns the factor of RᵀR/ν in the units of x.
func (f *scatterFit) covarianceRoot(r *upper, nu int) *upper {
	u := newUpper(f.d)
	for i := range f.d {
		for j := i; j < f.d; j++ {
			u.set(i, j, r.at(i, j)/math.Sqrt(float64(nu))/f.scale[j])
		}
	}
	return u
}

// gaussianLikelihood returns Σ_n ln N(x_n|μ, Σ) for n rows with the scatter
// S = RᵀR: −½{n·D·ln 2π + n·ln|Σ| + tr(Σ⁻¹S)}, R in scaled inputs. The trace is
// ν·D when Σ = S/ν, and otherwise ‖R·root⁻¹‖².
func (f *scatterFit) gaussianLikelihood(root, r *upper, nu, n int, shrunk bool) float64 {
	trace := float64(nu) * float64(f.d)
	if shrunk {
		trace = 0
		row := make([]float64, f.d)
		for i := range f.d {
			clear(row)
			for j := i; j < f.d; j++ {
				row[j] = r.at(i, j) / f.scale[j]
			}
			u := root.solveT(row)
			trace += dot(u, u)
		}
	}
	return -(float64(n)*(float64(f.d)*log2Pi+root.logDet()) + trace) / 2
}

// logDet returns ln|RᵀR|.
func (u *upper) logDet() float64 {
	var s float64
	for i := range u.n {
		s += 2 * math.Log(math.Abs(u.at(i, i)))
	}
	return s
}

// whitenInPlace overwrites v with R⁻ᵀv.
func (u *upper) whitenInPlace(v []float64) {
	v = v[:u.n]
	for i := range v {
		row := u.a[i*u.n : (i+1)*u.n]
		row = row[:len(v)]
		v[i] /= row[i]
		a := v[i]
		for j := i + 1; j < len(v); j++ {
			v[j] -= row[j] * a
		}
	}
}

// draw writes a sample of N(mean, RᵀR) to x.
func (u *upper) draw(rng *rand.Rand, mean, x []float64) {
	copy(x, mean)
	for i := range u.n {
		floats.AddScaled(x[i:], rng.NormFloat64(), u.a[i*u.n+i:(i+1)*u.n])
	}
}
