package main

import (
	"fmt"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

// tileKernel generates the kernel that adds Σ_r a_r b_rᵀ to c, a matrix of w rows of nv vectors.
// Strides are in bytes.
func tileKernel(w width, nv int) {
	begin(w, fmt.Sprintf("tile%dx", nv),
		"func(n int, a *float64, lda int, b *float64, ldb int, c *float64, ldc int, ahead *float64, step int)",
		fmt.Sprintf("adds Σ_r a_r b_rᵀ to c, for n rows with %d numbers a_r and %d numbers b_r. For each row it prefetches the memory at the pointer `ahead`, and then advances this pointer by `step` bytes. Strides are in bytes.", w, nv*int(w)))
	n, a, lda := Load(Param("n"), GP64()), Load(Param("a"), GP64()), Load(Param("lda"), GP64())
	b, ldb := Load(Param("b"), GP64()), Load(Param("ldb"), GP64())
	c, ldc := Load(Param("c"), GP64()), Load(Param("ldc"), GP64())
	ahead, further := Load(Param("ahead"), GP64()), Load(Param("step"), GP64())
	acc := make([][]VecVirtual, w)
	row := GP64()
	MOVQ(c, row)
	for i := range acc {
		for j := range nv {
			acc[i] = append(acc[i], w.load(Mem{Base: row, Disp: j * w.bytes()}))
		}
		ADDQ(ldc, row)
	}
	TESTQ(n, n)
	JZ(LabelRef("done"))
	Label("rows")
	var v []VecVirtual
	for j := range nv {
		v = append(v, w.load(Mem{Base: b, Disp: j * w.bytes()}))
	}
	for i := range acc {
		if m := (Mem{Base: a, Disp: 8 * i}); nv == 1 && w == 8 {
			VFMADD231PD_BCST(m, v[0], acc[i][0])
		} else {
			s := w.broadcast(m)
			for j := range v {
				VFMADD231PD(v[j], s, acc[i][j])
			}
		}
	}
	PREFETCHT0(Mem{Base: ahead})
	ADDQ(further, ahead)
	ADDQ(lda, a)
	ADDQ(ldb, b)
	DECQ(n)
	JNZ(LabelRef("rows"))
	Label("done")
	for i := range acc {
		for j, v := range acc[i] {
			VMOVUPD(v, Mem{Base: c, Disp: j * w.bytes()})
		}
		ADDQ(ldc, c)
	}
	end()
}

// packSquare generates the kernel that writes the products z_i z_j, i ≤ j, of each row.
func packSquare(w width) {
	begin(w, "packSquare", "func(n int, m int, z *float64, ldz int, v *float64, ldv int)",
		"writes the m(m+1)/2 products z_i z_j, i ≤ j, of each of n rows. It may also overwrite part of the vector that follows the products of a row.")
	n, m := Load(Param("n"), GP64()), Load(Param("m"), GP64())
	z, ldz := Load(Param("z"), GP64()), Load(Param("ldz"), GP64())
	v, ldv := Load(Param("v"), GP64()), Load(Param("ldv"), GP64())
	zi, zj, to, at, rest, left := GP64(), GP64(), GP64(), GP64(), GP64(), GP64()
	TESTQ(n, n)
	JZ(LabelRef("done"))
	Label("rows")
	MOVQ(z, zi)
	MOVQ(v, to)
	MOVQ(m, rest)
	Label("factors")
	s := w.broadcast(Mem{Base: zi})
	MOVQ(zi, zj)
	MOVQ(rest, left)
	MOVQ(to, at)
	Label("vectors")
	p := w.reg()
	VMULPD(Mem{Base: zj}, s, p)
	VMOVUPD(p, Mem{Base: at})
	ADDQ(Imm(uint64(w.bytes())), zj)
	ADDQ(Imm(uint64(w.bytes())), at)
	SUBQ(Imm(uint64(w)), left)
	JG(LabelRef("vectors"))
	LEAQ(Mem{Base: to, Index: rest, Scale: 8}, to)
	ADDQ(Imm(8), zi)
	DECQ(rest)
	JNZ(LabelRef("factors"))
	ADDQ(ldz, z)
	ADDQ(ldv, v)
	DECQ(n)
	JNZ(LabelRef("rows"))
	Label("done")
	end()
}
