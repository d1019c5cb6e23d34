// Package ex06 judges Alpaydin exercise 10.6: how to reduce the variance of quadratic
// discriminants. The three methods are a penalty λ on the matrix W, the choice of the λ with the
// smallest loss on points left out of the fit, and a W of lower rank.
package ex06

import (
	"cmp"
	"embed"
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat"

	"github.com/hyperplane-notebooks/hyperplane/exercises"
	"github.com/hyperplane-notebooks/hyperplane/exercises/instance"
	"github.com/hyperplane-notebooks/hyperplane/exercises/internal/twoclass"
	"github.com/hyperplane-notebooks/hyperplane/exercises/judge"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/verify"
)

type (
	fitFunc    = func(X *mat.Dense, r []float64, lambda float64) (W *mat.Dense, w []float64, w0 float64)
	chooseFunc = func(X *mat.Dense, r []float64, grid []float64) float64
	rankFunc   = func(X *mat.Dense, r []float64, lambda float64, rank int) (W *mat.Dense, w []float64, w0 float64)
)

// question returns a judge.Question that compares the weights of the learner's fit with the right
// weights.
func question[F any](name string, hint int, call func(f F, c *judge.Call, s sample) (*mat.Dense, []float64, float64),
	mistakes []judge.Mistake[F]) *judge.Question[F, sample] {
	return &judge.Question[F, sample]{
		Func: name, Name: "weights", Hint: hint, New: true, Mistakes: mistakes, Entries: []string{"bias"},
		Right: func(s sample) []float64 { return slices.Clone(s.W) },
		Invoke: func(f F, c *judge.Call, s sample) []float64 {
			W, w, w0 := call(f, c, s)
			_, d := s.X.Dims()
			if W == nil {
				c.Say(judge.Fail("empty", hint,
					"For %v you returned no matrix W. Return a new D×D matrix, even if all its entries are 0.", s))
			}
			return slices.Concat([]float64{w0}, c.Vector("w", w, d, "input"), c.Matrix("W", W, d, d, "D×D"))
		},
	}
}

var fitQuestion = question("FitRegularised", 3, func(f fitFunc, c *judge.Call, s sample) (*mat.Dense, []float64, float64) {
	return f(c.Dense("X", s.X), c.Slice("r", s.T), s.lambda)
}, []judge.Mistake[fitFunc]{
	priceMistake("bias-penalised", 2, func(l, _ float64) prices { return prices{l, 0, l, l, l} },
		"Your weights are the minimum with a penalty that includes the bias. The bias only shifts g, and must be free to follow the shares of the classes."),
	priceMistake("linear-penalised", 2, func(l, _ float64) prices { return prices{0, l, l, l, l} },
		"Your weights are the minimum with a penalty that includes the linear weights w. Penalise only the quadratic terms, so that a large λ leads to the linear discriminant."),
	priceMistake("all-penalised", 2, func(l, _ float64) prices { return prices{l, l, l, l, l} },
		"Your weights are the minimum with a penalty on all weights, including the bias. Penalise W only."),
	priceMistake("tied-penalty", 2, func(l, _ float64) prices { return prices{0, 0, l, l / 2, l / 2} },
		"In your minimum every pair W_jl, W_lj is penalised once, as if the two were one number. ‖W‖² contains both W_jl² and W_lj²."),
	priceMistake("triangle-features", 2, func(l, _ float64) prices { return prices{0, 0, l, 2 * l, 2 * l} },
		"In your minimum the penalty on W is twice as large off the diagonal as on it. One weight v for x_j·x_l, split into W_jl = W_lj = v/2, contributes ½λv². That is four times ½λW_jl² instead of twice ½λW_jl²."),
	priceMistake("one-triangle", 2, func(l, _ float64) prices { return prices{0, 0, l, l, unusedPrice} }, oneTriangle),
	priceMistake("one-triangle", 2, func(l, _ float64) prices { return prices{0, 0, l, unusedPrice, l} }, oneTriangle),
	priceMistake("squares-only", 2, func(l, _ float64) prices { return prices{0, 0, l, unusedPrice, unusedPrice} },
		"Your W is diagonal: it contains only the squares x_j². Add the products of different inputs."),
	priceMistake("bias-left-out", 2, func(l, _ float64) prices { return prices{unusedPrice, 0, l, l, l} },
		"Your w0 is 0. Fit the bias too: it is the weight of a feature that is always 1."),
	priceMistake("factor", 2, func(l, _ float64) prices { return rightPrices(2 * l) },
		"Your penalty is λ‖W‖²; the factor ½ is missing."),
	priceMistake("factor", 2, func(l, _ float64) prices { return rightPrices(l / 2) },
		"Your penalty is ¼λ‖W‖²: it contains the factor ½ twice."),
	priceMistake("averaged", 2, func(l, n float64) prices { return rightPrices(n * l) },
		"Your penalty is N times too large relative to E. E is the sum over the points, not the mean."),
	priceMistake("averaged", 2, func(l, n float64) prices { return rightPrices(l / n) }, "Your penalty is N times too small relative to E. E is the sum over the points, so do not divide the penalty by N."),
	priceMistake("inverse", 2, func(l, _ float64) prices { return rightPrices(1 / l) },
		"Your penalty contains 1/λ in place of λ: a large λ should make W small."),
	priceMistake("lambda-squared", 2, func(l, _ float64) prices { return rightPrices(l * l) },
		"Your penalty contains λ² in place of λ."),
	priceMistake("no-quadratic", 1, func(float64, float64) prices { return rightPrices(unusedPrice) },
		"Your W is zero for every λ, so your discriminant is the best linear one. Fit W as well."),
})

