package ex06

import (
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/hyperplane-notebooks/hyperplane/exercises/internal/form"
	"github.com/hyperplane-notebooks/hyperplane/exercises/internal/instance"
	"github.com/hyperplane-notebooks/hyperplane/exercises/internal/learner"
	"github.com/hyperplane-notebooks/hyperplane/exercises/internal/steps"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/verify"
)

type (
	rightFunc = func(X1, X2 *mat.Dense) []float64
	biasFunc  = func(X1, X2 *mat.Dense, w []float64) float64
)

// A line is a data set with weights that need not be the best.
type line struct {
	instance.Clouds
	w []float64
}

// lines have weights with which wᵀx is of size 1, however large the columns are.
func lines() []line {
	r := instance.Source(406, 32)
	var out []line
	for _, c := range problems(31) {
		out = append(out, line{c, instance.Weights(r, c.All(), 1)})
	}
	return out
}

// err is the sum of squares (4.31) for other weights and a bias.
func (l line) err(w []float64, w0 float64) float64 {
	all, t := l.All(), coded(l.Clouds)
	n, _ := all.Dims()
	e := 0.0
	for i := range n {
		v := floats.Dot(w, all.RawRowView(i)) + w0 - t.At(i, 0)
		e += v * v / 2
	}
	return e
}

// from makes one number from wᵀm1 and wᵀm2.
func from(f func(l line, a, b float64) float64) func(line) []float64 {
	return func(l line) []float64 {
		m1, m2 := l.Means()
		return []float64{f(l, floats.Dot(l.w, m1), floats.Dot(l.w, m2))}
	}
}

// middle is wᵀm.
func (l line) middle() float64 { return floats.Dot(l.w, instance.Mean(l.All())) }

func askBias(bestBias biasFunc, l line) ([]float64, *verify.Verdict) {
	var in learner.Inputs
	b := bestBias(in.Dense("X1", l.X1), in.Dense("X2", l.X2), in.Slice("w", l.w))
	return []float64{b}, in.Changed(3)
}

func biasStep(bestBias biasFunc) steps.Step[line] {
	return steps.Step[line]{
		Name: "BestBias", Key: "bias", Hint: 1, Problems: lines,
		Where: func(l line) string { return "“" + l.Name + "”" },
		Ask:   func(l line) ([]float64, *verify.Verdict) { return askBias(bestBias, l) },
		Unit:  func(l line, _ []float64) []float64 { return []float64{1 + floats.Norm(l.w, 1)} },
		Routes: []steps.Route[line]{
			{Name: "the mean of t − wᵀx", Tol: 1e-9, Value: from(func(l line, _, _ float64) float64 { return -l.middle() })},
			{Name: "the lowest point of E along w0", Tol: 1e-6, Value: from(func(l line, _, _ float64) float64 {
				left, here, right := l.err(l.w, -1), l.err(l.w, 0), l.err(l.w, 1) // E is a parabola in w0
				return (left - right) / 2 / (left - 2*here + right)
			})},
		},
		Mistakes: []learner.Mistake[line]{
			{Key: "turned", Hint: 1, Value: from(func(l line, _, _ float64) float64 { return l.middle() }),
				Message: "The sign is turned: wᵀx + w0 is 0 at the mean of all points."},
			{Key: "midpoint", Hint: 1, Value: from(func(_ line, a, b float64) float64 { return -(a + b) / 2 }),
				Message: "This puts the zero half-way between the class means. The sum over all points weights them with N1 and N2: it lies at the mean of all points."},
			{Key: "not-divided", Hint: 1, Value: from(func(l line, _, _ float64) float64 { _, _, n := counts(l.Clouds); return -n * l.middle() }),
				Message: "The sum over the points is not divided by N: w0 occurs once for every point, so N·w0 stands in the equation."},
			{Key: "plus-minus-one", Hint: 1, Value: from(func(l line, _, _ float64) float64 { n1, n2, n := counts(l.Clouds); return (n1-n2)/n - l.middle() }),
				Message: "This belongs to the targets 1 and −1, whose mean is not 0. Those of this exercise sum to 0."},
			{Key: "one-of-k", Hint: 1, Value: from(func(l line, _, _ float64) float64 { n1, _, n := counts(l.Clouds); return n1/n - l.middle() }),
				Message: "This belongs to the targets 1 and 0, whose mean is N1/N. Those of this exercise sum to 0."},
			{Key: "first-class", Hint: 1, Value: from(func(_ line, a, _ float64) float64 { return -a }),
				Message: "Only the mean of class 1 is in it. The derivative with respect to w0 is a sum over the points of both classes."},
			{Key: "second-class", Hint: 1, Value: from(func(_ line, _, b float64) float64 { return -b }),
				Message: "Only the mean of class 2 is in it. The derivative with respect to w0 is a sum over the points of both classes."},
			{Key: "means-added", Hint: 1, Value: from(func(_ line, a, b float64) float64 { return -a - b }),
				Message: "The two class means are added. The mean of all points weights them with N1/N and N2/N."},
			{Key: "zero", Hint: 1, Value: from(func(line, float64, float64) float64 { return 0 }),
				Message: "The targets sum to 0, but wᵀx need not: w0 has to bring its mean to 0."},
		},
		Right: "∂E/∂w0 vanishes there, for weights that are not the best, too.",
	}
}

// sides makes D numbers from the class means with one factor each.
func sides(f func(n1, n2 float64) (a, b float64)) func(instance.Clouds) []float64 {
	return func(c instance.Clouds) []float64 {
		n1, n2, _ := counts(c)
		a, b := f(n1, n2)
		m1, m2 := c.Means()
		floats.Scale(a, m1)
		floats.AddScaled(m1, b, m2)
		return m1
	}
}

