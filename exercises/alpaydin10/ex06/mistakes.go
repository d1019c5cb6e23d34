package ex06

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat"

	"github.com/hyperplane-notebooks/hyperplane/exercises/internal/instance"
	"github.com/hyperplane-notebooks/hyperplane/exercises/internal/judge"
	"github.com/hyperplane-notebooks/hyperplane/exercises/internal/twoclass"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/verify"
)

type (
	fitFunc    = func(X *mat.Dense, r []float64, lambda float64) (W *mat.Dense, w []float64, w0 float64)
	chooseFunc = func(X *mat.Dense, r []float64, grid []float64) float64
	rankFunc   = func(X *mat.Dense, r []float64, lambda float64, rank int) (W *mat.Dense, w []float64, w0 float64)
)

// question compares the weights of a fitted model.
func question[F any](name string, hint int, call func(f F, c *judge.Call, s sample) (*mat.Dense, []float64, float64),
	mistakes []judge.Mistake[F]) *judge.Question[F, sample] {
	return &judge.Question[F, sample]{
		Func: name, Name: "weights", Hint: hint, New: true, Mistakes: mistakes, Entries: []string{"bias"},
		Right: func(s sample) []float64 { return slices.Clone(s.W) },
		Ask: func(f F, c *judge.Call, s sample) []float64 {
			W, w, w0 := call(f, c, s)
			_, d := s.X.Dims()
			if W == nil {
				c.Say(judge.Fail("empty", hint,
					"For %v no matrix came back for W. It is a new D×D matrix, also where all of it is 0.", s))
			}
			return slices.Concat([]float64{w0}, c.Vector("w", w, d, "input"), c.Matrix("W", W, d, d, "D×D"))
		},
	}
}

var askFit = question("FitRegularised", 3, func(fit fitFunc, c *judge.Call, s sample) (*mat.Dense, []float64, float64) {
	return fit(c.Dense("X", s.X), c.Slice("r", s.T), s.lambda)
}, []judge.Mistake[fitFunc]{
	pricing("bias-penalised", 2, func(l, _ float64) prices { return prices{l, 0, l, l, l} },
		"The bias is penalised too. It only moves g up and down and must be free to follow the shares of the classes."),
	pricing("linear-penalised", 2, func(l, _ float64) prices { return prices{0, l, l, l, l} },
		"The linear weights w are penalised too. Penalise the quadratic terms only, so that a large λ leads to the linear discriminant."),
	pricing("all-penalised", 2, func(l, _ float64) prices { return prices{l, l, l, l, l} },
		"All weights are penalised, the bias among them. Penalise W only."),
	pricing("tied-penalty", 2, func(l, _ float64) prices { return prices{0, 0, l, l / 2, l / 2} },
		"Every pair of entries off the diagonal is penalised once, as if it were one number. ‖W‖² counts W_jl² and W_lj²."),
	pricing("triangle-features", 2, func(l, _ float64) prices { return prices{0, 0, l, 2 * l, 2 * l} },
		"Off the diagonal W is penalised twice as much as on it: one weight v for x_j·x_l, split into two halves W_jl = W_lj = v/2, costs ½λv², and that is four times ½λW_jl², not two times."),
	pricing("one-triangle", 2, func(l, _ float64) prices { return prices{0, 0, l, l, unused} }, oneTriangle),
	pricing("one-triangle", 2, func(l, _ float64) prices { return prices{0, 0, l, unused, l} }, oneTriangle),
	pricing("squares-only", 2, func(l, _ float64) prices { return prices{0, 0, l, unused, unused} },
		"Your W has its diagonal only: the squares x_j². The products of different inputs belong to it, too."),
	pricing("bias-left-out", 2, func(l, _ float64) prices { return prices{unused, 0, l, l, l} },
		"Your w0 is 0: no bias is learned. It is the weight of a feature that is always 1."),
	pricing("factor", 2, func(l, _ float64) prices { return own(2 * l) },
		"Your penalty is λ‖W‖²; the factor ½ is missing."),
	pricing("factor", 2, func(l, _ float64) prices { return own(l / 2) },
		"Your penalty is ¼λ‖W‖²: there is a factor ½ too many."),
	pricing("averaged", 2, func(l, n float64) prices { return own(n * l) },
		"Your penalty weighs N times as much as it should: is E the mean over the points? It is the sum."),
	pricing("averaged", 2, func(l, n float64) prices { return own(l / n) }, "Your penalty is divided by N."),
	pricing("inverse", 2, func(l, _ float64) prices { return own(1 / l) },
		"You penalise by 1/λ: a large λ should make W small."),
	pricing("lambda-squared", 2, func(l, _ float64) prices { return own(l * l) },
		"You penalise by λ², once λ too many."),
	pricing("no-quadratic", 1, func(float64, float64) prices { return own(unused) },
		"Your W is zero: the best linear discriminant, whatever λ is."),
})