const oneTriangle = "One triangle of your W is 0: you store the weight of each product x_j·x_l in only one of the entries W_jl and W_lj. The discriminant can be the same, but W_jl² + W_lj² is smallest if both entries are equal."

// prices contains the price of each kind of weight. The penalty on a weight v is ½·price·v². The
// kinds are the bias, the entries of w, and the entries of W on, above and below the diagonal.
type prices struct{ bias, linear, diagonal, above, below float64 }

// rightPrices returns the prices for the penalty that the exercise prescribes.
func rightPrices(lambda float64) prices { return prices{0, 0, lambda, lambda, lambda} }

const unusedPrice = 1e7 // so high a price that fit leaves a weight at the value without a penalty

// coarseTolerance is the tolerance for recognising a mistake in the learner's weights. It is larger
// than usual, because the learner's own search finds a minimum only approximately.
const coarseTolerance = 1e-3

// priceMistake returns the mistake of a learner who fits with wrong prices. The function
// `wrongPrices` returns these prices for λ = l and n points.
func priceMistake(key string, hint int, wrongPrices func(l, n float64) prices, message string) judge.Mistake[fitFunc] {
	return judge.Mistake[fitFunc]{Key: key, Hint: hint, Message: message, Tol: coarseTolerance,
		Answer: func(X *mat.Dense, r []float64, lambda float64) (*mat.Dense, []float64, float64) {
			s := newSample("", X, r)
			return s.split(s.fit(wrongPrices(lambda, float64(len(r))), nil))
		}}
}

// withoutMinimum recognises wrong penalties for which the objective may have no minimum. It tests
// the derivatives of E at the learner's weights, because there may be no minimum to compare the
// weights with.
func withoutMinimum(s sample, got []float64) *verify.Verdict {
	_, w, _ := s.split(got)
	dW, dw, dw0 := s.split(s.gradient(got))
	zero := func(v ...float64) bool { return floats.Norm(v, 2) <= minimumTol*float64(len(s.T)) }
	switch {
	case !zero(dW.RawMatrix().Data...):
		return nil
	case zero(dw...) && zero(dw0):
		return judge.Fail("no-penalty", 1, "Your weights are the minimum of E alone: λ has no effect.")
	case zero(floats.AddScaledTo(dw, dw, s.lambda, w)...):
		return judge.Fail("linear-only-penalised", 2,
			"Your weights are the minimum with a penalty on w, but not on W. Penalise W, because its many entries cause the variance.")
	}
	return nil
}

var rankQuestion = question("FitLowRank", 4, func(f rankFunc, c *judge.Call, s sample) (*mat.Dense, []float64, float64) {
	return f(c.Dense("X", s.X), c.Slice("r", s.T), s.lambda, s.rank)
}, []judge.Mistake[rankFunc]{
	{Key: "not-truncated", Hint: 3, Answer: cutRank(true, func(W *mat.Dense, _ int) *mat.Dense { return W }),
		Message: "For {problem} your W is still the full matrix of FitRegularised. Reduce its rank."},
	{Key: "rows-truncated", Hint: 3, Tol: coarseTolerance,
		Answer: cutRank(true, keepEntries(func(j, _, rank int) bool { return j < rank })), Message: firstRows},
	{Key: "rows-truncated", Hint: 3, Tol: coarseTolerance,
		Answer: cutRank(true, keepEntries(func(j, l, rank int) bool { return max(j, l) < rank })), Message: firstRows},
	{Key: "signed-order", Hint: 3, Tol: coarseTolerance,
		Answer:  cutRank(true, leadingEigenvalues(func(v float64) float64 { return -v }, byValue)),
		Message: "For {problem} your W keeps the largest eigenvalues, as if negative eigenvalues were the least important. A negative eigenvalue matters as much as a positive one of the same size, so sort by absolute value."},
	{Key: "smallest-kept", Hint: 3, Tol: coarseTolerance, Answer: cutRank(true, leadingEigenvalues(byValue, byValue)), Message: smallestKept},
	{Key: "smallest-kept", Hint: 3, Tol: coarseTolerance, Answer: cutRank(true, leadingEigenvalues(math.Abs, byValue)),
		Message: smallestKept},
	{Key: "signs-lost", Hint: 3, Tol: coarseTolerance, Answer: cutRank(true, leadingEigenvalues(byAbsolute, math.Abs)),
		Message: "For {problem} your W has the right directions, but all factors are positive: singular values are the absolute values of the eigenvalues. In the sum Σ s_j u_j v_jᵀ of a singular value decomposition, v_j contains the sign."},
	{Key: "not-refitted", Hint: 3, Tol: coarseTolerance, Answer: cutRank(false, leadingEigenvalues(byAbsolute, byValue)),
		Message: "For {problem} you return the w and w0 that were fitted together with the full W. Other values fit the new W best: fit w and w0 again, with W held fixed."},
})

