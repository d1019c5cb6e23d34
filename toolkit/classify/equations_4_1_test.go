package classify_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat/distmv"

	"github.com/hyperplane-notebooks/hyperplane/toolkit/classify"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/equation"
)

// labelledRows returns up to 60 rows of up to four columns in k classes. The classes have different
// means, and each class has more rows than columns.
func labelledRows(r *rand.Rand, k int) (*mat.Dense, []int) {
	d := 2 + r.IntN(3)
	n := (d+2)*k + r.IntN(30)
	means, x, labels := normalMatrix(r, k, d), normalMatrix(r, n, d), make([]int, n)
	for i := range labels {
		if labels[i] = i % k; i >= (d+2)*k {
			labels[i] = r.IntN(k)
		}
		floats.Add(x.RawRowView(i), means.RawRowView(labels[i]))
	}
	return x, labels
}

func TestEquationsTargetsAndModels(t *testing.T) {
	equation.Check(t, "prml-4.1", func(r *rand.Rand) (left, right any) {
		k := 2 + r.IntN(4)
		x, labels := labelledRows(r, k)
		coded := mat.NewDense(len(labels), k, nil)
		for i, l := range labels {
			coded.Set(i, l, 1)
		}
		var w mat.Dense
		if err := w.Solve(withOnes(x), coded); err != nil {
			t.Fatal(err)
		}
		return must(classify.FitLeastSquares(x, labels, k, classify.LeastSquaresOptions{}))(t).W, &w
	})
	equation.Check(t, "prml-4.2", func(r *rand.Rand) (left, right any) {
		k := 2 + r.IntN(3)
		x, labels := labelledRows(r, k)
		m := must(classify.FitLDA(x, labels, k, classify.LDAOptions{}))(t)
		at := x.RawRowView(r.IntN(len(labels)))
		joint := make([]float64, k)
		for c := range joint {
			density, _ := distmv.NewNormal(m.Means.RawRowView(c), m.Sigma, nil)
			joint[c] = density.Prob(at) * m.Priors[c]
		}
		floats.Scale(1/floats.Sum(joint), joint)
		return must(m.Posterior(mat.NewDense(1, len(at), at)))(t), joint
	})
	equation.Check(t, "prml-4.3", func(r *rand.Rand) (left, right any) {
		x, target := overlappingRows(r, 30, 2)
		at := x.RawRowView(r.IntN(30))
		logistic := must(classify.FitLogistic(x, target, classify.LogisticOptions{}))(t)
		probit := must(classify.FitProbit(x, target, classify.ProbitOptions{}))(t)
		poisson := must(classify.FitGLM(x, target, classify.PoissonTarget{}, classify.GLMOptions{}))(t)
		// y has the same value at two points of a plane that is normal to w. The variables `at` and
		// `level` contain two such points.
		step := r.NormFloat64()
		level := []float64{at[0] - step*poisson.W[2], at[1] + step*poisson.W[1]}
		one := mat.NewDense(2, 2, append(level, at...))
		return []any{must(logistic.Posterior(one))(t).At(1, 0), must(probit.Posterior(one))(t).At(1, 0),
				must(poisson.Mean(one))(t)},
			[]float64{
				logisticOf(affineValue(logistic.W, at)), math.Erfc(-affineValue(probit.W, at)/math.Sqrt2) / 2,
				math.Exp(affineValue(poisson.W, at)), math.Exp(affineValue(poisson.W, at)),
			}
	})
}

// nearestOn returns the point p that minimises ‖p − x‖ subject to wᵀp = −w0. It solves the linear
// equations for p and the Lagrange multiplier.
func nearestOn(w, x []float64) []float64 {
	d := len(x)
	a, b := mat.NewDense(d+1, d+1, nil), mat.NewVecDense(d+1, nil)
	for j, v := range x {
		a.Set(j, j, 1)
		a.Set(j, d, w[j+1])
		a.Set(d, j, w[j+1])
		b.SetVec(j, v)
	}
	b.SetVec(d, -w[0])
	var p mat.VecDense
	if err := p.SolveVec(a, b); err != nil {
		panic(err)
	}
	return p.RawVector().Data[:d]
}

