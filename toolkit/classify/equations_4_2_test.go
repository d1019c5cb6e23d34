package classify_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/hyperplane-notebooks/hyperplane/toolkit/classify"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/equation"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/kernels"
)

func quadraticFit(t *testing.T, r *rand.Rand, k int) (x *mat.Dense, m *classify.QDA) {
	x, labels := clusters(r, 1+r.IntN(3), k)
	return x, must(classify.FitQDA(x, labels, k, classify.QDAOptions{}))(t)
}

func TestEquationsTwoClassPosterior(t *testing.T) {
	equation.Check(t, "prml-4.57", func(r *rand.Rand) (left, right any) {
		x, m := quadraticFit(t, r, 2)
		bayes := bayesOf(jointLogs(t, x, m.Means, m.Priors, m.Sigma...))
		scores, posterior := must(m.Scores(x))(t), must(m.Posterior(x))(t)
		var p, want []float64
		for i := range bayes.RawMatrix().Rows {
			p = append(p, posterior.At(i, 0), kernels.Sigmoid(scores.At(i, 0)-scores.At(i, 1)))
			want = append(want, bayes.At(i, 0), bayes.At(i, 0))
		}
		return p, want
	})
	equation.Check(t, "prml-4.58", func(r *rand.Rand) (left, right any) {
		x, m := quadraticFit(t, r, 2)
		logs, scores := jointLogs(t, x, m.Means, m.Priors, m.Sigma...), must(m.Scores(x))(t)
		var a, ratio []float64
		for i := range logs.RawMatrix().Rows {
			a = append(a, scores.At(i, 0)-scores.At(i, 1))
			ratio = append(ratio, logs.At(i, 0)-logs.At(i, 1))
		}
		return a, ratio
	})
	equation.Check(t, "prml-4.59", func(r *rand.Rand) (left, right any) {
		a := 5 * r.NormFloat64()
		return kernels.Sigmoid(a), logisticOf(a)
	})
	equation.Check(t, "prml-4.60", func(r *rand.Rand) (left, right any) {
		a := 3 * r.NormFloat64()
		return []float64{kernels.Sigmoid(-a), kernels.Sigmoid(a)}, []float64{1 - logisticOf(a), 1 - logisticOf(-a)}
	})
	equation.Check(t, "prml-4.61", func(r *rand.Rand) (left, right any) {
		a, p := 3*r.NormFloat64(), r.Float64()
		return []float64{kernels.Logit(logisticOf(a)), kernels.Logit(p)}, []float64{a, math.Log(p / (1 - p))}
	})
}

func TestEquationsManyClassPosterior(t *testing.T) {
	equation.Check(t, "prml-4.62", func(r *rand.Rand) (left, right any) {
		x, m := quadraticFit(t, r, 3+r.IntN(3))
		logs := jointLogs(t, x, m.Means, m.Priors, m.Sigma...)
		first := kernels.Softmax(nil, mat.Row(nil, 0, logs))
		bayes := bayesOf(logs)
		return []any{must(m.Posterior(x))(t), first}, []any{bayes, mat.Row(nil, 0, bayes)}
	})
	equation.Check(t, "prml-4.63", func(r *rand.Rand) (left, right any) {
		x, m := quadraticFit(t, r, 3+r.IntN(3))
		return must(m.Scores(x))(t), jointLogs(t, x, m.Means, m.Priors, m.Sigma...)
	})
}

// sharedFit fits Gaussian classes with a shared covariance.
func sharedFit(t *testing.T, r *rand.Rand, k int, o classify.LDAOptions) (x *mat.Dense, labels []int, m *classify.LDA) {
	x, labels = clusters(r, 1+r.IntN(3), k)
	return x, labels, must(classify.FitLDA(x, labels, k, o))(t)
}

// writtenWeights is Σ⁻¹μ_k and −½μ_kᵀΣ⁻¹μ_k from sums over the rows.
func writtenWeights(x *mat.Dense, labels []int, k, class int) (w *mat.VecDense, half float64) {
	mean, _ := averageOf(x, labels, class)
	mu := mat.NewVecDense(len(mean), mean)
	var inverse mat.Dense
	if err := inverse.Inverse(pooled(x, labels, k)); err != nil {
		panic(err)
	}
	w = mat.NewVecDense(len(mean), nil)
	w.MulVec(&inverse, mu)
	return w, -mat.Dot(mu, w) / 2
}

