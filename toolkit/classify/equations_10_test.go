package classify_test

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat/distmv"
	"gonum.org/v1/gonum/stat/distuv"

	"github.com/hyperplane-notebooks/hyperplane/toolkit/classify"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/equation"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/kernels"
)

// TestEquationsAlpaydinDiscriminants checks the equations of sections 10.1 to 10.4.
func TestEquationsAlpaydinDiscriminants(t *testing.T) {
	equation.Check(t, "alpaydin-10.1", func(r *rand.Rand) (left, right any) {
		d := 1 + r.IntN(4)
		w, x := normals(r, d+1), normals(r, d)
		return must(must(classify.NewHyperplane(w))(t).Value(x))(t), affineValue(w, x)
	})
	equation.Check(t, "alpaydin-10.2", func(r *rand.Rand) (left, right any) {
		x, labels := noisyClasses(r, 2, 2)
		m := must(classify.FitQDA(x, labels, 2, classify.QDAOptions{}))(t)
		a, b, c, err := m.Quadratic(1)
		if err != nil {
			t.Fatal(err)
		}
		at := normals(r, 2)
		class := gaussiansOf(x, labels, 2, false)[1]
		return quadraticAt(a, b, c, at), math.Log(shareOfRows(labels, 2)[1]) + class.LogProb(at)
	})
	equation.Check(t, "alpaydin-10.3", func(r *rand.Rand) (left, right any) {
		x, target := overlappingRows(r, 30, 1)
		a, c := normals(r, 2), normals(r, 1)
		basis := must(classify.BasisJoin(ridge("sin", a),
			must(classify.BasisGaussian(mat.NewDense(1, 1, c), 0.8))(t)))(t)
		m := must(classify.FitOnBasis(x, basis, func(phi mat.Matrix) (*classify.Logistic, error) {
			return classify.FitLogistic(phi, target, classify.LogisticOptions{Prior: classify.Isotropic{Alpha: 1}})
		}))(t)
		v, w := x.At(5, 0), m.Model.W
		return must(m.Scores(x))(t).At(5, 0), w[0] + w[1]*math.Sin(a[0]+a[1]*v) +
			w[2]*math.Exp(-(v-c[0])*(v-c[0])/(2*0.8*0.8))
	})
	equation.Check(t, "alpaydin-10.4", func(r *rand.Rand) (left, right any) {
		d := 1 + r.IntN(4)
		w, x := normals(r, d+1), normals(r, d)
		return must(must(classify.NewHyperplane(w))(t).Distance(x))(t), signedDistance(w, x)
	})
	equation.Check(t, "alpaydin-10.5", func(r *rand.Rand) (left, right any) {
		w := normals(r, 2+r.IntN(4))
		return must(must(classify.NewHyperplane(w))(t).OriginDistance())(t), signedDistance(w, make([]float64, len(w)-1))
	})
	equation.Check(t, "alpaydin-10.6", func(r *rand.Rand) (left, right any) {
		x, labels := noisyClasses(r, 3, 2)
		m := must(classify.FitOneVersusRest(x, labels, 3, logisticMachine, classify.OneVersusRestOptions{}))(t)
		var g []float64
		for i := range 3 {
			alone := must(classify.FitLogistic(x, mat.Col(nil, i, oneOfK(labels, 3)),
				classify.LogisticOptions{Prior: classify.Isotropic{Alpha: 1}}))(t)
			g = append(g, affineValue(alone.W, x.RawRowView(7)))
		}
		return must(m.Scores(x))(t).RawRowView(7), g
	})
	equation.Holds(t, "alpaydin-10.7", func(r *rand.Rand) error {
		k := 3 + r.IntN(3)
		x, labels := ringOfClasses(r, k)
		for i, s := range must(classify.SeparableFromRest(x, labels, k))(t) {
			for n, l := range labels {
				if g := affineValue(s.W, x.RawRowView(n)); (g > 0) != (l == i) {
					return fmt.Errorf("the discriminant g_%d has the wrong sign: %v at a row of class %d", i, g, l)
				}
			}
		}
		return nil
	})
	equation.Check(t, "alpaydin-10.8", func(r *rand.Rand) (left, right any) {
		w, x := normalMatrix(r, 3, 4), normalMatrix(r, 9, 2)
		var chosen []int
		for n := range 9 {
			best := 0
			for i := range 4 {
				if affineValue(mat.Col(nil, i, w), x.RawRowView(n)) > affineValue(mat.Col(nil, best, w),
					x.RawRowView(n)) {
					best = i
				}
			}
			chosen = append(chosen, best)
		}
		return must(must(classify.NewLinearMachine(w))(t).Predict(x))(t), chosen
	})
	equation.Holds(t, "alpaydin-10.9", func(r *rand.Rand) error {
		k := 3 + r.IntN(3)
		x, labels := ringOfClasses(r, k)
		m := must(classify.FitOneVersusOne(x, labels, k, separatingMachine, classify.OneVersusOneOptions{}))(t)
		if len(m.Pairs) != k*(k-1)/2 {
			return fmt.Errorf("got %d discriminants for %d classes, want k(k−1)/2", len(m.Pairs), k)
		}
		for _, p := range m.Pairs {
			g := must(p.Machine.Scores(x))(t)
			for n, l := range labels {
				if v := g.At(n, 0) - g.At(n, 1); l == p.First && v <= 0 || l == p.Second && v > 0 {
					return fmt.Errorf("the discriminant g_%d%d has the wrong sign: %v at a row of class %d", p.First, p.Second, v, l)
				}
			}
		}
		return nil
	})
	equation.Check(t, "alpaydin-10.10", func(r *rand.Rand) (left, right any) {
		x, labels := noisyClasses(r, 3, 2)
		m := must(classify.FitOneVersusOne(x, labels, 3, logisticMachine, classify.OneVersusOneOptions{}))(t)
		at := x.Slice(4, 5, 0, 2)
		sums := make([]float64, 3)
		for i := range 3 {
			for j := range 3 {
				if j != i {
					sums[i] += must(pairMachine(x, labels, i, j).Activations(at))(t)[0]
				}
			}
		}
		return must(m.Sums(at))(t), sums
	})
}

