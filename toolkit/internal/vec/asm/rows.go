package main

import (
	"fmt"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

// affineKernel generates the kernel that packs rows: z = x·scale − shift, where column j of x
// becomes column j+1 of z. Masks prevent reads outside a row of x. The kernel also prefetches the
// rows that begin `ahead` bytes later.
func affineKernel(w width) {
	begin(w, "affine",
		"func(n int, z *float64, ldz int, nv int, x *float64, ldx int, first *int64, last *int64, scale *float64, shift *float64, ldshift int, class *int, ahead int)",
		"packs n rows x: it writes x·scale − shift to z, with column j of x in column j+1 of z. Row r uses the shift of class[r]. A row of z has nv vectors.")
	n := Load(Param("n"), GP64())
	z, ldz, nv := Load(Param("z"), GP64()), Load(Param("ldz"), GP64()), Load(Param("nv"), GP64())
	x, ldx := Load(Param("x"), GP64()), Load(Param("ldx"), GP64())
	p := GP64()
	Load(Param("first"), p)
	first := w.tailMask(p)
	Load(Param("last"), p)
	last := w.tailMask(p)
	scale, shift := Load(Param("scale"), GP64()), Load(Param("shift"), GP64())
	ldshift, class := Load(Param("ldshift"), GP64()), Load(Param("class"), GP64())
	ahead := Load(Param("ahead"), GP64())
	SUBQ(Imm(8), x) // start x one number early, because column j of x becomes column j+1 of z
	ADDQ(x, ahead)
	DECQ(nv)
	off, left := GP64(), GP64()
	step := func(v VecVirtual) {
		PREFETCHT0(Mem{Base: ahead, Index: off, Scale: 1})
		VMULPD(Mem{Base: scale, Index: off, Scale: 1}, v, v)
		VSUBPD(Mem{Base: p, Index: off, Scale: 1}, v, v)
		VMOVUPD(v, Mem{Base: z, Index: off, Scale: 1})
		ADDQ(Imm(uint64(w.bytes())), off)
	}
	at := Mem{Base: x, Index: off, Scale: 1}
	Label("rows")
	MOVQ(Mem{Base: class}, p)
	IMULQ(ldshift, p)
	ADDQ(shift, p)
	XORQ(off, off)
	step(w.loadMasked(at, first))
	MOVQ(nv, left)
	SUBQ(Imm(1), left)
	JL(LabelRef("next"))
	JZ(LabelRef("tail"))
	Label("full")
	step(w.load(at))
	DECQ(left)
	JNZ(LabelRef("full"))
	Label("tail")
	step(w.loadMasked(at, last))
	Label("next")
	ADDQ(ldz, z)
	ADDQ(ldx, x)
	ADDQ(ldx, ahead)
	ADDQ(Imm(8), class)
	DECQ(n)
	JNZ(LabelRef("rows"))
	end()
}

// marginsKernel generates the kernel that computes the product of each row with the weights. The
// kernel processes w rows at a time and then the remaining rows one by one. Both loops add the
// numbers of a row in the same order.
func marginsKernel(w width) {
	begin(w, "margins", "func(n int, z *float64, ldz int, nv int, weights *float64, out *float64)",
		"writes the product of each of n rows with the weights to out[0], …, out[n−1]. A row has nv vectors.")
	n := Load(Param("n"), GP64())
	z, ldz, nv := Load(Param("z"), GP64()), Load(Param("ldz"), GP64()), Load(Param("nv"), GP64())
	weights, out := Load(Param("weights"), GP64()), Load(Param("out"), GP64())
	ld3, far, at, left := GP64(), GP64(), GP64(), GP64()
	LEAQ(Mem{Base: ldz, Index: ldz, Scale: 2}, ld3)
	row := func(i int) Mem {
		base := z
		if i >= 4 {
			base = far
		}
		return []Mem{{Base: base}, {Base: base, Index: ldz, Scale: 1}, {Base: base, Index: ldz, Scale: 2},
			{Base: base, Index: ld3, Scale: 1}}[i%4]
	}
	SUBQ(Imm(uint64(w)), n)
	JL(LabelRef("few"))
	Label("group")
	LEAQ(Mem{Base: z, Index: ldz, Scale: 4}, far)
	next := GP64()
	MOVQ(far, next)
	if w == 8 {
		LEAQ(Mem{Base: far, Index: ldz, Scale: 4}, next)
	}
	acc := make([]VecVirtual, w)
	for i := range acc {
		acc[i] = w.zero()
	}
	MOVQ(weights, at)
	MOVQ(nv, left)
	Label("vectors")
	v := w.load(Mem{Base: at})
	for i := range acc {
		VFMADD231PD(row(i), v, acc[i])
	}
	w.next(left, z, far, at)
	VMOVUPD(w.totals(acc), Mem{Base: out})
	ADDQ(Imm(uint64(w.bytes())), out)
	MOVQ(next, z)
	SUBQ(Imm(uint64(w)), n)
	JGE(LabelRef("group"))
	Label("few")
	ADDQ(Imm(uint64(w)), n)
	JZ(LabelRef("done"))
	Label("single")
	s, off := w.zero(), GP64()
	XORQ(off, off)
	MOVQ(nv, left)
	Label("of")
	v = w.load(Mem{Base: weights, Index: off, Scale: 1})
	VFMADD231PD(Mem{Base: z, Index: off, Scale: 1}, v, s)
	ADDQ(Imm(uint64(w.bytes())), off)
	DECQ(left)
	JNZ(LabelRef("of"))
	VMOVSD(w.total(s), Mem{Base: out})
	ADDQ(Imm(8), out)
	ADDQ(ldz, z)
	DECQ(n)
	JNZ(LabelRef("single"))
	Label("done")
	end()
}

// totals generates the code that sums each of the given vectors. It returns a vector of these sums.
// The order of the additions is ((0+1)+(2+3))+((4+5)+(6+7)).
func (w width) totals(a []VecVirtual) VecVirtual {
	if w == 4 {
		h, g, lo, hi := YMM(), YMM(), YMM(), YMM()
		VHADDPD(a[1], a[0], h)
		VHADDPD(a[3], a[2], g)
		VPERM2F128(Imm(0x20), g, h, lo)
		VPERM2F128(Imm(0x31), g, h, hi)
		VADDPD(lo, hi, lo)
		return lo
	}
	pairs := func(a, b VecVirtual) VecVirtual {
		lo, hi := ZMM(), ZMM()
		VUNPCKLPD(b, a, lo)
		VUNPCKHPD(b, a, hi)
		VADDPD(hi, lo, lo)
		return lo
	}
	quarters := func(a, b VecVirtual) VecVirtual {
		lo, hi := ZMM(), ZMM()
		VSHUFF64X2(Imm(0x88), b, a, lo)
		VSHUFF64X2(Imm(0xdd), b, a, hi)
		VADDPD(hi, lo, lo)
		return lo
	}
	return quarters(quarters(pairs(a[0], a[1]), pairs(a[2], a[3])), quarters(pairs(a[4], a[5]), pairs(a[6], a[7])))
}

// total generates the code that sums one vector into the lowest lane. It adds in the same order as
// totals.
func (w width) total(a VecVirtual) Register {
	v := w.reg()
	VPERMILPD(Imm(0x55), a, v)
	VADDPD(v, a, a)
	if w == 4 {
		x := XMM()
		VEXTRACTF128(Imm(1), a, x)
		VADDPD(x, a.AsX(), x)
		return x
	}
	VSHUFF64X2(Imm(0xb1), a, a, v)
	VADDPD(v, a, a)
	VSHUFF64X2(Imm(0x4e), a, a, v)
	VADDPD(v, a, a)
	return a.AsX()
}

// addRows generates the kernel that adds Σ_r s_r z_r to the vector `sum`, for rows of nv vectors.
func addRows(w width, nv int) {
	begin(w, fmt.Sprintf("addRows%dx", nv), "func(n int, z *float64, ldz int, s *float64, sum *float64)",
		fmt.Sprintf("adds Σ_r s_r z_r to sum, for n rows z_r of %d numbers.", nv*int(w)))
	n, z, ldz := Load(Param("n"), GP64()), Load(Param("z"), GP64()), Load(Param("ldz"), GP64())
	s, g := Load(Param("s"), GP64()), Load(Param("sum"), GP64())
	var acc []VecVirtual
	for range nv {
		acc = append(acc, w.zero())
	}
	TESTQ(n, n)
	JZ(LabelRef("done"))
	Label("rows")
	v := w.broadcast(Mem{Base: s})
	for j := range acc {
		VFMADD231PD(Mem{Base: z, Disp: j * w.bytes()}, v, acc[j])
	}
	ADDQ(ldz, z)
	ADDQ(Imm(8), s)
	DECQ(n)
	JNZ(LabelRef("rows"))
	Label("done")
	for j := range acc {
		VADDPD(Mem{Base: g, Disp: j * w.bytes()}, acc[j], acc[j])
		VMOVUPD(acc[j], Mem{Base: g, Disp: j * w.bytes()})
	}
	end()
}

// scaleKernel generates the kernel that writes s_r z_r for each row r.
func scaleKernel(w width) {
	begin(w, "scale", "func(n int, to *float64, ldto int, z *float64, ldz int, nv int, s *float64)",
		"writes s_r z_r for each of n rows z_r of nv vectors.")
	n, to, ldto := Load(Param("n"), GP64()), Load(Param("to"), GP64()), Load(Param("ldto"), GP64())
	z, ldz, nv := Load(Param("z"), GP64()), Load(Param("ldz"), GP64()), Load(Param("nv"), GP64())
	s := Load(Param("s"), GP64())
	off, left := GP64(), GP64()
	Label("rows")
	v := w.broadcast(Mem{Base: s})
	XORQ(off, off)
	MOVQ(nv, left)
	Label("vectors")
	p := w.reg()
	VMULPD(Mem{Base: z, Index: off, Scale: 1}, v, p)
	VMOVUPD(p, Mem{Base: to, Index: off, Scale: 1})
	w.next(left, off)
	ADDQ(ldto, to)
	ADDQ(ldz, z)
	ADDQ(Imm(8), s)
	DECQ(n)
	JNZ(LabelRef("rows"))
	end()
}
