package classify_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"reflect"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/hyperplane-notebooks/hyperplane/toolkit/classify"
)

// spd returns a random positive definite matrix with the given condition number.
func spd(n int, cond float64, seed uint64) *mat.SymDense {
	rng := rand.New(rand.NewPCG(seed, 1))
	a := mat.NewDense(n, n, nil)
	a.Apply(func(_, _ int, _ float64) float64 { return rng.NormFloat64() }, a)
	var qr mat.QR
	qr.Factorize(a)
	var q, d mat.Dense
	qr.QTo(&q)
	d.CloneFrom(&q)
	for j := range n {
		λ := math.Pow(cond, float64(j)/math.Max(float64(n-1), 1))
		for i := range n {
			d.Set(i, j, q.At(i, j)*λ)
		}
	}
	var p mat.Dense
	p.Mul(&d, q.T())
	s := mat.NewSymDense(n, nil)
	for i := range n {
		for j := i; j < n; j++ {
			s.SetSym(i, j, (p.At(i, j)+p.At(j, i))/2)
		}
	}
	return s
}

// TestLaplaceGaussian: on a Gaussian (4.135) is exact in any dimension, whatever
// the scale, and with derivatives of every order given or not.
func TestLaplaceGaussian(t *testing.T) {
	for _, m := range []int{1, 2, 3, 6} {
		for _, scale := range []float64{1, 1e-4, 1e5} {
			for order := range 3 {
				t.Run(fmt.Sprintf("M=%d scale %g order %d", m, scale, order), func(t *testing.T) {
					a := spd(m, 300, uint64(m))
					a.ScaleSym(1/scale/scale, a)
					mean := make([]float64, m)
					for i := range mean {
						mean[i] = scale * (float64(i) - 0.7)
					}
					diff := func(z []float64) *mat.VecDense {
						v := mat.NewVecDense(m, nil)
						for i := range z {
							v.SetVec(i, z[i]-mean[i])
						}
						return v
					}
					logf := func(z []float64) float64 { v := diff(z); return 3 - mat.Inner(v, a, v)/2 }
					o := classify.LaplaceOptions{Random: 3, Spread: scale}
					if order >= 1 {
						o.Gradient = func(dst, z []float64) {
							mat.NewVecDense(m, dst).MulVec(a, diff(z))
							for i := range dst {
								dst[i] = -dst[i]
							}
						}
					}
					if order == 2 {
						o.Hessian = func(dst *mat.SymDense, _ []float64) { dst.ScaleSym(-1, a) }
					}
					fit := must(classify.Laplace(logf, make([]float64, m), o))(t)
					logDet, _ := mat.LogDet(a)
					want := 3 + float64(m)/2*math.Log(2*math.Pi) - logDet/2
					if math.Abs(fit.LogZ-want) > 1e-9 {
						t.Errorf("ln Z %v, want %v", fit.LogZ, want)
					}
					if len(fit.Modes) != 1 || len(fit.Failures) != 0 || fit.Starts != 4 {
						t.Errorf("%d modes, %q, %d starts", len(fit.Modes), fit.Failures, fit.Starts)
					}
					for i := range m {
						if math.Abs(fit.At[i]-mean[i]) > 1e-9*scale {
							t.Errorf("mode %v, want %v", fit.At, mean)
						}
						for j := range m {
							if math.Abs(fit.Precision.At(i, j)-a.At(i, j)) > 1e-8*mat.Max(a) {
								t.Fatalf("A(%d,%d) %v, want %v", i, j, fit.Precision.At(i, j), a.At(i, j))
							}
						}
					}
					if z := make([]float64, m); math.Abs(fit.LogDensity(z)-(logf(z)-want)) > 1e-7 {
						t.Errorf("ln q(0) %v, want %v", fit.LogDensity(z), logf(z)-want)
					}
				})
			}
		}
	}
}

