package classify_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat/distuv"

	"github.com/hyperplane-notebooks/hyperplane/toolkit/classify"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/equation"
)

// binaryFit fits naive Bayes to random bits, and counts μ_ki by the rows: every bit
// is 0 and 1 in every class.
func binaryFit(t *testing.T, r *rand.Rand) (x *mat.Dense, m *classify.NaiveBayesBernoulli, mu [][]float64, priors []float64) {
	t.Helper()
	n, d, k := 20+r.IntN(20), 1+r.IntN(4), 2+r.IntN(2)
	x, priors = mat.NewDense(n, d, nil), make([]float64, k)
	labels, rate := make([]int, n), r.Float64()
	for i := range labels {
		labels[i] = i % k
		if i >= 2*k {
			labels[i] = r.IntN(k)
		}
		for j := range d {
			x.Set(i, j, truth(r.Float64() < rate))
			if i < 2*k {
				x.Set(i, j, float64(i/k))
			}
		}
	}
	for c := range k {
		mean, count := averageOf(x, labels, c)
		mu, priors[c] = append(mu, mean), count/float64(n)
	}
	return x, must(classify.FitNaiveBayesBernoulli(x, labels, k, classify.NaiveBayesBernoulliOptions{}))(t), mu, priors
}

func TestEquationsNaiveBayes(t *testing.T) {
	// All 2^D inputs: their probabilities sum to 1 in each class.
	equation.Check(t, "prml-4.81", func(r *rand.Rand) (left, right any) {
		_, m, mu, _ := binaryFit(t, r)
		d := len(mu[0])
		all := mat.NewDense(1<<d, d, nil)
		for i := range 1 << d {
			for j := range d {
				all.Set(i, j, float64(i>>j&1))
			}
		}
		logs := must(m.LogDensities(all))(t)
		var p, want []float64
		for k := range mu {
			sum := 0.0
			for i := range 1 << d {
				product := 1.0
				for j, v := range mu[k] {
					product *= math.Pow(v, all.At(i, j)) * math.Pow(1-v, 1-all.At(i, j))
				}
				p, want = append(p, math.Exp(logs.At(i, k))), append(want, product)
				sum += math.Exp(logs.At(i, k))
			}
			p, want = append(p, sum), append(want, 1)
		}
		return p, want
	})
	equation.Check(t, "prml-4.82", func(r *rand.Rand) (left, right any) {
		x, m, mu, priors := binaryFit(t, r)
		n, d := x.Dims()
		a, linear := mat.NewDense(n, len(mu), nil), mat.NewDense(n, len(mu), nil)
		for i := range n {
			for k := range mu {
				sum := math.Log(priors[k])
				for j := range d {
					sum += x.At(i, j)*math.Log(mu[k][j]) + (1-x.At(i, j))*math.Log(1-mu[k][j])
				}
				a.Set(i, k, sum)
				linear.Set(i, k, -signedLoss(mat.Col(nil, k, m.W), biasedRow(x, i), 1))
			}
		}
		return []any{must(m.Scores(x))(t), linear}, []any{a, a}
	})
}

// gammaFit fits gamma densities of shape α to two columns, and returns ln p(x|C_k) by
// gonum's densities with the class means.
func gammaFit(t *testing.T, r *rand.Rand, k int) (x *mat.Dense, m *classify.ExponentialFamily, logs *mat.Dense) {
	t.Helper()
	const n = 24
	shape := 0.5 + 3*r.Float64()
	x, labels := mat.NewDense(n, 2, nil), make([]int, n)
	for i := range n {
		labels[i] = i * k / n
		for j := range 2 {
			x.Set(i, j, (0.1+r.ExpFloat64())*float64(1+labels[i]+j))
		}
	}
	m = must(classify.FitExponentialFamily(x, labels, k, classify.ExponentialFamilyOptions{
		Density: classify.DensityGamma, Scale: 0.5 + 2*r.Float64(), Shape: shape,
	}))(t)
	logs = mat.NewDense(n, k, nil)
	for c := range k {
		mean, _ := averageOf(x, labels, c)
		for i := range n {
			sum := 0.0
			for j, v := range mean {
				sum += distuv.Gamma{Alpha: shape, Beta: shape / v}.LogProb(x.At(i, j))
			}
			logs.Set(i, c, sum)
		}
	}
	return x, m, logs
}

