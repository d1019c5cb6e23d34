package main

import (
	"fmt"
	"math"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

// excess returns e(x) of Mills' ratio, and x limited to the point from which x·e(x) is 1. See
// millsPolynomial.
func (w width) excess(x VecVirtual) (e, near VecVirtual) {
	near = w.load(number("far", 1e150))
	VMINPD(x, near, near) // NaN stays
	v, u, square := w.reg(), w.load(number("one", 1)), w.reg()
	VADDPD(number("turn", turn), near, v)
	VDIVPD(v, u, v)
	VFNMADD231PD(number("twiceTurn", 2*turn), v, u) // u = 1 − 2k/(x+k)
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

// density returns N(x|0,1) for x ≥ 0. It splits the square into its rounded value and the
// remainder.
func (w width) density(x VecVirtual) VecVirtual {
	near, rest, g := w.load(number("none", 39)), w.reg(), w.reg() // exp(−39²/2) is 0
	VMINPD(x, near, near)                                         // NaN stays
	VMULPD(near, near, g)
	VMOVAPD(g, rest)
	VFMSUB231PD(near, near, rest) // x² − its rounded value
	VMULPD(number("minusHalf", -0.5), g, g)
	w.exp(g)
	peak := w.load(number("peak", 1/math.Sqrt(2*math.Pi)))
	VFNMADD132PD(number("halfPeak", 0.5/math.Sqrt(2*math.Pi)), peak, rest)
	VMULPD(rest, g, g)
	return g
}

// logarithm returns ln(y + rest) for y ≥ ½ and a rest of less than its last place, with y =
// 2ᵏ(1+f), f in [√½−1, √2−1).
func (w width) logarithm(y, rest VecVirtual) VecVirtual {
	k, f := w.reg(), w.reg()
	// The words of numbers of [√½, √2)·2ᵏ, less this one, have the exponent k, biased.
	VPSUBQ(bits("aboveRoot", math.Float64bits(math.Sqrt2/2)-1023<<52), y, k)
	VPSRLQ(Imm(52), k, k)
	VPSLLQ(Imm(52), k, f)
	VPSUBQ(f, y, f)
	VPADDQ(bits("one", 1023<<52), f, f)
	VSUBPD(number("one", 1), f, f)
	// k as a number: the last bits of 2⁵² + k.
	k = w.or(number("integers", 1<<52), k)
	VSUBPD(number("biased", 1<<52+1023), k, k)
	low, high := rest, k
	VFMADD231PD(number("ln2low", ln2low), k, low)
	VMULPD(number("ln2high", ln2high), k, high)
	return w.series(f, high, low)
}

// normal writes Φ(a) and Φ(−a).
func normal(w width) {
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

// probit is the probit loss with its derivatives; see Kernels.Probit. Let x = |a|. The part of the
// target on the far side of a has −ln Φ(−x), the hazard h = x + e and h·e. The part on the near
// side has −ln Φ(x), h′ = N(x)/Φ(x) and h′(x + h′).
func probit(w width) {
	begin(w, "probit", "func(nv int, a *float64, t *float64, s *float64, d1 *float64, d2 *float64, sum *float64)",
		"writes the derivatives of the probit loss, and adds its values times s to the vector at sum.")
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
	VSUBPD(tail, rest, rest) // Φ(x) is y + rest
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
	// Infinite values do not count if no part is on the far side.
	some := w.cmp(notEqual, far, w.zero())
	x, h = w.where(some, x), w.where(some, h)
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
