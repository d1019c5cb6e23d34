package ex22_test

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/hyperplane-notebooks/hyperplane/exercises/gate"
	"github.com/hyperplane-notebooks/hyperplane/exercises/internal/gauss"
	"github.com/hyperplane-notebooks/hyperplane/exercises/prml4/ex22"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/verify"
)

type (
	logDensity    = func([]float64) float64
	evidenceFunc  = func(logLik, logPrior func([]float64) float64, mode []float64, A *mat.SymDense) float64
	expansionFunc = func(height float64, A *mat.SymDense, z []float64) float64
	volumeFunc    = func(A *mat.SymDense) float64
)

func checkExpansion(f expansionFunc) *verify.Report { return ex22.CheckSteps(f, LogVolume) }
func checkVolume(f volumeFunc) *verify.Report       { return ex22.CheckSteps(Expansion, f) }

func TestFunctions(t *testing.T) {
	gate.Functions(t, ex22.Exercise(), gate.Of(ex22.Check, LogEvidence), gate.Of(checkExpansion, Expansion),
		gate.Of(checkVolume, LogVolume))
}

// volumes contains several right answers for the function LogVolume. TestRight also checks versions
// of LogEvidence that call the functions in `volumes`.
var volumes = map[string]volumeFunc{
	"reference": LogVolume,
	"one eigenvalue after another": func(A *mat.SymDense) (sum float64) {
		var e mat.EigenSym
		e.Factorize(A, false)
		for _, v := range e.Values(nil) { // along the axis with the eigenvalue v, the integral is √(2π/v)
			sum += math.Log(2*math.Pi/v) / 2
		}
		return sum
	},
	"LU factorization": withLogDet(func(A *mat.SymDense) float64 { return logDet(A) }),
	"diagonal of the Cholesky factor": func(A *mat.SymDense) (sum float64) {
		u := triangle(A)
		for i := range A.SymmetricDim() {
			sum += math.Log(math.Sqrt(2*math.Pi)) - math.Log(u.At(i, i))
		}
		return sum
	},
}

// triangle returns U with UᵀU = A.
func triangle(A *mat.SymDense) mat.Triangular {
	var c mat.Cholesky
	c.Factorize(A)
	return c.RawU()
}

func TestRight(t *testing.T) {
	gate.Rights(t, ex22.Check, map[string]evidenceFunc{"reference": LogEvidence})
	gate.Rights(t, checkVolume, volumes)
	for name, f := range volumes {
		gate.Rights(t, ex22.Check, map[string]evidenceFunc{name: withVolume(f)})
	}
	gate.Rights(t, checkExpansion, map[string]expansionFunc{
		"reference": Expansion,
		"squared length of U·z, where UᵀU = A": func(h float64, A *mat.SymDense, z []float64) float64 {
			v := gauss.Times(triangle(A), z)
			return h - 0.5*floats.Dot(v, v)
		},
		"entry by entry": func(h float64, A *mat.SymDense, z []float64) float64 {
			for i := range z {
				h -= A.At(i, i) * z[i] * z[i] / 2
				for j := range i {
					h -= A.At(i, j) * z[i] * z[j]
				}
			}
			return h
		},
	})
}

func twoPi(m float64) float64 { return m / 2 * math.Log(2*math.Pi) }

func logDet(A mat.Matrix) float64 { l, _ := mat.LogDet(A); return l }

// withVolume returns a version of LogEvidence that calls g instead of LogVolume.
func withVolume(g volumeFunc) evidenceFunc {
	return func(l, p logDensity, mode []float64, A *mat.SymDense) float64 { return l(mode) + p(mode) + g(A) }
}

// withLogDet returns a version of LogVolume that computes g(A) instead of ln|A|.
func withLogDet(g func(A *mat.SymDense) float64) volumeFunc {
	return func(A *mat.SymDense) float64 { return twoPi(float64(A.SymmetricDim())) - g(A)/2 }
}

func overflowing(A *mat.SymDense) float64 { return math.Log(mat.Det(A)) }

// withExtra returns an answer that adds the result of g to the result of LogEvidence.
func withExtra(g func(l, p logDensity, mode []float64, A *mat.SymDense) float64) evidenceFunc {
	return func(l, p logDensity, mode []float64, A *mat.SymDense) float64 {
		return LogEvidence(l, p, mode, A) + g(l, p, mode, A)
	}
}

// inPlane returns an answer that is wrong only if the model has two parameters and its prior is
// larger at 0 than at the mode. For such a model the answer adds v to the right result.
func inPlane(v float64) evidenceFunc {
	return withExtra(func(_, p logDensity, mode []float64, _ *mat.SymDense) float64 {
		if p(make([]float64, len(mode))) > p(mode) && len(mode) == 2 {
			return v
		}
		return 0
	})
}