// TestLaplaceModes: all modes of a mixture are found, the highest is the fit.
func TestLaplaceModes(t *testing.T) {
	bump := func(z []float64, x, y, s float64) float64 {
		return math.Exp(-((z[0]-x)*(z[0]-x) + (z[1]-y)*(z[1]-y)) / (2 * s * s))
	}
	logf := func(z []float64) float64 {
		return math.Log(0.5*bump(z, -3, 0, 0.7) + bump(z, 3, 1, 0.5) + 0.2*bump(z, 0, -4, 0.6))
	}
	fit := must(classify.Laplace(logf, []float64{-2, 0}, classify.LaplaceOptions{Random: 40, Spread: 4, Seed: 1}))(t)
	if len(fit.Modes) != 3 || math.Hypot(fit.At[0]-3, fit.At[1]-1) > 1e-6 {
		t.Fatalf("%d modes, the highest at %v; %q", len(fit.Modes), fit.At, fit.Failures)
	}
	for i := 1; i < 3; i++ {
		if fit.Modes[i].LogF > fit.Modes[i-1].LogF {
			t.Error("the modes are not in order")
		}
	}
	again := must(classify.Laplace(logf, []float64{-2, 0}, classify.LaplaceOptions{Random: 40, Spread: 4, Seed: 1}))(t)
	if !reflect.DeepEqual(fit, again) {
		t.Error("equal seeds give different fits")
	}
	// Started at the saddle between two equal modes, both sides are reached.
	two := func(z float64) float64 { return math.Log(math.Exp(-(z-2)*(z-2)) + math.Exp(-(z+2)*(z+2))) }
	one := must(classify.Laplace1D(two, classify.Laplace1DOptions{}))(t)
	if len(one.Modes) != 2 || math.Abs(one.Modes[0].At[0]+one.Modes[1].At[0]) > 1e-7 {
		t.Errorf("modes %+v", one.Modes)
	}
	saddle := must(classify.Laplace(func(z []float64) float64 { return two(z[0]) - z[1]*z[1] }, []float64{0, 1}, classify.LaplaceOptions{Random: -1}))(t)
	if math.Abs(math.Abs(saddle.At[0])-2) > 0.01 || math.Abs(saddle.At[1]) > 1e-9 {
		t.Errorf("from a saddle to %v", saddle.At)
	}
}

func TestLaplaceErrors(t *testing.T) {
	none := classify.LaplaceOptions{Random: -1}
	for _, c := range []struct {
		name string
		logf func(z []float64) float64
		x0   []float64
		want []string
	}{
		{"flat direction", func(z []float64) float64 { return -z[0] * z[0] }, []float64{1, 1}, []string{"not positive definite", "along [0 1]"}},
		{"constant", func(z []float64) float64 { return 2 }, []float64{1}, []string{"not positive definite"}},
		{"grows", func(z []float64) float64 { return z[0] }, []float64{1}, []string{"no maximum", "without end"}},
		{"grows ever less", func(z []float64) float64 { return -math.Exp(-z[0]) }, []float64{0}, []string{"grow without end"}},
		{"fourth power", func(z []float64) float64 { return -z[0] * z[0] * z[0] * z[0] }, []float64{1}, []string{"flatter than a parabola"}},
		{"fourth power, at the mode", func(z []float64) float64 { return -z[0] * z[0] * z[0] * z[0] }, []float64{0}, []string{"maximum"}},
		{"edge", func(z []float64) float64 {
			if z[0] > 1 {
				return math.Inf(-1)
			}
			return z[0]
		}, []float64{0}, []string{"ln f"}},
		{"corner", func(z []float64) float64 { return -math.Abs(z[0]) }, []float64{0.7}, []string{"ln f"}},
		{"outside", func(z []float64) float64 { return math.Log(z[0]) - z[0] }, []float64{-1}, []string{"start", "NaN"}},
		{"infinite", func(z []float64) float64 { return -math.Log(math.Abs(z[0] - 1)) }, []float64{1}, []string{"+Inf"}},
		{"no start", func(z []float64) float64 { return 0 }, nil, []string{"x0 is empty"}},
		{"NaN start", func(z []float64) float64 { return 0 }, []float64{math.NaN()}, []string{"x0[0]"}},
		{"nil", nil, []float64{1}, []string{"logf is nil"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			fit, err := classify.Laplace(c.logf, c.x0, none)
			if err == nil {
				t.Fatalf("a mode at %v, A %v", fit.At, flat(fit.Precision))
			}
			mentions(t, err, c.want...)
		})
	}
	quad := func(z []float64) float64 { return -z[0] * z[0] }
	for _, c := range []struct {
		o    classify.LaplaceOptions
		want string
	}{
		{classify.LaplaceOptions{Step: -1}, "Step"}, {classify.LaplaceOptions{Spread: -1}, "Spread"},
		{classify.LaplaceOptions{MaxIterations: -1}, "MaxIterations"}, {classify.LaplaceOptions{Starts: [][]float64{{1, 2}}}, "Starts[0]"},
	} {
		_, err := classify.Laplace(quad, []float64{1}, c.o)
		mentions(t, err, c.want)
	}
	_, err := classify.Laplace1D(nil, classify.Laplace1DOptions{})
	mentions(t, err, "logf is nil")
	_, err = classify.Laplace1D(func(z float64) float64 { return -z * z }, classify.Laplace1DOptions{Lower: 2, Upper: 1})
	mentions(t, err, "Lower must be less")
	_, err = classify.Laplace1D(func(z float64) float64 { return math.Inf(-1) }, classify.Laplace1DOptions{})
	mentions(t, err, "0 at every start")
}

