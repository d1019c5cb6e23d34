package ex06_test

import (
	"fmt"
	"math"
	"testing"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/hyperplane-notebooks/hyperplane/exercises/internal/gate"
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
	gate.Known(t, ex06.Exercise())
	gate.Function(t, ex06.Exercise(), checkMatrix, NormalMatrix)
	gate.Function(t, ex06.Exercise(), checkFit, Fit)
	gate.Function(t, ex06.Exercise(), checkRight, RightSide)
	gate.Function(t, ex06.Exercise(), checkBias, BestBias)
}

func stack(X1, X2 *mat.Dense) *mat.Dense {
	var all mat.Dense
	all.Stack(X1, X2)
	return &all
}

func sizes(X1, X2 *mat.Dense) (n1, n2, n float64) {
	a, _ := X1.Dims()
	b, _ := X2.Dims()
	return float64(a), float64(b), float64(a + b)
}

// gram is XᵀX with m subtracted from every row.
func gram(X *mat.Dense, m []float64) *mat.Dense {
	Z := mat.DenseCopyOf(X)
	Z.Apply(func(_, j int, v float64) float64 { return v - m[j] }, Z)
	var s mat.Dense
	s.Mul(Z.T(), Z)
	return &s
}

// combine is A + b·B.
func combine(A mat.Matrix, b float64, B mat.Matrix) *mat.Dense {
	var m mat.Dense
	m.Scale(b, B)
	m.Add(A, &m)
	return &m
}

func within(X1, X2 *mat.Dense) *mat.Dense {
	return combine(gram(X1, mean(X1)), 1, gram(X2, mean(X2)))
}

func between(X1, X2 *mat.Dense) *mat.Dense {
	m1, m2 := mean(X1), mean(X2)
	return gram(mat.NewDense(1, len(m1), m1), m2)
}

func total(X1, X2 *mat.Dense) *mat.Dense {
	all := stack(X1, X2)
	return gram(all, mean(all))
}

// column is t1 for the points of class 1 and t2 for those of class 2.
func column(X1, X2 *mat.Dense, t1, t2 float64) *mat.Dense {
	n1, _, n := sizes(X1, X2)
	t := mat.NewDense(int(n), 1, nil)
	for i := range int(n) {
		t.Set(i, 0, t2)
		if i < int(n1) {
			t.Set(i, 0, t1)
		}
	}
	return t
}

// direct is least squares with a bias for targets t1 and t2, by QR.
func direct(X1, X2 *mat.Dense, t1, t2 float64) ([]float64, float64) {
	all := stack(X1, X2)
	n, d := all.Dims()
	B := mat.NewDense(n, d+1, nil)
	for i := range n {
		B.SetRow(i, append([]float64{1}, all.RawRowView(i)...))
	}
	var W mat.Dense
	_ = W.Solve(B, column(X1, X2, t1, t2))
	w := mat.Col(nil, 0, &W)
	return w[1:], w[0]
}

// solved is the solution of M·w = c·(m1 − m2) with w0 = −wᵀm.
func solved(M *mat.Dense, X1, X2 *mat.Dense, c float64) ([]float64, float64) {
	right := mean(X1)
	floats.Sub(right, mean(X2))
	floats.Scale(c, right)
	var v mat.VecDense
	_ = v.SolveVec(M, mat.NewVecDense(len(right), right))
	w := v.RawVector().Data
	return w, -floats.Dot(w, mean(stack(X1, X2)))
}