// TestWrong checks wrong answers. One of them, −½ ln|A| for LogVolume, is also in the table of mistakes
// in check.go, but tests the verdict of the report's last part. All others are not in the tables. For
// each answer, the report must contain the expected key, that is, the name of the mistake.
func TestWrong(t *testing.T) {
	gate.Wrongs(t, ex22.Exercise(), ex22.Check, map[string][]evidenceFunc{
		"factor": {func(l, p logDensity, mode []float64, A *mat.SymDense) float64 {
			return LogEvidence(l, p, mode, A) / math.Ln10
		}},
		"determinant-overflow": {withVolume(withLogDet(overflowing))},
		"determinant": {withVolume(withLogDet(func(A *mat.SymDense) float64 {
			return math.Log(math.Max(1e-200,
				math.Min(1e200, mat.Det(A))))
		}))},
		"units": {
			withVolume(withLogDet(func(A *mat.SymDense) float64 { return 2 * math.Sqrt(mat.Trace(A)) })),
			withVolume(withLogDet(func(A *mat.SymDense) float64 { // this answer adds 1e-10 to the diagonal of A
				var b mat.SymDense
				m := A.SymmetricDim()
				b.AddSym(A, mat.NewDiagDense(m, slices.Repeat([]float64{1e-10}, m)))
				return logDet(&b)
			})),
			withVolume(withLogDet(func(A *mat.SymDense) float64 { return math.Log(mat.Det(A) + 1e-12) })),
		},
		"coin": {withExtra(func(_, _ logDensity, mode []float64, A *mat.SymDense) float64 {
			if len(mode) == 1 && A.At(0, 0) == 0.5 { // this answer is wrong only for the coin that was never tossed
				return 0.3
			}
			return 0
		})},
		"logistic": {inPlane(0.2), inPlane(1e-4)},
		"value": {
			withExtra(func(_, _ logDensity, mode []float64, _ *mat.SymDense) float64 { return 1e-5 * float64(len(mode)) }),
		},
		"not-finite": {func(l, p logDensity, _ []float64, _ *mat.SymDense) float64 {
			return l(nil) +
				p([]float64{1, 2, 3, 4})
		}},
	})
	gate.Wrongs(t, ex22.Exercise(), checkExpansion, map[string][]expansionFunc{
		"expansion-value": {
			func(h float64, A *mat.SymDense, z []float64) float64 { // this answer uses only the diagonal of A
				for i, v := range z {
					h -= A.At(i, i) * v * v / 2
				}
				return h
			},
		},
		"expansion-factor": {func(h float64, A *mat.SymDense, z []float64) float64 { return 2 * Expansion(h, A, z) }},
	})
	gate.Wrongs(t, ex22.Exercise(), checkVolume, map[string][]volumeFunc{
		"volume-factor": {func(A *mat.SymDense) float64 { return 2 * LogVolume(A) }},
		"volume-value": {
			func(A *mat.SymDense) float64 { return twoPi(float64(A.SymmetricDim()/2*2)) - logDet(A)/2 },
			withLogDet(func(A *mat.SymDense) float64 { return logDet(A.DiagView()) }),
			withLogDet(func(A *mat.SymDense) float64 { return math.Min(logDet(A), 300) }),
		},
		"volume-far-not-finite": {withLogDet(overflowing)},
		"volume-in-the-middle":  {func(A *mat.SymDense) float64 { return -logDet(A) / 2 }},
	})
}

// TestLimitsSayOnlyWhatIsTrue checks answers that are wrong even if |A| is in the range of a float64.
// The last part of the report tests determinants outside this range. It must only refer to an earlier
// part, because its own message would claim that the answer is right for determinants in the range.
func TestLimitsSayOnlyWhatIsTrue(t *testing.T) {
	reports := map[string]*verify.Report{
		"like BIC": ex22.Check(withVolume(func(A *mat.SymDense) float64 {
			m := float64(A.SymmetricDim())
			return -m / 2 * math.Log(mat.Trace(A)/m)
		})),
		"likelihood divided by M": ex22.Check(func(l, p logDensity, mode []float64, A *mat.SymDense) float64 {
			return LogEvidence(func(theta []float64) float64 { return l(theta) / float64(len(mode)) }, p, mode, A)
		}),
	}
	for i, k := range ex22.Exercise().Known {
		if slices.Contains([]string{"first-entry", "prior-at-zero", "base"}, k.Key) {
			reports[fmt.Sprint(k.Key, i)] = k.Check()
		}
	}
	for name, r := range reports {
		if last := r.Parts[len(r.Parts)-1]; last.Key != "in-the-middle" {
			t.Errorf("answer %q: the last part has the key %q, want \"in-the-middle\": %s", name, last.Key, last.Message)
		}
	}
	if len(reports) != 6 {
		t.Errorf("got %d reports, want 6: two for the answers above, and four for the known mistakes with the keys first-entry, prior-at-zero and base", len(reports))
	}
}

// TestNotAtTheMode checks an answer that subtracts ½ θᵀAθ at the mode from the right result. For
// Gaussian posteriors this answer returns the same numbers as an answer that evaluates the
// densities at θ = 0. The report must not claim that the densities are evaluated at θ = 0.
func TestNotAtTheMode(t *testing.T) {
	kept := withExtra(func(_, _ logDensity, mode []float64, A *mat.SymDense) float64 {
		return -gauss.Form(mode, A, mode) / 2
	})
	for _, p := range ex22.Check(kept).Parts {
		if p.Key == "not-at-the-mode" || strings.Contains(p.Message, "θ = 0") {
			t.Errorf("part %q has the key %s and the message %q, want a different key than not-at-the-mode, and a message without θ = 0",
				p.Name, p.Key, p.Message)
		}
	}
}

func ExampleCheck() {
	twice := withExtra(func(_, logPrior logDensity, mode []float64, _ *mat.SymDense) float64 { return logPrior(mode) })
	fmt.Println(ex22.Check(twice).Parts[1].Message)
	// Output: The prior is counted twice. logLik is ln p(D|θ) alone, without the prior.
}

func ExampleCheckSteps() {
	plus := withLogDet(func(A *mat.SymDense) float64 { return -logDet(A) })
	fmt.Println(ex22.CheckSteps(Expansion, plus).Parts[1].Message)
	// Output: ½ ln|A| has the wrong sign: a larger curvature means a narrower peak. (For the covariance A⁻¹ the sign would be plus.)
}

/*
Equivalent mutants

LogEvidence: return math.NaN() → return 0
    The line is reached only if A is not positive definite. The task excludes this case, so any result is accepted.
*/
