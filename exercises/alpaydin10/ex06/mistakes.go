package ex06

import (
	"cmp"
	"math"
	"slices"
	"strings"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/optimize"
	"gonum.org/v1/gonum/stat"

	"github.com/hyperplane-notebooks/hyperplane/exercises/internal/instance"
	"github.com/hyperplane-notebooks/hyperplane/exercises/internal/judge"
	"github.com/hyperplane-notebooks/hyperplane/exercises/internal/kernel"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/verify"
)

type (
	fitFunc    = func(X *mat.Dense, r []float64, lambda float64) (W *mat.Dense, w []float64, w0 float64)
	chooseFunc = func(X *mat.Dense, r []float64, grid []float64) float64
	rankFunc   = func(X *mat.Dense, r []float64, lambda float64, rank int) (W *mat.Dense, w []float64, w0 float64)
)

// question asks for a model.
func question[F any](name string, hint int, call func(f F, c *judge.Call, s sample) (*mat.Dense, []float64, float64), mistakes []judge.Mistake[F]) *judge.Question[F, sample] {
	return &judge.Question[F, sample]{
		Func: name, Name: "weights", Hint: hint, New: true, Mistakes: mistakes,
		Right: func(s sample) []float64 { return slices.Clone(s.right) },
		Ask: func(f F, c *judge.Call, s sample) []float64 {
			W, w, w0 := call(f, c, s)
			_, d := s.X.Dims()
			if W == nil {
				c.Say(judge.Fail("empty", hint, "For %v no matrix came back for W. It is a new D×D matrix, also where all of it is 0.", s))
			}
			v := slices.Concat(c.Matrix("W", W, d, d, "D×D"), c.Vector("w", w, d, "input"), []float64{w0})
			if math.IsNaN(w0 - w0) {
				c.Say(judge.Fail("not-finite", hint, "For %v your w0 is %g.", s, w0))
			}
			return v
		},
	}
}

var askFit = question("FitRegularised", 3, func(fit fitFunc, c *judge.Call, s sample) (*mat.Dense, []float64, float64) {
	return fit(c.Dense("X", s.X), c.Slice("r", s.r), s.lambda)
}, []judge.Mistake[fitFunc]{
	pricing("bias-penalised", 2, "The bias is penalised too. It only moves g up and down and must be free to follow the shares of the classes.",
		func(l, _ float64) prices { return prices{l, 0, l, l, l} }),
	pricing("linear-penalised", 2, "The linear weights w are penalised too. Asked for is a penalty on the quadratic terms only, so that a large λ leads to the linear discriminant.",
		func(l, _ float64) prices { return prices{0, l, l, l, l} }),
	pricing("all-penalised", 2, "All weights are penalised, the bias among them. Asked for is a penalty on W only.",
		func(l, _ float64) prices { return prices{l, l, l, l, l} }),
	pricing("tied-penalty", 2, "Every pair of entries off the diagonal is penalised once, as if it were one number. ‖W‖² counts W_jl² and W_lj².",
		func(l, _ float64) prices { return prices{0, 0, l, l / 2, l / 2} }),
	pricing("triangle-features", 2, "Off the diagonal W is penalised twice as much as on it: one weight v for x_j·x_l, split into two halves W_jl = W_lj = v/2, costs ½λv², and that is four times ½λW_jl², not two times.",
		func(l, _ float64) prices { return prices{0, 0, l, 2 * l, 2 * l} }),
	pricing("one-triangle", 2, oneTriangle, func(l, _ float64) prices { return prices{0, 0, l, l, unused} }),
	pricing("one-triangle", 2, oneTriangle, func(l, _ float64) prices { return prices{0, 0, l, unused, l} }),
	pricing("squares-only", 2, "Your W has its diagonal only: the squares x_j². The products of different inputs belong to it, too.",
		func(l, _ float64) prices { return prices{0, 0, l, unused, unused} }),
	pricing("bias-left-out", 2, "Your w0 is 0: no bias is learned. It is the weight of a feature that is always 1.",
		func(l, _ float64) prices { return prices{unused, 0, l, l, l} }),
	pricing("factor", 2, "Your penalty is λ‖W‖²; the factor ½ is missing.", func(l, _ float64) prices { return own(2 * l) }),
	pricing("factor", 2, "Your penalty is ¼λ‖W‖²: there is a factor ½ too many.", func(l, _ float64) prices { return own(l / 2) }),
	pricing("averaged", 2, "Your penalty weighs N times as much as it should: is E the mean over the points? It is the sum.", func(l, n float64) prices { return own(n * l) }),
	pricing("averaged", 2, "Your penalty is divided by N.", func(l, n float64) prices { return own(l / n) }),
	pricing("inverse", 2, "You penalise by 1/λ: a large λ should make W small.", func(l, _ float64) prices { return own(1 / l) }),
	pricing("lambda-squared", 2, "You penalise by λ², once λ too many.", func(l, _ float64) prices { return own(l * l) }),
	pricing("no-quadratic", 1, "Your W is zero: the best linear discriminant, whatever λ is.", func(float64, float64) prices { return own(unused) }),
})

