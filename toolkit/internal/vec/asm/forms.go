package main

import (
	"fmt"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

// forms generates a kernel that sums (x − shift)·weights over the columns of each row of x, or the
// squares of these products. The kernel reads x itself, without a packed copy. Like margins, it
// adds the numbers of a row in the same order for groups of rows and for single rows.
func forms(w width, square bool) {
	name, what := "products", "(x − shift)·weights"
	if square {
		name, what = "squares", "((x − shift)·weights)²"
	}
	begin(w, name,
		"func(n int, x *float64, ldx int, nv int, last *int64, shift *float64, weights *float64, bias *float64, out *float64, ahead int)",
		"writes bias and the sum of "+what+
			" of n rows of nv vectors, the last one masked, and prefetches the rows ahead bytes on.")
	n, x, ldx := Load(Param("n"), GP64()), Load(Param("x"), GP64()), Load(Param("ldx"), GP64())
	nv, p := Load(Param("nv"), GP64()), Load(Param("last"), GP64())
	last := w.tailMask(p)
	shift, weights := Load(Param("shift"), GP64()), Load(Param("weights"), GP64())
	biasAt, out := Load(Param("bias"), GP64()), Load(Param("out"), GP64())
	bias := w.broadcast(Mem{Base: biasAt})
	DECQ(nv)
	off, far, left := GP64(), GP64(), GP64()
	// run generates the code that adds the products of the rows at the given addresses to acc.
	run := func(label string, rows []Register, acc []VecVirtual) {
		column := func(load func(m Mem) VecVirtual) {
			s, f := w.load(Mem{Base: shift, Index: off, Scale: 1}), w.load(Mem{Base: weights, Index: off, Scale: 1})
			for i, r := range rows {
				v := load(Mem{Base: r, Index: off, Scale: 1})
				PREFETCHT0(Mem{Base: r, Index: far, Scale: 1})
				VSUBPD(s, v, v)
				if square {
					VMULPD(f, v, v)
					VFMADD231PD(v, v, acc[i])
				} else {
					VFMADD231PD(f, v, acc[i])
				}
			}
			ADDQ(Imm(uint64(w.bytes())), off)
			ADDQ(Imm(uint64(w.bytes())), far)
		}
		XORQ(off, off)
		Load(Param("ahead"), far)
		MOVQ(nv, left)
		TESTQ(left, left)
		JZ(LabelRef(label + "tail"))
		Label(label + "full")
		column(func(m Mem) VecVirtual { return w.load(m) })
		DECQ(left)
		JNZ(LabelRef(label + "full"))
		Label(label + "tail")
		column(func(m Mem) VecVirtual { return w.loadMasked(m, last) })
	}
	rows, acc := make([]Register, 4), make([]VecVirtual, w)
	for i := range rows {
		rows[i] = GP64()
	}
	SUBQ(Imm(uint64(w)), n)
	JL(LabelRef("few"))
	Label("group")
	for i := range acc {
		acc[i] = w.zero()
	}
	for half := 0; half < int(w); half += 4 { // four rows at a time, because there are only 16 address registers
		MOVQ(x, rows[0])
		for i := 1; i < 4; i++ {
			MOVQ(rows[i-1], rows[i])
			ADDQ(ldx, rows[i])
		}
		MOVQ(rows[3], x)
		ADDQ(ldx, x)
		run(fmt.Sprintf("group%d", half), rows, acc[half:half+4])
	}
	sum := w.totals(acc)
	VADDPD(bias, sum, sum)
	VMOVUPD(sum, Mem{Base: out})
	ADDQ(Imm(uint64(w.bytes())), out)
	SUBQ(Imm(uint64(w)), n)
	JGE(LabelRef("group"))
	Label("few")
	ADDQ(Imm(uint64(w)), n)
	JZ(LabelRef("done"))
	Label("single")
	s := w.zero()
	run("single", []Register{x}, []VecVirtual{s})
	one := w.total(s)
	VADDSD(bias.AsX(), one, one)
	VMOVSD(one, Mem{Base: out})
	ADDQ(Imm(8), out)
	ADDQ(ldx, x)
	DECQ(n)
	JNZ(LabelRef("single"))
	Label("done")
	end()
}

// whiten generates a kernel that solves Rᵀu = x − shift for one group of rows, with x by columns,
// and sums the squares of u. r contains the columns of R one after the other. Diagonal elements are
// stored as reciprocals.
func whiten(w width) {
	const group = 8 // number of vectors of rows in a group
	begin(w, "whiten", "func(d int, x *float64, shift *float64, r *float64, u *float64, out *float64)",
		fmt.Sprintf("writes the squared lengths of u with Rᵀu = x − shift for %d rows of x by columns.", group*int(w)))
	d, x, shift := Load(Param("d"), GP64()), Load(Param("x"), GP64()), Load(Param("shift"), GP64())
	r, u, out := Load(Param("r"), GP64()), Load(Param("u"), GP64()), Load(Param("out"), GP64())
	to, from, i, j := GP64(), GP64(), GP64(), GP64()
	at := func(base Register, g int) Mem { return Mem{Base: base, Disp: g * w.bytes()} }
	zero := w.zero()
	for g := range group {
		VMOVUPD(zero, at(out, g))
	}
	MOVQ(u, to)
	XORQ(j, j)
	Label("columns")
	var acc [group]VecVirtual
	s := w.broadcast(Mem{Base: shift})
	for g := range acc {
		acc[g] = w.load(at(x, g))
		VSUBPD(s, acc[g], acc[g])
	}
	MOVQ(u, from)
	MOVQ(j, i)
	TESTQ(i, i)
	JZ(LabelRef("diagonal"))
	Label("above")
	f := w.broadcast(Mem{Base: r})
	for g := range acc {
		VFNMADD231PD(at(from, g), f, acc[g])
	}
	ADDQ(Imm(8), r)
	ADDQ(U32(group*w.bytes()), from)
	DECQ(i)
	JNZ(LabelRef("above"))
	Label("diagonal")
	f = w.broadcast(Mem{Base: r})
	for g := range acc {
		VMULPD(f, acc[g], acc[g])
		VMOVUPD(acc[g], at(to, g))
		sum := w.load(at(out, g))
		VFMADD231PD(acc[g], acc[g], sum)
		VMOVUPD(sum, at(out, g))
	}
	for _, p := range []Register{r, shift} {
		ADDQ(Imm(8), p)
	}
	for _, p := range []Register{x, to} {
		ADDQ(U32(group*w.bytes()), p)
	}
	INCQ(j)
	CMPQ(j, d)
	JL(LabelRef("columns"))
	end()
}
