package existence

import (
	"math/big"
	"slices"
)

// Cone is the set of vectors d of M numbers that satisfy zᵀd ≥ 0 for every row z in Hard (the hard
// rows) and zᵀd = 0 for every row z in Level (the level rows).
type Cone struct {
	M           int
	Hard, Level [][]float64
}

// Widest returns a vector d of the cone with zᵀd > 0 for as many hard rows z as possible. The
// components of d are rounded to float64. The slice zeroRows contains the indices of the hard rows
// with zᵀd = 0. First, Widest looks for a vector of the cone with zᵀd > 0 for some hard rows. Then
// it repeatedly looks for a vector with this property for some rows in zeroRows, and combines it
// with the vector found before.
//
// If zᵀd = 0 for all hard rows z and every vector d of the cone, Widest returns a nil direction,
// and `decided` is true. If the budget is used up before a vector is found, the direction is nil
// and `decided` is false. If it is used up later, `decided` is true, but zeroRows may contain more
// rows than necessary.
func (c *Cone) Widest(left *Budget) (direction []float64, zeroRows []int, decided bool) {
	var d []*big.Int
	var off [][]float64
	for i := range c.Hard {
		zeroRows = append(zeroRows, i)
	}
	for {
		y, zero := c.positiveOnSome(zeroRows, left)
		switch {
		case y == nil && d == nil:
			return nil, zeroRows, zero
		case y == nil:
			return RoundedTo1(d), zeroRows, true
		}
		d = combineDirections(d, y, off)
		rounded := RoundedTo1(y)
		zeroRows = slices.DeleteFunc(zeroRows, func(i int) bool {
			s, bound := BoundedDot(c.Hard[i], rounded)
			leaves := s > bound || s >= -bound && ExactDot(y, c.Hard[i]).Sign() > 0
			if leaves {
				off = append(off, c.Hard[i])
			}
			return leaves
		})
	}
}

// positiveOnSome returns a vector y with zᵀy > 0 for at least one of the given hard rows z, zᵀy ≥ 0
// for the other given rows, and zᵀy = 0 for the level rows. If it finds no such vector, y is nil.
// In this case the result `zero` reports whether it has been proved that no such vector exists.
func (c *Cone) positiveOnSome(hard []int, left *Budget) (y []*big.Int, zero bool) {
	var rows [][]float64
	b := make([]*big.Int, c.M)
	for j := range b {
		b[j] = new(big.Int)
	}
	for _, i := range hard {
		rows = append(rows, c.Hard[i])
		v, _ := Integers(c.Hard[i])
		for j, v := range v {
			if v != nil {
				b[j].Sub(b[j], v)
			}
		}
	}
	for _, z := range c.Level {
		minus := slices.Clone(z)
		for j := range minus {
			minus[j] = -minus[j]
		}
		rows = append(rows, z, minus)
	}
	return NewFarkas(rows, b, left).Solve()
}

// combineDirections returns e = d·2^k + y, or y if d is nil. The exponent k ≥ 0 is so large that
// zᵀe > 0 for every row z in `off`. For these rows, zᵀd must be positive.
func combineDirections(d, y []*big.Int, off [][]float64) []*big.Int {
	if d == nil {
		return y
	}
	k := 0
	for _, z := range off {
		if v := ExactDot(y, z); v.Sign() < 0 {
			k = max(k, v.BitLen()-ExactDot(d, z).BitLen()+2)
		}
	}
	out := make([]*big.Int, len(d))
	for j := range out {
		out[j] = new(big.Int).Lsh(d[j], uint(k))
		out[j].Add(out[j], y[j])
	}
	return out
}
