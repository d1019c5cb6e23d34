package ex23_test

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/hyperplane-notebooks/hyperplane/exercises/gate"
	"github.com/hyperplane-notebooks/hyperplane/exercises/prml4/ex23"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/verify"
)

type (
	bicFunc     = func(logLik float64, M, N int) float64
	droppedFunc = func(mode, m []float64, V0, H *mat.SymDense, N int) float64
)

func checkBIC(f bicFunc) *verify.Report         { return ex23.Check(f, Dropped) }
func checkDropped(f droppedFunc) *verify.Report { return ex23.Check(BIC, f) }

func TestFunctions(t *testing.T) {
	gate.Functions(t, ex23.Exercise(), gate.Of(checkBIC, BIC), gate.Of(checkDropped, Dropped))
}

// fourTerms returns the four numbers that Dropped combines: (θ−m)ᵀV0⁻¹(θ−m), ln|V0|, ln|H + V0⁻¹|
// and M ln N. It computes them with LU factorizations and an inverse.
func fourTerms(mode, m []float64, V0, H *mat.SymDense, N int) (quad, prior, posterior, penalty float64) {
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
	gate.Rights(t, checkBIC, map[string]bicFunc{
		"reference": BIC,
		"result with an error below the stated accuracy": func(l float64, M, N int) float64 { return BIC(l, M, N) + 9e-9 },
		"−½(M ln N − 2 logLik)":                          func(l float64, M, N int) float64 { return -0.5 * (float64(M)*math.Log(float64(N)) - 2*l) },
		"penalty as one ln √N per parameter": func(l float64, M, N int) float64 {
			for range M {
				l -= math.Log(math.Sqrt(float64(N)))
			}
			return l
		},
	})
	gate.Rights(t, checkDropped, map[string]droppedFunc{
		"result with an error below the stated accuracy": func(mode, m []float64, V0, H *mat.SymDense, N int) float64 {
			return Dropped(mode, m, V0, H, N) - 9e-9
		},
		"LU factorizations": func(mode, m []float64, V0, H *mat.SymDense, N int) float64 {
			q, v, a, n := fourTerms(mode, m, V0, H, N)
			return 0.5 * (n - q - v - a)
		},
		"single determinant |V0 H + I|": func(mode, m []float64, V0, H *mat.SymDense, N int) float64 {
			q, _, _, n := fourTerms(mode, m, V0, H, N)
			var b mat.Dense
			b.Mul(V0, H)
			for i := range m {
				b.Set(i, i, b.At(i, i)+1)
			}
			det, _ := mat.LogDet(&b)
			return -q/2 - det/2 + n/2
		},
		"(4.137) minus BIC, including 2π": func(mode, m []float64, V0, H *mat.SymDense, N int) float64 {
			q, v, a, _ := fourTerms(mode, m, V0, H, N)
			half := float64(len(m)) / 2 * math.Log(2*math.Pi)
			logPrior := -q/2 - v/2 - half
			const any = -17.5
			return any + logPrior + half - a/2 - BIC(any, len(m), N)
		},
	})
}

// TestWrong checks wrong answers that are not in the tables of mistakes in check.go. For each answer in
// a map of gate.Wrongs, the report must contain the expected key, that is, the name of the mistake.
func TestWrong(t *testing.T) {
	bicOf := func(f func(l, m, n float64) float64) bicFunc {
		return func(l float64, M, N int) float64 { return f(l, float64(M), float64(N)) }
	}
	gate.Wrongs(t, ex23.Exercise(), checkBIC, map[string][]bicFunc{
		"drifts": {
			bicOf(func(l, m, n float64) float64 { return l - m*math.Sqrt(n) }),
			bicOf(func(l, m, n float64) float64 { return l - m/8*math.Log(n) }),
		},
		"bic": {bicOf(func(l, m, n float64) float64 { return l - m*math.Log(n)/2 + 0.01 })},
		"not-finite": {bicOf(func(l, m, n float64) float64 { return l - m/2/math.Log(n)*math.Pow(math.Log(n), 2) }), // NaN for N = 1
			bicOf(func(l, m, n float64) float64 { return l - math.Log(math.Pow(n, m))/2 })}, // Nᴹ overflows for M = 160
	})
	ofDeterminant := func(mode, m []float64, V0, H *mat.SymDense, N int) float64 {
		q, _, a, n := fourTerms(mode, m, V0, H, N)
		return (n - q - math.Log(mat.Det(V0)) - a) / 2
	}
	plus := func(g func(m, n float64) float64) droppedFunc {
		return func(mode, m []float64, V0, H *mat.SymDense, N int) float64 {
			return Dropped(mode, m, V0, H, N) + g(float64(len(m)), float64(N))
		}
	}
	few := func(v float64) droppedFunc { // `few` returns an answer that adds v to the right number if N < M
		return plus(func(m, n float64) float64 {
			if n < m {
				return v
			}
			return 0
		})
	}
	gate.Wrongs(t, ex23.Exercise(), checkDropped, map[string][]droppedFunc{
		"not-finite": {ofDeterminant},
		"dropped":    {plus(func(_, _ float64) float64 { return 1e-3 })},
		"grows":      {plus(func(_, n float64) float64 { return 0.1 * math.Log(n) })},
		"singular":   {few(math.Inf(1)), few(-0.1)},
	})
	if m := checkDropped(ofDeterminant).Parts[3].Message; !strings.Contains(m, "LogDet") {
		t.Errorf("message for a determinant beyond the range of float64 should name LogDet, got %s", m)
	}
	// These answers are also wrong if there are more data points than parameters. Therefore the last
	// part, which tests problems with fewer points, must not claim that they are right for more data.
	for _, f := range []droppedFunc{plus(func(m, _ float64) float64 { return 0.3 * m }),
		plus(func(_, n float64) float64 { return math.Log(n) })} {
		r := checkDropped(f)
		if last := r.Parts[len(r.Parts)-1]; last.Key != "in-the-middle" {
			t.Errorf("key of the last part is %q for an answer that is also wrong for N > M, want \"in-the-middle\": %s", last.Key, last.Message)
		}
	}
}

func ExampleCheck() {
	aic := func(logLik float64, M, _ int) float64 { return logLik - float64(M) }
	fmt.Println(ex23.Check(aic, Dropped).Parts[1].Message)
	// Output: This is Akaike's criterion, ln p(D|θ) − M (1.73). Its penalty does not grow with N, and it does not approximate ln p(D).
}

/*
Equivalent mutants

Dropped: d.SubVec(mat.NewVecDense(len(m), mode), mat.NewVecDense(len(m), m)) → d.SubVec(mat.NewVecDense(len(m), m), mat.NewVecDense(len(m), mode))
    Only the quadratic form dᵀV0⁻¹d is used, which does not depend on the sign of d.

Dropped: return math.NaN() → return 0
    The line is reached only if V0 cannot be inverted; a normal density with such a covariance does not exist, so no answer is right there.
*/
