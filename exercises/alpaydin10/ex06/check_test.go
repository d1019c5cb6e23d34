package ex06_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/hyperplane-notebooks/hyperplane/exercises/alpaydin10/ex06"
	"github.com/hyperplane-notebooks/hyperplane/exercises/internal/gate"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/verify"
)

type (
	fitFunc    = func(X *mat.Dense, r []float64, lambda float64) (W *mat.Dense, w []float64, w0 float64)
	chooseFunc = func(X *mat.Dense, r []float64, grid []float64) float64
	rankFunc   = func(X *mat.Dense, r []float64, lambda float64, rank int) (W *mat.Dense, w []float64, w0 float64)
)

func checkFit(f fitFunc) *verify.Report       { return ex06.Check(f, ChooseLambda, FitLowRank) }
func checkChoice(f chooseFunc) *verify.Report { return ex06.Check(FitRegularised, f, FitLowRank) }
func checkRank(f rankFunc) *verify.Report     { return ex06.Check(FitRegularised, ChooseLambda, f) }

func TestFunctions(t *testing.T) {
	gate.Function(t, ex06.Exercise(), checkFit, FitRegularised)
	gate.Function(t, ex06.Exercise(), checkChoice, ChooseLambda)
	gate.Function(t, ex06.Exercise(), checkRank, FitLowRank)
}

func TestRight(t *testing.T) {
	gate.Rights(t, checkFit, map[string]fitFunc{"reference": FitRegularised, "tied entries with the right weights": tied, "columns scaled by the root of the penalty": scaledColumns})
	gate.Rights(t, checkChoice, map[string]chooseFunc{
		"each point left out once": leaveOneOut, "three quarters at random, eight times": holdOut,
		"five blocks": func(X *mat.Dense, r []float64, grid []float64) float64 {
			return divided(X, r, grid, 5, func(t, n int) int { return 5 * t / n })
		},
	})
	gate.Rights(t, checkRank, map[string]rankFunc{"singular value decomposition": bySVD})
}