const oneTriangle = "One triangle of your W is 0: each product x_j·x_l has one weight, on one side. That is the same discriminant, but W_jl² + W_lj² is least where both are alike."

// prices are the penalties of the weights, each multiplied by half the weight's square: of the
// bias, w, and the entries of W on the diagonal, above and below it.
type prices struct{ bias, linear, diagonal, above, below float64 }

// own returns the prices of the statement. The price unused keeps a weight at 0.
func own(lambda float64) prices { return prices{0, 0, lambda, lambda, lambda} }

const unused = 1e7

// coarse is the agreement that identifies a mistake: the learner's own search finds the minimum.
const coarse = 1e-3

// pricing returns a mistake in the prices, which of returns for λ and N.
func pricing(key string, hint int, of func(l, n float64) prices, message string) judge.Mistake[fitFunc] {
	return judge.Mistake[fitFunc]{Key: key, Hint: hint, Message: message, Tol: coarse,
		Answer: func(X *mat.Dense, r []float64, lambda float64) (*mat.Dense, []float64, float64) {
			s := newSample("", X, r)
			return s.apart(s.fit(of(lambda, float64(len(r))), nil))
		}}
}

// unbounded recognises, by the derivatives, penalties for which there may be no minimum to
// compare with.
func unbounded(s sample, got []float64) *verify.Verdict {
	_, w, _ := s.apart(got)
	dW, dw, dw0 := s.apart(s.gradient(got))
	zero := func(v ...float64) bool { return floats.Norm(v, 2) <= minimumTol*float64(len(s.T)) }
	switch {
	case !zero(dW.RawMatrix().Data...):
		return nil
	case zero(dw...) && zero(dw0):
		return judge.Fail("no-penalty", 1, "Your weights are the minimum of E alone: λ has no effect.")
	case zero(floats.AddScaledTo(dw, dw, s.lambda, w)...):
		return judge.Fail("linear-only-penalised", 2,
			"The penalty is on w, and W is free: the wrong way round. It is the many entries of W that make the variance.")
	}
	return nil
}

var askRank = question("FitLowRank", 4, func(fit rankFunc, c *judge.Call, s sample) (*mat.Dense, []float64, float64) {
	return fit(c.Dense("X", s.X), c.Slice("r", s.T), s.lambda, s.rank)
}, []judge.Mistake[rankFunc]{
	{Key: "not-truncated", Hint: 3, Answer: cutting(true, func(W *mat.Dense, _ int) *mat.Dense { return W }),
		Message: "For {problem} W is still the full matrix of FitRegularised."},
	{Key: "rows-truncated", Hint: 3, Tol: coarse,
		Answer: cutting(true, rows(func(j, _, rank int) bool { return j < rank })), Message: firstRows},
	{Key: "rows-truncated", Hint: 3, Tol: coarse,
		Answer: cutting(true, rows(func(j, l, rank int) bool { return max(j, l) < rank })), Message: firstRows},
	{Key: "signed-order", Hint: 3, Tol: coarse,
		Answer:  cutting(true, leading(func(v float64) float64 { return -v }, itself)),
		Message: "For {problem} the eigenvalues were taken in the order of their sign: the largest ones first. A large negative eigenvalue bends as strongly as a positive one: order by size."},
	{Key: "smallest-kept", Hint: 3, Tol: coarse, Answer: cutting(true, leading(itself, itself)), Message: smallestKept},
	{Key: "smallest-kept", Hint: 3, Tol: coarse, Answer: cutting(true, leading(math.Abs, itself)),
		Message: smallestKept},
	{Key: "signs-lost", Hint: 3, Tol: coarse, Answer: cutting(true, leading(bySize, math.Abs)),
		Message: "For {problem} the right directions were kept, and every one of them with a positive number: singular values are the sizes of the eigenvalues, without their signs. Σ s_j u_j v_jᵀ of a singular value decomposition has them in v_j."},
	{Key: "not-refitted", Hint: 3, Tol: coarse, Answer: cutting(false, leading(bySize, itself)),
		Message: "For {problem} w and w0 are still those of the full W. With another W another w fits best: learn them again, with W held fixed."},
})

