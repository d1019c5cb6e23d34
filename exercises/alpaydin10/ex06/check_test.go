package ex06_test

import (
	"cmp"
	"fmt"
	"math"
	"runtime"
	"slices"
	"testing"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/hyperplane-notebooks/hyperplane/exercises/alpaydin10/ex06"
	"github.com/hyperplane-notebooks/hyperplane/exercises/gate"
	"github.com/hyperplane-notebooks/hyperplane/exercises/instance"
	"github.com/hyperplane-notebooks/hyperplane/exercises/internal/kernel"
	"github.com/hyperplane-notebooks/hyperplane/exercises/internal/twoclass"
	"github.com/hyperplane-notebooks/hyperplane/exercises/judge"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/verify"
)

type (
	fitFunc    = func(X *mat.Dense, r []float64, lambda float64) (W *mat.Dense, w []float64, w0 float64)
	chooseFunc = func(X *mat.Dense, r []float64, grid []float64) float64
	rankFunc   = func(X *mat.Dense, r []float64, lambda float64, rank int) (W *mat.Dense, w []float64, w0 float64)
)

// noFit, noChoice and noRank are stubs. A test of one function passes stubs in place of the other
// two functions, so that the check spends no time on these.
var noFit, noChoice, noRank = judge.Unwritten[fitFunc](), judge.Unwritten[chooseFunc](), judge.Unwritten[rankFunc]()

func onlyFit(f fitFunc) *verify.Report       { return ex06.Check(f, noChoice, noRank) }
func onlyChoice(f chooseFunc) *verify.Report { return ex06.Check(noFit, f, noRank) }
func onlyRank(f rankFunc) *verify.Report     { return ex06.Check(noFit, noChoice, f) }

// cached returns f with a cache, so that f runs only once for the same arguments.
func cached[V any](f func(X *mat.Dense, r, numbers []float64) V) func(X *mat.Dense, r, numbers []float64) V {
	known := map[string]V{}
	return func(X *mat.Dense, r, numbers []float64) V {
		question := fmt.Sprint(X.RawMatrix(), r, numbers)
		v, ok := known[question]
		if !ok {
			v = f(X, r, numbers)
			known[question] = v
		}
		return v
	}
}

var chosen = cached(ChooseLambda)

func checkFit(f fitFunc) *verify.Report       { return ex06.Check(f, chosen, FitLowRank) }
func checkChoice(f chooseFunc) *verify.Report { return ex06.Check(FitRegularised, f, FitLowRank) }
func checkRank(f rankFunc) *verify.Report     { return ex06.Check(FitRegularised, chosen, f) }

func TestFunctions(t *testing.T) {
	gate.Functions(t, ex06.Exercise(), gate.OfNew(checkFit, FitRegularised), gate.Of(checkChoice, ChooseLambda),
		gate.OfNew(checkRank, FitLowRank))
}

func TestRight(t *testing.T) {
	gate.Rights(t, checkFit, map[string]fitFunc{
		"reference":                           FitRegularised,
		"tied entries with the right weights": tiedFit,
	})
	gate.Rights(t, checkChoice, map[string]chooseFunc{
		"each point left out once": chooseBest(leftOutLoss(twoclass.Every(math.MaxInt), FitRegularised,
			kernel.CrossEntropy)),
		"a fit to three random quarters, eight times": chooseBest(leftOutLoss(twoclass.Again(4, 1), FitRegularised,
			kernel.CrossEntropy)),
		"five blocks": chooseBest(leftOutLoss(twoclass.Blocks(5), FitRegularised, kernel.CrossEntropy)),
	})
	gate.Rights(t, checkRank, map[string]rankFunc{"singular value decomposition": bySVD})
}

// fitPriced returns an answer with two penalties. The penalty on each entry of w is
// ½λ·(linear·w_j²), and the penalty on each entry of W is ½λ·(price(j, l)·W_jl²).
func fitPriced(linear float64, price func(j, l int) float64) fitFunc {
	return func(X *mat.Dense, r []float64, lambda float64) (*mat.Dense, []float64, float64) {
		_, d := X.Dims()
		penalty := append([]float64{0}, slices.Repeat([]float64{linear * lambda}, d)...)
		for i := range d * d {
			penalty = append(penalty, lambda*price(i/d, i%d))
		}
		v := Newton(instance.Products(X), r, penalty, nil)
		return mat.NewDense(d, d, v[1+d:]), v[1 : 1+d], v[0]
	}
}

