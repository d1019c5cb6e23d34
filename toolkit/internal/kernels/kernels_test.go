package kernels

import (
	"math"
	"math/big"
	"testing"
)

func TestLimits(t *testing.T) {
	inf := math.Inf(1)
	for _, tt := range []struct {
		name         string
		f            func(float64) float64
		minus, plus  float64 // at −Inf and +Inf
		minus8, plu8 float64 // at −800 and 800
	}{
		// exp(−800) = 3.7e-348 is below the smallest double, 4.9e-324.
		{"Sigmoid", Sigmoid, 0, 1, 0, 1},
		{"LogSigmoid", LogSigmoid, -inf, 0, -800, 0},
		{"Softplus", Softplus, 0, inf, 0, 800},
		{"NormPDF", NormPDF, 0, 0, 0, 0},
		{"NormCDF", NormCDF, 0, 1, 0, 1},
		// mpmath, 40 digits: ln Φ(−800) = −320007.60355182336649…
		{"LogNormCDF", LogNormCDF, -inf, 0, -320007.6035518233665, 0},
		// mpmath, 40 digits: N(−800)/Φ(−800) = 800.00124999609378…
		{"InverseMills", InverseMills, inf, 0, 800.00124999609378, 0},
	} {
		t.Run(tt.name, func(t *testing.T) {
			for _, p := range []struct{ a, want float64 }{{-inf, tt.minus}, {inf, tt.plus}, {-800, tt.minus8}, {800, tt.plu8}} {
				if got := tt.f(p.a); got != p.want && !(math.Abs(got-p.want) <= 4e-16*math.Abs(p.want)) {
					t.Errorf("at %v: %v, want %v", p.a, got, p.want)
				}
			}
			if got := tt.f(math.NaN()); !math.IsNaN(got) {
				t.Errorf("at NaN: %v", got)
			}
		})
	}
}

// TestForty checks the digits at ±40, where 1−σ rounds to 0 but σ(−a) does not:
// exp(−40) = 4.248354255291588995…e-18, and ln(1+e) = e − e²/2.
func TestForty(t *testing.T) {
	const e40 = 4.248354255291588995e-18
	y, c, l := SigmoidParts(40)
	if y != 1 || c != e40 || l != e40 {
		t.Errorf("SigmoidParts(40) = %v, %v, %v", y, c, l)
	}
	y, c, l = SigmoidParts(-40)
	if y != e40 || c != 1 || l != e40 {
		t.Errorf("SigmoidParts(−40) = %v, %v, %v", y, c, l)
	}
	if got := LogSigmoid(40); got != -e40 {
		t.Errorf("LogSigmoid(40) = %v", got)
	}
	if y, c, l = SigmoidParts(math.Inf(-1)); y != 0 || c != 1 || l != 0 {
		t.Errorf("SigmoidParts(−Inf) = %v, %v, %v", y, c, l)
	}
}

func TestLogit(t *testing.T) {
	for _, tt := range []struct{ p, want float64 }{
		{0, math.Inf(-1)}, {1, math.Inf(1)}, {0.5, 0},
		// 2·atanh(2^-40) = 2^-39 to 24 digits
		{0.5 + 0x1p-41, 0x1p-39},
		{1e-300, -690.7755278982137},    // −300·ln 10
		{5e-324, -744.4400719213812},    // −1074·ln 2
		{0.75, 1.0986122886681098},      // ln 3
		{0.25, -1.0986122886681098},     // −ln 3
		{1 - 0x1p-53, 36.7368005696771}, // 53·ln 2
	} {
		if got := Logit(tt.p); got != tt.want && math.Abs(got-tt.want) > 4e-16*math.Abs(tt.want) {
			t.Errorf("Logit(%v) = %v, want %v", tt.p, got, tt.want)
		}
	}
	for _, p := range []float64{-0.1, 1.1, math.NaN()} {
		if got := Logit(p); !math.IsNaN(got) {
			t.Errorf("Logit(%v) = %v, want NaN", p, got)
		}
	}
}

