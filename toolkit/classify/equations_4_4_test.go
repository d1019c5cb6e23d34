package classify_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat/distmv"
	"gonum.org/v1/gonum/stat/distuv"

	"github.com/hyperplane-notebooks/hyperplane/toolkit/classify"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/equation"
)

// overLine computes ∫ f(a) da from mean − 10 sd to mean + 10 sd by the trapezium rule. Each
// interval of length sd has n steps. The error is tiny if f is smooth and nearly 0 at the limits.
func overLine(f func(a float64) float64, mean, sd float64, n int) (sum float64) {
	h := sd / float64(n)
	for i := -10 * n; i <= 10*n; i++ {
		sum += f(mean + float64(i)*h)
	}
	return sum * h
}

// overPlane computes ∫ f(z) dz over two dimensions. It substitutes z = mean + Lu, where L is the
// Cholesky factor of cov, and applies overLine to u₁ and to u₂.
func overPlane(f func(z []float64) float64, mean []float64, cov mat.Symmetric) (sum float64) {
	l11 := math.Sqrt(cov.At(0, 0))
	l21 := cov.At(1, 0) / l11
	l22 := math.Sqrt(cov.At(1, 1) - l21*l21)
	return overLine(func(u float64) float64 {
		return overLine(func(v float64) float64 {
			return f([]float64{mean[0] + l11*u, mean[1] + l21*u + l22*v})
		}, 0, 1, 10)
	}, 0, 1, 10) * l11 * l22
}

// skew is f(z) = exp(−½pz²)σ(bz+c), the log-concave function of figure 4.14, with random p, b and
// c.
type skew struct{ p, b, c float64 }

func newSkew(r *rand.Rand) skew { return skew{0.5 + r.Float64(), 3 * r.NormFloat64(), r.NormFloat64()} }

func (s skew) f(z float64) float64   { return math.Exp(-s.p*z*z/2) * logisticOf(s.b*z+s.c) }
func (s skew) log(z float64) float64 { return math.Log(s.f(z)) }

// mode returns z0, the zero of d ln f/dz = −pz + bσ(−bz−c), and a = −d² ln f/dz² at z0. The
// formulas are derived by hand.
func (s skew) mode() (z0, a float64) {
	lo, hi := -20.0, 20.0
	for range 100 {
		z0 = (lo + hi) / 2
		if -s.p*z0+s.b*logisticOf(-s.b*z0-s.c) > 0 {
			lo = z0
		} else {
			hi = z0
		}
	}
	y := logisticOf(s.b*z0 + s.c)
	return z0, s.p + s.b*s.b*y*(1-y)
}