// TestLaplaceAt: a stationary point that is no maximum is refused, each kind for
// its own reason.
func TestLaplaceAt(t *testing.T) {
	for _, c := range []struct {
		name string
		logf func(z []float64) float64
		at   []float64
		want string
	}{
		{"minimum", func(z []float64) float64 { return z[0]*z[0] + 3*z[1]*z[1] }, []float64{0, 0}, "is a minimum"},
		{"saddle", func(z []float64) float64 { return z[0]*z[0] - 3*z[1]*z[1] }, []float64{0, 0}, "is a saddle of f, no maximum: f rises along [1 0]"},
		{"slope", func(z []float64) float64 { return -z[0] * z[0] }, []float64{0.5}, "not a stationary point"},
		{"flat", func(z []float64) float64 { return -z[0] * z[0] }, []float64{0, 1}, "not positive definite"},
		{"outside", func(z []float64) float64 { return math.Log(z[0]) }, []float64{-1}, "not positive there"},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := classify.LaplaceAt(c.logf, c.at, classify.LaplaceOptions{})
			mentions(t, err, c.want)
		})
	}
	m := must(classify.LaplaceAt(func(z []float64) float64 { return -2 * (z[0] - 1) * (z[0] - 1) }, []float64{1}, classify.LaplaceOptions{}))(t)
	if math.Abs(m.Precision.At(0, 0)-4) > 1e-9 || math.Abs(m.Z()-math.Sqrt(math.Pi/2)) > 1e-9 {
		t.Errorf("%+v", m)
	}
}

// TestLaplaceStep: the step is the one asked for, and its error has its order.
func TestLaplaceStep(t *testing.T) {
	logf := func(z float64) float64 { return 3*math.Log(z) - 2*z } // A = 4/3 at 1.5
	var last float64
	for i, step := range []float64{0.2, 0.1, 0.05} {
		m := must(classify.Laplace1D(logf, classify.Laplace1DOptions{Upper: math.Inf(1), Step: step}))(t)
		if m.Step != step {
			t.Errorf("step %v, asked for %v", m.Step, step)
		}
		e := math.Abs(m.A*0.75 - 1)
		if i > 0 && e > last/30 && e > 1e-12 {
			t.Errorf("step %v: error %.2g after %.2g", step, e, last)
		}
		last = e
	}
	if m := must(classify.Laplace1D(logf, classify.Laplace1DOptions{Upper: math.Inf(1)}))(t); m.StepError > 1e-9 {
		t.Errorf("step %v with the error %v", m.Step, m.StepError)
	}
}

