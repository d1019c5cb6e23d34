package ex06_test

import (
	"fmt"
	"math"
	"testing"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/hyperplane-notebooks/hyperplane/exercises/alpaydin10/ex06"
	"github.com/hyperplane-notebooks/hyperplane/exercises/internal/gate"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/verify"
)

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

func TestWrongFit(t *testing.T) {
	none := func(_, _ float64) float64 { return 0 }
	one := func(lambda, _ float64) float64 { return lambda }
	times := func(f func(lambda, n float64) float64) fitFunc { return penalised(none, none, f, f) }
	after := func(f func(W *mat.Dense, w []float64, w0 float64) (*mat.Dense, []float64, float64)) fitFunc {
		return func(X *mat.Dense, r []float64, lambda float64) (*mat.Dense, []float64, float64) {
			return f(FitRegularised(X, r, lambda))
		}
	}
	calls := 0.0
	for _, tc := range []struct {
		name, key string
		answer    fitFunc
	}{
		{"no penalty", "no-penalty", times(func(_, _ float64) float64 { return 1e-9 })},
		{"bias penalised", "bias-penalised", penalised(one, none, one, one)},
		{"w penalised", "linear-penalised", penalised(none, one, one, one)},
		{"all penalised", "all-penalised", penalised(one, one, one, one)},
		{"only w penalised", "linear-only-penalised", penalised(none, one, none, none)},
		{"pairs penalised once", "tied-penalty", penalised(none, none, one, func(lambda, _ float64) float64 { return lambda / 2 })},
		{"no ½", "factor", times(func(lambda, _ float64) float64 { return 2 * lambda })},
		{"½ twice", "factor", times(func(lambda, _ float64) float64 { return lambda / 2 })},
		{"mean of E", "averaged", times(func(lambda, n float64) float64 { return n * lambda })},
		{"penalty over N", "averaged", times(func(lambda, n float64) float64 { return lambda / n })},
		{"1/λ", "inverse", times(func(lambda, _ float64) float64 { return 1 / lambda })},
		{"λ²", "lambda-squared", times(func(lambda, _ float64) float64 { return lambda * lambda })},
		{"diagonal only", "not-minimum", penalised(none, none, one, none)},
		{"linear discriminant", "no-quadratic", func(X *mat.Dense, r []float64, _ float64) (*mat.Dense, []float64, float64) {
			_, d := X.Dims()
			return refit(X, r, mat.NewDense(d, d, nil))
		}},
		{"shrunk afterwards", "not-minimum", func(X *mat.Dense, r []float64, lambda float64) (*mat.Dense, []float64, float64) {
			W, w, w0 := FitRegularised(X, r, 1e-6)
			W.Scale(1/(1+lambda), W)
			return W, w, w0
		}},
		{"not symmetric, the same discriminant", "not-minimum", after(func(W *mat.Dense, w []float64, w0 float64) (*mat.Dense, []float64, float64) {
			if d, _ := W.Dims(); d > 1 {
				W.Set(0, 1, W.At(0, 1)+0.1)
				W.Set(1, 0, W.At(1, 0)-0.1)
			}
			return W, w, w0
		})},
		{"zero weights", "not-minimum", func(X *mat.Dense, _ []float64, _ float64) (*mat.Dense, []float64, float64) {
			_, d := X.Dims()
			return mat.NewDense(d, d, nil), make([]float64, d), 0
		}},
		{"no effect", "no-effect", times(func(_, _ float64) float64 { return 0.7 })},
		{"inverse again", "no-effect", times(func(lambda, _ float64) float64 { return 1 / lambda })},
		{"shrinks and loses", "no-gain", func(X *mat.Dense, r []float64, lambda float64) (*mat.Dense, []float64, float64) {
			W, w, w0 := FitRegularised(X, r, lambda)
			return W, w, w0 + 3*lambda
		}},
		{"no matrix", "empty", after(func(_ *mat.Dense, w []float64, w0 float64) (*mat.Dense, []float64, float64) { return nil, w, w0 })},
		{"no weights", "empty", after(func(W *mat.Dense, _ []float64, w0 float64) (*mat.Dense, []float64, float64) { return W, nil, w0 })},
		{"bias among the weights", "wrong-length", after(func(W *mat.Dense, w []float64, w0 float64) (*mat.Dense, []float64, float64) {
			return W, append([]float64{w0}, w...), w0
		})},
		{"a column", "wrong-shape", after(func(_ *mat.Dense, w []float64, w0 float64) (*mat.Dense, []float64, float64) {
			return mat.NewDense(7, 1, nil), w, w0
		})},
		{"NaN", "not-finite", after(func(W *mat.Dense, w []float64, _ float64) (*mat.Dense, []float64, float64) { return W, w, math.NaN() })},
		{"huge", "not-minimum", after(func(W *mat.Dense, w []float64, w0 float64) (*mat.Dense, []float64, float64) {
			W.Set(0, 0, math.MaxFloat64)
			return W, w, w0
		})},
		{"changes X", "mutates-inputs", func(X *mat.Dense, r []float64, lambda float64) (*mat.Dense, []float64, float64) {
			W, w, w0 := FitRegularised(X, r, lambda)
			X.Scale(2, X)
			return W, w, w0
		}},
		{"grows", "not-constant", after(func(W *mat.Dense, w []float64, w0 float64) (*mat.Dense, []float64, float64) {
			calls++
			return W, w, w0 + calls
		})},
	} {
		t.Run(tc.name, func(t *testing.T) {
			gate.Wrong(t, ex06.Exercise(), ex06.Check(tc.answer, ChooseLambda, FitLowRank), tc.key)
		})
	}
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

func TestWrongChoice(t *testing.T) {
	constant := func(v float64) chooseFunc { return func(*mat.Dense, []float64, []float64) float64 { return v } }
	calls := 0
	for _, tc := range []struct {
		name, key string
		answer    chooseFunc
	}{
		{"by training loss", "training-loss", func(X *mat.Dense, r []float64, grid []float64) float64 {
			return best(grid, func(lambda float64) float64 {
				W, w, w0 := FitRegularised(X, r, lambda)
				return lossOn(W, w, w0, X, r)
			})
		}},
		{"by training loss with the penalty", "training-loss", func(X *mat.Dense, r []float64, grid []float64) float64 {
			return best(grid, func(lambda float64) float64 {
				W, w, w0 := FitRegularised(X, r, lambda)
				return lossOn(W, w, w0, X, r) + lambda/2*math.Pow(mat.Norm(W, 2), 2)
			})
		}},
		{"largest loss", "always-largest", func(X *mat.Dense, r []float64, grid []float64) float64 { return floats.Max(grid) }},
		{"the first", "always-the-same", func(_ *mat.Dense, _ []float64, grid []float64) float64 { return grid[0] }},
		{"by the number of points, the wrong way round", "too-small", func(_ *mat.Dense, r []float64, grid []float64) float64 {
			if len(r) < 60 {
				return floats.Min(grid)
			}
			return floats.Max(grid)
		}},
		{"large for many points", "too-large", func(_ *mat.Dense, r []float64, grid []float64) float64 {
			if len(r) < 60 {
				return 30
			}
			return floats.Max(grid)
		}},
		{"without the first of the grid", "order", func(X *mat.Dense, r []float64, grid []float64) float64 { return ChooseLambda(X, r, grid[1:]) }},
		{"without the last of the grid", "order", func(X *mat.Dense, r []float64, grid []float64) float64 {
			return ChooseLambda(X, r, grid[:len(grid)-1])
		}},
		{"half of λ", "left-out-loss", leftOut(0.5, logLoss)},
		{"twice λ", "left-out-loss", leftOut(2, logLoss)},
		{"scores doubled", "left-out-loss", leftOut(1, func(q, l, w0, r float64) float64 { return logLoss(2*q, 2*l, 2*w0, r) })},
		{"scores halved", "left-out-loss", leftOut(1, func(q, l, w0, r float64) float64 { return logLoss(q/2, l/2, w0/2, r) })},
		{"minus wᵀx", "left-out-loss", leftOut(1, func(q, l, w0, r float64) float64 { return logLoss(q, -l, w0, r) })},
		{"minus w0", "left-out-loss", leftOut(1, func(q, l, w0, r float64) float64 { return logLoss(q, l, -w0, r) })},
		{"errors counted", "left-out-loss", leftOut(1, func(q, l, w0, r float64) float64 {
			if (q+l+w0 > 0) == (r == 1) {
				return 0
			}
			return 1
		})},
		{"the scores of the errors alone", "left-out-loss", leftOut(1, func(q, l, w0, r float64) float64 {
			a := q + l + w0
			return math.Max(a, 0) - r*a
		})},
		{"no logarithm of 1 + …", "left-out-loss", leftOut(1, func(q, l, w0, r float64) float64 {
			a := q + l + w0
			return math.Max(a, 0) - r*a + math.Exp(-math.Abs(a))
		})},
		{"exponent halved", "left-out-loss", leftOut(1, func(q, l, w0, r float64) float64 {
			a := q + l + w0
			return math.Max(a, 0) - r*a + math.Log1p(math.Exp(-math.Abs(a)/2))
		})},
		{"exponent doubled", "left-out-loss", leftOut(1, func(q, l, w0, r float64) float64 {
			a := q + l + w0
			return math.Max(a, 0) - r*a + math.Log1p(math.Exp(-2*math.Abs(a)))
		})},
		{"the place", "index", func(X *mat.Dense, r []float64, grid []float64) float64 {
			return float64(4)
		}},
		{"its own value", "not-in-grid", constant(7.5)},
		{"not a number", "not-in-grid", constant(math.NaN())},
		{"sorts the grid", "mutates-inputs", func(X *mat.Dense, r []float64, grid []float64) float64 {
			grid[0], grid[1] = grid[1], grid[0]
			return grid[0]
		}},
		{"at random", "not-constant", func(_ *mat.Dense, _ []float64, grid []float64) float64 { calls++; return grid[calls%len(grid)] }},
	} {
		t.Run(tc.name, func(t *testing.T) {
			gate.Wrong(t, ex06.Exercise(), ex06.Check(FitRegularised, tc.answer, FitLowRank), tc.key)
		})
	}
}

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
	for _, tc := range []struct {
		name, key string
		answer    rankFunc
	}{
		{"full", "not-truncated", truncated(func(W *mat.Dense, _ int) *mat.Dense { return W })},
		{"first rows", "rows-truncated", truncated(func(W *mat.Dense, rank int) *mat.Dense {
			d, _ := W.Dims()
			for j := rank; j < d; j++ {
				clear(W.RawRowView(j))
			}
			return W
		})},
		{"first block", "rows-truncated", truncated(func(W *mat.Dense, rank int) *mat.Dense {
			W.Apply(func(j, l int, v float64) float64 {
				if j < rank && l < rank {
					return v
				}
				return 0
			}, W)
			return W
		})},
		{"largest with their sign", "signed-order", eigen(func(d, rank int) (int, int) { return d - rank, d })},
		{"the first ones", "smallest-kept", eigen(func(_, rank int) (int, int) { return 0, rank })},
		{"one too many", "rank-too-high", truncated(func(W *mat.Dense, rank int) *mat.Dense {
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
		})},
		{"another of that rank", "not-nearest", truncated(func(W *mat.Dense, rank int) *mat.Dense {
			d, _ := W.Dims()
			out := mat.NewDense(d, d, nil)
			for j := range rank {
				out.Set(j, j, 1)
			}
			return out
		})},
		{"w kept", "not-refitted", func(X *mat.Dense, r []float64, lambda float64, rank int) (*mat.Dense, []float64, float64) {
			_, w, w0 := FitRegularised(X, r, lambda)
			W, _, _ := FitLowRank(X, r, lambda, rank)
			return W, w, w0
		}},
		{"w zero", "not-best", func(X *mat.Dense, r []float64, lambda float64, rank int) (*mat.Dense, []float64, float64) {
			W, w, _ := FitLowRank(X, r, lambda, rank)
			return W, make([]float64, len(w)), 0
		}},
		{"nothing", "empty", func(*mat.Dense, []float64, float64, int) (*mat.Dense, []float64, float64) { return nil, nil, 0 }},
		{"NaN", "not-finite", truncated(func(W *mat.Dense, _ int) *mat.Dense { W.Scale(math.NaN(), W); return W })},
		{"huge", "rank-too-high", func(X *mat.Dense, r []float64, lambda float64, rank int) (*mat.Dense, []float64, float64) {
			W, w, w0 := FitLowRank(X, r, lambda, rank)
			W.Set(0, 0, math.MaxFloat64)
			return W, w, w0
		}},
		{"changes r", "mutates-inputs", func(X *mat.Dense, r []float64, lambda float64, rank int) (*mat.Dense, []float64, float64) {
			W, w, w0 := FitLowRank(X, r, lambda, rank)
			r[0] = 1 - r[0]
			return W, w, w0
		}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			gate.Wrong(t, ex06.Exercise(), ex06.Check(FitRegularised, ChooseLambda, tc.answer), tc.key)
		})
	}
}

