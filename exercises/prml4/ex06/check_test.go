package ex06_test

import (
	"fmt"
	"math"
	"testing"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/hyperplane-notebooks/hyperplane/exercises/gate"
	"github.com/hyperplane-notebooks/hyperplane/exercises/instance"
	"github.com/hyperplane-notebooks/hyperplane/exercises/internal/gauss"
	"github.com/hyperplane-notebooks/hyperplane/exercises/prml4/ex06"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/verify"
)

type (
	matrixFunc = func(X1, X2 *mat.Dense) *mat.Dense
	fitFunc    = func(X1, X2 *mat.Dense) ([]float64, float64)
	rightFunc  = func(X1, X2 *mat.Dense) []float64
	biasFunc   = func(X1, X2 *mat.Dense, w []float64) float64
)

func checkMatrix(f matrixFunc) *verify.Report { return ex06.Check(f, Fit) }
func checkFit(f fitFunc) *verify.Report       { return ex06.Check(NormalMatrix, f) }
func checkRight(f rightFunc) *verify.Report   { return ex06.CheckSteps(f, BestBias) }
func checkBias(f biasFunc) *verify.Report     { return ex06.CheckSteps(RightSide, f) }

func TestFunctions(t *testing.T) {
	gate.Functions(t, ex06.Exercise(), gate.OfNew(checkMatrix, NormalMatrix), gate.Of(checkFit, Fit),
		gate.Of(checkRight, RightSide),
		gate.Of(checkBias, BestBias))
}

// solved returns the solution w of M·w = c·(m1 − m2), and the bias w0 = −wᵀm.
func solved(M mat.Matrix, p gauss.Classes, c float64) ([]float64, float64) {
	w := gauss.Solve(M, p.Gap())
	floats.Scale(c, w)
	return w, -floats.Dot(w, p.Mean())
}

func TestRight(t *testing.T) {
	gate.Rights(t, checkMatrix, map[string]matrixFunc{
		"reference":     NormalMatrix,
		"total scatter": func(X1, X2 *mat.Dense) *mat.Dense { return mat.DenseCopyOf(gauss.Of(X1, X2).Total()) },
		"Σxxᵀ minus N·mmᵀ": func(X1, X2 *mat.Dense) *mat.Dense {
			p := gauss.Of(X1, X2)
			_, _, n := p.Counts()
			var squares mat.Dense
			squares.Mul(p.All().T(), p.All())
			return gauss.Plus(&squares, -n, p.Mean())
		},
	})
	gate.Rights(t, checkFit, map[string]fitFunc{
		"reference": Fit,
		"direct least squares": func(X1, X2 *mat.Dense) ([]float64, float64) {
			p := gauss.Of(X1, X2)
			n1, n2, n := p.Counts()
			w := gauss.Solve(instance.WithOnes(p.All()), p.Targets(n/n1, -n/n2)) // by QR
			return w[1:], w[0]
		},
		"Fisher's direction, scaled to the right length": func(X1, X2 *mat.Dense) ([]float64, float64) {
			// this answer uses the formula of Sherman and Morrison, (S_W + c·ggᵀ)⁻¹g = S_W⁻¹g/(1 +
			// c·gᵀS_W⁻¹g)
			p := gauss.Of(X1, X2)
			n1, n2, n := p.Counts()
			w, w0 := solved(p.Within(), p, 1)
			s := n / (1 + n1*n2/n*floats.Dot(p.Gap(), w))
			floats.Scale(s, w)
			return w, s * w0
		},
	})
	gate.Rights(t, checkRight, map[string]rightFunc{"reference": RightSide})
	gate.Rights(t, checkBias, map[string]biasFunc{
		"mean of the residuals": func(X1, X2 *mat.Dense, w []float64) float64 {
			p := gauss.Of(X1, X2)
			n1, n2, n := p.Counts()
			return floats.Sum(instance.Minus(p.Targets(n/n1, -n/n2), gauss.Times(p.All(), w))) / n
		},
	})
}

