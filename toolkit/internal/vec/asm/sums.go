package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

// addByClass generates the kernel that adds s_r z_r to the sum of row r's class. If `square` is
// true, it adds s_r z_r² instead.
func addByClass(w width, square bool) {
	name, what := "addByClass", "s_r z_r"
	if square {
		name, what = "addSquares", "s_r z_r²"
	}
	begin(w, name, "func(n int, z *float64, ldz int, nv int, class *int, s *float64, sum *float64, ldsum int)",
		"adds "+what+" to row class[r] of sum, for each of n rows z_r of nv vectors.")
	n, z, ldz := Load(Param("n"), GP64()), Load(Param("z"), GP64()), Load(Param("ldz"), GP64())
	nv, class, s := Load(Param("nv"), GP64()), Load(Param("class"), GP64()), Load(Param("s"), GP64())
	sum, ldsum := Load(Param("sum"), GP64()), Load(Param("ldsum"), GP64())
	to, off, left := GP64(), GP64(), GP64()
	TESTQ(n, n)
	JZ(LabelRef("done"))
	Label("rows")
	MOVQ(Mem{Base: class}, to)
	IMULQ(ldsum, to)
	ADDQ(sum, to)
	v := w.broadcast(Mem{Base: s})
	XORQ(off, off)
	MOVQ(nv, left)
	Label("vectors")
	t := w.load(Mem{Base: to, Index: off, Scale: 1})
	u := w.load(Mem{Base: z, Index: off, Scale: 1})
	if square {
		VMULPD(u, u, u)
	}
	VFMADD231PD(u, v, t)
	VMOVUPD(t, Mem{Base: to, Index: off, Scale: 1})
	w.next(left, off)
	ADDQ(ldz, z)
	for _, r := range []Register{class, s} {
		ADDQ(Imm(8), r)
	}
	DECQ(n)
	JNZ(LabelRef("rows"))
	Label("done")
	end()
}

// columnsKernel generates the kernel that adds n rows to the statistics of one vector of columns.
func columnsKernel(w width) {
	begin(w, "columns",
		"func(n int, x *float64, ldx int, mask *int64, s *float64, low *float64, high *float64, mean *float64, bad *float64, ahead int)",
		"updates low, high and mean with n rows of x, in the columns that the mask selects. It adds s_r x_r of each row r to mean. It sets bad[j] to NaN if a number in column j is not finite.")
	n, x, ldx := Load(Param("n"), GP64()), Load(Param("x"), GP64()), Load(Param("ldx"), GP64())
	p := Load(Param("mask"), GP64())
	mask := w.tailMask(p)
	s := Load(Param("s"), GP64())
	lowAt, highAt := Load(Param("low"), GP64()), Load(Param("high"), GP64())
	meanAt, badAt := Load(Param("mean"), GP64()), Load(Param("bad"), GP64())
	ahead := Load(Param("ahead"), GP64())
	low, high := w.load(Mem{Base: lowAt}), w.load(Mem{Base: highAt})
	mean, bad := w.load(Mem{Base: meanAt}), w.load(Mem{Base: badAt})
	Label("rows")
	PREFETCHT0(Mem{Base: x, Index: ahead, Scale: 1})
	v, share, zero := w.loadMasked(Mem{Base: x}, mask), w.broadcast(Mem{Base: s}), w.reg()
	VMINPD(low, v, low) // if v is NaN, VMINPD returns low
	VMAXPD(high, v, high)
	VMULPD(v, share, share) // a product and then a sum are rounded twice, as on the path in plain Go
	VADDPD(share, mean, mean)
	VSUBPD(v, v, zero)
	VADDPD(zero, bad, bad)
	ADDQ(ldx, x)
	ADDQ(Imm(8), s)
	DECQ(n)
	JNZ(LabelRef("rows"))
	VMOVUPD(low, Mem{Base: lowAt})
	VMOVUPD(high, Mem{Base: highAt})
	VMOVUPD(mean, Mem{Base: meanAt})
	VMOVUPD(bad, Mem{Base: badAt})
	end()
}