const oneTriangle = "One triangle of your W is 0: each product x_j·x_l has one weight, on one side. That is the same discriminant, but W_jl² + W_lj² is least where both are alike."

// prices are what the weights pay, each half of it times its square: the bias, w, and
// the entries of W on the diagonal, above and below it.
type prices struct{ bias, linear, diagonal, above, below float64 }

// own are the prices of the statement; unused is that of a weight that stays at 0.
func own(lambda float64) prices { return prices{0, 0, lambda, lambda, lambda} }

const unused = 1e9

// coarse is the agreement that names a mistake: minima of a learner's own search.
const coarse = 1e-3

// pricing is a mistake in what the weights pay, for λ and N.
func pricing(key string, hint int, message string, of func(l, n float64) prices) judge.Mistake[fitFunc] {
	return judge.Mistake[fitFunc]{Key: key, Hint: hint, Message: message, Tol: coarse,
		Answer: func(X *mat.Dense, r []float64, lambda float64) (*mat.Dense, []float64, float64) {
			m := sample{X: X, r: r}.fit(of(lambda, float64(len(r))))
			return m.W, m.w, m.w0
		}}
}

// unbounded names penalties without which there need not be a minimum that could be
// compared with: by the derivatives.
func unbounded(s sample, got []float64) *verify.Verdict {
	m := s.unflat(got)
	dW, dw, dw0 := m.gradient(s)
	zero := func(v ...float64) bool { return floats.Norm(v, 2) <= minimumTol*float64(len(s.r)) }
	switch {
	case !zero(dW...):
		return nil
	case zero(dw...) && zero(dw0):
		return judge.Fail("no-penalty", 1, "Your weights are the minimum of E alone: λ has no effect.")
	case zero(floats.AddScaledTo(dw, dw, s.lambda, m.w)...):
		return judge.Fail("linear-only-penalised", 2, "The penalty is on w, and W is free: the wrong way round. It is the many entries of W that make the variance.")
	}
	return nil
}

