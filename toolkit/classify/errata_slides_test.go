package classify_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat/distmv"

	"github.com/hyperplane-notebooks/hyperplane/toolkit/classify"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/equation"
)

// softmaxAsWritten is e^{a_k}/Σ_j e^{a_j} as it is written.
func softmaxAsWritten(a []float64) []float64 {
	y := make([]float64, len(a))
	for k := range a {
		y[k] = math.Exp(a[k])
	}
	floats.Scale(1/floats.Sum(y), y)
	return y
}

// entries is the gradient of f in all entries of a matrix, each for itself.
func entries(f func(a *mat.Dense) float64, at mat.Matrix) *mat.Dense {
	n, _ := at.Dims()
	g := slopes(func(v []float64) float64 { return f(mat.NewDense(n, n, append([]float64{}, v...))) }, flat(at))
	return mat.NewDense(n, n, g)
}

func TestErrataSlides(t *testing.T) {
	// Three classes of one covariance at a point: densities, means, precision.
	type classes struct {
		density []float64
		mean    [][]float64
		inv     *mat.SymDense
		prior   []float64
		x       []float64
	}
	draw := func(r *rand.Rand) (c classes) {
		cov := spread(r, 2)
		c.inv, c.x, c.prior = inverse(t, cov), normals(r, 2), softmaxAsWritten(normals(r, 3))
		for range 3 {
			m := normals(r, 2)
			p, _ := distmv.NewNormal(m, cov, nil)
			c.mean, c.density = append(c.mean, m), append(c.density, p.Prob(c.x))
		}
		return c
	}
	form := func(a []float64, m mat.Matrix, b []float64) float64 {
		return mat.Inner(mat.NewVecDense(len(a), a), m, mat.NewVecDense(len(b), b))
	}
	equation.Misprint(t, "G1", func(r *rand.Rand) equation.Reading {
		c := draw(r)
		d := floats.SubTo(make([]float64, 2), c.mean[0], c.mean[1])
		a := form(d, c.inv, c.x) + (form(c.mean[1], c.inv, c.mean[1])-form(c.mean[0], c.inv, c.mean[0]))/2
		odds := math.Log(c.prior[0] / c.prior[1])
		return equation.Reading{True: math.Log(c.density[0]/c.density[1]) + odds, Printed: a - odds, Right: a + odds}
	})
	equation.Misprint(t, "G3", func(r *rand.Rand) equation.Reading {
		c := draw(r)
		joint := floats.MulTo(make([]float64, 3), c.density, c.prior)
		floats.Scale(1/floats.Sum(joint), joint)
		var printed, right []float64
		for k, m := range c.mean {
			linear, square, prior := form(m, c.inv, c.x), form(m, c.inv, m), math.Log(c.prior[k])
			printed, right = append(printed, (linear-square)/2+prior), append(right, linear-square/2+prior)
		}
		return equation.Reading{True: joint, Printed: softmaxAsWritten(printed), Right: softmaxAsWritten(right)}
	})
	// −(n/2)(ln|Σ| + tr Σ⁻¹S), in Σ.
	equation.Misprint(t, "G4", func(r *rand.Rand) equation.Reading {
		sigma, s, n := spread(r, 3), spread(r, 3), 5+10*r.Float64()
		gradient := entries(func(a *mat.Dense) float64 {
			var c mat.Dense
			_ = c.Solve(a, s)
			return -n / 2 * (math.Log(mat.Det(a)) + mat.Trace(&c))
		}, sigma)
		inv := inverse(t, sigma)
		var printed, right mat.Dense
		printed.Product(inv, inv, s)
		right.Product(inv, s, inv)
		for _, m := range []*mat.Dense{&printed, &right} {
			m.Sub(m, inv)
			m.Scale(n/2, m)
		}
		return equation.Reading{True: gradient, Printed: &printed, Right: &right}
	})
	equation.Misprint(t, "G5", func(r *rand.Rand) equation.Reading {
		a, d := spread(r, 3), spread(r, 3)
		d.ScaleSym(0.02, d)
		var change []float64
		for k := range 9 {
			change = append(change, slope(func(h float64) float64 {
				var moved mat.SymDense
				moved.ScaleSym(h, d)
				moved.AddSym(a, &moved)
				return inverse(t, &moved).At(k/3, k%3)
			}, 0))
		}
		inv := inverse(t, a)
		var printed, right mat.Dense
		printed.Product(inv, inv, d)
		right.Product(inv, d, inv)
		right.Scale(-1, &right)
		return equation.Reading{True: change, Printed: &printed, Right: &right}
	})
	// Class 1's part of ln p, Σ_i t_i {−½ ln|Σ| − ½(x_i−μ)ᵀΣ⁻¹(x_i−μ)}, in Σ.
	equation.Misprint(t, "G6", func(r *rand.Rand) equation.Reading {
		sigma, x, mu := spread(r, 2), normalMatrix(r, 6, 2), normals(r, 2)
		inv := inverse(t, sigma)
		gradient, printed, right := mat.NewDense(2, 2, nil), mat.NewDense(2, 2, nil), mat.NewDense(2, 2, nil)
		for i := range 6 {
			target, d := float64(i%2), difference(x.RawRowView(i), mu)
			one := entries(func(a *mat.Dense) float64 {
				var v mat.VecDense
				_ = v.SolveVec(a, d)
				return -target / 2 * (math.Log(mat.Det(a)) + mat.Dot(d, &v))
			}, sigma)
			gradient.Add(gradient, one)
			var form, half mat.Dense // the gradient of the quadratic form, −Σ⁻¹ddᵀΣ⁻¹
			form.Product(inv, d, d.T(), inv)
			half.Scale(-target/2, inv)
			printed.Add(printed, &half)
			printed.Sub(printed, &form)
			form.Scale(target/2, &form)
			right.Add(right, &half)
			right.Add(right, &form)
		}
		return equation.Reading{True: gradient, Printed: printed, Right: right}
	})
	// With ∂a_k/∂w_j = 0 the second sum of the printed chain vanishes.
	equation.Misprint(t, "G11", func(r *rand.Rand) equation.Reading {
		const m = 2
		phi, w := normalMatrix(r, 8, m), normals(r, 3*m)
		activations := func(w []float64, i int) (a []float64) {
			for k := range 3 {
				a = append(a, floats.Dot(w[k*m:(k+1)*m], phi.RawRowView(i)))
			}
			return a
		}
		printed, right := make([]float64, m), make([]float64, m)
		for i := range 8 {
			hit, y := truth(i%3 == 0), softmaxAsWritten(activations(w, i))[0]
			floats.AddScaled(printed, hit*(1-y), phi.RawRowView(i))
			floats.AddScaled(right, hit-y, phi.RawRowView(i))
		}
		gradient := slopes(func(w []float64) (l float64) {
			for i := range 8 {
				l += math.Log(softmaxAsWritten(activations(w, i))[i%3])
			}
			return l
		}, w)
		return equation.Reading{True: gradient[:m], Printed: printed, Right: right}
	})
	// y_i(δ_ij − y_j) is the derivative of y_i in which activation?
	equation.Misprint(t, "A4", func(r *rand.Rand) equation.Reading {
		a, j := normals(r, 4), 1+r.IntN(3)
		y := softmaxAsWritten(a)
		g := slopes(func(a []float64) float64 { return softmaxAsWritten(a)[0] }, a)
		return equation.Reading{True: -y[0] * y[j], Printed: g[0], Right: g[j]}
	})
	equation.Misprint(t, "A14", func(r *rand.Rand) equation.Reading {
		ratio, quadratic, prior := quadraticRatio(t, r)
		ratios, linear, priors := basisRatios(t, r)
		return equation.Reading{True: []any{ratio, ratios}, Printed: []any{quadratic, linear},
			Right: []any{quadratic[0] - prior, quadratic[1] - prior, differenceOf(linear, priors, 1)}}
	})
	// −2λ times the log odds of two spherical classes.
	equation.Check(t, "G2", func(r *rand.Rand) (left, right any) {
		lambda, prior, x, one, two := 0.5+r.Float64(), 0.1+0.8*r.Float64(), normals(r, 3), normals(r, 3), normals(r, 3)
		cov := mat.NewSymDense(3, []float64{lambda, 0, 0, 0, lambda, 0, 0, 0, lambda})
		p, _ := distmv.NewNormal(one, cov, nil)
		q, _ := distmv.NewNormal(two, cov, nil)
		printed := 2*(floats.Dot(two, x)-floats.Dot(one, x)) + floats.Dot(one, one) - floats.Dot(two, two) + 2*lambda*math.Log((1-prior)/prior)
		return printed, -2 * lambda * (p.LogProb(x) - q.LogProb(x) + math.Log(prior/(1-prior)))
	})
	// A saturated wrong output: the errors' slopes in its activation.
	equation.Holds(t, "A7", func(r *rand.Rand) error {
		o := -6 - 4*r.Float64()
		entropy := slope(func(o float64) float64 { return -math.Log(logisticOf(o)) }, o)
		squares := slope(func(o float64) float64 { return (1 - logisticOf(o)) * (1 - logisticOf(o)) / 2 }, o)
		if !(entropy < -0.99 && squares > -0.01) {
			return fmt.Errorf("at %v the slopes are %v and %v", o, entropy, squares)
		}
		return nil
	})
	// At the optimum the terms of all patterns add up to 0, and none of them is 0: not
	// even where the right output is the largest.
	equation.Holds(t, "A8", func(r *rand.Rand) error {
		x, labels := noisyClasses(r, 3, 2)
		m := must(classify.FitSoftmax(x, labels, 3, classify.SoftmaxOptions{}))(t)
		whole := must(must(classify.SoftmaxObjective(x, labels, 3, nil))(t).Gradient(flat(m.W.T())))(t)
		largest, settled := 0, 0
		for n, c := range labels {
			y := softmaxOf(m.W, x.RawRowView(n))
			if floats.MaxIdx(y) == c {
				largest++
			}
			if 1-y[c] < 1e-3 { // the pattern's own term, in the activation of its class
				settled++
			}
		}
		if !m.Converged || floats.Norm(whole, 2) > 1e-6 || largest < 10 || settled > 0 {
			return fmt.Errorf("converged %v, |∇E| = %v; %d outputs are the largest, %d are 1", m.Converged, floats.Norm(whole, 2), largest, settled)
		}
		return nil
	})
	// The softmax and the log-sum-exp of βa, with β large.
	equation.CheckTo(t, "P49", 1e-8, func(r *rand.Rand) (left, right any) {
		a := normals(r, 4)
		largest := r.IntN(4)
		a[largest] = floats.Max(a) + 0.5
		beta, oneOfK := 50.0, make([]float64, 4)
		oneOfK[largest] = 1
		scaled := append([]float64{}, a...)
		floats.Scale(beta, scaled)
		return []any{softmaxAsWritten(scaled), floats.LogSumExp(scaled) / beta}, []any{oneOfK, floats.Max(a)}
	})
	// Another unit of an input changes its weight and no posterior.
	equation.CheckTo(t, "A15", 1e-6, func(r *rand.Rand) (left, right any) {
		x, target := overlapping(r, 30, 2)
		unit := 5 + 20*r.Float64()
		other := mat.DenseCopyOf(x)
		other.Apply(func(_, j int, v float64) float64 { return v * []float64{unit, 1}[j] }, other)
		one := must(classify.FitLogistic(x, target, classify.LogisticOptions{}))(t)
		two := must(classify.FitLogistic(other, target, classify.LogisticOptions{}))(t)
		return []any{two.W, must(two.Posterior(other))(t)}, []any{[]float64{one.W[0], one.W[1] / unit, one.W[2]}, must(one.Posterior(x))(t)}
	})
	equation.Misprint(t, "G15", func(r *rand.Rand) equation.Reading {
		a := normalMatrix(r, 3, 3)
		a.Apply(func(i, j int, v float64) float64 { return v + 3*truth(i == j) }, a)
		var inv mat.Dense
		_ = inv.Inverse(a)
		gradient := entries(func(a *mat.Dense) float64 { return math.Log(math.Abs(mat.Det(a))) }, a)
		return equation.Reading{True: gradient, Printed: &inv, Right: inv.T()}
	})
}