// TestWrong checks wrong answers that are not in the tables of mistakes in check.go. For each
// answer, the report must contain the expected key, that is, the name of the mistake.
func TestWrong(t *testing.T) {
	changed := func(f func(m *mat.Dense)) matrixFunc {
		return func(X1, X2 *mat.Dense) *mat.Dense {
			m := NormalMatrix(X1, X2)
			f(m)
			return m
		}
	}
	gate.Wrongs(t, ex06.Exercise(), checkMatrix, map[string][]matrixFunc{
		"m-factor": {changed(func(m *mat.Dense) { m.Scale(2, m) })},
		"bias-inside": {func(X1, _ *mat.Dense) *mat.Dense {
			return mat.NewDense(X1.RawMatrix().Cols+1, X1.RawMatrix().Cols+1, nil)
		}},
		"m-equation": {changed(func(m *mat.Dense) { m.Set(0, 0, 1.01*m.At(0, 0)) })},
		"m-total": {func(X1, X2 *mat.Dense) *mat.Dense {
			m := NormalMatrix(X1, X2)
			// this answer adds a vector orthogonal to w to row 0 of M, which does not change M·w
			if _, d := X1.Dims(); d == 2 {
				w, _ := Fit(X1, X2)
				c := m.At(0, 0) / math.Hypot(w[0], w[1])
				m.Set(0, 0, m.At(0, 0)+c*w[1])
				m.Set(0, 1, m.At(0, 1)-c*w[0])
			}
			return m
		}},
	})

	after := func(f func(w []float64, w0 *float64)) fitFunc {
		return func(X1, X2 *mat.Dense) ([]float64, float64) {
			w, w0 := Fit(X1, X2)
			f(w, &w0)
			return w, w0
		}
	}
	// withBias returns an answer with the right w and with the bias f(N1, N2, wᵀm1, wᵀm2).
	withBias := func(f func(n1, n2, a1, a2 float64) float64) fitFunc {
		return func(X1, X2 *mat.Dense) ([]float64, float64) {
			w, _ := Fit(X1, X2)
			n1, n2, _ := gauss.Of(X1, X2).Counts()
			return w, f(n1, n2, floats.Dot(w, mean(X1)), floats.Dot(w, mean(X2)))
		}
	}
	// wrongWhere returns an answer that is wrong only on problems for which the function
	// `condition` returns true. On these problems the answer sets all weights except the first to
	// 0.
	wrongWhere := func(condition func(n1, n2, n float64) bool) fitFunc {
		return func(X1, X2 *mat.Dense) ([]float64, float64) {
			w, w0 := Fit(X1, X2)
			if condition(gauss.Of(X1, X2).Counts()) {
				clear(w[1:])
			}
			return w, w0
		}
	}
	longer := after(func(w []float64, _ *float64) { w[0] *= 1.1 })
	scaled := func(by func(w []float64) float64) fitFunc {
		return after(func(w []float64, w0 *float64) {
			c := by(w)
			floats.Scale(c, w)
			*w0 *= c
		})
	}
	doubled := scaled(func([]float64) float64 { return 2 })
	gate.Wrongs(t, ex06.Exercise(), checkFit, map[string][]fitFunc{
		"printed-sign": {scaled(func([]float64) float64 { return -1 })},
		"length":       {doubled, scaled(func(w []float64) float64 { return 1 / floats.Norm(w, 2) })},
		"not-together": {doubled},
		"means-only": {func(X1, X2 *mat.Dense) ([]float64, float64) {
			w := gauss.Of(X1, X2).Gap()
			return w, BestBias(X1, X2, w)
		}},
		"ridge":             {ridge(1e-6), ridge(0.1)},
		"one-mean":          {withBias(func(_, _, a1, _ float64) float64 { return -a1 })},
		"no-bias":           {after(func(_ []float64, w0 *float64) { *w0 = 0 })},
		"weights-exchanged": {withBias(func(n1, n2, a1, a2 float64) float64 { return -(n2*a1 + n1*a2) / (n1 + n2) })},
		"bias":              {after(func(_ []float64, w0 *float64) { *w0 += 0.01 })},
		"nearly":            {scaled(func([]float64) float64 { return 1 + 1e-5 })},
		"not-least-squares": {
			longer,
			after(func(w []float64, w0 *float64) { w[0], *w0 = math.MaxFloat64, math.MaxFloat64 }),
			wrongWhere(func(_, n2, _ float64) bool { return n2 == 1 }),
			// this problem has exactly D + 2 points
			wrongWhere(func(n1, _, n float64) bool { return n1 == 1 && n == 4 }),
		},
		"not-fisher":   {longer},
		"zero-weights": {after(func(w []float64, w0 *float64) { clear(w); *w0 = 0 })},
	})

	side := func(f func(n float64) float64) rightFunc {
		return func(X1, X2 *mat.Dense) []float64 {
			_, _, n := gauss.Of(X1, X2).Counts()
			v := RightSide(X1, X2)
			floats.Scale(f(n), v)
			return v
		}
	}
	half := side(func(float64) float64 { return 0.5 })
	gate.Wrongs(t, ex06.Exercise(), checkRight, map[string][]rightFunc{
		"right-factor":       {half},
		"right-value":        {side(func(n float64) float64 { return (n - 1) / n })},
		"not-the-derivative": {half},
	})
	times := func(c float64) biasFunc {
		return func(X1, X2 *mat.Dense, w []float64) float64 { return c * BestBias(X1, X2, w) }
	}
	gate.Wrongs(t, ex06.Exercise(), checkBias, map[string][]biasFunc{
		"bias-factor":        {times(0.5), times(1.2)},
		"bias-value":         {func(X1, X2 *mat.Dense, w []float64) float64 { return BestBias(X1, X2, w) + 1 }},
		"not-the-derivative": {times(1.2)},
	})
}

