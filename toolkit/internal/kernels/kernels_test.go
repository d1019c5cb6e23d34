package kernels

import (
	"math"
	"math/big"
	"math/rand/v2"
	"testing"
)

func TestLimits(t *testing.T) {
	inf := math.Inf(1)
	for _, tt := range []struct {
		name         string
		f            func(float64) float64
		minus, plus  float64 // expected values of the function at −Inf and +Inf
		minus8, plu8 float64 // expected values at −800 and 800
	}{
		// exp(−800) = 3.7e-348 is below the smallest positive float64, 4.9e-324.
		{"Sigmoid", Sigmoid, 0, 1, 0, 1},
		{"LogSigmoid", LogSigmoid, -inf, 0, -800, 0},
		{"NormPDF", NormPDF, 0, 0, 0, 0},
		{"NormCDF", NormCDF, 0, 1, 0, 1},
		// The wanted value is ln Φ(−800) = −320007.60355182336649…, computed with mpmath (40
		// digits).
		{"LogNormCDF", LogNormCDF, -inf, 0, -320007.6035518233665, 0},
		// The wanted value is N(−800)/Φ(−800) = 800.00124999609378…, computed with mpmath (40
		// digits).
		{"InverseMills", InverseMills, inf, 0, 800.00124999609378, 0},
	} {
		t.Run(tt.name, func(t *testing.T) {
			for _, p := range []struct{ a, want float64 }{{-inf, tt.minus}, {inf, tt.plus}, {-800, tt.minus8}, {800, tt.plu8}} {
				if got := tt.f(p.a); got != p.want && !(math.Abs(got-p.want) <= 4e-16*math.Abs(p.want)) {
					t.Errorf("the value at %v is %v, want %v", p.a, got, p.want)
				}
			}
			if got := tt.f(math.NaN()); !math.IsNaN(got) {
				t.Errorf("the value at NaN is %v, want NaN", got)
			}
		})
	}
}

// TestForty checks the digits of the results at a = ±40, and the limits at −Inf. If a = 40, the
// difference 1−σ(a) would be rounded to 0, but σ(−a) is not. For σ(−40) and for ln(1+exp(−40)), the
// test wants e = exp(−40) = 4.248354255291588995…e-18, because both differ from e by at most e².
func TestForty(t *testing.T) {
	const e40 = 4.248354255291588995e-18
	for a, want := range map[float64][3]float64{40: {1, e40, e40}, -40: {e40, 1, e40}, math.Inf(-1): {0, 1, 0}} {
		if y, c, l := SigmoidParts(a); [3]float64{y, c, l} != want {
			t.Errorf("SigmoidParts(%v) = %v, want %v", a, [3]float64{y, c, l}, want)
		}
	}
	if got := LogSigmoid(40); got != -e40 {
		t.Errorf("LogSigmoid(40) = %v, want −exp(−40) = %v", got, -e40)
	}
}

func TestLogit(t *testing.T) {
	for _, tt := range []struct{ p, want float64 }{
		{0, math.Inf(-1)}, {1, math.Inf(1)}, {0.5, 0},
		// 2·atanh(2^-40) equals 2^-39 to 24 digits
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
				// The test compares exp(ln y) with y, because ln y can be −Inf or far below the
				// logarithm of the smallest float64.
				if math.Exp(y) != tt.want[k] {
					t.Errorf("LogSoftmax[%d] = %v, want a number with the exponential %v", k, y, tt.want[k])
				}
			}
			if got := LogSumExp(tt.a); got != tt.lse {
				t.Errorf("LogSumExp = %v, want %v", got, tt.lse)
			}
		})
	}
	if got := LogSoftmax(nil, []float64{800, -800})[1]; got != -1600 {
		t.Errorf("LogSoftmax of distant activations is %v, want −1600", got)
	}
	for _, v := range Softmax(nil, []float64{math.NaN(), 1}) {
		if !math.IsNaN(v) {
			t.Errorf("Softmax of activations with a NaN returns the probability %v, want NaN", v)
		}
	}
}

func TestSoftmaxSizes(t *testing.T) {
	defer func() {
		if recover() == nil {
			t.Error("Softmax does not panic for a slice dst of the wrong length, want a panic")
		}
	}()
	Softmax(make([]float64, 1), make([]float64, 2))
}