func TestEquationsGaussianClasses(t *testing.T) {
	equation.Check(t, "prml-4.64", func(r *rand.Rand) (left, right any) {
		x, _, m := sharedFit(t, r, 2, classify.LDAOptions{})
		logs := must(m.LogDensities(x))(t)
		n, d := x.Dims()
		var inverse mat.Dense
		if err := inverse.Inverse(m.Sigma); err != nil {
			t.Fatal(err)
		}
		front := 1 / (math.Pow(2*math.Pi, float64(d)/2) * math.Sqrt(mat.Det(m.Sigma)))
		var p, want []float64
		for i := range n {
			for k := range 2 {
				e := mat.NewVecDense(d, mat.Row(nil, i, x))
				e.SubVec(e, m.Means.RowView(k))
				p, want = append(p, math.Exp(logs.At(i, k))), append(want, front*math.Exp(-mat.Inner(e, &inverse, e)/2))
			}
		}
		return p, want
	})
	equation.Check(t, "prml-4.65", func(r *rand.Rand) (left, right any) {
		x, _, m := sharedFit(t, r, 2, classify.LDAOptions{})
		w, bayes := must(m.TwoClass())(t), bayesOf(jointLogs(t, x, m.Means, m.Priors, m.Sigma))
		var p, want []float64
		for i := range bayes.RawMatrix().Rows {
			p, want = append(p, logisticOf(-signedLoss(w, biasedRow(x, i), 1))), append(want, bayes.At(i, 0))
		}
		return p, want
	})
	twoClass := func(r *rand.Rand) (w []float64, slope *mat.VecDense, bias float64) {
		x, labels, m := sharedFit(t, r, 2, classify.LDAOptions{})
		w1, half1 := writtenWeights(x, labels, 2, 0)
		w2, half2 := writtenWeights(x, labels, 2, 1)
		_, n1 := averageOf(x, labels, 0)
		_, n2 := averageOf(x, labels, 1)
		w1.SubVec(w1, w2)
		return must(m.TwoClass())(t), w1, half1 - half2 + math.Log(n1/n2)
	}
	equation.Check(t, "prml-4.66", func(r *rand.Rand) (left, right any) {
		w, slope, _ := twoClass(r)
		return w[1:], slope
	})
	equation.Check(t, "prml-4.67", func(r *rand.Rand) (left, right any) {
		w, _, bias := twoClass(r)
		return w[0], bias
	})
	// Σ_j e^{a_j} is the same for all classes, and so are the terms that cancel.
	equation.Check(t, "prml-4.68", func(r *rand.Rand) (left, right any) {
		x, _, m := sharedFit(t, r, 3, classify.LDAOptions{})
		scores, logs := must(m.Scores(x))(t), jointLogs(t, x, m.Means, m.Priors, m.Sigma)
		var linear, ratio []float64
		for i := range x.RawMatrix().Rows {
			for k := range 3 {
				linear = append(linear, -signedLoss(mat.Col(nil, k, m.W), biasedRow(x, i), 1), scores.At(i, k)-scores.At(i, 0))
				ratio = append(ratio, scores.At(i, k), logs.At(i, k)-logs.At(i, 0))
			}
		}
		return linear, ratio
	})
	equation.Check(t, "prml-4.69", func(r *rand.Rand) (left, right any) {
		x, labels, m := sharedFit(t, r, 3, classify.LDAOptions{})
		w, _ := writtenWeights(x, labels, 3, 1)
		return mat.Col(nil, 1, m.W)[1:], w
	})
	equation.Check(t, "prml-4.70", func(r *rand.Rand) (left, right any) {
		x, labels, m := sharedFit(t, r, 3, classify.LDAOptions{})
		_, half := writtenWeights(x, labels, 3, 1)
		_, count := averageOf(x, labels, 1)
		return m.W.At(0, 1), half + math.Log(count/float64(len(labels)))
	})
}
