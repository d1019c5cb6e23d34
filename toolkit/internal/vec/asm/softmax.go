package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

// classes generates a loop over the k classes, forwards or backwards. It calls `body` once to
// generate the code for one class. The argument of `body` is the register that contains the offset
// of the class in bytes. The argument `name` is the label of the loop.
func classes(name string, k, ld Register, backwards bool, body func(off Register)) {
	off, left := GP64(), GP64()
	XORQ(off, off)
	MOVQ(k, left)
	if backwards {
		MOVQ(k, off)
		DECQ(off)
		IMULQ(ld, off)
	}
	Label(name)
	body(off)
	if backwards {
		SUBQ(ld, off)
	} else {
		ADDQ(ld, off)
	}
	DECQ(left)
	JNZ(LabelRef(name))
}

// softmaxKernel generates the kernel for the softmax loss and its derivatives; see Kernels.Softmax.
// Each lane of a vector belongs to one row.
func softmaxKernel(w width) {
	begin(w, "softmax",
		"func(nv int, k int, a *float64, t *float64, y *float64, d *float64, ld int, weights *float64, out *float64)",
		"writes the softmax and the derivatives of its loss. Each lane of the nv vectors holds one row, and the k numbers of a row are ld bytes apart. It updates six vectors at the pointer out, lane by lane. To the first four it adds, multiplied by the weights of the rows, the loss, Pearson's χ², the rounding errors, and 1 for each wrong row. The last two hold the smallest margin and the largest number of nonzero targets in a row.")
	n, k := Load(Param("nv"), GP64()), Load(Param("k"), GP64())
	p := map[string]Register{}
	for _, name := range []string{"a", "t", "y", "d"} {
		p[name] = Load(Param(name), GP64())
	}
	ld, weights, out := Load(Param("ld"), GP64()), Load(Param("weights"), GP64()), Load(Param("out"), GP64())
	at := func(name string, off Register) Mem { return Mem{Base: p[name], Index: off, Scale: 1} }
	one := number("one", 1)
	Label("vectors")

	most := w.load(Mem{Base: p["a"]})
	classes("most", k, ld, false, func(off Register) { VMAXPD(at("a", off), most, most) })

	// rest is the sum of the exponentials of all classes except one class with the largest
	// activation. The exponential of this class is 1.
	rest, tops := w.zero(), w.load(number("minusOne", -1))
	classes("exp", k, ld, false, func(off Register) {
		a := w.load(at("a", off))
		e := w.reg()
		VSUBPD(most, a, e)
		w.exp(e)
		VMOVUPD(e, at("y", off))
		VADDPD(w.maskedLanes(w.cmp(notEqual, a, most), e), rest, rest)
		w.addWhere(w.cmp(equal, a, most), one, tops)
	})
	VADDPD(tops, rest, rest)
	sum, low, inverse := w.load(one), w.reg(), w.load(one)
	VADDPD(rest, sum, sum)
	VSUBPD(one, sum, low)
	VSUBPD(low, rest, low)
	VDIVPD(sum, inverse, inverse)
	loss := w.logarithm(sum, low)
	VMULPD(inverse, rest, rest) // rest is now 1−y of a class with the largest activation

	pearson, noise, top := w.zero(), w.zero(), w.zero()
	classes("derive", k, ld, true, func(off Register) {
		y, c, a, t := w.reg(), w.load(one), w.load(at("a", off)), w.load(at("t", off))
		VMULPD(at("y", off), inverse, y)
		VMOVUPD(y, at("y", off))
		VSUBPD(y, c, c)
		largest := w.cmp(equal, a, most)
		c = w.pick(largest, rest, c)
		d, tc := w.load(one), w.reg()
		VSUBPD(t, d, d)
		VMULPD(t, c, tc)
		VFMSUB213PD(tc, y, d) // y(1−t) − tc
		VMOVUPD(d, at("d", off))
		VMULPD(y, c, c)
		VDIVPD(c, d, c)
		VMULPD(d, c, c)
		VADDPD(w.maskedLanes(w.cmp(notEqual, d, w.zero()), c), pearson, pearson)
		gap := a
		VSUBPD(a, most, gap)
		d = w.and(bits("size", 1<<63-1), d)
		top = w.pickInto(largest, d, top)
		VFMADD231PD(number("four", 4), d, noise)
		VFMADD231PD(gap, y, noise)
		gap = w.maskedLanes(w.cmp(notEqual, t, w.zero()), gap)
		VFMADD231PD(gap, t, loss)
	})
	// From `noise`, omit one class with the largest activation, because the derivatives of all classes
	// add up to 0.
	VFNMADD231PD(number("four", 4), top, noise)

	own, other, targets, chosen, largest := w.zero(), w.load(bits("minusInf", 0xfff<<52)), w.zero(), w.zero(), w.zero()
	classes("place", k, ld, true, func(off Register) {
		a, t := w.load(at("a", off)), w.load(at("t", off))
		chosen = w.pickInto(w.cmp(equal, a, most), t, chosen)
		VMAXPD(t, largest, largest)
		isTarget := w.cmp(notEqual, t, w.zero())
		own = w.pickInto(isTarget, a, own)
		w.addWhere(isTarget, one, targets)
		not, further := w.cmp(equal, t, w.zero()), w.reg()
		VMAXPD(a, other, further)
		other = w.pickInto(not, further, other)
	})
	weight := w.load(Mem{Base: weights})
	place := func(i int) Mem { return Mem{Base: out, Disp: i * w.bytes()} }
	for i, v := range []VecVirtual{loss, pearson, noise} {
		VMULPD(weight, v, v)
		VADDPD(place(i), v, v)
		VMOVUPD(v, place(i))
	}
	wrong := w.maskedLanes(w.cmp(less, chosen, largest), weight)
	VADDPD(place(3), wrong, wrong)
	VMOVUPD(wrong, place(3))
	VSUBPD(other, own, own)
	VMINPD(place(4), own, own)
	VMOVUPD(own, place(4))
	VMAXPD(place(5), targets, targets)
	VMOVUPD(targets, place(5))
	w.next(n, p["a"], p["t"], p["y"], p["d"], weights)
	end()
}
