package ex06_test

import (
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
)

// Newton returns the M weights v that minimise
//
//	Σ_t E_t + ½ Σ_j penalty_j v_j²,   E_t the cross-entropy of σ(offset_t + φ_tᵀv),
//
// where φ_t is row t of phi (N×M); r has N targets, 0 or 1; offset has N entries, nil
// means zeros. Newton is given to you.
//
//hyperplane:given
func Newton(phi *mat.Dense, r, penalty, offset []float64) []float64 {
	n, m := phi.Dims()
	value := func(v []float64) (e float64, a []float64) {
		a = make([]float64, n)
		for t := range a {
			a[t] = floats.Dot(phi.RawRowView(t), v)
			if offset != nil {
				a[t] += offset[t]
			}
			e += math.Max(a[t], 0) - r[t]*a[t] + math.Log1p(math.Exp(-math.Abs(a[t])))
		}
		for j := range v {
			e += penalty[j] * v[j] * v[j] / 2
		}
		return e, a
	}
	v := make([]float64, m)
	for range 100 {
		e, a := value(v)
		g, h := make([]float64, m), mat.NewSymDense(m, nil)
		for t := range n {
			y := 1 / (1 + math.Exp(-a[t]))
			floats.AddScaled(g, y-r[t], phi.RawRowView(t))
			h.SymRankOne(h, y*(1-y), phi.RowView(t))
		}
		for j := range m {
			g[j] += penalty[j] * v[j]
			h.SetSym(j, j, h.At(j, j)+penalty[j]+1e-12)
		}
		var step mat.VecDense
		var c mat.Cholesky
		if floats.Norm(g, 2) < 1e-9*float64(n) || !c.Factorize(h) || c.SolveVecTo(&step, mat.NewVecDense(m, g)) != nil {
			break
		}
		lower := false
		for s := 1.0; s > 1e-6 && !lower; s /= 2 {
			next := floats.AddScaledTo(make([]float64, m), v, -s, step.RawVector().Data)
			if f, _ := value(next); f < e {
				v, lower = next, true
			}
		}
		if !lower { // the sum is as low as rounding permits
			break
		}
	}
	return v
}

// FitRegularised learns the discriminant g(x) = xᵀWx + wᵀx + w0 of two classes. It
// returns the minimum, over all D×D matrices W, all w and w0, of
//
//	E + ½ λ Σ_jl W_jl²,
//
// where E is the cross-entropy of σ(g), summed over all points. Only the quadratic
// terms are penalised; λ > 0, and no plane separates the classes (otherwise no
// minimum exists).
//
// X is N×D, one input per row; r has N targets, 0 or 1. W is D×D, w has D entries.
// X and r stay unchanged.
func FitRegularised(X *mat.Dense, r []float64, lambda float64) (W *mat.Dense, w []float64, w0 float64) {
	n, d := X.Dims()
	phi, penalty := mat.NewDense(n, 1+d+d*d, nil), make([]float64, 1+d+d*d)
	for t := range n {
		x := X.RawRowView(t)
		row := append([]float64{1}, x...)
		for j := range d {
			for l := range d {
				row = append(row, x[j]*x[l])
			}
		}
		phi.SetRow(t, row)
	}
	for j := range d * d {
		penalty[1+d+j] = lambda
	}
	v := Newton(phi, r, penalty, nil)
	return mat.NewDense(d, d, v[1+d:]), v[1 : 1+d], v[0]
}

// ChooseLambda returns the λ of the grid with which FitRegularised predicts unseen
// points best, measured by the cross-entropy and estimated from this sample. Each
// point is left out at least once (or random parts are left out repeatedly) and
// predicted by a fit to the others. The grid has at least two values, all positive,
// in any order. The same sample and grid give the same λ on each call. X, r and
// grid stay unchanged.
func ChooseLambda(X *mat.Dense, r []float64, grid []float64) float64 {
	const folds = 6
	n, d := X.Dims()
	losses := make([]float64, len(grid))
	for g, lambda := range grid {
		for fold := range folds {
			var x, rest []float64 // training inputs and targets
			for t := range n {
				if t%folds != fold {
					x, rest = append(x, X.RawRowView(t)...), append(rest, r[t])
				}
			}
			W, w, w0 := FitRegularised(mat.NewDense(len(rest), d, x), rest, lambda)
			for t := fold; t < n; t += folds {
				v := mat.NewVecDense(d, X.RawRowView(t))
				a := mat.Inner(v, W, v) + floats.Dot(w, X.RawRowView(t)) + w0
				losses[g] += math.Max(a, 0) - r[t]*a + math.Log1p(math.Exp(-math.Abs(a)))
			}
		}
	}
	return grid[floats.MinIdx(losses)]
}

// FitLowRank replaces the W of FitRegularised by the nearest matrix of the given
// rank, 0 ≤ rank ≤ D. The nearest matrix keeps the eigenvalues with the largest
// absolute values, with their eigenvectors. FitLowRank then fits w and w0 again,
// without a penalty, with this W held fixed. X and r stay unchanged.
func FitLowRank(X *mat.Dense, r []float64, lambda float64, rank int) (W *mat.Dense, w []float64, w0 float64) {
	full, _, _ := FitRegularised(X, r, lambda)
	n, d := X.Dims()
	sym := mat.NewSymDense(d, nil)
	for j := range d {
		for l := j; l < d; l++ {
			sym.SetSym(j, l, (full.At(j, l)+full.At(l, j))/2)
		}
	}
	var e mat.EigenSym
	var u mat.Dense
	if !e.Factorize(sym, true) {
		panic("cannot compute the eigenvalues")
	}
	e.VectorsTo(&u)
	values, size, order := e.Values(nil), make([]float64, d), make([]int, d)
	for j, v := range values {
		size[j] = -math.Abs(v)
	}
	floats.Argsort(size, order) // the largest absolute value first
	W = mat.NewDense(d, d, nil)
	for _, j := range order[:rank] {
		W.RankOne(W, values[j], u.ColView(j), u.ColView(j))
	}

	phi, offset := mat.NewDense(n, 1+d, nil), make([]float64, n)
	for t := range n {
		x := mat.NewVecDense(d, X.RawRowView(t))
		phi.SetRow(t, append([]float64{1}, X.RawRowView(t)...))
		offset[t] = mat.Inner(x, W, x)
	}
	v := Newton(phi, r, make([]float64, 1+d), offset)
	return W, v[1:], v[0]
}
