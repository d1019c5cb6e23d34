package ex02_test

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/hyperplane-notebooks/hyperplane/exercises/internal/gate"
	"github.com/hyperplane-notebooks/hyperplane/exercises/prml4/ex02"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/verify"
)

type predictor = func(X, T *mat.Dense, x []float64) []float64

func TestFunctions(t *testing.T) {
	gate.Known(t, ex02.Exercise())
	gate.Function(t, ex02.Exercise(), ex02.Check, Predict)
}

func TestRight(t *testing.T) {
	// recoded fits c·t + shift and codes back.
	recoded := func(f predictor, c, shift float64) predictor {
		return func(X, T *mat.Dense, x []float64) []float64 {
			R := mat.DenseCopyOf(T)
			R.Apply(func(_, _ int, v float64) float64 { return c*v + shift }, R)
			y := f(X, R, x)
			for k := range y {
				y[k] = (y[k] - shift) / c
			}
			return y
		}
	}
	gate.Rights(t, ex02.Check, map[string]predictor{
		"reference":                                   Predict,
		"normal equations with a pseudo-inverse":      pseudoNormal,
		"centred inputs and targets":                  centred,
		"Gram-Schmidt":                                gramSchmidt,
		"pivoted elimination of the normal equations": eliminated,
		"dual: weights of the targets":                dual,
		"bias last":                                   biasLast,
		"one output at a time":                        oneByOne,
		"targets recoded as ±1":                       recoded(Predict, 2, -1),
		"targets shifted, normal equations":           recoded(pseudoNormal, 1, -0.3),
		"targets recoded, Gram-Schmidt":               recoded(gramSchmidt, 2, -1),
		"what a first guess leaves": func(X, T *mat.Dense, x []float64) []float64 {
			_, d := X.Dims()
			_, k := T.Dims()
			guess := mat.NewDense(d+1, k, nil)
			guess.Apply(func(i, j int, _ float64) float64 { return 0.1 * float64(1+i+2*j) }, guess)
			var left mat.Dense
			left.Mul(withOnes(X), guess)
			left.Sub(T, &left)
			y := Predict(X, &left, x)
			floats.Add(y, apply(guess, x))
			return y
		},
		"rounding of 1e-15":                   noisy(1e-15),
		"as far off as is allowed, or nearly": noisy(3e-8),
	})
}

// noisy is off by this part of the largest target, now to this side, now to that.
func noisy(part float64) predictor {
	return func(X, T *mat.Dense, x []float64) []float64 {
		y := Predict(X, T, x)
		for i := range y {
			y[i] += part * mat.Norm(T, 1) / float64(T.RawMatrix().Rows) * math.Sin(1e3*float64(1+i)*floats.Sum(x))
		}
		return y
	}
}

// TestPlainInverse: formula (4.16) as it is printed is right wherever the inverse
// exists, and is told so; only the part with dependent columns is Wrong.
func TestPlainInverse(t *testing.T) {
	for _, tc := range []struct {
		name   string
		answer func(X, T *mat.Dense, x []float64) []float64
	}{
		{"inverse, error ignored", func(X, T *mat.Dense, x []float64) []float64 {
			B := withOnes(X)
			var gram, inverse, right, W mat.Dense
			gram.Mul(B.T(), B)
			_ = inverse.Inverse(&gram)
			right.Mul(B.T(), T)
			W.Mul(&inverse, &right)
			return apply(&W, x)
		}},
		{"solve of the normal equations, error ignored", func(X, T *mat.Dense, x []float64) []float64 {
			B := withOnes(X)
			var gram, right, W mat.Dense
			gram.Mul(B.T(), B)
			right.Mul(B.T(), T)
			_ = W.Solve(&gram, &right)
			return apply(&W, x)
		}},
		{"solve, panic with the error", func(X, T *mat.Dense, x []float64) []float64 {
			var W mat.Dense
			if err := W.Solve(withOnes(X), T); err != nil {
				panic(err)
			}
			return apply(&W, x)
		}},
		{"QR, panic with the error", func(X, T *mat.Dense, x []float64) []float64 {
			var qr mat.QR
			qr.Factorize(withOnes(X))
			var W mat.Dense
			if err := qr.SolveTo(&W, false, T); err != nil {
				panic(err)
			}
			return apply(&W, x)
		}},
		{"Cholesky, the mean where it fails", func(X, T *mat.Dense, x []float64) []float64 {
			B := withOnes(X)
			_, p := B.Dims()
			gram := mat.NewSymDense(p, nil)
			gram.SymOuterK(1, B.T())
			var chol mat.Cholesky
			if !chol.Factorize(gram) {
				return means(T)
			}
			var right, W mat.Dense
			right.Mul(B.T(), T)
			_ = chol.SolveTo(&W, &right)
			return apply(&W, x)
		}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			r := ex02.Check(tc.answer)
			gate.Wrong(t, ex02.Exercise(), r, "singular")
			if r.Count(verify.Right) != len(r.Parts)-1 {
				t.Errorf("want every other part Right:\n%s", r)
			}
		})
	}
}