// TestInvSqrt2 compares the sum of the constants invSqrt2 and invSqrt2Lo with 1/√2, computed with
// 200 bits.
func TestInvSqrt2(t *testing.T) {
	want := new(big.Float).SetPrec(200).SetFloat64(0.5)
	want.Sqrt(want)
	sum := new(big.Float).SetPrec(200).SetFloat64(invSqrt2)
	sum.Add(sum, new(big.Float).SetFloat64(invSqrt2Lo))
	diff, _ := sum.Sub(sum, want).Float64()
	if !(math.Abs(diff) <= 1e-32) {
		t.Errorf("the error of invSqrt2 + invSqrt2Lo is %v, want at most 1e-32", diff)
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
			t.Errorf("SigmoidParts(%v) returns y = %v, but Sigmoid returns %v", a, y, Sigmoid(a))
		}
		if s := y + c; !(math.Abs(s-1) <= 3e-16) {
			t.Errorf("σ(a)+σ(−a) = %v at %v, want 1", s, a)
		}
		if l < 0 || l > math.Ln2 || LogSigmoid(a) > 0 {
			t.Errorf("at a = %v, ln(1+exp(−|a|)) is %v, want a number from 0 to ln 2; ln σ(a) is %v, want at most 0", a, l, LogSigmoid(a))
		}
		// If σ(a) is a normal float64 (not subnormal), its logarithm must agree with LogSigmoid. If
		// a < 0, the result of Logit(σ(a)) must also agree with a.
		if math.Abs(a) < 700 {
			if e := math.Abs(math.Log(y) - LogSigmoid(a)); !(e <= 1e-15*(1+math.Abs(a))) {
				t.Errorf("LogSigmoid differs from ln σ by %v at %v, which is more than a rounding error", e, a)
			}
		}
		if a < 0 && a > -700 {
			if got := Logit(y); !(math.Abs(got-a) <= 2e-15*(1+math.Abs(a))) {
				t.Errorf("Logit(Sigmoid(%v)) = %v, want the argument", a, got)
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
			t.Fatalf("at %v: Φ = %v, ln Φ = %v, N/Φ = %v, want Φ in [0,1], ln Φ ≤ 0, N/Φ ≥ 0", a, p, l, h)
		}
		// For a < 0, −a < N(a)/Φ(a) < −a + 1/|a| (Gordon 1941).
		if a < -1 && (h < -a*(1-1e-15) || h > (-a-1/a)*(1+1e-15)) {
			t.Errorf("N/Φ(%v) = %v, want a number between −a and −a + 1/|a|", a, h)
		}
		if a > -37 && a < 8 && math.Abs(math.Log(p)-l) > 1e-15*(1+math.Abs(l)) {
			t.Errorf("ln Φ(%v) = %v, want %v", a, l, math.Log(p))
		}
		if s := p + NormCDF(-a); !(math.Abs(s-1) <= 3e-16) {
			t.Errorf("Φ(a)+Φ(−a) = %v at %v, want 1", s, a)
		}
	})
}

func FuzzSoftmax(f *testing.F) {
	f.Add(0.0, 1.0, 2.0)
	f.Add(800.0, -800.0, 799.0)
	f.Add(-800.0, 800.0, 1e-300)
	f.Add(math.Inf(1), math.Inf(1), 0.0)
	f.Fuzz(func(t *testing.T, p, q, r float64) {
		a := []float64{p, q, r}
		if math.IsNaN(p) || math.IsNaN(q) || math.IsNaN(r) {
			return
		}
		y, l := Softmax(nil, a), LogSoftmax(nil, a)
		if s := y[0] + y[1] + y[2]; !(math.Abs(s-1) <= 5e-16) {
			t.Errorf("Softmax(%v) sums to %v, want 1", a, s)
		}
		for k := range y {
			if !(math.Abs(math.Exp(l[k])-y[k]) <= 1e-15) {
				t.Errorf("LogSoftmax(%v)[%d] = %v does not match the probability %v", a, k, l[k], y[k])
			}
		}
		if lse := LogSumExp(a); lse < max(p, q, r) {
			t.Errorf("LogSumExp(%v) = %v is below the maximum", a, lse)
		}
		if s := p - p + q - q + r - r; s != 0 { // the sum s is 0 unless p, q or r is NaN or infinite
			return
		}
		c := make([]float64, 3)
		if _, l := SoftmaxParts(y, c, a); !(l >= 0 && l <= math.Log(3)+1e-15) {
			t.Errorf("SoftmaxParts(%v): l = %v, want a number from 0 to ln 3", a, l)
		}
		for k := range y {
			if !(y[k] >= 0 && y[k] <= 1) || math.Abs(y[k]+c[k]-1) > 3e-16 {
				t.Errorf("SoftmaxParts(%v): y_%d is %v with the complement %v, want numbers in [0,1] with sum 1",
					a, k, y[k], c[k])
			}
		}
	})
}