func TestRight(t *testing.T) {
	gate.Rights(t, checkMatrix, map[string]matrixFunc{
		"reference":     NormalMatrix,
		"total scatter": total,
		"squares minus squared mean": func(X1, X2 *mat.Dense) *mat.Dense {
			_, _, n := sizes(X1, X2)
			all := stack(X1, X2)
			m := mean(all)
			zero := make([]float64, len(m))
			return combine(gram(all, zero), -n, gram(mat.NewDense(1, len(m), m), zero))
		},
		"S_W and S_B": func(X1, X2 *mat.Dense) *mat.Dense {
			n1, n2, n := sizes(X1, X2)
			return combine(within(X1, X2), n1*n2/n, between(X1, X2))
		},
		"classes about the common mean": func(X1, X2 *mat.Dense) *mat.Dense {
			m := mean(stack(X1, X2))
			return combine(gram(X1, m), 1, gram(X2, m))
		},
	})
	gate.Rights(t, checkFit, map[string]fitFunc{
		"reference": Fit,
		"direct least squares": func(X1, X2 *mat.Dense) ([]float64, float64) {
			n1, n2, n := sizes(X1, X2)
			return direct(X1, X2, n/n1, -n/n2)
		},
		"equations of the total scatter": func(X1, X2 *mat.Dense) ([]float64, float64) {
			_, _, n := sizes(X1, X2)
			return solved(total(X1, X2), X1, X2, n)
		},
		"Fisher's direction with its length": func(X1, X2 *mat.Dense) ([]float64, float64) {
			// (S_W + c·ggᵀ)⁻¹g = S_W⁻¹g/(1 + c·gᵀS_W⁻¹g), by Sherman and Morrison
			n1, n2, n := sizes(X1, X2)
			w, w0 := solved(within(X1, X2), X1, X2, 1)
			g := mean(X1)
			floats.Sub(g, mean(X2))
			s := n / (1 + n1*n2/n*floats.Dot(g, w))
			floats.Scale(s, w)
			return w, s * w0
		},
		"1-of-K solution rescaled": func(X1, X2 *mat.Dense) ([]float64, float64) {
			n1, n2, n := sizes(X1, X2)
			w, _ := direct(X1, X2, 1, 0)
			floats.Scale(n*n/(n1*n2), w)
			return w, -floats.Dot(w, mean(stack(X1, X2)))
		},
	})
}

func TestRightSteps(t *testing.T) {
	gate.Rights(t, checkRight, map[string]rightFunc{
		"reference": RightSide,
		"Xᵀt": func(X1, X2 *mat.Dense) []float64 {
			n1, n2, n := sizes(X1, X2)
			var v mat.Dense
			v.Mul(stack(X1, X2).T(), column(X1, X2, n/n1, -n/n2))
			return mat.Col(nil, 0, &v)
		},
		"columns": func(X1, X2 *mat.Dense) (v []float64) {
			n1, n2, n := sizes(X1, X2)
			for j := range X1.RawMatrix().Cols {
				v = append(v, n*(mat.Sum(X1.ColView(j))/n1-mat.Sum(X2.ColView(j))/n2))
			}
			return v
		},
	})
	gate.Rights(t, checkBias, map[string]biasFunc{
		"reference":   BestBias,
		"mean of all": func(X1, X2 *mat.Dense, w []float64) float64 { return -floats.Dot(w, mean(stack(X1, X2))) },
		"mean of the residuals": func(X1, X2 *mat.Dense, w []float64) (w0 float64) {
			n1, n2, n := sizes(X1, X2)
			t := column(X1, X2, n/n1, -n/n2)
			for i := range int(n) {
				w0 += (t.At(i, 0) - floats.Dot(w, stack(X1, X2).RawRowView(i))) / n
			}
			return w0
		},
	})
}