// TestWrong: answers that the table of mistakes does not hold, by key.
func TestWrong(t *testing.T) {
	// after applies f to the reference's prediction.
	after := func(f func(y []float64)) predictor {
		return func(X, T *mat.Dense, x []float64) []float64 {
			y := Predict(X, T, x)
			f(y)
			return y
		}
	}
	// instead answers what the reference does not where the data are such.
	instead := func(such func(X, T *mat.Dense, x []float64) bool) predictor {
		return func(X, T *mat.Dense, x []float64) []float64 {
			if such(X, T, x) {
				return make([]float64, T.RawMatrix().Cols)
			}
			return Predict(X, T, x)
		}
	}
	penalised := func(lambda float64, bias bool) predictor {
		return func(X, T *mat.Dense, x []float64) []float64 { return ridge(X, T, x, lambda, bias) }
	}
	cut := func(relative, absolute float64) predictor {
		return func(X, T *mat.Dense, x []float64) []float64 { return truncated(X, T, x, relative, absolute) }
	}
	aSlopeMore := func(X, T *mat.Dense, x []float64) []float64 {
		y := Predict(X, T, x)
		floats.AddConst(0.1*x[0], y)
		return y
	}
	gate.Wrongs(t, ex02.Exercise(), ex02.Check, map[string][]predictor{
		"ridge-bias": {penalised(0.1, true), penalised(1e-5, true), penalised(1e-8, true), func(X, T *mat.Dense, x []float64) []float64 {
			var gram, right, W mat.Dense // a penalty only where it is needed
			gram.Mul(withOnes(X).T(), withOnes(X))
			right.Mul(withOnes(X).T(), T)
			if W.Solve(&gram, &right) != nil {
				return ridge(X, T, x, 1e-6, true)
			}
			return apply(&W, x)
		}},
		"ridge":   {penalised(0.1, false), penalised(1e-8, false)},
		"cut-off": {cut(1e-5, 0), cut(1e-4, 0), cut(1e-3, 0), cut(0, 0.01), cut(0, 1e-3)},
		"bias-off": {func(X, T *mat.Dense, x []float64) []float64 { // of the first point alone
			y := Predict(X, T, x)
			floats.Sub(y, Predict(X, T, X.RawRowView(0)))
			floats.Add(y, T.RawRowView(0))
			return y
		}},
		"interpolates": {inverseDistance},
		"not-linear": {
			after(func(y []float64) {
				for i, v := range y {
					y[i] = math.Abs(v)
				}
			}),
			after(func(y []float64) { // their squares overflow
				for i, v := range y {
					y[i] = math.Copysign(math.MaxFloat64, v)
				}
			}),
		},
		"elsewhere":         {instead(func(_, _ *mat.Dense, x []float64) bool { return floats.Norm(x, 2) == 0 })},
		"sum":               {aSlopeMore},
		"constraint":        {aSlopeMore},
		"not-least-squares": {aSlopeMore, descent, instead(func(_, T *mat.Dense, _ []float64) bool { return T.RawMatrix().Cols == 1 })},
		"transposed":        {func(X, _ *mat.Dense, _ []float64) []float64 { return make([]float64, X.RawMatrix().Rows) }},
		"weights-returned":  {func(_, _ *mat.Dense, x []float64) []float64 { return make([]float64, len(x)+1) }},
		"wrong-length":      {func(_, T *mat.Dense, _ []float64) []float64 { return make([]float64, len(T.RawMatrix().Data)) }},
		"singular": {
			instead(func(X, _ *mat.Dense, _ []float64) bool { return X.RawMatrix().Rows < X.RawMatrix().Cols+1 }),
			instead(func(X, _ *mat.Dense, _ []float64) bool { return mat.Norm(X.ColView(X.RawMatrix().Cols-1), 2) == 0 }),
		},
		"sum-forced": {after(func(y []float64) { // by the first entry
			y[0] += 1 - floats.Sum(y)
		})},
	})
	for name, such := range map[string]predictor{
		"as many points as weights": instead(func(X, _ *mat.Dense, _ []float64) bool { return X.RawMatrix().Rows == X.RawMatrix().Cols+1 }),
		"a class without points": instead(func(_, T *mat.Dense, _ []float64) bool {
			return mat.Norm(T.ColView(1), 2) == 0 && T.RawMatrix().Rows > 1
		}),
	} {
		t.Run(name, func(t *testing.T) {
			if r := ex02.Check(such); r.Passed() || !strings.Contains(r.Parts[1].Message, name) {
				t.Errorf("want %q refused in part 2:\n%s", name, r)
			}
		})
	}
}

