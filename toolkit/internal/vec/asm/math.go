package main

import (
	"fmt"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

// terms is the degree of the Taylor polynomial of exp on the interval ±½ ln 2, where the next term
// is below 2⁻⁵⁷.
const terms = 13

// exp generates the code that replaces x with exp(x). With x = k ln 2 + r, exp(x) is 2ᵏ times a
// polynomial in r. The code clamps x to bounds beyond the range of the result, so ±Inf needs no
// special case. NaN remains NaN.
func (w width) exp(x VecVirtual) {
	low, high := w.load(number("least", -750)), w.load(number("most", 750))
	VMAXPD(x, low, x) // NaN stays
	VMINPD(x, high, x)
	k, r := w.reg(), w.reg()
	VMULPD(number("log2e", 1.442695040888963407359924681001892137), x, k)
	if w == 8 {
		VRNDSCALEPD(Imm(0), k, k)
	} else {
		VROUNDPD(Imm(0), k, k)
	}
	VMOVAPD(x, r)
	VFNMADD231PD(number("ln2high", ln2high), k, r)
	VFNMADD231PD(number("ln2low", ln2low), k, r)
	coefficient := func(i int) Mem {
		f := 1.0
		for j := 2; j <= i; j++ {
			f *= float64(j)
		}
		return number(fmt.Sprintf("factorial%d", i), 1/f)
	}
	p := w.load(coefficient(terms))
	for i := terms - 1; i >= 0; i-- {
		VFMADD213PD(coefficient(i), r, p)
	}
	if w == 8 {
		VSCALEFPD(k, p, x)
		return
	}
	// Multiply by 2ᵏ in two steps, because k may lie outside the exponent range of float64. Only
	// the last multiplication rounds.
	h, magic := YMM(), number("magic", 3<<51+1023)
	VMULPD(number("half", 0.5), k, h)
	VROUNDPD(Imm(0), h, h)
	VSUBPD(h, k, k)
	for _, e := range []VecVirtual{h, k} {
		VADDPD(magic, e, e)
		VPSLLQ(Imm(52), e, e)
		VMULPD(e, p, p)
	}
	VMOVAPD(p, x)
}

// bell generates the code that computes e = exp(−|a|).
func (w width) bell(a VecVirtual) VecVirtual {
	e := w.or(bits("sign", 1<<63), a)
	w.exp(e)
	return e
}

// parts generates the code that computes σ(a) and σ(−a) from e = exp(−|a|).
func (w width) parts(a, e VecVirtual) (y, c VecVirtual) {
	big, small := w.reg(), w.reg()
	VADDPD(number("one", 1), e, small)
	one := w.load(number("one", 1))
	VDIVPD(small, one, big)
	VMULPD(big, e, small)
	negative := w.cmp(less, a, w.zero())
	return w.pick(negative, small, big), w.pick(negative, big, small)
}

// log1p generates the code that computes ln(1+e) for e in [0,1]. The code writes 1+e as 2ᵏ(1+f),
// with k = 0 or 1 and f in [√½−1, √2−1].
func (w width) log1p(e VecVirtual) VecVirtual {
	far := w.cmp(atLeast, e, number("root", 0.41421356237309503))
	half, one := number("half", 0.5), number("one", 1)
	f, zero := w.reg(), w.zero()
	VSUBPD(one, e, f)
	VMULPD(half, f, f)
	f = w.pick(far, f, e)
	high := w.pick(far, w.load(number("ln2high", ln2high)), zero)
	return w.series(f, high, w.pick(far, w.load(number("ln2low", ln2low)), zero))
}

// The sum of these two constants is ln 2. The product of the first constant and any exponent k is
// exact.
const ln2high, ln2low = 6.93147180369123816490e-01, 1.90821492927058770002e-10

// series generates the code that computes high + ln(1+f) + low for f in [√½−1, √2−1], by a series
// in s = f/(2+f). The coefficients and the order of the sums come from FreeBSD's s_log1p.c.
func (w width) series(f, high, low VecVirtual) VecVirtual {
	half, two := number("half", 0.5), number("two", 2)
	s, z, square := w.reg(), w.reg(), w.reg()
	VADDPD(two, f, s)
	VDIVPD(s, f, s)
	VMULPD(s, s, z)
	VMULPD(f, f, square)
	VMULPD(half, square, square)
	lg := []float64{6.666666666666735130e-01, 3.999999999940941908e-01, 2.857142874366239149e-01,
		2.222219843214978396e-01,
		1.818357216161805012e-01, 1.531383769920937332e-01, 1.479819860511658591e-01}
	r := w.load(number("lg7", lg[6]))
	for i := 5; i >= 0; i-- {
		VFMADD213PD(number(fmt.Sprintf("lg%d", i+1), lg[i]), z, r)
	}
	VMULPD(z, r, r)
	VADDPD(square, r, r)
	VMULPD(s, r, r) // s(½f² + R)
	VADDPD(low, r, r)
	VSUBPD(r, square, r)
	VSUBPD(f, r, r)
	VSUBPD(r, high, high)
	return high
}

// loop opens a loop over nv vectors at the pointers with the given names. It returns the pointers and
// a function that closes the loop.
func (w width) loop(names ...string) (p map[string]Register, next func()) {
	n := Load(Param("nv"), GP64())
	p = map[string]Register{}
	var places []Register
	for _, name := range names {
		p[name] = Load(Param(name), GP64())
		places = append(places, p[name])
	}
	Label("vectors")
	return p, func() { w.next(n, places...) }
}

// next closes a loop over n vectors and advances the pointers.
func (w width) next(n Register, places ...Register) {
	for _, r := range places {
		ADDQ(Imm(uint64(w.bytes())), r)
	}
	DECQ(n)
	JNZ(LabelRef("vectors"))
}

func exponential(w width) {
	begin(w, "exp", "func(nv int, y *float64, a *float64)", "writes exp(a).")
	p, next := w.loop("y", "a")
	v := w.load(Mem{Base: p["a"]})
	w.exp(v)
	VMOVUPD(v, Mem{Base: p["y"]})
	next()
	end()
}

func sigmoid(w width) {
	begin(w, "sigmoid", "func(nv int, y *float64, c *float64, a *float64)", "writes σ(a) and σ(−a).")
	p, next := w.loop("y", "c", "a")
	a := w.load(Mem{Base: p["a"]})
	y, c := w.parts(a, w.bell(a))
	VMOVUPD(y, Mem{Base: p["y"]})
	VMOVUPD(c, Mem{Base: p["c"]})
	next()
	end()
}

// crossEntropy generates the kernel for the logistic loss and its derivatives; see
// Kernels.CrossEntropy.
func crossEntropy(w width) {
	begin(w, "crossEntropy", "func(nv int, a *float64, t *float64, s *float64, d1 *float64, d2 *float64, sum *float64)",
		"writes the first two derivatives of the cross entropy to d1 and d2, and adds its values times s to the vector at sum.")
	names := []string{"a", "t", "s", "d1", "d2"}
	to := Load(Param("sum"), GP64())
	sum := w.load(Mem{Base: to})
	p, next := w.loop(names...)
	a, t := w.load(Mem{Base: p["a"]}), w.load(Mem{Base: p["t"]})
	e := w.bell(a)
	y, c := w.parts(a, e)
	rest, d1, d2 := w.load(number("one", 1)), w.reg(), w.reg()
	VSUBPD(t, rest, rest) // 1−t
	VMULPD(y, c, d2)
	VMULPD(rest, y, y)
	VMULPD(t, c, c)
	VSUBPD(c, y, d1)
	VMOVUPD(d1, Mem{Base: p["d1"]})
	VMOVUPD(d2, Mem{Base: p["d2"]})
	// With l = ln(1+exp(−|a|)), the loss is l + (1−t)a if a > 0, otherwise l − ta.
	minus := w.zero()
	VSUBPD(t, minus, minus)
	slope := w.pick(w.cmp(greaterThan, a, w.zero()), rest, minus)
	VMULPD(a, slope, slope)
	VADDPD(w.log1p(e), slope, slope)
	VFMADD231PD(Mem{Base: p["s"]}, slope, sum)
	next()
	VMOVUPD(sum, Mem{Base: to})
	end()
}