// TestWrong: answers that the tables of mistakes do not hold, by key.
func TestWrong(t *testing.T) {
	changed := func(f func(m *mat.Dense)) matrixFunc {
		return func(X1, X2 *mat.Dense) *mat.Dense {
			m := NormalMatrix(X1, X2)
			f(m)
			return m
		}
	}
	same := &mat.Dense{}
	gate.Wrongs(t, ex06.Exercise(), checkMatrix, map[string][]matrixFunc{
		"m-factor":    {changed(func(m *mat.Dense) { m.Scale(2, m) })},
		"within-only": {within},
		"bias-inside": {func(X1, _ *mat.Dense) *mat.Dense {
			d := X1.RawMatrix().Cols
			return mat.NewDense(d+1, d+1, nil)
		}},
		"m-equation": {changed(func(m *mat.Dense) { m.Set(0, 0, 1.01*m.At(0, 0)) })},
		"m-total": {func(X1, X2 *mat.Dense) *mat.Dense {
			m := NormalMatrix(X1, X2)
			if _, d := X1.Dims(); d == 2 { // a row orthogonal to w is added
				w, _ := Fit(X1, X2)
				c := m.At(0, 0) / math.Hypot(w[0], w[1])
				m.Set(0, 0, m.At(0, 0)+c*w[1])
				m.Set(0, 1, m.At(0, 1)-c*w[0])
			}
			return m
		}},
		"empty":       {func(_, _ *mat.Dense) *mat.Dense { return &mat.Dense{} }},
		"wrong-shape": {func(X1, X2 *mat.Dense) *mat.Dense { return stack(X1, X2) }},
		"not-new":     {func(X1, X2 *mat.Dense) *mat.Dense { same.CloneFrom(NormalMatrix(X1, X2)); return same }},
	})

	after := func(f func(w []float64, w0 *float64)) fitFunc {
		return func(X1, X2 *mat.Dense) ([]float64, float64) {
			w, w0 := Fit(X1, X2)
			f(w, &w0)
			return w, w0
		}
	}
	biased := func(f func(n1, n2, a1, a2 float64) float64) fitFunc {
		return func(X1, X2 *mat.Dense) ([]float64, float64) {
			w, _ := Fit(X1, X2)
			n1, n2, _ := sizes(X1, X2)
			return w, f(n1, n2, floats.Dot(w, mean(X1)), floats.Dot(w, mean(X2)))
		}
	}
	doubled := after(func(w []float64, w0 *float64) { floats.Scale(2, w); *w0 *= 2 })
	gate.Wrongs(t, ex06.Exercise(), checkFit, map[string][]fitFunc{
		"printed-sign": {func(X1, X2 *mat.Dense) ([]float64, float64) {
			n1, n2, n := sizes(X1, X2)
			return direct(X1, X2, -n/n1, n/n2)
		}},
		"length": {doubled, func(X1, X2 *mat.Dense) ([]float64, float64) {
			w, w0 := solved(within(X1, X2), X1, X2, 1)
			l := floats.Norm(w, 2)
			floats.Scale(1/l, w)
			return w, w0 / l
		}},
		"not-together": {doubled},
		"means-only": {func(X1, X2 *mat.Dense) ([]float64, float64) {
			w := mean(X1)
			floats.Sub(w, mean(X2))
			return w, -floats.Dot(w, mean(stack(X1, X2)))
		}},
		"ridge":             {ridge(1e-6), ridge(0.1)},
		"midpoint":          {biased(func(_, _, a1, a2 float64) float64 { return -(a1 + a2) / 2 })},
		"one-mean":          {biased(func(_, _, a1, _ float64) float64 { return -a1 })},
		"bias-sign":         {biased(func(n1, n2, a1, a2 float64) float64 { return (n1*a1 + n2*a2) / (n1 + n2) })},
		"no-bias":           {biased(func(_, _, _, _ float64) float64 { return 0 })},
		"weights-exchanged": {biased(func(n1, n2, a1, a2 float64) float64 { return -(n2*a1 + n1*a2) / (n1 + n2) })},
		"bias":              {after(func(_ []float64, w0 *float64) { *w0 += 0.01 })},
		"nearly":            {after(func(w []float64, w0 *float64) { floats.Scale(1+1e-5, w); *w0 *= 1 + 1e-5 })},
		"not-least-squares": {
			after(func(w []float64, _ *float64) { w[0] *= 1.1 }),
			after(func(w []float64, w0 *float64) { w[0], *w0 = math.MaxFloat64, math.MaxFloat64 }),
			wrongWhere(func(_, n2, _ float64) bool { return n2 == 1 }),
			wrongWhere(func(n1, _, n float64) bool { return n1 == 1 && n == 4 }), // D + 2 points
		},
		"not-fisher":   {after(func(w []float64, _ *float64) { w[0] *= 1.1 })},
		"zero-weights": {after(func(w []float64, w0 *float64) { clear(w); *w0 = 0 })},
		"wrong-length": {func(X1, X2 *mat.Dense) ([]float64, float64) { w, w0 := Fit(X1, X2); return append(w, w0), w0 }},
	})
}

