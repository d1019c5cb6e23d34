package classify_test

import (
	"math"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/hyperplane-notebooks/hyperplane/toolkit/classify"
)

func TestProbitIdentities(t *testing.T) {
	x, labels := clouds(120, 3, 2, 321)
	target := targets(labels)
	m := must(classify.FitProbit(x, target, classify.ProbitOptions{}))(t)
	o := must(classify.ProbitObjective(x, target, nil))(t)
	stationary(t, o, m.W, 1e-11)
	t.Run("one cell per input value", func(t *testing.T) {
		// A 0/1 input makes two groups, whose shares the model meets exactly.
		g := mat.NewDense(10, 1, []float64{0, 0, 0, 0, 0, 1, 1, 1, 1, 1})
		s := must(classify.FitProbit(g, []float64{1, 0, 0, 0, 0, 1, 1, 1, 0, 0}, classify.ProbitOptions{}))(t)
		p := must(s.Posterior(g))(t)
		if math.Abs(p.At(0, 0)-0.2) > 1e-14 || math.Abs(p.At(9, 0)-0.6) > 1e-14 {
			t.Errorf("shares %v and %v, want 0.2 and 0.6", p.At(0, 0), p.At(9, 0))
		}
	})
	t.Run("expected information is the mean of the observed", func(t *testing.T) {
		// Exactly: a soft target t = Φ(a) has the observed Hessian's expectation.
		p := must(m.Posterior(x))(t)
		mean := must(classify.ProbitObjective(x, mat.Col(nil, 0, p), nil))(t)
		got, want := must(m.FisherInformation(x))(t), must(mean.Hessian(m.W))(t)
		if !mat.EqualApprox(got, want, 1e-12*mat.Max(want)) {
			t.Errorf("%v and %v", flat(got), flat(want))
		}
		se := must(m.ExpectedStandardErrors(x))(t)
		var inv mat.Dense
		if err := inv.Inverse(got); err != nil {
			t.Fatal(err)
		}
		for i, s := range se {
			if math.Abs(s*s/inv.At(i, i)-1) > 1e-12 {
				t.Errorf("expected standard error %d is %v, want %v", i, s, math.Sqrt(inv.At(i, i)))
			}
		}
	})
	t.Run("near the logistic model", func(t *testing.T) {
		l := must(classify.FitLogistic(x, target, classify.LogisticOptions{}))(t)
		for i, w := range m.W { // the two curves differ by 0.018 at most
			if r := w / (l.W[i] * math.Sqrt(math.Pi/8)); r < 0.8 || r > 1.3 {
				t.Errorf("weight %d is %v, scaled logistic %v", i, w, l.W[i]*math.Sqrt(math.Pi/8))
			}
		}
		if m.NullLogLikelihood != l.NullLogLikelihood {
			t.Errorf("null log likelihood %v and %v", m.NullLogLikelihood, l.NullLogLikelihood)
		}
	})
}