// TestMessages: what is said is true of the answer.
func TestMessages(t *testing.T) {
	for name, tc := range map[string]struct {
		answer predictor
		never  string
	}{
		"the last entry makes the sum 1": {func(X, T *mat.Dense, x []float64) []float64 {
			y := Predict(X, T, x)
			y[len(y)-1] += 1 - floats.Sum(y)
			return y
		}, "singular"},
		"cut off too early": {func(X, T *mat.Dense, x []float64) []float64 { return truncated(X, T, x, 1e-3, 0) }, "no-bias"},
		"cut off at 0.01":   {func(X, T *mat.Dense, x []float64) []float64 { return truncated(X, T, x, 0, 0.01) }, "singular"},
		"a penalty":         {func(X, T *mat.Dense, x []float64) []float64 { return ridge(X, T, x, 1e-7, true) }, "singular"},
	} {
		t.Run(name, func(t *testing.T) {
			r := ex02.Check(tc.answer)
			for _, p := range r.Parts {
				if p.Key == tc.never {
					t.Errorf("part %q has the key %q:\n%s", p.Name, p.Key, r)
				}
			}
		})
	}
}

// TestOwnPanicInRankPart: a panic that is not gonum's stays the learner's own,
// with its place, although the part looks at panics.
func TestOwnPanicInRankPart(t *testing.T) {
	r := ex02.Check(func(X, T *mat.Dense, x []float64) []float64 {
		if n, d := X.Dims(); n < d+1 {
			panic("too few points for me")
		}
		return Predict(X, T, x)
	})
	if got := r.Parts[3]; got.Outcome != verify.Crashed || got.Key != "panic" {
		t.Errorf("got %v with key %q:\n%s", got.Outcome, got.Key, r)
	}
}

func ridge(X, T *mat.Dense, x []float64, lambda float64, bias bool) []float64 {
	B := withOnes(X)
	_, p := B.Dims()
	var gram, right, W mat.Dense
	gram.Mul(B.T(), B)
	for j := range p {
		if j > 0 || bias {
			gram.Set(j, j, gram.At(j, j)+lambda)
		}
	}
	right.Mul(B.T(), T)
	_ = W.Solve(&gram, &right)
	return apply(&W, x)
}

// truncated leaves out the singular values below a part of the largest, or below a
// fixed number.
func truncated(X, T *mat.Dense, x []float64, relative, absolute float64) []float64 {
	var svd mat.SVD
	svd.Factorize(withOnes(X), mat.SVDThin)
	values, rank := svd.Values(nil), 1
	for rank < len(values) && values[rank] > math.Max(math.Max(relative, 1e-12)*values[0], absolute) {
		rank++
	}
	var W mat.Dense
	svd.SolveTo(&W, T, rank)
	return apply(&W, x)
}

// inverseDistance is the mean of the targets weighted by 1/distance².
func inverseDistance(X, T *mat.Dense, x []float64) []float64 {
	n, k := T.Dims()
	y, total := make([]float64, k), 0.0
	for i := range n {
		d := floats.Distance(X.RawRowView(i), x, 2)
		if d == 0 {
			return T.RawRowView(i)
		}
		floats.AddScaled(y, 1/(d*d), T.RawRowView(i))
		total += 1 / (d * d)
	}
	floats.Scale(1/total, y)
	return y
}

