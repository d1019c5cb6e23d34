package ex06

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat"

	"github.com/hyperplane-notebooks/hyperplane/exercises/internal/instance"
	"github.com/hyperplane-notebooks/hyperplane/exercises/internal/judge"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/verify"
)

type (
	fitFunc    = func(X *mat.Dense, r []float64, lambda float64) (W *mat.Dense, w []float64, w0 float64)
	chooseFunc = func(X *mat.Dense, r []float64, grid []float64) float64
	rankFunc   = func(X *mat.Dense, r []float64, lambda float64, rank int) (W *mat.Dense, w []float64, w0 float64)
	// A call hands a sample to one of the two fits.
	call = func(c *judge.Call, s sample) (W *mat.Dense, w []float64, w0 float64)
)

func regularised(fit fitFunc, lambda float64) call {
	return func(c *judge.Call, s sample) (*mat.Dense, []float64, float64) {
		return fit(c.Dense("X", s.X), c.Slice("r", s.r), lambda)
	}
}

// held is the λ with which FitLowRank is asked.
const held = 0.5

func lowered(fit rankFunc) call {
	return func(c *judge.Call, s sample) (*mat.Dense, []float64, float64) {
		return fit(c.Dense("X", s.X), c.Slice("r", s.r), held, s.rank)
	}
}

// fail is a verdict as a pointer, for what returns nil where all is well.
func fail(key string, hint int, format string, args ...any) *verify.Verdict {
	v := verify.Fail(key, hint, format, args...)
	return &v
}

// take asks for a model, or says what is wrong with its form.
func take(f call, s sample, hint int, views bool) (model, *judge.Call, *verify.Verdict) {
	c := judge.NewCall(s.String(), hint, views)
	W, w, w0 := f(c, s)
	_, d := s.X.Dims()
	if W == nil {
		c.Say(fail("empty", hint, "For %v no matrix came back for W. It is a new D×D matrix, also where all of it is 0.", s))
	}
	var m model
	if v, u := c.Matrix("W", W, d, d, "D×D"), c.Vector("w", w, d, "input"); v != nil && u != nil {
		m = model{mat.NewDense(d, d, v), u, w0}
	}
	if math.IsNaN(w0) || math.IsInf(w0, 0) {
		c.Say(fail("not-finite", hint, "For %v your w0 is %g.", s, w0))
	}
	return m, c, c.Verdict()
}

// flat is all weights of a model.
func (m model) flat() []float64 { return slices.Concat(m.W.RawMatrix().Data, m.w, []float64{m.w0}) }

func judgeForm(list []sample, hint int, f call) verify.Verdict {
	for i, s := range list {
		first, c, bad := take(f, s, hint, false)
		if bad != nil {
			return *bad
		}
		for _, views := range []bool{false, true} {
			again, _, bad := take(f, s, hint, views)
			if bad == nil && verify.CloseSlice(again.flat(), first.flat(), verify.Tolerance{Rel: 1e-9}).OK {
				continue
			}
			if !views {
				return verify.Fail("not-constant", 0, "Two calls with the same sample and λ gave different weights. If something is drawn at random, fix its seed.")
			}
			return verify.Fail("views", 0, "For %v the weights are others when X is handed over as a part of a larger matrix (Slice). RawMatrix().Data then has numbers between the rows: use At, RawRowView, or the Stride.", s)
		}
		take(f, list[(i+1)%len(list)], hint, false) // what is wrong with that is said in its turn
		if !c.Kept() {
			return verify.Fail("not-new", hint, "What you returned for %v was changed by the next call: each call returns something new.", s)
		}
	}
	return verify.Pass("You returned a D×D matrix, D weights and a bias, for D from 1 to 5.")
}

var lambdas = []float64{0.3, 4}

// minimumTol is the gradient per point that still counts as zero: far looser than
// Newton's method needs, and tight enough to tell every mistake apart.
const minimumTol = 1e-5

