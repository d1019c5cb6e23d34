package classify_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat"

	"github.com/hyperplane-notebooks/hyperplane/toolkit"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/classify"
)

// spd returns a random symmetric positive definite matrix with the given condition number.
func spd(n int, cond float64, seed uint64) *mat.SymDense {
	rng := rand.New(rand.NewPCG(seed, 1))
	var qr mat.QR
	qr.Factorize(normalMatrix(rng, n, n))
	var q, d mat.Dense
	qr.QTo(&q)
	d.Apply(func(_, j int, v float64) float64 { return v * math.Pow(cond, float64(j)/math.Max(float64(n-1), 1)/2) }, &q)
	s := mat.NewSymDense(n, nil)
	s.SymOuterK(1, &d)
	return s
}

// TestLaplaceGaussian checks that (4.135) is exact for Gaussians of several dimensions and scales. The
// test first gives no derivatives in the options, then the gradient, and then also the Hessian.
func TestLaplaceGaussian(t *testing.T) {
	for _, m := range []int{1, 2, 3, 6} {
		for _, scale := range []float64{1, 1e-4, 1e5} {
			a, mean := spd(m, 300, uint64(m)), make([]float64, m)
			a.ScaleSym(1/scale/scale, a)
			for i := range mean {
				mean[i] = scale * (float64(i) - 0.7)
			}
			logf := func(z []float64) float64 { return 3 - form(minus(z, mean), a, minus(z, mean))/2 }
			want := 3 + float64(m)/2*math.Log(2*math.Pi) - lnDet(a)/2
			o := classify.LaplaceOptions{Random: 3, Spread: scale}
			for order := range 3 {
				switch order {
				case 1:
					o.Gradient = func(dst, z []float64) {
						copy(dst, flat(mul(a, oneColumn(minus(mean, z)))))
					}
				case 2:
					o.Hessian = func(dst *mat.SymDense, _ []float64) { dst.ScaleSym(-1, a) }
				}
				name := fmt.Sprintf("dimension %d, scale %g, derivatives up to order %d", m, scale, order)
				fit := must(classify.Laplace(logf, make([]float64, m), o))(t)
				closeTo(t, fit.LogZ, want, 1e-9, "%s: ln Z", name)
				errorIf(t, len(fit.Modes) != 1 || len(fit.Failures) != 0 || fit.Starts != 4,
					"%s: got %d modes, failures %q and %d starts, want 1 mode, no failures and 4 starts", name, len(fit.Modes), fit.Failures, fit.Starts)
				closeTo(t, floats.Distance(fit.At, mean, math.Inf(1)), 0, 1e-9*scale, "%s: mode", name)
				near(t, name+": A", fit.Precision, a, 1e-8)
				zero := make([]float64, m)
				closeTo(t, fit.LogDensity(zero), logf(zero)-want, 1e-7, "%s: ln q(0)", name)
			}
		}
	}
}

func TestLaplaceErrors(t *testing.T) {
	none := classify.LaplaceOptions{Random: -1}
	square := func(z []float64) float64 { return -z[0] * z[0] }
	fourth := func(z []float64) float64 { return -z[0] * z[0] * z[0] * z[0] }
	for _, c := range []struct {
		name string
		logf func(z []float64) float64
		x0   []float64
		want []string
	}{
		{"flat direction", square, []float64{1, 1}, []string{"not positive definite", "along [0 1]"}},
		{"constant", func(z []float64) float64 { return 2 }, []float64{1}, []string{"not positive definite"}},
		{"grows", func(z []float64) float64 { return z[0] }, []float64{1}, []string{"no maximum", "without end"}},
		{"grows ever less", func(z []float64) float64 { return -math.Exp(-z[0]) }, []float64{0},
			[]string{"grow without end"}},
		{"fourth power", fourth, []float64{1}, []string{"flatter than a parabola"}},
		{"fourth power, with the start at the mode", fourth, []float64{0}, []string{"maximum"}},
		{"edge", func(z []float64) float64 {
			if z[0] > 1 {
				return math.Inf(-1)
			}
			return z[0]
		}, []float64{0}, []string{"ln f"}},
		{"corner", func(z []float64) float64 { return -math.Abs(z[0]) }, []float64{0.7}, []string{"ln f"}},
		{"outside", func(z []float64) float64 { return math.Log(z[0]) - z[0] }, []float64{-1},
			[]string{"start", "NaN"}},
		{"infinite", func(z []float64) float64 { return -math.Log(math.Abs(z[0] - 1)) }, []float64{1},
			[]string{"+Inf"}},
		{"no start", square, nil, []string{"x0 is empty"}},
		{"NaN start", square, []float64{math.NaN()}, []string{"x0[0]"}},
		{"nil", nil, []float64{1}, []string{"logf is nil"}},
	} {
		t.Run(c.name, func(t *testing.T) { errorHas(t, errorOf(classify.Laplace(c.logf, c.x0, none)), c.want...) })
	}
	allFail(t, []failingCall{
		{"starts", errorOf(classify.Laplace(square, []float64{1}, classify.LaplaceOptions{Starts: [][]float64{{1, 2}}})),
			[]string{"Starts[0]"}},
		{"1D, nil", errorOf(classify.Laplace1D(nil, classify.Laplace1DOptions{})), []string{"logf is nil"}},
		{"1D, bounds", errorOf(classify.Laplace1D(math.Abs, classify.Laplace1DOptions{Lower: 2, Upper: 1})),
			[]string{"Lower must be less"}},
		{"1D, zero", errorOf(classify.Laplace1D(func(float64) float64 { return math.Inf(-1) }, classify.Laplace1DOptions{})),
			[]string{"0 at every start"}},
	})
}