func TestEquationsExponentialFamily(t *testing.T) {
	// The Gaussian with u(x) = (x, x²).
	equation.Check(t, "prml-4.83", func(r *rand.Rand) (left, right any) {
		x, labels := clusters(r, 1, 2)
		m := must(classify.FitNaiveBayesGaussian(x, labels, 2, classify.NaiveBayesGaussianOptions{}))(t)
		logs := must(m.LogDensities(x))(t)
		var p, want []float64
		for k := range 2 {
			mean, _ := averageOf(x, labels, k)
			v := covarianceOf(x, labels, k).At(0, 0)
			l1, l2 := mean[0]/v, -1/(2*v)
			g, h := math.Sqrt(-2*l2)*math.Exp(l1*l1/(4*l2)), 1/math.Sqrt(2*math.Pi)
			for i := range labels {
				u := x.At(i, 0)
				p, want = append(p, math.Exp(logs.At(i, k))), append(want, h*g*math.Exp(l1*u+l2*u*u))
			}
		}
		return p, want
	})
	// D = 2: 1/s² is right, the 1/s of erratum P14 is not. Here h(u) = Π u^{α−1}/Γ(α).
	equation.Check(t, "prml-4.84", func(r *rand.Rand) (left, right any) {
		x, m, logs := gammaFit(t, r, 2)
		densities, s := must(m.LogDensities(x))(t), m.Scale
		var p, want []float64
		for i := range x.RawMatrix().Rows {
			for k := range 2 {
				form := math.Exp(m.LogG[k]) / (s * s)
				for j := range 2 {
					v := x.At(i, j)
					form *= math.Pow(v/s, m.Shape-1) / math.Gamma(m.Shape) * math.Exp(m.Lambda.At(k, j)*v/s)
				}
				p = append(p, math.Exp(densities.At(i, k)), form)
				want = append(want, math.Exp(logs.At(i, k)), math.Exp(logs.At(i, k)))
			}
		}
		return p, want
	})
	// With the 1/s that erratum P13 leaves out.
	equation.Check(t, "prml-4.85", func(r *rand.Rand) (left, right any) {
		x, m, logs := gammaFit(t, r, 2)
		scores := must(m.Scores(x))(t)
		var a, want []float64
		for i := range x.RawMatrix().Rows {
			linear := m.LogG[0] - m.LogG[1] + math.Log(m.Priors[0]) - math.Log(m.Priors[1])
			for j := range 2 {
				linear += (m.Lambda.At(0, j) - m.Lambda.At(1, j)) * x.At(i, j) / m.Scale
			}
			ratio := logs.At(i, 0) + math.Log(m.Priors[0]) - logs.At(i, 1) - math.Log(m.Priors[1])
			a, want = append(a, linear, scores.At(i, 0)-scores.At(i, 1)), append(want, ratio, ratio)
		}
		return a, want
	})
	// What remains of ln p(x|C_k)p(C_k) without s^{−D}h(x/s), the same in all classes.
	equation.Check(t, "prml-4.86", func(r *rand.Rand) (left, right any) {
		x, m, logs := gammaFit(t, r, 3)
		for i := range x.RawMatrix().Rows {
			common := -2 * math.Log(m.Scale)
			for j := range 2 {
				g, _ := math.Lgamma(m.Shape)
				common += (m.Shape-1)*math.Log(x.At(i, j)/m.Scale) - g
			}
			for k, p := range m.Priors {
				logs.Set(i, k, logs.At(i, k)-common+math.Log(p))
			}
		}
		return must(m.Scores(x))(t), logs
	})
}
