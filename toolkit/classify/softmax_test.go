package classify_test

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/hyperplane-notebooks/hyperplane/toolkit/classify"
)

// oneOfK returns the 1-of-K targets of labels.
func oneOfK(labels []int, k int) *mat.Dense {
	t := mat.NewDense(len(labels), k, nil)
	for i, l := range labels {
		t.Set(i, l, 1)
	}
	return t
}

// TestSoftmaxTwoClasses: K = 2 is FitLogistic in reference form, with all its
// numbers, also with soft targets, dependent columns and separable classes.
func TestSoftmaxTwoClasses(t *testing.T) {
	x, labels := clouds(120, 4, 2, 211)
	soft := targets(labels)
	soft[2], soft[7], soft[11] = 0.3, 0.8, 0.5
	twice := mat.NewDense(120, 5, nil)
	twice.Augment(x, x.ColView(1))
	for _, c := range []struct {
		name string
		x    mat.Matrix
		t    []float64
	}{{"hard", x, targets(labels)}, {"soft", x, soft}, {"duplicate column", twice, soft}, {"few rows", x.Slice(0, 3, 0, 4), soft[:3]}} {
		t.Run(c.name, func(t *testing.T) {
			tt := mat.NewDense(len(c.t), 2, nil)
			for i, v := range c.t {
				tt.SetRow(i, []float64{v, 1 - v})
			}
			s := must(classify.FitSoftmaxTargets(c.x, tt, classify.SoftmaxOptions{}))(t)
			l := must(classify.FitLogistic(c.x, c.t, classify.LogisticOptions{}))(t)
			if s.Converged != l.Converged || s.Separable != l.Separable || s.Rank != l.Rank || s.DegreesOfFreedom() != l.DegreesOfFreedom() {
				t.Fatalf("softmax: %v %v rank %d (%s)\nlogistic: %v %v rank %d (%s)", s.Converged, s.Separable, s.Rank, s.Reason, l.Converged, l.Separable, l.Rank, l.Reason)
			}
			if !s.Converged {
				return
			}
			ref := must(s.Reference(1))(t)
			near := func(what string, got, want float64) {
				t.Helper()
				if !(math.Abs(got-want) <= 1e-11*(1+math.Abs(want))) {
					t.Errorf("%s: %v, logistic has %v", what, got, want)
				}
			}
			near("E", s.E, l.E)
			near("null", s.NullLogLikelihood, l.NullLogLikelihood)
			near("AIC", s.AIC(), l.AIC())
			near("BIC", s.BIC(), l.BIC())
			for i, w := range l.W {
				near(fmt.Sprint("weight ", i), ref.W.At(i, 0), w)
				for j := range l.W {
					near("Hessian", s.Hessian.At(i, j), l.Hessian.At(i, j))
					if l.Covariance != nil {
						near("covariance", ref.Covariance.At(i, j), l.Covariance.At(i, j))
					}
				}
			}
			if (s.Covariance == nil) != (l.Covariance == nil) {
				t.Error("only one of the two has a covariance")
			}
		})
	}
}