func TestNoAnswer(t *testing.T) {
	todoFit := func(*mat.Dense, []float64, float64) (*mat.Dense, []float64, float64) { panic(verify.TODO) }
	todoChoose := func(*mat.Dense, []float64, []float64) float64 { panic(verify.TODO) }
	todoRank := func(*mat.Dense, []float64, float64, int) (*mat.Dense, []float64, float64) { panic(verify.TODO) }
	gate.Outcome(t, ex06.Check(todoFit, todoChoose, todoRank), verify.NotAttempted)
	gate.Outcome(t, ex06.Check(nil, nil, nil), verify.Crashed)
	own := ex06.Check(FitRegularised, ChooseLambda, func(*mat.Dense, []float64, float64, int) (*mat.Dense, []float64, float64) { panic("my own") })
	if own.Count(verify.Crashed) != 1 || own.Count(verify.Right) != 6 {
		t.Errorf("one of three functions panics:\n%s", own)
	}
}

func TestSameReportEachTime(t *testing.T) {
	first, second := ex06.Check(FitRegularised, ChooseLambda, FitLowRank).String(), ex06.Check(FitRegularised, ChooseLambda, FitLowRank).String()
	if first != second {
		t.Errorf("two runs differ:\n%s\n%s", first, second)
	}
}

func ExampleCheck() {
	training := func(_ *mat.Dense, _ []float64, grid []float64) float64 { return floats.Min(grid) }
	fmt.Println(ex06.Check(FitRegularised, training, FitLowRank).Parts[4].Key)
	// Output: training-loss
}
