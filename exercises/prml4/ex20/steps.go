package ex20

import (
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/hyperplane-notebooks/hyperplane/exercises/internal/form"
	"github.com/hyperplane-notebooks/hyperplane/exercises/internal/instance"
	"github.com/hyperplane-notebooks/hyperplane/exercises/internal/kernel"
	"github.com/hyperplane-notebooks/hyperplane/exercises/internal/learner"
	"github.com/hyperplane-notebooks/hyperplane/exercises/internal/steps"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/verify"
)

type (
	blockFunc  = func(y []float64) *mat.Dense
	spreadFunc = func(y, s []float64) float64
)

// outputs are one point's outputs with numbers s of the same length.
type outputs struct {
	name string
	y, s []float64
}

// singles are points of 1 to 6 classes; the first tell the mistakes apart.
func singles(part uint64) []outputs {
	r := source(part)
	var out []outputs
	for _, c := range []struct {
		name string
		k    int
	}{{"four classes", 4}, {"three classes", 3}, {"two classes", 2}, {"six classes", 6}, {"three classes again", 3}} {
		a := instance.Normals(r, c.k)
		s := instance.Normals(r, c.k)
		floats.Scale(1.5, s)
		out = append(out, outputs{c.name, kernel.Softmax(a), s})
	}
	return append(out, outputs{"all outputs the same", []float64{0.25, 0.25, 0.25, 0.25}, instance.Normals(r, 4)},
		outputs{"one class certain", []float64{0, 1, 0}, []float64{0.5, -2, 1}},
		outputs{"a single class", []float64{1}, []float64{0.7}})
}

// logs are activations that give the outputs.
func (o outputs) logs() []float64 {
	a := make([]float64, len(o.y))
	for k, y := range o.y {
		a[k] = math.Log(y)
	}
	return a
}

// entries makes the entries of a K×K matrix, row by row.
func entries(f func(y []float64, j, k int) float64) func(outputs) []float64 {
	return func(o outputs) []float64 {
		var out []float64
		for j := range o.y {
			for k := range o.y {
				out = append(out, f(o.y, j, k))
			}
		}
		return out
	}
}

func where(o outputs) string { return "“" + o.name + "”" }

func blockStep(block blockFunc) steps.Step[outputs] {
	one := func(j, k int) float64 {
		if j == k {
			return 1
		}
		return 0
	}
	return steps.Step[outputs]{
		Name: "Block", Key: "block", Hint: 2, Problems: func() []outputs { return singles(31) }, Where: where,
		Ask: func(o outputs) ([]float64, *verify.Verdict) {
			var in learner.Inputs
			b := block(in.Slice("y", o.y))
			if bad := in.Changed(3); bad != nil {
				return nil, bad
			}
			if bad := form.Matrix("block", b, len(o.y), len(o.y), "K×K", o.name, 2); bad != nil {
				return nil, bad
			}
			return learner.Entries(b), nil
		},
		Unit: func(_ outputs, right []float64) []float64 {
			unit := make([]float64, len(right))
			floats.AddConst(0.25, unit) // the largest that an entry can be
			return unit
		},
		Routes: []steps.Route[outputs]{
			{Name: "the derivative of the softmax", Tol: 1e-10, Value: entries(func(y []float64, j, k int) float64 { return y[k] * (one(k, j) - y[j]) })},
			{Name: "the difference quotient of the outputs", Tol: 1e-7, Value: func(o outputs) []float64 {
				var out []float64
				for j := range o.y {
					for k := range o.y {
						out = append(out, verify.Derivative(func(v float64) float64 {
							a := o.logs()
							a[k] += v
							return kernel.Softmax(a)[j]
						}, 0, 0))
					}
				}
				return out
			}},
		},
		Mistakes: []learner.Mistake[outputs]{
			{Key: "printed-sign", Hint: 2, Value: entries(func(y []float64, j, k int) float64 { return -y[k] * (one(k, j) - y[j]) }),
				Message: "All signs are turned, as in (4.110) as printed. The error's first derivatives are y − t, and y_k grows with its own a_k: the diagonal is positive."},
			{Key: "off-diagonal-sign", Hint: 2, Value: entries(func(y []float64, j, k int) float64 {
				if j == k {
					return y[k] * (1 - y[k])
				}
				return y[j] * y[k]
			}), Message: "The diagonal is right, and beside it the sign is turned: when one activation grows, the other outputs fall."},
			{Key: "no-identity", Hint: 2, Value: entries(func(y []float64, j, k int) float64 { return -y[j] * y[k] }),
				Message: "Beside the diagonal all is right; on it the I_kj is lost, y_k(1−y_k) and not −y_k²."},
			{Key: "diagonal-only", Hint: 1, Value: entries(func(y []float64, j, k int) float64 { return one(j, k) * y[k] * (1 - y[k]) }),
				Message: "Only the diagonal is there. Every output depends on every activation, through the denominator of the softmax."},
			{Key: "outputs-on-diagonal", Hint: 2, Value: entries(func(y []float64, j, k int) float64 { return one(j, k) * y[k] }),
				Message: "This is the diagonal matrix of the outputs: the part −y_j y_k, from the denominator of the softmax, is missing."},
			{Key: "sigmoid-everywhere", Hint: 2, Value: entries(func(y []float64, j, k int) float64 { return y[k] * (1 - y[j]) }),
				Message: "Every entry is y_k(1−y_j), as if j were k. The 1 is I_kj: it is there on the diagonal alone."},
			{Key: "first-derivative", Hint: 1, Value: entries(func(y []float64, j, k int) float64 { return y[j] - one(j, k) }),
				Message: "These are the first derivatives y_j − t_j, for each class as the target. They have to be differentiated once more; the targets vanish then."},
		},
		Right: "They are the derivatives of y − t, by formula and by difference quotients, for 1 to 6 classes.",
	}
}