const (
	firstRows    = "For {problem} your W contains only the first rows, or rows and columns, of the full W. The nearest W of a lower rank keeps directions instead of rows: use the leading eigenvectors, W_r = Σ λ_j u_j u_jᵀ."
	smallestKept = "For {problem} your W has the wrong eigenvalues, the smallest ones. gonum returns eigenvalues in ascending order."
)

// cutRank returns an answer that calls the function `cut` to reduce the rank of the fitted W. If
// `refit` is set, the answer then fits w and w0 again.
func cutRank(refit bool, cut func(W *mat.Dense, rank int) *mat.Dense) rankFunc {
	return func(X *mat.Dense, r []float64, lambda float64, rank int) (*mat.Dense, []float64, float64) {
		s := newSample("", X, r)
		W, w, w0 := s.split(s.fit(rightPrices(lambda), nil))
		if W = cut(W, rank); refit {
			return s.split(s.fit(rightPrices(unusedPrice), W))
		}
		return W, w, w0
	}
}

// keepEntries returns a function for cutRank. The function sets each entry (j, l) of W to 0 unless
// keep(j, l, rank) is true.
func keepEntries(keep func(j, l, rank int) bool) func(W *mat.Dense, rank int) *mat.Dense {
	return func(W *mat.Dense, rank int) *mat.Dense {
		twoclass.Keep(func(j, l int) bool { return keep(j, l, rank) })(W, twoclass.Problem{})
		return W
	}
}

// byAbsolute and byValue return sort keys for eigenvalues. leadingEigenvalues keeps the eigenvalues
// with the smallest keys. As the argument newValue, byValue leaves the eigenvalues unchanged.
func byAbsolute(v float64) float64 { return -math.Abs(v) }
func byValue(v float64) float64    { return v }

// leadingEigenvalues returns a function for cutRank. The function requires a symmetric W. It sorts
// the eigenvalues v of W by order(v) and keeps the first `rank` of them. It replaces each kept
// eigenvalue v with newValue(v), and all other eigenvalues with 0.
func leadingEigenvalues(order, newValue func(v float64) float64) func(W *mat.Dense, rank int) *mat.Dense {
	return func(W *mat.Dense, rank int) *mat.Dense {
		d, _ := W.Dims()
		var e mat.EigenSym
		var u mat.Dense
		// Factorize succeeds, because the check's own fit has computed W, so W is finite
		e.Factorize(mat.NewSymDense(d, W.RawMatrix().Data), true)
		e.VectorsTo(&u)
		values := e.Values(nil)
		rising := slices.SortedFunc(slices.Values(values),
			func(a, b float64) int { return cmp.Compare(order(a), order(b)) })
		out := mat.NewDense(d, d, nil)
		for _, v := range rising[:rank] {
			j := slices.Index(values, v)
			out.RankOne(out, newValue(v), u.ColView(j), u.ColView(j))
		}
		return out
	}
}

// otherRank returns the verdict on the learner's weights for one problem. It is called if no known
// mistake explains the weights in all problems. If W is right and no known mistake explains the
// weights in this problem either, otherRank returns nil.
func otherRank(s sample, got []float64) *verify.Verdict {
	// a known mistake may explain the weights in this problem, but not in all problems
	for _, m := range rankQuestion.Mistakes {
		W, w, w0 := m.Answer(s.X, s.T, s.lambda, s.rank)
		if verify.CloseSlice(got, slices.Concat([]float64{w0}, w, W.RawMatrix().Data),
			verify.Tolerance{Abs: s.tol}).OK {
			return judge.Fail(m.Key, m.Hint, "%s", strings.ReplaceAll(m.Message, "{problem}", s.Name))
		}
	}
	W, _, _ := s.split(got)
	f, svd, rank := compareNearest(s, got), mat.SVD{}, 0
	if svd.Factorize(W, mat.SVDNone) {
		rank = floats.Count(func(v float64) bool { return v > s.tol }, svd.Values(nil))
	}
	switch {
	case f.OK:
		return nil
	case rank > s.rank:
		return judge.Fail("rank-too-high", 3, "For %v your W has rank %d, which is too high.", s, rank)
	}
	return judge.Fail("not-nearest", 3,
		"For %v your W of rank %d is not built from the leading eigenvectors of the right W of FitRegularised: it is %s.",
		s, rank, f.Off())
}

func init() {
	fitQuestion.Family, rankQuestion.Family, choiceQuestion.Family = withoutMinimum, otherRank, otherChoice
	noFit, noChoice, noRank := judge.Unwritten[fitFunc](), judge.Unwritten[chooseFunc](), judge.Unwritten[rankFunc]()
	judge.Known(exercise, fitQuestion, func(f fitFunc) *verify.Report { return Check(f, noChoice, noRank) })
	judge.Known(exercise, choiceQuestion, func(f chooseFunc) *verify.Report { return Check(noFit, f, noRank) })
	judge.Known(exercise, rankQuestion, func(f rankFunc) *verify.Report { return Check(noFit, noChoice, f) })
}