const (
	firstRows    = "For {problem} W keeps its first rows. Rank is about directions, not about rows: keep the leading eigenvectors, W_r = Σ λ_j u_j u_jᵀ."
	smallestKept = "For {problem} the wrong eigenvalues were kept: gonum returns them rising, so the first ones are the smallest."
)

// cutting reduces the rank of the fitted W, and fits the rest again if refit is set.
func cutting(refit bool, cut func(W *mat.Dense, rank int) *mat.Dense) rankFunc {
	return func(X *mat.Dense, r []float64, lambda float64, rank int) (*mat.Dense, []float64, float64) {
		s := newSample("", X, r)
		W, w, w0 := s.apart(s.fit(own(lambda), nil))
		if W = cut(W, rank); refit {
			return s.apart(s.fit(own(unused), W))
		}
		return W, w, w0
	}
}

// rows sets the entries to 0 for which keep is false.
func rows(keep func(j, l, rank int) bool) func(W *mat.Dense, rank int) *mat.Dense {
	return func(W *mat.Dense, rank int) *mat.Dense {
		twoclass.Keep(func(j, l int) bool { return keep(j, l, rank) })(W, twoclass.Problem{})
		return W
	}
}

// bySize and itself order eigenvalues, least first.
func bySize(v float64) float64 { return -math.Abs(v) }
func itself(v float64) float64 { return v }

// leading keeps the first rank eigenvalues of a symmetric matrix in the given order, each
// replaced by of.
func leading(order, of func(v float64) float64) func(W *mat.Dense, rank int) *mat.Dense {
	return func(W *mat.Dense, rank int) *mat.Dense {
		d, _ := W.Dims()
		var e mat.EigenSym
		var u mat.Dense
		e.Factorize(mat.NewSymDense(d, W.RawMatrix().Data), true) // cannot fail: W is finite and comes from the check's own fit
		e.VectorsTo(&u)
		values := e.Values(nil)
		rising := slices.SortedFunc(slices.Values(values),
			func(a, b float64) int { return cmp.Compare(order(a), order(b)) })
		out := mat.NewDense(d, d, nil)
		for _, v := range rising[:rank] {
			j := slices.Index(values, v)
			out.RankOne(out, of(v), u.ColView(j), u.ColView(j))
		}
		return out
	}
}

// otherRank describes an answer that no mistake explains on all problems.
func otherRank(s sample, got []float64) *verify.Verdict {
	for _, m := range askRank.Mistakes { // a mistake may explain this problem alone
		W, w, w0 := m.Answer(s.X, s.T, s.lambda, s.rank)
		if verify.CloseSlice(got, slices.Concat([]float64{w0}, w, W.RawMatrix().Data),
			verify.Tolerance{Abs: s.tol}).OK {
			return judge.Fail(m.Key, m.Hint, "%s", strings.ReplaceAll(m.Message, "{problem}", s.Name))
		}
	}
	W, _, _ := s.apart(got)
	f, svd, rank := nearest(s, got), mat.SVD{}, 0
	if svd.Factorize(W, mat.SVDNone) {
		rank = floats.Count(func(v float64) bool { return v > s.tol }, svd.Values(nil))
	}
	switch {
	case f.OK:
		return nil
	case rank > s.rank:
		return judge.Fail("rank-too-high", 3, "For %v your W has rank %d.", s, rank)
	}
	return judge.Fail("not-nearest", 3,
		"For %v your W has a rank of %d, but it is not the part of the leading eigenvectors of the right FitRegularised's W: %s.",
		s, rank, f.Off())
}

func init() {
	askFit.Family, askRank.Family, askChoice.Family = unbounded, otherRank, otherChoice
	noFit, noChoice, noRank := judge.Unwritten[fitFunc](), judge.Unwritten[chooseFunc](), judge.Unwritten[rankFunc]()
	judge.Known(exercise, askFit, func(f fitFunc) *verify.Report { return Check(f, noChoice, noRank) })
	judge.Known(exercise, askChoice, func(f chooseFunc) *verify.Report { return Check(noFit, f, noRank) })
	judge.Known(exercise, askRank, func(f rankFunc) *verify.Report { return Check(noFit, noChoice, f) })
}

// fit returns the minimum of E plus these prices, each applied to the distance of a weight from
// 0, or from the entries of W if W is not nil.
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

