package vec_test

import (
	"math"
	"math/big"
	"math/rand/v2"
	"testing"

	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/vec"
)

const prec = 1400 // precision in bits that is enough to add exp(±800) to 1

func bigOf(x float64) *big.Float { return new(big.Float).SetPrec(prec).SetFloat64(x) }

// bigExp computes exp(x). It adds up the series of exp(x/2¹⁶) and squares the sum sixteen times.
func bigExp(x *big.Float) *big.Float {
	r := new(big.Float).SetPrec(prec).SetMantExp(x, -16)
	sum, term := bigOf(1), bigOf(1)
	for i := 1; i < 300 && term.Sign() != 0; i++ {
		term.Mul(term, r)
		term.Quo(term, bigOf(float64(i)))
		sum.Add(sum, term)
		if term.MantExp(nil) < -prec {
			break
		}
	}
	for range 16 {
		sum.Mul(sum, sum)
	}
	return sum
}

// ulps returns the distance between two numbers in units of the last place of the second number.
func ulps(got float64, want *big.Float) float64 {
	w, _ := want.Float64()
	if math.IsInf(w, 0) {
		if got == w {
			return 0
		}
		return math.Inf(1)
	}
	ulp := math.Nextafter(math.Abs(w), math.Inf(1)) - math.Abs(w)
	if math.IsInf(got, 0) {
		return math.Inf(1)
	}
	d := new(big.Float).SetPrec(prec).Sub(bigOf(got), want)
	f, _ := d.Quo(d, bigOf(ulp)).Float64()
	return math.Abs(f)
}

// activations returns numbers of every magnitude, including ±800 and subnormal numbers.
func activations() []float64 {
	rng := rand.New(rand.NewPCG(1, 800))
	a := []float64{0, 1, -1, 0.5, -0.88137, 0.88137358701954305, 700, -700, 709, 709.5, 709.78, 709.7827128933839,
		709.7827128933841, 710, -708.3, -708.5, -740, -744.44, -745.1, -745.2, -746, 800, -800, 5e-324, -5e-324, 1e-310,
		-1e-310, 1e-20, -1e-17, 36.7, -36.8}
	for range 150 {
		a = append(a, 30*rng.NormFloat64(), rng.NormFloat64(), 300*rng.NormFloat64(), math.Exp(-20*rng.Float64()))
	}
	return a
}

// TestFunctions compares the functions on every code path with values computed with math/big. The
// errors of Exp and Sigmoid must be within the bounds stated in the comments of Kernels. For targets
// t = 0, the errors of the derivatives that CrossEntropy writes must be at most 4 ulp for y−t, and
// 8 ulp for a y(1−y) above 1e-300.
func TestFunctions(t *testing.T) {
	a := activations()
	one := bigOf(1)
	var exp, sigma, rest, bell []*big.Float
	for _, v := range a {
		e, f := bigExp(bigOf(v)), bigExp(bigOf(-v))
		exp = append(exp, e)
		sigma = append(sigma, new(big.Float).SetPrec(prec).Quo(one, new(big.Float).SetPrec(prec).Add(one, f)))
		rest = append(rest, new(big.Float).SetPrec(prec).Quo(one, new(big.Float).SetPrec(prec).Add(one, e)))
		bell = append(bell, new(big.Float).SetPrec(prec).Mul(sigma[len(sigma)-1], rest[len(rest)-1]))
	}
	for _, k := range vec.Paths() {
		t.Run(k.Name(), func(t *testing.T) {
			y, c, d1, d2, zero := make([]float64, len(a)), make([]float64, len(a)), make([]float64, len(a)),
				make([]float64, len(a)), make([]float64, len(a))
			k.Exp(y, a)
			var worst [4]float64
			for i := range a {
				worst[0] = math.Max(worst[0], ulps(y[i], exp[i]))
			}
			k.Sigmoid(y, c, a)
			k.CrossEntropy(a, zero, nil, d1, d2)
			for i := range a {
				worst[1] = math.Max(worst[1], math.Max(ulps(y[i], sigma[i]), ulps(c[i], rest[i])))
				worst[2] = math.Max(worst[2], ulps(d1[i], sigma[i]))
				if b, _ := bell[i].Float64(); b > 1e-300 {
					worst[3] = math.Max(worst[3], ulps(d2[i], bell[i]))
				}
			}
			t.Logf("largest errors in ulp: exp %.2f, σ %.2f, y−t %.2f, y(1−y) %.2f", worst[0], worst[1], worst[2], worst[3])
			if !(worst[0] <= 2 && worst[1] <= 4 && worst[2] <= 4 && worst[3] <= 8) {
				t.Errorf("the largest errors in ulp are %v for exp (want at most 2), %v for σ (want at most 4), %v for y−t (want at most 4) and %v for y(1−y) (want at most 8)",
					worst[0], worst[1], worst[2], worst[3])
			}
		})
	}
}