var askRank = question("FitLowRank", 4, func(fit rankFunc, c *judge.Call, s sample) (*mat.Dense, []float64, float64) {
	return fit(c.Dense("X", s.X), c.Slice("r", s.r), s.lambda, s.rank)
}, []judge.Mistake[rankFunc]{
	{Key: "not-truncated", Hint: 3, Message: "For {problem} W is still the full matrix of FitRegularised.",
		Answer: cutting(true, func(W *mat.Dense, _ int) *mat.Dense { return W })},
	{Key: "rows-truncated", Hint: 3, Message: firstRows, Tol: coarse, Answer: cutting(true, rows(func(j, _, rank int) bool { return j < rank }))},
	{Key: "rows-truncated", Hint: 3, Message: firstRows, Tol: coarse, Answer: cutting(true, rows(func(j, l, rank int) bool { return max(j, l) < rank }))},
	{Key: "signed-order", Hint: 3, Tol: coarse, Message: "For {problem} the eigenvalues were taken in the order of their sign: the largest ones first. A large negative eigenvalue bends as strongly as a positive one: order by size.",
		Answer: cutting(true, leading(func(v float64) float64 { return -v }, itself))},
	{Key: "smallest-kept", Hint: 3, Message: smallestKept, Tol: coarse, Answer: cutting(true, leading(itself, itself))},
	{Key: "smallest-kept", Hint: 3, Message: smallestKept, Tol: coarse, Answer: cutting(true, leading(math.Abs, itself))},
	{Key: "signs-lost", Hint: 3, Tol: coarse, Message: "For {problem} the right directions were kept, and every one of them with a positive number: singular values are the sizes of the eigenvalues, without their signs. Σ s_j u_j v_jᵀ of a singular value decomposition has them in v_j.",
		Answer: cutting(true, leading(bySize, math.Abs))},
	{Key: "not-refitted", Hint: 3, Tol: coarse, Message: "For {problem} w and w0 are still those of the full W. With another W another w fits best: learn them anew, with W held fixed.",
		Answer: cutting(false, leading(bySize, itself))},
})

const (
	firstRows    = "For {problem} W keeps its first rows. Rank is about directions, not about rows: keep the leading eigenvectors, W_r = Σ λ_j u_j u_jᵀ."
	smallestKept = "For {problem} the wrong eigenvalues were kept: gonum returns them rising, so the first ones are the smallest."
)

// cutting gives the fitted W another rank, and learns the rest anew or does not.
func cutting(anew bool, cut func(W *mat.Dense, rank int) *mat.Dense) rankFunc {
	return func(X *mat.Dense, r []float64, lambda float64, rank int) (*mat.Dense, []float64, float64) {
		s := sample{X: X, r: r}
		m := s.fit(own(lambda))
		if m.W = cut(m.W, rank); anew {
			m = s.refit(m.W)
		}
		return m.W, m.w, m.w0
	}
}

// rows keeps entries where they stand.
func rows(keep func(j, l, rank int) bool) func(W *mat.Dense, rank int) *mat.Dense {
	return func(W *mat.Dense, rank int) *mat.Dense {
		W.Apply(func(j, l int, v float64) float64 {
			if keep(j, l, rank) {
				return v
			}
			return 0
		}, W)
		return W
	}
}

// Orders of eigenvalues, the least first.
func bySize(v float64) float64 { return -math.Abs(v) }
func itself(v float64) float64 { return v }

// leading keeps so many eigenvalues of a symmetric matrix, in this order, each as of
// says.
func leading(order, of func(v float64) float64) func(W *mat.Dense, rank int) *mat.Dense {
	return func(W *mat.Dense, rank int) *mat.Dense {
		d, _ := W.Dims()
		var e mat.EigenSym
		var u mat.Dense
		e.Factorize(mat.NewSymDense(d, W.RawMatrix().Data), true) // finite, of the check's own fit
		e.VectorsTo(&u)
		values := e.Values(nil)
		rising := slices.SortedFunc(slices.Values(values), func(a, b float64) int { return cmp.Compare(order(a), order(b)) })
		out := mat.NewDense(d, d, nil)
		for _, v := range rising[:rank] {
			j := slices.Index(values, v)
			out.RankOne(out, of(v), u.ColView(j), u.ColView(j))
		}
		return out
	}
}