// TestEquationsAlpaydinParametric checks the equations of section 10.5.
func TestEquationsAlpaydinParametric(t *testing.T) {
	equation.Check(t, "alpaydin-10.11", func(r *rand.Rand) (left, right any) {
		x, labels := noisyClasses(r, 3, 2)
		at := normalMatrix(r, 1, 2)
		a := must(must(classify.FitLDA(x, labels, 3, classify.LDAOptions{}))(t).Scores(at))(t)
		g, share := gaussiansOf(x, labels, 3, true), shareOfRows(labels, 3)
		var ratios []float64 // ln p(x|C_k)P(C_k) minus its value for k = 0; terms common to all classes cancel
		for k := range 3 {
			density := g[k].LogProb(at.RawRowView(0)) - g[0].LogProb(at.RawRowView(0))
			ratios = append(ratios, density+math.Log(share[k]/share[0]))
			a.Set(0, 2-k, a.At(0, 2-k)-a.At(0, 0))
		}
		return a, ratios
	})
	equation.Check(t, "alpaydin-10.12", func(r *rand.Rand) (left, right any) {
		x, labels := noisyClasses(r, 3, 2)
		labels = labels[:len(labels)-r.IntN(5)]
		rows := x.Slice(0, len(labels), 0, 2).(*mat.Dense)
		means, covariances := momentsOf(rows, labels, 3, true)
		w := mat.NewDense(3, 3, nil)
		for i, m := range means {
			v, half := inverseTimes(covariances[i], m)
			w.SetCol(i, []float64{-half/2 + math.Log(shareOfRows(labels, 3)[i]), v[0], v[1]})
		}
		return must(classify.FitLDA(rows, labels, 3, classify.LDAOptions{}))(t).W, w
	})
	equation.Check(t, "alpaydin-10.13", func(r *rand.Rand) (left, right any) {
		x, labels := noisyClasses(r, 2, 2)
		p, at := 0.1+0.8*r.Float64(), normals(r, 2)
		w := must(must(classify.FitLDA(x, labels, 2,
			classify.LDAOptions{Priors: []float64{p, 1 - p}}))(t).TwoClass())(t)
		g := gaussiansOf(x, labels, 2, true)
		return affineValue(w, at), g[0].LogProb(at) - g[1].LogProb(at) + math.Log(p/(1-p))
	})
	equation.Check(t, "alpaydin-10.14", func(r *rand.Rand) (left, right any) {
		x, labels := noisyClasses(r, 2, 2)
		p := 0.1 + 0.8*r.Float64()
		means, covariances := momentsOf(x, labels, 2, true)
		m, n := means[0], means[1]
		w, _ := inverseTimes(covariances[0], []float64{m[0] - n[0], m[1] - n[1]})
		w0 := -((m[0]+n[0])*w[0]+(m[1]+n[1])*w[1])/2 + math.Log(p/(1-p))
		return must(must(classify.FitLDA(x, labels, 2,
			classify.LDAOptions{Priors: []float64{p, 1 - p}}))(t).TwoClass())(t), []float64{w0, w[0], w[1]}
	})
	equation.Check(t, "alpaydin-10.15", func(r *rand.Rand) (left, right any) {
		x, labels := noisyClasses(r, 2, 2)
		at := normals(r, 2)
		w := must(must(classify.FitLDA(x, labels, 2, classify.LDAOptions{}))(t).TwoClass())(t)
		g, share := gaussiansOf(x, labels, 2, true), shareOfRows(labels, 2)
		one, two := share[0]*g[0].Prob(at), share[1]*g[1].Prob(at)
		return kernels.Sigmoid(affineValue(w, at)), one / (one + two)
	})
}