func TestSoftmaxLimits(t *testing.T) {
	inf := math.Inf(1)
	for _, tt := range []struct {
		name string
		a    []float64
		want []float64
		lse  float64
	}{
		{"far apart", []float64{800, -800}, []float64{1, 0}, 800},
		{"large and equal", []float64{1e308, 1e308}, []float64{0.5, 0.5}, 1e308},
		{"one infinite", []float64{inf, 3}, []float64{1, 0}, inf},
		{"two infinite", []float64{inf, 3, inf}, []float64{0.5, 0, 0.5}, inf},
		{"one excluded", []float64{-inf, 3}, []float64{0, 1}, 3},
		{"all excluded", []float64{-inf, -inf}, []float64{0.5, 0.5}, -inf},
		{"one", []float64{7}, []float64{1}, 7},
		{"none", nil, nil, -inf},
	} {
		t.Run(tt.name, func(t *testing.T) {
			for k, y := range Softmax(nil, tt.a) {
				if y != tt.want[k] {
					t.Errorf("Softmax[%d] = %v, want %v", k, y, tt.want[k])
				}
			}
			for k, y := range LogSoftmax(nil, tt.a) {
				// an infinite activation's shares differ from the finite formula; in the
				// others ln y may be far below ln of the smallest double
				if math.Exp(y) != tt.want[k] {
					t.Errorf("LogSoftmax[%d] = %v, want ln %v", k, y, tt.want[k])
				}
			}
			if got := LogSumExp(tt.a); got != tt.lse {
				t.Errorf("LogSumExp = %v, want %v", got, tt.lse)
			}
		})
	}
	if got := LogSoftmax(nil, []float64{800, -800})[1]; got != -1600 {
		t.Errorf("LogSoftmax far apart: %v, want −1600", got)
	}
	for _, v := range Softmax(nil, []float64{math.NaN(), 1}) {
		if !math.IsNaN(v) {
			t.Errorf("Softmax of a NaN gives %v", v)
		}
	}
}

func TestSoftmaxSizes(t *testing.T) {
	defer func() {
		if recover() == nil {
			t.Error("no panic for a destination of another length")
		}
	}()
	Softmax(make([]float64, 1), make([]float64, 2))
}

// TestInvSqrt2 proves the two-piece constant with 200 bits.
func TestInvSqrt2(t *testing.T) {
	want := new(big.Float).SetPrec(200).SetFloat64(0.5)
	want.Sqrt(want)
	sum := new(big.Float).SetPrec(200).SetFloat64(invSqrt2)
	sum.Add(sum, new(big.Float).SetFloat64(invSqrt2Lo))
	diff, _ := sum.Sub(sum, want).Float64()
	if math.Abs(diff) > 1e-32 {
		t.Errorf("invSqrt2 + invSqrt2Lo is off by %v", diff)
	}
}

// TestDerivatives checks d ln Φ/da = InverseMills and d ln σ/da = σ(−a) by
// central differences, to the h² of their truncation.
func TestDerivatives(t *testing.T) {
	const h = 1e-4
	for a := -30.0; a <= 8; a += 0.37 {
		if got, want := (LogNormCDF(a+h)-LogNormCDF(a-h))/(2*h), InverseMills(a); math.Abs(got-want) > 1e-7*(1+want) {
			t.Errorf("slope of ln Φ at %v: %v, want %v", a, got, want)
		}
		if got, want := (LogSigmoid(a+h)-LogSigmoid(a-h))/(2*h), Sigmoid(-a); math.Abs(got-want) > 1e-7 {
			t.Errorf("slope of ln σ at %v: %v, want %v", a, got, want)
		}
	}
}

