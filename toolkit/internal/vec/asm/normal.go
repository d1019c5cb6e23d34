package main

import (
	"fmt"
	"math"
	"math/big"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

// excess generates the code that clamps x to 1e150 and computes e(x), which the comment on turn
// defines. The clamp is harmless, because x·e(x) is 1 for larger x. excess returns e(x) and the
// clamped x.
func (w width) excess(x VecVirtual) (e, near VecVirtual) {
	near = w.load(number("far", 1e150))
	VMINPD(x, near, near) // VMINPD returns NaN if x is NaN
	v, u, square := w.reg(), w.load(number("one", 1)), w.reg()
	VADDPD(number("turn", turn), near, v)
	VDIVPD(v, u, v)
	VFNMADD231PD(number("twiceTurn", 2*turn), v, u) // u is now 1 − 2k/(x+k)
	VMULPD(u, u, square)
	coefficient := func(i int) Mem { return number(fmt.Sprintf("mills%d", i), mills[i]) }
	even, odd := w.load(coefficient(millsDegree)), w.load(coefficient(millsDegree-1))
	for i := millsDegree - 2; i > 0; i -= 2 {
		VFMADD213PD(coefficient(i), square, even)
		VFMADD213PD(coefficient(i-1), square, odd)
	}
	VFMADD213PD(coefficient(0), square, even)
	VFMADD213PD(even, u, odd)
	VMULPD(v, odd, v)
	return v, near
}

var mills = millsPolynomial()

// density generates the code that computes N(x|0,1) for x ≥ 0. The code splits x² into its rounded
// value and the remainder.
func (w width) density(x VecVirtual) VecVirtual {
	near, rest, g := w.load(number("none", 39)), w.reg(), w.reg() // exp(−39²/2) is 0
	VMINPD(x, near, near)                                         // VMINPD returns NaN if x is NaN
	VMULPD(near, near, g)
	VMOVAPD(g, rest)
	VFMSUB231PD(near, near, rest) // the rounding error of x²
	VMULPD(number("minusHalf", -0.5), g, g)
	w.exp(g)
	peak := w.load(number("peak", 1/math.Sqrt(2*math.Pi)))
	VFNMADD132PD(number("halfPeak", 0.5/math.Sqrt(2*math.Pi)), peak, rest)
	VMULPD(rest, g, g)
	return g
}

// logarithm generates the code that computes ln(y + rest) for y ≥ ½. The number `rest` is smaller
// than one unit in the last place of y. The code computes ln y + rest, which is accurate for y near 1.
// It writes y = 2ᵏ(1+f) with f in [√½−1, √2−1).
func (w width) logarithm(y, rest VecVirtual) VecVirtual {
	k, f := w.reg(), w.reg()
	// For y in [√½, √2)·2ᵏ, this subtraction leaves the biased k in the exponent bits.
	VPSUBQ(bits("aboveRoot", math.Float64bits(math.Sqrt2/2)-1023<<52), y, k)
	VPSRLQ(Imm(52), k, k)
	VPSLLQ(Imm(52), k, f)
	VPSUBQ(f, y, f)
	VPADDQ(bits("one", 1023<<52), f, f)
	VSUBPD(number("one", 1), f, f)
	// Convert k to a floating-point number. The last bits of 2⁵² + k are k.
	k = w.or(number("integers", 1<<52), k)
	VSUBPD(number("biased", 1<<52+1023), k, k)
	low, high := rest, k
	VFMADD231PD(number("ln2low", ln2low), k, low)
	VMULPD(number("ln2high", ln2high), k, high)
	return w.series(f, high, low)
}

// normalKernel generates the kernel that writes Φ(a) and Φ(−a).
func normalKernel(w width) {
	begin(w, "normal", "func(nv int, y *float64, c *float64, a *float64)", "writes Φ(a) and Φ(−a).")
	p, next := w.loop("y", "c", "a")
	a := w.load(Mem{Base: p["a"]})
	x := w.and(bits("size", 1<<63-1), a)
	h, _ := w.excess(x)
	VADDPD(x, h, h)
	tail, rest := w.density(x), w.load(number("one", 1))
	VDIVPD(h, tail, tail)
	VSUBPD(tail, rest, rest)
	negative := w.negative(a)
	VMOVUPD(w.pick(negative, tail, rest), Mem{Base: p["y"]})
	VMOVUPD(w.pick(negative, rest, tail), Mem{Base: p["c"]})
	next()
	end()
}

// probitKernel generates the kernel for the probit loss and its derivatives (see Kernels.Probit).
// Let x = |a|. The loss has a term with Φ(a) and a term with Φ(−a). The term with Φ(−x) contributes
// −ln Φ(−x), the hazard h = x + e and the curvature h·e. The term with Φ(x) contributes −ln Φ(x),
// the hazard h′ = N(x)/Φ(x) and the curvature h′(x + h′).
func probitKernel(w width) {
	begin(w, "probit", "func(nv int, a *float64, t *float64, s *float64, d1 *float64, d2 *float64, sum *float64)",
		"writes the first two derivatives of the probit loss to d1 and d2, and adds its values times s to the vector at sum.")
	names := []string{"a", "t", "s", "d1", "d2"}
	to := Load(Param("sum"), GP64())
	p, next := w.loop(names...)
	a := w.load(Mem{Base: p["a"]})
	x := w.and(bits("size", 1<<63-1), a)
	h, within := w.excess(x)
	bend := w.reg()
	VADDPD(h, within, bend)
	VMULPD(h, bend, bend) // h·e
	VADDPD(x, h, h)
	slope, y, rest := w.density(x), w.load(number("one", 1)), w.load(number("one", 1))
	tail := w.reg()
	VDIVPD(h, slope, tail)
	VSUBPD(tail, y, y)
	VSUBPD(y, rest, rest)
	VSUBPD(tail, rest, rest) // Φ(x) equals y + rest
	VDIVPD(y, slope, slope)

	t, others := w.load(Mem{Base: p["t"]}), w.load(number("one", 1))
	VSUBPD(t, others, others)
	negative := w.negative(a)
	far, near := w.pick(negative, t, others), w.pick(negative, others, t)
	d1, d2 := w.reg(), w.reg()
	VMULPD(far, bend, d2)
	VADDPD(slope, within, bend)
	VMULPD(slope, bend, bend)
	VFMADD231PD(bend, near, d2)
	VMOVUPD(d2, Mem{Base: p["d2"]})
	// In lanes in which `far` is 0, set x and h to 0, because 0·∞ is NaN.
	some := w.cmp(notEqual, far, w.zero())
	x, h = w.maskedLanes(some, x), w.maskedLanes(some, h)
	VMULPD(near, slope, slope)
	VMOVAPD(h, d1)
	VFMSUB213PD(slope, far, d1)
	VXORPD(w.and(bits("sign", 1<<63), a), d1, d1)
	VMOVUPD(d1, Mem{Base: p["d1"]})

	loss := w.logarithm(y, rest)
	VMULPD(near, loss, near)
	loss = w.logarithm(h, w.zero())
	VADDPD(number("halfLog2Pi", 0.9189385332046727417803297364056176398614), loss, loss)
	half := w.reg()
	VMULPD(number("half", 0.5), x, half)
	VFMADD231PD(half, x, loss)
	VFMSUB213PD(near, far, loss)
	sum := w.load(Mem{Base: to})
	VFMADD231PD(Mem{Base: p["s"]}, loss, sum)
	VMOVUPD(sum, Mem{Base: to})
	next()
	end()
}

// With Mills' ratio M(x) = Φ(−x)/N(x|0,1), x ≥ 0, Laplace's continued fraction is
//
//	1/M(x) = x + e(x), e(x) = 1/(x + 2/(x + 3/(x + …))).
//
// All parts of a probit loss follow from e without cancellation. The hazard x + e is a sum of
// positive terms, and the curvature is (x+e)·e. The variable u = (x−k)/(x+k) maps [0,∞] to [−1,1],
// as in Shepherd and Laframboise (1981) for erfcx. The function (x+k)·e(x) falls from 2.8 to 1. A
// polynomial in u approximates (x+k)·e(x) within a relative error of 2⁻⁵⁵.
const (
	turn        = 3.5 // parameter k, chosen so that the coefficients decrease fastest
	millsDegree = 28
	prec        = 400 // precision in bits
)

func num(x float64) *big.Float { return new(big.Float).SetPrec(prec).SetFloat64(x) }

// excess returns e(x).
func excess(x *big.Float) *big.Float {
	far, _ := x.Float64()
	if far >= 4 { // with 400 levels of the fraction, the error is below 2⁻¹⁵⁰
		f := new(big.Float).Copy(x)
		for k := 400; k >= 2; k-- {
			f.Add(x, f.Quo(num(float64(k)), f))
		}
		return f.Quo(num(1), f)
	}
	// M(x) = √(π/2)·exp(x²/2) − Σ x^(2k+1)/(1·3·5…(2k+1))
	π, _, _ := big.ParseFloat("3.14159265358979323846264338327950288419716939937510582097494459230781640628620899862803", 10, prec, big.ToNearestEven)
	square := new(big.Float).Mul(x, x)
	bell, odd := num(0), num(0)
	even, term := num(1), new(big.Float).Copy(x)
	for k := 1; k < 200; k++ {
		bell.Add(bell, even)
		odd.Add(odd, term)
		even.Mul(even, square).Quo(even, num(float64(2*k)))
		term.Mul(term, square).Quo(term, num(float64(2*k+1)))
	}
	m := new(big.Float).Sqrt(π.Quo(π, num(2)))
	m.Mul(m, bell).Sub(m, odd)
	return m.Quo(num(1), m).Sub(m, x)
}

// millsPolynomial returns the coefficients of (x+k)·e(x) as a polynomial in u, lowest power first.
// It computes them from Newton's divided differences at the zeros of a Chebyshev polynomial.
func millsPolynomial() []float64 {
	const n = millsDegree + 1
	var u, g [n]*big.Float
	for i := range u {
		u[i] = num(math.Cos(math.Pi * (float64(i) + 0.5) / n))
		below := new(big.Float).Sub(num(1), u[i])
		v := new(big.Float).Quo(num(2*turn), below) // x + k
		g[i] = new(big.Float).Mul(v, excess(new(big.Float).Sub(v, num(turn))))
	}
	for step := 1; step < n; step++ {
		for i := n - 1; i >= step; i-- {
			g[i].Sub(g[i], g[i-1]).Quo(g[i], new(big.Float).Sub(u[i], u[i-step]))
		}
	}
	p := make([]*big.Float, n)
	for i := range p {
		p[i] = num(0)
	}
	for i := n - 1; i >= 0; i-- { // multiply the polynomial: p ← p·(u − u_i) + g_i
		for j := n - 1; j > 0; j-- {
			p[j].Sub(p[j-1], new(big.Float).Mul(p[j], u[i]))
		}
		p[0].Sub(g[i], new(big.Float).Mul(p[0], u[i]))
	}
	c := make([]float64, n)
	for i, v := range p {
		c[i], _ = v.Float64()
	}
	return c
}