// TestLaplaceSample: moments of the draws within 4.5 standard errors.
func TestLaplaceSample(t *testing.T) {
	a := spd(3, 20, 9)
	logf := func(z []float64) float64 { v := mat.NewVecDense(3, z); return -mat.Inner(v, a, v) / 2 }
	fit := must(classify.Laplace(logf, []float64{1, 1, 1}, classify.LaplaceOptions{Random: -1}))(t)
	const n = 40000
	s := must(fit.Sample(n, 3))(t)
	if !mat.Equal(s, must(fit.Sample(n, 3))(t)) {
		t.Error("equal seeds give other draws")
	}
	for i := range 3 {
		for j := range 3 {
			var c float64
			for r := range n {
				c += s.At(r, i) * s.At(r, j) / n
			}
			vi, vj, vij := fit.Covariance.At(i, i), fit.Covariance.At(j, j), fit.Covariance.At(i, j)
			if se := math.Sqrt((vi*vj + vij*vij) / n); math.Abs(c-vij) > 4.5*se {
				t.Errorf("covariance (%d,%d) of the draws %v, want %v ± %v", i, j, c, vij, se)
			}
		}
	}
	_, err := fit.Sample(0, 1)
	mentions(t, err, "n is 0")
}

// TestChangeOfVariable: the integral is the same in any variable, Laplace's
// approximation is not; for ln τ of a gamma density it is Stirling's formula.
func TestChangeOfVariable(t *testing.T) {
	for _, k := range []float64{0.5, 1, 4, 50} {
		logf := func(z float64) float64 { return (k-1)*math.Log(z) - z }
		change := classify.ChangeLog()
		u := must(classify.Laplace1D(change.Of(logf), classify.Laplace1DOptions{}))(t)
		stirling := (k-0.5)*math.Log(k) - k + math.Log(2*math.Pi)/2
		if math.Abs(u.LogZ-stirling) > 1e-9*math.Abs(stirling)+1e-10 {
			t.Errorf("k = %v: %v, Stirling %v", k, u.LogZ, stirling)
		}
		exact, _ := math.Lgamma(k)
		if e := must(u.Exact(change.Of(logf)))(t); math.Abs(e.LogZ-exact) > 1e-9 {
			t.Errorf("k = %v: exact %v, ln Γ %v", k, e.LogZ, exact)
		}
		// Below k = 1 the density has no mode in τ itself.
		if _, err := classify.Laplace1D(logf, classify.Laplace1DOptions{Upper: math.Inf(1)}); (err == nil) != (k > 1) {
			t.Errorf("k = %v in τ: %v", k, err)
		}
		back := change.Back(u.LogDensity)
		var mass float64
		for v := u.Z0 - 10/math.Sqrt(u.A); v < u.Z0+10/math.Sqrt(u.A); v += 1e-3 {
			mass += back(math.Exp(v)) * math.Exp(v) * 1e-3
		}
		if math.Abs(mass-1) > 1e-9 {
			t.Errorf("k = %v: mass %v", k, mass)
		}
	}
	// A beta density, and both at once.
	beta := func(z float64) float64 { return 2*math.Log(z) + 4*math.Log1p(-z) } // B(3,5) = 1/105
	c := classify.ChangeLogit()
	b := must(classify.Laplace1D(c.Of(beta), classify.Laplace1DOptions{}))(t)
	if e := must(b.Exact(c.Of(beta)))(t); math.Abs(e.LogZ+math.Log(105)) > 1e-9 || math.Abs(b.LogZ-e.LogZ) > 0.1 || e.KL < 0 {
		t.Errorf("%+v, %+v", b, e)
	}
	if math.Abs(c.To(c.From(0.3))-0.3) > 1e-15 {
		t.Error("To does not undo From")
	}
	both := classify.ChangeEach(func(z []float64) float64 { return 3*math.Log(z[0]) - 2*z[0] + beta(z[1]) - z[2]*z[2]/2 }, classify.ChangeLog(), c)
	joint := must(classify.Laplace(both, []float64{0, 0, 0}, classify.LaplaceOptions{}))(t)
	gamma := must(classify.Laplace1D(classify.ChangeLog().Of(func(z float64) float64 { return 3*math.Log(z) - 2*z }), classify.Laplace1DOptions{}))(t)
	if want := gamma.LogZ + b.LogZ + math.Log(2*math.Pi)/2; math.Abs(joint.LogZ-want) > 1e-8 {
		t.Errorf("joint %v, the sum of the parts %v", joint.LogZ, want)
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
		if !(m.A > 0) {
			t.Errorf("A is %v", m.A)
		}
	})
}

