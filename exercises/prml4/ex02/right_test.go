package ex02_test

import (
	"testing"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/hyperplane-notebooks/hyperplane/exercises/internal/gate"
	"github.com/hyperplane-notebooks/hyperplane/exercises/prml4/ex02"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/verify"
)

func TestRight(t *testing.T) {
	for _, tc := range []struct {
		name   string
		answer func(X, T *mat.Dense, x []float64) []float64
	}{
		{"reference", Predict},
		{"normal equations with a pseudo-inverse", pseudoNormal},
		{"centred inputs and targets", centred},
		{"Gram-Schmidt", gramSchmidt},
		{"pivoted elimination of the normal equations", eliminated},
		{"dual: weights of the targets", dual},
		{"bias last", biasLast},
		{"one output at a time", oneByOne},
	} {
		t.Run(tc.name, func(t *testing.T) { gate.Right(t, ex02.Check(tc.answer)) })
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