// otherRank tells what an answer is like that no mistake explains on all problems.
func otherRank(s sample, got []float64) *verify.Verdict {
	for _, m := range askRank.Mistakes { // on this one
		W, w, w0 := m.Answer(s.X, s.r, s.lambda, s.rank)
		if verify.CloseSlice(got, model{W, w, w0}.flat(), verify.Tolerance{Abs: s.tol}).OK {
			return judge.Fail(m.Key, m.Hint, "%s", strings.ReplaceAll(m.Message, "{problem}", s.name))
		}
	}
	f, svd, rank := nearest(s, got), mat.SVD{}, 0
	if svd.Factorize(s.unflat(got).W, mat.SVDNone) {
		rank = floats.Count(func(v float64) bool { return v > s.tol }, svd.Values(nil))
	}
	switch {
	case f.OK:
		return nil
	case rank > s.rank:
		return judge.Fail("rank-too-high", 3, "For %v your W has rank %d.", s, rank)
	}
	return judge.Fail("not-nearest", 3, "For %v your W has a rank of %d, but it is not the part of the leading eigenvectors of FitRegularised's W: %s.", s, rank, f.Off())
}

func init() {
	askFit.Family, askRank.Family = unbounded, otherRank
	noChoice := func(*mat.Dense, []float64, []float64) float64 { panic(verify.TODO) }
	judge.Known(exercise, askFit, func(f fitFunc) *verify.Report {
		return Check(f, noChoice, func(*mat.Dense, []float64, float64, int) (*mat.Dense, []float64, float64) { panic(verify.TODO) })
	})
	judge.Known(exercise, askRank, func(f rankFunc) *verify.Report {
		return Check(func(*mat.Dense, []float64, float64) (*mat.Dense, []float64, float64) { panic(verify.TODO) }, noChoice, f)
	})
}

// minimise returns the v that makes Σ_t E_t + ½ Σ_j price_j v_j² least, E_t the
// cross-entropy of σ(offset_t + φ_tᵀv).
func minimise(phi *mat.Dense, r, price, offset []float64) []float64 {
	scores := func(v []float64) []float64 {
		a := instance.Activations(phi, v)
		floats.Add(a, offset)
		return a
	}
	objective := optimize.Problem{
		Func: func(v []float64) (e float64) {
			for t, a := range scores(v) {
				e += kernel.CrossEntropy(a, r[t])
			}
			for j, c := range price {
				e += c * v[j] * v[j] / 2
			}
			return e
		},
		Grad: func(g, v []float64) {
			floats.MulTo(g, price, v)
			for t, a := range scores(v) {
				floats.AddScaled(g, kernel.Sigmoid(a)-r[t], phi.RawRowView(t))
			}
		},
		Hess: func(h *mat.SymDense, v []float64) {
			h.Zero()
			for t, a := range scores(v) {
				h.SymRankOne(h, kernel.Sigmoid(a)*kernel.Sigmoid(-a), phi.RowView(t))
			}
			for j, c := range price {
				h.SetSym(j, j, h.At(j, j)+c)
			}
		},
	}
	settings := &optimize.Settings{GradientThreshold: 1e-9 * float64(len(r)), MajorIterations: 100, Converger: optimize.NeverTerminate{}}
	result, _ := optimize.Minimize(objective, make([]float64, len(price)), settings, &optimize.Newton{}) // an error: it is as low as rounding lets it be
	return result.X
}

// fit is the minimum of E with these prices.
func (s sample) fit(p prices) model {
	n, d := s.X.Dims()
	price := append([]float64{p.bias}, slices.Repeat([]float64{p.linear}, d)...)
	for j := range d {
		for l := range d {
			price = append(price, []float64{p.above, p.diagonal, p.below}[1+cmp.Compare(j, l)])
		}
	}
	phi := mat.NewDense(n, len(price), nil)
	for t := range n {
		x, row := s.X.RawRowView(t), phi.RawRowView(t)
		row[0] = 1
		copy(row[1:], x)
		for j, v := range x {
			floats.ScaleTo(row[1+d+j*d:1+d+j*d+d], v, x)
		}
	}
	v := minimise(phi, s.r, price, make([]float64, n))
	return model{mat.NewDense(d, d, v[1+d:]), v[1 : 1+d], v[0]}
}

