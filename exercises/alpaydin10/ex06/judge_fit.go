package ex06

import (
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat"

	"github.com/hyperplane-notebooks/hyperplane/exercises/internal/form"
	"github.com/hyperplane-notebooks/hyperplane/exercises/internal/instance"
	"github.com/hyperplane-notebooks/hyperplane/exercises/internal/learner"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/verify"
)

type fitFunc = func(X *mat.Dense, r []float64, lambda float64) (W *mat.Dense, w []float64, w0 float64)

// ask calls the learner's FitRegularised with copies and returns a copy of the model;
// with a verdict instead where it is not finite or not of the right shape.
func ask(fit fitFunc, s sample, lambda float64) (model, *verify.Verdict) {
	var in learner.Inputs
	W, w, w0 := fit(in.Dense("X", s.X), in.Slice("r", s.r), lambda)
	if bad := in.Changed(3); bad != nil {
		return model{}, bad
	}
	return checked(s, W, w, w0)
}

func checked(s sample, W *mat.Dense, w []float64, w0 float64) (model, *verify.Verdict) {
	_, d := s.X.Dims()
	if bad := form.Matrix("W", W, d, d, "D×D", s.name, 3); bad != nil {
		return model{}, bad
	}
	if bad := form.Vector("w", w, d, "input", s.name, 3); bad != nil {
		return model{}, bad
	}
	if math.IsNaN(w0) || math.IsInf(w0, 0) {
		return model{}, learner.Fail("not-finite", 3, "For “%s” your w0 is %g.", s.name, w0)
	}
	return model{mat.DenseCopyOf(W), append([]float64(nil), w...), w0}, nil
}

var lambdas = []float64{0.3, 4}

func judgeForm(fit fitFunc) verify.Verdict {
	for _, s := range samples(source(1)) {
		first, bad := ask(fit, s, 1)
		if bad != nil {
			return *bad
		}
		second, bad := ask(fit, s, 1)
		if bad != nil {
			return *bad
		}
		if !mat.Equal(first.W, second.W) || !floats.Equal(first.w, second.w) || first.w0 != second.w0 {
			return verify.Fail("not-constant", 0, "Two calls with the same sample and λ gave different weights. If something is drawn at random, fix its seed.")
		}
	}
	return verify.Pass("You returned a D×D matrix, D weights and a bias, for D = 1 and 3.")
}

// minimumTol is the gradient per point that still counts as zero: far looser than
// Newton's method needs, and tight enough to tell every mistake apart.
const minimumTol = 1e-5

// judgeMinimum needs no minimum to compare with: at it the derivatives vanish, and
// the function is convex.
func judgeMinimum(fit fitFunc) verify.Verdict {
	for _, s := range samples(source(2)) {
		for _, lambda := range lambdas {
			m, bad := ask(fit, s, lambda)
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
			return verify.Fail("not-minimum", 3, "For “%s” and λ = %g the derivatives of E + ½λ‖W‖² do not vanish at your weights: together they are about %s.", s.name, lambda, verify.Magnitude(size))
		}
	}
	return verify.Pass("All derivatives vanish at your weights: those with respect to w and w0 without a penalty, and dE/dW = −λW.")
}

// residue is dW + cW, which is zero at the minimum for c = λ.
func residue(dW, W *mat.Dense, c float64) []float64 {
	return floats.AddScaledTo(make([]float64, len(learner.Entries(dW))), learner.Entries(dW), c, learner.Entries(W))
}

// recognise names the function of which the learner's weights are the minimum.
func recognise(s sample, m model, lambda float64, dW *mat.Dense, dw []float64, dw0, tol float64) (verify.Verdict, bool) {
	zero := func(v ...float64) bool { return floats.Norm(v, 2) <= tol }
	plus := func(c float64) []float64 { return floats.AddScaledTo(make([]float64, len(dw)), dw, c, m.w) }
	quadratic, linear, bias := zero(residue(dW, m.W, lambda)...), zero(dw...), zero(dw0)
	d, n := len(m.w), float64(len(s.r))
	tied := mat.DenseCopyOf(dW) // each pair of entries off the diagonal penalised once
	for j := range d {
		for l := range d {
			c := lambda / 2
			if j == l {
				c = lambda
			}
			tied.Set(j, l, dW.At(j, l)+c*m.W.At(j, l))
		}
	}
	switch {
	case zero(learner.Entries(dW)...) && linear && bias:
		return verify.Fail("no-penalty", 1, "Your weights are the minimum of E alone: λ has no effect."), true
	case quadratic && linear && zero(dw0+lambda*m.w0):
		return verify.Fail("bias-penalised", 2, "The bias is penalised too. It only moves g up and down and must be free to follow the shares of the classes."), true
	case quadratic && zero(plus(lambda)...) && bias:
		return verify.Fail("linear-penalised", 2, "The linear weights w are penalised too. Asked for is a penalty on the quadratic terms only, so that a large λ leads to the linear discriminant."), true
	case quadratic && zero(plus(lambda)...) && zero(dw0+lambda*m.w0):
		return verify.Fail("all-penalised", 2, "All weights are penalised, the bias among them. Asked for is a penalty on W only."), true
	case zero(learner.Entries(dW)...) && zero(plus(lambda)...):
		return verify.Fail("linear-only-penalised", 2, "The penalty is on w, and W is free: the wrong way round. It is the many entries of W that make the variance."), true
	case d > 1 && mat.Norm(m.W, 2) > 0 && zero(learner.Entries(tied)...) && linear && bias:
		return verify.Fail("tied-penalty", 2, "Every pair of entries off the diagonal is penalised once, as if it were one number. ‖W‖² counts W_jl² and W_lj²."), true
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
			W[i] = append(W[i], learner.Entries(m.W))
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
	spread, gain, bad := drawSmall().effect(func(x sample, lambda float64) (model, *verify.Verdict) { return ask(fit, x, lambda) })
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
