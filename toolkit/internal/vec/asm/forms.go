package main

import (
	"fmt"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

// formsKernel generates a kernel for the given number of weight vectors. The kernel sums (x −
// shift)·weights, or the squares of these products, over the columns of each row of x. It reads x
// itself, without a packed copy. It adds the numbers of a row in the same order as marginsKernel.
// This order is the same for single rows, for groups of rows, and for any number of weight vectors.
func formsKernel(w width, many int, square bool) {
	name, what := fmt.Sprintf("products%dx", many), "(x − shift)·weights"
	if square {
		name, what = "squares", "((x − shift)·weights)²"
	}
	begin(w, name,
		"func(n int, x *float64, ldx int, nv int, last *int64, shift *float64, weights *float64, ldw int, bias *float64, out *float64, ldo int, ahead int)",
		fmt.Sprintf("writes bias plus the sum of %s, for each of n rows x and each of %d weight vectors. A row has nv vectors, and the last vector is masked. It also prefetches the rows that begin `ahead` bytes later.", what, many))
	n, x, nv := Load(Param("n"), GP64()), Load(Param("x"), GP64()), Load(Param("nv"), GP64())
	p := Load(Param("last"), GP64())
	last := w.tailMask(p)
	shift, out := Load(Param("shift"), GP64()), Load(Param("out"), GP64())
	weights := []Register{Load(Param("weights"), GP64())}
	biasAt := Load(Param("bias"), GP64())
	bias := []VecVirtual{w.broadcast(Mem{Base: biasAt})}
	for k := 1; k < many; k++ {
		next := Load(Param("ldw"), GP64())
		ADDQ(weights[k-1], next)
		weights, bias = append(weights, next), append(bias, w.broadcast(Mem{Base: biasAt, Disp: 8 * k}))
	}
	DECQ(nv)
	off, far, left := GP64(), GP64(), GP64()
	// run generates the code that adds the products of the rows at the given addresses to acc. acc
	// has one sum for each row and weight vector.
	run := func(label string, rows []Register, acc [][]VecVirtual) {
		column := func(load func(m Mem) VecVirtual) {
			s := w.load(Mem{Base: shift, Index: off, Scale: 1})
			var f []VecVirtual
			for _, r := range weights {
				f = append(f, w.load(Mem{Base: r, Index: off, Scale: 1}))
			}
			for i, r := range rows {
				v := load(Mem{Base: r, Index: off, Scale: 1})
				PREFETCHT0(Mem{Base: r, Index: far, Scale: 1})
				VSUBPD(s, v, v)
				if square {
					VMULPD(f[0], v, v)
					VFMADD231PD(v, v, acc[0][i])
					continue
				}
				for k := range f {
					VFMADD231PD(f[k], v, acc[k][i])
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
	// store generates the code that writes the sum of each weight vector to memory. The first
	// address is `out`, and the addresses are `ldo` bytes apart.
	store := func(sum func(k int), at func(k int, m Mem)) {
		for k := range many {
			sum(k)
			m := Mem{Base: out}
			if k > 0 {
				Load(Param("ldo"), off)
				m = Mem{Base: out, Index: off, Scale: 1}
			}
			at(k, m)
		}
	}
	rows, acc := make([]Register, 4), make([][]VecVirtual, many)
	for i := range rows {
		rows[i] = GP64()
	}
	SUBQ(Imm(uint64(w)), n)
	JL(LabelRef("few"))
	Label("group")
	for k := range acc {
		acc[k] = make([]VecVirtual, w)
		for i := range acc[k] {
			acc[k][i] = w.zero()
		}
	}
	// The kernel processes four rows at a time, because there are only 16 address registers.
	for half := 0; half < int(w); half += 4 {
		MOVQ(x, rows[0])
		Load(Param("ldx"), rows[1])
		LEAQ(Mem{Base: x, Index: rows[1], Scale: 2}, rows[2])
		LEAQ(Mem{Base: rows[2], Index: rows[1], Scale: 1}, rows[3])
		LEAQ(Mem{Base: rows[3], Index: rows[1], Scale: 1}, x)
		ADDQ(rows[0], rows[1])
		var four [][]VecVirtual
		for _, a := range acc {
			four = append(four, a[half:half+4])
		}
		run(fmt.Sprintf("group%d", half), rows, four)
	}
	sums := make([]VecVirtual, many)
	store(func(k int) {
		sums[k] = w.totals(acc[k])
		VADDPD(bias[k], sums[k], sums[k])
	}, func(k int, m Mem) { VMOVUPD(sums[k], m) })
	ADDQ(Imm(uint64(w.bytes())), out)
	SUBQ(Imm(uint64(w)), n)
	JGE(LabelRef("group"))
	Label("few")
	ADDQ(Imm(uint64(w)), n)
	JZ(LabelRef("done"))
	Label("single")
	var alone [][]VecVirtual
	for range many {
		alone = append(alone, []VecVirtual{w.zero()})
	}
	run("single", []Register{x}, alone)
	ones := make([]Register, many)
	store(func(k int) {
		one := w.total(alone[k][0])
		VADDSD(bias[k].AsX(), one, one)
		ones[k] = one
	}, func(k int, m Mem) { VMOVSD(ones[k], m) })
	ADDQ(Imm(8), out)
	Load(Param("ldx"), off)
	ADDQ(off, x)
	DECQ(n)
	JNZ(LabelRef("single"))
	Label("done")
	end()
}

// byRow generates a kernel that transposes groups of four rows.
func byRow(columns int) {
	w := width(4)
	begin(w, fmt.Sprintf("byRow%dx", columns), "func(groups int, out *float64, stride int, a *float64, lda int)",
		fmt.Sprintf("transposes %d columns of numbers into rows, four rows at a time. Strides are in bytes.", columns))
	n, out, stride := Load(Param("groups"), GP64()), Load(Param("out"), GP64()), Load(Param("stride"), GP64())
	a, lda := Load(Param("a"), GP64()), Load(Param("lda"), GP64())
	stride3, lda3 := GP64(), GP64()
	LEAQ(Mem{Base: stride, Index: stride, Scale: 2}, stride3)
	LEAQ(Mem{Base: lda, Index: lda, Scale: 2}, lda3)
	at := func(base, ld, ld3 Register, i int) Mem {
		return []Mem{{Base: base}, {Base: base, Index: ld, Scale: 1}, {Base: base, Index: ld, Scale: 2},
			{Base: base, Index: ld3, Scale: 1}}[i]
	}
	Label("groups")
	var even, odd []VecVirtual // each vector contains rows 0 and 2, or rows 1 and 3, of two columns
	for c := 0; c < columns; c += 2 {
		v, lo, hi := w.load(at(a, lda, lda3, c)), w.reg(), w.reg()
		u := w.load(at(a, lda, lda3, c+1))
		VUNPCKLPD(u, v, lo)
		VUNPCKHPD(u, v, hi)
		even, odd = append(even, lo), append(odd, hi)
	}
	for i, v := range [][]VecVirtual{even, odd} {
		if columns == 2 {
			VMOVUPD(v[0].AsX(), at(out, stride, stride3, i))
			VEXTRACTF128(Imm(1), v[0], at(out, stride, stride3, i+2))
			continue
		}
		for half, pick := range []uint64{0x20, 0x31} {
			row := w.reg()
			VPERM2F128(Imm(pick), v[1], v[0], row)
			VMOVUPD(row, at(out, stride, stride3, i+2*half))
		}
	}
	LEAQ(Mem{Base: out, Index: stride, Scale: 4}, out)
	ADDQ(Imm(uint64(w.bytes())), a)
	DECQ(n)
	JNZ(LabelRef("groups"))
	end()
}

// whitenKernel generates a kernel that solves Rᵀu = x − shift for one group of rows and sums the
// squares of u. The group is stored by columns of x. r contains the columns of R one after the
// other. Diagonal elements of R are stored as reciprocals.
func whitenKernel(w width) {
	const group = 8 // number of vectors that the rows of a group fill in each column
	begin(w, "whiten", "func(d int, x *float64, shift *float64, r *float64, u *float64, out *float64)",
		fmt.Sprintf("solves Rᵀu = x − shift for %d rows x, which are stored by columns, and writes the squared length of each u.", group*int(w)))
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
