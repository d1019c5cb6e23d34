package ex14_test

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/optimize/convex/lp"

	"github.com/hyperplane-notebooks/hyperplane/exercises/internal/gate"
	"github.com/hyperplane-notebooks/hyperplane/exercises/prml4/ex14"
)

type (
	directionFunc = func(Phi *mat.Dense, t []float64) ([]float64, bool)
	errorFunc     = func(w []float64, Phi *mat.Dense, t []float64, c float64) float64
)

func TestRight(t *testing.T) {
	for _, tc := range []struct {
		name      string
		direction directionFunc
		err       errorFunc
	}{
		{"reference", SeparatingDirection, ErrorAlong},
		{"linear program, log-sum-exp", linearProgram, func(w []float64, Phi *mat.Dense, t []float64, c float64) float64 {
			e := 0.0
			for n := range t {
				a := c * floats.Dot(w, Phi.RawRowView(n))
				e += floats.LogSumExp([]float64{0, a}) - t[n]*a
			}
			return e
		}},
		{"nearest point of the hull of z, softplus by cases", nearestPoint, func(w []float64, Phi *mat.Dense, t []float64, c float64) float64 {
			v := floats.ScaleTo(make([]float64, len(w)), c, w)
			softplus := func(x float64) float64 {
				if x > 35 {
					return x
				}
				return math.Log1p(math.Exp(x))
			}
			e := 0.0
			for n := range t {
				a := floats.Dot(v, Phi.RawRowView(n))
				if t[n] == 1 {
					a = -a
				}
				e += softplus(a)
			}
			return e
		}},
		{"perceptron on unit vectors, long w", func(Phi *mat.Dense, t []float64) ([]float64, bool) {
			unit := mat.DenseCopyOf(Phi)
			for n := range t {
				row := unit.RawRowView(n)
				if length := floats.Norm(row, 2); length > 0 {
					floats.Scale(1/length, row)
				}
			}
			w, ok := SeparatingDirection(unit, t)
			floats.Scale(1e9, w)
			return w, ok
		}, ErrorAlong},
	} {
		t.Run(tc.name, func(t *testing.T) { gate.Right(t, ex14.Check(tc.direction, tc.err)) })
	}
}

// linearProgram looks for w = u − v with u, v ≥ 0 and z_nᵀw − s_n ≈ 1, s_n ≥ 0.
func linearProgram(Phi *mat.Dense, t []float64) ([]float64, bool) {
	n, m := Phi.Dims()
	size := math.Max(mat.Max(Phi), -mat.Min(Phi)) // so that the solver's tolerance fits
	A, b := mat.NewDense(n, 2*m+n, nil), make([]float64, n)
	for i := range n {
		for j := range m {
			z := (2*t[i] - 1) * Phi.At(i, j) / size
			A.Set(i, j, z)
			A.Set(i, m+j, -z)
		}
		A.Set(i, 2*m+i, -1)
		b[i] = 1 + 1e-3*float64(i*i%17) // unequal: ties can make the solver go round in circles
	}
	_, x, err := lp.Simplex(make([]float64, 2*m+n), A, b, 1e-10, nil)
	if err != nil {
		return nil, false
	}
	w := make([]float64, m)
	floats.SubTo(w, x[:m], x[m:2*m])
	return w, true
}

// nearestPoint is Gilbert's algorithm: w is drawn towards the point of the convex
// hull of the z_n that is nearest to the origin, which separates if it is not 0.
func nearestPoint(Phi *mat.Dense, t []float64) ([]float64, bool) {
	z := mat.DenseCopyOf(Phi)
	for n := range t {
		floats.Scale(2*t[n]-1, z.RawRowView(n))
	}
	w := append([]float64(nil), z.RawRowView(0)...)
	for range 50000 {
		low := 0
		for n := range t {
			if floats.Dot(w, z.RawRowView(n)) < floats.Dot(w, z.RawRowView(low)) {
				low = n
			}
		}
		if floats.Dot(w, z.RawRowView(low)) > 0 {
			return w, true
		}
		step := floats.SubTo(make([]float64, len(w)), z.RawRowView(low), w)
		square := floats.Dot(step, step)
		if square == 0 {
			return nil, false
		}
		floats.AddScaled(w, math.Min(1, -floats.Dot(w, step)/square), step)
	}
	return nil, false
}