// TestEquationsAlpaydinLogistic checks the equations of sections 10.6 and 10.7.1.
func TestEquationsAlpaydinLogistic(t *testing.T) {
	descend := func(x *mat.Dense, target, start []float64, rate float64, steps int) classify.Trace {
		o := classify.LogisticOptions{Start: start, MaxIterations: steps,
			Solver: classify.GradientDescent{Rate: rate, Every: 1}}
		return must(classify.FitLogistic(x, target, o))(t).Trace
	}
	// The tolerance allows for the error of the numerical derivative, which is about 1e-10·E.
	equation.CheckTo(t, "alpaydin-10.16", 1e-7, func(r *rand.Rand) (left, right any) {
		x, target := overlappingRows(r, 20, 2)
		w, rate := normals(r, 3), 0.01+0.02*r.Float64()
		first := descend(x, target, w, rate, 1)[1].W
		g := slopes(func(w []float64) float64 { return crossEntropyOf(x, target, w) }, w)
		return differenceOf(first, w, 1), differenceOf(make([]float64, 3), g, rate)
	})
	equation.Check(t, "alpaydin-10.17", func(r *rand.Rand) (left, right any) {
		x, target := overlappingRows(r, 20, 2)
		w, rate := normals(r, 3), 0.01+0.02*r.Float64()
		last := descend(x, target, w, rate, 5)[5].W
		for range 5 {
			for i, change := range residualSums(x, target, w) {
				w[i] += rate * change
			}
		}
		return last, w
	})
	equation.Check(t, "alpaydin-10.18", func(r *rand.Rand) (left, right any) {
		x, labels := noisyClasses(r, 2, 2)
		at := normals(r, 2)
		m := must(classify.FitLDA(x, labels, 2, classify.LDAOptions{Priors: []float64{0.2, 0.8}}))(t)
		even := must(classify.ShiftPriors(m, nil, []float64{0.5, 0.5}))(t) // equal priors contribute nothing to w0
		g := gaussiansOf(x, labels, 2, true)
		return affineValue(must(even.TwoClass())(t), at), g[0].LogProb(at) - g[1].LogProb(at)
	})
	equation.Check(t, "alpaydin-10.19", func(r *rand.Rand) (left, right any) {
		x, labels := noisyClasses(r, 2, 2)
		p, at := 0.1+0.8*r.Float64(), normals(r, 2)
		m := must(classify.ShiftPriors(must(classify.FitLDA(x, labels, 2, classify.LDAOptions{}))(t), nil,
			[]float64{p, 1 - p}))(t)
		g := gaussiansOf(x, labels, 2, true)
		y := p * g[0].Prob(at) / (p*g[0].Prob(at) + (1-p)*g[1].Prob(at))
		return affineValue(must(m.TwoClass())(t), at), math.Log(y / (1 - y))
	})
	equation.Check(t, "alpaydin-10.20", func(r *rand.Rand) (left, right any) {
		x, target := overlappingRows(r, 20, 2)
		p := 0.1 + 0.8*r.Float64()
		m := must(classify.FitLogistic(x, target, classify.LogisticOptions{Prior: classify.Isotropic{Alpha: 1}}))(t)
		s := must(classify.ShiftPriors(m, []float64{0.5, 0.5}, []float64{p, 1 - p}))(t)
		origin := must(m.Posterior(mat.NewDense(1, 2, nil)))(t) // posteriors by Bayes' theorem at x = 0, for equal priors
		return s.W, []float64{math.Log(origin.At(0, 0)*p) - math.Log(origin.At(0, 1)*(1-p)), m.W[1], m.W[2]}
	})
	equation.Check(t, "alpaydin-10.21", func(r *rand.Rand) (left, right any) {
		x, target := overlappingRows(r, 20, 2)
		m := must(classify.FitLogistic(x, target, classify.LogisticOptions{}))(t)
		y := logisticOf(affineValue(m.W, x.RawRowView(9)))
		return must(m.Posterior(x))(t).RawRowView(9), []float64{y, 1 - y}
	})
	equation.Check(t, "alpaydin-10.22", func(r *rand.Rand) (left, right any) {
		x, target := overlappingRows(r, 20, 1)
		m := must(classify.FitLogistic(x, target, classify.LogisticOptions{Prior: classify.Isotropic{Alpha: 1}}))(t)
		l := 1.0
		for n, rt := range target {
			y := logisticOf(affineValue(m.W, x.RawRowView(n)))
			l *= math.Pow(y, rt) * math.Pow(1-y, 1-rt)
		}
		return math.Exp(m.LogLikelihood), l
	})
	equation.Check(t, "alpaydin-10.23", func(r *rand.Rand) (left, right any) {
		x, target := overlappingRows(r, 20, 2)
		w := normals(r, 3)
		return must(must(classify.LogisticObjective(x, target, nil))(t).Value(w))(t), crossEntropyOf(x, target, w)
	})
	equation.Check(t, "alpaydin-10.24", func(r *rand.Rand) (left, right any) {
		x, target := overlappingRows(r, 20, 2)
		w := normals(r, 3)
		g := must(must(classify.LogisticObjective(x, target, nil))(t).Gradient(w))(t)
		return g, differenceOf(make([]float64, 3), residualSums(x, target, w), 1)
	})
}