// judgeMinimum needs no minimum to compare with: at it the derivatives vanish, and
// the function is convex.
func judgeMinimum(fit fitFunc) verify.Verdict {
	for _, s := range samples(source(2)) {
		for _, lambda := range lambdas {
			m, _, bad := take(regularised(fit, lambda), s, 3, false)
			if bad != nil {
				return *bad
			}
			dW, dw, dw0 := m.gradient(s)
			tol := minimumTol * float64(len(s.r))
			zero := func(v ...float64) bool { return floats.Norm(v, 2) <= tol }
			left := residue(dW, m.W, lambda)
			if zero(left...) && zero(dw...) && zero(dw0) {
				continue
			}
			if v, ok := recognise(s, m, lambda, dW, dw, dw0, tol); ok {
				return v
			}
			size := math.Max(floats.Norm(left, 2), math.Max(floats.Norm(dw, 2), math.Abs(dw0)))
			return verify.Fail("not-minimum", 3, "For %v and λ = %g the derivatives of E + ½λ‖W‖² do not vanish at your weights: together they are about %s.", s, lambda, verify.Magnitude(size))
		}
	}
	return verify.Pass("All derivatives vanish at your weights: those with respect to w and w0 without a penalty, and dE/dW = −λW.")
}

// residue is dW + cW, which is zero at the minimum for c = λ.
func residue(dW, W *mat.Dense, c float64) []float64 {
	v := dW.RawMatrix().Data
	return floats.AddScaledTo(make([]float64, len(v)), v, c, W.RawMatrix().Data)
}

// recognise names the function of which the learner's weights are the minimum.
func recognise(s sample, m model, lambda float64, dW *mat.Dense, dw []float64, dw0, tol float64) (verify.Verdict, bool) {
	zero := func(v ...float64) bool { return floats.Norm(v, 2) <= tol }
	plus := func(c float64) []float64 { return floats.AddScaledTo(make([]float64, len(dw)), dw, c, m.w) }
	quadratic, linear, bias := zero(residue(dW, m.W, lambda)...), zero(dw...), zero(dw0)
	d, n := len(m.w), float64(len(s.r))
	// entries looks at each entry's derivative with c times λW added; c is 0 for an
	// entry that must be 0 itself.
	entries := func(c func(j, l int) float64) bool {
		var left []float64
		for j := range d {
			for l := range d {
				if c(j, l) == 0 {
					left = append(left, m.W.At(j, l))
				} else {
					left = append(left, dW.At(j, l)+c(j, l)*lambda*m.W.At(j, l))
				}
			}
		}
		return d > 1 && mat.Norm(m.W, 2) > 0 && zero(left...)
	}
	off := func(diagonal, above, below float64) func(j, l int) float64 {
		return func(j, l int) float64 {
			switch {
			case j == l:
				return diagonal
			case j < l:
				return above
			}
			return below
		}
	}
	switch {
	case zero(dW.RawMatrix().Data...) && linear && bias:
		return verify.Fail("no-penalty", 1, "Your weights are the minimum of E alone: λ has no effect."), true
	case quadratic && linear && zero(dw0+lambda*m.w0):
		return verify.Fail("bias-penalised", 2, "The bias is penalised too. It only moves g up and down and must be free to follow the shares of the classes."), true
	case quadratic && zero(plus(lambda)...) && bias:
		return verify.Fail("linear-penalised", 2, "The linear weights w are penalised too. Asked for is a penalty on the quadratic terms only, so that a large λ leads to the linear discriminant."), true
	case quadratic && zero(plus(lambda)...) && zero(dw0+lambda*m.w0):
		return verify.Fail("all-penalised", 2, "All weights are penalised, the bias among them. Asked for is a penalty on W only."), true
	case zero(dW.RawMatrix().Data...) && zero(plus(lambda)...):
		return verify.Fail("linear-only-penalised", 2, "The penalty is on w, and W is free: the wrong way round. It is the many entries of W that make the variance."), true
	case entries(off(1, 0.5, 0.5)) && linear && bias:
		return verify.Fail("tied-penalty", 2, "Every pair of entries off the diagonal is penalised once, as if it were one number. ‖W‖² counts W_jl² and W_lj²."), true
	case entries(off(1, 2, 2)) && linear && bias:
		return verify.Fail("triangle-features", 2, "Off the diagonal W is penalised twice as much as on it: one weight v for x_j·x_l, split into two halves W_jl = W_lj = v/2, costs ½λv², and that is four times ½λW_jl², not two times."), true
	case (entries(off(1, 1, 0)) || entries(off(1, 0, 1))) && linear && bias:
		return verify.Fail("one-triangle", 2, "One triangle of your W is 0: each product x_j·x_l has one weight, on one side. That is the same discriminant, but W_jl² + W_lj² is least where both are alike."), true
	case entries(off(1, 0, 0)) && linear && bias:
		return verify.Fail("squares-only", 2, "Your W has its diagonal only: the squares x_j². The products of different inputs belong to it, too."), true
	case quadratic && linear && m.w0 == 0:
		return verify.Fail("bias-left-out", 2, "Your w0 is 0: no bias is learned. It is the weight of a feature that is always 1."), true
	}
	if mat.Norm(m.W, 2) > 0 && linear && bias {
		for _, c := range []struct {
			factor       float64
			key, message string
		}{
			{2, "factor", "Your penalty is λ‖W‖²; the factor ½ is missing."},
			{0.5, "factor", "Your penalty is ¼λ‖W‖²: there is a factor ½ too many."},
			{n, "averaged", "Your penalty weighs N times as much as it should: is E the mean over the points? It is the sum."},
			{1 / n, "averaged", "Your penalty is divided by N."},
			{1 / (lambda * lambda), "inverse", "You penalise by 1/λ: a large λ should make W small."},
			{lambda, "lambda-squared", "You penalise by λ², once λ too many."},
		} {
			if zero(residue(dW, m.W, c.factor*lambda)...) {
				return verify.Fail(c.key, 2, "%s", c.message), true
			}
		}
	}
	if mat.Norm(m.W, 2) == 0 && linear && bias {
		return verify.Fail("no-quadratic", 1, "Your W is zero: the best linear discriminant, whatever λ is."), true
	}
	return verify.Verdict{}, false
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
		right := func(x sample, lambda float64) (model, *verify.Verdict) { return x.fit(lambda, nil), nil }
		if !instance.Again(func() bool {
			spread, gain, _ := s.effect(right)
			return spread[0] > 2.3*spread[1] && spread[1] > 2.3*spread[2] && distinct(gain)
		}) {
			return s
		}
	}
})

