package classify

import (
	"math"
	"math/big"
	"slices"

	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/block"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/existence"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/glm"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/linalg"
)

// recession answers whether the likelihood has a maximum: it has none if and only
// if some direction d has zᵀd ≥ 0 for every signed row z, = 0 for a row of soft
// targets, and > 0 for some z. The rows are φ for t = 1, −φ for t = 0, and for a
// softmax the contrasts (e_t − e_k) ⊗ φ. The answer is exact.
type recession struct {
	known     bool      // false if the problem is too large for exact arithmetic
	direction []float64 // nil if the maximum exists; in the coordinates of w
	on        int       // rows that every such direction leaves on the plane
}

// recessionSize is the number of entries of signed rows that are looked at.
const recessionSize = 4 << 20

// recede decides once, and keeps the answer.
func (p *problem) recede() *recession {
	if p.recession == nil {
		p.recession = p.newCone().decide()
	}
	return p.recession
}

// cone holds the signed rows, columns scaled by powers of two.
type cone struct {
	softmax     bool
	k, m        int         // blocks of d that are free (K−1 for a softmax), and their size
	scale       []float64   // of each column
	hard, level [][]float64 // rows with zᵀd ≥ 0 and with zᵀd = 0
	row, levels []int       // the rows of x they come from
}

func (p *problem) newCone() *cone {
	src := p.glm.Design.Source()
	n, d := src.Dims()
	c := &cone{k: 1, m: d + 1}
	classes := 2
	if p.glm.Many != nil {
		c.softmax, classes = true, p.glm.Many.K
	}
	c.k = classes - 1
	if float64(n)*float64(c.k*c.k)*float64(c.m) > recessionSize {
		return nil
	}
	c.scale = append([]float64{1}, columnScales(p.cols).Scale...)
	buf, t := make([]float64, d), make([]float64, classes)
	phi := make([]float64, c.m)
	for i := range n {
		x, _ := src.Rows(i, i+1, buf)
		phi[0] = 1
		for j, v := range x[:d] {
			phi[j+1] = v * c.scale[j+1]
		}
		if p.glm.Many != nil {
			p.glm.Many.T.Read(i, i+1, t, make([]float64, classes))
		} else {
			v := p.glm.T[i]
			if p.signs != nil {
				v = p.signs[i]
			}
			t[0], t[1] = v, 1-v
		}
		glm.Contrasts(make([]float64, classes), t, func(own, other int, _ float64) {
			z := make([]float64, classes*c.m)
			for u, v := range phi {
				z[own*c.m+u], z[other*c.m+u] = v, -v
			}
			z = z[:c.k*c.m] // the last class has d = 0
			if t[other] > 0 {
				c.level, c.levels = append(c.level, z), append(c.levels, i)
			} else {
				c.hard, c.row = append(c.hard, z), append(c.row, i)
			}
		})
	}
	return c
}

// columnScales scales the columns to about 1 by powers of two, which is exact.
func columnScales(cols *block.Columns) *linalg.Coordinates {
	d := len(cols.Min)
	c := &linalg.Coordinates{Scale: make([]float64, d), Shift: make([]float64, d)}
	for j := range d {
		_, e := math.Frexp(math.Max(math.Abs(cols.Min[j]), math.Abs(cols.Max[j])))
		c.Scale[j] = math.Ldexp(1, -min(max(e, -1000), 1000))
	}
	return c
}

// decide finds a direction with as many rows off the plane as possible: after one
// is found, another is looked for among the rows that it leaves on the plane.
func (c *cone) decide() *recession {
	if c == nil {
		return &recession{}
	}
	var d []*big.Int
	var off [][]float64
	for live, row := c.hard, c.row; ; {
		y, maximum := c.among(live)
		switch {
		case y == nil && d == nil:
			return &recession{known: maximum}
		case y == nil:
			r := &recession{known: true, direction: c.float(d)}
			on := append(slices.Clone(c.levels), row...)
			slices.Sort(on)
			r.on = len(slices.Compact(on))
			return r
		}
		d = above(d, y, off)
		var still [][]float64
		var stillRow []int
		rounded := existence.RoundedTo1(y)
		for i, z := range live {
			s, bound := existence.BoundedDot(z, rounded)
			if s > bound || s >= -bound && existence.ExactDot(y, z).Sign() > 0 {
				off = append(off, z)
			} else {
				still, stillRow = append(still, z), append(stillRow, row[i])
			}
		}
		live, row = still, stillRow
	}
}

// among returns a direction of recession of some hard rows and the level ones, or
// that there is none.
func (c *cone) among(hard [][]float64) (y []*big.Int, maximum bool) {
	b := make([]*big.Int, c.k*c.m)
	for j := range b {
		b[j] = new(big.Int)
	}
	rows := slices.Clone(hard)
	for _, z := range hard {
		v, _ := existence.Integers(z)
		for j, v := range v {
			if v != nil {
				b[j].Sub(b[j], v)
			}
		}
	}
	for _, z := range c.level {
		minus := make([]float64, len(z))
		for j, v := range z {
			minus[j] = -v
		}
		rows = append(rows, z, minus)
	}
	return existence.NewFarkas(rows, b).Solve()
}

// above returns d·2^k + y with the least k ≥ 0 that leaves the rows off the plane
// of d on its side.
func above(d, y []*big.Int, off [][]float64) []*big.Int {
	if d == nil {
		return y
	}
	k := 0
	for _, z := range off {
		if v := existence.ExactDot(y, z); v.Sign() < 0 {
			k = max(k, v.BitLen()-existence.ExactDot(d, z).BitLen()+2)
		}
	}
	out := make([]*big.Int, len(d))
	for j := range out {
		out[j] = new(big.Int).Lsh(d[j], uint(k))
		out[j].Add(out[j], y[j])
	}
	return out
}

// float returns a direction in the coordinates of w.
func (c *cone) float(d []*big.Int) []float64 {
	v := existence.RoundedTo1(d)
	largest := slices.Max(c.scale)
	for i := range v {
		v[i] *= c.scale[i%c.m]
		v[i] /= largest // or its square may overflow
	}
	if c.softmax {
		v = append(v, make([]float64, c.m)...)
	}
	return v
}