func askRight(rightSide rightFunc, c instance.Clouds) ([]float64, *verify.Verdict) {
	var in learner.Inputs
	v := append([]float64(nil), rightSide(in.Dense("X1", c.X1), in.Dense("X2", c.X2))...)
	if bad := in.Changed(3); bad != nil {
		return nil, bad
	}
	_, _, d := c.Dims()
	return v, form.Vector("right side", v, d, "column of X1 and X2", c.Name, 3)
}

func rightStep(rightSide rightFunc) steps.Step[instance.Clouds] {
	return steps.Step[instance.Clouds]{
		Name: "RightSide", Key: "right", Hint: 2, Problems: func() []instance.Clouds { return problems(33) },
		Where: func(c instance.Clouds) string { return "“" + c.Name + "”" },
		Ask:   func(c instance.Clouds) ([]float64, *verify.Verdict) { return askRight(rightSide, c) },
		Unit: func(c instance.Clouds, _ []float64) []float64 { // of the terms, which cancel far from the origin
			_, _, n := counts(c)
			unit := instance.Sizes(c.All())
			floats.Scale(n, unit)
			return unit
		},
		Routes: []steps.Route[instance.Clouds]{
			{Name: "the class means", Tol: 1e-9, Value: rightHand},
			{Name: "the sum over the points", Tol: 1e-9, Value: func(c instance.Clouds) []float64 {
				all, t := c.All(), coded(c)
				n, d := all.Dims()
				sum := make([]float64, d)
				for i := range n {
					floats.AddScaled(sum, t.At(i, 0), all.RawRowView(i))
				}
				return sum
			}},
		},
		Mistakes: []learner.Mistake[instance.Clouds]{
			{Key: "no-n", Hint: 2, Value: sides(func(_, _ float64) (float64, float64) { return 1, -1 }),
				Message: "The factor N is missing: the target N/N1, times the sum N1·m1 over class 1, is N·m1."},
			{Key: "swapped", Hint: 2, Value: sides(func(n1, n2 float64) (float64, float64) { return -n1 - n2, n1 + n2 }),
				Message: "The signs are turned: class 1 has the positive target."},
			{Key: "plus", Hint: 2, Value: sides(func(n1, n2 float64) (float64, float64) { return n1 + n2, n1 + n2 }),
				Message: "The class means are added: the target of class 2 is negative."},
			{Key: "plus-minus-one", Hint: 2, Value: sides(func(n1, n2 float64) (float64, float64) { return n1, -n2 }),
				Message: "This belongs to the targets 1 and −1. Those of this exercise are N/N1 and −N/N2."},
			{Key: "one-of-k", Hint: 2, Value: sides(func(n1, _ float64) (float64, float64) { return n1, 0 }),
				Message: "This belongs to the targets 1 and 0. Those of this exercise are N/N1 and −N/N2."},
			{Key: "means-for-sums", Hint: 2, Value: sides(func(n1, n2 float64) (float64, float64) { return (n1 + n2) / n1, -(n1 + n2) / n2 }),
				Message: "The targets multiply the class means. Each multiplies the sum over its class, which is N1 or N2 times as long."},
			{Key: "targets-inverted", Hint: 2, Value: sides(func(n1, n2 float64) (float64, float64) { return n1 * n1 / (n1 + n2), -n2 * n2 / (n1 + n2) }),
				Message: "The targets are upside down, N1/N and −N2/N. The smaller a class, the larger its target."},
			{Key: "between-factor", Hint: 2, Value: sides(func(n1, n2 float64) (float64, float64) { return n1 * n2 / (n1 + n2), -n1 * n2 / (n1 + n2) }),
				Message: "The factor is N1N2/N. That one belongs to S_B on the left; here it is N."},
		},
		Right: "It is Σ t_n x_n, by the class means and point by point.",
	}
}

// judgeEliminated puts the learner's numbers into ∂E/∂w = Σ x_n(wᵀx_n + w0) − Σ t_n x_n.
func judgeEliminated(rightSide rightFunc, bestBias biasFunc) verify.Verdict {
	for _, l := range lines() {
		right, bad := askRight(rightSide, l.Clouds)
		if bad != nil {
			return *bad
		}
		bias, bad := askBias(bestBias, l)
		if bad != nil {
			return *bad
		}
		all := l.All()
		n, d := all.Dims()
		got := make([]float64, d)
		for i := range n {
			floats.AddScaled(got, floats.Dot(l.w, all.RawRowView(i))+bias[0], all.RawRowView(i))
		}
		floats.Sub(got, right)
		size := instance.Sizes(all)
		for j := range d {
			slope := verify.Derivative(func(v float64) float64 {
				w := append([]float64(nil), l.w...)
				w[j] += v / size[j]
				// At the best bias for l.w the derivative along w0 vanishes: w0 may stay.
				return l.err(w, -l.middle())
			}, 0, 0)
			unit := float64(n) * (1 + floats.Norm(l.w, 1)) * math.Max(1, float64(n)/4)
			if f := verify.Close(got[j]/size[j], slope, verify.Tolerance{Abs: 1e-6 * unit}); !f.OK {
				return verify.Fail("not-the-derivative", 2, "For “%s” Σ x_n(wᵀx_n + w0) with your w0, minus your right side, is not ∂E/∂w by differences: in entry %d, in units of that column, it is %s.", l.Name, j, f.Off())
			}
		}
	}
	return verify.Pass("Σ x_n(wᵀx_n + w0) minus your right side is ∂E/∂w, by differences.")
}
