package ex23_test

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/hyperplane-notebooks/hyperplane/exercises/internal/gate"
	"github.com/hyperplane-notebooks/hyperplane/exercises/prml4/ex23"
)

type (
	bicFunc     = func(logLik float64, M, N int) float64
	droppedFunc = func(mode, m []float64, V0, H *mat.SymDense, N int) float64
)

// parts are the four terms, by LU factorizations and inverses.
func parts(mode, m []float64, V0, H *mat.SymDense, N int) (quad, prior, posterior, penalty float64) {
	var precision, A mat.Dense
	if precision.Inverse(V0) != nil {
		return math.NaN(), 0, 0, 0
	}
	A.Add(H, &precision)
	for i := range m {
		for j := range m {
			quad += (mode[i] - m[i]) * precision.At(i, j) * (mode[j] - m[j])
		}
	}
	prior, _ = mat.LogDet(V0)
	posterior, _ = mat.LogDet(&A)
	return quad, prior, posterior, float64(len(m)) * math.Log(float64(N))
}

func TestRight(t *testing.T) {
	for _, tc := range []struct {
		name    string
		bic     bicFunc
		dropped droppedFunc
	}{
		{"reference", BIC, Dropped},
		{"half of twice, LU", func(l float64, M, N int) float64 { return -0.5 * (float64(M)*math.Log(float64(N)) - 2*l) },
			func(mode, m []float64, V0, H *mat.SymDense, N int) float64 {
				q, v, a, n := parts(mode, m, V0, H, N)
				return 0.5 * (n - q - v - a)
			}},
		{"a root of N per parameter, one determinant |V0 H + I|", func(l float64, M, N int) float64 {
			for range M {
				l -= math.Log(math.Sqrt(float64(N)))
			}
			return l
		}, func(mode, m []float64, V0, H *mat.SymDense, N int) float64 {
			q, _, _, n := parts(mode, m, V0, H, N)
			var b mat.Dense
			b.Mul(V0, H)
			for i := range m {
				b.Set(i, i, b.At(i, i)+1)
			}
			det, _ := mat.LogDet(&b)
			return -q/2 - det/2 + n/2
		}},
		{"power of N, determinant of A/N", func(l float64, M, N int) float64 { return l + math.Log(float64(N))*float64(-M)/2 },
			func(mode, m []float64, V0, H *mat.SymDense, N int) float64 {
				q, v, _, _ := parts(mode, m, V0, H, N)
				var precision, A mat.Dense
				if precision.Inverse(V0) != nil {
					return math.NaN()
				}
				A.Add(H, &precision)
				A.Scale(1/float64(N), &A)
				det, _ := mat.LogDet(&A)
				return -(q + v + det) / 2
			}},
		{"(4.137) minus BIC, 2π and all", BIC, func(mode, m []float64, V0, H *mat.SymDense, N int) float64 {
			q, v, a, _ := parts(mode, m, V0, H, N)
			half := float64(len(m)) / 2 * math.Log(2*math.Pi)
			logPrior := -q/2 - v/2 - half
			const any = -17.5
			return any + logPrior + half - a/2 - BIC(any, len(m), N)
		}},
	} {
		t.Run(tc.name, func(t *testing.T) { gate.Right(t, ex23.Check(tc.bic, tc.dropped)) })
	}
}
