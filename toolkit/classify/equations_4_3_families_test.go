package classify_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/integrate/quad"
	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat/distuv"

	"github.com/hyperplane-notebooks/hyperplane/toolkit/classify"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/datasets"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/equation"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/glm"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/kernels"
)

// bellOf returns the standard normal density, computed by the printed formula.
func bellOf(v float64) float64 { return math.Exp(-v*v/2) / math.Sqrt(2*math.Pi) }

// integrate computes the integral of f from lo to hi by Gauss–Legendre quadrature. hi may be less
// than lo.
func integrate(f func(float64) float64, lo, hi float64) float64 {
	return (hi - lo) * quad.Fixed(func(u float64) float64 { return f(lo + (hi-lo)*u) }, 0, 1, 200, nil, 0)
}

func TestEquations43Probit(t *testing.T) {
	equation.Check(t, "prml-4.111", func(r *rand.Rand) (left, right any) {
		p := newProblem43(r)
		m := &classify.Probit{Estimate: classify.Estimate{W: p.w}}
		want := make([]float64, len(p.a))
		for n, a := range p.a {
			want[n] = distuv.UnitNormal.CDF(a)
		}
		return firstColumn(must(m.Posterior(p.x))(t)), want
	})
	// With standard deviation 1e-9, the random threshold is practically equal to m.
	equation.Holds(t, "prml-4.112", func(r *rand.Rand) error {
		m := r.NormFloat64()
		d := must(datasets.Thresholds(datasets.ThresholdsOptions{Means: []float64{m}, Stds: []float64{1e-9},
			Weights: []float64{1}, Seed: r.Uint64()}))(t)
		target := must(d.Target("on"))(t)
		for n, y := range target {
			if a := d.X.At(n, 0); math.Abs(a-m) > 1e-6 && y != truth(a >= m) {
				return fmt.Errorf("for threshold %v and input %v the target is %v, want 1 above the threshold and 0 below it", m, a, y)
			}
		}
		if on := floats.Sum(target); on == 0 || on == float64(d.N()) {
			return fmt.Errorf("%v of %d targets are 1, want at least one target 1 and one target 0", on, d.N())
		}
		return nil
	})
	// The share of simulated targets that are 1 must agree with the integral. The difference may be at
	// most five standard errors plus 1e-5.
	equation.Holds(t, "prml-4.113", func(r *rand.Rand) error {
		a, n := 4*r.Float64()-2, 4000
		mean, std, share := normals(r, 2), []float64{0.5 + r.Float64(), 0.5 + r.Float64()}, r.Float64()
		d := must(datasets.Thresholds(datasets.ThresholdsOptions{N: n, Low: a, High: a + 1e-6, Means: mean, Stds: std,
			Weights: []float64{share, 1 - share}, Seed: r.Uint64()}))(t)
		f := integrate(func(v float64) float64 {
			return share*bellOf((v-mean[0])/std[0])/std[0] + (1-share)*bellOf((v-mean[1])/std[1])/std[1]
		}, -15, a)
		got := floats.Sum(must(d.Target("on"))(t)) / float64(n)
		if !(math.Abs(got-f) < 5*math.Sqrt(f*(1-f)/float64(n))+1e-5) {
			return fmt.Errorf("the share of targets 1 is %v at input %v, want %v ± %.2g", got, a, f, 5*math.Sqrt(f*(1-f)/float64(n))+1e-5)
		}
		return nil
	})
	equation.Check(t, "prml-4.114", func(r *rand.Rand) (left, right any) {
		a := 2 * r.NormFloat64()
		return []float64{kernels.NormCDF(a), slope(kernels.NormCDF, a)}, []float64{integrate(bellOf, -12, a), bellOf(a)}
	})
	// Φ(−a) falls like exp(−a²/2)/a. The check compares the change in ln Φ from −a to −a−5 with the
	// printed and with the corrected law. For the required accuracy, the check multiplies the corrected
	// law by 1 − 1/a², the next factor of the expansion for large a.
	equation.Misprint(t, "P16", func(r *rand.Rand) equation.Reading {
		a := 20 + 10*r.Float64()
		tail := func(a float64) float64 { return math.Log(kernels.NormCDF(-a)) }
		right := func(a float64) float64 { return -a*a/2 - math.Log(a) + math.Log(1-1/(a*a)) }
		return equation.Reading{True: tail(a+5) - tail(a), Printed: a*a - (a+5)*(a+5), Right: right(a+5) - right(a)}
	})
	// Libraries define erf as an integral of exp(−θ²), but PRML and the Brief notes define erf as an
	// integral of exp(−θ²/2). PRML's erf(a) therefore equals √2 times the library's erf(a/√2). PRML
	// (4.116) is correct only with PRML's erf.
	erf := func(r *rand.Rand) (left, right any) {
		a := 2 * r.NormFloat64()
		library := func(a float64) float64 {
			return 2 / math.SqrtPi * integrate(func(v float64) float64 { return math.Exp(-v * v) }, 0, a)
		}
		printed := 2 / math.SqrtPi * integrate(func(v float64) float64 { return math.Exp(-v * v / 2) }, 0, a)
		scaled := func(a float64) float64 { return math.Sqrt2 * math.Erf(a/math.Sqrt2) }
		return []float64{2*kernels.NormCDF(a*math.Sqrt2) - 1, math.Erf(a), kernels.NormCDF(a), kernels.NormCDF(a),
				scaled(a), slope(scaled, a)},
			[]float64{library(a), library(a), (1 + library(a/math.Sqrt2)) / 2, (1 + printed/math.Sqrt2) / 2, printed,
				2 / math.SqrtPi * math.Exp(-a*a/2)}
	}
	equation.Check(t, "prml-4.115", erf)
	equation.Check(t, "prml-4.116", erf)
	equation.Check(t, "P15", erf)
	equation.Check(t, "N2", erf)
	// For a Gaussian threshold with mean m and standard deviation s, PRML divides the activation by s
	// but does not subtract m from it.
	equation.Misprint(t, "P36", func(r *rand.Rand) equation.Reading {
		m, s, a := r.NormFloat64(), 0.5+r.Float64(), r.NormFloat64()
		return equation.Reading{True: integrate(func(v float64) float64 { return bellOf((v-m)/s) / s }, -20, a),
			Printed: kernels.NormCDF(a / s), Right: kernels.NormCDF((a - m) / s)}
	})
	// The true probability of a recorded label is a sum over the two possible true labels. If the
	// true label differs from the recorded label, the label was flipped.
	flipped := func(r *rand.Rand) equation.Reading {
		p, ε := newProblem43(r), r.Float64()/2
		m := &classify.LabelFlip{Estimate: classify.Estimate{W: p.w}, Epsilon: ε}
		truth, printed := mat.NewDense(len(p.y), 2, nil), mat.NewDense(len(p.y), 2, nil)
		for n, y := range p.y {
			truth.SetRow(n, []float64{(1-ε)*y + ε*(1-y), (1-ε)*(1-y) + ε*y})
			printed.SetRow(n, fill(2, (1-ε)*y+ε*(1-y)))
		}
		return equation.Reading{True: truth, Printed: printed, Right: must(m.LabelPosterior(p.x))(t)}
	}
	equation.Misprint(t, "P17", flipped)
	equation.Check(t, "prml-4.117", func(r *rand.Rand) (left, right any) {
		v := flipped(r)
		return v.Right, v.True
	})
}