// tiedFit fits one weight v = 2W_jl for each product of two different inputs, and then sets W_jl =
// W_lj = v/2. The penalty on v is ¼λv², because ½λW_jl² + ½λW_lj² = ¼λv².
func tiedFit(X *mat.Dense, r []float64, lambda float64) (*mat.Dense, []float64, float64) {
	W, w, w0 := fitPriced(0, func(j, l int) float64 { return []float64{0.5, 1, 1e9}[1+cmp.Compare(j, l)] })(X, r, lambda)
	W.Add(W, mat.DenseCopyOf(W.T()))
	W.Scale(0.5, W)
	return W, w, w0
}

// changedFit returns an answer that calls FitRegularised with `fixed` + `times`·λ in place of λ, and
// then applies the function `change` to the result.
func changedFit(fixed, times float64, change func(W *mat.Dense, w []float64, w0 *float64, lambda float64)) fitFunc {
	return func(X *mat.Dense, r []float64, lambda float64) (*mat.Dense, []float64, float64) {
		W, w, w0 := FitRegularised(X, r, fixed+times*lambda)
		change(W, w, &w0, lambda)
		return W, w, w0
	}
}

func asItIs(*mat.Dense, []float64, *float64, float64) {}

// chooseBest returns an answer that computes a score for each λ in the grid, and chooses the λ with
// the smallest score.
func chooseBest(score func(X *mat.Dense, r []float64, lambda float64) float64) chooseFunc {
	return func(X *mat.Dense, r []float64, grid []float64) float64 {
		scores := make([]float64, len(grid))
		for i, lambda := range grid {
			scores[i] = score(X, r, lambda)
		}
		return grid[floats.MinIdx(scores)]
	}
}

// leftOutLoss returns a score function for chooseBest. The function fits several times, and leaves
// out different points each time. The score is the sum of the losses of the points left out.
func leftOutLoss(out twoclass.Division, fit fitFunc, loss twoclass.Term) func(X *mat.Dense, r []float64,
	lambda float64) float64 {
	return func(X *mat.Dense, r []float64, lambda float64) (sum float64) {
		n, d := X.Dims()
		left := out(n)
		for turn := range n {
			var x, rest []float64
			for t := range n {
				if !left(turn, t) {
					x, rest = append(x, X.RawRowView(t)...), append(rest, r[t])
				}
			}
			if len(rest) == n {
				continue
			}
			W, w, w0 := fit(mat.NewDense(len(rest), d, x), rest, lambda)
			for t := range n {
				if left(turn, t) {
					sum += loss(mat.Inner(X.RowView(t), W, X.RowView(t))+floats.Dot(w, X.RawRowView(t))+w0, r[t])
				}
			}
		}
		return sum
	}
}

func hinge(a, r float64) float64 { return math.Max(a, 0) - r*a }

// bySVD keeps the `rank` largest singular values of W, and returns the w and w0 of FitLowRank.
func bySVD(X *mat.Dense, r []float64, lambda float64, rank int) (*mat.Dense, []float64, float64) {
	full, _, _ := FitRegularised(X, r, lambda)
	var svd mat.SVD
	svd.Factorize(full, mat.SVDFull)
	s := svd.Values(nil)
	clear(s[rank:])
	var u, v, W mat.Dense
	svd.UTo(&u)
	svd.VTo(&v)
	W.Product(&u, mat.NewDiagDense(len(s), s), v.T())
	_, w, w0 := FitLowRank(X, r, lambda, rank)
	return &W, w, w0
}

// TestWrongFit judges wrong answers that are not in the table of mistakes, and checks the keys of
// the verdicts.
func TestWrongFit(t *testing.T) {
	gate.Wrongs(t, ex06.Exercise(), onlyFit, map[string][]fitFunc{
		"no-penalty":            {changedFit(1e-9, 0, asItIs)},
		"linear-only-penalised": {fitPriced(1, func(int, int) float64 { return 0 })},
		"not-minimum": {
			// this answer penalises only the diagonal
			fitPriced(0, func(j, l int) float64 { return []float64{0, 1, 0}[1+cmp.Compare(j, l)] }),
			// this answer uses only the products of the first three inputs
			fitPriced(0, func(j, l int) float64 { return []float64{1, 1, 1, 1e9, 1e9}[max(j, l)] }),
			changedFit(1e-6, 0, func(W *mat.Dense, _ []float64, _ *float64, lambda float64) { W.Scale(1/(1+lambda), W) }),
			// this answer returns an asymmetric W that defines the same discriminant as the right W
			changedFit(0, 1, func(W *mat.Dense, w []float64, _ *float64, _ float64) {
				if len(w) > 1 {
					W.Set(0, 1, W.At(0, 1)+0.1)
					W.Set(1, 0, W.At(1, 0)-0.1)
				}
			}),
		},
		"no-effect": {changedFit(0.7, 0, asItIs)},
		"no-gain": {changedFit(0, 1,
			func(_ *mat.Dense, _ []float64, w0 *float64, lambda float64) { *w0 += 3 * lambda })},
	})
}