func TestEquationsHyperplane(t *testing.T) {
	// draw returns a random plane, a random point, and the unit vector along w.
	draw := func(r *rand.Rand) (h *classify.Hyperplane, w, x, unit []float64) {
		w = normals(r, 3+r.IntN(4))
		unit = append(unit, w[1:]...)
		floats.Scale(1/floats.Norm(unit, 2), unit)
		return must(classify.NewHyperplane(w))(t), w, normals(r, len(unit)), unit
	}
	equation.Check(t, "prml-4.4", func(r *rand.Rand) (left, right any) {
		h, w, x, _ := draw(r)
		return must(h.Value(x))(t), affineValue(w, x)
	})
	equation.Check(t, "prml-4.5", func(r *rand.Rand) (left, right any) {
		h, w, x, unit := draw(r)
		x[0] -= affineValue(w, x) / w[1] // change x[0] so that x lies on the plane
		return floats.Dot(unit, x), must(h.FootCoordinate())(t)
	})
	equation.Check(t, "prml-4.6", func(r *rand.Rand) (left, right any) {
		h, w, x, unit := draw(r)
		p := nearestOn(w, x)
		sum := floats.AddScaledTo(make([]float64, len(x)), p, must(h.Distance(x))(t), unit)
		return []any{x, p}, []any{sum, must(h.Project(x))(t)}
	})
	equation.Check(t, "prml-4.7", func(r *rand.Rand) (left, right any) {
		h, w, x, unit := draw(r)
		x[0] -= affineValue(w, x) / w[1]
		distance := r.NormFloat64()
		floats.AddScaled(x, distance, unit)
		return []any{distance, distance}, []any{must(h.Distance(x))(t),
			must(h.Distances(mat.NewDense(1, len(x), x)))(t)}
	})
	equation.Check(t, "prml-4.8", func(r *rand.Rand) (left, right any) {
		h, _, x, _ := draw(r)
		return must(h.Value(x))(t), floats.Dot(h.Weights(), append([]float64{1}, x...))
	})
}

func TestEquationsLinearMachine(t *testing.T) {
	draw := func(r *rand.Rand) (m *classify.LinearMachine, w *mat.Dense, x []float64) {
		d := 1 + r.IntN(4)
		w = normalMatrix(r, d+1, 2+r.IntN(4))
		return must(classify.NewLinearMachine(w))(t), w, normals(r, d)
	}
	scores := func(m *classify.LinearMachine, x []float64) []float64 {
		return must(m.Scores(mat.NewDense(1, len(x), x)))(t).RawRowView(0)
	}
	equation.Check(t, "prml-4.9", func(r *rand.Rand) (left, right any) {
		m, w, x := draw(r)
		_, k := w.Dims()
		y := make([]float64, k)
		for c := range y {
			y[c] = affineValue(mat.Col(nil, c, w), x)
		}
		return []any{scores(m, x), must(m.Predict(mat.NewDense(1, len(x), x)))(t)}, []any{y, floats.MaxIdx(y)}
	})
	equation.Check(t, "prml-4.10", func(r *rand.Rand) (left, right any) {
		m, w, x := draw(r)
		k, j := 1, 0
		h := must(m.Boundary(k, j))(t)
		difference := mat.Col(nil, k, w)
		floats.Sub(difference, mat.Col(nil, j, w))
		on := scores(m, nearestOn(difference, x))
		return []any{must(h.Value(x))(t),
			on[k]}, []any{affineValue(mat.Col(nil, k, w), x) - affineValue(mat.Col(nil, j, w), x), on[j]}
	})
	equation.Holds(t, "prml-4.11", func(r *rand.Rand) error {
		m, _, a := draw(r)
		b, share := normals(r, len(a)), r.Float64()
		between := make([]float64, len(a))
		for j := range a {
			between[j] = share*a[j] + (1-share)*b[j]
		}
		class := must(m.Predict(mat.NewDense(3, len(a), append(append(a, b...), between...))))(t)
		if class[0] == class[1] && class[2] != class[0] {
			return fmt.Errorf("between two points of class %d lies a point of class %d, want only points of the same class there", class[0], class[2])
		}
		return nil
	})
	equation.Check(t, "prml-4.12", func(r *rand.Rand) (left, right any) {
		m, _, a := draw(r)
		b, share := normals(r, len(a)), r.Float64()
		between := make([]float64, len(a))
		for j := range a {
			between[j] = share*a[j] + (1-share)*b[j]
		}
		mixed := scores(m, a)
		floats.Scale(share, mixed)
		floats.AddScaled(mixed, 1-share, scores(m, b))
		return scores(m, between), mixed
	})
}

