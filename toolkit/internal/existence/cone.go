package existence

import (
	"math/big"
	"slices"
)

// Cone is the set {d: zᵀd ≥ 0 for every hard row z, zᵀd = 0 for every level row z} of vectors d of
// M numbers.
type Cone struct {
	M           int
	Hard, Level [][]float64
}

// Widest returns a direction d of the cone with zᵀd > 0 for as many hard rows z as possible. d is
// rounded. The slice on contains the indices of the hard rows with zᵀd = 0. Widest first finds any
// direction. It then looks repeatedly for a direction with zᵀd > 0 for some of the rows in on.
//
// If zᵀd = 0 for all hard rows in every direction, d is nil. decided reports whether this is
// proved. If the budget is used up, nothing is proved, or on contains more rows than necessary.
func (c *Cone) Widest(left *Budget) (direction []float64, on []int, decided bool) {
	var d []*big.Int
	var off [][]float64
	for i := range c.Hard {
		on = append(on, i)
	}
	for {
		y, zero := c.among(on, left)
		switch {
		case y == nil && d == nil:
			return nil, on, zero
		case y == nil:
			return RoundedTo1(d), on, true
		}
		d = above(d, y, off)
		rounded := RoundedTo1(y)
		on = slices.DeleteFunc(on, func(i int) bool {
			s, bound := BoundedDot(c.Hard[i], rounded)
			leaves := s > bound || s >= -bound && ExactDot(y, c.Hard[i]).Sign() > 0
			if leaves {
				off = append(off, c.Hard[i])
			}
			return leaves
		})
	}
}

// among returns a direction y with zᵀy > 0 for some of the given hard rows z, zᵀy ≥ 0 for the other
// given rows and zᵀy = 0 for the level rows. If it finds no direction, y is nil. In this case zero
// reports whether it is proved that no direction exists.
func (c *Cone) among(hard []int, left *Budget) (y []*big.Int, zero bool) {
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

// above returns e = d·2^k + y. Every row z in off has zᵀd > 0. The exponent k ≥ 0 is large enough
// that zᵀe > 0 too.
func above(d, y []*big.Int, off [][]float64) []*big.Int {
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
