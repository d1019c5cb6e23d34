package classify_test

import (
	"fmt"
	"math"
	"testing"

	"github.com/hyperplane-notebooks/hyperplane/toolkit/classify"
)

// gauss integrates f against N(a|mu, sd²) by the trapezoidal rule.
func gauss(f func(a float64) float64, mu, sd float64) float64 {
	const h = 1.0 / 512
	var sum float64
	for i := -12 * 512; i <= 12*512; i++ {
		z := float64(i) * h
		sum += f(mu+sd*z) * math.Exp(-z*z/2)
	}
	return sum * h / math.Sqrt(2*math.Pi)
}

// TestConvolveProbit: the closed form is the integral for any sign of λ. The
// printed form of (4.152) gives the complement for λ < 0: 0.760250 for 0.239750
// at μ = σ = 1, λ = −1.
func TestConvolveProbit(t *testing.T) {
	phi := func(a float64) float64 { return math.Erfc(-a/math.Sqrt2) / 2 }
	for _, lambda := range []float64{-3, -1, -0.2, 0, 0.5, 1, 4} {
		for _, mu := range []float64{-2, 0, 1} {
			for _, sd := range []float64{0, 0.5, 1, 3} {
				want := gauss(func(a float64) float64 { return phi(lambda * a) }, mu, sd)
				if got := classify.ConvolveProbit(lambda, mu, sd*sd); math.Abs(got-want) > 1e-13 {
					t.Errorf("λ %v, μ %v, σ %v: %v, want %v", lambda, mu, sd, got, want)
				}
			}
		}
	}
	if got := classify.ConvolveProbit(-1, 1, 1); math.Abs(got-0.239750) > 5e-7 {
		t.Errorf("λ = −1: %v", got)
	}
	if got := classify.ConvolveProbit(1e200, 1, 1e300); math.Abs(got-0.5) > 1e-12 {
		t.Errorf("large λ and σ²: %v", got)
	}
	for _, v := range []float64{-1, math.NaN()} {
		if !math.IsNaN(classify.ConvolveProbit(1, 0, v)) || !math.IsNaN(classify.Kappa(v)) || !math.IsNaN(classify.ConvolveSigmoid(0, v)) {
			t.Errorf("variance %v has an answer", v)
		}
	}
}

// TestModeration: (4.153) is close to the integral, not equal to it: 0.718946 for
// 0.717424 at μ = 2, σ² = 9.
func TestModeration(t *testing.T) {
	if p, q := classify.ConvolveSigmoid(2, 9), classify.ModeratedSigmoid(2, 9); math.Abs(p-0.717424) > 5e-7 || math.Abs(q-0.718946) > 5e-7 {
		t.Errorf("%v and %v", p, q)
	}
	var worst float64
	for mu := -30.0; mu <= 30; mu += 0.25 {
		for _, s2 := range []float64{1e-16, 0.01, 0.3, 1, 3, 10, 30, 100, 1e4, 1e6} {
			p, q := classify.ConvolveSigmoid(mu, s2), classify.ModeratedSigmoid(mu, s2)
			worst = math.Max(worst, math.Abs(p-q))
			if (p-0.5)*mu < 0 || (q-0.5)*mu < 0 || math.Abs(p-0.5) > math.Abs(1/(1+math.Exp(-mu))-0.5)+1e-15 {
				t.Errorf("μ %v, σ² %v: %v is not between ½ and σ(μ)", mu, s2, p)
			}
		}
	}
	if worst > 0.02 || worst < 0.01 {
		t.Errorf("largest error of (4.153) %v", worst)
	}
}

// TestProbitScales: the gaps are the maxima over a fine grid, and no λ beats Minimax.
func TestProbitScales(t *testing.T) {
	gap := func(lambda float64) (worst float64) {
		for a := 0.0; a < 60; a += 1e-3 {
			worst = math.Max(worst, math.Abs(1/(1+math.Exp(-a))-math.Erfc(-lambda*a/math.Sqrt2)/2))
		}
		return worst
	}
	for _, lambda := range []float64{0.2, 0.5, 0.58, 0.6, 0.6266, 0.63, 0.7, 0.8, 2, 30} {
		t.Run(fmt.Sprint(lambda), func(t *testing.T) {
			s := must(classify.NewProbitScale(lambda))(t)
			if want := gap(lambda); math.Abs(s.Gap-want) > 1e-6 || s.Gap < want-1e-15 {
				t.Errorf("gap %v, on a grid %v", s.Gap, want)
			}
		})
	}
	best := classify.ProbitScaleMinimax()
	for _, d := range []float64{-1e-3, -1e-6, 1e-6, 1e-3} {
		if s := must(classify.NewProbitScale(best.Lambda + d))(t); s.Gap <= best.Gap {
			t.Errorf("λ %v has the gap %v, less than %v", s.Lambda, s.Gap, best.Gap)
		}
	}
	// Both gaps are attained at the minimax λ: one of each sign.
	if s := must(classify.NewProbitScale(best.Lambda - 1e-9))(t); s.Sign != 1 || s.At > 2 {
		t.Errorf("just below: %+v", s)
	}
	// The slope at 0 of Φ(λa) is λ/√2π: ¼ at the equal-slope λ, 0.157 at π/8.
	if slope := classify.ProbitScaleEqualSlope().Lambda / math.Sqrt(2*math.Pi); math.Abs(slope-0.25) > 1e-15 {
		t.Errorf("slope %v", slope)
	}
	for _, bad := range []float64{0, -1, math.NaN(), math.Inf(1), 1e-9} {
		_, err := classify.NewProbitScale(bad)
		mentions(t, err, "lambda", fmt.Sprint(bad))
	}
	for _, far := range []float64{1e-6, 1e-3, 1e3, 1e6} {
		if s := must(classify.NewProbitScale(far))(t); !(s.Gap > 0.4 && s.Gap <= 0.5) {
			t.Errorf("λ = %v: %+v", far, s)
		}
	}
}

func ExampleKappa() {
	for _, variance := range []float64{0, 1, 25} {
		fmt.Printf("σ² = %2.0f: κ = %.4f, σ(κ·2) = %.4f, exactly %.4f\n", variance, classify.Kappa(variance),
			classify.ModeratedSigmoid(2, variance), classify.ConvolveSigmoid(2, variance))
	}
	// Output:
	// σ² =  0: κ = 1.0000, σ(κ·2) = 0.8808, exactly 0.8808
	// σ² =  1: κ = 0.8474, σ(κ·2) = 0.8448, exactly 0.8445
	// σ² = 25: κ = 0.3040, σ(κ·2) = 0.6475, exactly 0.6468
}

func ExampleProbitScaleMinimax() {
	for _, s := range []classify.ProbitScale{classify.ProbitScaleEqualSlope(), classify.ProbitScaleMinimax()} {
		fmt.Printf("λ = %.4f: at most %.5f off, at a = ±%.2f\n", s.Lambda, s.Gap, s.At)
	}
	// Output:
	// λ = 0.6267: at most 0.01767 off, at a = ±2.76
	// λ = 0.5876: at most 0.00946 off, at a = ±3.48
}

// ∫ Φ(λa) N(a|µ, σ²) da (4.152), and the sigmoid's integral that it stands in for.
func ExampleConvolveProbit() {
	lambda := math.Sqrt(math.Pi / 8)
	fmt.Printf("%.4f %.4f\n", classify.ConvolveProbit(lambda, 2, 9), classify.ConvolveSigmoid(2, 9))
	// Output: 0.7219 0.7174
}