func TestProbitTails(t *testing.T) {
	m := &classify.Probit{Estimate: classify.Estimate{W: []float64{0, 1}}}
	x := mat.NewDense(4, 1, []float64{-800, 800, -37, 9})
	p := must(m.Posterior(x))(t)
	for _, c := range []struct {
		i, k int
		want float64
	}{
		{0, 0, 0}, {0, 1, 1}, {1, 0, 1}, {1, 1, 0},
		{2, 0, 5.725571222524577e-300}, // Φ(−37) and Φ(−9) by Laplace's continued fraction in 50 decimal digits
		{3, 1, 1.1285884059538406e-19},
	} {
		if got := p.At(c.i, c.k); math.Abs(got-c.want) > 2e-15*c.want {
			t.Errorf("posterior (%d,%d) = %v, want %v", c.i, c.k, got, c.want)
		}
	}
	// ln Φ(−800) = −800²/2 − ln(800√(2π)) − 1/800² + …
	o := must(classify.ProbitObjective(x, []float64{1, 1, 0, 1}, nil))(t)
	want := 320000 + math.Log(800*math.Sqrt(2*math.Pi)) + 1/640000.0
	if e := must(o.Value([]float64{0, 1}))(t); math.Abs(e-want) > 1e-9 {
		t.Errorf("E = %v, want %v", e, want)
	}
	y, labels := clouds(100, 2, 2, 331)
	target := targets(labels)
	best := must(classify.FitProbit(y, target, classify.ProbitOptions{}))(t)
	for _, start := range [][]float64{{0, 800, -800}, {800, 0, 0}, {-1e4, 3e5, 1e6}} {
		far := must(classify.FitProbit(y, target, classify.ProbitOptions{Start: start}))(t)
		if !far.Converged {
			t.Errorf("start %v: %s", start, far.Reason)
		}
		nearly(t, "weights", far.W, best.W, 1e-11)
	}
	for _, scale := range []float64{1e150, 1e-150} {
		z := mat.NewDense(100, 2, nil)
		z.Scale(scale, y)
		s, err := classify.FitProbit(z, target, classify.ProbitOptions{})
		if err != nil {
			mentions(t, err, "overflow", "units")
			continue
		}
		if e := math.Abs(s.W[1]*scale/best.W[1] - 1); e > 1e-12 {
			t.Errorf("scale %v: weight off by %v", scale, e)
		}
	}
}

func TestProbitArguments(t *testing.T) {
	x, labels := clouds(30, 2, 2, 341)
	target := targets(labels)
	ones := slices.Repeat([]float64{1}, 30)
	for _, c := range []struct {
		name string
		t    []float64
		o    classify.ProbitOptions
		want []string
	}{
		{"one class", ones, classify.ProbitOptions{}, []string{"single class", "prior"}},
		{"one class, free bias", ones, classify.ProbitOptions{Prior: classify.Isotropic{Alpha: 1, FreeBias: true}}, []string{"single class"}},
		{"short", target[:5], classify.ProbitOptions{}, []string{"5 targets", "30 rows"}},
		{"start", target, classify.ProbitOptions{Start: []float64{1}}, []string{"Start", "1 entries"}},
		{"iterations", target, classify.ProbitOptions{MaxIterations: -1}, []string{"MaxIterations"}},
		{"prior", target, classify.ProbitOptions{Prior: classify.Isotropic{}}, []string{"Alpha"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := classify.FitProbit(x, c.t, c.o)
			mentions(t, err, append(c.want, "FitProbit")...)
		})
	}
	_, err := new(classify.Probit).FisherInformation(x)
	mentions(t, err, "no weights")
	t.Run("dependent columns", func(t *testing.T) {
		y := mat.NewDense(30, 3, nil)
		y.Augment(x, x.ColView(0))
		m := must(classify.FitProbit(y, target, classify.ProbitOptions{}))(t)
		base := must(classify.FitProbit(x, target, classify.ProbitOptions{}))(t)
		if !m.Converged || m.Rank != 3 || !strings.Contains(m.Reason, "dependent") || m.Covariance != nil ||
			math.Abs(m.W[1]-m.W[3]) > 1e-12 || math.Abs(m.W[1]+m.W[3]-base.W[1]) > 1e-11 {
			t.Errorf("w = %v (%s), without the copy %v", m.W, m.Reason, base.W)
		}
		_, err := m.ExpectedStandardErrors(y)
		mentions(t, err, "singular")
	})
	t.Run("more columns than rows", func(t *testing.T) {
		y, l := clouds(8, 20, 2, 351)
		m := must(classify.FitProbit(y, targets(l), classify.ProbitOptions{}))(t)
		if !m.Separable || m.Rank != 8 {
			t.Errorf("rank %d: %s", m.Rank, m.Reason)
		}
		p := must(classify.FitProbit(y, targets(l), classify.ProbitOptions{Prior: classify.Isotropic{Alpha: 1}}))(t)
		if !p.Converged {
			t.Error(p.Reason)
		}
	})
}