// fit returns the weights that minimise E plus a penalty with the prices p. If W is nil, the
// penalty on each weight grows with the distance of the weight from 0. If W is not nil, the penalty
// on a quadratic weight grows with its distance from the corresponding entry of W.
func (s sample) fit(p prices, W *mat.Dense) []float64 {
	n := s.Phi.RawMatrix().Cols
	_, d := s.X.Dims()
	price, centre := append([]float64{p.bias}, slices.Repeat([]float64{p.linear}, d)...), make([]float64, n)
	for i := range d * d {
		price = append(price, []float64{p.above, p.diagonal, p.below}[1+cmp.Compare(i/d, i%d)])
	}
	if W != nil {
		copy(centre[1+d:], W.RawMatrix().Data)
	}
	return twoclass.Logistic.Penalised(s.Problem, price, centre)
}

// manyQuestion is a version of fitQuestion for problems that consist of several samples. The answer contains
// the weights of all samples.
var manyQuestion = &judge.Question[fitFunc, sampleList]{
	Func: fitQuestion.Func, Name: fitQuestion.Name, Hint: fitQuestion.Hint, Right: sampleList.rightWeights,
	Invoke: func(fit fitFunc, c *judge.Call, p sampleList) []float64 {
		return p.onEach(func(s sample) []float64 { return fitQuestion.Invoke(fit, c, s) })
	},
}

// lambdas contains a small, a medium and a large λ.
var lambdas = []float64{0.01, 0.5, 5}

// smallSamples returns twelve small samples, each with every λ in lambdas. One model without
// quadratic terms generates all samples. smallSamples repeats the draw until, for a right fit, the
// variance and the loss on new points decrease clearly as λ increases.
var smallSamples = instance.Once(func() []sampleList {
	r := source(3)
	for {
		var out sampleList
		test := drawSample(r, "new points", 1000, plain)
		for range 12 {
			s := drawSample(r, "a small sample", 36, plain)
			for _, lambda := range lambdas {
				s.lambda, s.test, s.W = lambda, &test, s.fit(rightPrices(lambda), nil)
				out = append(out, s)
			}
		}
		if !instance.Again(func() bool {
			spread, gain := out.effectOfLambda(out.rightWeights())
			return spread[0] > 2.3*spread[1] && spread[1] > 2.3*spread[2] && instance.Above(gain, 2)
		}) {
			return []sampleList{out}
		}
	}
})

// effectOfLambda returns two measures of the effect of λ. It expects every sample three times in p,
// once with each λ in lambdas. The result `spread` contains one number for each λ: the variance of an entry
// of W over the samples, summed over all entries. The result `gain` contains one number for every three
// entries of p: the loss on new points with the smallest λ, minus the loss with the largest λ.
func (p sampleList) effectOfLambda(got []float64) (spread [3]float64, gain []float64) {
	n := len(plain)
	weights := mat.NewDense(len(p)/3, 3*n, got)
	for i := range spread {
		for j := 4; j < n; j++ {
			spread[i] += stat.Variance(mat.Col(nil, i*n+j, weights), nil)
		}
	}
	for t := range len(p) / 3 {
		v := weights.RawRowView(t)
		gain = append(gain, p[3*t].test.loss(v[:n])-p[3*t].test.loss(v[2*n:]))
	}
	return spread, gain
}

func noFall(p sampleList, got []float64) *verify.Verdict {
	switch spread, gain := p.effectOfLambda(got); {
	case !(spread[0] > 2*spread[1] && spread[1] > 2*spread[2]):
		return judge.Fail("no-effect", 1,
			"Over twelve small samples the variance of W, summed over its entries, is %.2g, %.2g and %.2g for λ = %g, %g and %g: it should fall to less than half from each λ to the next.", spread[0], spread[1], spread[2], lambdas[0], lambdas[1], lambdas[2])
	case !instance.Above(gain, 2):
		return judge.Fail("no-gain", 1,
			"Over twelve small samples the log loss on new points is not clearly smaller for λ = %g than for λ = %g.", lambdas[2], lambdas[0])
	}
	return nil
}

func fall(answers [][]float64) string {
	spread, gain := smallSamples()[0].effectOfLambda(answers[0])
	mean, sd := stat.MeanStdDev(gain, nil)
	return fmt.Sprintf("the variance of W falls from %.2g to %.2g and %.2g for λ = %g, %g and %g, and the log loss on new points falls by %.2g ± %.1g.", spread[0], spread[1], spread[2], lambdas[0], lambdas[1], lambdas[2], mean, sd/math.Sqrt(float64(len(gain))))
}

// grid contains values of λ that are not sorted, because an answer must not rely on their order.
var grid = []float64{1, 1e-3, 1000, 30, 0.1}

