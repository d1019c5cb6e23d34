package main

import (
	"math"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

// width is the count of float64 numbers in a vector: 8 with AVX-512, 4 with AVX2. Its methods in this
// file emit single operations, and hide the differences between the two instruction sets.
type width int

func (w width) bytes() int { return 8 * int(w) }

func (w width) reg() VecVirtual {
	if w == 8 {
		return ZMM()
	}
	return YMM()
}

func (w width) load(m Op) VecVirtual {
	v := w.reg()
	VMOVUPD(m, v)
	return v
}

func (w width) broadcast(m Op) VecVirtual {
	v := w.reg()
	VBROADCASTSD(m, v)
	return v
}

func (w width) zero() VecVirtual {
	v := w.reg()
	if w == 8 {
		VPXORQ(v, v, v)
	} else {
		VXORPD(v, v, v)
	}
	return v
}

func (w width) or(m Op, a VecVirtual) VecVirtual {
	v := w.reg()
	if w == 8 {
		VPORQ(m, a, v)
	} else {
		VORPD(m, a, v)
	}
	return v
}

func (w width) and(m Op, a VecVirtual) VecVirtual {
	v := w.reg()
	if w == 8 {
		VPANDQ(m, a, v)
	} else {
		VANDPD(m, a, v)
	}
	return v
}

// negative returns the mask of the numbers with a minus sign, including −0.
func (w width) negative(a VecVirtual) Register {
	if w == 4 {
		return a // blend instructions read only the sign bits of a mask
	}
	k := K()
	VPMOVQ2M(a, k)
	return k
}

// If an operand is NaN, the comparisons are false, except unordered and notEqual, which are true.
const (
	equal       = 0x00
	notEqual    = 0x04
	less        = 0x11
	unordered   = 0x03
	greaterThan = 0x1e
	atLeast     = 0x1d
)

// cmp emits the comparison of the vector a with the operand b and returns its mask. With AVX-512
// the mask is a mask register. With AVX2 it is a vector in which all bits of a lane are set or
// clear.
func (w width) cmp(predicate int, a VecVirtual, b Op) Register {
	if w == 8 {
		k := K()
		VCMPPD(Imm(uint64(predicate)), b, a, k)
		return k
	}
	m := YMM()
	VCMPPD(Imm(uint64(predicate)), b, a, m)
	return m
}

func (w width) xor(a, b Register) {
	if w == 8 {
		KXORW(a, b, b)
	} else {
		VXORPD(a, b, b)
	}
}

// pick returns a vector with the lanes of `yes` where the mask is set, and the lanes of `no` where
// the mask is clear.
func (w width) pick(mask Register, yes, no VecVirtual) VecVirtual {
	v := w.reg()
	if w == 8 {
		VMOVAPD(no, v)
		VMOVAPD(yes, mask, v)
	} else {
		VBLENDVPD(mask, yes, no, v)
	}
	return v
}

// maskedLanes returns a vector with the lanes of the vector a where the mask is set, and 0 where
// the mask is clear.
func (w width) maskedLanes(mask Register, a VecVirtual) VecVirtual {
	v := w.reg()
	if w == 8 {
		VMOVAPD_Z(a, mask, v)
	} else {
		VANDPD(a, mask, v)
	}
	return v
}

// pickInto copies the lanes of the vector `yes` to the vector `no` where the mask is set, and
// returns `no`.
func (w width) pickInto(mask Register, yes, no VecVirtual) VecVirtual {
	if w == 8 {
		VMOVAPD(yes, mask, no)
	} else {
		VBLENDVPD(mask, yes, no, no)
	}
	return no
}

// addWhere adds the vector m to acc in the lanes in which the mask is set.
func (w width) addWhere(mask Register, m Mem, acc VecVirtual) {
	if w == 8 {
		VADDPD(m, acc, mask, acc)
		return
	}
	t := YMM()
	VANDPD(m, mask, t)
	VADDPD(t, acc, acc)
}

// tailMask returns the mask that consists of the first w of the eight integers at p. Each integer
// is 0 or −1.
func (w width) tailMask(p Register) Register {
	v := w.load(Mem{Base: p})
	if w == 4 {
		return v
	}
	k := K()
	VPMOVQ2M(v, k)
	return k
}

// loadMasked reads the numbers at m where the mask is set. The other lanes of the result are 0.
func (w width) loadMasked(m Mem, mask Register) VecVirtual {
	v := w.reg()
	if w == 8 {
		VMOVUPD_Z(m, mask, v)
	} else {
		VMASKMOVPD(m, mask, v)
	}
	return v
}

var constants = map[string]Mem{}

// bits returns a constant of eight equal 64-bit words.
func bits(name string, word uint64) Mem {
	name = "const_" + name
	if m, ok := constants[name]; ok {
		return m
	}
	m := GLOBL(name, RODATA|NOPTR)
	for i := range 8 {
		DATA(8*i, U64(word))
	}
	constants[name] = m
	return m
}

// number returns a constant of eight equal numbers.
func number(name string, x float64) Mem { return bits(name, math.Float64bits(x)) }