// descent takes too few steps along the gradient.
func descent(X, T *mat.Dense, x []float64) []float64 {
	B := withOnes(X)
	_, p := B.Dims()
	_, k := T.Dims()
	W := mat.NewDense(p, k, nil)
	step := 1 / math.Pow(mat.Norm(B, 2), 2)
	for range 200 {
		var residual, gradient mat.Dense
		residual.Mul(B, W)
		residual.Sub(&residual, T)
		gradient.Mul(B.T(), &residual)
		gradient.Scale(step, &gradient)
		W.Sub(W, &gradient)
	}
	return apply(W, x)
}

func withOnes(X *mat.Dense) *mat.Dense {
	n, d := X.Dims()
	B := mat.NewDense(n, d+1, nil)
	B.Slice(0, n, 1, d+1).(*mat.Dense).Copy(X)
	for i := range n {
		B.Set(i, 0, 1)
	}
	return B
}

// apply is Wᵀ[1 x].
func apply(W *mat.Dense, x []float64) []float64 {
	var y mat.VecDense
	y.MulVec(W.T(), mat.NewVecDense(len(x)+1, append([]float64{1}, x...)))
	return y.RawVector().Data
}

// pinv is the pseudo-inverse of a.
func pinv(a mat.Matrix) *mat.Dense {
	r, _ := a.Dims()
	eye := mat.NewDense(r, r, nil)
	for i := range r {
		eye.Set(i, i, 1)
	}
	var svd mat.SVD
	svd.Factorize(a, mat.SVDThin)
	var out mat.Dense
	svd.SolveTo(&out, eye, svd.Rank(1e-12))
	return &out
}

func means(m *mat.Dense) []float64 {
	n, c := m.Dims()
	out := make([]float64, c)
	for i := range n {
		floats.AddScaled(out, 1/float64(n), m.RawRowView(i))
	}
	return out
}

// minusRow subtracts v from every row of a copy of m.
func minusRow(m *mat.Dense, v []float64) *mat.Dense {
	out := mat.DenseCopyOf(m)
	n, _ := m.Dims()
	for i := range n {
		floats.Sub(out.RawRowView(i), v)
	}
	return out
}

func pseudoNormal(X, T *mat.Dense, x []float64) []float64 {
	B := withOnes(X)
	var gram, right, W mat.Dense
	gram.Mul(B.T(), B)
	right.Mul(B.T(), T)
	W.Mul(pinv(&gram), &right)
	return apply(&W, x)
}

// centredFit returns the slopes of least squares with bias, D×K, and the means.
func centredFit(X, T *mat.Dense) (V *mat.Dense, xMean, tMean []float64) {
	xMean, tMean = means(X), means(T)
	Z := minusRow(X, xMean)
	_, d := X.Dims()
	_, k := T.Dims()
	V = mat.NewDense(d, k, nil)
	if mat.Norm(Z, 2) > 0 {
		V.Mul(pinv(Z), minusRow(T, tMean))
	}
	return V, xMean, tMean
}

func centred(X, T *mat.Dense, x []float64) []float64 {
	V, xMean, tMean := centredFit(X, T)
	var y mat.VecDense
	y.MulVec(V.T(), mat.NewVecDense(len(x), floats.SubTo(make([]float64, len(x)), x, xMean)))
	return floats.AddTo(make([]float64, len(tMean)), tMean, y.RawVector().Data)
}

// gramSchmidt makes the columns of [1 X] orthogonal one after the other, taking
// the new input along, and drops those that vanish.
func gramSchmidt(X, T *mat.Dense, x []float64) []float64 {
	B, at := withOnes(X), append([]float64{1}, x...)
	n, p := B.Dims()
	_, k := T.Dims()
	y := make([]float64, k)
	var axes [][]float64
	var values []float64
	for j := range p {
		q, v := mat.Col(nil, j, B), at[j]
		length := floats.Norm(q, 2)
		for range 2 { // twice is enough for full precision
			for i, a := range axes {
				c := floats.Dot(a, q)
				floats.AddScaled(q, -c, a)
				v -= c * values[i]
			}
		}
		rest := floats.Norm(q, 2)
		if rest <= 1e-10*length {
			continue
		}
		floats.Scale(1/rest, q)
		axes, values = append(axes, q), append(values, v/rest)
	}
	for c := range k {
		t := mat.Col(make([]float64, n), c, T)
		for i, a := range axes {
			y[c] += floats.Dot(a, t) * values[i]
		}
	}
	return y
}