// TestWrongChoice judges answers that choose wrong values of λ, and checks the keys of the
// verdicts.
func TestWrongChoice(t *testing.T) {
	// onSample returns an answer that chooses the λ with the smallest sum of the loss on the
	// training points and the result of `price`.
	onSample := func(price func(lambda float64, W *mat.Dense) float64) chooseFunc {
		return chooseBest(func(X *mat.Dense, r []float64, lambda float64) float64 {
			W, w, w0 := FitRegularised(X, r, lambda)
			return price(lambda, W) + twoclass.Sum(kernel.CrossEntropy,
				slices.Concat([]float64{w0}, w, W.RawMatrix().Data), instance.Products(X), r)
		})
	}
	with := func(fit fitFunc) chooseFunc {
		return chooseBest(leftOutLoss(twoclass.Every(6), fit, kernel.CrossEntropy))
	}
	// The function `on` returns an answer that chooses the λ with the smallest sum of loss(a, r)
	// instead of the smallest log loss. Here a is the score of a point and r is its target.
	on := func(loss twoclass.Term) chooseFunc {
		return chooseBest(leftOutLoss(twoclass.Every(6), FitRegularised, loss))
	}
	// single returns an answer with a single fit, to the points t for which held(t, n) is false.
	single := func(held func(t, n int) bool) chooseFunc {
		return chooseBest(leftOutLoss(func(n int) func(turn, t int) bool {
			return func(turn, t int) bool {
				return turn == 0 &&
					held(t, n)
			}
		}, FitRegularised, kernel.CrossEntropy))
	}
	// blind returns an answer that looks only at the grid and at the number of points. If there are
	// fewer than `many` points, the answer calls the function `few`. Otherwise it returns the
	// largest value of the grid.
	blind := func(few func(grid []float64) float64, many int) chooseFunc {
		return func(_ *mat.Dense, r []float64, grid []float64) float64 {
			if len(r) < many {
				return few(grid)
			}
			return floats.Max(grid)
		}
	}
	const never = math.MaxInt
	first := func(grid []float64) float64 { return grid[0] }
	gate.Wrongs(t, ex06.Exercise(), onlyChoice, map[string][]chooseFunc{
		"training-loss": {
			onSample(func(float64, *mat.Dense) float64 { return 0 }),
			onSample(func(lambda float64, W *mat.Dense) float64 { return lambda / 2 * math.Pow(mat.Norm(W, 2), 2) }),
		},
		"always-the-same": {blind(first, never)},
		"too-small":       {blind(floats.Min, 60)},
		"too-large":       {blind(func(grid []float64) float64 { return grid[3%len(grid)] }, 60)},
		"order": {
			func(X *mat.Dense, r []float64, grid []float64) float64 { return ChooseLambda(X, r, grid[1:]) },
			func(X *mat.Dense, r []float64, grid []float64) float64 { return ChooseLambda(X, r, grid[:len(grid)-1]) },
		},
		// this answer adds to the training loss a term that depends on λ itself, not on the fit
		"units": {onSample(func(lambda float64, W *mat.Dense) float64 {
			d, _ := W.Dims()
			return float64(d*(d+1)/2) / (1 + lambda)
		})},
		"left-out-loss": {
			with(changedFit(0, 0.5, asItIs)), with(changedFit(0, 2, asItIs)),
			with(changedFit(0, 1, func(_ *mat.Dense, w []float64, _ *float64, _ float64) { floats.Scale(-1, w) })),
			with(changedFit(0, 1, func(_ *mat.Dense, _ []float64, w0 *float64, _ float64) { *w0 *= -1 })),
			on(func(a, r float64) float64 { return kernel.CrossEntropy(2*a, r) }),
			on(func(a, r float64) float64 { return kernel.CrossEntropy(a/2, r) }),
			on(func(a, r float64) float64 { return math.Round(1 / (1 + math.Exp(-a*(1-2*r)))) }), // counts the errors
			on(hinge),
			on(func(a, r float64) float64 { return hinge(a, r) + math.Exp(-math.Abs(a)) }),
			on(func(a, r float64) float64 { return hinge(a, r) + math.Log1p(math.Exp(-math.Abs(a)/2)) }),
			on(func(a, r float64) float64 { return hinge(a, r) + math.Log1p(math.Exp(-2*math.Abs(a))) }),
			single(func(t, n int) bool { return 10*t >= 7*n }), single(func(t, n int) bool { return 2*t >= n }),
			single(func(t, _ int) bool { return t%3 == 2 }),
		},
		"index":       {blind(func([]float64) float64 { return 4 }, never)},
		"not-in-grid": {blind(func([]float64) float64 { return 7.5 }, never)},
	})
	// An answer that always makes the same choice must not get the message about a wrong loss.
	for _, constant := range []func(grid []float64) float64{floats.Min, floats.Max, first,
		func(grid []float64) float64 { return grid[len(grid)-1] }} {
		if r := onlyChoice(blind(constant, never)); slices.ContainsFunc(r.Parts, func(p verify.Result) bool { return p.Key == "left-out-loss" }) {
			t.Errorf("an answer that always makes the same choice gets the message about a wrong loss, want a different message:\n%s", r)
		}
	}
}