func (s skew) fit(t *testing.T) *classify.LaplaceFit1D {
	t.Helper()
	m, err := classify.Laplace1D(s.log, classify.Laplace1DOptions{})
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func TestEquationsLaplace1D(t *testing.T) {
	equation.Check(t, "prml-4.125", func(r *rand.Rand) (left, right any) {
		s := newSkew(r)
		m := s.fit(t)
		exact, err := m.Exact(s.log)
		if err != nil {
			t.Fatal(err)
		}
		mass := overLine(func(z float64) float64 { return s.f(z) / math.Exp(exact.LogZ) }, 0, 2, 30)
		return []float64{math.Exp(exact.LogZ), mass}, []float64{overLine(s.f, 0, 2, 30), 1}
	})
	// Laplace1D finds the mode by finite differences, which keep half of the digits of ln f.
	equation.CheckTo(t, "prml-4.126", 1e-7, func(r *rand.Rand) (left, right any) {
		s := newSkew(r)
		z0, _ := s.mode()
		return s.fit(t).Z0, z0
	})
	equation.CheckTo(t, "prml-4.127", 1e-6, func(r *rand.Rand) (left, right any) { // second differences
		s := newSkew(r)
		m := s.fit(t)
		parabola := func(z float64) float64 { return m.LogF - m.A*(z-m.Z0)*(z-m.Z0)/2 }
		return derivatives(parabola, m.Z0), derivatives(s.log, m.Z0)
	})
	equation.CheckTo(t, "prml-4.128", 1e-7, func(r *rand.Rand) (left, right any) { // finite differences
		s := newSkew(r)
		_, a := s.mode()
		return s.fit(t).A, a
	})
	equation.CheckTo(t, "prml-4.129", 1e-6, func(r *rand.Rand) (left, right any) { // second differences
		s := newSkew(r)
		m := s.fit(t)
		bell := func(z float64) float64 { return math.Exp(m.LogF) * m.Density(z) / m.Density(m.Z0) }
		return derivatives(bell, m.Z0), derivatives(s.f, m.Z0)
	})
	// The tolerance allows for the error of the mode, which is found by finite differences.
	equation.CheckTo(t, "prml-4.130", 1e-6, func(r *rand.Rand) (left, right any) {
		s := newSkew(r)
		z0, a := s.mode()
		m, z := s.fit(t), z0+r.NormFloat64()/math.Sqrt(a)
		return []float64{m.Density(z), overLine(m.Density, z0, 1/math.Sqrt(a), 10)},
			[]float64{distuv.Normal{Mu: z0, Sigma: 1 / math.Sqrt(a)}.Prob(z), 1}
	})
}

// derivatives returns the value, the slope and the second derivative of f at z.
func derivatives(f func(float64) float64, z float64) []float64 {
	return []float64{f(z), slope(f, z), slope(func(z float64) float64 { return slope(f, z) }, z)}
}

// bell2 is the function exp(−½zᵀPz)σ(bᵀz+c) in two dimensions.
type bell2 struct {
	p *mat.SymDense
	b []float64
	c float64
}

func newBell2(r *rand.Rand) bell2 { return bell2{randomCov(r, 2), normals(r, 2), r.NormFloat64()} }

func (s bell2) f(z []float64) float64 {
	v := mat.NewVecDense(2, z)
	return math.Exp(-mat.Inner(v, s.p, v)/2) * logisticOf(s.b[0]*z[0]+s.b[1]*z[1]+s.c)
}

func (s bell2) log(z []float64) float64 { return math.Log(s.f(z)) }

// curvature returns −∇∇ ln f(z), derived by hand: P + y(1−y)bbᵀ.
func (s bell2) curvature(z []float64) *mat.SymDense {
	y := logisticOf(s.b[0]*z[0] + s.b[1]*z[1] + s.c)
	a := mat.NewSymDense(2, nil)
	a.SymRankOne(s.p, y*(1-y), mat.NewVecDense(2, s.b))
	return a
}

func (s bell2) fit(t *testing.T) *classify.LaplaceFit {
	t.Helper()
	m, err := classify.Laplace(s.log, []float64{0, 0}, classify.LaplaceOptions{})
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// derivatives2 returns the value, the gradient and the Hessian of f at z.
func derivatives2(f func([]float64) float64, z []float64) []any {
	return []any{f(z), slopes(f, z), curvatures(f, z)}
}

// curvatures returns the Hessian ∇∇f(z). It computes gradients by finite differences, and then
// finite differences of these gradients.
func curvatures(f func([]float64) float64, z []float64) *mat.Dense {
	h := mat.NewDense(len(z), len(z), nil)
	for j := range z {
		h.SetRow(j, slopes(func(z []float64) float64 { return slopes(f, z)[j] }, z))
	}
	return h
}

// inverse returns the inverse of a symmetric matrix, computed with gonum.
func inverse(t *testing.T, a mat.Matrix) *mat.SymDense {
	t.Helper()
	n, _ := a.Dims()
	var inv mat.Dense
	if err := inv.Inverse(a); err != nil {
		t.Fatal(err)
	}
	s := mat.NewSymDense(n, nil)
	for i := range n {
		for j := i; j < n; j++ {
			s.SetSym(i, j, inv.At(i, j))
		}
	}
	return s
}

func TestEquationsLaplace(t *testing.T) {
	equation.CheckTo(t, "prml-4.131", 1e-6, func(r *rand.Rand) (left, right any) { // second differences
		s := newBell2(r)
		m := s.fit(t)
		parabola := func(z []float64) float64 {
			d := mat.NewVecDense(2, []float64{z[0] - m.At[0], z[1] - m.At[1]})
			return m.LogF - mat.Inner(d, m.Precision, d)/2
		}
		return derivatives2(parabola, m.At), derivatives2(s.log, m.At)
	})
	equation.CheckTo(t, "prml-4.132", 1e-6, func(r *rand.Rand) (left, right any) { // finite differences
		s := newBell2(r)
		m := s.fit(t)
		return m.Precision, s.curvature(m.At)
	})
	equation.CheckTo(t, "prml-4.133", 1e-6, func(r *rand.Rand) (left, right any) { // second differences
		s := newBell2(r)
		m := s.fit(t)
		bell := func(z []float64) float64 { return math.Exp(m.LogF + m.LogDensity(z) - m.LogDensity(m.At)) }
		return derivatives2(bell, m.At), derivatives2(s.f, m.At)
	})
	equation.CheckTo(t, "prml-4.134", 1e-6, func(r *rand.Rand) (left, right any) { // curvature by differences
		s := newBell2(r)
		m, z := s.fit(t), normals(r, 2)
		cov := inverse(t, s.curvature(m.At))
		q, ok := distmv.NewNormal(m.At, cov, nil)
		if !ok {
			t.Fatal("the curvature derived by hand is not positive definite")
		}
		density := func(z []float64) float64 { return math.Exp(m.LogDensity(z)) }
		return []float64{density(z), overPlane(density, m.At, cov)}, []float64{q.Prob(z), 1}
	})
	equation.CheckTo(t, "prml-4.135", 1e-6, func(r *rand.Rand) (left, right any) { // curvature by differences
		s := newBell2(r)
		m := s.fit(t)
		a := s.curvature(m.At)
		volume := overPlane(func(z []float64) float64 {
			d := mat.NewVecDense(2, []float64{z[0] - m.At[0], z[1] - m.At[1]})
			return math.Exp(-mat.Inner(d, a, d) / 2)
		}, m.At, inverse(t, a))
		return m.Z(), s.f(m.At) * volume
	})
}

func TestEquationsEvidence(t *testing.T) {
	// The posterior is Gaussian, so Laplace's approximation is exact.
	equation.Check(t, "prml-4.136", func(r *rand.Rand) (left, right any) {
		n, s := 5+r.IntN(4), 0.5+r.Float64()
		x, target := normalMatrix(r, n, 1), normals(r, n)
		prior := classify.Gaussian{Mean: normals(r, 2), Cov: randomCov(r, 2)}
		m := must(classify.FitGLM(x, target, classify.GaussianTarget{Scale: s}, classify.GLMOptions{Prior: prior}))(t)
		density, _ := distmv.NewNormal(prior.Mean, prior.Cov, nil)
		p := overPlane(func(w []float64) float64 {
			squares := 0.0
			for i, v := range target {
				squares += (v - w[0] - w[1]*x.At(i, 0)) * (v - w[0] - w[1]*x.At(i, 0))
			}
			return math.Exp(-squares/(2*s)) / math.Pow(2*math.Pi*s, float64(n)/2) * density.Prob(w)
		}, prior.Mean, prior.Cov)
		return must(classify.EvidenceOf(m, prior))(t).LogEvidence(), math.Log(p)
	})
	equation.Check(t, "prml-4.137", func(r *rand.Rand) (left, right any) {
		c := newBayesCase(t, r, 1+r.IntN(3))
		logDet, _ := mat.LogDet(c.precision(c.fit.W))
		occam := c.logPrior(c.fit.W) + float64(len(c.m0))/2*math.Log(2*math.Pi) - logDet/2
		return []float64{c.fit.LogEvidence(), c.fit.Evidence.LogOccam()}, []float64{c.logLikelihood(c.fit.W) + occam,
			occam}
	})
	equation.CheckTo(t, "prml-4.138", 1e-6, func(r *rand.Rand) (left, right any) { // second differences
		c := newBayesCase(t, r, 2)
		return c.fit.Precision, curvatures(func(w []float64) float64 { return -c.logPrior(w) - c.logLikelihood(w) },
			c.fit.W)
	})
	// Each row counts 10⁸ times. The terms that (4.139) omits are then close to their limit ln p(w)
	// + (M/2) ln 2π − ½ ln|A/N|.
	equation.CheckTo(t, "prml-4.139", 1e-5, func(r *rand.Rand) (left, right any) { // approximates a limit
		const times = 1e8
		c := newBayesCase(t, r, 1+r.IntN(2))
		weights := make([]float64, len(c.t))
		for i := range weights {
			weights[i] = times
		}
		m := must(classify.FitBayesLogistic(c.x, c.t,
			classify.BayesLogisticOptions{Prior: c.prior(), Weights: weights}))(t)
		ml := must(classify.FitLogistic(c.x, c.t, classify.LogisticOptions{}))(t)
		var information mat.SymDense
		information.ScaleSym(1/float64(len(c.t)), c.information(ml.W))
		logDet, _ := mat.LogDet(&information)
		return m.LogEvidence() - -m.BIC()/2, c.logPrior(ml.W) + float64(len(ml.W))/2*math.Log(2*math.Pi) - logDet/2
	})
}