// eliminated solves the normal equations by Gauss-Jordan elimination on the
// diagonal and leaves a weight at 0 where no pivot is left: a basic solution,
// not the shortest one.
func eliminated(X, T *mat.Dense, x []float64) []float64 {
	B := withOnes(X)
	n, p := B.Dims()
	scale := make([]float64, p) // columns to length 1, so that pivots compare
	for j := range p {
		q := mat.Col(nil, j, B)
		scale[j] = floats.Norm(q, 2)
		if scale[j] == 0 {
			scale[j] = 1
		}
		floats.Scale(1/scale[j], q)
		B.SetCol(j, q)
	}
	_, k := T.Dims()
	var G, R mat.Dense
	G.Mul(B.T(), B)
	R.Mul(B.T(), T)
	used := make([]bool, p)
	for range min(n, p) {
		best := -1
		for j := range p {
			if !used[j] && G.At(j, j) > 1e-11 && (best < 0 || G.At(j, j) > G.At(best, best)) {
				best = j
			}
		}
		if best < 0 {
			break
		}
		used[best] = true
		pivot := G.At(best, best)
		floats.Scale(1/pivot, G.RawRowView(best))
		floats.Scale(1/pivot, R.RawRowView(best))
		for j := range p {
			if c := G.At(j, best); j != best && c != 0 {
				floats.AddScaled(G.RawRowView(j), -c, G.RawRowView(best))
				floats.AddScaled(R.RawRowView(j), -c, R.RawRowView(best))
			}
		}
	}
	W := mat.NewDense(p, k, nil)
	for j := range p {
		if used[j] {
			for c := range k {
				W.Set(j, c, R.At(j, c)/scale[j])
			}
		}
	}
	return apply(W, x)
}

// dual never forms W: y(x) = Tᵀc with c = B(BᵀB)⁺x̃ = (BBᵀ)⁺B x̃.
func dual(X, T *mat.Dense, x []float64) []float64 {
	B := withOnes(X)
	var gram mat.Dense // N×N, of rank D+1 at most
	gram.Mul(B, B.T())
	var svd mat.SVD
	svd.Factorize(&gram, mat.SVDThin)
	n, p := B.Dims()
	values := svd.Values(nil)
	rank := 0
	for rank < min(n, p) && values[rank] > 1e-12*values[0] {
		rank++
	}
	bx := mat.NewDense(n, 1, nil)
	bx.Mul(B, mat.NewDense(p, 1, append([]float64{1}, x...)))
	var c, y mat.Dense
	svd.SolveTo(&c, bx, rank)
	y.Mul(T.T(), &c)
	return mat.Col(nil, 0, &y)
}

func biasLast(X, T *mat.Dense, x []float64) []float64 {
	n, d := X.Dims()
	B := mat.NewDense(n, d+1, nil)
	B.Slice(0, n, 0, d).(*mat.Dense).Copy(X)
	for i := range n {
		B.Set(i, d, 1)
	}
	var W, y mat.Dense
	W.Mul(pinv(B), T)
	y.Mul(mat.NewDense(1, d+1, append(append([]float64(nil), x...), 1)), &W)
	return y.RawRowView(0)
}

// oneByOne fits each output alone.
func oneByOne(X, T *mat.Dense, x []float64) []float64 {
	_, k := T.Dims()
	y := make([]float64, k)
	for c := range y {
		t := mat.NewDense(T.RawMatrix().Rows, 1, mat.Col(nil, c, T))
		y[c] = centred(X, t, x)[0]
	}
	return y
}

func ExampleCheck() {
	mean := func(_, T *mat.Dense, _ []float64) []float64 { return means(T) }
	fmt.Println(ex02.Check(mean).Parts[1].Key)
	// Output: mean
}

/*
Equivalent mutants

Predict: ones := mat.NewDense(n, d+1, nil) → ones := mat.NewDense(n, d+2, nil)
    The column too many is all zeros. It adds no direction to the columns of [1 X], so the fit is the same; the pseudo-inverse gives it
    the weight 0, and no entry of x meets it.
*/