// TestSoftmaxIdentities that hold at an optimum whatever the data.
func TestSoftmaxIdentities(t *testing.T) {
	const d, k, m = 3, 4, 4
	x, labels := clouds(160, d, k, 231)
	s := must(classify.FitSoftmax(x, labels, k, classify.SoftmaxOptions{}))(t)
	t.Run("mean posterior is the class share", func(t *testing.T) {
		p := must(s.Posterior(x))(t)
		for j := range k {
			if sum := mat.Sum(p.ColView(j)); math.Abs(sum-40) > 1e-11 {
				t.Errorf("the posteriors of class %d sum to %v, there are 40 rows", j, sum)
			}
		}
	})
	t.Run("the shift direction", func(t *testing.T) { // errata of (4.110)
		var eig mat.EigenSym
		eig.Factorize(s.Hessian, false)
		v := eig.Values(nil)
		for i, e := range v {
			if small := math.Abs(e) < 1e-12*v[len(v)-1]; small != (i < m) {
				t.Errorf("eigenvalue %d is %v of %v", i, e, v)
			}
		}
		for i := range m {
			if sum := mat.Sum(s.W.RowView(i)); math.Abs(sum) > 1e-13 {
				t.Errorf("the weights %d of the classes sum to %v", i, sum)
			}
		}
	})
	t.Run("any reference class", func(t *testing.T) {
		want := must(s.Posterior(x))(t)
		for c := range k {
			ref := must(s.Reference(c))(t)
			w := mat.NewDense(m, k, nil)
			for j, class := range ref.Classes {
				w.SetCol(class, mat.Col(nil, j, ref.W))
			}
			got := must((&classify.Softmax{W: w}).Posterior(x))(t)
			if !mat.EqualApprox(got, want, 1e-14) {
				t.Errorf("class %d: other posteriors", c)
			}
			// The covariance inverts the Hessian of the free classes.
			free := mat.NewDense(m*(k-1), m*(k-1), nil)
			for u := range m * (k - 1) {
				for v := range m * (k - 1) {
					free.Set(u, v, s.Hessian.At(ref.Classes[u/m]*m+u%m, ref.Classes[v/m]*m+v%m))
				}
			}
			inverses(t, ref.Covariance, free, 1e-11)
		}
		_, err := s.Reference(k)
		mentions(t, err, "4", "0…3")
		_, err = s.Reference(-1)
		mentions(t, err, "-1")
	})
	t.Run("labels are targets", func(t *testing.T) {
		o := must(classify.FitSoftmaxTargets(x, oneOfK(labels, k), classify.SoftmaxOptions{}))(t)
		if !mat.Equal(o.W, s.W) {
			t.Error("1-of-K targets give other weights than labels")
		}
	})
	t.Run("isotropic is a Gaussian", func(t *testing.T) {
		cov := mat.NewSymDense(m*k, nil)
		for i := range m * k {
			cov.SetSym(i, i, 0.5)
		}
		a := must(classify.FitSoftmax(x, labels, k, classify.SoftmaxOptions{Prior: classify.Isotropic{Alpha: 2}}))(t)
		b := must(classify.FitSoftmax(x, labels, k, classify.SoftmaxOptions{Prior: classify.Gaussian{Cov: cov}}))(t)
		if !a.Converged || !mat.EqualApprox(a.W, b.W, 1e-13) {
			t.Errorf("other weights: %s", a.Reason)
		}
		inverses(t, a.Covariance, a.Hessian, 1e-12)
	})
	t.Run("free bias", func(t *testing.T) {
		prior := classify.Isotropic{Alpha: 3, FreeBias: true}
		a := must(classify.FitSoftmax(x, labels, k, classify.SoftmaxOptions{Prior: prior}))(t)
		o := must(classify.SoftmaxObjective(x, labels, k, prior))(t)
		stationary(t, o, flat(a.W.T()), 1e-11)
		if sum := mat.Sum(a.W.RowView(0)); !a.Converged || math.Abs(sum) > 1e-13 || a.Covariance == nil {
			t.Errorf("the biases sum to %v: %s", sum, a.Reason)
		}
	})
	t.Run("K = 3 with an absent contrast is logistic between two", func(t *testing.T) {
		// A class far away on its own takes no part in the boundary of the others.
		two, l2 := clouds(60, 2, 2, 241)
		all := mat.NewDense(80, 2, nil)
		l3 := append(slices.Clone(l2), make([]int, 20)...)
		all.Slice(0, 60, 0, 2).(*mat.Dense).Copy(two)
		for i := 60; i < 80; i++ {
			all.SetRow(i, []float64{1e3 + float64(i), -1e3})
			l3[i] = 2
		}
		a := must(classify.FitSoftmax(all, l3, 3, classify.SoftmaxOptions{Prior: classify.Isotropic{Alpha: 1e-6}}))(t)
		b := must(classify.FitLogistic(two, targets(l2), classify.LogisticOptions{}))(t)
		for i := range 3 {
			if got := a.W.At(i, 0) - a.W.At(i, 1); math.Abs(got-b.W[i]) > 1e-4 {
				t.Errorf("weight %d: %v, logistic %v", i, got, b.W[i])
			}
		}
	})
}

// TestSoftmaxLarge takes the way of large data, Gram matrices instead of the
// orthogonal factor: the same weights and covariance.
func TestSoftmaxLarge(t *testing.T) {
	const n, d, k = 60000, 5, 4
	x, labels := clouds(n, d, k, 251)
	s := must(classify.FitSoftmax(x, labels, k, classify.SoftmaxOptions{}))(t)
	o := must(classify.SoftmaxObjective(x, labels, k, nil))(t)
	w := flat(s.W.T())
	stationary(t, o, w, 1e-8)
	h := must(o.Hessian(w))(t)
	if !s.Converged || !mat.Equal(h, s.Hessian) {
		t.Errorf("another Hessian, or not converged: %s", s.Reason)
	}
	prior := must(classify.FitSoftmax(x, labels, k, classify.SoftmaxOptions{Prior: classify.Isotropic{Alpha: 5, FreeBias: true}}))(t)
	o = must(classify.SoftmaxObjective(x, labels, k, classify.Isotropic{Alpha: 5, FreeBias: true}))(t)
	stationary(t, o, flat(prior.W.T()), 1e-8)
	if !prior.Converged {
		t.Error(prior.Reason)
	}
}