func TestBell(t *testing.T) {
	for _, c := range []struct{ r2, want float64 }{
		{0, 1},
		{2, 1 / math.E},
		{1e-300, 1},
		{1600, 0}, // exp(−800) is below the smallest float64
		{math.Inf(1), 0},
	} {
		if got := Bell(c.r2); !(math.Abs(got-c.want) <= 1e-16) {
			t.Errorf("Bell(%v) = %v, want %v", c.r2, got, c.want)
		}
	}
	// At every distance r, Bell(r²) must be √(2π) times the normal density.
	for _, a := range []float64{0.1, 1, 5, 20} {
		if got, want := Bell(a*a), NormPDF(a)/NormPDF(0); !(math.Abs(got/want-1) <= 1e-13) {
			t.Errorf("Bell(%v²) = %v, want %v", a, got, want)
		}
	}
}

// TestJaakkola compares the results with tanh(ξ/2)/(4ξ) and ln σ(ξ) − ξ/2 + ξ tanh(ξ/2)/4. Both
// values were computed with mpmath (40 digits).
func TestJaakkola(t *testing.T) {
	for _, c := range []struct{ xi, lambda, c float64 }{
		{0, 0.125, -0.69314718055994530942},
		{5e-5, 0.12499999997395833334, -0.69314718055994530945},
		{9.99e-5, 0.1249999998960415626, -0.69314718055994530994},
		{1.01e-4, 0.12499999989373958344, -0.69314718055994530996},
		{0.01, 0.12499895834374989459, -0.69314718061202794831},
		{1, 0.11552928931500243963, -0.69773239820322039442},
		{3, 0.075429021137072203187, -0.86972616134009223008},
		{40, 0.0062499999999999999469, -10.000000000000000089},
		{800, 0.0003125, -200},
		{1e150, 2.5e-151, -2.5e149},
	} {
		l, k := Jaakkola(c.xi)
		if math.Abs(l-c.lambda) > 4e-16*c.lambda || math.Abs(k-c.c) > 4e-16*math.Abs(c.c) {
			t.Errorf("Jaakkola(%v) = %v, %v, want %v, %v", c.xi, l, k, c.lambda, c.c)
		}
	}
	if l, k := Jaakkola(math.NaN()); !math.IsNaN(l) || !math.IsNaN(k) {
		t.Errorf("Jaakkola(NaN) = %v, %v, want NaN, NaN", l, k)
	}
}

// TestSoftmaxBits checks that each probability has the same bits as exp(a_k−m)/(1+r). Here m is the
// largest activation, and r is the sum of exp(a_j−m) over the other activations. The bits must be
// the same even if dst and a are the same slice.
func TestSoftmaxBits(t *testing.T) {
	rng := rand.New(rand.NewPCG(4, 104))
	for k := 1; k < 8; k++ {
		for range 100 {
			a := make([]float64, k)
			for i := range a {
				a[i] = 10 * rng.NormFloat64()
			}
			m, rest := maximumAndRest(a)
			y := Softmax(nil, a)
			for i, v := range a {
				if want := math.Exp(v-m) / (1 + rest); y[i] != want {
					t.Fatalf("the probability of class %d of %v is %v, want %v", i, a, y[i], want)
				}
			}
			Softmax(a, a)
			for i := range a {
				if a[i] != y[i] {
					t.Fatalf("if dst and a are the same slice, the result is %v, want %v as for two slices", a, y)
				}
			}
		}
	}
	for i, v := range Softmax(nil, []float64{1, math.NaN(), math.Inf(1)}) {
		if !math.IsNaN(v) {
			t.Errorf("the probability of class %d is %v although an activation is NaN, want NaN", i, v)
		}
	}
}