// effect is the variance of W over the samples, summed over its entries, for each
// λ, and what the largest gains on new points over the smallest.
func (s small) effect(fit func(x sample, lambda float64) (model, *verify.Verdict)) (spread [3]float64, gain []float64, bad *verify.Verdict) {
	W := map[int][][]float64{}
	for _, x := range s.samples {
		var losses [3]float64
		for i, lambda := range []float64{tiny, between, stated} {
			m, bad := fit(x, lambda)
			if bad != nil {
				return spread, nil, bad
			}
			W[i] = append(W[i], m.W.RawMatrix().Data)
			losses[i] = m.loss(s.test)
		}
		gain = append(gain, losses[0]-losses[2])
	}
	for i := range spread {
		for j := range W[i][0] {
			var column []float64
			for _, entries := range W[i] {
				column = append(column, entries[j])
			}
			spread[i] += stat.Variance(column, nil)
		}
	}
	return spread, gain, nil
}

// judgeVariance fits many small samples of one truth without quadratic terms.
func judgeVariance(fit fitFunc) verify.Verdict {
	spread, gain, bad := drawSmall().effect(func(x sample, lambda float64) (model, *verify.Verdict) {
		m, _, bad := take(regularised(fit, lambda), x, 3, false)
		return m, bad
	})
	if bad != nil {
		return *bad
	}
	if !(spread[0] > 2*spread[1] && spread[1] > 2*spread[2]) {
		return verify.Fail("no-effect", 1, "Over twelve small samples the variance of W, summed over its entries, is %.2g, %.2g and %.2g for λ = %g, %g and %g: it should fall distinctly.", spread[0], spread[1], spread[2], tiny, between, stated)
	}
	mean, sd := stat.MeanStdDev(gain, nil)
	if !distinct(gain) {
		return verify.Fail("no-gain", 1, "Over twelve small samples the log loss on new points is not distinctly smaller for λ = %g than for λ = %g.", stated, tiny)
	}
	return verify.Pass("Over twelve small samples the variance of W falls from %.2g to %.2g and %.2g for λ = %g, %g and %g, and the log loss on new points by %.2g ± %.1g.", spread[0], spread[1], spread[2], tiny, between, stated, mean, sd/math.Sqrt(float64(len(gain))))
}