// finiteKernel generates the kernel that sums v − v, which is NaN for numbers that are not finite.
func finiteKernel(w width) {
	begin(w, "finite", "func(nv int, a *float64, bad *float64)",
		"sets a lane of the vector bad to NaN if any of the nv vectors has NaN or ±Inf in this lane.")
	badAt := Load(Param("bad"), GP64())
	bad := w.load(Mem{Base: badAt})
	p, next := w.loop("a")
	v := w.load(Mem{Base: p["a"]})
	VSUBPD(v, v, v)
	VADDPD(v, bad, bad)
	next()
	VMOVUPD(bad, Mem{Base: badAt})
	end()
}

// fourSums generates the code that loads four vectors of sums. It returns a function that generates
// the code that stores them.
func (w width) fourSums(out Register) (acc [4]VecVirtual, store func()) {
	for i := range acc {
		acc[i] = w.load(Mem{Base: out, Disp: i * w.bytes()})
	}
	return acc, func() {
		for i := range acc {
			VMOVUPD(acc[i], Mem{Base: out, Disp: i * w.bytes()})
		}
	}
}

// sidesKernel generates the kernel that counts misclassified rows and updates the least margin; see
// Kernels.Sides.
func sidesKernel(w width) {
	begin(w, "sides", "func(nv int, a *float64, t *float64, out *float64)",
		"updates four vectors at the pointer out, lane by lane: the number of wrong rows, the smallest margin, the number of hard targets, and the number of NaN margins.")
	n, a, t, out := Load(Param("nv"), GP64()), Load(Param("a"), GP64()), Load(Param("t"), GP64()),
		Load(Param("out"), GP64())
	one, sign := number("one", 1), bits("sign", 1<<63)
	half, inf, zero := w.load(number("half", 0.5)), w.load(bits("inf", 0x7ff<<52)), w.zero()
	acc, store := w.fourSums(out)
	Label("vectors")
	v, target := w.load(Mem{Base: a}), w.load(Mem{Base: t})
	wrong := w.cmp(greaterThan, target, half)
	w.xor(w.cmp(greaterThan, v, zero), wrong)
	w.addWhere(wrong, one, acc[0])
	minus := w.reg()
	if w == 8 {
		VPXORQ(sign, v, minus)
	} else {
		VXORPD(sign, v, minus)
	}
	// Margins are a where t = 1, −a where t = 0, and +Inf elsewhere.
	is1, is0 := w.cmp(equal, target, one), w.cmp(equal, target, zero)
	margin := w.pick(is1, v, w.pick(is0, minus, inf))
	hard := is1
	w.xor(is0, hard)
	w.addWhere(hard, one, acc[2])
	w.addWhere(w.cmp(unordered, margin, margin), one, acc[3])
	VMINPD(acc[1], margin, acc[1])
	w.next(n, a, t)
	store()
	end()
}

// sizesKernel generates the kernel that computes the sums of Kernels.Sizes and replaces d2 with its
// square roots.
func sizesKernel(w width) {
	begin(w, "sizes", "func(nv int, a *float64, d1 *float64, d2 *float64, out *float64)",
		"adds four terms to the four vectors at the pointer out: d1²/d2 where d1 is not 0, |d1|, d2, and |a d2|. It replaces d2 with its square root.")
	n, a, d1, d2, out := Load(Param("nv"), GP64()), Load(Param("a"), GP64()), Load(Param("d1"), GP64()),
		Load(Param("d2"), GP64()), Load(Param("out"), GP64())
	zero, size := w.zero(), w.load(bits("size", 1<<63-1))
	acc, store := w.fourSums(out)
	Label("vectors")
	slope, bend := w.load(Mem{Base: d1}), w.load(Mem{Base: d2})
	ratio, moved, root := w.reg(), w.reg(), w.reg()
	VDIVPD(bend, slope, ratio)
	VMULPD(slope, ratio, ratio)
	VADDPD(w.maskedLanes(w.cmp(notEqual, slope, zero), ratio), acc[0], acc[0])
	VADDPD(w.and(size, slope), acc[1], acc[1])
	VADDPD(bend, acc[2], acc[2])
	VMULPD(Mem{Base: a}, bend, moved)
	VADDPD(w.and(size, moved), acc[3], acc[3])
	VSQRTPD(bend, root)
	VMOVUPD(root, Mem{Base: d2})
	w.next(n, a, d1, d2)
	store()
	end()
}
