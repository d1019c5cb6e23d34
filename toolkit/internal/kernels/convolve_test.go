package kernels

import (
	"fmt"
	"math"
	"testing"
)

// TestSigmoidGaussian compares the results with values that were computed with mpmath (40 digits).
// The program that computed them also uses the trapezoidal rule, but with a third of the step size.
func TestSigmoidGaussian(t *testing.T) {
	for _, c := range []struct{ mu, s, want float64 }{
		{-0.001, 1e-08, 0.499750000020833331},
		{-2, 1e-08, 0.11920292202211756},
		{-0.3, 0.01, 0.425559302909579728},
		{-2, 0.7, 0.137983016136909331},
		{-2, 0.8, 0.143351266615934835},
		{-2, 3, 0.282576014104323604},
		{-0.5, 39.9, 0.495006008037734837},
		{-0.5, 40.1, 0.495030863519618101},
		{-30, 40.1, 0.227421355828469372},
		{-1000, 60, 1.30483439289140819e-62},
		{-1000, 41, 2.11807352287460212e-131},
		{-1500, 40.5, 1.46678971273021196e-299},
		{-3, 1000.0, 0.498803176922719124},
		{-700, 1, 1.6255858439919857e-304},
		{-700, 5, 2.64571884972601081e-299},
		{-20000, 1000, 2.75544126844324723e-89},
		{-1e-09, 2, 0.499999999848573623},
		{-1e-09, 500, 0.499999999999202121},
	} {
		t.Run(fmt.Sprintf("%g,%g", c.mu, c.s), func(t *testing.T) {
			p, q := SigmoidGaussian(c.mu, c.s)
			if e := math.Abs(p/c.want - 1); e > 2e-13 {
				t.Errorf("p is %v, want %v: the relative error is %.2g", p, c.want, e)
			}
			q2, p2 := SigmoidGaussian(-c.mu, c.s)
			if p2 != p || q2 != q || math.Abs(p+q-1) > 1e-15 {
				t.Errorf("the result is (%v, %v) at μ but (%v, %v) at −μ, want the two numbers swapped, with sum 1", p, q, q2, p2)
			}
		})
	}
}

func TestSigmoidGaussianEdges(t *testing.T) {
	inf, nan := math.Inf(1), math.NaN()
	for _, c := range []struct{ mu, s, p, c float64 }{
		{0, 3, 0.5, 0.5}, {0, 1e300, 0.5, 0.5}, {5, 0, Sigmoid(5), Sigmoid(-5)},
		{-inf, 1, 0, 1}, {inf, 1, 1, 0}, {-1e300, 1, 0, 1}, {-1e5, 1e3, 0, 1},
		{2, inf, 0.5, 0.5}, {nan, 1, nan, nan}, {1, nan, nan, nan}, {1, -1, nan, nan},
	} {
		p, q := SigmoidGaussian(c.mu, c.s)
		same := func(a, b float64) bool { return math.Abs(a-b) < 1e-15 || math.IsNaN(a) && math.IsNaN(b) }
		if !same(p, c.p) || !same(q, c.c) {
			t.Errorf("μ = %v, s = %v: p and c are %v and %v, want %v and %v", c.mu, c.s, p, q, c.p, c.c)
		}
	}
	// For μ < 0, p must increase with s, even at s = 40, where SigmoidGaussian changes its method.
	last := 0.0
	for s := 30.0; s < 50; s += 0.01 {
		p, _ := SigmoidGaussian(-25, s)
		if p <= last {
			t.Fatalf("s = %v: p is %v, want more than %v, the value for the next smaller s", s, p, last)
		}
		last = p
	}
}

func FuzzSigmoidGaussian(f *testing.F) {
	for _, v := range [][2]float64{{-1, 1}, {0, 0}, {-800, 1e-8}, {1e300, 1e300}, {-1e-300, 41},
		{-2e-301, 17.666666666666668}} {
		f.Add(v[0], v[1])
	}
	f.Fuzz(func(t *testing.T, mu, s float64) {
		p, q := SigmoidGaussian(mu, s)
		if math.IsNaN(mu) || math.IsNaN(s) || s < 0 {
			return
		}
		if !(p >= 0 && q >= 0) || math.Abs(p+q-1) > 1e-15 || (mu < 0) != (p < q) && p != q {
			t.Errorf("μ = %v, s = %v: p and c are %v and %v, want p ≥ 0, c ≥ 0 and p + c = 1, with p ≤ c for μ < 0 and p ≥ c for μ ≥ 0",
				mu, s, p, q)
		}
	})
}

func BenchmarkSigmoidGaussian(b *testing.B) {
	for _, s := range []float64{0.1, 1, 10, 100} {
		b.Run(fmt.Sprint(s), func(b *testing.B) {
			for b.Loop() {
				SigmoidGaussian(-1, s)
			}
		})
	}
}