func TestSoftmaxTails(t *testing.T) {
	m := &classify.Softmax{W: mat.NewDense(2, 3, []float64{0, 0, 0, 1, 0, -1})}
	x := mat.NewDense(3, 1, []float64{-350, 350, 40})
	p := must(m.Posterior(x))(t)
	// exp(−700) and exp(−40) of scalar_facts
	for _, c := range []struct {
		i, k int
		want float64
	}{{0, 0, 9.85967654375977e-305}, {1, 2, 9.85967654375977e-305}, {2, 1, 4.248354255291589e-18}, {0, 2, 1}} {
		if got := p.At(c.i, c.k); math.Abs(got-c.want) > 1e-15*c.want {
			t.Errorf("posterior (%d,%d) = %v, want %v", c.i, c.k, got, c.want)
		}
	}
	o := must(classify.SoftmaxObjective(mat.NewDense(2, 1, []float64{800, -800}), []int{2, 1}, 3, nil))(t)
	if e := must(o.Value([]float64{0, 1, 0, 0, 0, -1}))(t); math.Abs(e-2400) > 1e-12 {
		t.Errorf("E = %v, want 1600+800", e) // a₀−a₂ of the first row, a₂−a₁ of the second
	}
	y, labels := clouds(120, 2, 3, 261)
	want := must(classify.FitSoftmax(y, labels, 3, classify.SoftmaxOptions{}))(t)
	for _, start := range [][]float64{{0, 800, -800, 3, 0, 1, 0, 0, 0}, {800, 0, 0, 0, 0, 0, 0, 0, 0}, {0, 1e5, 1e6, 1, 2, 3, 4, 5, -1e6}} {
		far := must(classify.FitSoftmax(y, labels, 3, classify.SoftmaxOptions{Start: mat.NewDense(3, 3, start)}))(t)
		if !far.Converged || !mat.EqualApprox(far.W, want.W, 1e-11) {
			t.Errorf("start %v: %s", start, far.Reason)
		}
	}
	for _, scale := range [][]float64{{1e150, 1e-150}, {1e-150, 1e-150}, {1e150, 1e150}} {
		z := mat.NewDense(120, 2, nil)
		z.Apply(func(_, j int, v float64) float64 { return v * scale[j] }, y)
		m, err := classify.FitSoftmax(z, labels, 3, classify.SoftmaxOptions{})
		if err != nil {
			mentions(t, err, "overflow", "units")
			continue
		}
		for j, s := range scale {
			for k := range 3 {
				if e := math.Abs(m.W.At(j+1, k)*s/want.W.At(j+1, k) - 1); e > 1e-11 {
					t.Errorf("scale %v: weight (%d,%d) off by %.2g: %s", scale, j+1, k, e, m.Reason)
				}
			}
		}
	}
}

