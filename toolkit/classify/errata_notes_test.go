package classify_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat/distmv"
	"gonum.org/v1/gonum/stat/distuv"

	"github.com/hyperplane-notebooks/hyperplane/toolkit/classify"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/equation"
)

func TestErrataNotes(t *testing.T) {
	// w of the least-squares fit to N/N₁ and −N/N₂, which has w₀ = −wᵀm.
	equation.Misprint(t, "Q1", func(r *rand.Rand) equation.Reading {
		g := newGroups(r, 2, 3)
		n1, _ := g.x[0].Dims()
		var x mat.Dense
		x.Stack(g.x[0], g.x[1])
		design, target := mat.NewDense(g.n, 4, nil), mat.NewVecDense(g.n, nil)
		for i := range g.n {
			design.SetRow(i, append([]float64{1}, x.RawRowView(i)...))
			target.SetVec(i, float64(g.n)/float64(n1))
			if i >= n1 {
				target.SetVec(i, -float64(g.n)/float64(g.n-n1))
			}
		}
		var fit, at, sum, mean mat.VecDense
		_ = fit.SolveVec(design, target)
		w, m := fit.SliceVec(1, 4), mat.NewVecDense(3, g.mean)
		at.MulVec(&x, w)
		sum.MulVec(x.T(), &at)
		mean.ScaleVec(float64(g.n)*mat.Dot(m, w), m)
		var printed, right mat.VecDense
		printed.AddVec(&sum, &mean)
		right.SubVec(&sum, &mean)
		truth := difference(g.means[0], g.means[1])
		truth.ScaleVec(float64(g.n), truth)
		return equation.Reading{True: truth, Printed: &printed, Right: &right}
	})
	equation.Misprint(t, "Q2", func(r *rand.Rand) equation.Reading {
		d := 2 + r.IntN(3)
		cov, mean, x := spread(r, d), normals(r, d), normals(r, d)
		p, _ := distmv.NewNormal(mean, cov, nil)
		diff := difference(x, mean)
		bell := math.Exp(-mat.Inner(diff, inverse(t, cov), diff)/2) / math.Sqrt(mat.Det(cov))
		return equation.Reading{True: p.Prob(x), Printed: bell / math.Sqrt(2*math.Pi), Right: bell / math.Pow(2*math.Pi, float64(d)/2)}
	})
	// The criterion of all dimensions, and that of eigenvectors as weights.
	equation.Misprint(t, "Q6", func(r *rand.Rand) equation.Reading {
		g := newGroups(r, 3, 4)
		leading := func(w, sw, sb mat.Matrix) *mat.Dense { // of two eigenvectors
			var c, a, b, v mat.Dense
			a.Product(w.T(), sw, w)
			b.Product(w.T(), sb, w)
			_ = c.Solve(&a, &b)
			var e mat.Eigen
			e.Factorize(&c, mat.EigenRight)
			var complex mat.CDense
			e.VectorsTo(&complex)
			n, _ := c.Dims()
			values := make([]float64, n)
			for i, l := range e.Values(nil) {
				values[i] = -real(l)
			}
			order := make([]int, n)
			floats.Argsort(values, order)
			v.ReuseAs(n, 2)
			for i := range n {
				for j := range 2 {
					v.Set(i, j, real(complex.At(i, order[j])))
				}
			}
			return &v
		}
		all := mat.NewDiagDense(4, []float64{1, 1, 1, 1})
		small := leading(normalMatrix(r, 4, 2), g.sw, g.sb) // 2×2, of s_W⁻¹s_B
		return equation.Reading{True: criterion(all, g.sw, g.sb), Printed: criterion(small, g.sw, g.sb), Right: criterion(leading(all, g.sw, g.sb), g.sw, g.sb)}
	})
	// The first column of R⁻¹, R of the design matrix with a column of ones.
	equation.Misprint(t, "Q7", func(r *rand.Rand) equation.Reading {
		n := 5 + r.IntN(20)
		design := normalMatrix(r, n, 3)
		for i := range n {
			design.Set(i, 0, 1)
		}
		var qr mat.QR
		qr.Factorize(design)
		var full, inv mat.Dense
		qr.RTo(&full)
		_ = inv.Inverse(full.Slice(0, 3, 0, 3))
		column := mat.Col(nil, 0, &inv)
		return equation.Reading{True: floats.Dot(column, column), Printed: 1, Right: 1 / float64(n)}
	})
	equation.Check(t, "N2", func(r *rand.Rand) (left, right any) {
		a := 4*r.Float64() - 2
		erf := slope(func(a float64) float64 { return math.Sqrt2 * math.Erf(a/math.Sqrt2) }, a) // the notes' one
		return erf, 2 / math.Sqrt(math.Pi) * math.Exp(-a*a/2)
	})
}

