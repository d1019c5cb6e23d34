package classify_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/integrate/quad"
	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat/distuv"

	"github.com/hyperplane-notebooks/hyperplane/toolkit"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/classify"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/datasets"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/equation"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/glm"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/kernels"
)

// bellOf is the standard normal density as it is written.
func bellOf(v float64) float64 { return math.Exp(-v*v/2) / math.Sqrt(2*math.Pi) }

// area is ∫ f from lo to hi, which may be below lo, by Gauss and Legendre.
func area(f func(float64) float64, lo, hi float64) float64 {
	return (hi - lo) * quad.Fixed(func(u float64) float64 { return f(lo + (hi-lo)*u) }, 0, 1, 200, nil, 0)
}

func TestEquations43Probit(t *testing.T) {
	equation.Check(t, "prml-4.111", func(r *rand.Rand) (left, right any) {
		p := newProblem43(r)
		posterior := func(m classify.Prober) []float64 { return mat.Col(nil, 0, toolkit.Must(m.Posterior(p.x))) }
		e := classify.Estimate{W: p.w}
		on := make([]float64, len(p.a))
		for n, a := range p.a {
			on[n] = distuv.UnitNormal.CDF(a)
		}
		return []any{posterior(&classify.Probit{Estimate: e}), posterior(&classify.Logistic{Estimate: e})}, []any{on, p.y}
	})
	equation.Holds(t, "prml-4.112", func(r *rand.Rand) error { // the threshold is all but fixed, at m
		m := r.NormFloat64()
		d := toolkit.Must(datasets.Thresholds(datasets.ThresholdsOptions{Means: []float64{m}, Stds: []float64{1e-9}, Weights: []float64{1}, Seed: r.Uint64()}))
		on := 0.0
		for n, y := range toolkit.Must(d.Target("on")) {
			on += y
			if a := d.X.At(n, 0); math.Abs(a-m) > 1e-6 && y != truth(a >= m) {
				return fmt.Errorf("threshold %v, input %v: t = %v", m, a, y)
			}
		}
		if on == 0 || on == float64(d.N()) {
			return fmt.Errorf("%v of %d are on", on, d.N())
		}
		return nil
	})
	equation.Holds(t, "prml-4.113", func(r *rand.Rand) error { // by simulation, five standard errors
		a, n := 4*r.Float64()-2, 4000
		mean, std, share := normals(r, 2), []float64{0.5 + r.Float64(), 0.5 + r.Float64()}, r.Float64()
		d := toolkit.Must(datasets.Thresholds(datasets.ThresholdsOptions{
			N: n, Low: a, High: a + 1e-6, Means: mean, Stds: std, Weights: []float64{share, 1 - share}, Seed: r.Uint64(),
		}))
		f := area(func(v float64) float64 {
			return share*bellOf((v-mean[0])/std[0])/std[0] + (1-share)*bellOf((v-mean[1])/std[1])/std[1]
		}, -15, a)
		on := mat.Sum(mat.NewVecDense(n, toolkit.Must(d.Target("on")))) / float64(n)
		if !(math.Abs(on-f) < 5*math.Sqrt(f*(1-f)/float64(n))+1e-5) {
			return fmt.Errorf("%v are on at %v, the distribution function is %v", on, a, f)
		}
		return nil
	})
	equation.Check(t, "prml-4.114", func(r *rand.Rand) (left, right any) {
		a := 2 * r.NormFloat64()
		return []float64{kernels.NormCDF(a), slope(kernels.NormCDF, a)}, []float64{area(bellOf, -12, a), bellOf(a)}
	})
	equation.Holds(t, "prml-4.114", func(r *rand.Rand) error { // tails like exp(−a²/2)/a: erratum P16
		a := 10 + 20*r.Float64()
		if ratio := kernels.NormCDF(-a) / (bellOf(a) / a); !(ratio < 1 && ratio > 1-1/(a*a)) {
			return fmt.Errorf("Φ(−%v) is %v times its tail", a, ratio)
		}
		return nil
	})
	// The erf of libraries, with exp(−θ²); that of PRML is √2·erf(a/√2): P15.
	square := func(v float64) float64 { return math.Exp(-v * v) }
	half := func(v float64) float64 { return math.Exp(-v * v / 2) }
	equation.Check(t, "prml-4.115", func(r *rand.Rand) (left, right any) {
		a := 2 * r.NormFloat64()
		erf := 2 / math.SqrtPi * area(square, 0, a)
		return []float64{2*kernels.NormCDF(a*math.Sqrt2) - 1, math.Erf(a)}, []float64{erf, erf}
	})
	equation.Check(t, "prml-4.116", func(r *rand.Rand) (left, right any) {
		a := 2 * r.NormFloat64()
		library := (1 + 2/math.SqrtPi*area(square, 0, a/math.Sqrt2)) / 2
		printed := (1 + 2/math.SqrtPi*area(half, 0, a)/math.Sqrt2) / 2
		return []float64{kernels.NormCDF(a), kernels.NormCDF(a)}, []float64{library, printed}
	})
	equation.Check(t, "prml-4.117", func(r *rand.Rand) (left, right any) { // of t = 1 and of t = 0: erratum P17
		p, ε := newProblem43(r), r.Float64()/2
		m := &classify.LabelFlip{Estimate: classify.Estimate{W: p.w}, Epsilon: ε}
		flipped := mat.NewDense(len(p.y), 2, nil)
		for n, y := range p.y {
			flipped.SetRow(n, []float64{(1-ε)*y + ε*(1-y), ε + (1-2*ε)*(1-y)})
		}
		return toolkit.Must(m.LabelPosterior(p.x)), flipped
	})
}