// grid is in no order, so that a place in it is not a size.
var grid = []float64{1, 1e-3, 1000, 30, 0.1}

const smallest, largest = 1e-3, 1000

// askChoice calls the learner's ChooseLambda with copies.
func askChoice(choose chooseFunc, s sample, grid []float64, views bool) (float64, *verify.Verdict) {
	c := judge.NewCall(s.String(), 4, views)
	lambda := choose(c.Dense("X", s.X), c.Slice("r", s.r), c.Slice("grid", grid))
	if math.IsNaN(lambda) || math.IsInf(lambda, 0) {
		c.Say(fail("not-finite", 4, "You returned %g, which is not in the grid %v.", lambda, grid))
	}
	return lambda, c.Verdict()
}

// chosen is askChoice, and sees to it that the value is one of the grid.
func chosen(choose chooseFunc, s sample, grid []float64) (float64, *verify.Verdict) {
	lambda, bad := askChoice(choose, s, grid, false)
	switch {
	case bad != nil || slices.Contains(grid, lambda):
		return lambda, bad
	case lambda >= 0 && lambda < float64(len(grid)) && lambda == math.Trunc(lambda):
		return 0, fail("index", 4, "You returned %g, which is not in the grid %v. Is it the place of the best value? Asked for is the value.", lambda, grid)
	}
	return 0, fail("not-in-grid", 4, "You returned %g, which is not in the grid %v.", lambda, grid)
}

func judgeChoiceForm(choose chooseFunc) verify.Verdict {
	for _, s := range samples(source(4))[1:3] {
		first, bad := askChoice(choose, s, grid, false)
		if bad != nil {
			return *bad
		}
		if again, bad := askChoice(choose, s, grid, false); bad != nil || again != first {
			return verify.Fail("not-constant", 4, "Two calls with the same sample chose different values. If the points are divided at random, fix the seed.")
		}
		if again, bad := askChoice(choose, s, grid, true); bad != nil || again != first {
			return verify.Fail("views", 0, "For %v the choice is another one when X is handed over as a part of a larger matrix (Slice). RawMatrix().Data then has numbers between the rows: use At, RawRowView, or the Stride.", s)
		}
		if _, bad := chosen(choose, s, grid); bad != nil {
			return *bad
		}
	}
	return verify.Pass("You returned values of the grid.")
}

// judgeUnits gives the inputs other units, and λ those in which the penalised fit
// stays what it was: g(x), and so every loss of a point left out, is the same.
func judgeUnits(choose chooseFunc) verify.Verdict {
	for _, s := range samples(source(7))[1:3] {
		first, bad := chosen(choose, s, grid)
		if bad != nil {
			return *bad
		}
		for _, unit := range []float64{8} {
			other := s
			other.X = mat.DenseCopyOf(s.X)
			other.X.Scale(unit, other.X)
			scaled := slices.Clone(grid)
			floats.Scale(math.Pow(unit, 4), scaled) // powers of 2: exact
			lambda, bad := chosen(choose, other, scaled)
			if bad != nil {
				return *bad
			}
			if lambda != first*math.Pow(unit, 4) {
				return verify.Fail("units", 3, "For %v, with all inputs %g times as large and all λ %g times, you choose another place of the grid. The W of each fit is then divided by %g: λ‖W‖² is the same, and so are g(x) and the loss of every point left out. What else enters your choice?", s, unit, math.Pow(unit, 4), unit*unit)
			}
		}
	}
	return verify.Pass("In other units of the inputs, with λ in the units that belong to them, you choose the same.")
}