// askMany collects the weights for several samples.
var askMany = &judge.Question[fitFunc, several]{
	Func: askFit.Func, Name: askFit.Name, Hint: askFit.Hint, Right: several.rights,
	Ask: func(fit fitFunc, c *judge.Call, p several) []float64 {
		return p.each(func(s sample) []float64 { return askFit.Ask(fit, c, s) })
	},
}

// lambdas are a small λ, a medium one, and a large one.
var lambdas = []float64{0.01, 0.5, 5}

// small are twelve small samples of one truth without quadratic terms, each with every λ. On
// them the variance of a right fit falls distinctly, although the variance over twelve samples
// is itself uncertain.
var small = instance.Once(func() []several {
	r := source(3)
	for {
		var out several
		test := draw(r, "new points", 1000, plain)
		for range 12 {
			s := draw(r, "a small sample", 36, plain)
			for _, lambda := range lambdas {
				s.lambda, s.test, s.W = lambda, &test, s.fit(own(lambda), nil)
				out = append(out, s)
			}
		}
		if !instance.Again(func() bool {
			spread, gain := out.effect(out.rights())
			return spread[0] > 2.3*spread[1] && spread[1] > 2.3*spread[2] && instance.Above(gain, 2)
		}) {
			return []several{out}
		}
	}
})