// divided chooses by groups of points, left out one after the other; a point of none
// is never left out.
func divided(X *mat.Dense, r []float64, grid []float64, groups int, group func(t, n int) int) float64 {
	return best(grid, func(lambda float64) (loss float64) {
		for out := range groups {
			var rows, left []int
			for t := range r {
				if group(t, len(r)) == out {
					left = append(left, t)
				} else {
					rows = append(rows, t)
				}
			}
			x, y := pick(X, r, rows)
			W, w, w0 := FitRegularised(x, y, lambda)
			x, y = pick(X, r, left)
			loss += lossOn(W, w, w0, x, y)
		}
		return loss
	})
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
	return divided(X, r, grid, len(r), func(t, _ int) int { return t })
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

// penalised is the fit with penalties on bias, w, and W on and off the diagonal, as
// functions of λ and N.
func penalised(bias, linear, diagonal, off func(lambda, n float64) float64) fitFunc {
	return func(X *mat.Dense, r []float64, lambda float64) (*mat.Dense, []float64, float64) {
		n, d := X.Dims()
		penalty := []float64{bias(lambda, float64(n))}
		for range d {
			penalty = append(penalty, linear(lambda, float64(n)))
		}
		for j := range d {
			for l := range d {
				if j == l {
					penalty = append(penalty, diagonal(lambda, float64(n)))
				} else {
					penalty = append(penalty, off(lambda, float64(n)))
				}
			}
		}
		v := Newton(features(X, always), r, penalty, nil)
		return mat.NewDense(d, d, v[1+d:]), v[1 : 1+d], v[0]
	}
}

// TestWrongFit: answers by the key that they earn.
func TestWrongFit(t *testing.T) {
	none := func(_, _ float64) float64 { return 0 }
	one := func(lambda, _ float64) float64 { return lambda }
	times := func(f func(lambda, n float64) float64) fitFunc { return penalised(none, none, f, f) }
	after := func(f func(W *mat.Dense, w []float64, w0 float64) (*mat.Dense, []float64, float64)) fitFunc {
		return func(X *mat.Dense, r []float64, lambda float64) (*mat.Dense, []float64, float64) {
			return f(FitRegularised(X, r, lambda))
		}
	}
	// some has one weight for each pair of inputs that keep names; put says where it goes.
	some := func(keep func(j, l int) bool, put func(W *mat.Dense, j, l int, v float64)) fitFunc {
		return func(X *mat.Dense, r []float64, lambda float64) (*mat.Dense, []float64, float64) {
			_, d := X.Dims()
			phi := features(X, keep)
			_, m := phi.Dims()
			penalty := make([]float64, m)
			floats.AddConst(lambda, penalty[1+d:])
			v, W := Newton(phi, r, penalty, nil), mat.NewDense(d, d, nil)
			place := 1 + d
			for j := range d {
				for l := range d {
					if keep(j, l) {
						put(W, j, l, v[place])
						place++
					}
				}
			}
			return W, v[1 : 1+d], v[0]
		}
	}
	upper := func(j, l int) bool { return j <= l }
	set := func(W *mat.Dense, j, l int, v float64) { W.Set(j, l, v) }
	kept, calls := &mat.Dense{}, 0.0
	gate.Wrongs(t, ex06.Exercise(), checkFit, map[string][]fitFunc{
		"no-penalty":            {times(func(_, _ float64) float64 { return 1e-9 })},
		"bias-penalised":        {penalised(one, none, one, one)},
		"linear-penalised":      {penalised(none, one, one, one)},
		"all-penalised":         {penalised(one, one, one, one)},
		"linear-only-penalised": {penalised(none, one, none, none)},
		"tied-penalty":          {penalised(none, none, one, func(lambda, _ float64) float64 { return lambda / 2 })},
		"factor":                {times(func(lambda, _ float64) float64 { return 2 * lambda }), times(func(lambda, _ float64) float64 { return lambda / 2 })},
		"averaged":              {times(func(lambda, n float64) float64 { return n * lambda }), times(func(lambda, n float64) float64 { return lambda / n })},
		"inverse":               {times(func(lambda, _ float64) float64 { return 1 / lambda })},
		"lambda-squared":        {times(func(lambda, _ float64) float64 { return lambda * lambda })},
		"triangle-features": {some(upper, func(W *mat.Dense, j, l int, v float64) {
			W.Set(j, l, W.At(j, l)+v/2)
			W.Set(l, j, W.At(l, j)+v/2)
		})},
		"one-triangle": {some(upper, set), some(upper, func(W *mat.Dense, j, l int, v float64) { W.Set(l, j, v) })},
		"squares-only": {some(func(j, l int) bool { return j == l }, set)},
		"bias-left-out": {func(X *mat.Dense, r []float64, lambda float64) (*mat.Dense, []float64, float64) {
			_, d := X.Dims()
			phi := features(X, always)
			n, m := phi.Dims()
			penalty := make([]float64, m-1)
			floats.AddConst(lambda, penalty[d:])
			v := Newton(mat.DenseCopyOf(phi.Slice(0, n, 1, m)), r, penalty, nil)
			return mat.NewDense(d, d, v[d:]), v[:d], 0
		}},
		"no-quadratic": {func(X *mat.Dense, r []float64, _ float64) (*mat.Dense, []float64, float64) {
			_, d := X.Dims()
			return refit(X, r, mat.NewDense(d, d, nil))
		}},
		"not-minimum": {
			penalised(none, none, one, none),
			func(X *mat.Dense, r []float64, lambda float64) (*mat.Dense, []float64, float64) { // shrunk afterwards
				W, w, w0 := FitRegularised(X, r, 1e-6)
				W.Scale(1/(1+lambda), W)
				return W, w, w0
			},
			after(func(W *mat.Dense, w []float64, w0 float64) (*mat.Dense, []float64, float64) { // not symmetric, the same discriminant
				if d, _ := W.Dims(); d > 1 {
					W.Set(0, 1, W.At(0, 1)+0.1)
					W.Set(1, 0, W.At(1, 0)-0.1)
				}
				return W, w, w0
			}),
			func(X *mat.Dense, _ []float64, _ float64) (*mat.Dense, []float64, float64) {
				_, d := X.Dims()
				return mat.NewDense(d, d, nil), make([]float64, d), 0
			},
			func(X *mat.Dense, r []float64, lambda float64) (*mat.Dense, []float64, float64) { // of more than three inputs the products of three
				if _, d := X.Dims(); d <= 3 {
					return FitRegularised(X, r, lambda)
				}
				return some(func(j, l int) bool { return j < 3 && l < 3 }, set)(X, r, lambda)
			},
		},
		"no-effect": {times(func(_, _ float64) float64 { return 0.7 }), times(func(lambda, _ float64) float64 { return 1 / lambda })},
		"no-gain": {func(X *mat.Dense, r []float64, lambda float64) (*mat.Dense, []float64, float64) {
			W, w, w0 := FitRegularised(X, r, lambda)
			return W, w, w0 + 3*lambda
		}},
		"wrong-length": {after(func(W *mat.Dense, w []float64, w0 float64) (*mat.Dense, []float64, float64) {
			return W, append([]float64{w0}, w...), w0
		})},
		"wrong-shape": {after(func(_ *mat.Dense, w []float64, w0 float64) (*mat.Dense, []float64, float64) {
			return mat.NewDense(7, 1, nil), w, w0
		})},
		"not-new": {after(func(W *mat.Dense, w []float64, w0 float64) (*mat.Dense, []float64, float64) {
			kept.CloneFrom(W)
			return kept, w, w0
		})},
		"not-constant": {after(func(W *mat.Dense, w []float64, w0 float64) (*mat.Dense, []float64, float64) {
			calls++
			return W, w, w0 + calls
		})},
	})
}

// logLoss is −log of the probability given to the class r by the score q + l + w0.
func logLoss(q, l, w0, r float64) float64 {
	a := q + l + w0
	return math.Max(a, 0) - r*a + math.Log1p(math.Exp(-math.Abs(a)))
}

// leftOut chooses by another loss of the points left out, of which q is the
// quadratic and l the linear term, with fits for another λ.
func leftOut(factor float64, loss func(q, l, w0, r float64) float64) chooseFunc {
	return func(X *mat.Dense, r []float64, grid []float64) float64 {
		return best(grid, func(lambda float64) (sum float64) {
			for fold := range 6 {
				var rows, left []int
				for t := range r {
					if t%6 == fold {
						left = append(left, t)
					} else {
						rows = append(rows, t)
					}
				}
				x, y := pick(X, r, rows)
				W, w, w0 := FitRegularised(x, y, factor*lambda)
				for _, t := range left {
					v := mat.NewVecDense(len(w), X.RawRowView(t))
					sum += loss(mat.Inner(v, W, v), floats.Dot(w, X.RawRowView(t)), w0, r[t])
				}
			}
			return sum
		})
	}
}

// TestWrongChoice: answers by the key that they earn.
func TestWrongChoice(t *testing.T) {
	onSample := func(price func(lambda float64, W *mat.Dense) float64) chooseFunc { // nothing is left out
		return func(X *mat.Dense, r []float64, grid []float64) float64 {
			return best(grid, func(lambda float64) float64 {
				W, w, w0 := FitRegularised(X, r, lambda)
				return lossOn(W, w, w0, X, r) + price(lambda, W)
			})
		}
	}
	// on replaces the log loss by a function of the score a and the target.
	on := func(f func(a, r float64) float64) chooseFunc {
		return leftOut(1, func(q, l, w0, r float64) float64 { return f(q+l+w0, r) })
	}
	hinge := func(a, r float64) float64 { return math.Max(a, 0) - r*a }
	single := func(held func(t, n int) bool) chooseFunc { // one part of the points is held out, once
		return func(X *mat.Dense, r []float64, grid []float64) float64 {
			return divided(X, r, grid, 1, func(t, n int) int {
				if held(t, n) {
					return 0
				}
				return 1
			})
		}
	}
	calls := 0
	gate.Wrongs(t, ex06.Exercise(), checkChoice, map[string][]chooseFunc{
		"training-loss": {
			onSample(func(float64, *mat.Dense) float64 { return 0 }),
			onSample(func(lambda float64, W *mat.Dense) float64 { return lambda / 2 * math.Pow(mat.Norm(W, 2), 2) }),
		},
		"always-largest":  {func(_ *mat.Dense, _ []float64, grid []float64) float64 { return floats.Max(grid) }},
		"always-the-same": {func(_ *mat.Dense, _ []float64, grid []float64) float64 { return grid[0] }},
		"too-small": {func(_ *mat.Dense, r []float64, grid []float64) float64 {
			if len(r) < 60 {
				return floats.Min(grid)
			}
			return floats.Max(grid)
		}},
		"too-large": {func(_ *mat.Dense, r []float64, grid []float64) float64 {
			if len(r) < 60 {
				return grid[3%len(grid)]
			}
			return floats.Max(grid)
		}},
		"order": {
			func(X *mat.Dense, r []float64, grid []float64) float64 { return ChooseLambda(X, r, grid[1:]) },
			func(X *mat.Dense, r []float64, grid []float64) float64 { return ChooseLambda(X, r, grid[:len(grid)-1]) },
		},
		"units": {onSample(func(lambda float64, W *mat.Dense) float64 { // a price that is made up
			d, _ := W.Dims()
			return float64(d*(d+1)/2) / (1 + lambda)
		})},
		"left-out-loss": {
			leftOut(0.5, logLoss), leftOut(2, logLoss),
			on(func(a, r float64) float64 { return logLoss(2*a, 0, 0, r) }),
			on(func(a, r float64) float64 { return logLoss(a/2, 0, 0, r) }),
			leftOut(1, func(q, l, w0, r float64) float64 { return logLoss(q, -l, w0, r) }),
			leftOut(1, func(q, l, w0, r float64) float64 { return logLoss(q, l, -w0, r) }),
			on(func(a, r float64) float64 { return math.Round(1 / (1 + math.Exp(-a*(1-2*r)))) }), // errors counted
			on(hinge),
			on(func(a, r float64) float64 { return hinge(a, r) + math.Exp(-math.Abs(a)) }),
			on(func(a, r float64) float64 { return hinge(a, r) + math.Log1p(math.Exp(-math.Abs(a)/2)) }),
			on(func(a, r float64) float64 { return hinge(a, r) + math.Log1p(math.Exp(-2*math.Abs(a))) }),
			single(func(t, n int) bool { return 10*t >= 7*n }), single(func(t, n int) bool { return 2*t >= n }), single(func(t, _ int) bool { return t%3 == 2 }),
		},
		"index":       {func(*mat.Dense, []float64, []float64) float64 { return 4 }},
		"not-in-grid": {func(*mat.Dense, []float64, []float64) float64 { return 7.5 }},
		"mutates-inputs": {func(_ *mat.Dense, _ []float64, grid []float64) float64 {
			grid[0], grid[1] = grid[1], grid[0]
			return grid[0]
		}},
		"not-constant": {func(_ *mat.Dense, _ []float64, grid []float64) float64 { calls++; return grid[calls%len(grid)] }},
	})
	// A constant choice is not said to have a wrong loss of the points left out.
	for _, f := range []chooseFunc{
		func(_ *mat.Dense, _ []float64, grid []float64) float64 { return floats.Min(grid) },
		func(_ *mat.Dense, _ []float64, grid []float64) float64 { return floats.Max(grid) },
		func(_ *mat.Dense, _ []float64, grid []float64) float64 { return grid[0] },
		func(_ *mat.Dense, _ []float64, grid []float64) float64 { return grid[len(grid)-1] },
	} {
		for _, p := range checkChoice(f).Parts {
			if p.Key == "left-out-loss" {
				t.Errorf("a constant choice is told: %s", p.Message)
			}
		}
	}
}

// TestWrongRank: answers by the key that they earn.
func TestWrongRank(t *testing.T) {
	// truncated fits, cuts W, and learns the rest anew.
	truncated := func(cut func(W *mat.Dense, rank int) *mat.Dense) rankFunc {
		return func(X *mat.Dense, r []float64, lambda float64, rank int) (*mat.Dense, []float64, float64) {
			W, _, _ := FitRegularised(X, r, lambda)
			return refit(X, r, cut(W, rank))
		}
	}
	// eigen keeps the eigenvalues with these places in rising order.
	eigen := func(keep func(d, rank int) (from, to int)) rankFunc {
		return truncated(func(W *mat.Dense, rank int) *mat.Dense {
			d, _ := W.Dims()
			var e mat.EigenSym
			e.Factorize(mat.NewSymDense(d, W.RawMatrix().Data), true)
			var u mat.Dense
			e.VectorsTo(&u)
			out := mat.NewDense(d, d, nil)
			from, to := keep(d, rank)
			for j := from; j < to; j++ {
				out.RankOne(out, e.Values(nil)[j], u.ColView(j), u.ColView(j))
			}
			return out
		})
	}
	gate.Wrongs(t, ex06.Exercise(), checkRank, map[string][]rankFunc{
		"not-truncated": {truncated(func(W *mat.Dense, _ int) *mat.Dense { return W })},
		"rows-truncated": {truncated(func(W *mat.Dense, rank int) *mat.Dense {
			d, _ := W.Dims()
			for j := rank; j < d; j++ {
				clear(W.RawRowView(j))
			}
			return W
		}), truncated(func(W *mat.Dense, rank int) *mat.Dense {
			W.Apply(func(j, l int, v float64) float64 {
				if j < rank && l < rank {
					return v
				}
				return 0
			}, W)
			return W
		})},
		"signed-order":  {eigen(func(d, rank int) (int, int) { return d - rank, d })},
		"smallest-kept": {eigen(func(_, rank int) (int, int) { return 0, rank })},
		"rank-too-high": {truncated(func(W *mat.Dense, rank int) *mat.Dense {
			d, _ := W.Dims()
			for j := range min(d, rank+1) {
				for l := range d {
					if l != j {
						W.Set(j, l, 0)
						W.Set(l, j, 0)
					}
				}
			}
			return W
		}), func(X *mat.Dense, r []float64, lambda float64, rank int) (*mat.Dense, []float64, float64) {
			W, w, w0 := FitLowRank(X, r, lambda, rank)
			W.Set(0, 0, math.MaxFloat64)
			return W, w, w0
		}},
		"not-nearest": {truncated(func(W *mat.Dense, rank int) *mat.Dense {
			d, _ := W.Dims()
			out := mat.NewDense(d, d, nil)
			for j := range rank {
				out.Set(j, j, 1)
			}
			return out
		})},
		"not-refitted": {func(X *mat.Dense, r []float64, lambda float64, rank int) (*mat.Dense, []float64, float64) {
			_, w, w0 := FitRegularised(X, r, lambda)
			W, _, _ := FitLowRank(X, r, lambda, rank)
			return W, w, w0
		}},
		"not-best": {func(X *mat.Dense, r []float64, lambda float64, rank int) (*mat.Dense, []float64, float64) {
			W, w, _ := FitLowRank(X, r, lambda, rank)
			return W, make([]float64, len(w)), 0
		}},
		"empty": {func(*mat.Dense, []float64, float64, int) (*mat.Dense, []float64, float64) { return nil, nil, 0 }, func(X *mat.Dense, r []float64, lambda float64, rank int) (*mat.Dense, []float64, float64) { // nil for rank 0
			W, w, w0 := FitLowRank(X, r, lambda, rank)
			if rank == 0 {
				W = nil
			}
			return W, w, w0
		}},
		"mutates-inputs": {func(X *mat.Dense, r []float64, lambda float64, rank int) (*mat.Dense, []float64, float64) {
			W, w, w0 := FitLowRank(X, r, lambda, rank)
			r[0] = 1 - r[0]
			return W, w, w0
		}},
		"signs-lost": {func(X *mat.Dense, r []float64, lambda float64, rank int) (*mat.Dense, []float64, float64) { // U S Uᵀ
			full, _, _ := FitRegularised(X, r, lambda)
			var svd mat.SVD
			svd.Factorize(full, mat.SVDFull)
			s := svd.Values(nil)
			clear(s[rank:])
			var u, W mat.Dense
			svd.UTo(&u)
			W.Product(&u, mat.NewDiagDense(len(s), s), u.T())
			return refit(X, r, &W)
		}},
	})
}

func ExampleCheck() {
	training := func(_ *mat.Dense, _ []float64, grid []float64) float64 { return floats.Min(grid) }
	fmt.Println(ex06.Check(FitRegularised, training, FitLowRank).Parts[4].Key)
	// Output: training-loss
}

// The penalty does not reach w and w0: on a sample that a line separates, with or
// without points on it, the objective falls for ever along w with W = 0, and there is
// no minimum; on one that no line separates the gradient vanishes at the fit.
func TestPenalisedMinimumExists(t *testing.T) {
	X := mat.NewDense(6, 2, []float64{-2, 1, -1, -1, -0.5, 0.5, 0.5, -0.5, 1, 1, 2, -1})
	along := func(r []float64, c float64) float64 { // W = 0, w = (c, 0), w0 = 0
		e := 0.0
		for n := range r {
			e += math.Log1p(math.Exp(-c * (2*r[n] - 1) * X.At(n, 0)))
		}
		return e
	}
	separated := []float64{0, 0, 0, 1, 1, 1}
	last := along(separated, 0)
	for c := 1.0; c <= 1024; c *= 2 {
		if e := along(separated, c); e < last {
			last = e
		} else {
			t.Errorf("at w = (%g, 0) the objective is %g, not below %g", c, e, last)
		}
	}
	if last > 1e-100 {
		t.Errorf("far out the objective is %g, want next to nothing", last)
	}

	overlapping, lambda := []float64{1, 0, 1, 0, 1, 0}, 0.5
	W, w, w0 := FitRegularised(X, overlapping, lambda)
	var gradW mat.Dense
	gradW.Scale(lambda, W)
	gradW0, gradw := 0.0, make([]float64, 2)
	for n := range overlapping {
		x := mat.NewVecDense(2, X.RawRowView(n))
		off := 1/(1+math.Exp(-mat.Inner(x, W, x)-floats.Dot(w, X.RawRowView(n))-w0)) - overlapping[n]
		gradW.RankOne(&gradW, off, x, x)
		floats.AddScaled(gradw, off, X.RawRowView(n))
		gradW0 += off
	}
	if g := mat.Norm(&gradW, 2) + floats.Norm(gradw, 2) + math.Abs(gradW0); g > 1e-7 {
		t.Errorf("at the fit the gradient is %g", g)
	}
}

/*
Equivalent mutants

FitRegularised: phi, penalty := mat.NewDense(n, 1+d+d*d, nil), make([]float64, 1+d+d*d) → phi, penalty := mat.NewDense(n, 1+d+d*d, nil), make([]float64, 2+d+d*d)
FitLowRank: v := Newton(phi, r, make([]float64, 1+d), offset) → v := Newton(phi, r, make([]float64, 2+d), offset)
    Newton reads a penalty for every column of phi, and no further: the last entry is never looked at.

ChooseLambda: const folds = 6 → const folds = 7
ChooseLambda: const folds = 6 → const folds = 5
    The statement leaves the division open; seven groups or five are as good as six.

ChooseLambda: for fold := range folds → for fold := 1; fold < folds; fold++
ChooseLambda: for fold := range folds → for fold := range folds-1
    One group in six is never left out, for any λ: a repeated hold-out of the five others, in which every point that is judged has not been seen. The statement allows it.

ChooseLambda: for t := range n → for t := 1; t < n; t++
ChooseLambda: for t := range n → for t := range n-1
    One point is never learned from, and judged like the others, for every λ alike. All points judged are points not seen.

ChooseLambda: a := mat.Inner(v, W, v) + floats.Dot(w, X.RawRowView(t)) + w0 → a := mat.Inner(v, W.T(), v) + floats.Dot(w, X.RawRowView(t)) + w0
FitLowRank: offset[t] = mat.Inner(x, W, x) → offset[t] = mat.Inner(x, W.T(), x)
    xᵀWᵀx = xᵀWx, a number being its own transpose.

ChooseLambda: losses[g] += math.Max(a, 0) - r[t]*a + math.Log1p(math.Exp(-math.Abs(a))) → losses[g] += 2*(math.Max(a, 0) - r[t]*a + math.Log1p(math.Exp(-math.Abs(a))))
ChooseLambda: losses[g] += math.Max(a, 0) - r[t]*a + math.Log1p(math.Exp(-math.Abs(a))) → losses[g] += (math.Max(a, 0) - r[t]*a + math.Log1p(math.Exp(-math.Abs(a))))/2
    All losses are multiplied by one number, which leaves the place of the least where it is.

FitLowRank: sym.SetSym(j, l, (full.At(j, l)+full.At(l, j))/2) → sym.SetSym(j, l, (full.At(l, j)+full.At(l, j))/2)
FitLowRank: sym.SetSym(j, l, (full.At(j, l)+full.At(l, j))/2) → sym.SetSym(j, l, (full.At(j, l)+full.At(j, l))/2)
    The W of FitRegularised is symmetric, up to the rounding of Newton's steps; the mean of both entries only tidies that.

FitLowRank: size[j] = -math.Abs(v) → size[j] = 2*(-math.Abs(v))
FitLowRank: size[j] = -math.Abs(v) → size[j] = (-math.Abs(v))/2
    The sizes are only compared with each other.
*/