// ridge returns a version of Fit that adds c to the diagonal of M.
func ridge(c float64) fitFunc {
	return func(X1, X2 *mat.Dense) ([]float64, float64) {
		M := NormalMatrix(X1, X2)
		for j := range M.RawMatrix().Rows {
			M.Set(j, j, M.At(j, j)+c)
		}
		return solved(M, gauss.Of(X1, X2), float64(X1.RawMatrix().Rows+X2.RawMatrix().Rows))
	}
}

// TestRidge checks a fit whose penalty contains w but not w0. The residuals of this fit sum to
// zero, so no part of the report may have the key "bias".
func TestRidge(t *testing.T) {
	for _, p := range checkFit(ridge(1e-6)).Parts {
		if p.Key == "bias" {
			t.Errorf("part %q has the key \"bias\", although the residuals sum to zero: %s", p.Name, p.Message)
		}
	}
}

func ExampleCheck() {
	within := func(X1, X2 *mat.Dense) *mat.Dense { return mat.DenseCopyOf(gauss.Of(X1, X2).Within()) }
	fmt.Println(ex06.Check(within, Fit).Parts[1].Key)
	// Output: within-only
}

/*
Equivalent mutants

NormalMatrix: v := mat.NewVecDense(d, floats.SubTo(make([]float64, d), x, m)) → v := mat.NewVecDense(d, floats.SubTo(make([]float64, d), m, x))
    Only vvᵀ is used, and (−v)(−v)ᵀ = vvᵀ.

Fit: if err := v.SolveVec(NormalMatrix(X1, X2), mat.NewVecDense(d, right)); err != nil → if err := v.SolveVec(NormalMatrix(X1, X2).T(), mat.NewVecDense(d, right)); err != nil
    The matrix is a sum of terms c·vvᵀ, so it is symmetric.
*/