// refit learns w and w0 for this W.
func (s sample) refit(W *mat.Dense) model {
	n, d := s.X.Dims()
	offset := make([]float64, n)
	for t := range offset {
		offset[t] = mat.Inner(s.X.RowView(t), W, s.X.RowView(t))
	}
	v := minimise(instance.WithOnes(s.X), s.r, make([]float64, 1+d), offset)
	return model{W, v[1:], v[0]}
}

// The small λ of judgeVariance, one between, and the large one.
const tiny, between, stated = 0.01, 0.5, 5.0

// small are twelve small samples of one truth without quadratic terms, and new
// points of it.
type small struct {
	test    sample
	samples []sample
}

// drawSmall takes samples on which the variance falls distinctly for whoever fits
// rightly; that of twelve samples is itself uncertain.
var drawSmall = instance.Once(func() small {
	r := source(3)
	for {
		s := small{test: draw(r, "new points", 1000, plain)}
		for range 12 {
			s.samples = append(s.samples, draw(r, "a small sample", 36, plain))
		}
		if !instance.Again(func() bool {
			spread, gain := s.effect(func(x sample, lambda float64) model { return x.fit(own(lambda)) })
			return spread[0] > 2.3*spread[1] && spread[1] > 2.3*spread[2] && distinct(gain)
		}) {
			return s
		}
	}
})

// effect is the variance of W over the samples, summed over its entries, for each
// λ, and what the largest gains on new points over the smallest.
func (s small) effect(fit func(x sample, lambda float64) model) (spread [3]float64, gain []float64) {
	var W [3][]float64
	for _, x := range s.samples {
		var losses [3]float64
		for i, lambda := range []float64{tiny, between, stated} {
			m := fit(x, lambda)
			W[i] = append(W[i], m.W.RawMatrix().Data...)
			losses[i] = m.loss(s.test)
		}
		gain = append(gain, losses[0]-losses[2])
	}
	for i, entries := range W {
		for j := range 9 {
			spread[i] += stat.Variance(mat.Col(nil, j, mat.NewDense(len(s.samples), 9, entries)), nil)
		}
	}
	return spread, gain
}

// judgeVariance fits many small samples of one truth without quadratic terms.
func judgeVariance(fit fitFunc) verify.Verdict {
	var bad *verify.Verdict
	spread, gain := drawSmall().effect(func(x sample, lambda float64) model {
		x.lambda = lambda
		c := judge.NewCall(x.String(), askFit.Hint, false)
		v := askFit.Ask(fit, c, x)
		if bad = cmp.Or(bad, c.Verdict()); bad != nil {
			return plain
		}
		return x.unflat(v)
	})
	mean, sd := stat.MeanStdDev(gain, nil)
	switch {
	case bad != nil:
		return *bad
	case !(spread[0] > 2*spread[1] && spread[1] > 2*spread[2]):
		return verify.Fail("no-effect", 1, "Over twelve small samples the variance of W, summed over its entries, is %.2g, %.2g and %.2g for λ = %g, %g and %g: it should fall distinctly.", spread[0], spread[1], spread[2], tiny, between, stated)
	case !distinct(gain):
		return verify.Fail("no-gain", 1, "Over twelve small samples the log loss on new points is not distinctly smaller for λ = %g than for λ = %g.", stated, tiny)
	}
	return verify.Pass("Over twelve small samples the variance of W falls from %.2g to %.2g and %.2g for λ = %g, %g and %g, and the log loss on new points by %.2g ± %.1g.", spread[0], spread[1], spread[2], tiny, between, stated, mean, sd/math.Sqrt(float64(len(gain))))
}

// grid is in no order, so that a place in it is not a size.
var grid = []float64{1, 1e-3, 1000, 30, 0.1}

const smallest, largest = 1e-3, 1000