var choiceQuestion = &judge.Question[chooseFunc, sampleList]{
	Func: "ChooseLambda", Name: "choice", Hint: 4,
	Invoke: func(choose chooseFunc, c *judge.Call, p sampleList) []float64 {
		return p.onEach(func(s sample) []float64 {
			return []float64{choose(c.Dense("X", s.X), c.Slice("r", s.T), c.Slice("grid", s.grid))}
		})
	},
	Right: func(p sampleList) []float64 { return p.onEach(func(s sample) []float64 { return []float64{s.better} }) },
	Mistakes: []judge.Mistake[chooseFunc]{
		{Key: "training-loss", Hint: 3,
			Answer:  func(_ *mat.Dense, _, grid []float64) float64 { return floats.Min(grid) },
			Message: "You always choose the smallest λ of the grid. A comparison on the training points leads to this choice, because a smaller penalty always fits them better. Compare the loss on points left out."},
		{Key: "always-largest", Hint: 3,
			Answer:  func(_ *mat.Dense, _, grid []float64) float64 { return floats.Max(grid) },
			Message: "You always choose the largest λ of the grid, even for many points of strongly curved classes. Choose the λ with the smallest loss."},
	},
}

// inGrid returns a verdict on the first chosen λ that is not in the grid of its sample. If every
// chosen λ is in its grid, inGrid returns nil.
func inGrid(p sampleList, got []float64) *verify.Verdict {
	const said = "You returned %g, which is not in the grid %v."
	for i, v := range got {
		switch grid := p[i].grid; {
		case slices.Contains(grid, v):
		case v >= 0 && v < float64(len(grid)) && v == math.Trunc(v):
			return judge.Fail("index", 4, said+" If the number is the index of the best value, return the value itself.", v, grid)
		default:
			return judge.Fail("not-in-grid", 4, said, v, grid)
		}
	}
	return nil
}

func anything(sampleList, []float64) verify.Finding { return verify.Finding{OK: true} }

// moderateSamples returns several samples, because for a single sample a wrong λ may equal the
// right λ by coincidence.
func moderateSamples() (list []sampleList) {
	r := source(4)
	for range 2 {
		some := samples(r)
		list = append(list, some[1:2], some[2:3])
	}
	return list
}

// lambdaFactor is 8⁴. Multiplying all inputs by 8 and λ by lambdaFactor does not change g(x) of the
// penalised fit. The loss of each point left out does not change either.
const lambdaFactor = 4096

func inUnits(p sampleList) sampleList {
	s := p[0]
	s.X = mat.DenseCopyOf(s.X)
	s.X.Scale(8, s.X)
	s.grid = floats.ScaleTo(make([]float64, len(grid)), lambdaFactor, grid)
	return sampleList{s}
}

// extremeSamples returns small samples without quadratic terms, for which the smallest λ predicts badly.
// It also returns larger samples with strong quadratic terms, for which the largest λ predicts
// badly.
var extremeSamples = instance.Once(func() []sampleList {
	r := source(5)
	for {
		var out sampleList
		add := func(truth []float64, n, times int, end float64) {
			test := drawSample(r, "new points", 1000, truth)
			for range times {
				s := drawSample(r, "a sample", n, truth)
				s.end, s.test = end, &test
				out = append(out, s)
			}
		}
		add(plain, 36, 10, floats.Min(grid))
		add(curved, 90, 4, floats.Max(grid))
		// repeat the draw until plausible values of λ predict new points clearly better than s.end
		// does
		if !instance.Again(func() bool {
			small, large := out.gainsOver(slices.Repeat([]float64{30}, len(out)))
			for _, lambda := range []float64{0.1, 1} {
				_, gain := out.gainsOver(slices.Repeat([]float64{lambda}, len(out)))
				large = append(large, gain...)
			}
			return instance.Above(small, 2.5) && floats.Min(large) > 0.01
		}) {
			return []sampleList{out}
		}
	}
})

// gainsOver returns one number for each sample s: the loss on new points with the λ in s.end, minus
// the loss with the λ in `got`. The result `small` contains the numbers of the first ten samples,
// and `large` the numbers of all others.
func (p sampleList) gainsOver(got []float64) (small, large []float64) {
	gain := make([]float64, len(p))
	for i, s := range p {
		gain[i] = s.test.loss(s.fit(rightPrices(s.end), nil)) - s.test.loss(s.fit(rightPrices(got[i]), nil))
	}
	return gain[:10], gain[10:]
}

func predicts(p sampleList, got []float64) verify.Finding {
	small, large := p.gainsOver(got)
	return verify.Finding{OK: instance.Above(small, 2) && instance.Above(large, 2) && floats.Min(got) < floats.Max(got)}
}

func gained(answers [][]float64) string {
	small, large := extremeSamples()[0].gainsOver(answers[0])
	return fmt.Sprintf("the mean log loss is smaller by %.2g and by %.2g.", stat.Mean(small, nil), stat.Mean(large, nil))
}

// fixed returns the samples in `decisions`, whose grids contain two values of λ each. After these
// it returns samples with the whole grid, which reveal an answer that always chooses the smallest
// or always the largest value.
var fixed = instance.Once(func() []sampleList {
	few := smallSamples()[0]
	return []sampleList{append(slices.Clone(decisions), few[0], few[3], few[6], samples(source(2))[0])}
})