func FuzzSigmoid(f *testing.F) {
	for _, a := range []float64{0, 1, -1, 40, -40, 800, -800, 1e-300, math.Inf(1), math.Inf(-1)} {
		f.Add(a)
	}
	f.Fuzz(func(t *testing.T, a float64) {
		if math.IsNaN(a) {
			return
		}
		y, c, l := SigmoidParts(a)
		if y != Sigmoid(a) && math.Abs(y-Sigmoid(a)) > 4e-16*y {
			t.Errorf("SigmoidParts(%v) = %v, Sigmoid %v", a, y, Sigmoid(a))
		}
		if s := y + c; math.Abs(s-1) > 3e-16 {
			t.Errorf("σ(a)+σ(−a) = %v at %v", s, a)
		}
		if l < 0 || l > math.Ln2 || LogSigmoid(a) > 0 {
			t.Errorf("ln(1+exp(−|a|)) = %v, ln σ = %v at %v", l, LogSigmoid(a), a)
		}
		// In the normal range, σ and its logarithm and inverse agree.
		if math.Abs(a) < 700 {
			if e := math.Abs(math.Log(y) - LogSigmoid(a)); e > 1e-15*(1+math.Abs(a)) {
				t.Errorf("ln σ differs by %v at %v", e, a)
			}
		}
		if a < 0 && a > -700 {
			if got := Logit(y); math.Abs(got-a) > 2e-15*(1+math.Abs(a)) {
				t.Errorf("Logit(Sigmoid(%v)) = %v", a, got)
			}
		}
	})
}

func FuzzNormal(f *testing.F) {
	for _, a := range []float64{0, -1, -4.999, -5.001, -19.99, -20.01, -38.5, 38.5, 800, -1e200} {
		f.Add(a)
	}
	f.Fuzz(func(t *testing.T, a float64) {
		if math.IsNaN(a) {
			return
		}
		p, l, h := NormCDF(a), LogNormCDF(a), InverseMills(a)
		if !(p >= 0 && p <= 1) || !(l <= 0) || !(h >= 0) {
			t.Fatalf("Φ(%v) = %v, ln Φ = %v, N/Φ = %v", a, p, l, h)
		}
		// −a < N/Φ < −a + 1/|a| for a < 0 (Gordon 1941).
		if a < -1 && (h < -a*(1-1e-15) || h > (-a-1/a)*(1+1e-15)) {
			t.Errorf("N/Φ(%v) = %v leaves its bounds", a, h)
		}
		if a > -37 && a < 8 && math.Abs(math.Log(p)-l) > 1e-15*(1+math.Abs(l)) {
			t.Errorf("ln Φ(%v) = %v against %v", a, l, math.Log(p))
		}
		if s := p + NormCDF(-a); math.Abs(s-1) > 3e-16 {
			t.Errorf("Φ(a)+Φ(−a) = %v at %v", s, a)
		}
	})
}

func FuzzSoftmax(f *testing.F) {
	f.Add(0.0, 1.0, 2.0)
	f.Add(800.0, -800.0, 799.0)
	f.Add(math.Inf(1), math.Inf(1), 0.0)
	f.Fuzz(func(t *testing.T, a, b, c float64) {
		in := []float64{a, b, c}
		for _, v := range in {
			if math.IsNaN(v) {
				return
			}
		}
		y, l := Softmax(nil, in), LogSoftmax(nil, in)
		if s := y[0] + y[1] + y[2]; math.Abs(s-1) > 5e-16 {
			t.Errorf("Softmax(%v) sums to %v", in, s)
		}
		for k := range y {
			if math.Abs(math.Exp(l[k])-y[k]) > 1e-15 {
				t.Errorf("LogSoftmax(%v)[%d] = %v against %v", in, k, l[k], y[k])
			}
		}
		if lse := LogSumExp(in); lse < max(a, b, c) {
			t.Errorf("LogSumExp(%v) = %v is below the maximum", in, lse)
		}
	})
}