// A posterior of PRML fig. 4.14: the Gaussian touches it at the mode.
func ExampleLaplace1D() {
	logf := func(z float64) float64 { return -z*z/2 - math.Log1p(math.Exp(-20*z-4)) }
	q := toolkit.Must(classify.Laplace1D(logf, classify.Laplace1DOptions{}))
	exact := toolkit.Must(q.Exact(logf))
	fmt.Printf("mode %.4f, A %.4f, Z %.4f, exactly %.4f\n", q.Z0, q.A, q.Z(), math.Exp(exact.LogZ))
	// Output: mode 0.0775, A 2.5436, Z 1.5609, exactly 1.4512
}

// Laplace's approximation depends on the variable: for the precision τ it is
// better in ln τ.
func ExampleChangeLog() {
	logf := func(tau float64) float64 { return 3*math.Log(tau) - 2*tau } // ∫ = Γ(4)/2⁴ = 0.375
	direct := toolkit.Must(classify.Laplace1D(logf, classify.Laplace1DOptions{Upper: math.Inf(1)}))
	logs := toolkit.Must(classify.Laplace1D(classify.ChangeLog().Of(logf), classify.Laplace1DOptions{}))
	fmt.Printf("in τ: %.4f, in ln τ: %.4f\n", direct.Z(), logs.Z())
	// Output: in τ: 0.3648, in ln τ: 0.3673
}

func ExampleLaplace() {
	// Two modes; the Gaussian describes the higher one.
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
	logf := func(z []float64) float64 { return -z[0]*z[0]/2 - 2*z[1]*z[1] } // a Gaussian: the approximation is exact
	m := toolkit.Must(classify.LaplaceAt(logf, []float64{0, 0}, classify.LaplaceOptions{}))
	fmt.Printf("Z = %.6f\n", m.Z())
	_, err := classify.LaplaceAt(logf, []float64{1, 0}, classify.LaplaceOptions{})
	fmt.Println(err != nil)
	// Output:
	// Z = 3.141593
	// true
}

// TestLaplaceLopsided: at the mode of exp(−z²/2)σ(20z+4), PRML figure 4.14, the
// curvature gives nearly the right variance in the wrong place: the exact mean lies
// nearly a standard deviation to the right, and ln Z is too large. The exact values
// are those of mpmath's quadrature.
func TestLaplaceLopsided(t *testing.T) {
	logf := func(z float64) float64 {
		a := 20*z + 4
		return -z*z/2 - math.Max(-a, 0) - math.Log1p(math.Exp(-math.Abs(a)))
	}
	q, err := classify.Laplace1D(logf, classify.Laplace1DOptions{})
	if err != nil {
		t.Fatal(err)
	}
	exact, err := q.Exact(logf)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name      string
		got, want float64
	}{
		{"mode", q.Z0, 0.0775}, {"variance by the curvature", 1 / q.A, 0.3931}, {"ln Z by it", q.LogZ, 0.4453},
		{"mean", exact.Mean, 0.6728}, {"variance", exact.Variance, 0.4139}, {"ln Z", exact.LogZ, 0.3724},
	} {
		if math.Abs(c.got-c.want) > 6e-5 {
			t.Errorf("%s is %.5f, want %.4f", c.name, c.got, c.want)
		}
	}
	if off := (exact.Mean - q.Z0) / math.Sqrt(exact.Variance); math.Abs(off-0.93) > 0.01 {
		t.Errorf("the mean lies %.3f standard deviations from the mode, want 0.93", off)
	}
}