// effect returns the variance of W over the samples for each λ, summed over the entries of W,
// and by how much the largest λ beats the smallest on new points.
func (p several) effect(got []float64) (spread [3]float64, gain []float64) {
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

func noFall(p several, got []float64) *verify.Verdict {
	switch spread, gain := p.effect(got); {
	case !(spread[0] > 2*spread[1] && spread[1] > 2*spread[2]):
		return judge.Fail("no-effect", 1,
			"Over twelve small samples the variance of W, summed over its entries, is %.2g, %.2g and %.2g for λ = %g, %g and %g: it should fall distinctly.", spread[0], spread[1], spread[2], lambdas[0], lambdas[1], lambdas[2])
	case !instance.Above(gain, 2):
		return judge.Fail("no-gain", 1,
			"Over twelve small samples the log loss on new points is not distinctly smaller for λ = %g than for λ = %g.", lambdas[2], lambdas[0])
	}
	return nil
}

func fall(answers [][]float64) string {
	spread, gain := small()[0].effect(answers[0])
	mean, sd := stat.MeanStdDev(gain, nil)
	return fmt.Sprintf("the variance of W falls from %.2g to %.2g and %.2g for λ = %g, %g and %g, and the log loss on new points by %.2g ± %.1g.", spread[0], spread[1], spread[2], lambdas[0], lambdas[1], lambdas[2], mean, sd/math.Sqrt(float64(len(gain))))
}

// grid is unordered, so that an index cannot pass for a size.
var grid = []float64{1, 1e-3, 1000, 30, 0.1}

var askChoice = &judge.Question[chooseFunc, several]{
	Func: "ChooseLambda", Name: "choice", Hint: 4,
	Ask: func(choose chooseFunc, c *judge.Call, p several) []float64 {
		return p.each(func(s sample) []float64 {
			return []float64{choose(c.Dense("X", s.X), c.Slice("r", s.T), c.Slice("grid", s.grid))}
		})
	},
	Right: func(p several) []float64 { return p.each(func(s sample) []float64 { return []float64{s.better} }) },
	Mistakes: []judge.Mistake[chooseFunc]{
		{Key: "training-loss", Hint: 3,
			Answer:  func(_ *mat.Dense, _, grid []float64) float64 { return floats.Min(grid) },
			Message: "You always choose the smallest λ of the grid. So does whoever compares the loss on the points that were learned from: less penalty always fits them better. Compare on points left out."},
		{Key: "always-largest", Hint: 3,
			Answer:  func(_ *mat.Dense, _, grid []float64) float64 { return floats.Max(grid) },
			Message: "You always choose the largest λ of the grid, also for many points of strongly curved classes. Is the smallest loss looked for?"},
	},
}

// inGrid checks that the values are in their grids.
func inGrid(p several, got []float64) *verify.Verdict {
	const said = "You returned %g, which is not in the grid %v."
	for i, v := range got {
		switch grid := p[i].grid; {
		case slices.Contains(grid, v):
		case v >= 0 && v < float64(len(grid)) && v == math.Trunc(v):
			return judge.Fail("index", 4, said+" Is it the place of the best value? Return the value.", v, grid)
		default:
			return judge.Fail("not-in-grid", 4, said, v, grid)
		}
	}
	return nil
}

func anything(several, []float64) verify.Finding { return verify.Finding{OK: true} }

// familiar returns several samples of moderate size, as one choice of λ may be a coincidence.
func familiar() (list []several) {
	r := source(4)
	for range 2 {
		some := samples(r)
		list = append(list, some[1:2], some[2:3])
	}
	return list
}

// dearer is the factor by which λ grows when the units of x change by 8, so that the penalised
// fit keeps g(x) and the loss of every point left out: the fourth power of 8, exact.
const dearer = 4096

func inUnits(p several) several {
	s := p[0]
	s.X = mat.DenseCopyOf(s.X)
	s.X.Scale(8, s.X)
	s.grid = floats.ScaleTo(make([]float64, len(grid)), dearer, grid)
	return several{s}
}

// fresh are small samples without quadratic terms, for which a small λ is bad, and
// larger ones with strong quadratic terms, for which the largest λ is bad.
var fresh = instance.Once(func() []several {
	r := source(5)
	for {
		var out several
		add := func(truth []float64, n, times int, end float64) {
			test := draw(r, "new points", 1000, truth)
			for range times {
				s := draw(r, "a sample", n, truth)
				s.end, s.test = end, &test
				out = append(out, s)
			}
		}
		add(plain, 36, 10, floats.Min(grid))
		add(curved, 90, 4, floats.Max(grid))
		if !instance.Again(func() bool { // all plausible choices are clearly better
			small, large := out.gains(slices.Repeat([]float64{30}, len(out)))
			for _, lambda := range []float64{0.1, 1} {
				_, gain := out.gains(slices.Repeat([]float64{lambda}, len(out)))
				large = append(large, gain...)
			}
			return instance.Above(small, 2.5) && floats.Min(large) > 0.01
		}) {
			return []several{out}
		}
	}
})

// gains returns by how much new points are predicted better than with the end of the grid.
func (p several) gains(got []float64) (small, large []float64) {
	gain := make([]float64, len(p))
	for i, s := range p {
		gain[i] = s.test.loss(s.fit(own(s.end), nil)) - s.test.loss(s.fit(own(got[i]), nil))
	}
	return gain[:10], gain[10:]
}

func predicts(p several, got []float64) verify.Finding {
	small, large := p.gains(got)
	return verify.Finding{OK: instance.Above(small, 2) && instance.Above(large, 2) && floats.Min(got) < floats.Max(got)}
}

func gained(answers [][]float64) string {
	small, large := fresh()[0].gains(answers[0])
	return fmt.Sprintf("by %.2g and by %.2g in the mean log loss.", stat.Mean(small, nil), stat.Mean(large, nil))
}

// fixed holds the decisions, and samples with whole grids that show a choice of always the
// smallest or always the largest value.
var fixed = instance.Once(func() []several {
	few := small()[0]
	return []several{append(slices.Clone(decisions), few[0], few[3], few[6], samples(source(2))[0])}
})

// decides allows a single miss.
func decides(p several, got []float64) verify.Finding {
	missed := 0
	for i := 0; i < len(decisions); i += 2 {
		if got[i] != p[i].better || got[i+1] != p[i].better {
			missed++
		}
	}
	return verify.Finding{OK: missed <= 1, Note: fmt.Sprintf("%d of %d", missed, len(decisions)/2)}
}

// otherChoice describes choices that no mistake explains.
func otherChoice(p several, got []float64) *verify.Verdict {
	if p[0].better > 0 {
		var second int // how many choices are the second value of their pair
		for i, s := range p[:len(decisions)] {
			second += slices.Index(s.grid, got[i])
		}
		return judge.FailIf(second%len(decisions) == 0, "order", 3,
			"Of two values in the grid you always choose the one in the same place, also when the grid is turned round. Is the loss of every value of the grid looked at?")
	}
	if floats.Min(got) == floats.Max(got) {
		return judge.Fail("always-the-same", 3,
			"You choose λ = %g for every sample, small ones with straight boundaries and large ones with curved ones alike. The sample should decide.", got[0])
	}
	if small, _ := p.gains(got); !instance.Above(small, 2) {
		return judge.Fail("too-small", 3,
			"On ten small samples without curvature your choices do not predict new points distinctly better than the smallest λ. How are points left out, and is their loss added up over all of them?")
	}
	return nil
}
