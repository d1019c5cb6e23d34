package ex15_test

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/hyperplane-notebooks/hyperplane/exercises/internal/gate"
	"github.com/hyperplane-notebooks/hyperplane/exercises/prml4/ex15"
)

type (
	hessianFunc   = func(w []float64, Phi *mat.Dense) *mat.Dense
	directionFunc = func(Phi *mat.Dense) ([]float64, bool)
)

func TestRight(t *testing.T) {
	sigmoid := func(a float64) float64 { return 1 / (1 + math.Exp(-a)) }
	scaled := func(c float64) directionFunc {
		return func(Phi *mat.Dense) ([]float64, bool) {
			u, ok := NullDirection(Phi)
			floats.Scale(c, u)
			return u, ok
		}
	}
	for _, tc := range []struct {
		name      string
		hessian   hessianFunc
		direction directionFunc
	}{
		{"reference", Hessian, NullDirection},
		{"y(1−y) in three matrices, Gram's eigenvectors", weighting(func(a float64) float64 { return sigmoid(a) * (1 - sigmoid(a)) }), gramEigen},
		{"σ(a)σ(−a), elimination", weighting(func(a float64) float64 { return sigmoid(a) * sigmoid(-a) }), eliminate},
		{"hyperbolic cosine, Gram-Schmidt", weighting(func(a float64) float64 { return math.Pow(2*math.Cosh(a/2), -2) }), gramSchmidt},
		{"tangens hyperbolicus, turned and stretched", weighting(func(a float64) float64 {
			y := (1 + math.Tanh(a/2)) / 2
			return y - y*y
		}), scaled(-3e8)},
		{"roots of the weights, very short", rootWeights, scaled(1e-9)},
		{"entry by entry", entries, NullDirection},
		{"through a SymDense", symmetric, NullDirection},
	} {
		t.Run(tc.name, func(t *testing.T) { gate.Right(t, ex15.Check(tc.hessian, tc.direction)) })
	}
}

// weighting is ΦᵀRΦ as three matrices, with R_nn = r(a_n).
func weighting(r func(a float64) float64) hessianFunc {
	return func(w []float64, Phi *mat.Dense) *mat.Dense {
		n, m := Phi.Dims()
		var a mat.VecDense
		a.MulVec(Phi, mat.NewVecDense(m, w))
		diagonal := make([]float64, n)
		for i := range diagonal {
			diagonal[i] = r(a.AtVec(i))
		}
		var right, h mat.Dense
		right.Mul(mat.NewDiagDense(n, diagonal), Phi)
		h.Mul(Phi.T(), &right)
		return &h
	}
}

func rootWeights(w []float64, Phi *mat.Dense) *mat.Dense {
	half := mat.DenseCopyOf(Phi)
	n, _ := half.Dims()
	for i := range n {
		row := half.RawRowView(i)
		y := 1 / (1 + math.Exp(-floats.Dot(w, row)))
		floats.Scale(math.Sqrt(y*(1-y)), row)
	}
	var h mat.Dense
	h.Mul(half.T(), half)
	return &h
}

func entries(w []float64, Phi *mat.Dense) *mat.Dense {
	n, m := Phi.Dims()
	h := mat.NewDense(m, m, nil)
	for i := range m {
		for j := range m {
			sum := 0.0
			for k := range n {
				y := 1 / (1 + math.Exp(-floats.Dot(w, Phi.RawRowView(k))))
				sum += Phi.At(k, i) * y * (1 - y) * Phi.At(k, j)
			}
			h.Set(i, j, sum)
		}
	}
	return h
}

func symmetric(w []float64, Phi *mat.Dense) *mat.Dense {
	n, m := Phi.Dims()
	s := mat.NewSymDense(m, nil)
	for i := range n {
		row := Phi.RawRowView(i)
		y := 1 / (1 + math.Exp(-floats.Dot(w, row)))
		s.SymRankOne(s, y*(1-y), mat.NewVecDense(m, row))
	}
	return mat.DenseCopyOf(s)
}

func gramEigen(Phi *mat.Dense) ([]float64, bool) {
	_, m := Phi.Dims()
	gram := mat.NewSymDense(m, nil)
	gram.SymOuterK(1, Phi.T())
	var e mat.EigenSym
	e.Factorize(gram, true)
	values := e.Values(nil) // rising
	if values[0] > 1e-12*values[m-1] {
		return nil, false
	}
	var v mat.Dense
	e.VectorsTo(&v)
	return mat.Col(nil, 0, &v), true
}

// eliminate brings Φ to row echelon form with complete pivoting; a column
// without pivot is free, and back substitution gives u.
func eliminate(Phi *mat.Dense) ([]float64, bool) {
	a := mat.DenseCopyOf(Phi)
	n, m := a.Dims()
	s := make([]float64, m) // columns to size 1
	for j := range m {
		column := mat.Col(nil, j, a)
		if s[j] = floats.Norm(column, 2); s[j] == 0 {
			u := make([]float64, m)
			u[j] = 1
			return u, true
		}
		floats.Scale(1/s[j], column)
		a.SetCol(j, column)
	}
	order := make([]int, m)
	for j := range order {
		order[j] = j
	}
	rank := 0
	for ; rank < min(n, m); rank++ {
		pi, pj := rank, rank
		for i := rank; i < n; i++ {
			for j := rank; j < m; j++ {
				if math.Abs(a.At(i, order[j])) > math.Abs(a.At(pi, order[pj])) {
					pi, pj = i, j
				}
			}
		}
		pivot := a.At(pi, order[pj])
		if math.Abs(pivot) < 1e-10 {
			break
		}
		order[rank], order[pj] = order[pj], order[rank]
		for j := range m {
			top, low := a.At(pi, j), a.At(rank, j)
			a.Set(rank, j, top)
			a.Set(pi, j, low)
		}
		for i := rank + 1; i < n; i++ {
			floats.AddScaled(a.RawRowView(i), -a.At(i, order[rank])/pivot, a.RawRowView(rank))
		}
	}
	if rank == m {
		return nil, false
	}
	u := make([]float64, m)
	u[order[rank]] = 1
	for i := rank - 1; i >= 0; i-- {
		sum := 0.0
		for j := i + 1; j < m; j++ {
			sum += a.At(i, order[j]) * u[order[j]]
		}
		u[order[i]] = -sum / a.At(i, order[i])
	}
	floats.Div(u, s)
	return u, true
}

// gramSchmidt writes one column as a combination of those before it.
func gramSchmidt(Phi *mat.Dense) ([]float64, bool) {
	_, m := Phi.Dims()
	var axes, combos [][]float64 // axes[k] = Φ·combos[k]
	for j := range m {
		q, c := mat.Col(nil, j, Phi), make([]float64, m)
		c[j] = 1
		length := floats.Norm(q, 2)
		for range 2 {
			for k, axis := range axes {
				s := floats.Dot(axis, q)
				floats.AddScaled(q, -s, axis)
				floats.AddScaled(c, -s, combos[k])
			}
		}
		rest := floats.Norm(q, 2)
		if rest <= 1e-10*length {
			return c, true
		}
		floats.Scale(1/rest, q)
		floats.Scale(1/rest, c)
		axes, combos = append(axes, q), append(combos, c)
	}
	return nil, false
}