func TestSoftmaxBadArguments(t *testing.T) {
	x, labels := clouds(30, 2, 3, 271)
	tt := oneOfK(labels, 3)
	with := func(i, j int, v float64) *mat.Dense {
		y := mat.DenseCopyOf(tt)
		y.Set(i, j, v)
		return y
	}
	refused(t, []refusal{
		{"empty class", of(classify.FitSoftmax(x, labels, 4, classify.SoftmaxOptions{})), []string{"class 3 of 4", "no rows", "prior"}},
		{"empty class, free bias", of(classify.FitSoftmax(x, labels, 4, classify.SoftmaxOptions{Prior: classify.Isotropic{Alpha: 1, FreeBias: true}})), []string{"class 3 of 4"}},
		{"empty column", of(classify.FitSoftmaxTargets(x, mat.NewDense(30, 2, slices.Repeat([]float64{1, 0}, 30)), classify.SoftmaxOptions{})), []string{"all 30 rows are class 0", "single class"}},
		{"huge k", of(classify.FitSoftmax(x, labels, math.MaxInt, classify.SoftmaxOptions{})), []string{"GB", "fewer"}},
		{"k 1", of(classify.FitSoftmax(x, labels, 1, classify.SoftmaxOptions{})), []string{"k is 1"}},
		{"start", of(classify.FitSoftmax(x, labels, 3, classify.SoftmaxOptions{Start: mat.NewDense(2, 3, nil)})), []string{"Start is 2×3", "3×3"}},
		{"start NaN", of(classify.FitSoftmax(x, labels, 3, classify.SoftmaxOptions{Start: mat.NewDense(3, 3, []float64{0, 0, 0, 0, math.NaN(), 0, 0, 0, 0})})), []string{"Start[4]", "NaN"}},
		{"iterations", of(classify.FitSoftmax(x, labels, 3, classify.SoftmaxOptions{MaxIterations: -3})), []string{"MaxIterations", "-3"}},
		{"tolerance", of(classify.FitSoftmax(x, labels, 3, classify.SoftmaxOptions{Tolerance: math.NaN()})), []string{"Tolerance", "NaN"}},
		{"alpha", of(classify.FitSoftmax(x, labels, 3, classify.SoftmaxOptions{Prior: classify.Isotropic{}})), []string{"Alpha is 0"}},
		{"covariance", of(classify.FitSoftmax(x, labels, 3, classify.SoftmaxOptions{Prior: classify.Gaussian{Cov: mat.NewSymDense(3, nil)}})), []string{"3×3", "9×9"}},
		{"target range", of(classify.FitSoftmaxTargets(x, with(4, 1, -0.5), classify.SoftmaxOptions{})), []string{"t(4,1)", "-0.5"}},
		{"target NaN", of(classify.FitSoftmaxTargets(x, with(4, 1, math.NaN()), classify.SoftmaxOptions{})), []string{"t(4,1)", "NaN"}},
		{"target sum", of(classify.FitSoftmaxTargets(x, with(5, (labels[5]+1)%3, 0.25), classify.SoftmaxOptions{})), []string{"row 5", "1.25"}},
		{"target rows", of(classify.FitSoftmaxTargets(x, tt.Slice(0, 8, 0, 3), classify.SoftmaxOptions{})), []string{"8 rows", "30"}},
		{"no targets", of(classify.FitSoftmaxTargets(x, nil, classify.SoftmaxOptions{})), []string{"targets", "nil"}},
		{"one column of targets", of(classify.FitSoftmaxTargets(x, mat.NewDense(30, 1, nil), classify.SoftmaxOptions{})), []string{"30×1", "two columns"}},
	})
	_, err := new(classify.Softmax).Reference(0)
	mentions(t, err, "no weights")
	t.Run("empty class with a prior", func(t *testing.T) {
		m := must(classify.FitSoftmax(x, labels, 4, classify.SoftmaxOptions{Prior: classify.Isotropic{Alpha: 1}}))(t)
		if !m.Converged {
			t.Error(m.Reason)
		}
	})
	t.Run("targets are not changed", func(t *testing.T) {
		y := with(5, 0, tt.At(5, 0))
		must(classify.FitSoftmaxTargets(x, y, classify.SoftmaxOptions{}))(t)
		if !mat.Equal(y, tt) {
			t.Error("the targets were changed")
		}
	})
	t.Run("one row", func(t *testing.T) {
		one := mat.NewDense(1, 2, []float64{1, 2})
		m := must(classify.FitSoftmaxTargets(one, mat.NewDense(1, 3, []float64{0.2, 0.3, 0.5}), classify.SoftmaxOptions{}))(t)
		p := must(m.Posterior(one))(t)
		if !m.Converged || m.Rank != 1 || math.Abs(p.At(0, 1)-0.3) > 1e-14 || math.Abs(p.At(0, 2)-0.5) > 1e-14 {
			t.Errorf("posterior %v, rank %d: %s", flat(p), m.Rank, m.Reason)
		}
	})
}

// TestSoftmaxTrace: E falls, and the steps are evaluated where they stand.
func TestSoftmaxTrace(t *testing.T) {
	x, labels := clouds(90, 2, 3, 281)
	m := must(classify.FitSoftmax(x, labels, 3, classify.SoftmaxOptions{}))(t)
	o := must(classify.SoftmaxObjective(x, labels, 3, nil))(t)
	descends(t, m.Trace, o, func(w []float64) int {
		return misclassified(t, &classify.Softmax{W: mat.DenseCopyOf(mat.NewDense(3, 3, w).T())}, x, labels)
	})
	if m.Trace[0].E != -m.NullLogLikelihood && math.Abs(m.Trace[0].E-90*math.Log(3)) > 1e-12 {
		t.Errorf("E at 0 is %v, want N ln K", m.Trace[0].E)
	}
}