// quadratic is Σ_jk s_j f(y, j, k) s_k.
func quadratic(f func(y []float64, j, k int) float64) func(outputs) []float64 {
	return func(o outputs) []float64 {
		sum := 0.0
		for j := range o.y {
			for k := range o.y {
				sum += o.s[j] * f(o.y, j, k) * o.s[k]
			}
		}
		return []float64{sum}
	}
}

// moments makes a number from Σ y_k s_k and Σ y_k s_k².
func moments(f func(mean, square float64) float64) func(outputs) []float64 {
	return func(o outputs) []float64 {
		mean, square := 0.0, 0.0
		for k, y := range o.y {
			mean += y * o.s[k]
			square += y * o.s[k] * o.s[k]
		}
		return []float64{f(mean, square)}
	}
}

// askSpread calls the learner's function with copies.
func askSpread(spread spreadFunc, o outputs) ([]float64, *verify.Verdict) {
	var in learner.Inputs
	v := spread(in.Slice("y", o.y), in.Slice("s", o.s))
	return []float64{v}, in.Changed(3)
}

func spreadStep(spread spreadFunc) steps.Step[outputs] {
	return steps.Step[outputs]{
		Name: "Spread", Key: "spread", Hint: 2, Problems: func() []outputs { return singles(32) }, Where: where,
		Ask: func(o outputs) ([]float64, *verify.Verdict) { return askSpread(spread, o) },
		Unit: func(o outputs, _ []float64) []float64 {
			return moments(func(_, square float64) float64 { return square })(o)
		},
		Routes: []steps.Route[outputs]{
			{Name: "Σ_jk s_j B_jk s_k", Tol: 1e-10, Value: quadratic(func(y []float64, j, k int) float64 {
				if j == k {
					return y[k] - y[k]*y[k]
				}
				return -y[j] * y[k]
			})},
			{Name: "the difference quotient of Σ s_k y_k along s", Tol: 1e-7, Value: func(o outputs) []float64 {
				return []float64{verify.Derivative(func(c float64) float64 {
					return floats.Dot(o.s, kernel.Softmax(floats.AddScaledTo(make([]float64, len(o.s)), o.logs(), c, o.s)))
				}, 0, 0)}
			}},
		},
		Mistakes: []learner.Mistake[outputs]{
			{Key: "plus", Hint: 2, Value: moments(func(mean, square float64) float64 { return square + mean*mean }),
				Message: "The square of the mean is added. It has to be taken off: beside the diagonal of B stands −y_j y_k."},
			{Key: "mean-of-squares", Hint: 2, Value: moments(func(_, square float64) float64 { return square }),
				Message: "This is the mean of the squares alone: the part −y_j y_k of B is left out. With it the square of the mean comes off."},
			{Key: "mean-not-squared", Hint: 2, Value: moments(func(mean, square float64) float64 { return square - mean }),
				Message: "The mean is taken off, and not its square: Σ_j Σ_k y_j s_j y_k s_k is a product of two equal sums."},
			{Key: "diagonal-only", Hint: 1, Value: quadratic(func(y []float64, j, k int) float64 {
				if j == k {
					return y[k] * (1 - y[k])
				}
				return 0
			}), Message: "Only the diagonal of B is in it, Σ y_k(1−y_k)s_k². The products of different classes belong to it as well."},
			{Key: "unweighted", Hint: 2, Value: func(o outputs) []float64 {
				mean, k := floats.Sum(o.s)/float64(len(o.s)), float64(len(o.s))
				return []float64{floats.Dot(o.s, o.s)/k - mean*mean}
			}, Message: "This is the variance of the s_k with equal weights. Their weights are the probabilities y_k."},
			{Key: "standard-deviation", Hint: 2, Value: moments(func(mean, square float64) float64 { return math.Sqrt(math.Max(0, square-mean*mean)) }),
				Message: "This is the root of what is asked for."},
			{Key: "centred-once", Hint: 2, Value: func(outputs) []float64 { return []float64{0} },
				Message: "This is 0, always. Σ y_k(s_k − mean) vanishes; it is the squares of the differences that are averaged."},
		},
		Right: "It is sᵀBs, by the double sum and by difference quotients.",
	}
}

// judgeSpread looks at the sign, and where it must be 0.
func judgeSpread(spread spreadFunc) verify.Verdict {
	r := source(33)
	for _, o := range singles(34) {
		for range 20 {
			o.s = instance.Normals(r, len(o.y))
			got, bad := askSpread(spread, o)
			if bad != nil {
				return *bad
			}
			if !(got[0] >= -1e-12*floats.Dot(o.s, o.s)) {
				return verify.Fail("spread-negative", 2, "For “%s” your Spread is %.3g. The y_k are probabilities: written with them it is a mean of squares.", o.name, got[0])
			}
		}
		for k := range o.s {
			o.s[k] = 3
		}
		got, bad := askSpread(spread, o)
		if bad != nil {
			return *bad
		}
		if !(math.Abs(got[0]) < 1e-12*9) {
			return verify.Fail("spread-not-flat", 2, "For “%s” your Spread is %.3g when all s_k are 3. The same number added to all activations changes no output, and so no error.", o.name, got[0])
		}
	}
	return verify.Pass("It is not negative, for random s, and 0 when all s_k are equal: H is positive semidefinite, and not definite.")
}
