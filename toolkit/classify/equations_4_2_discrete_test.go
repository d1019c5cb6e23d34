package classify_test

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat/distuv"

	"github.com/hyperplane-notebooks/hyperplane/toolkit/classify"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/equation"
)

// A discreteRows contains random rows of discrete features. The field `priors` contains the class
// shares, and mu[k][i] contains the share of each value of feature i in class k. Every value occurs
// in every class.
type discreteRows struct {
	x, all *mat.Dense // `x` contains the rows, and `all` contains every possible input
	levels []int
	labels []int
	mu     [][][]float64
	priors []float64
}

func newDiscreteRows(r *rand.Rand, levels ...int) (d discreteRows) {
	const n = 40
	k := 2 + r.IntN(2)
	d.levels, d.labels, d.x = levels, make([]int, n), mat.NewDense(n, len(levels), nil)
	for i := range n {
		d.labels[i] = (i*i/7 + i) % k
		for f, many := range levels {
			d.x.Set(i, f, float64(r.IntN(many)))
		}
	}
	d.priors = shareOfRows(d.labels, k)
	for class := range k {
		mu, seen := make([][]float64, len(levels)), make([]int, len(levels))
		for f, many := range levels {
			mu[f] = make([]float64, many)
			for i, l := range d.labels {
				if l == class {
					if v := seen[f]; v < many { // the first rows of a class take each value once
						d.x.Set(i, f, float64(v))
					}
					seen[f]++
					mu[f][int(d.x.At(i, f))]++
				}
			}
			floats.Scale(1/floats.Sum(mu[f]), mu[f])
		}
		d.mu = append(d.mu, mu)
	}
	count := 1
	for _, many := range levels {
		count *= many
	}
	d.all = mat.NewDense(count, len(levels), nil)
	for i := range count {
		rest := i
		for f, many := range levels {
			d.all.Set(i, f, float64(rest%many))
			rest /= many
		}
	}
	return d
}

func TestEquationsNaiveBayes(t *testing.T) {
	draw := func(r *rand.Rand, binary bool) (d discreteRows, m classify.Generative) {
		if binary {
			d = newDiscreteRows(r, slices.Repeat([]int{2}, 1+r.IntN(4))...)
			return d, must(classify.FitNaiveBayesBernoulli(d.x, d.labels, len(d.mu),
				classify.NaiveBayesBernoulliOptions{}))(t)
		}
		d = newDiscreteRows(r, 2+r.IntN(3), 2+r.IntN(3))
		return d, must(classify.FitNaiveBayesCategorical(d.x, d.levels, d.labels, len(d.mu),
			classify.NaiveBayesCategoricalOptions{}))(t)
	}
	density := func(binary bool) equation.Sides {
		return func(r *rand.Rand) (left, right any) {
			d, m := draw(r, binary)
			var p, want mat.Dense
			p.Apply(func(_, _ int, v float64) float64 { return math.Exp(v) }, must(m.LogDensities(d.all))(t))
			want.Apply(func(i, k int, _ float64) float64 {
				product := 1.0
				for f, mu := range d.mu[k] {
					for j, v := range mu {
						product *= math.Pow(v, truth(int(d.all.At(i, f)) == j))
					}
				}
				return product
			}, &p)
			total := 0.0
			for _, v := range must(m.LogMarginal(d.all))(t) {
				total += math.Exp(v)
			}
			return []any{&p, total}, []any{&want, 1}
		}
	}
	equation.Check(t, "prml-4.81", density(true))
	equation.Check(t, "part1-categorical", density(false))
	activations := func(binary bool) equation.Sides {
		return func(r *rand.Rand) (left, right any) {
			d, m := draw(r, binary)
			scores := must(m.Scores(d.all))(t)
			linear, want := mat.DenseCopyOf(scores), mat.DenseCopyOf(scores)
			if b, ok := m.(*classify.NaiveBayesBernoulli); ok {
				linear.Mul(withOnes(d.all), b.W)
			}
			want.Apply(func(i, k int, _ float64) float64 {
				a := math.Log(d.priors[k])
				for f, v := range d.all.RawRowView(i) {
					a += math.Log(d.mu[k][f][int(v)])
				}
				return a
			}, want)
			return []any{scores, linear}, []any{want, want}
		}
	}
	equation.Check(t, "prml-4.82", activations(true))
	equation.Check(t, "part1-categorical-activations", activations(false))
	equation.Check(t, "part1-levels-sum", func(r *rand.Rand) (left, right any) {
		d, m := draw(r, false)
		var sums []float64
		for _, mu := range m.(*classify.NaiveBayesCategorical).Mu {
			for k := range d.priors {
				sums = append(sums, d.priors[k]*floats.Sum(mat.Row(nil, k, mu)))
			}
		}
		return sums, slices.Concat(d.priors, d.priors)
	})
}

