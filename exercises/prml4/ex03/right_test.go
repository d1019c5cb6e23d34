package ex03_test

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/hyperplane-notebooks/hyperplane/exercises/internal/gate"
	"github.com/hyperplane-notebooks/hyperplane/exercises/prml4/ex03"
)

type (
	predictor = func(X, T *mat.Dense, x []float64) []float64
	finder    = func(T *mat.Dense) (*mat.Dense, []float64)
)

func TestRight(t *testing.T) {
	for _, tc := range []struct {
		name        string
		predict     predictor
		constraints finder
	}{
		{"reference", Predict, Constraints},
		{"centred, eigenvectors of the covariance", centred, byEigenvectors},
		{"pseudo-inverse of the normal equations, null space of [T 1]", pseudoNormal, byExtension},
		{"one output at a time, Gram-Schmidt", oneByOne, byGramSchmidt},
		{"reference, rows scaled, mixed and turned", Predict, func(T *mat.Dense) (*mat.Dense, []float64) {
			A, b := Constraints(T)
			if A == nil {
				return nil, nil
			}
			for i := range b {
				if i > 0 {
					floats.Add(A.RawRowView(i), A.RawRowView(i-1))
					b[i] += b[i-1]
				}
			}
			A.Scale(-1e3, A)
			floats.Scale(-1e3, b)
			return A, b
		}},
		{"an empty matrix for none", Predict, func(T *mat.Dense) (*mat.Dense, []float64) {
			A, b := Constraints(T)
			if A == nil {
				return &mat.Dense{}, []float64{}
			}
			return A, b
		}},
	} {
		t.Run(tc.name, func(t *testing.T) { gate.Right(t, ex03.Check(tc.predict, tc.constraints)) })
	}
}

func means(m *mat.Dense) []float64 {
	n, c := m.Dims()
	out := make([]float64, c)
	for i := range n {
		floats.AddScaled(out, 1/float64(n), m.RawRowView(i))
	}
	return out
}

// minus subtracts v from every row of a copy.
func minus(m *mat.Dense, v []float64) *mat.Dense {
	out := mat.DenseCopyOf(m)
	n, _ := m.Dims()
	for i := range n {
		floats.Sub(out.RawRowView(i), v)
	}
	return out
}

// solve is the shortest least-squares solution of a·W = b.
func solve(a, b mat.Matrix) *mat.Dense {
	var svd mat.SVD
	svd.Factorize(a, mat.SVDThin)
	_, c := a.Dims()
	_, k := b.Dims()
	W := mat.NewDense(c, k, nil)
	if svd.Values(nil)[0] > 0 {
		svd.SolveTo(W, b, svd.Rank(1e-12))
	}
	return W
}

func times(x []float64, W *mat.Dense) []float64 {
	var y mat.Dense
	y.Mul(mat.NewDense(1, len(x), append([]float64(nil), x...)), W)
	return y.RawRowView(0)
}

func centred(X, T *mat.Dense, x []float64) []float64 {
	V := solve(minus(X, means(X)), minus(T, means(T)))
	y := times(floats.SubTo(make([]float64, len(x)), x, means(X)), V)
	floats.Add(y, means(T))
	return y
}

func withOnes(X *mat.Dense) *mat.Dense {
	n, d := X.Dims()
	B := mat.NewDense(n, d+1, nil)
	for i := range n {
		B.SetRow(i, append([]float64{1}, X.RawRowView(i)...))
	}
	return B
}

func pseudoNormal(X, T *mat.Dense, x []float64) []float64 {
	B := withOnes(X)
	var gram, right mat.Dense
	gram.Mul(B.T(), B)
	right.Mul(B.T(), T)
	return times(append([]float64{1}, x...), solve(&gram, &right))
}

func oneByOne(X, T *mat.Dense, x []float64) []float64 {
	n, k := T.Dims()
	y := make([]float64, k)
	for c := range y {
		y[c] = Predict(X, mat.NewDense(n, 1, mat.Col(nil, c, T)), x)[0]
	}
	return y
}

func byEigenvectors(T *mat.Dense) (A *mat.Dense, b []float64) {
	_, k := T.Dims()
	var cov mat.SymDense
	cov.SymOuterK(1, minus(T, means(T)).T())
	var e mat.EigenSym
	e.Factorize(&cov, true)
	var v mat.Dense
	e.VectorsTo(&v)
	var rows []float64
	for i, lambda := range e.Values(nil) { // rising
		if lambda <= 1e-12*math.Pow(mat.Norm(T, 2), 2) {
			a := mat.Col(nil, i, &v)
			rows = append(rows, a...)
			b = append(b, -floats.Dot(a, means(T)))
		}
	}
	if b == nil {
		return nil, nil
	}
	return mat.NewDense(len(b), k, rows), b
}

// byExtension looks for (a, b) with [T s]·(a, b/s) = 0, a column of one number s
// of the targets' size beside T.
func byExtension(T *mat.Dense) (A *mat.Dense, b []float64) {
	n, k := T.Dims()
	s := mat.Norm(T, 2) / math.Sqrt(float64(n))
	if s == 0 {
		s = 1
	}
	ext := mat.NewDense(n, k+1, nil)
	for i := range n {
		ext.SetRow(i, append(append([]float64(nil), T.RawRowView(i)...), s))
	}
	var svd mat.SVD
	svd.Factorize(ext, mat.SVDFullV)
	rank := svd.Rank(1e-9)
	if rank == k+1 {
		return nil, nil
	}
	var v mat.Dense
	svd.VTo(&v)
	A = mat.NewDense(k+1-rank, k, nil)
	for i := range k + 1 - rank {
		z := mat.Col(nil, rank+i, &v)
		A.SetRow(i, z[:k])
		b = append(b, s*z[k])
	}
	return A, b
}

// byGramSchmidt completes the differences t_n − t_0 to a basis by unit vectors;
// what the unit vectors add is orthogonal to all differences.
func byGramSchmidt(T *mat.Dense) (A *mat.Dense, b []float64) {
	n, k := T.Dims()
	var axes [][]float64
	add := func(v []float64, size float64) bool {
		v = append([]float64(nil), v...)
		for range 2 {
			for _, a := range axes {
				floats.AddScaled(v, -floats.Dot(a, v), a)
			}
		}
		length := floats.Norm(v, 2)
		if length <= 1e-9*size {
			return false
		}
		floats.Scale(1/length, v)
		axes = append(axes, v)
		return true
	}
	size := mat.Norm(T, 2)
	for range 2 { // the longest differences first, then the rest
		for i := range n {
			d := floats.SubTo(make([]float64, k), T.RawRowView(i), T.RawRowView(0))
			add(d, size)
		}
	}
	rank := len(axes)
	for len(axes) < k {
		best, left := 0, 0.0 // the unit vector of which most is left
		for j := range k {
			rest := 1.0
			for _, a := range axes {
				rest -= a[j] * a[j]
			}
			if rest > left {
				best, left = j, rest
			}
		}
		u := make([]float64, k)
		u[best] = 1
		add(u, 1)
	}
	if rank == k {
		return nil, nil
	}
	A = mat.NewDense(k-rank, k, nil)
	for i, a := range axes[rank:] {
		A.SetRow(i, a)
		b = append(b, -floats.Dot(a, T.RawRowView(0)))
	}
	return A, b
}
