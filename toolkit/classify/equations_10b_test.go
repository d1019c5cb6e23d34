package classify_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat/distmv"
	"gonum.org/v1/gonum/stat/distuv"

	"github.com/hyperplane-notebooks/hyperplane/toolkit/classify"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/equation"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/kernels"
)

// TestEquationsAlpaydinSoftmax: 10.7.2.
func TestEquationsAlpaydinSoftmax(t *testing.T) {
	fit := func(r *rand.Rand) (x *mat.Dense, labels []int, m *classify.Softmax) {
		x, labels = noisyClasses(r, 3, 2)
		return x, labels, must(classify.FitSoftmax(x, labels, 3, classify.SoftmaxOptions{Prior: classify.Isotropic{Alpha: 0.5}}))(t)
	}
	// odds are exp[w_iᵀx + w_i0], i < K, of the model whose reference is the last class.
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
		w := must(classify.ShiftPriors(m, nil, []float64{1. / 3, 1. / 3, 1. / 3}))(t).W // equal priors drop out
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
	// A numerical derivative, right to 1e-10.
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

// quadraticRatio returns ln p(x|C₁)/p(x|C₂) twice, the quadratic discriminant g₁ − g₂
// of the same two models, and ln P(C₁)/P(C₂), which is part of w_i0. The models: Gaussian
// densities, and a discriminative one, whose density ratio is its odds over the priors'.
func quadraticRatio(t *testing.T, r *rand.Rand) (ratio, quadratic []float64, prior float64) {
	t.Helper()
	x, labels := noisyClasses(r, 2, 2)
	at, share := normals(r, 2), shareOfRows(labels, 2)
	density := gaussiansOf(x, labels, 2, false)
	g := must(classify.FitQDA(x, labels, 2, classify.QDAOptions{}))(t)
	m := must(classify.FitQuadraticLogistic(x, labels, 2, classify.QuadraticLogisticOptions{Lambda: 1, Alpha: 1}))(t)
	for _, coefficients := range []func(class int) (*mat.SymDense, []float64, float64, error){g.Quadratic, m.Coefficients} {
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
	ratio = []float64{density[0].LogProb(at) - density[1].LogProb(at), math.Log(p.At(0, 0) / share[0] / (p.At(0, 1) / share[1]))}
	return ratio, quadratic, math.Log(share[0] / share[1])
}

// basisRatios returns ln p(x|C_i)/p(x|C_K), w_iᵀφ(x) + w_i0 and ln P(C_i)/P(C_K), which
// is part of w_i0, of Gaussian classes in the space of two sigmoids. Their map is one to
// one, so φ(x) and x have the same ratio of densities.
func basisRatios(t *testing.T, r *rand.Rand) (ratios, linear, priors []float64) {
	t.Helper()
	x, labels := noisyClasses(r, 3, 2)
	a := [][]float64{normals(r, 3), normals(r, 3)}
	m := must(classify.FitOnBasis(x, must(classify.BasisSigmoid(a...))(t), func(phi mat.Matrix) (*classify.LDA, error) {
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

// TestEquationsAlpaydinRegression: 10.8.
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
			noise, _ := distmv.NewNormal(outputsOf(m.W, x.RawRowView(n)), mat.NewDiagDense(3, []float64{s * s, s * s, s * s}), nil)
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
		o := classify.SigmoidSquaresOptions{Start: w, MaxIterations: 1, Solver: classify.GradientDescent{Rate: rate, Every: 1}}
		var step []float64
		for i, out := range must(classify.FitSigmoidSquaresTargets(x, target, o))(t).Outputs {
			step = append(step, differenceOf(out.Trace[1].W, mat.Col(nil, i, w), 1)...)
		}
		return step, squaresStep(x, target, w, rate)
	})
}