// A family43 is a distribution of the target: the toolkit's, and what its mean, its
// log density and draws are by gonum, at natural parameter η.
type family43 struct {
	name    string
	family  classify.TargetFamily
	scale   float64
	mean    func(η float64) float64
	density interface {
		LogProb(float64) float64
		Rand() float64
	}
}

// families43 returns all four with scales drawn, at η < 0.
func families43(r *rand.Rand, η float64) []family43 {
	s, k := 0.5+r.Float64(), 0.5+r.Float64()
	return []family43{
		{"Bernoulli", classify.BernoulliTarget{}, 1, logisticOf, distuv.Bernoulli{P: logisticOf(η), Src: r}},
		{"Poisson", classify.PoissonTarget{}, 1, math.Exp, distuv.Poisson{Lambda: math.Exp(η), Src: r}},
		{"Gaussian", classify.GaussianTarget{Scale: s}, s, func(η float64) float64 { return η }, distuv.Normal{Mu: η, Sigma: math.Sqrt(s), Src: r}},
		{"gamma", classify.GammaTarget{Scale: k}, k, func(η float64) float64 { return -1 / η }, distuv.Gamma{Alpha: 1 / k, Beta: -η / k, Src: r}},
	}
}

// A target43 is data of one family, drawn from the model with weights w.
type target43 struct {
	family43
	x, phi *mat.Dense
	t, w   []float64
	logs   func(w []float64) float64 // ln p(t|w) by gonum
}

// targets43 draws data of all families; η stays below 0.
func targets43(r *rand.Rand) (all []target43) {
	n, seed := 12+r.IntN(10), r.Uint64()
	x, w := mat.NewDense(n, 2, nil), []float64{-2, r.Float64() - 0.5, r.Float64() - 0.5}
	x.Apply(func(_, _ int, _ float64) float64 { return 2*r.Float64() - 1 }, x)
	phi := withOnes(x)
	at := func(i int, η float64) family43 { return families43(rand.New(rand.NewPCG(seed, 1)), η)[i] }
	for i := range 4 {
		d := target43{family43: at(i, -1), x: x, phi: phi, w: w}
		for row, η := range timesVector(phi, w) {
			drawn := at(i, η).density
			for range row { // its own draw for each row
				drawn.Rand()
			}
			d.t = append(d.t, drawn.Rand())
		}
		d.t[0], d.t[1] = 1, d.t[1]*truth(i > 1) // both labels, and a count above 0
		d.logs = func(w []float64) (sum float64) {
			for row, η := range timesVector(phi, w) {
				sum += at(i, η).density.LogProb(d.t[row])
			}
			return sum
		}
		all = append(all, d)
	}
	return all
}

