package vec_test

import (
	"math"
	"math/big"
	"math/rand/v2"
	"testing"

	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/vec"
)

// millsExcess returns e(x) = 1/M(x) − x, where M(x) = Φ(−x)/N(x) and x ≥ 0. For small x it adds up
// the series M(x) = √(π/2)·exp(x²/2) − Σ x^(2k+1)/(1·3…(2k+1)). For large x it evaluates Laplace's
// continued fraction 1/(x + 2/(x + 3/(x + …))).
func millsExcess(at float64) *big.Float {
	x, new := bigOf(at), func() *big.Float { return new(big.Float).SetPrec(prec) }
	if at >= 6 {
		f := bigOf(at)
		for k := 600; k >= 2; k-- {
			f.Add(x, f.Quo(bigOf(float64(k)), f))
		}
		return f.Quo(bigOf(1), f)
	}
	square := new().Mul(x, x)
	sum, term := bigOf(0), bigOf(at)
	for k := 1; k < 400; k++ {
		sum.Add(sum, term)
		term.Mul(term, square).Quo(term, bigOf(float64(2*k+1)))
	}
	m := bigExp(square.Quo(square, bigOf(2)))
	m.Quo(m, rootTwoOverPi).Sub(m, sum)
	return m.Quo(bigOf(1), m).Sub(m, x)
}

// rootTwoOverPi is √(2/π) = 2N(0).
var rootTwoOverPi = func() *big.Float {
	π, _, _ := big.ParseFloat("3.14159265358979323846264338327950288419716939937510582097494459230781640628620899862803482534211706798214808651328230664709384460955058223172535940812848111745028410270193852110555964462294895493038196442881097566593344612847564823", 10, prec, big.ToNearestEven)
	r := bigOf(2)
	return r.Quo(r, π).Sqrt(r)
}()

// normalValues contains Φ, the hazard and the curvature of the probit loss. Each field has two
// numbers: first the value at −|a|, then the value at |a|.
type normalValues struct{ phi, hazard, bend [2]*big.Float }

func normalAt(a float64) (n normalValues) {
	x, new := bigOf(math.Abs(a)), func() *big.Float { return new(big.Float).SetPrec(prec) }
	e := millsExcess(math.Abs(a))
	n.hazard[0] = new().Add(x, e)
	n.bend[0] = new().Mul(n.hazard[0], e)
	near := bigOf(math.Min(math.Abs(a), 100)) // N(100) is far below the smallest float64
	density := near.Mul(near, near)
	density = bigExp(density.Quo(density, bigOf(-2)))
	density.Mul(density, rootTwoOverPi).Quo(density, bigOf(2))
	n.phi[0] = new().Quo(density, n.hazard[0])
	n.phi[1] = new().Sub(bigOf(1), n.phi[0])
	n.hazard[1] = new().Quo(density, n.phi[1])
	n.bend[1] = new().Add(x, n.hazard[1])
	n.bend[1].Mul(n.bend[1], n.hazard[1])
	return n
}

// lossError returns the error, in ulp, of `got`, a computed value of −ln Φ. If exp(−got) = Φ·(1+δ),
// then −ln Φ = got + ln(1+δ).
func lossError(got float64, phi *big.Float) float64 {
	δ := bigExp(bigOf(-got))
	δ.Quo(δ, phi).Sub(δ, bigOf(1))
	half := new(big.Float).SetPrec(prec).Mul(δ, δ)
	δ.Sub(δ, half.Quo(half, bigOf(2)))
	return ulps(got, δ.Add(δ, bigOf(got)))
}

// TestNormal compares Φ, the probit loss and its derivatives with math/big, on a dense grid of
// positive and negative a. The tolerances are the bounds stated in the comments of Kernels.
func TestNormal(t *testing.T) {
	bounds := map[string]float64{"Φ": 8, "loss": 8, "hazard": 8, "curvature": 12}
	var a []float64
	for x := 0.0; x < 37.4; x += 0.125 + x/1000 {
		a = append(a, x, -x)
	}
	rng := rand.New(rand.NewPCG(4, 114))
	for range 60 {
		a = append(a, 3*rng.NormFloat64(), rng.NormFloat64(), math.Exp(-20*rng.Float64()))
	}
	for _, x := range []float64{5e-324, 1e-310, 1e-20, 1e-8, 5, 4.999, 20, 38, 38.4, 39, 50, 800, 1e9, 1e100, 1e150,
		1e151} {
		a = append(a, x, -x)
	}
	n := len(a)
	want := make([]normalValues, n)
	for i, v := range a {
		want[i] = normalAt(v)
	}
	for _, k := range vec.Paths() {
		if bounds["curvature"] = 12; k.Name() == "generic" {
			bounds["curvature"] = 128 // for −5 < a < 0, the sum a + h loses digits to cancellation in plain Go
		}
		y, c := make([]float64, n), make([]float64, n)
		k.Normal(y, c, a)
		worst := map[string]float64{}
		compare := func(name string, a, got float64, want *big.Float) {
			if w, _ := want.Float64(); math.Abs(w) < 1e-300 { // compare absolute errors, because subnormal numbers have few digits
				if !(math.Abs(got-w) <= 1e-300) {
					t.Errorf("%s: %s at %v is %v, want %v", k.Name(), name, a, got, w)
				}
				return
			}
			u := ulps(got, want)
			worst[name] = math.Max(worst[name], u)
			if !(u <= bounds[name]) {
				t.Errorf("%s: %s at %v is %v, with an error of %.2f ulp, want at most %v ulp",
					k.Name(), name, a, got, u, bounds[name])
			}
		}
		for target := range 2 {
			d1, d2, targets := make([]float64, n), make([]float64, n), make([]float64, n)
			for i := range targets {
				targets[i] = float64(target)
			}
			k.Probit(a, targets, nil, d1, d2)
			for i, v := range a {
				right := 1 // index 1 if a has the sign that fits its target, otherwise index 0
				if math.Signbit(v) == (target == 1) {
					right = 0
				}
				compare("hazard", v, d1[i]*float64(1-2*target), want[i].hazard[right])
				compare("curvature", v, d2[i], want[i].bend[right])
				phi := want[i].phi[1]
				if math.Signbit(v) {
					phi = want[i].phi[0]
				}
				if target == 1 {
					compare("Φ", v, y[i], phi)
				} else {
					compare("Φ", v, c[i], want[i].phi[right])
				}
				if math.Abs(v) < 37 {
					var e1, e2 [1]float64
					one := k.Probit(a[i:i+1], targets[:1], nil, e1[:], e2[:])
					if e1[0] != d1[i] || e2[0] != d2[i] {
						t.Fatalf("%s: the derivatives at %v have different bits for a single row and for a row among others",
							k.Name(), v)
					}
					u := lossError(one, want[i].phi[right])
					worst["loss"] = math.Max(worst["loss"], u)
					if !(u <= bounds["loss"]) {
						t.Errorf("%s: the loss at %v with the target %d is %v, with an error of %.2f ulp, want at most %v ulp",
							k.Name(), v, target, one, u, bounds["loss"])
					}
				}
			}
		}
		t.Logf("%s: ulp %v", k.Name(), worst)
	}
}