// TestLogarithm checks that the loss of a single row with t = 0 equals ln(1+exp(a)), with an error of
// at most 4 ulp.
func TestLogarithm(t *testing.T) {
	for _, k := range vec.Paths() {
		for _, v := range activations() {
			var d1, d2 [1]float64
			got := k.CrossEntropy([]float64{v}, []float64{0}, nil, d1[:], d2[:])
			// The value y = ln(1+exp(a)) solves exp(y) − 1 = exp(a). The error of a computed y is
			// approximately the difference between the two sides divided by exp(y), the derivative
			// of the left side.
			e := bigExp(bigOf(v))
			y := bigOf(got)
			left := bigExp(y)
			diff := new(big.Float).SetPrec(prec).Sub(left, bigOf(1))
			diff.Sub(diff, e)
			diff.Quo(diff, left)
			if u := ulps(got, new(big.Float).SetPrec(prec).Sub(y, diff)); !(u <= 4) {
				t.Errorf("%s: ln(1+exp(%v)) is %v, with an error of %v ulp, want at most 4", k.Name(), v, got, u)
			}
		}
	}
}

// TestLimits checks that Exp and Sigmoid return their limits for ±Inf, and NaN for NaN. It checks
// this for every position in a slice.
func TestLimits(t *testing.T) {
	for _, k := range vec.Paths() {
		for n := 1; n <= 20; n++ {
			for at := range n {
				for _, c := range []struct{ a, exp, sigma, rest float64 }{{math.Inf(1), math.Inf(1), 1, 0}, {math.Inf(-1), 0, 0, 1}, {math.NaN(), math.NaN(), math.NaN(), math.NaN()}} {
					a, y, s := make([]float64, n), make([]float64, n), make([]float64, n)
					a[at] = c.a
					k.Exp(y, a)
					same(t, k, y, at, c.exp, 1)
					k.Sigmoid(y, s, a)
					same(t, k, y, at, c.sigma, 0.5)
					same(t, k, s, at, c.rest, 0.5)
				}
			}
		}
	}
}

func same(t *testing.T, k vec.Kernels, y []float64, at int, special, other float64) {
	t.Helper()
	for i, v := range y {
		want := other
		if i == at {
			want = special
		}
		if v != want && !(math.IsNaN(v) && math.IsNaN(want)) {
			t.Fatalf("%s: the result at index %d of %d is %v, want %v", k.Name(), i, len(y), v, want)
		}
	}
}

// TestCrossEntropyAgrees compares the values and derivatives of CrossEntropy on every code path
// with the results of plain Go. The targets are hard (0 or 1) and soft.
func TestCrossEntropyAgrees(t *testing.T) {
	rng := rand.New(rand.NewPCG(4, 90))
	for _, k := range vec.Paths() {
		for n := range 40 {
			a, target, weights := make([]float64, n), make([]float64, n), []float64(nil)
			if n%2 == 1 {
				weights = normals(n, rng)
			}
			for i := range a {
				a[i], target[i] = 20*rng.NormFloat64(), []float64{0, 1, rng.Float64()}[rng.IntN(3)]
			}
			d1, d2, p1, p2 := make([]float64, n), make([]float64, n), make([]float64, n), make([]float64, n)
			got, want := k.CrossEntropy(a, target, weights, d1, d2),
				vec.Paths()[0].CrossEntropy(a, target, weights, p1, p2)
			if math.Abs(got-want) > 1e-13*float64(1+n) {
				t.Fatalf("%s: CrossEntropy of %d rows returns %v, want %v", k.Name(), n, got, want)
			}
			for i := range a {
				if math.Abs(d1[i]-p1[i]) > 4e-16 || math.Abs(d2[i]-p2[i]) > 2e-15*p2[i] {
					t.Fatalf("%s: the derivatives are %v and %v at a = %v, t = %v, want %v and %v",
						k.Name(), d1[i], d2[i], a[i], target[i],
						p1[i], p2[i])
				}
			}
		}
	}
}
