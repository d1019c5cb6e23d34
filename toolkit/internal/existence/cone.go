package existence

import (
	"math/big"
	"slices"
)

// Cone is {d: zᵀd ≥ 0 for every hard row z, zᵀd = 0 for every level row z}, of vectors of M
// numbers.
type Cone struct {
	M           int
	Hard, Level [][]float64
}

// Widest returns a direction of the cone with zᵀd > 0 for as many hard rows as possible, rounded,
// and the indices of the other hard rows. After it finds a direction, it looks for one among the
// rows that are left on the plane. It returns nil if zᵀd = 0 for all rows, which is proved if
// decided is true. If the budget runs out, there is no proof, or more rows stay on the plane.
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

// among returns a direction that has zᵀd > 0 for some of these hard rows, ≥ 0 for the others and =
// 0 for the level rows. It returns nil if it finds no direction; zero reports whether this is
// proved.
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

// above returns d·2^k + y with the least k ≥ 0 for which the rows off the plane of d stay on its
// side.
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