// probitAgrees compares Probit of the kernels k with Probit in plain Go, first for each row alone
// and then for the sum over all rows.
func probitAgrees(t *testing.T, k vec.Kernels, a, target, weights []float64) {
	t.Helper()
	n := len(a)
	d1, d2, p1, p2 := make([]float64, n), make([]float64, n), make([]float64, n), make([]float64, n)
	got, want := k.Probit(a, target, weights, d1, d2), vec.Paths()[0].Probit(a, target, weights, p1, p2)
	var size float64
	for i := range a {
		s := []float64{1}
		if weights != nil {
			s = weights[i : i+1]
		}
		alone, plain := k.Probit(a[i:i+1], target[i:i+1], s, d1[i:i+1], d2[i:i+1]),
			vec.Paths()[0].Probit(a[i:i+1], target[i:i+1], s, p1[i:i+1], p2[i:i+1])
		size += math.Abs(plain)
		// For a soft target, the first derivative is a difference of two hazards, so the tolerance
		// allows for cancellation.
		lost := 0.0
		if target[i] > 0 && target[i] < 1 {
			lost = 4e-15 * (math.Abs(a[i]) + 1) * target[i] * (1 - target[i])
		}
		if !withinTolerance(alone, plain, 4e-15, 0) || !withinTolerance(d1[i], p1[i], 4e-15, lost) ||
			!withinTolerance(d2[i], p2[i], 3e-14, 1e-300) {
			t.Fatalf("%s: at a = %v, t = %v and with the weight %v, Probit returns %v and writes the derivatives %v and %v, want %v and the derivatives %v and %v",
				k.Name(), a[i], target[i], s[0], alone, d1[i], d2[i], plain, p1[i], p2[i])
		}
	}
	if !withinTolerance(got, want, 0, 1e-14*size) && !withinTolerance(got, want, 0, 0) {
		t.Fatalf("%s: the sum of the losses is %v, want %v", k.Name(), got, want)
	}
}

// withinTolerance reports whether |got − want| is at most rel·|want| + abs, where an `abs` below
// 1e-300 counts as 1e-300. Infinities and NaN must be the same.
func withinTolerance(got, want, rel, abs float64) bool {
	if math.IsNaN(want) || math.IsInf(want, 0) {
		return got == want || math.IsNaN(got) && math.IsNaN(want)
	}
	return math.Abs(got-want) <= rel*math.Abs(want)+math.Max(abs, 1e-300)
}

// TestProbitAgrees compares Probit on every code path with Probit in plain Go, for many numbers of
// rows. The targets are hard (0 or 1) and soft, and the activations include infinities and NaN.
func TestProbitAgrees(t *testing.T) {
	rng := rand.New(rand.NewPCG(4, 115))
	special := []float64{0, math.Copysign(0, -1), 800, -800, 1e160, -1e160, math.Inf(1), math.Inf(-1), math.NaN()}
	for _, k := range vec.Paths() {
		for n := range 40 {
			a, target, weights := make([]float64, n), make([]float64, n), []float64(nil)
			if n%2 == 1 {
				weights = normals(n, rng)
			}
			for i := range a {
				a[i], target[i] = 4*rng.NormFloat64(), []float64{0, 1, rng.Float64()}[rng.IntN(3)]
			}
			probitAgrees(t, k, a, target, weights)
			if n > 0 {
				for _, v := range special {
					a[n/2] = v
					probitAgrees(t, k, a, target, weights)
				}
			}
		}
	}
}

// FuzzProbit compares Probit on every code path with Probit in plain Go, for one row.
func FuzzProbit(f *testing.F) {
	f.Add(0.5, 1.0)
	f.Add(-5.0, 0.3)
	f.Add(-38.5, 0.0)
	f.Add(1e200, 1e-300)
	f.Fuzz(func(t *testing.T, a, target float64) {
		target = math.Abs(math.Mod(target, 1))
		if math.IsNaN(target) {
			target = 1
		}
		for _, k := range vec.Paths() {
			probitAgrees(t, k, []float64{a}, []float64{target}, nil)
		}
	})
}