// A chooser calls the learner's ChooseLambda, until something is wrong with what came
// back.
type chooser struct {
	choose chooseFunc
	bad    *verify.Verdict // the first thing
}

// ask hands out copies.
func (c *chooser) ask(s sample, grid []float64, views bool) float64 {
	if c.bad != nil {
		return grid[0]
	}
	call := judge.NewCall(s.String(), 4, views)
	lambda := c.choose(call.Dense("X", s.X), call.Slice("r", s.r), call.Slice("grid", grid))
	if math.IsNaN(lambda - lambda) {
		call.Say(judge.Fail("not-finite", 4, "You returned %g, which is not in the grid %v.", lambda, grid))
	}
	c.bad = call.Verdict()
	return lambda
}

// value is ask, and sees to it that the value is one of the grid.
func (c *chooser) value(s sample, grid ...float64) float64 {
	lambda := c.ask(s, grid, false)
	switch {
	case c.bad != nil || slices.Contains(grid, lambda):
		return lambda
	case lambda >= 0 && lambda < float64(len(grid)) && lambda == math.Trunc(lambda):
		c.bad = judge.Fail("index", 4, "You returned %g, which is not in the grid %v. Is it the place of the best value? Asked for is the value.", lambda, grid)
	default:
		c.bad = judge.Fail("not-in-grid", 4, "You returned %g, which is not in the grid %v.", lambda, grid)
	}
	return grid[0]
}

func judgeChoiceForm(c *chooser) verify.Verdict {
	for _, s := range samples(source(4))[1:3] {
		first := c.ask(s, grid, false)
		if c.ask(s, grid, false) != first {
			return verify.Fail("not-constant", 4, "Two calls with the same sample chose different values. If the points are divided at random, fix the seed.")
		}
		if c.ask(s, grid, true) != first {
			return verify.Fail("views", 0, "For %v the choice is another one when X is handed over as a part of a larger matrix (Slice). RawMatrix().Data then has numbers between the rows: use At, RawRowView, or the Stride.", s)
		}
		c.value(s, grid...)
	}
	return verify.Pass("You returned values of the grid.")
}

// judgeUnits gives the inputs other units, and λ those in which the penalised fit
// stays what it was: g(x), and so every loss of a point left out, is the same.
func judgeUnits(c *chooser) verify.Verdict {
	const unit, lambdas = 8.0, 4096.0 // its fourth power, exact
	for _, s := range samples(source(7))[1:3] {
		first, other := c.value(s, grid...), s
		other.X = mat.DenseCopyOf(s.X)
		other.X.Scale(unit, other.X)
		if c.value(other, floats.ScaleTo(make([]float64, len(grid)), lambdas, grid)...) != lambdas*first {
			return verify.Fail("units", 3, "For %v, with all inputs %g times as large and all λ %g times, you choose another place of the grid. The W of each fit is then divided by %g: λ‖W‖² is the same, and so are g(x) and the loss of every point left out. What else enters your choice?", s, unit, lambdas, unit*unit)
		}
	}
	return verify.Pass("In other units of the inputs, with λ in the units that belong to them, you choose the same.")
}