// TestEquationsAlpaydinSoftmax checks the equations of section 10.7.2.
func TestEquationsAlpaydinSoftmax(t *testing.T) {
	fit := func(r *rand.Rand) (x *mat.Dense, labels []int, m *classify.Softmax) {
		x, labels = noisyClasses(r, 3, 2)
		return x, labels, must(classify.FitSoftmax(x, labels, 3,
			classify.SoftmaxOptions{Prior: classify.Isotropic{Alpha: 0.5}}))(t)
	}
	// odds returns exp[w_iᵀx + w_i0] for i < K, and the sum of these numbers. In m, the last class
	// is the reference class with weights 0.
	odds := func(m *classify.Softmax, x []float64) (list []float64, sum float64) {
		ref := must(m.Reference(2))(t)
		for i := range 2 {
			list = append(list, math.Exp(affineValue(mat.Col(nil, i, ref.W), x)))
		}
		return list, list[0] + list[1]
	}
	equation.Check(t, "alpaydin-10.25", func(r *rand.Rand) (left, right any) {
		x, labels := noisyClasses(r, 3, 2)
		at := normals(r, 2)
		m := must(classify.FitLDA(x, labels, 3, classify.LDAOptions{Priors: []float64{0.2, 0.5, 0.3}}))(t)
		w := must(classify.ShiftPriors(m, nil, []float64{1. / 3, 1. / 3, 1. / 3}))(t).W // equal priors cancel
		g := gaussiansOf(x, labels, 3, true)
		var ratios, linear []float64
		for i := range 2 {
			ratios = append(ratios, g[i].LogProb(at)-g[2].LogProb(at))
			linear = append(linear, affineValue(mat.Col(nil, i, w), at)-affineValue(mat.Col(nil, 2, w), at))
		}
		return linear, ratios
	})
	equation.Check(t, "alpaydin-10.26", func(r *rand.Rand) (left, right any) {
		x, _, m := fit(r)
		p := must(m.Posterior(x))(t).RawRowView(4)
		ratio, _ := odds(m, x.RawRowView(4))
		return []float64{p[0] / p[2], p[1] / p[2]}, ratio
	})
	equation.Check(t, "alpaydin-10.27", func(r *rand.Rand) (left, right any) {
		x, _, m := fit(r)
		p := must(m.Posterior(x))(t).At(4, 2)
		_, sum := odds(m, x.RawRowView(4))
		return []float64{p, (1 - p) / p}, []float64{1 / (1 + sum), sum}
	})
	equation.Check(t, "alpaydin-10.28", func(r *rand.Rand) (left, right any) {
		x, _, m := fit(r)
		p := must(m.Posterior(x))(t).RawRowView(4)
		ratio, sum := odds(m, x.RawRowView(4))
		return p[:2], []float64{ratio[0] / (1 + sum), ratio[1] / (1 + sum)}
	})
	equation.Check(t, "alpaydin-10.29", func(r *rand.Rand) (left, right any) {
		x, _, m := fit(r)
		return must(m.Posterior(x))(t).RawRowView(4), softmaxOf(m.W, x.RawRowView(4))
	})
	equation.Check(t, "alpaydin-10.30", func(r *rand.Rand) (left, right any) {
		x, labels, m := fit(r)
		l := 1.0
		for n := range labels {
			for i, y := range softmaxOf(m.W, x.RawRowView(n)) {
				l *= math.Pow(y, truth(labels[n] == i))
			}
		}
		return math.Exp(m.LogLikelihood), l
	})
	equation.Check(t, "alpaydin-10.31", func(r *rand.Rand) (left, right any) {
		x, labels := noisyClasses(r, 3, 2)
		w, e := normalMatrix(r, 3, 3), 0.0
		for n := range labels {
			for i, y := range softmaxOf(w, x.RawRowView(n)) {
				e -= truth(labels[n] == i) * math.Log(y)
			}
		}
		return must(must(classify.SoftmaxObjective(x, labels, 3, nil))(t).Value(flat(w.T())))(t), e
	})
	// The error of the numerical derivative is about 1e-10.
	equation.CheckTo(t, "alpaydin-10.32", 1e-8, func(r *rand.Rand) (left, right any) {
		k := 2 + r.IntN(4)
		a := normals(r, k)
		y := kernels.Softmax(make([]float64, k), a)
		jacobian, formula := mat.NewDense(k, k, nil), mat.NewDense(k, k, nil)
		for i := range k {
			g := slopes(func(a []float64) float64 { return kernels.Softmax(make([]float64, k), a)[i] }, a)
			jacobian.SetRow(i, g)
			for j := range k {
				formula.Set(i, j, y[i]*(truth(i == j)-y[j]))
			}
		}
		return jacobian, formula
	})
	equation.Check(t, "alpaydin-10.33", func(r *rand.Rand) (left, right any) {
		x, labels := noisyClasses(r, 3, 2)
		w, step := normalMatrix(r, 3, 3), mat.NewDense(3, 3, nil)
		for n := range labels {
			for j, y := range softmaxOf(w, x.RawRowView(n)) {
				for i, v := range append([]float64{1}, x.RawRowView(n)...) {
					step.Set(i, j, step.At(i, j)+(truth(labels[n] == j)-y)*v)
				}
			}
		}
		g := must(must(classify.SoftmaxObjective(x, labels, 3, nil))(t).Gradient(flat(w.T())))(t)
		return differenceOf(make([]float64, 9), g, 1), flat(step.T())
	})
	equation.Check(t, "alpaydin-10.34", func(r *rand.Rand) (left, right any) {
		ratio, quadratic, prior := quadraticRatio(t, r)
		return []float64{quadratic[0] - prior, quadratic[1] - prior}, ratio
	})
	equation.Check(t, "alpaydin-10.35", func(r *rand.Rand) (left, right any) {
		ratios, linear, priors := basisRatios(t, r)
		return differenceOf(linear, priors, 1), ratios
	})
}