func TestErrataCounterexamples(t *testing.T) {
	equation.Holds(t, "P2", func(r *rand.Rand) error {
		x, labels := normalMatrix(r, 12, 2), make([]int, 12)
		for i := range labels {
			labels[i] = i % 3
		}
		o := must(classify.SoftmaxObjective(x, labels, 3, nil))(t)
		w := normals(r, 9)
		var e mat.EigenSym
		e.Factorize(must(o.Hessian(w))(t), false)
		values := e.Values(nil)
		if !(math.Abs(values[2]) < 1e-9*values[8] && values[3] > 1e-9*values[8]) {
			return fmt.Errorf("the eigenvalues are %v: three of them should be 0", values)
		}
		return nil
	})
	// The outputs of the pseudo-inverse for 1-of-K targets, with a column that is constant
	// in the training rows: their sum at an input like these, and at any other.
	equation.Holds(t, "P40", func(r *rand.Rand) error {
		x, targets, constant := normalMatrix(r, 12, 3), mat.NewDense(12, 3, nil), 1+r.Float64()
		for i := range 12 {
			x.SetRow(i, []float64{1, x.At(i, 1), constant})
			targets.Set(i, r.IntN(3), 1)
		}
		var s mat.SVD
		s.Factorize(x, mat.SVDThin)
		var w mat.Dense
		s.SolveTo(&w, targets, 2)
		sum := func(x []float64) float64 { return floats.Sum(timesVector(w.T(), x)) }
		v := r.NormFloat64()
		if in, out := sum([]float64{1, v, constant}), sum([]float64{1, v, -constant}); math.Abs(in-1) > 1e-9 || math.Abs(out-1) < 1e-3 {
			return fmt.Errorf("the outputs sum to %v in the span, to %v outside", in, out)
		}
		return nil
	})
	// With unequal classes, (4.155) is on the same side of ½ as w_MAP.
	equation.Holds(t, "P45", func(r *rand.Rand) error {
		x, labels := noisyClasses(r, 2, 2)
		target := mat.Col(nil, 0, oneOfK(labels, 2))
		m := must(classify.FitBayesLogistic(x, target, classify.BayesLogisticOptions{Prior: classify.Isotropic{Alpha: 0.5}}))(t)
		at := normalMatrix(r, 50, 2)
		for n, p := range mat.Col(nil, 0, must(m.Posterior(at))(t)) {
			if a := affineValue(m.W, at.RawRowView(n)); p > 0.5 != (a > 0) {
				return fmt.Errorf("p = %v where the activation of w_MAP is %v", p, a)
			}
		}
		return nil
	})
	separable := func(r *rand.Rand) error { // ever smaller along w: no minimum
		e, w := newEntropyOf(r, 10, 2), normals(r, 2)
		for i := range e.t {
			e.t[i] = truth(floats.Dot(w, e.phi.RawRowView(i)) > 0)
		}
		at := func(c float64) float64 { return e.value([]float64{c * w[0], c * w[1]}) }
		if !(at(1) > at(2) && at(2) > at(4)) {
			return fmt.Errorf("the error is %v, %v, %v at 1, 2, 4 times the weights", at(1), at(2), at(4))
		}
		return nil
	}
	equation.Holds(t, "P6", separable)
	equation.Holds(t, "A9", separable)
	// P(θ ≤ a) for θ of any mean: a scale alone is not enough.
	equation.Misprint(t, "P36", func(r *rand.Rand) equation.Reading {
		m, s, a := r.NormFloat64(), 0.5+r.Float64(), r.NormFloat64()
		phi := func(z float64) float64 { return math.Erfc(-z/math.Sqrt2) / 2 }
		return equation.Reading{True: distuv.Normal{Mu: m, Sigma: s}.CDF(a), Printed: phi(a / s), Right: phi((a - m) / s)}
	})
	// The variances of a target and of the working target (t−y)/(y(1−y)).
	equation.Check(t, "P26", func(r *rand.Rand) (left, right any) {
		y := 0.05 + 0.9*r.Float64()
		working := func(t float64) float64 { return (t - y) / (y * (1 - y)) }
		variance := func(f func(t float64) float64) float64 {
			mean := y*f(1) + (1-y)*f(0)
			return y*(f(1)-mean)*(f(1)-mean) + (1-y)*(f(0)-mean)*(f(0)-mean)
		}
		return variance(working), 1 / variance(func(t float64) float64 { return t })
	})
	// The foot of the plane is the shortest solution of wᵀx = −w₀.
	equation.Check(t, "A2", func(r *rand.Rand) (left, right any) {
		w, w0 := normals(r, 3), r.NormFloat64()
		h := must(classify.NewHyperplane(append([]float64{w0}, w...)))(t)
		var foot mat.VecDense
		_ = foot.SolveVec(mat.NewDense(1, 3, w), mat.NewVecDense(1, []float64{-w0}))
		along := floats.Dot(foot.RawVector().Data, w) / floats.Norm(w, 2)
		return []float64{must(h.OriginDistance())(t), must(h.FootCoordinate())(t)}, []float64{-along, along}
	})
}