// gammaFit fits gamma densities to random rows with two columns. The result `logs` contains ln
// p(x|C_k), computed by gonum's density with the mean of the class. The result `h` contains the sum
// of ln h(x_j/s) over the columns j, where h(u) = u^{α−1}/Γ(α).
func gammaFit(t *testing.T, r *rand.Rand, k int) (x *mat.Dense, m *classify.ExponentialFamily, logs *mat.Dense,
	h []float64) {
	x, labels := labelledRows(r, k)
	x = mat.DenseCopyOf(x.Slice(0, len(labels), 0, 2))
	x.Apply(func(_, _ int, v float64) float64 { return 0.1 + v*v }, x)
	m = must(classify.FitExponentialFamily(x, labels, k, classify.ExponentialFamilyOptions{
		Density: classify.DensityGamma, Scale: 1.5 + 2*r.Float64(), Shape: 0.5 + 3*r.Float64(),
	}))(t)
	logs, h = mat.NewDense(len(labels), k, nil), make([]float64, len(labels))
	for i := range labels {
		for j := range 2 {
			v := x.At(i, j)
			g, _ := math.Lgamma(m.Shape)
			h[i] += (m.Shape-1)*math.Log(v/m.Scale) - g
			for c := range k {
				mean, _ := averageOf(x, labels, c)
				logs.Set(i, c, logs.At(i, c)+distuv.Gamma{Alpha: m.Shape, Beta: m.Shape / mean[j]}.LogProb(v))
			}
		}
	}
	return x, m, logs, h
}

func TestEquationsExponentialFamily(t *testing.T) {
	// The Gaussian is an exponential-family density with u(x) = (x, x²).
	equation.Check(t, "prml-4.83", func(r *rand.Rand) (left, right any) {
		c := newGaussianClasses(r, 2, false)
		m := must(classify.FitNaiveBayesGaussian(c.x, c.labels, 2, classify.NaiveBayesGaussianOptions{}))(t)
		c.logs.Apply(func(i, k int, _ float64) (sum float64) {
			for j, u := range c.x.RawRowView(i) {
				mean, v := c.means[k][j], c.own[k].At(j, j)
				l1, l2 := mean/v, -1/(2*v)
				g, h := math.Sqrt(-2*l2)*math.Exp(l1*l1/(4*l2)), 1/math.Sqrt(2*math.Pi)
				sum += math.Log(h * g * math.Exp(l1*u+l2*u*u))
			}
			return sum
		}, c.logs)
		return must(m.LogDensities(c.x))(t), c.logs
	})
	// With D = 2 columns the density has the factor 1/s²; PRML prints 1/s.
	scaled := func(r *rand.Rand) equation.Reading {
		x, m, logs, h := gammaFit(t, r, 2)
		bell := math.Exp(h[0] + m.LogG[0] + floats.Dot(m.Lambda.RawRowView(0), x.RawRowView(0))/m.Scale)
		return equation.Reading{True: math.Exp(logs.At(0, 0)), Printed: bell / m.Scale, Right: bell / (m.Scale * m.Scale)}
	}
	equation.Misprint(t, "P14", scaled)
	equation.Misprint(t, "Q11", scaled)
	equation.Check(t, "prml-4.84", func(r *rand.Rand) (left, right any) {
		x, m, logs, _ := gammaFit(t, r, 2)
		v := scaled(r)
		return []any{must(m.LogDensities(x))(t), v.Right}, []any{logs, v.True}
	})
	// The linear function includes the factor 1/s, which PRML omits.
	odds := func(r *rand.Rand) equation.Reading {
		x, m, logs, _ := gammaFit(t, r, 2)
		prior := math.Log(m.Priors[0] / m.Priors[1])
		linear := floats.Dot(minus(m.Lambda.RawRowView(0), m.Lambda.RawRowView(1)), x.RawRowView(0))
		rest := m.LogG[0] - m.LogG[1] + prior
		return equation.Reading{True: logs.At(0, 0) - logs.At(0, 1) + prior, Printed: linear + rest,
			Right: linear/m.Scale + rest}
	}
	equation.Misprint(t, "P13", odds)
	equation.Misprint(t, "G7", odds)
	equation.Check(t, "prml-4.85", func(r *rand.Rand) (left, right any) {
		v := odds(r)
		return v.Right, v.True
	})
	// a_k is ln p(x|C_k)p(C_k) without the term ln s^{−D}h(x/s), which is equal for all classes.
	activations := func(r *rand.Rand) (m *classify.ExponentialFamily, scores, a *mat.Dense) {
		x, m, logs, h := gammaFit(t, r, 3)
		logs.Apply(func(i, k int, v float64) float64 {
			return v - h[i] + 2*math.Log(m.Scale) + math.Log(m.Priors[k])
		}, logs)
		return m, must(m.Scores(x))(t), logs
	}
	equation.Check(t, "prml-4.86", func(r *rand.Rand) (left, right any) {
		_, scores, a := activations(r)
		return scores, a
	})
	equation.Misprint(t, "G8", func(r *rand.Rand) equation.Reading { // the slides print p(C_k), not ln p(C_k)
		m, scores, a := activations(r)
		printed := slices.Clone(a.RawRowView(0))
		for k, p := range m.Priors {
			printed[k] += p - math.Log(p)
		}
		return equation.Reading{True: softmaxAsWritten(a.RawRowView(0)), Printed: softmaxAsWritten(printed),
			Right: softmaxAsWritten(scores.RawRowView(0))}
	})
	// Let h and g be the functions of the Gaussian family for s = 1. For every s,
	// (1/s)h(t/s)g(η)e^{ηt/s} is then the Gaussian density with mean sη and standard deviation s.
	equation.Misprint(t, "P27", func(r *rand.Rand) equation.Reading {
		v, eta, s := r.NormFloat64(), r.NormFloat64(), 1.5+r.Float64()
		return equation.Reading{
			True:    math.Exp(-v*v/(2*s*s)-eta*eta/2+eta*v/s) / math.Sqrt(2*math.Pi) / s,
			Printed: distuv.Normal{Mu: eta, Sigma: math.Sqrt(s)}.Prob(v),
			Right:   distuv.Normal{Mu: s * eta, Sigma: s}.Prob(v),
		}
	})
}