// quadraticRatio fits two models to the same rows. For each model it returns ln p(x|C₁)/p(x|C₂) and
// the difference g₁ − g₂ of the quadratic discriminants. It also returns ln P(C₁)/P(C₂), which is
// part of w_i0. The first model consists of Gaussian densities. The second model is discriminative.
// Its density ratio is its posterior odds divided by the odds of the priors.
func quadraticRatio(t *testing.T, r *rand.Rand) (ratio, quadratic []float64, prior float64) {
	t.Helper()
	x, labels := noisyClasses(r, 2, 2)
	at, share := normals(r, 2), shareOfRows(labels, 2)
	density := gaussiansOf(x, labels, 2, false)
	g := must(classify.FitQDA(x, labels, 2, classify.QDAOptions{}))(t)
	m := must(classify.FitQuadraticLogistic(x, labels, 2, classify.QuadraticLogisticOptions{Lambda: 1, Alpha: 1}))(t)
	for _, coefficients := range []func(class int) (*mat.SymDense, []float64, float64, error){g.Quadratic,
		m.Coefficients} {
		a := 0.0
		for k := range 2 {
			w2, w, w0, err := coefficients(k)
			if err != nil {
				t.Fatal(err)
			}
			a += (1 - 2*float64(k)) * quadraticAt(w2, w, w0, at)
		}
		quadratic = append(quadratic, a)
	}
	p := must(m.Posterior(mat.NewDense(1, 2, at)))(t)
	ratio = []float64{density[0].LogProb(at) - density[1].LogProb(at),
		math.Log(p.At(0, 0) / share[0] / (p.At(0, 1) / share[1]))}
	return ratio, quadratic, math.Log(share[0] / share[1])
}