// TestLaplaceAt checks that LaplaceAt rejects a point that is not a strict maximum, with an error that
// states the reason. At a maximum, A and Z must have the exact values.
func TestLaplaceAt(t *testing.T) {
	for _, c := range []struct {
		logf func(z []float64) float64
		at   []float64
		want string
	}{
		{func(z []float64) float64 { return z[0]*z[0] + 3*z[1]*z[1] }, []float64{0, 0}, "is a minimum"},
		{func(z []float64) float64 { return z[0]*z[0] - 3*z[1]*z[1] }, []float64{0, 0},
			"is a saddle of f, not a maximum: f rises along [1 0]"},
		{func(z []float64) float64 { return -z[0] * z[0] }, []float64{0.5}, "not a stationary point"},
		{func(z []float64) float64 { return -z[0] * z[0] }, []float64{0, 1}, "not positive definite"},
		{func(z []float64) float64 { return math.Log(z[0]) }, []float64{-1}, "not positive there"},
	} {
		errorHas(t, errorOf(classify.LaplaceAt(c.logf, c.at, classify.LaplaceOptions{})), c.want)
	}
	m := must(classify.LaplaceAt(func(z []float64) float64 { return -2 * (z[0] - 1) * (z[0] - 1) }, []float64{1},
		classify.LaplaceOptions{}))(t)
	allClose(t, "A, Z", []float64{m.Precision.At(0, 0), m.Z()}, []float64{4, math.Sqrt(math.Pi / 2)}, 1e-9)
}

// checkDraws checks that the means and covariances of draws differ from the given mean and
// covariance by at most 4.5 standard errors.
func checkDraws(t *testing.T, draws *mat.Dense, mean []float64, cov mat.Symmetric) {
	t.Helper()
	n, d := draws.Dims()
	var s mat.SymDense
	stat.CovarianceMatrix(&s, draws, nil)
	for i := range d {
		closeTo(t, stat.Mean(mat.Col(nil, i, draws), nil), mean[i], 4.5*math.Sqrt(cov.At(i, i)/float64(n)),
			"mean of component %d of the draws", i)
		for j := range d { // the variance of a sample covariance is (σ_ii σ_jj + σ_ij²)/N
			se := math.Sqrt((cov.At(i, i)*cov.At(j, j) + cov.At(i, j)*cov.At(i, j)) / float64(n))
			closeTo(t, s.At(i, j), cov.At(i, j), 4.5*se, "covariance of components %d and %d of the draws", i, j)
		}
	}
}

// TestLaplaceSample checks that the means and covariances of the draws agree with the fitted
// Gaussian, within 4.5 standard errors.
func TestLaplaceSample(t *testing.T) {
	a := spd(3, 20, 9)
	logf := func(z []float64) float64 { return -form(z, a, z) / 2 }
	fit := must(classify.Laplace(logf, []float64{1, 1, 1}, classify.LaplaceOptions{Random: -1}))(t)
	const n = 40000
	s := must(fit.Sample(n, 3))(t)
	errorIf(t, !mat.Equal(s, must(fit.Sample(n, 3))(t)), "equal seeds give different draws, want equal draws")
	checkDraws(t, s, make([]float64, 3), fit.Covariance)
	errorHas(t, errorOf(fit.Sample(0, 1)), "n is 0")
}