// judgeChoice draws small samples without quadratic terms, for which a small λ is
// bad, and larger ones with strong quadratic terms, for which the largest is.
func judgeChoice(c *chooser) verify.Verdict {
	r := source(5)
	var choices []float64
	better := func(truth model, n, times int, end float64) (gain []float64) {
		test := draw(r, "new points", 1000, truth)
		for range times {
			s := draw(r, "a sample", n, truth)
			lambda := c.value(s, grid...)
			choices = append(choices, lambda)
			gain = append(gain, s.fit(own(end)).loss(test)-s.fit(own(lambda)).loss(test))
		}
		return gain
	}
	small, large := better(plain, 36, 10, smallest), better(curved, 90, 4, largest)
	always := func(v float64) bool {
		return floats.Count(func(c float64) bool { return c == v }, choices) == len(choices)
	}
	switch {
	case always(smallest):
		return verify.Fail("training-loss", 3, "You always choose the smallest λ of the grid. So does whoever compares the loss on the points that were learned from: less penalty always fits them better. Compare on points left out.")
	case always(largest):
		return verify.Fail("always-largest", 3, "You always choose the largest λ of the grid, also for many points of strongly curved classes. Is the smallest loss looked for?")
	case always(choices[0]):
		return verify.Fail("always-the-same", 3, "You choose λ = %g for every sample, small ones with straight boundaries and large ones with curved ones alike. The sample should decide.", choices[0])
	case !distinct(small):
		return verify.Fail("too-small", 3, "On ten small samples without curvature your choices do not predict new points distinctly better than the smallest λ. How are points left out, and is their loss added up over all of them?")
	case !distinct(large):
		return verify.Fail("too-large", 3, "On larger samples of strongly curved classes your choices do not predict new points distinctly better than the largest λ.")
	}
	return verify.Pass("On ten small samples your choice predicts new points better than the smallest λ, by %.2g in the mean log loss; on four larger, curved ones better than the largest, by %.2g.", stat.Mean(small, nil), stat.Mean(large, nil))
}

// distinct tells whether the mean of the gains is above 0 by more than two standard
// errors. A gain counts as ½ at most, and as −½ at least: with the smallest λ one
// sample in ten has a loss of many units, and its size would drown the others.
func distinct(gain []float64) bool {
	bounded := make([]float64, len(gain))
	for i, g := range gain {
		bounded[i] = math.Max(-0.5, math.Min(0.5, g))
	}
	mean, sd := stat.MeanStdDev(bounded, nil)
	return mean > 2*sd/math.Sqrt(float64(len(gain)))
}

// judgeDecided hands each pair out in both orders.
func judgeDecided(c *chooser) verify.Verdict {
	missed, always := 0, map[string]int{}
	for _, d := range decisions {
		a, b := c.value(d.sample, d.better, d.worse), c.value(d.sample, d.worse, d.better)
		if a != d.better || b != d.better {
			missed++
		}
		switch {
		case a == b && a == min(d.better, d.worse):
			always["smaller"]++
		case a == b:
			always["larger"]++
		case a == d.better:
			always["first"]++
		default:
			always["last"]++
		}
	}
	switch {
	case missed <= 1:
		return verify.Pass("On %d of %d fixed samples you choose the λ that predicts left-out points better, whatever the order of the grid.", len(decisions)-missed, len(decisions))
	case max(always["first"], always["last"]) == len(decisions):
		return verify.Fail("order", 3, "Of two values in the grid you always choose the one in the same place, also when the grid is turned round. Is the loss of every value of the grid looked at?")
	}
	// With whole grids it shows whether it is always the smallest or the largest.
	ends := map[float64]int{}
	for _, x := range append(drawSmall().samples[:3:3], samples(source(2))[0]) {
		ends[c.value(x, grid...)]++
	}
	switch {
	case always["smaller"] == len(decisions) && ends[smallest] == 4:
		return verify.Fail("training-loss", 3, "Of two values in the grid you always choose the smaller one, as whoever compares the loss on the points that were learned from.")
	case always["larger"] == len(decisions) && ends[largest] == 4:
		return verify.Fail("always-largest", 3, "Of two values in the grid you always choose the larger one.")
	}
	return verify.Fail("left-out-loss", 3, "On %d of %d fixed samples, with two values of λ to choose from, the points left out are predicted better by the value that you do not choose, and it hardly matters how they are divided, if only every point has its turn (a single hold-out is a matter of luck here). Is each group predicted by what was learned from all the others? And what is added up for a point left out? It is −log of the probability given to its own class, neither the number of errors nor another distance, with g(x) = xᵀWx + wᵀx + w0 of the fit with just this λ.", missed, len(decisions))
}