// basisRatios returns ln p(x|C_i)/p(x|C_K), w_iᵀφ(x) + w_i0, and ln P(C_i)/P(C_K), which is part of
// w_i0. The classes are Gaussian in the space of two sigmoids φ(x). The map φ is one to one, so the
// density ratios of φ(x) equal the density ratios of x.
func basisRatios(t *testing.T, r *rand.Rand) (ratios, linear, priors []float64) {
	t.Helper()
	x, labels := noisyClasses(r, 3, 2)
	a := [][]float64{normals(r, 3), normals(r, 3)}
	m := must(classify.FitOnBasis(x, ridge("sigmoid", a...), func(phi mat.Matrix) (*classify.LDA, error) {
		return classify.FitLDA(phi, labels, 3, classify.LDAOptions{})
	}))(t)
	phi := mat.NewDense(len(labels), 2, nil)
	phi.Apply(func(i, j int, _ float64) float64 { return logisticOf(affineValue(a[j], x.RawRowView(i))) }, phi)
	g, share, at := gaussiansOf(phi, labels, 3, true), shareOfRows(labels, 3), phi.RawRowView(8)
	for i := range 2 {
		ratios = append(ratios, g[i].LogProb(at)-g[2].LogProb(at))
		w := differenceOf(mat.Col(nil, i, m.Model.W), mat.Col(nil, 2, m.Model.W), 1)
		linear, priors = append(linear, affineValue(w, at)), append(priors, math.Log(share[i]/share[2]))
	}
	return ratios, linear, priors
}

// TestEquationsAlpaydinRegression checks the equations of section 10.8.
func TestEquationsAlpaydinRegression(t *testing.T) {
	equation.Check(t, "alpaydin-10.37", func(r *rand.Rand) (left, right any) {
		x, _, m := sigmoidFit(t, r, 1)
		return must(m.Values(x))(t).At(3, 0), logisticOf(affineValue(mat.Col(nil, 0, m.W), x.RawRowView(3)))
	})
	equation.Check(t, "alpaydin-10.38", func(r *rand.Rand) (left, right any) {
		x, target, m := sigmoidFit(t, r, 1)
		s, l := 0.5+r.Float64(), 1.0
		for n := range 20 {
			l *= distuv.Normal{Mu: outputsOf(m.W, x.RawRowView(n))[0], Sigma: s}.Prob(target.At(n, 0))
		}
		return math.Exp(-m.SumSquare/(s*s)) / math.Pow(math.Sqrt(2*math.Pi)*s, 20), l
	})
	equation.Check(t, "alpaydin-10.39", func(r *rand.Rand) (left, right any) {
		x, target, _ := sigmoidFit(t, r, 1)
		w := normalMatrix(r, 3, 1)
		o := must(classify.SigmoidObjective(x, mat.Col(nil, 0, target), nil))(t)
		return must(o.Value(flat(w)))(t), squaresOf(x, target, w)
	})
	equation.Check(t, "alpaydin-10.40", func(r *rand.Rand) (left, right any) {
		x, target, _ := sigmoidFit(t, r, 1)
		w := normalMatrix(r, 3, 1)
		g := must(must(classify.SigmoidObjective(x, mat.Col(nil, 0, target), nil))(t).Gradient(flat(w)))(t)
		return differenceOf(make([]float64, 3), g, 1), squaresStep(x, target, w, 1)
	})
	equation.Check(t, "alpaydin-10.42", func(r *rand.Rand) (left, right any) {
		x, _, m := sigmoidFit(t, r, 3)
		return must(m.Values(x))(t).RawRowView(3), outputsOf(m.W, x.RawRowView(3))
	})
	equation.Check(t, "alpaydin-10.43", func(r *rand.Rand) (left, right any) {
		x, target, m := sigmoidFit(t, r, 3)
		s, l := 0.5+r.Float64(), 0.0
		for n := range 20 {
			noise,
				_ := distmv.NewNormal(outputsOf(m.W, x.RawRowView(n)),
				mat.NewDiagDense(3, []float64{s * s, s * s, s * s}), nil)
			l += noise.LogProb(target.RawRowView(n))
		}
		return -m.SumSquare/(s*s) - 20*(3*math.Log(2*math.Pi)/2+math.Log(s*s*s*s*s*s)/2), l // logarithms
	})
	equation.Check(t, "alpaydin-10.44", func(r *rand.Rand) (left, right any) {
		x, target, m := sigmoidFit(t, r, 3)
		return m.SumSquare, squaresOf(x, target, m.W)
	})
	equation.Check(t, "alpaydin-10.45", func(r *rand.Rand) (left, right any) {
		x, target, _ := sigmoidFit(t, r, 3)
		w, rate := normalMatrix(r, 3, 3), 0.05+0.1*r.Float64()
		o := classify.SigmoidSquaresOptions{Start: w, MaxIterations: 1,
			Solver: classify.GradientDescent{Rate: rate, Every: 1}}
		var step []float64
		for i, out := range must(classify.FitSigmoidSquaresTargets(x, target, o))(t).Outputs {
			step = append(step, differenceOf(out.Trace[1].W, mat.Col(nil, i, w), 1)...)
		}
		return step, squaresStep(x, target, w, rate)
	})
}