// TestNotationBothWays converts values from one source's notation to another source's notation and
// back. The result must equal the original value.
func TestNotationBothWays(t *testing.T) {
	r := rand.New(rand.NewPCG(13, 0))
	y := make([]float64, 40)
	for i := range y {
		y[i] = float64(r.IntN(5)) / 4
	}
	allClose(t, "targets 0/1 and ±1", must(classify.ZeroOneTargets(must(classify.PlusMinusTargets(y))(t)))(t), y, 0)
	allClose(t, "targets ±1 and 0/1",
		must(classify.PlusMinusTargets(must(classify.ZeroOneTargets([]float64{-1, 0.5, 1}))(t)))(t),
		[]float64{-1, 0.5, 1}, 0)
	errorHas(t, of(classify.ZeroOneTargets([]float64{0, 2})), "t[1] is 2")

	h := must(classify.NewHyperplane(normals(r, 4)))(t)
	allClose(t, "the weights after exchanging C1 and C2 twice", h.Flip().Flip().Weights(), h.Weights(), 0)

	x, target := overlappingRows(r, 60, 2)
	m := must(classify.FitBayesLogistic(x, target,
		classify.BayesLogisticOptions{Prior: classify.Isotropic{Alpha: 1}}))(t)
	var identity mat.Dense
	identity.Mul(m.Precision, m.Covariance) // (4.143) is S_N⁻¹, so its product with S_N must be the unit matrix
	allClose(t, "S_N⁻¹S_N", flat(&identity), []float64{1, 0, 0, 0, 1, 0, 0, 0, 1}, 1e-12)

	labels := make([]int, 60)
	for i := range labels {
		labels[i] = int(target[i])
	}
	n, k := 60.0, 2.0
	ml := must(classify.FitLDA(x, labels, 2, classify.LDAOptions{}))(t)
	unbiased := must(classify.FitLDA(x, labels, 2, classify.LDAOptions{Unbiased: true}))(t)
	var back mat.Dense
	back.Scale((n-k)/n, unbiased.Sigma) // this factor changes the divisor of the covariance from N−K to N
	allClose(t, "divisors", flat(&back), flat(ml.Sigma), 1e-12)
}

// stepOf returns the value f(a) of the step function (4.53).
func stepOf(a float64) float64 {
	if a >= 0 {
		return 1
	}
	return -1
}

// biasedRow returns the vector φ_n = (1, x_n).
func biasedRow(x mat.Matrix, n int) []float64 { return append([]float64{1}, mat.Row(nil, n, x)...) }

// signedLoss returns −wᵀφt, which a misclassified row contributes to the perceptron criterion.
func signedLoss(w, phi []float64, t float64) (e float64) {
	for j, v := range phi {
		e -= w[j] * v * t
	}
	return e
}

// stepValues converts class labels to values of the step function: +1 for label 0 and −1 for label
// 1.
func stepValues(labels []int) (y []float64) {
	for _, k := range labels {
		y = append(y, 1-2*float64(k))
	}
	return y
}

func TestEquationsPerceptronFunction(t *testing.T) {
	equation.Check(t, "prml-4.52", func(r *rand.Rand) (left, right any) {
		x, target := overlappingRows(r, 20, 2)
		centres := normalMatrix(r, 3, 2)
		basis := must(classify.BasisGaussian(centres, 1.5))(t)
		m := must(classify.FitOnBasis(x, basis, func(phi mat.Matrix) (*classify.Perceptron, error) {
			return classify.FitPerceptron(phi, target, classify.PerceptronOptions{Start: normals(r, 4), MaxEpochs: 3})
		}))(t)
		y := make([]float64, 20)
		for n := range y {
			a := m.Model.W[0]
			for j := range 3 {
				far := math.Hypot(x.At(n, 0)-centres.At(j, 0), x.At(n, 1)-centres.At(j, 1))
				a += m.Model.W[j+1] * math.Exp(-far*far/4.5)
			}
			y[n] = stepOf(a)
		}
		return stepValues(must(m.Predict(x))(t)), y
	})
	// integer entries, so that some activations a are exactly 0
	equation.Check(t, "prml-4.53", func(r *rand.Rand) (left, right any) {
		whole := func() float64 { return float64(r.IntN(7) - 3) }
		m := &classify.Perceptron{W: []float64{whole(), whole(), 1}}
		x, y := mat.NewDense(50, 2, nil), make([]float64, 50)
		for n := range y {
			x.SetRow(n, []float64{whole(), whole()})
			y[n] = stepOf(m.W[0] + m.W[1]*x.At(n, 0) + x.At(n, 1))
		}
		return stepValues(must(m.Predict(x))(t)), y
	})
}

func TestEquationsPerceptronCriterion(t *testing.T) {
	equation.Check(t, "prml-4.54", func(r *rand.Rand) (left, right any) {
		n, d := 5+r.IntN(20), 1+r.IntN(4)
		x, target := overlappingRows(r, n, d)
		w, e := normals(r, d+1), 0.0
		for i := range n {
			phi, side := biasedRow(x, i), 2*target[i]-1
			if stepOf(-signedLoss(w, phi, 1)) != side { // row i is in M, the set of misclassified patterns
				e += signedLoss(w, phi, side)
			}
		}
		return must(classify.PerceptronCriterion(x, target, w))(t), e
	})
}