// wrongWhere uses the first column only where the numbers of points are such.
func wrongWhere(is func(n1, n2, n float64) bool) fitFunc {
	return func(X1, X2 *mat.Dense) ([]float64, float64) {
		w, w0 := Fit(X1, X2)
		if is(sizes(X1, X2)) {
			clear(w[1:])
		}
		return w, w0
	}
}

// ridge adds c to the diagonal of M.
func ridge(c float64) fitFunc {
	return func(X1, X2 *mat.Dense) ([]float64, float64) {
		M := NormalMatrix(X1, X2)
		for j := range M.RawMatrix().Rows {
			M.Set(j, j, M.At(j, j)+c)
		}
		_, _, n := sizes(X1, X2)
		return solved(M, X1, X2, n)
	}
}

// TestRidge: of a penalty on w alone it is not said that the residuals do not sum to
// zero.
func TestRidge(t *testing.T) {
	for _, p := range checkFit(ridge(1e-6)).Parts {
		if p.Key == "bias" {
			t.Errorf("part %q: %s", p.Name, p.Message)
		}
	}
}

func TestWrongSteps(t *testing.T) {
	sides := func(f func(n1, n2 float64) (a, b float64)) rightFunc {
		return func(X1, X2 *mat.Dense) []float64 {
			n1, n2, _ := sizes(X1, X2)
			a, b := f(n1, n2)
			v := mean(X1)
			floats.Scale(a, v)
			floats.AddScaled(v, b, mean(X2))
			return v
		}
	}
	gate.Wrongs(t, ex06.Exercise(), checkRight, map[string][]rightFunc{
		"right-factor":       {sides(func(a, b float64) (float64, float64) { return (a + b) / 2, -(a + b) / 2 })},
		"right-value":        {sides(func(a, b float64) (float64, float64) { return a + b - 1, 1 - a - b })},
		"not-the-derivative": {sides(func(_, _ float64) (float64, float64) { return 1, -1 }), func(_, _ *mat.Dense) []float64 { return nil }},
		"wrong-length":       {func(X1, X2 *mat.Dense) []float64 { return append([]float64{0}, RightSide(X1, X2)...) }},
	})
	scaled := func(c float64) biasFunc {
		return func(X1, X2 *mat.Dense, w []float64) float64 { return c * BestBias(X1, X2, w) }
	}
	gate.Wrongs(t, ex06.Exercise(), checkBias, map[string][]biasFunc{
		"bias-factor":        {scaled(0.5), scaled(1.2)},
		"bias-value":         {func(X1, X2 *mat.Dense, w []float64) float64 { return BestBias(X1, X2, w) + 1 }},
		"not-the-derivative": {scaled(1.2)},
	})
}

func ExampleCheck() {
	fmt.Println(ex06.Check(within, Fit).Parts[1].Key)
	// Output: within-only
}

func ExampleCheckSteps() {
	midpoint := func(X1, X2 *mat.Dense, w []float64) float64 {
		return -(floats.Dot(w, mean(X1)) + floats.Dot(w, mean(X2))) / 2
	}
	fmt.Println(ex06.CheckSteps(RightSide, midpoint).Parts[0].Message)
	// Output: This puts the zero half-way between the class means. The sum over all points weights them with N1 and N2: it lies at the mean of all points.
}

/*
Equivalent mutants

NormalMatrix: v := mat.NewVecDense(d, floats.SubTo(make([]float64, d), x, m)) → v := mat.NewVecDense(d, floats.SubTo(make([]float64, d), m, x))
    v changes its sign, and only vvᵀ is used: (−v)(−v)ᵀ = vvᵀ.

Fit: if err := v.SolveVec(NormalMatrix(X1, X2), mat.NewVecDense(d, right)); err != nil → if err := v.SolveVec(NormalMatrix(X1, X2).T(), mat.NewVecDense(d, right)); err != nil
    The matrix is a sum of terms c·vvᵀ, hence its own transpose.
*/