// checkDecisions checks the learner's choices of λ for the samples in `decisions`. A sample counts as
// missed if the choice is wrong in either order of its grid. checkDecisions allows one missed sample.
func checkDecisions(p sampleList, got []float64) verify.Finding {
	missed := 0
	for i := 0; i < len(decisions); i += 2 {
		if got[i] != p[i].better || got[i+1] != p[i].better {
			missed++
		}
	}
	return verify.Finding{OK: missed <= 1, Note: fmt.Sprintf("%d of %d", missed, len(decisions)/2)}
}

// otherChoice returns a verdict on choices that no known mistake explains, or nil.
func otherChoice(p sampleList, got []float64) *verify.Verdict {
	if p[0].better > 0 {
		var second int // how often the learner chose the second value of the grid
		for i, s := range p[:len(decisions)] {
			second += slices.Index(s.grid, got[i])
		}
		return judge.FailIf(second%len(decisions) == 0, "order", 3,
			"From a grid of two values you always choose the value with the same index, even when the order of the grid is reversed. Compare the losses of all values in the grid.")
	}
	if floats.Min(got) == floats.Max(got) {
		return judge.Fail("always-the-same", 3,
			"You choose λ = %g for every sample: for small samples with straight boundaries, and for large samples with curved boundaries. The choice should depend on the sample.", got[0])
	}
	if small, _ := p.gainsOver(got); !instance.Above(small, 2) {
		return judge.Fail("too-small", 3,
			"On ten small samples without curvature your choices do not predict new points clearly better than the smallest λ. Sum the loss over points that were left out of the fit, and choose the λ with the smallest sum.")
	}
	return nil
}

//go:embed testdata/decisions.json
var decided []byte

// Check judges the three functions of Alpaydin exercise 10.6, for inputs X (N×D) and N targets r,
// each 0 or 1. fitRegularised returns the weights that minimise E + ½λ‖W‖², where W is D×D. chooseLambda
// returns one value from a grid of λ: the value whose fit predicts new points best. fitLowRank
// returns a W of the given rank. It also returns w and w0, which it fits again for this W.
func Check(fitRegularised func(X *mat.Dense, r []float64, lambda float64) (W *mat.Dense, w []float64, w0 float64),
	chooseLambda func(X *mat.Dense, r []float64, grid []float64) float64,
	fitLowRank func(X *mat.Dense, r []float64, lambda float64, rank int) (W *mat.Dense, w []float64,
		w0 float64)) *verify.Report {
	const shaped, form = ": W, w and w0 are finite, new and of the right shapes",
		"You returned a D×D matrix, D weights and a bias for every sample."
	parts := slices.Concat(
		fitQuestion.Parts(fitRegularised, []judge.Property[sample]{
			judge.Form(fitQuestion.Func+shaped, minima, nil, judge.Wrong{}, form),
			{Name: "FitRegularised: the minimum of E + ½λ‖W‖², with a penalty on W only", Problems: minima, Holds: gradientVanishes,
				Wrong: judge.Wrong{Key: "not-minimum", Hint: 3,
					Message: "For {problem} the derivatives of E + ½λ‖W‖² do not vanish at your weights: their size is {off}."},
				Right: "At your weights all derivatives vanish: dE/dw = 0 and dE/dw0 = 0 without a penalty, and dE/dW = −λW."},
		}...),
		manyQuestion.Parts(fitRegularised,
			judge.Property[sampleList]{Name: "FitRegularised: a larger λ decreases the variance, and improves the prediction of new points", Problems: smallSamples, Precheck: noFall, Holds: anything,
				Right: "Over twelve small samples", RightNote: fall}),
		choiceQuestion.Parts(chooseLambda, []judge.Property[sampleList]{
			{Name: "ChooseLambda: the same choice on every call", Problems: func() []sampleList { return moderateSamples()[:2] },
				Holds:   anything,
				Related: func(p sampleList) sampleList { return p },
				Wrong: judge.Wrong{Key: "not-constant", Hint: 4,
					Message: "Two calls with the same sample chose different values. If you divide the points at random, use a fixed seed."},
				Right: "You chose the same value each time."},
			{Name: "ChooseLambda: your choice predicts new points better than the smallest and the largest λ",
				Problems: extremeSamples, Precheck: inGrid, Holds: predicts,
				Wrong: judge.Wrong{Key: "too-large", Hint: 3,
					Message: "On larger samples of strongly curved classes your choices do not predict new points clearly better than the largest λ."},
				Right: "On ten small samples your choice predicts new points better than the smallest λ; on four larger, curved samples better than the largest λ:", RightNote: gained},
			{Name: "ChooseLambda: the right choice on fixed samples, however the points are divided", Problems: fixed,
				Precheck: inGrid, Holds: checkDecisions,
				Wrong: judge.Wrong{Key: "left-out-loss", Hint: 3,
					Message: "On {off} fixed samples with two values of λ, you do not choose the value that predicts the left-out points better. The division of the points hardly matters if every point is left out once; a single hold-out depends on luck. Predict each group of points with a fit to all other groups. For each point left out, add −log of the probability of its own class, not the number of errors or another loss. Use g(x) = xᵀWx + wᵀx + w0 of the fit with exactly this λ."},
				Right: "On all fixed samples, or all but one, you choose the λ that predicts the left-out points better, whatever the order of the grid."},
			{Name: "ChooseLambda: the same choice in other units, and from a part of a larger matrix", Problems: moderateSamples,
				Precheck: inGrid, Related: inUnits,
				FromRelated: func(_ sampleList, answer []float64) []float64 { return []float64{answer[0] / lambdaFactor} },
				Wrong: judge.Wrong{Key: "units", Hint: 3,
					Message: "For {problem}, with all inputs 8 times as large and all λ 4096 times as large, you choose a different value of the grid. The W of each fit is then divided by 64, so λ‖W‖², g(x) and the loss of every point left out stay the same. Your choice must depend on nothing else."},
				Right: "With other units of the inputs, and λ in the corresponding units, you choose the same value."},
		}...),
		rankQuestion.Parts(fitLowRank, []judge.Property[sample]{
			judge.Form(rankQuestion.Func+shaped, func() []sample { return allRanks()[:6] }, nil, judge.Wrong{}, form),
			{Name: "FitLowRank: the nearest W of the given rank, with w and w0 fitted again", Problems: allRanks, Holds: checkLowered,
				Wrong: judge.Wrong{Key: "not-best", Hint: 3,
					Message: "For {problem} your W is right, but w and w0 do not minimise E for this W: the derivatives of E with respect to w and w0 do not vanish."},
				Right: "Your W has the required rank and is the nearest such matrix to the fitted W; w and w0 minimise E for your W. Rank 0 is the linear discriminant, rank D the quadratic one."},
		}...))
	return exercise.Judge(parts...)
}

