package ex22

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/hyperplane-notebooks/hyperplane/exercises/internal/instance"
	"github.com/hyperplane-notebooks/hyperplane/exercises/internal/learner"
	"github.com/hyperplane-notebooks/hyperplane/exercises/internal/steps"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/verify"
)

// volumeFunc is the learner's LogVolume.
type volumeFunc = func(A *mat.SymDense) float64

// curvatures are of 1 to 6 dimensions, none with the determinant 1.
func curvatures() []*mat.SymDense {
	r := source(32)
	var out []*mat.SymDense
	for _, c := range []struct {
		m     int
		scale float64
	}{{3, 2}, {1, 0.3}, {2, 5}, {1, 7}, {4, 0.5}, {6, 1.7}} {
		a := instance.Covariance(r, c.m)
		a.ScaleSym(c.scale, a)
		out = append(out, a)
	}
	return out
}

// wide have determinants of about 1e600 and 1e-600.
func wide() []*mat.SymDense {
	r := source(33)
	var out []*mat.SymDense
	for _, scale := range []float64{1e20, 1e-20} {
		a := instance.Covariance(r, 30)
		a.ScaleSym(scale, a)
		out = append(out, a)
	}
	return out
}

// oneByOne integrates over one variable after the other: each time the square in it
// is completed, which changes the matrix of the others, and what is left is an
// integral over a single variable, summed over a grid.
func oneByOne(a *mat.SymDense) float64 {
	work, m := mat.DenseCopyOf(a), a.SymmetricDim()
	sum := 0.0
	for k := range m {
		pivot := work.At(k, k)
		grid, h := 0.0, 0.25
		for i := -60; i <= 60; i++ { // in units of the width, out to 15
			t := h * float64(i)
			grid += h * math.Exp(-t*t/2)
		}
		sum += math.Log(grid) - math.Log(pivot)/2
		for i := k + 1; i < m; i++ {
			for j := k + 1; j < m; j++ {
				work.Set(i, j, work.At(i, j)-work.At(i, k)*work.At(k, j)/pivot)
			}
		}
	}
	return sum
}

// logDet is ln|A| by the eigenvalues.
func logDet(a *mat.SymDense) float64 {
	var e mat.EigenSym
	e.Factorize(a, false)
	sum := 0.0
	for _, v := range e.Values(nil) {
		sum += math.Log(v)
	}
	return sum
}

func volumeStep(logVolume volumeFunc) steps.Step[*mat.SymDense] {
	// of makes the values of a mistaken formula from M and ln|A|.
	of := func(f func(m, logDet float64) float64) func(*mat.SymDense) []float64 {
		return func(a *mat.SymDense) []float64 { return []float64{f(float64(a.SymmetricDim()), logDet(a))} }
	}
	log2Pi := math.Log(2 * math.Pi)
	return steps.Step[*mat.SymDense]{
		Name: "LogVolume", Key: "volume", Hint: 3, Problems: curvatures,
		Where: func(a *mat.SymDense) string {
			return fmt.Sprintf("a matrix with M = %d, and %.3g in its first place,", a.SymmetricDim(), a.At(0, 0))
		},
		Ask: func(a *mat.SymDense) ([]float64, *verify.Verdict) {
			var in learner.Inputs
			v := logVolume(in.Sym("A", a))
			return []float64{v}, in.Changed(3)
		},
		Unit: func(a *mat.SymDense, _ []float64) []float64 { return []float64{float64(a.SymmetricDim())} },
		Routes: []steps.Route[*mat.SymDense]{
			{Name: "the product over the principal axes", Tol: 1e-9, Value: of(func(m, d float64) float64 { return m/2*log2Pi - d/2 })},
			{Name: "the integral over one variable after the other", Tol: 1e-9, Value: func(a *mat.SymDense) []float64 { return []float64{oneByOne(a)} }},
		},
		Mistakes: []learner.Mistake[*mat.SymDense]{
			{Key: "determinant-sign", Hint: 2, Value: of(func(m, d float64) float64 { return m/2*log2Pi + d/2 }),
				Message: "The sign of ½ ln|A| is turned: the larger the curvature, the narrower the bump. (With the covariance A⁻¹ for the matrix it would be plus.)"},
			{Key: "no-root", Hint: 3, Value: of(func(m, d float64) float64 { return m/2*log2Pi - d }),
				Message: "ln|A| has no ½: in one dimension the integral is √(2π/A), with a root over all of it."},
			{Key: "two-pi-missing", Hint: 3, Value: of(func(_, d float64) float64 { return -d / 2 }),
				Message: "The powers of 2π are missing: each dimension brings √(2π)."},
			{Key: "two-pi-once", Hint: 3, Value: of(func(_, d float64) float64 { return log2Pi/2 - d/2 }),
				Message: "½ ln 2π is there once. Each of the M dimensions brings it."},
			{Key: "two-pi-whole", Hint: 3, Value: of(func(m, d float64) float64 { return m*log2Pi - d/2 }),
				Message: "Each dimension brings ln 2π, twice too much: 2π stands under a root."},
			{Key: "pi", Hint: 3, Value: of(func(m, d float64) float64 { return m/2*math.Log(math.Pi) - d/2 }),
				Message: "Each dimension brings √π: that belongs to exp(−zᵀAz). The ½ in the exponent makes it √(2π)."},
			{Key: "normaliser", Hint: 2, Value: of(func(m, d float64) float64 { return d/2 - m/2*log2Pi }),
				Message: "This is the logarithm of the factor in front of a normal density. The volume is what such a density is divided by: the reciprocal."},
			{Key: "not-logarithm", Hint: 3, Value: of(func(m, d float64) float64 { return math.Exp(m/2*log2Pi - d/2) }),
				Message: "This is the integral itself. Asked for is its logarithm, which stays moderate for many dimensions."},
		},
		Right: "It is the logarithm of the integral, along the principal axes and one variable after the other, for 1 to 6 dimensions.",
	}
}