// TestDecided checks that an answer fails on at most one fixed sample, for each of many divisions of
// the points. The answer in this test chooses the second value of the grid only if the second value's
// mean loss per point left out is smaller than the first value's mean loss by more than 0.002. If the
// losses are closer, the answer chooses the first value, which is wrong in one order of the grid.
func TestDecided(t *testing.T) {
	var divisions []twoclass.Division
	for _, k := range []int{2, 3, 4, 5, 6, 7, 8, 10, 12, 24} {
		divisions = append(divisions, twoclass.Every(k), twoclass.Blocks(k))
		for seed := range uint64(6) {
			if k > 2 { // with random halves of 24 points, the choice of λ is not reliable
				divisions = append(divisions, twoclass.Shuffled(k, seed))
			}
			divisions = append(divisions, twoclass.Again(4+k%2, seed))
		}
	}
	type score struct{ loss, points float64 }
	if runtime.GOOS == "js" { // the test is slow in a js build, so test only some divisions
		divisions = divisions[len(divisions)-10:]
	}
	for i, out := range divisions {
		// the grid occurs in two orders; the cache avoids computing each loss twice
		lost := cached(func(X *mat.Dense, r, lambda []float64) (s score) {
			s.loss = leftOutLoss(out, FitRegularised,
				func(a, r float64) float64 { s.points++; return kernel.CrossEntropy(a, r) })(X, r, lambda[0])
			return s
		})
		r := onlyChoice(func(X *mat.Dense, r []float64, grid []float64) float64 {
			if len(grid) == 2 {
				first, second := lost(X, r, grid[:1]), lost(X, r, grid[1:])
				if second.loss+0.002*second.points < first.loss {
					return grid[1]
				}
			}
			return grid[0]
		})
		if p := r.Parts[5]; p.Outcome != verify.Right {
			t.Errorf("division %d: the part on the fixed samples should be Right, but its message is %s", i, p.Message)
		}
	}
}

// TestWrongRank judges wrong answers that are not in the table of mistakes, and checks the keys of
// the verdicts.
func TestWrongRank(t *testing.T) {
	gate.Wrongs(t, ex06.Exercise(), onlyRank, map[string][]rankFunc{
		"rank-too-high": {func(X *mat.Dense, r []float64, lambda float64, rank int) (*mat.Dense, []float64, float64) {
			_, d := X.Dims()
			return FitLowRank(X, r, lambda, min(d, rank+1))
		}},
		// this answer keeps only the first rows of W, and does not fit w and w0 again
		"not-refitted": {func(X *mat.Dense, r []float64, lambda float64, rank int) (*mat.Dense, []float64, float64) {
			W, w, w0 := FitRegularised(X, r, lambda)
			clear(W.RawMatrix().Data[rank*len(w):])
			return W, w, w0
		}},
		"not-nearest": {func(X *mat.Dense, r []float64, lambda float64, rank int) (*mat.Dense, []float64, float64) {
			_, w, w0 := FitLowRank(X, r, lambda, rank)
			ones := append(slices.Repeat([]float64{1}, rank), make([]float64, len(w)-rank)...)
			return mat.DenseCopyOf(mat.NewDiagDense(len(w), ones)), w, w0
		}},
		// this answer returns no matrix for rank 0
		"empty": {func(X *mat.Dense, r []float64, lambda float64, rank int) (*mat.Dense, []float64, float64) {
			W, w, w0 := FitLowRank(X, r, lambda, rank)
			if rank == 0 {
				W = nil
			}
			return W, w, w0
		}},
	})
}

