package ex06_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/hyperplane-notebooks/hyperplane/exercises/alpaydin10/ex06"
	"github.com/hyperplane-notebooks/hyperplane/exercises/internal/gate"
)

type (
	fitFunc    = func(X *mat.Dense, r []float64, lambda float64) (W *mat.Dense, w []float64, w0 float64)
	chooseFunc = func(X *mat.Dense, r []float64, grid []float64) float64
	rankFunc   = func(X *mat.Dense, r []float64, lambda float64, rank int) (W *mat.Dense, w []float64, w0 float64)
)

func TestRight(t *testing.T) {
	for _, tc := range []struct {
		name   string
		fit    fitFunc
		choose chooseFunc
		rank   rankFunc
	}{
		{"reference", FitRegularised, ChooseLambda, FitLowRank},
		{"tied entries with the right weights, one left out, singular vectors", tied, leaveOneOut, bySVD},
		{"one weight after the other, three quarters at random", byCoordinates, holdOut, FitLowRank},
		{"columns scaled by the root of the penalty", scaledColumns, ChooseLambda, deflated},
	} {
		t.Run(tc.name, func(t *testing.T) { gate.Right(t, ex06.Check(tc.fit, tc.choose, tc.rank)) })
	}
}

// features is [1 x products] with the products that keep names.
func features(X *mat.Dense, keep func(j, l int) bool) *mat.Dense {
	n, d := X.Dims()
	var rows []float64
	for t := range n {
		x := X.RawRowView(t)
		rows = append(append(rows, 1), x...)
		for j := range d {
			for l := range d {
				if keep(j, l) {
					rows = append(rows, x[j]*x[l])
				}
			}
		}
	}
	return mat.NewDense(n, len(rows)/n, rows)
}

func always(int, int) bool { return true }

// tied has one weight v for W_jl and W_lj: its product counts twice, and ½λ·2v².
func tied(X *mat.Dense, r []float64, lambda float64) (*mat.Dense, []float64, float64) {
	_, d := X.Dims()
	upper := func(j, l int) bool { return j <= l }
	phi := features(X, upper)
	n, m := phi.Dims()
	penalty := make([]float64, m)
	column := 1 + d
	for j := range d {
		for l := j; l < d; l++ {
			penalty[column] = lambda
			if l > j {
				penalty[column] = 2 * lambda
				for t := range n {
					phi.Set(t, column, 2*phi.At(t, column))
				}
			}
			column++
		}
	}
	v := Newton(phi, r, penalty, nil)
	W := mat.NewDense(d, d, nil)
	column = 1 + d
	for j := range d {
		for l := j; l < d; l++ {
			W.Set(j, l, v[column])
			W.Set(l, j, v[column])
			column++
		}
	}
	return W, v[1 : 1+d], v[0]
}

// byCoordinates moves one weight at a time, by a Newton step of its own.
func byCoordinates(X *mat.Dense, r []float64, lambda float64) (*mat.Dense, []float64, float64) {
	_, d := X.Dims()
	phi := features(X, always)
	n, m := phi.Dims()
	v, a := make([]float64, m), make([]float64, n)
	for range 2000 {
		largest := 0.0
		for j := range m {
			g, h := 0.0, 1e-12
			if j > d {
				g, h = lambda*v[j], lambda
			}
			for t := range n {
				y := 1 / (1 + math.Exp(-a[t]))
				g += (y - r[t]) * phi.At(t, j)
				h += y * (1 - y) * phi.At(t, j) * phi.At(t, j)
			}
			largest = math.Max(largest, math.Abs(g))
			v[j] -= g / h
			for t := range n {
				a[t] -= g / h * phi.At(t, j)
			}
		}
		if largest < 1e-6 {
			break
		}
	}
	return mat.NewDense(d, d, v[1+d:]), v[1 : 1+d], v[0]
}

// scaledColumns turns the penalty λ into 1 by other units of the products.
func scaledColumns(X *mat.Dense, r []float64, lambda float64) (*mat.Dense, []float64, float64) {
	_, d := X.Dims()
	phi := features(X, always)
	_, m := phi.Dims()
	penalty := make([]float64, m)
	phi.Apply(func(_, j int, v float64) float64 {
		if j > d {
			penalty[j] = 1
			return v / math.Sqrt(lambda)
		}
		return v
	}, phi)
	v := Newton(phi, r, penalty, nil)
	floats.Scale(1/math.Sqrt(lambda), v[1+d:])
	return mat.NewDense(d, d, v[1+d:]), v[1 : 1+d], v[0]
}

