package ex15_test

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/hyperplane-notebooks/hyperplane/exercises/gate"
	"github.com/hyperplane-notebooks/hyperplane/exercises/instance"
	"github.com/hyperplane-notebooks/hyperplane/exercises/internal/twoclass"
	"github.com/hyperplane-notebooks/hyperplane/exercises/prml4/ex15"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/verify"
)

type (
	hessianFunc   = func(w []float64, Phi *mat.Dense) *mat.Dense
	directionFunc = func(Phi *mat.Dense) (u []float64, ok bool)
	weightFunc    = func(a float64) float64
	curvatureFunc = func(u, w []float64, Phi *mat.Dense) float64
)

func checkHessian(f hessianFunc) *verify.Report     { return ex15.Check(f, NullDirection) }
func checkDirection(f directionFunc) *verify.Report { return ex15.Check(Hessian, f) }
func checkWeight(f weightFunc) *verify.Report       { return ex15.CheckSteps(f, Curvature) }
func checkCurvature(f curvatureFunc) *verify.Report { return ex15.CheckSteps(Weight, f) }

func TestFunctions(t *testing.T) {
	spoilable := changedNull(func(Phi *mat.Dense, u []float64, ok bool) ([]float64, bool) {
		if !ok { // gate.Functions can change a number in u only if u has entries
			u = make([]float64, Phi.RawMatrix().Cols)
		}
		return u, ok
	})
	gate.Functions(t, ex15.Exercise(), gate.Of(checkHessian, Hessian), gate.Of(checkDirection, spoilable),
		gate.Of(checkWeight, Weight), gate.Of(checkCurvature, Curvature))
}

func sigmoid(a float64) float64 { return 1 / (1 + math.Exp(-a)) }

// changedNull returns an answer that applies f to the result of NullDirection.
func changedNull(f func(Phi *mat.Dense, u []float64, ok bool) ([]float64, bool)) directionFunc {
	return func(Phi *mat.Dense) ([]float64, bool) { u, ok := NullDirection(Phi); return f(Phi, u, ok) }
}

// times returns an answer that multiplies the vector u from NullDirection by c.
func times(c float64) directionFunc {
	return changedNull(func(_ *mat.Dense, u []float64, ok bool) ([]float64, bool) { return floats.ScaleTo(u, c, u), ok })
}

// byGram returns an answer that computes u as an eigenvector of ΦᵀΦ, which loses half the digits.
// The answer reports a direction if the smallest eigenvalue is at most `share` times the largest
// eigenvalue.
func byGram(share float64) directionFunc {
	return func(Phi *mat.Dense) ([]float64, bool) {
		_, m := Phi.Dims()
		gram := mat.NewSymDense(m, nil)
		gram.SymOuterK(1, Phi.T())
		var e mat.EigenSym
		var v mat.Dense
		e.Factorize(gram, true)
		e.VectorsTo(&v)
		values := e.Values(nil) // in ascending order
		return mat.Col(nil, 0, &v), values[0] <= share*values[m-1]
	}
}

func TestRight(t *testing.T) {
	gate.Rights(t, checkHessian, map[string]hessianFunc{
		"reference": Hessian,
		"ΦᵀRΦ as three matrices": func(w []float64, Phi *mat.Dense) *mat.Dense {
			r := instance.Activations(Phi, w)
			for i, a := range r {
				r[i] = sigmoid(a) * sigmoid(-a)
			}
			var right, h mat.Dense
			right.Mul(mat.NewDiagDense(len(r), r), Phi)
			h.Mul(Phi.T(), &right)
			return &h
		},
		"y(1−y)":             weighting(func(a float64) float64 { return sigmoid(a) * (1 - sigmoid(a)) }),
		"hyperbolic tangent": weighting(func(a float64) float64 { y := (1 + math.Tanh(a/2)) / 2; return y - y*y }),
		"the result is part of a larger matrix": func(w []float64, Phi *mat.Dense) *mat.Dense {
			m := len(w)
			h := mat.NewDense(m+2, m+3, nil).Slice(1, m+1, 2, m+2).(*mat.Dense)
			h.Copy(Hessian(w, Phi))
			return h
		},
	})
	gate.Rights(t, checkDirection, map[string]directionFunc{
		"eigenvector of ΦᵀΦ":              byGram(1e-12),
		"opposite direction, very long u": times(-3e8),
		"very short u":                    times(1e-200),
		"u with a single, subnormal entry": changedNull(func(_ *mat.Dense, u []float64, ok bool) ([]float64, bool) {
			if len(u) == 1 {
				u[0] = 5e-324
			}
			return u, ok
		}),
	})
	gate.Rights(t, checkWeight, map[string]weightFunc{
		"y − y²": func(a float64) float64 { y := sigmoid(a); return y - y*y },
	})
	gate.Rights(t, checkCurvature, map[string]curvatureFunc{
		"with H": func(u, w []float64, Phi *mat.Dense) float64 {
			v := mat.NewVecDense(len(u), u)
			return mat.Inner(v, Hessian(w, Phi), v)
		},
	})
}