func TestEquations43Families(t *testing.T) {
	equation.Check(t, "prml-4.118", func(r *rand.Rand) (left, right any) {
		η := -0.2 - r.ExpFloat64()
		var form, density []float64
		for _, f := range families43(r, η) {
			loss, v := toolkit.Must(glm.NewCanonical(f.name, f.scale)), f.density.Rand()
			e := loss.Eval([]float64{η}, []float64{v}, make([]float64, 1), make([]float64, 1))
			constant := loss.Constant(v, f.scale)
			form, density = append(form, constant-e), append(density, f.density.LogProb(v))
		}
		// h(t/s)g(η)/s with h, g free of s has the Gaussian with s = β^−½ and y = sη: P27.
		s, v := 0.5+r.Float64(), r.NormFloat64()
		form = append(form, bellOf(v/s)*math.Exp(-η*η/2)*math.Exp(η*v/s)/s)
		return form, append(density, distuv.Normal{Mu: s * η, Sigma: s}.Prob(v))
	})
	equation.CheckTo(t, "prml-4.119", byFive, func(r *rand.Rand) (left, right any) { // −ln g is the log of a sum or an integral
		η := -0.5 - r.Float64()
		sums := []func(η float64) float64{
			func(η float64) float64 { return math.Log(1 + math.Exp(η)) },
			func(η float64) (sum float64) { // of e^{ηt}/t!
				for v := range 60 {
					l, _ := math.Lgamma(float64(v) + 1)
					sum += math.Exp(η*float64(v) - l)
				}
				return math.Log(sum)
			},
			func(η float64) float64 {
				return math.Log(area(func(v float64) float64 { return bellOf(v) * math.Exp(η*v) }, -15, 15))
			},
			func(η float64) float64 {
				return math.Log(area(func(v float64) float64 { return math.Exp(η * v) }, 0, 100))
			},
		}
		var means, slopesOf []float64
		for i, f := range families43(r, η) {
			m := &classify.GLM{Estimate: classify.Estimate{W: []float64{η, 0}}, Family: f.name, Scale: 1}
			means = append(means, toolkit.Must(m.Mean(mat.NewDense(1, 1, nil)))[0])
			slopesOf = append(slopesOf, slope(sums[i], η))
		}
		// h(t/s)/s with s other than 1: the mean of t under its density, and s times the slope.
		s := 1.5 + r.Float64()
		h := func(v float64) float64 { return bellOf(v/s) / s * math.Exp(η*v/s) }
		mean := area(func(v float64) float64 { return v * h(v) }, -15*s, 15*s) / area(h, -15*s, 15*s)
		means, slopesOf = append(means, mean), append(slopesOf, s*slope(sums[2], η))
		return means, slopesOf
	})
	equation.Check(t, "prml-4.120", func(r *rand.Rand) (left, right any) {
		var means, written []float64
		for _, d := range targets43(r) {
			m := &classify.GLM{Estimate: classify.Estimate{W: d.w}, Family: d.name, Scale: d.scale}
			means = append(means, toolkit.Must(m.Mean(d.x))...)
			for _, a := range timesVector(d.phi, d.w) {
				written = append(written, d.mean(a))
			}
		}
		return means, written
	})
	equation.Check(t, "prml-4.121", func(r *rand.Rand) (left, right any) {
		var fitted, sums []float64
		for _, d := range targets43(r) {
			m := toolkit.Must(classify.FitGLM(d.x, d.t, d.family, classify.GLMOptions{Start: d.w, MaxIterations: 1}))
			fitted, sums = append(fitted, m.LogLikelihood), append(sums, d.logs(m.W))
		}
		return fitted, sums
	})
}