// pick is the rows with these numbers.
func pick(X *mat.Dense, r []float64, rows []int) (*mat.Dense, []float64) {
	_, d := X.Dims()
	out, t := mat.NewDense(len(rows), d, nil), make([]float64, len(rows))
	for i, row := range rows {
		out.SetRow(i, X.RawRowView(row))
		t[i] = r[row]
	}
	return out, t
}

func lossOn(W *mat.Dense, w []float64, w0 float64, X *mat.Dense, r []float64) float64 {
	e := 0.0
	for t := range r {
		x := mat.NewVecDense(len(w), X.RawRowView(t))
		y := 1 / (1 + math.Exp(-mat.Inner(x, W, x)-floats.Dot(w, X.RawRowView(t))-w0))
		y = math.Min(1-1e-12, math.Max(1e-12, y))
		e -= r[t]*math.Log(y) + (1-r[t])*math.Log(1-y)
	}
	return e
}

// best is the value of the grid with the least score.
func best(grid []float64, score func(lambda float64) float64) float64 {
	scores := make([]float64, len(grid))
	for i, lambda := range grid {
		scores[i] = score(lambda)
	}
	return grid[floats.MinIdx(scores)]
}

func leaveOneOut(X *mat.Dense, r []float64, grid []float64) float64 {
	return best(grid, func(lambda float64) float64 {
		loss := 0.0
		for out := range r {
			var rows []int
			for t := range r {
				if t != out {
					rows = append(rows, t)
				}
			}
			x, y := pick(X, r, rows)
			W, w, w0 := FitRegularised(x, y, lambda)
			x, y = pick(X, r, []int{out})
			loss += lossOn(W, w, w0, x, y)
		}
		return loss
	})
}

func holdOut(X *mat.Dense, r []float64, grid []float64) float64 {
	return best(grid, func(lambda float64) float64 {
		loss := 0.0
		for seed := range uint64(8) {
			order := rand.New(rand.NewPCG(1, seed)).Perm(len(r))
			cut := len(r) * 3 / 4
			x, y := pick(X, r, order[:cut])
			W, w, w0 := FitRegularised(x, y, lambda)
			x, y = pick(X, r, order[cut:])
			loss += lossOn(W, w, w0, x, y)
		}
		return loss
	})
}

// refit learns w and w0 for a fixed W.
func refit(X *mat.Dense, r []float64, W *mat.Dense) (*mat.Dense, []float64, float64) {
	n, d := X.Dims()
	offset := make([]float64, n)
	for t := range n {
		x := mat.NewVecDense(d, X.RawRowView(t))
		offset[t] = mat.Inner(x, W, x)
	}
	v := Newton(features(X, func(int, int) bool { return false }), r, make([]float64, 1+d), offset)
	return W, v[1:], v[0]
}

func bySVD(X *mat.Dense, r []float64, lambda float64, rank int) (*mat.Dense, []float64, float64) {
	full, _, _ := FitRegularised(X, r, lambda)
	d, _ := full.Dims()
	var svd mat.SVD
	svd.Factorize(full, mat.SVDFull)
	s := svd.Values(nil)
	for j := rank; j < d; j++ {
		s[j] = 0
	}
	var u, v, W mat.Dense
	svd.UTo(&u)
	svd.VTo(&v)
	W.Product(&u, mat.NewDiagDense(d, s), v.T())
	return refit(X, r, &W)
}

// deflated takes away the smallest eigenvalues one after the other.
func deflated(X *mat.Dense, r []float64, lambda float64, rank int) (*mat.Dense, []float64, float64) {
	W, _, _ := FitRegularised(X, r, lambda)
	d, _ := W.Dims()
	sym := mat.NewSymDense(d, W.RawMatrix().Data)
	var e mat.EigenSym
	e.Factorize(sym, true)
	var u mat.Dense
	e.VectorsTo(&u)
	values := e.Values(nil)
	for range d - rank {
		least := -1
		for j, v := range values {
			if v != 0 && (least < 0 || math.Abs(v) < math.Abs(values[least])) {
				least = j
			}
		}
		W.RankOne(W, -values[least], u.ColView(least), u.ColView(least))
		values[least] = 0
	}
	return refit(X, r, W)
}