// TestWrong checks wrong answers. Except for `sigmoid` and Curvature(w, w, Phi), they are not in the
// tables of mistakes in check.go. For each answer in a map of gate.Wrongs, the report must contain
// the expected key, that is, the name of the mistake.
func TestWrong(t *testing.T) {
	// `apply` returns an answer that applies f to each entry of the right Hessian.
	apply := func(f func(i, j int, v float64) float64) hessianFunc {
		return func(w []float64, Phi *mat.Dense) *mat.Dense {
			h := Hessian(w, Phi)
			h.Apply(f, h)
			return h
		}
	}
	scale := func(c float64) hessianFunc { return weighting(func(a float64) float64 { return c * Weight(a) }) }
	diagonal := func(from int, f func(i int, v float64) float64) hessianFunc {
		return apply(func(i, j int, v float64) float64 {
			if i == j && i >= from {
				return f(i, v)
			}
			return v
		})
	}
	plus := func(from int, c float64) hessianFunc {
		return diagonal(from, func(_ int, v float64) float64 { return v + c })
	}
	leftOut := func(c float64) weightFunc {
		return func(a float64) float64 {
			if math.Abs(a) > c {
				return 0
			}
			return Weight(a)
		}
	}
	gate.Wrongs(t, ex15.Exercise(), checkHessian, map[string][]hessianFunc{
		"factor": {scale(0.5), scale(2)},
		"prior":  {plus(0, 0.5), plus(1, 2), plus(0, 1e-6)},
		"derivative": {diagonal(0, func(_ int, v float64) float64 { return 1.01 * v }),
			apply(func(_, _ int, v float64) float64 { return math.Copysign(1e200, v) }),
			weighting(func(a float64) float64 { return Weight(a + 1) })},
		"nearly": {scale(1.0001),
			weighting(func(a float64) float64 { return (sigmoid(a+1e-3) - sigmoid(a-1e-3)) / 2e-3 })},
		"not-symmetric": {apply(func(i, j int, v float64) float64 {
			return v * (1 + 0.01*float64(max(0,
				j-i)))
		})},
		"not-positive-definite": {diagonal(0, func(i int, v float64) float64 { return v * float64(1-2*(i%2)) })},
		"not-semidefinite":      {diagonal(0, func(_ int, v float64) float64 { return 0.9 * v })},
		"curved-along-flat":     {plus(0, 1e-6)},
		"n-by-n": {func(_ []float64, Phi *mat.Dense) *mat.Dense {
			var h mat.Dense
			h.Mul(Phi,
				Phi.T())
			return &h
		}},
		"overflow": {
			weighting(func(a float64) float64 { y := math.Exp(a) / (1 + math.Exp(a)); return y * (1 - y) }),
			weighting(func(a float64) float64 { return math.Exp(-a) / math.Pow(1+math.Exp(-a), 2) }),
		},
		"tails": {
			weighting(leftOut(14)), weighting(leftOut(17)),
			weighting(func(a float64) float64 {
				y := math.Min(1-1e-7,
					math.Max(1e-7, sigmoid(a)))
				return y * (1 - y)
			}),
		},
		"in-the-middle": {scale(2)},
	})
	// Check or CheckSteps must reject the following answers, but the test expects no particular key:
	// the random problems decide which part is the first to reveal the mistake. Only the key "factor"
	// would be wrong, because these answers do not differ from the right answer by a constant factor.
	for name, r := range map[string]*verify.Report{
		"points with |a| > 8 left out":          checkHessian(weighting(leftOut(8))),
		"10⁻⁹ on the diagonal":                  checkHessian(plus(0, 1e-9)),
		"curvature without points with |a| > 8": checkCurvature(twoclass.Curvature(func(a, s float64) float64 { return leftOut(8)(a) * s * s })),
	} {
		if r.Passed() || slices.ContainsFunc(r.Parts, func(p verify.Result) bool { return p.Key == "factor" }) {
			t.Errorf("answer %q: want a report that rejects the answer and does not contain the key \"factor\", got\n%s", name, r)
		}
	}
	below := func(small func(values []float64, det float64) bool) directionFunc {
		return changedNull(func(Phi *mat.Dense, u []float64, _ bool) ([]float64, bool) {
			var svd mat.SVD
			var gram mat.Dense
			svd.Factorize(Phi, mat.SVDNone)
			gram.Mul(Phi.T(), Phi)
			n, m := Phi.Dims()
			return u, n < m || small(svd.Values(nil), mat.Det(&gram))
		})
	}
	gate.Wrongs(t, ex15.Exercise(), checkDirection, map[string][]directionFunc{
		"zero-vector": {changedNull(func(Phi *mat.Dense, u []float64, ok bool) ([]float64,
			bool) {
			return make([]float64, len(u)), ok
		})},
		"not-flat": {changedNull(func(_ *mat.Dense, u []float64, ok bool) ([]float64, bool) {
			return slices.Repeat([]float64{1}, len(u)), ok
		})},
		"left-null": {changedNull(func(Phi *mat.Dense, _ []float64, ok bool) ([]float64, bool) {
			return make([]float64, Phi.RawMatrix().Rows), ok
		})},
		"missed": {
			below(func(_ []float64, det float64) bool { return det == 0 }),
			below(func(v []float64, _ float64) bool { return v[len(v)-1] < 1e-12 }),
			// the next answer reports no direction for Φ = 0, and the last answer reports no
			// direction for a single column
			changedNull(func(Phi *mat.Dense, u []float64, ok bool) ([]float64, bool) { return u, ok && mat.Norm(Phi, 1) > 0 }),
			changedNull(func(_ *mat.Dense, u []float64, ok bool) ([]float64, bool) { return u, ok && len(u) > 1 }),
		},
		"absolute-threshold": {below(func(_ []float64, det float64) bool { return det < 1e-12 })},
		"false-direction": {
			byGram(1e-8),
			changedNull(func(Phi *mat.Dense, u []float64, ok bool) ([]float64, bool) {
				return u, ok || Phi.RawMatrix().Rows <= Phi.RawMatrix().Cols
			}),
			below(func(v []float64, _ float64) bool { return v[len(v)-1] < 2e-5*v[0] }),
		},
	})
	gate.Wrongs(t, ex15.Exercise(), checkWeight, map[string][]weightFunc{
		"weight-sign":   {func(a float64) float64 { return -Weight(a) }},
		"weight-factor": {func(a float64) float64 { return Weight(a) / 2 }},
		"weight-value": {func(float64) float64 { return 0.25 }, leftOut(4),
			func(a float64) float64 { return Weight(math.Max(-5, math.Min(5, a))) }},
		"weight-nearly": {func(a float64) float64 { return math.Round(1e6*Weight(a)) / 1e6 }, leftOut(12)},
		"weight-not-finite": {math.Sqrt,
			func(a float64) float64 { return math.Exp(a) / math.Pow(1+math.Exp(a), 2) }},
		"weight-in-the-middle": {sigmoid},
	})
	scaled := func(c float64) curvatureFunc {
		return twoclass.Curvature(func(a, s float64) float64 { return c * Weight(a) * s * s })
	}
	gate.Wrongs(t, ex15.Exercise(), checkCurvature, map[string][]curvatureFunc{
		"curvature-sign":     {scaled(-1)},
		"curvature-negative": {scaled(-1)},
		"curvature-factor":   {scaled(2)},
		"curvature-nearly":   {scaled(1 + 1e-5)},
		"curvature-value": {twoclass.Curvature(func(a, s float64) float64 { return math.Pow(sigmoid(a)*s, 2) }),
			scaled(0)},
		"curvature-not-flat": {func(u, w []float64, Phi *mat.Dense) float64 { return Curvature(w, w, Phi) }},
	})
}