// quadraticAt returns xᵀAx + bᵀx + c.
func quadraticAt(a *mat.SymDense, b []float64, c float64, x []float64) float64 {
	for i := range x {
		c += b[i] * x[i]
		for j := range x {
			c += x[i] * a.At(i, j) * x[j]
		}
	}
	return c
}

// noisyClasses returns 12k rows of k overlapping classes of unequal sizes. With equal sizes the log
// ratio of the priors would be 0. A test would then not detect that a formula lacks this ratio.
func noisyClasses(r *rand.Rand, k, d int) (*mat.Dense, []int) {
	x, labels := normalMatrix(r, 12*k, d), make([]int, 12*k)
	for i := range labels {
		if labels[i] = i % k; i >= 6*k { // from row 6k on, the first classes are more frequent, so class sizes differ
			labels[i] = labels[i] * labels[i] / k
		}
		x.Set(i, 0, x.At(i, 0)+0.5*float64(labels[i]))
	}
	return x, labels
}

// ringOfClasses returns 6 rows of each of k classes. The class means are far apart on a circle.
func ringOfClasses(r *rand.Rand, k int) (*mat.Dense, []int) {
	x, labels := normalMatrix(r, 6*k, 2), make([]int, 6*k)
	for i := range labels {
		labels[i] = i % k
		sin, cos := math.Sincos(2 * math.Pi * float64(i%k) / float64(k))
		x.Set(i, 0, x.At(i, 0)+30*cos)
		x.Set(i, 1, x.At(i, 1)+30*sin)
	}
	return x, labels
}

// gaussiansOf returns the densities N(m_k, Σ_k) of the classes. If shared is true, all classes have
// the same Σ.
func gaussiansOf(x *mat.Dense, labels []int, k int, shared bool) (class []*distmv.Normal) {
	means, covariances := momentsOf(x, labels, k, shared)
	for c := range k {
		n, ok := distmv.NewNormal(means[c], covariances[c], nil)
		if !ok {
			panic("a covariance is singular")
		}
		class = append(class, n)
	}
	return class
}

// momentsOf computes the means and covariances of the classes from their definitions. The
// covariance of a class has the divisor N_k. If shared is true, all classes have the pooled
// covariance with divisor N.
func momentsOf(x *mat.Dense, labels []int, k int, shared bool) (means [][]float64, covariances []*mat.SymDense) {
	for c := range k {
		mean, _ := averageOf(x, labels, c)
		s := covarianceOf(x, labels, c)
		if shared {
			s = pooledCovariance(x, labels, k)
		}
		means, covariances = append(means, mean), append(covariances, s)
	}
	return means, covariances
}

// signedDistance returns the signed distance between x and the plane with weights w. The sign is
// positive if wᵀ(1, x) > 0.
func signedDistance(w, x []float64) float64 {
	return math.Copysign(floats.Distance(x, nearestOn(w, x), 2), affineValue(w, x))
}

func separatingMachine(x mat.Matrix, t []float64) (classify.Scorer, error) {
	s, err := classify.Separable(x, t)
	if err != nil || !s.Separable {
		return nil, errors.Join(err, errors.New("not separable"))
	}
	return s.Plane()
}