func ExampleCheck() {
	training := func(_ *mat.Dense, _ []float64, grid []float64) float64 { return floats.Min(grid) }
	fmt.Println(ex06.Check(FitRegularised, training, FitLowRank).Parts[4].Key)
	// Output: training-loss
}

// TestPenalisedMinimumNeedNotExist shows why the exercise excludes separable samples. For such a
// sample the minimum need not exist, because w and w0 are not penalised: with W = 0, the objective
// decreases towards 0 as w grows, but never reaches 0.
func TestPenalisedMinimumNeedNotExist(t *testing.T) {
	// the sample has one input, w is the number c, and class 1 is on the right
	x := mat.NewDense(6, 1, []float64{-2, -1, -0.5, 0.5, 1, 2})
	for c, last := 0.5, math.Inf(1); c <= 1024; c *= 2 {
		e := twoclass.Along(kernel.CrossEntropy)([]float64{1}, x, []float64{0, 0, 0, 1, 1, 1}, c)
		if e >= last || c == 1024 && e > 1e-100 {
			t.Errorf("at w = %g the objective is %g, want below %g, and at most 1e-100 at w = 1024", c, e, last)
		}
		last = e
	}
}

/*
Equivalent mutants

FitRegularised: phi, penalty := mat.NewDense(n, 1+d+d*d, nil), make([]float64, 1+d+d*d) → phi, penalty := mat.NewDense(n, 1+d+d*d, nil), make([]float64, 2+d+d*d)
FitLowRank: v := Newton(phi, r, make([]float64, 1+d), offset) → v := Newton(phi, r, make([]float64, 2+d), offset)
    Newton reads one penalty for each column of phi, so it never reads the last entry.

ChooseLambda: const folds = 6 → const folds = 7
ChooseLambda: const folds = 6 → const folds = 5
ChooseLambda: for fold := range folds → for fold := 1; fold < folds; fold++
ChooseLambda: for fold := range folds → for fold := range folds-1
ChooseLambda: for t := range n → for t := 1; t < n; t++
ChooseLambda: for t := range n → for t := range n-1
    The statement permits any division, so five or seven groups are as good as six. If one group of six is never left out, the other five are still predicted by fits that have not seen them. If one point is missing from every fit, or is never predicted, this affects every λ equally.

ChooseLambda: a := mat.Inner(v, W, v) + floats.Dot(w, X.RawRowView(t)) + w0 → a := mat.Inner(v, W.T(), v) + floats.Dot(w, X.RawRowView(t)) + w0
FitLowRank: offset[t] = mat.Inner(x, W, x) → offset[t] = mat.Inner(x, W.T(), x)
    xᵀWᵀx = xᵀWx, because a number is its own transpose.

ChooseLambda: losses[g] += math.Max(a, 0) - r[t]*a + math.Log1p(math.Exp(-math.Abs(a))) → losses[g] += 2*(math.Max(a, 0) - r[t]*a + math.Log1p(math.Exp(-math.Abs(a))))
ChooseLambda: losses[g] += math.Max(a, 0) - r[t]*a + math.Log1p(math.Exp(-math.Abs(a))) → losses[g] += (math.Max(a, 0) - r[t]*a + math.Log1p(math.Exp(-math.Abs(a))))/2
FitLowRank: size[j] = -math.Abs(v) → size[j] = 2*(-math.Abs(v))
FitLowRank: size[j] = -math.Abs(v) → size[j] = (-math.Abs(v))/2
    All losses, or all sizes, are multiplied by one number, so their order does not change.

FitLowRank: sym.SetSym(j, l, (full.At(j, l)+full.At(l, j))/2) → sym.SetSym(j, l, (full.At(l, j)+full.At(l, j))/2)
FitLowRank: sym.SetSym(j, l, (full.At(j, l)+full.At(l, j))/2) → sym.SetSym(j, l, (full.At(j, l)+full.At(j, l))/2)
    The W of FitRegularised is symmetric up to the rounding of Newton's steps. The mean of both entries removes only this rounding.
*/