// A correction is one update of a perceptron's weights for a pattern φ with target t = side. The
// function criterion computes (4.54) over all rows. The function own computes E_n, the term of the
// pattern φ in (4.54), as the criterion over all rows minus the criterion over all other rows.
type correction struct {
	before, after, phi []float64
	side               float64
	criterion, own     func(w []float64) float64
}

// randomCorrections fits a perceptron with random start weights to random rows. It returns all
// updates of the weights in this fit.
func randomCorrections(t *testing.T, r *rand.Rand, rate float64) (list []correction) {
	t.Helper()
	x, target := overlappingRows(r, 15, 2)
	w := normals(r, 3)
	m := must(classify.FitPerceptron(x, target,
		classify.PerceptronOptions{Rate: rate, Start: w, MaxEpochs: 2, Shuffle: true, Seed: r.Uint64()}))(t)
	for _, u := range m.Updates {
		// The last row replaces row u.Row, so the first 14 rows of others are all rows except row
		// u.Row.
		others, otherTargets := mat.DenseCopyOf(x), slices.Clone(target)
		others.SetRow(u.Row, x.RawRowView(14))
		otherTargets[u.Row] = target[14]
		criterion := func(w []float64) float64 { return must(classify.PerceptronCriterion(x, target, w))(t) }
		own := func(w []float64) float64 {
			return criterion(w) - must(classify.PerceptronCriterion(others.Slice(0, 14, 0, 2), otherTargets[:14], w))(t)
		}
		list = append(list, correction{w, u.W, biasedRow(x, u.Row), 2*target[u.Row] - 1, criterion, own})
		w = u.W
	}
	return list
}

// farFromKink reports whether the pattern is far enough on the wrong side for a finite difference
// of E_n. E_n has a kink at wᵀφ = 0, and all points of the finite difference must be on one side of
// the kink.
func (c correction) farFromKink() bool { return signedLoss(c.before, c.phi, c.side) > 0.02 }

func TestEquationsPerceptronStep(t *testing.T) {
	// The tolerance 1e-8 allows for the error of finite differences of E_n.
	equation.CheckTo(t, "prml-4.55", 1e-8, func(r *rand.Rand) (left, right any) {
		rate := 0.1 + r.Float64()
		var moved, descent, after, added []float64
		for _, c := range randomCorrections(t, r, rate) {
			if c.farFromKink() {
				moved = append(moved, differenceOf(c.after, c.before, 1)...)
				descent = append(descent, differenceOf(make([]float64, 3), slopes(c.own, c.before), rate)...)
			}
			for j, w := range c.before {
				after, added = append(after, c.after[j]), append(added, w+rate*c.phi[j]*c.side)
			}
		}
		return []any{moved, after}, []any{descent, added}
	})
	// The book prints a step along the negative gradient of (4.54), which sums over all
	// misclassified patterns. The correct step follows the negative gradient of E_n, the term of
	// one pattern.
	equation.Misprint(t, "P39", func(r *rand.Rand) equation.Reading {
		rate, list := 0.1+r.Float64(), []correction{}
		for len(list) == 0 || !list[0].farFromKink() {
			list = randomCorrections(t, r, rate)
		}
		c := list[0]
		return equation.Reading{
			True:    differenceOf(c.after, c.before, 1),
			Printed: differenceOf(make([]float64, 3), slopes(c.criterion, c.before), rate),
			Right:   differenceOf(make([]float64, 3), slopes(c.own, c.before), rate),
		}
	})
	loss := func(r *rand.Rand) (now, then, less []float64) {
		for _, c := range randomCorrections(t, r, 1) {
			before := signedLoss(c.before, c.phi, c.side)
			now, then = append(now, before), append(then, signedLoss(c.after, c.phi, c.side))
			less = append(less, before-floats.Dot(c.phi, c.phi))
		}
		return now, then, less
	}
	equation.Check(t, "prml-4.56", func(r *rand.Rand) (left, right any) {
		_, then, less := loss(r)
		return then, less
	})
	equation.Holds(t, "prml-4.56", func(r *rand.Rand) error {
		now, then, _ := loss(r)
		for i := range now {
			if !(then[i] < now[i]) {
				return fmt.Errorf("correction %d changes the error of its row from %v to %v, want a smaller error", i, now[i], then[i])
			}
		}
		return nil
	})
}