// A sample contains labelled inputs and the arguments of the learner's functions. A discriminant is
// stored as one vector of weights: the bias, then w, then W row by row. These are the weights of
// the features 1, x_j and x_j·x_l.
type sample struct {
	twoclass.Problem            // features, targets, and the weights of the right answer
	X                *mat.Dense // N×D
	lambda           float64
	rank             int       // for FitLowRank
	tol              float64   // tolerance for the entries of W in an answer of FitLowRank
	grid             []float64 // values of λ to choose from
	better           float64   // the right choice for a fixed sample; 0 for all other samples
	// the smallest or the largest λ of the grid; the learner's λ must predict the points in `test`
	// better than this λ
	end  float64
	test *sample // new points from the same distribution
}

func (s sample) String() string { return s.Name } // Name already contains quotation marks

// sampleList contains samples that together form one problem, because the result for a single
// sample would depend too much on chance.
type sampleList []sample

func (p sampleList) String() string { return p[0].Name }

// onEach calls the function `numbers` for each sample and concatenates the results. rightWeights
// concatenates the right weights of all samples.
func (p sampleList) onEach(numbers func(s sample) []float64) (v []float64) {
	for _, s := range p {
		v = append(v, numbers(s)...)
	}
	return v
}

func (p sampleList) rightWeights() []float64 {
	return p.onEach(func(s sample) []float64 { return s.W })
}

func newSample(name string, X *mat.Dense, r []float64) sample {
	return sample{Problem: twoclass.Problem{Name: name, Phi: instance.Products(X), T: r}, X: X, grid: grid}
}

// split returns the parts W, w and w0 of the weights v.
func (s sample) split(v []float64) (W *mat.Dense, w []float64, w0 float64) {
	_, d := s.X.Dims()
	return mat.NewDense(d, d, v[1+d:]), v[1 : 1+d], v[0]
}

// loss returns the mean cross-entropy over the points of the sample, for the weights v. `gradient`
// returns the derivatives of the sum of the cross-entropy over these points.
func (s sample) loss(v []float64) float64 {
	return twoclass.Logistic.At(s.Problem, v) / float64(len(s.T))
}
func (s sample) gradient(v []float64) []float64 {
	return twoclass.Pulling(twoclass.Residual)(v, s.Phi, s.T)
}

func source(part uint64) *rand.Rand { return instance.Source(1006, part) }

// drawSample draws n points, and then their classes from the posteriors of the model with the
// weights `truth`.
func drawSample(r *rand.Rand, name string, n int, truth []float64) sample {
	d := int(math.Sqrt(float64(len(truth)))) // the square root of 1+d+d² lies between d and d+1
	s := newSample("“"+name+"”", mat.NewDense(n, d, instance.Normals(r, n*d)), make([]float64, n))
	for t, a := range instance.Activations(s.Phi, truth) {
		s.T[t] = twoclass.Label(r, a)
	}
	return s
}

// Weights for drawSample. The quadratic weights are large in `curved`, −0.6 in `line`, and 0 otherwise.
var (
	plain  = []float64{0.2, 0.8, -0.5, 0.3, 12: 0}
	curved = []float64{-0.3, 0.5, 0.3, -0.4, 1.5, 0.7, 0, 0.7, -1.2, 0, 0, 0, 0.1}
	line   = []float64{0.3, 0.4, -0.6}
	five   = []float64{0.1, 0.7, -0.5, 0, 0.3, 0.4, 30: 0}
)