// TestChangeOfVariable approximates gamma densities of τ in the variable ln τ. In contrast to
// Laplace's approximation, the exact integral does not depend on the variable, so it must be Γ(k).
// Laplace's approximation must equal Stirling's formula. Back must return a density of τ that
// integrates to 1.
func TestChangeOfVariable(t *testing.T) {
	for _, k := range []float64{0.5, 1, 4, 50} {
		logf := func(z float64) float64 { return (k-1)*math.Log(z) - z }
		change := classify.ChangeLog()
		u := must(classify.Laplace1D(change.Of(logf), classify.Laplace1DOptions{}))(t)
		stirling := (k-0.5)*math.Log(k) - k + math.Log(2*math.Pi)/2
		closeTo(t, u.LogZ, stirling, 1e-9*math.Abs(stirling)+1e-10, "k = %v: ln Z by Stirling's formula", k)
		exact, _ := math.Lgamma(k)
		closeTo(t, must(u.Exact(change.Of(logf)))(t).LogZ, exact, 1e-9, "k = %v: ln Γ", k)
		// If k ≤ 1, the density of τ has no mode, so Laplace1D must return an error.
		if _, err := classify.Laplace1D(logf, classify.Laplace1DOptions{Upper: math.Inf(1)}); (err == nil) != (k > 1) {
			t.Errorf("k = %v: got error %v for the variable τ, want an error if and only if k ≤ 1", k, err)
		}
		back := change.Back(u.LogDensity)
		mass := overLine(func(v float64) float64 { return back(math.Exp(v)) * math.Exp(v) }, u.Z0, 1/math.Sqrt(u.A), 50)
		closeTo(t, mass, 1, 1e-9, "k = %v: mass of the density of τ", k)
	}
}

func FuzzLaplace1D(f *testing.F) {
	f.Add(1.0, 0.0, 1.0, 0.0)
	f.Add(-1.0, 2.0, 0.0, 0.5)
	f.Add(0.0, 0.0, 1e100, -1e-100)
	f.Fuzz(func(t *testing.T, a, b, c, d float64) {
		logf := func(z float64) float64 { return -a*z*z + b*z - c*math.Exp(d*z) }
		m, err := classify.Laplace1D(logf, classify.Laplace1DOptions{})
		if err != nil {
			return
		}
		finite(t, "fit", m.Z0, m.LogF, m.A, m.LogZ)
		errorIf(t, !(m.A > 0), "A is %v, want a positive number", m.A)
	})
}

// The density has the form of the density in PRML figure 4.14. The Gaussian approximates the
// density at the mode.
func ExampleLaplace1D() {
	logf := func(z float64) float64 { return -z*z/2 - math.Log1p(math.Exp(-20*z-4)) }
	q := toolkit.Must(classify.Laplace1D(logf, classify.Laplace1DOptions{}))
	exact := toolkit.Must(q.Exact(logf))
	fmt.Printf("mode %.4f, A %.4f, Z %.4f, exactly %.4f\n", q.Z0, q.A, q.Z(), math.Exp(exact.LogZ))
	// Output: mode 0.0775, A 2.5436, Z 1.5609, exactly 1.4512
}

// Laplace's approximation depends on the variable. For the density of a precision τ, the
// approximation in the variable ln τ is more accurate than the approximation in τ.
func ExampleChangeLog() {
	logf := func(tau float64) float64 { return 3*math.Log(tau) - 2*tau } // the exact integral is Γ(4)/2⁴ = 0.375
	direct := toolkit.Must(classify.Laplace1D(logf, classify.Laplace1DOptions{Upper: math.Inf(1)}))
	logs := toolkit.Must(classify.Laplace1D(classify.ChangeLog().Of(logf), classify.Laplace1DOptions{}))
	fmt.Printf("in τ: %.4f, in ln τ: %.4f\n", direct.Z(), logs.Z())
	// Output: in τ: 0.3648, in ln τ: 0.3673
}

func ExampleLaplace() {
	// The function f has two modes, and the Gaussian describes the higher mode.
	logf := func(z []float64) float64 {
		d := z[0]*z[0] - 4
		return -d*d/4 + 0.1*z[0] - z[1]*z[1]/2
	}
	q := toolkit.Must(classify.Laplace(logf, []float64{1, 1}, classify.LaplaceOptions{Starts: [][]float64{{-1, 0}}}))
	for _, m := range q.Modes {
		fmt.Printf("z0 = %.3f, ln Z = %.3f\n", m.At[0], m.LogZ)
	}
	// Output:
	// z0 = 2.012, ln Z = 0.990
	// z0 = -1.987, ln Z = 0.608
}

func ExampleLaplaceAt() {
	// The function is a Gaussian, so the approximation is exact.
	logf := func(z []float64) float64 { return -z[0]*z[0]/2 - 2*z[1]*z[1] }
	m := toolkit.Must(classify.LaplaceAt(logf, []float64{0, 0}, classify.LaplaceOptions{}))
	fmt.Printf("Z = %.6f\n", m.Z())
	_, err := classify.LaplaceAt(logf, []float64{1, 0}, classify.LaplaceOptions{})
	fmt.Println(err != nil)
	// Output:
	// Z = 3.141593
	// true
}
