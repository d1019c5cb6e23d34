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

// labelledRows returns up to 60 rows of up to four columns in k classes, of which
// each has more rows than there are columns, about a mean of its own.
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
		x, target := overlapping(r, 30, 2)
		at := x.RawRowView(r.IntN(30))
		logistic := must(classify.FitLogistic(x, target, classify.LogisticOptions{}))(t)
		probit := must(classify.FitProbit(x, target, classify.ProbitOptions{}))(t)
		poisson := must(classify.FitGLM(x, target, classify.PoissonTarget{}, classify.GLMOptions{}))(t)
		// The same y on the whole plane through x that is normal to w.
		step := r.NormFloat64()
		level := []float64{at[0] - step*poisson.W[2], at[1] + step*poisson.W[1]}
		one := mat.NewDense(2, 2, append(level, at...))
		return []any{must(logistic.Posterior(one))(t).At(1, 0), must(probit.Posterior(one))(t).At(1, 0), must(poisson.Mean(one))(t)},
			[]float64{
				logisticOf(affineValue(logistic.W, at)), math.Erfc(-affineValue(probit.W, at)/math.Sqrt2) / 2,
				math.Exp(affineValue(poisson.W, at)), math.Exp(affineValue(poisson.W, at)),
			}
	})
}

// nearestOn returns the point with the least ‖p − x‖ under wᵀp = −w0, from the
// linear equations for p and the Lagrange multiplier.
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
	// draw returns a plane, a point, and the unit vector along w.
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
		x[0] -= affineValue(w, x) / w[1] // now on the plane
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
		return []any{distance, distance}, []any{must(h.Distance(x))(t), must(h.Distances(mat.NewDense(1, len(x), x)))(t)}
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
		return []any{must(h.Value(x))(t), on[k]}, []any{affineValue(mat.Col(nil, k, w), x) - affineValue(mat.Col(nil, j, w), x), on[j]}
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
			return fmt.Errorf("between two points of class %d lies one of class %d", class[0], class[2])
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

// TestNotationBothWays: what is converted between the sources' conventions comes back.
func TestNotationBothWays(t *testing.T) {
	r := rand.New(rand.NewPCG(13, 0))
	y := make([]float64, 40)
	for i := range y {
		y[i] = float64(r.IntN(5)) / 4
	}
	nearly(t, "targets 0/1 and ±1", must(classify.ZeroOneTargets(must(classify.PlusMinusTargets(y))(t)))(t), y, 0)
	nearly(t, "targets ±1 and 0/1", must(classify.PlusMinusTargets(must(classify.ZeroOneTargets([]float64{-1, 0.5, 1}))(t)))(t), []float64{-1, 0.5, 1}, 0)
	mentions(t, of(classify.ZeroOneTargets([]float64{0, 2})), "t[1] is 2")

	h := must(classify.NewHyperplane(normals(r, 4)))(t)
	nearly(t, "C1 and C2 exchanged twice", h.Flip().Flip().Weights(), h.Weights(), 0)

	x, target := overlapping(r, 60, 2)
	m := must(classify.FitBayesLogistic(x, target, classify.BayesLogisticOptions{Prior: classify.Isotropic{Alpha: 1}}))(t)
	var identity mat.Dense
	identity.Mul(m.Precision, m.Covariance) // S_N⁻¹ of (4.143) and S_N
	nearly(t, "S_N⁻¹S_N", flat(&identity), []float64{1, 0, 0, 0, 1, 0, 0, 0, 1}, 1e-12)

	labels := make([]int, 60)
	for i := range labels {
		labels[i] = int(target[i])
	}
	n, k := 60.0, 2.0
	ml := must(classify.FitLDA(x, labels, 2, classify.LDAOptions{}))(t)
	unbiased := must(classify.FitLDA(x, labels, 2, classify.LDAOptions{Unbiased: true}))(t)
	var back mat.Dense
	back.Scale((n-k)/n, unbiased.Sigma) // divisors N and N−K
	nearly(t, "divisors", flat(&back), flat(ml.Sigma), 1e-12)
}