// samples draws samples that together reveal every known mistake of a fit. In the last sample a single
// point of class 1 lies among the other points, so that no plane separates the classes.
func samples(r *rand.Rand) []sample {
	list := []sample{
		drawSample(r, "sixty points with three inputs, a curved boundary", 60, curved),
		drawSample(r, "forty points with three inputs, a straight boundary", 40, plain),
		drawSample(r, "thirty points with one input", 30, line),
		drawSample(r, "eighty points with five inputs, a straight boundary", 80, five),
		drawSample(r, "forty points with two inputs, a single point of class 1", 40, make([]float64, 7)),
	}
	copy(list[4].X.RawRowView(7), []float64{0.05, -0.02})
	list[4].Phi = instance.Products(list[4].X)
	list[4].Problem = list[4].Rare(7)
	return list
}

var minima = instance.Once(func() (out []sample) {
	for _, s := range samples(source(2)) {
		for _, lambda := range []float64{0.3, 4} {
			named := s
			named.Name += fmt.Sprintf(" and λ = %g", lambda)
			named.lambda, named.W = lambda, s.fit(rightPrices(lambda), nil)
			out = append(out, named)
		}
	}
	return out
})

// allRanks returns samples for FitLowRank, each with every rank that W can have. The sample with five
// inputs occurs only with the ranks 2 and 5.
var allRanks = instance.Once(func() (out []sample) {
	const held = 0.5 // λ
	for _, s := range samples(source(6)) {
		full := s.fit(rightPrices(held), nil)
		W, w, _ := s.split(full)
		for rank := range len(w) + 1 {
			if len(w) > 3 && rank%3 != 2 {
				continue
			}
			named := s
			named.Name = fmt.Sprintf("%s, rank %d”", strings.TrimSuffix(s.Name, "”"), rank)
			named.lambda, named.rank, named.tol = held, rank, 1e-4*(1+mat.Norm(W, 2))
			named.W = s.fit(rightPrices(unusedPrice), leadingEigenvalues(byAbsolute, byValue)(W, rank))
			out = append(out, named)
		}
	}
	return out
})

// minimumTol is a limit: a gradient counts as zero if its length, divided by the number of points,
// is at most minimumTol. Newton's method reaches far smaller gradients. For every known mistake the
// gradient is larger in at least one sample. checkLowered allows ten times this limit.
const minimumTol = 1e-5

// gradientVanishes checks that all derivatives of the objective are 0. The objective is convex, so
// the learner's weights are then its minimum, and the check needs no other weights to compare with.
func gradientVanishes(s sample, got []float64) verify.Finding {
	W, _, _ := s.split(got)
	dW, dw, dw0 := s.split(s.gradient(got))
	floats.AddScaled(dW.RawMatrix().Data, s.lambda, W.RawMatrix().Data)
	size := slices.Max([]float64{mat.Norm(dW, 2), floats.Norm(dw, 2), math.Abs(dw0)})
	return verify.Finding{OK: size <= minimumTol*float64(len(s.T)), Note: "about " + verify.Magnitude(size)}
}

// compareNearest compares the W in the learner's answer with the right W.
func compareNearest(s sample, got []float64) verify.Finding {
	W, _, _ := s.split(got)
	right, _, _ := s.split(s.W)
	return verify.CloseMat(W, right, verify.Tolerance{Abs: s.tol})
}

// checkLowered checks that W is right, and that the derivatives with respect to w and w0 are 0.
func checkLowered(s sample, got []float64) verify.Finding {
	if f := compareNearest(s, got); !f.OK {
		return f
	}
	_, dw, dw0 := s.split(s.gradient(got))
	return verify.Finding{OK: floats.Norm(append(dw, dw0), 2) <= 10*minimumTol*float64(len(s.T))}
}

// decisions contains fixed samples with one input and two values of λ. Each sample occurs twice,
// once with the grid reversed. For nearly every division of the points, the first λ in the file
// predicts the left-out points better (see TestDecided). Random samples are rarely so clear, so a
// search found these samples. With each wrong loss that learners are likely to compute, the second
// λ looks better for at least two samples. Therefore checkDecisions can allow one missed sample,
// which an unlucky division may cause.
var decisions = func() (list sampleList) {
	var fixed []struct{ X, R, Grid []float64 }
	if err := json.Unmarshal(decided, &fixed); err != nil {
		panic(err) // cannot happen, because the file is embedded
	}
	for _, d := range fixed {
		s := newSample("", mat.NewDense(len(d.X), 1, d.X), d.R)
		s.grid, s.better = d.Grid, d.Grid[0]
		turned := s
		turned.grid = []float64{d.Grid[1], d.Grid[0]}
		list = append(list, s, turned)
	}
	return list
}()

//go:embed exercise.md answer_test.go
var files embed.FS

var exercise = exercises.MustParse("exercises/alpaydin10/ex06", files)

// Exercise returns a copy of the text of this exercise.
func Exercise() *exercises.Exercise { return exercise.Copy() }

// Hint shows hint n, counted from 1, and returns the markdown of the hint.
func Hint(n int) string { return exercise.Hint(n) }

// Solution shows the worked derivation and the reference answer.
func Solution() string { return exercise.Solution() }