// TestEquationsRatios checks models whose discriminants contain the logarithms of the priors.
// Alpaydin prints that the differences of these discriminants are log ratios of the class densities,
// although the densities do not depend on the priors (erratum A14).
func TestEquationsRatios(t *testing.T) {
	// quadratic returns three results, each with one entry for QDA and one entry for
	// QuadraticLogistic: the log ratio of the densities, the difference a of the quadratic
	// discriminants, and a without the log ratio of the priors. QuadraticLogistic has no densities, so
	// its density ratio is computed as its posterior odds divided by the prior odds.
	quadratic := func(r *rand.Rand) (ratio, a, right []float64) {
		c := newGaussianClasses(r, 2, false)
		x, prior := c.x.RawRowView(0), math.Log(c.shares[0]/c.shares[1])
		g := c.fit(t).(*classify.QDA)
		m := must(classify.FitQuadraticLogistic(c.x, c.labels, 2, classify.QuadraticLogisticOptions{Lambda: 1, Alpha: 1}))(t)
		p := must(m.Posterior(c.x))(t)
		a = []float64{quadraticOf(t, g.Quadratic, 0, x) - quadraticOf(t, g.Quadratic, 1, x),
			quadraticOf(t, m.Coefficients, 0, x) - quadraticOf(t, m.Coefficients, 1, x)}
		return []float64{c.logs.At(0, 0) - c.logs.At(0, 1), math.Log(p.At(0, 0)/p.At(0, 1)) - prior}, a,
			minus(a, fill(2, prior))
	}
	equation.Check(t, "alpaydin-10.34", func(r *rand.Rand) (left, right any) {
		ratio, _, a := quadratic(r)
		return a, ratio
	})
	equation.Misprint(t, "A14", func(r *rand.Rand) equation.Reading {
		for {
			if ratio, a, right := quadratic(r); a[0] != right[0] {
				return equation.Reading{True: ratio, Printed: a, Right: right}
			}
		}
	})
	// The model assumes that the classes are Gaussian in the space of two sigmoids φ(x). For equal
	// priors, the log ratios of the densities at φ(x) equal the differences of the discriminants.
	basis := func(r *rand.Rand) (left, right any) {
		c := newGaussianClasses(r, 3, true)
		a := [][]float64{normals(r, c.x.RawMatrix().Cols+1), normals(r, c.x.RawMatrix().Cols+1)}
		c.x.Apply(func(_, _ int, v float64) float64 { return v / 2 }, c.x)
		m := must(classify.FitOnBasis(c.x, ridge("sigmoid", a...), func(phi mat.Matrix) (*classify.LDA, error) {
			return classify.FitLDA(phi, c.labels, 3, classify.LDAOptions{UniformPriors: true})
		}))(t)
		at := []float64{logisticOf(affineValue(a[0], c.x.RawRowView(0))), logisticOf(affineValue(a[1], c.x.RawRowView(0)))}
		var ratios, linear []float64
		for k := range 2 {
			w := minus(mat.Col(nil, k, m.Model.W), mat.Col(nil, 2, m.Model.W))
			linear = append(linear, affineValue(w, at))
			ratios = append(ratios, logNormal(at, m.Model.Means.RawRowView(k), m.Model.Sigma)-
				logNormal(at, m.Model.Means.RawRowView(2), m.Model.Sigma))
		}
		return linear, ratios
	}
	equation.CheckTo(t, "alpaydin-10.35", 1e-8, basis)
	equation.Check(t, "alpaydin-10.25", func(r *rand.Rand) (left, right any) {
		c := newGaussianClasses(r, 3, true)
		m := c.lda(t, classify.LDAOptions{Priors: []float64{0.2, 0.5, 0.3}})
		s := must(classify.ShiftPriors(m, nil, fill(3, 1./3)))(t)
		a := mul(withOnes(c.x), s.W).RawRowView(0)
		return minus(a[:2], fill(2, a[2])), minus(c.logs.RawRowView(0)[:2], fill(2, c.logs.At(0, 2)))
	})
}