// A family43 is one of the toolkit's target families. The function `mean` returns the mean for a
// natural parameter η. The field `density` is gonum's distribution of the target for one η.
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

// families43 returns all four families. The scales of the Gaussian and the gamma family are random; the
// other scales are 1. The argument η is the natural parameter of the densities. η must be negative,
// because the gamma family requires this.
func families43(r *rand.Rand, η float64) []family43 {
	s, k := 0.5+r.Float64(), 0.5+r.Float64()
	return []family43{
		{"Bernoulli", classify.BernoulliTarget{}, 1, logisticOf, distuv.Bernoulli{P: logisticOf(η), Src: r}},
		{"Poisson", classify.PoissonTarget{}, 1, math.Exp, distuv.Poisson{Lambda: math.Exp(η), Src: r}},
		{"Gaussian", classify.GaussianTarget{Scale: s}, s, func(η float64) float64 { return η },
			distuv.Normal{Mu: η, Sigma: math.Sqrt(s), Src: r}},
		{"gamma", classify.GammaTarget{Scale: k}, k, func(η float64) float64 { return -1 / η },
			distuv.Gamma{Alpha: 1 / k, Beta: -η / k, Src: r}},
	}
}

// A target43 contains inputs x and targets t of one family. Each target was drawn from this family with
// the natural parameter η = wᵀφ of its row, but with a random scale that can differ from the field
// `scale`. The first two targets may have been replaced (see targets43).
type target43 struct {
	family43
	x, phi  *mat.Dense
	t, w, a []float64
	logs    func(w []float64) float64 // returns ln p(t|w), computed with gonum
}