// TestNotedLoss checks an answer whose weights y(1−y) are 0 for large positive activations, because y
// rounds to 1. TestRight checks that the report accepts this answer. In the part about large
// activations, the report must also contain a note about the lost digits, so the message of this part
// must differ from its message for the exact answer.
func TestNotedLoss(t *testing.T) {
	exact, lossy := checkHessian(Hessian),
		checkHessian(weighting(func(a float64) float64 { return sigmoid(a) * (1 - sigmoid(a)) }))
	if lossy.Parts[5].Message == exact.Parts[5].Message {
		t.Errorf("the answer that loses digits needs a note, but both answers have the same message: %s", exact.Parts[5].Message)
	}
}

// TestText checks that the reference answer does not state the equation of a flat direction, because
// the stub contains the doc comments of the reference answer. TestText also checks the explore cells.
// They must not contain Log1p, which would reveal the answer to exercise 4.14. They must not use
// RawMatrix, because RawMatrix().Data also contains other numbers if the learner's matrix is part of a
// larger matrix.
func TestText(t *testing.T) {
	e := ex15.Exercise()
	if strings.Contains(e.Explore, "Log1p") || strings.Contains(e.Explore, "RawMatrix") {
		t.Error("an explore cell contains Log1p or RawMatrix, want neither")
	}
	if strings.Contains(e.Answer, "Φu = 0") {
		t.Error("the reference answer contains the equation Φu = 0, so the stub may contain it too")
	}
}

func ExampleCheck() {
	gram := func(_ []float64, Phi *mat.Dense) *mat.Dense { var h mat.Dense; h.Mul(Phi.T(), Phi); return &h }
	fmt.Println(ex15.Check(gram, NullDirection).Parts[1].Message)
	// Output: This is ΦᵀΦ, the Hessian of the sum of squares (4.94). The weights R are missing: differentiating ∇E also differentiates the sigmoid, which adds the factor y(1−y).
}

var weighting = twoclass.Untargeted

/*
Equivalent mutants

Curvature: sum += Weight(a.AtVec(n)) * s.AtVec(n) * s.AtVec(n) → sum += Weight(-a.AtVec(n)) * s.AtVec(n) * s.AtVec(n)
    The weight y(1−y) = σ(a)σ(−a) is the same for a and −a.
*/