// pairMachine returns the machine that separates class i from class j, fitted only to rows of these
// two classes.
func pairMachine(x *mat.Dense, labels []int, i, j int) *classify.Logistic {
	var rows, t []float64
	for n, l := range labels {
		if l == i || l == j {
			rows, t = append(rows, x.RawRowView(n)...), append(t, truth(l == i))
		}
	}
	_, d := x.Dims()
	m, err := logisticMachine(mat.NewDense(len(t), d, rows), t)
	if err != nil {
		panic(err)
	}
	return m.(*classify.Logistic)
}

// inverseTimes returns S⁻¹v and vᵀS⁻¹v for a 2×2 matrix S, computed with the adjugate of S.
func inverseTimes(s mat.Matrix, v []float64) (w []float64, form float64) {
	a, b, c, d := s.At(0, 0), s.At(0, 1), s.At(1, 0), s.At(1, 1)
	det := a*d - b*c
	w = []float64{(d*v[0] - b*v[1]) / det, (a*v[1] - c*v[0]) / det}
	return w, v[0]*w[0] + v[1]*w[1]
}

// differenceOf returns the vector (a − b)·f.
func differenceOf(a, b []float64, f float64) []float64 {
	d := make([]float64, len(a))
	for i := range a {
		d[i] = (a[i] - b[i]) * f
	}
	return d
}

// crossEntropyOf returns −Σ[r ln y + (1−r) ln(1−y)] for y = σ(wᵀ(1, x)).
func crossEntropyOf(x *mat.Dense, r, w []float64) (e float64) {
	for n, rt := range r {
		y := logisticOf(affineValue(w, x.RawRowView(n)))
		e -= rt*math.Log(y) + (1-rt)*math.Log(1-y)
	}
	return e
}

// residualSums returns Σ(r − y)(1, x) for y = σ(wᵀ(1, x)).
func residualSums(x *mat.Dense, r, w []float64) []float64 {
	s := make([]float64, len(w))
	for n, rt := range r {
		d := rt - logisticOf(affineValue(w, x.RawRowView(n)))
		s[0] += d
		for j, v := range x.RawRowView(n) {
			s[j+1] += d * v
		}
	}
	return s
}

// softmaxOf returns exp[w_iᵀx + w_i0]/Σ_j exp[w_jᵀx + w_j0].
func softmaxOf(w *mat.Dense, x []float64) []float64 {
	_, k := w.Dims()
	a := make([]float64, k)
	for i := range a {
		a[i] = affineValue(mat.Col(nil, i, w), x)
	}
	return softmaxAsWritten(a)
}

// sigmoidFit fits k sigmoid outputs to 20 rows and random 0/1 targets.
func sigmoidFit(t *testing.T, r *rand.Rand, k int) (x, target *mat.Dense, m *classify.SigmoidSquares) {
	x, target = normalMatrix(r, 20, 2), mat.NewDense(20, k, nil)
	target.Apply(func(n, i int, _ float64) float64 {
		return truth(n == i || x.At(n, i%2)+r.NormFloat64() > 0 &&
			n != 9)
	}, target)
	o := classify.SigmoidSquaresOptions{Prior: classify.Isotropic{Alpha: 0.1}}
	return x, target, must(classify.FitSigmoidSquaresTargets(x, target, o))(t)
}

// outputsOf returns the outputs y_i = 1/(1 + exp[−(w_iᵀx + w_i0)]).
func outputsOf(w *mat.Dense, x []float64) (y []float64) {
	_, k := w.Dims()
	for i := range k {
		y = append(y, logisticOf(affineValue(mat.Col(nil, i, w), x)))
	}
	return y
}

// squaresOf returns ½Σ_t Σ_i (r_i − y_i)².
func squaresOf(x, target, w *mat.Dense) (e float64) {
	n, _ := x.Dims()
	for n := range n {
		for i, y := range outputsOf(w, x.RawRowView(n)) {
			e += (target.At(n, i) - y) * (target.At(n, i) - y) / 2
		}
	}
	return e
}

// squaresStep returns ηΣ_t (r_i − y_i)y_i(1−y_i)(1, x) for each output.
func squaresStep(x, target, w *mat.Dense, rate float64) (step []float64) {
	rows, d := x.Dims()
	_, k := w.Dims()
	step = make([]float64, k*(d+1))
	for n := range rows {
		for i, y := range outputsOf(w, x.RawRowView(n)) {
			for j, v := range append([]float64{1}, x.RawRowView(n)...) {
				step[i*(d+1)+j] += rate * (target.At(n, i) - y) * y * (1 - y) * v
			}
		}
	}
	return step
}