// targets43 returns random data for each of the four families. The weights are chosen so that η =
// wᵀφ is negative. The first target is always 1. For the Bernoulli and the Poisson family, the second
// target is 0. The Bernoulli labels 0 and 1 therefore both occur, and at least one count is positive.
func targets43(r *rand.Rand) (all []target43) {
	n, seed := 12+r.IntN(10), r.Uint64()
	x, w := mat.NewDense(n, 2, nil), []float64{-2, r.Float64() - 0.5, r.Float64() - 0.5}
	x.Apply(func(_, _ int, _ float64) float64 { return 2*r.Float64() - 1 }, x)
	phi := withOnes(x)
	activations := func(w []float64) []float64 { return flat(mul(phi, oneColumn(w))) }
	at := func(i int, seed uint64, η float64) family43 {
		return families43(rand.New(rand.NewPCG(seed, 1)), η)[i]
	}
	for i := range 4 {
		d := target43{family43: at(i, seed, -1), x: x, phi: phi, w: w, a: activations(w)}
		for _, η := range d.a {
			d.t = append(d.t, at(i, r.Uint64(), η).density.Rand())
		}
		d.t[0], d.t[1] = 1, d.t[1]*truth(i > 1)
		d.logs = func(w []float64) (sum float64) {
			for row, η := range activations(w) {
				sum += at(i, seed, η).density.LogProb(d.t[row])
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
		var exponential, density []float64
		for _, f := range families43(r, η) {
			loss, v := must(glm.NewCanonical(f.name, f.scale))(t), f.density.Rand()
			e := loss.Eval([]float64{η}, []float64{v}, make([]float64, 1), make([]float64, 1))
			exponential = append(exponential, loss.Constant(v, f.scale)-e)
			density = append(density, f.density.LogProb(v))
		}
		return exponential, density
	})
	// The mean is s times the slope of −ln g, where s is the scale and g normalises the density.
	equation.CheckTo(t, "prml-4.119", byFive, func(r *rand.Rand) (left, right any) {
		η, s := -0.5-r.Float64(), 1.5+r.Float64()
		over := func(h func(v float64) float64, lo, hi float64) func(η float64) float64 {
			return func(η float64) float64 {
				return math.Log(integrate(func(v float64) float64 { return h(v) * math.Exp(η*v) }, lo, hi))
			}
		}
		counts := func(η float64) (sum float64) { // returns the logarithm of the sum of e^{ηt}/t!
			for v := range 60 {
				sum += math.Exp(η*float64(v)) / math.Gamma(float64(v)+1)
			}
			return math.Log(sum)
		}
		bell, one := over(bellOf, -15, 15), func(float64) float64 { return 1 }
		var means, slopesOf []float64
		for i, g := range []func(η float64) float64{
			func(η float64) float64 { return math.Log(1 + math.Exp(η)) }, counts, bell, over(one, 0, 100),
		} {
			m := &classify.GLM{Estimate: classify.Estimate{W: []float64{η, 0}}, Family: families43(r, η)[i].name, Scale: 1}
			means = append(means, must(m.Mean(mat.NewDense(1, 1, nil)))(t)[0])
			slopesOf = append(slopesOf, slope(g, η))
		}
		h := func(v float64) float64 { return bellOf(v/s) / s * math.Exp(η*v/s) }
		mean := integrate(func(v float64) float64 { return v * h(v) }, -15*s, 15*s) / integrate(h, -15*s, 15*s)
		return append(means, mean), append(slopesOf, s*slope(bell, η))
	})
	fits := func(r *rand.Rand) (left, right any) {
		var fitted, sums []float64
		for _, d := range targets43(r) {
			m := must(classify.FitGLM(d.x, d.t, d.family, classify.GLMOptions{Start: d.w, MaxIterations: 1}))(t)
			at := &classify.GLM{Estimate: classify.Estimate{W: d.w}, Family: d.name, Scale: d.scale}
			fitted = append(append(fitted, m.LogLikelihood), must(at.Mean(d.x))(t)...)
			sums = append(sums, d.logs(m.W))
			for _, a := range d.a {
				sums = append(sums, d.mean(a))
			}
		}
		return fitted, sums
	}
	equation.Check(t, "prml-4.120", fits)
	equation.Check(t, "prml-4.121", fits)
	// The first model is the probit model: Bernoulli targets with ψ = logit, f = Φ and s = 1. The
	// second model has gamma targets with scale s, ψ(y) = −1/y and f = exp.
	equation.CheckTo(t, "prml-4.122", byFive, func(r *rand.Rand) (left, right any) {
		p, s := newProblem43(r), 1.5+r.Float64()
		e := must(classify.ProbitObjective(p.x, p.t, nil))(t)
		sum, scaled, times := make([]float64, len(p.w)), make([]float64, len(p.w)), make([]float64, len(p.a))
		for n, a := range p.a {
			y, mean, phi := integrate(bellOf, -12, a), math.Exp(a), p.phi.RawRowView(n)
			times[n] = 0.1 + r.ExpFloat64()
			floats.AddScaled(sum, -(p.t[n]-y)/(y*(1-y))*bellOf(a), phi) // ψ′(y) = 1/(y(1−y))
			floats.AddScaled(scaled, (times[n]-mean)/s/(mean*mean)*mean, phi)
		}
		likelihood := func(w []float64) (l float64) {
			for n, a := range p.activations(w) {
				l += distuv.Gamma{Alpha: 1 / s, Beta: math.Exp(-a) / s}.LogProb(times[n])
			}
			return l
		}
		return []any{must(e.Gradient(p.w))(t), slopes(likelihood, p.w)}, []any{sum, scaled}
	})
	// f′(a)ψ′(y) = 1 for the canonical link. For Bernoulli targets with mean Φ(a), the canonical link
	// is still the logit, so the product f′(a)ψ′(y) differs from 1.
	equation.CheckTo(t, "prml-4.123", byFive, func(r *rand.Rand) (left, right any) {
		a := -0.5 - r.Float64()
		y := kernels.NormCDF(a)
		found, want := []float64{slope(kernels.NormCDF, a) * slope(kernels.Logit, y)}, []float64{bellOf(a) / (y * (1 - y))}
		for _, f := range families43(r, a) {
			loss := must(glm.NewCanonical(f.name, f.scale))(t)
			mean := func(a float64) float64 {
				y, _ := loss.Mean(a)
				return y
			}
			found = append(found, loss.Link(f.mean(a)), slope(mean, a)*slope(loss.Link, f.mean(a)))
			want = append(want, a, 1)
		}
		return found, want
	})
	equation.CheckTo(t, "prml-4.124", byFive, func(r *rand.Rand) (left, right any) {
		var gradients, sums, differences []any
		for _, d := range targets43(r) {
			gradients = append(gradients, must(must(classify.GLMObjective(d.x, d.t, d.family, nil))(t).Gradient(d.w))(t))
			sum := make([]float64, len(d.w))
			for n, a := range d.a {
				floats.AddScaled(sum, (d.mean(a)-d.t[n])/d.scale, d.phi.RawRowView(n))
			}
			sums = append(sums, sum)
			differences = append(differences, slopes(func(w []float64) float64 { return -d.logs(w) }, d.w))
		}
		return []any{gradients, gradients}, []any{sums, differences}
	})
}
