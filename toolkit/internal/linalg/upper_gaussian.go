package linalg

import (
	"fmt"
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/codec"
)

// LogDet returns ln|RᵀR|.
func (u *Upper) LogDet() float64 {
	var s float64
	for i := range u.N {
		s += 2 * math.Log(math.Abs(u.At(i, i)))
	}
	return s
}

// WhitenInPlace overwrites v with R⁻ᵀv.
func (u *Upper) WhitenInPlace(v []float64) {
	v = v[:u.N]
	for i := range v {
		row := u.A[i*u.N : (i+1)*u.N]
		row = row[:len(v)]
		v[i] /= row[i]
		a := v[i]
		for j := i + 1; j < len(v); j++ {
			v[j] -= row[j] * a
		}
	}
}

// Draw writes a sample of N(mean, RᵀR) to x.
func (u *Upper) Draw(rng *rand.Rand, mean, x []float64) {
	copy(x, mean)
	for i := range u.N {
		floats.AddScaled(x[i:], rng.NormFloat64(), u.A[i*u.N+i:(i+1)*u.N])
	}
}

// Times returns R·x.
func (u *Upper) Times(x []float64) []float64 {
	out := make([]float64, u.N)
	for i := range out {
		out[i] = Dot(u.A[i*u.N+i:(i+1)*u.N], x[i:])
	}
	return out
}

// MarshalJSON saves u as a matrix.
func (u *Upper) MarshalJSON() ([]byte, error) { return codec.Matrix(mat.NewDense(u.N, u.N, u.A)), nil }

// UnmarshalJSON restores the matrix from the output of MarshalJSON.
func (u *Upper) UnmarshalJSON(b []byte) error {
	var m *mat.Dense
	if err := codec.Value(b, &m); err != nil || m == nil {
		return err
	}
	r, c := m.Dims()
	if r != c {
		return fmt.Errorf("a %d×%d matrix, want a triangular one", r, c)
	}
	*u = Upper{r, m.RawMatrix().Data}
	return nil
}