// judgeChoice draws small samples without quadratic terms, for which a small λ is
// bad, and larger ones with strong quadratic terms, for which the largest is.
func judgeChoice(choose chooseFunc) verify.Verdict {
	r := source(5)
	var choices []float64
	better := func(truth model, n, times int, end float64) (gain []float64, bad *verify.Verdict) {
		test := draw(r, "new points", 1000, truth)
		for range times {
			s := draw(r, "a sample", n, truth)
			lambda, bad := chosen(choose, s, grid)
			if bad != nil {
				return nil, bad
			}
			choices = append(choices, lambda)
			gain = append(gain, s.fit(end, nil).loss(test)-s.fit(lambda, nil).loss(test))
		}
		return gain, nil
	}
	small, bad := better(plain, 36, 10, smallest)
	if bad != nil {
		return *bad
	}
	large, bad := better(curved, 90, 4, largest)
	if bad != nil {
		return *bad
	}
	count := func(v float64) (n int) {
		for _, c := range choices {
			if c == v {
				n++
			}
		}
		return n
	}
	switch {
	case count(smallest) == len(choices):
		return verify.Fail("training-loss", 3, "You always choose the smallest λ of the grid. So does whoever compares the loss on the points that were learned from: less penalty always fits them better. Compare on points left out.")
	case count(largest) == len(choices):
		return verify.Fail("always-largest", 3, "You always choose the largest λ of the grid, also for many points of strongly curved classes. Is the smallest loss looked for?")
	case count(choices[0]) == len(choices):
		return verify.Fail("always-the-same", 3, "You choose λ = %g for every sample, small ones with straight boundaries and large ones with curved ones alike. The sample should decide.", choices[0])
	}
	if !distinct(small) {
		return verify.Fail("too-small", 3, "On ten small samples without curvature your choices do not predict new points distinctly better than the smallest λ. How are points left out, and is their loss added up over all of them?")
	}
	if !distinct(large) {
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
func judgeDecided(choose chooseFunc) verify.Verdict {
	missed, firsts, smaller := 0, 0, 0
	for _, c := range decisions {
		wrong := false
		for _, grid := range [][]float64{{c.better, c.worse}, {c.worse, c.better}} {
			lambda, bad := chosen(choose, c.sample(), grid)
			if bad != nil {
				return *bad
			}
			wrong = wrong || lambda != c.better
			if lambda == grid[0] {
				firsts++
			}
			if lambda == floats.Min(grid) {
				smaller++
			}
		}
		if wrong {
			missed++
		}
	}
	switch {
	case missed <= 1:
		return verify.Pass("On %d of %d fixed samples you choose the λ that predicts left-out points better, whatever the order of the grid.", len(decisions)-missed, len(decisions))
	case firsts == 0 || firsts == 2*len(decisions):
		return verify.Fail("order", 3, "Of two values in the grid you always choose the one in the same place, also when the grid is turned round. Is the loss of every value of the grid looked at?")
	}
	// With whole grids it shows whether it is always the smallest or the largest.
	ends := map[float64]int{}
	for _, x := range append(drawSmall().samples[:3:3], samples(source(2))[0]) {
		lambda, bad := chosen(choose, x, grid)
		if bad != nil {
			return *bad
		}
		ends[lambda]++
	}
	switch {
	case smaller == 2*len(decisions) && ends[smallest] == 4:
		return verify.Fail("training-loss", 3, "Of two values in the grid you always choose the smaller one, as whoever compares the loss on the points that were learned from.")
	case smaller == 0 && ends[largest] == 4:
		return verify.Fail("always-largest", 3, "Of two values in the grid you always choose the larger one.")
	}
	return verify.Fail("left-out-loss", 3, "On %d of %d fixed samples, with two values of λ to choose from, the points left out are predicted better by the value that you do not choose, and it hardly matters how they are divided, if only every point has its turn (a single hold-out is a matter of luck here). Is each group predicted by what was learned from all the others? And what is added up for a point left out? It is −log of the probability given to its own class, neither the number of errors nor another distance, with g(x) = xᵀWx + wᵀx + w0 of the fit with just this λ.", missed, len(decisions))
}

// judgeRank compares W with the nearest matrix of its rank, and looks at the
// derivatives with respect to the rest.
func judgeRank(fit rankFunc) verify.Verdict {
	full := map[*mat.Dense]model{} // once for all ranks of a sample
	for _, s := range ranked() {
		if _, known := full[s.X]; !known {
			full[s.X] = s.fit(held, nil)
		}
		m, _, bad := take(lowered(fit), s, 4, false)
		if bad == nil {
			bad = wrongRank(s, m, full[s.X], s.rank)
		}
		if bad != nil {
			return *bad
		}
	}
	return verify.Pass("Your W has the rank asked for and is the nearest such matrix to the fitted one; w and w0 are the best for it. Rank 0 is the linear discriminant, rank D the quadratic one.")
}

// wrongRank is nil where m is the low-rank model that belongs to full.
func wrongRank(s sample, m, full model, rank int) *verify.Verdict {
	d := len(m.w)
	order := func(before func(a, b float64) bool) *mat.Dense {
		return leading(full.W, rank, before, func(v float64) float64 { return v })
	}
	bySize := func(a, b float64) bool { return a*a > b*b }
	want := order(bySize)
	size := 1e-4 * (1 + mat.Norm(full.W, 2))
	near := func(a mat.Matrix) bool { return verify.CloseMat(m.W, a, verify.Tolerance{Abs: size}).OK }
	if !near(want) {
		var svd mat.SVD
		got := 0
		if svd.Factorize(m.W, mat.SVDNone) {
			for _, v := range svd.Values(nil) {
				if v > size {
					got++
				}
			}
		}
		block := mat.NewDense(d, d, nil) // the first rows and columns
		rows := mat.NewDense(d, d, nil)
		for j := range rank {
			rows.SetRow(j, full.W.RawRowView(j))
			for l := range rank {
				block.Set(j, l, full.W.At(j, l))
			}
		}
		switch {
		case rank < d && near(full.W):
			return fail("not-truncated", 3, "For %v W is still the full matrix of FitRegularised.", s)
		case near(rows), near(block):
			return fail("rows-truncated", 3, "For %v W keeps its first rows. Rank is about directions, not about rows: keep the leading eigenvectors, W_r = Σ λ_j u_j u_jᵀ.", s)
		case near(order(func(a, b float64) bool { return a > b })):
			return fail("signed-order", 3, "For %v the eigenvalues were taken in the order of their sign: the largest ones first. A large negative eigenvalue bends as strongly as a positive one: order by size.", s)
		case near(order(func(a, b float64) bool { return a < b })),
			near(order(func(a, b float64) bool { return a*a < b*b })):
			return fail("smallest-kept", 3, "For %v the wrong eigenvalues were kept: gonum returns them rising, so the first ones are the smallest.", s)
		case near(leading(full.W, rank, bySize, math.Abs)):
			return fail("signs-lost", 3, "For %v the right directions were kept, and every one of them with a positive number: singular values are the sizes of the eigenvalues, without their signs. Σ s_j u_j v_jᵀ of a singular value decomposition has them in v_j.", s)
		case got > rank:
			return fail("rank-too-high", 3, "For %v your W has rank %d.", s, got)
		}
		f := verify.CloseMat(m.W, want, verify.Tolerance{})
		return fail("not-nearest", 3, "For %v your W has a rank of %d, but it is not the part of the leading eigenvectors of FitRegularised's W: %s.", s, got, f.Off())
	}
	_, dw, dw0 := m.gradient(s)
	tol := 10 * minimumTol * float64(len(s.r))
	if floats.Norm(append(dw, dw0), 2) <= tol {
		return nil
	}
	if rank < d && verify.CloseSlice(m.w, full.w, verify.Tolerance{Abs: 1e-4}).OK && verify.Close(m.w0, full.w0, verify.Tolerance{Abs: 1e-4}).OK {
		return fail("not-refitted", 3, "For %v w and w0 are still those of the full W. With another W another w fits best: learn them anew, with W held fixed.", s)
	}
	return fail("not-best", 3, "For %v W is right, but w and w0 are not the best for it: the derivatives of E do not vanish.", s)
}

// leading keeps so many eigenvalues of the symmetric w, in this order, each as of
// says.
func leading(w *mat.Dense, rank int, before func(a, b float64) bool, of func(v float64) float64) *mat.Dense {
	d, _ := w.Dims()
	sym := mat.NewSymDense(d, nil)
	for j := range d {
		for l := j; l < d; l++ {
			sym.SetSym(j, l, (w.At(j, l)+w.At(l, j))/2)
		}
	}
	var e mat.EigenSym
	var u mat.Dense
	e.Factorize(sym, true) // finite, of the check's own fit
	e.VectorsTo(&u)
	values, places := e.Values(nil), make([]int, d)
	for j := range places {
		places[j] = j
	}
	slices.SortStableFunc(places, func(a, b int) int {
		switch {
		case before(values[a], values[b]):
			return -1
		case before(values[b], values[a]):
			return 1
		}
		return 0
	})
	out := mat.NewDense(d, d, nil)
	for _, j := range places[:rank] {
		out.RankOne(out, of(values[j]), u.ColView(j), u.ColView(j))
	}
	return out
}
