package existence

import (
	"math"
	"math/big"
)

// Farkas decides in exact integer arithmetic which of two statements about vectors a_1 … a_N and b
// of M integers holds. Either b = Σ λ_i a_i with all λ_i ≥ 0, or there is a vector y with yᵀa_i ≥ 0
// for all i and yᵀb < 0. By Farkas' lemma, exactly one of the statements holds.
//
// Farkas minimises the sum of M artificial variables by the revised simplex method. It stores the
// inverse of the basis matrix as adj/det, where the matrix adj and the number det consist of
// integers. The divisions in a pivot leave no remainder (Edmonds 1967). Where several rows could
// leave the basis, the lexicographic rule selects one, so the method cannot cycle.
type Farkas struct {
	rows  [][]float64 // the rows a_i, each multiplied by a positive factor; if the factor is a power of two, no digits are lost
	b     []*big.Int
	basis []int // for each basic variable, the index of its row a_i, or −1 if the variable is artificial
	adj   [][]*big.Int
	x     []*big.Int // values of the basic variables, multiplied by det: adj·b
	det   *big.Int
	left  *Budget
}

// Budget limits the work of an exact proof, which may solve several problems. It does not measure
// time. Instead, every pivot has a cost that depends on the size of its numbers. A proof therefore
// has the same result on every machine.
type Budget struct {
	Pivots   int     // number of pivots made so far
	Products float64 // how many products of machine words further pivots may compute
}

// NewBudget returns the budget of one proof. On a current processor, this is one or two seconds of
// work.
func NewBudget() *Budget { return &Budget{Products: 5e8} }

// spend subtracts the cost of one pivot from the budget. The basis has m columns, and its numbers
// have the given bit length.
func (b *Budget) spend(m, bits int) {
	const fixed = 6 // the overhead of an operation counts as this number of machine words
	words := fixed + 1 + float64(bits)/64
	b.Products -= float64(m*m) * words * words
	b.Pivots++
}

// NewFarkas returns a problem to solve: is b a combination of the rows with coefficients λ ≥ 0?
func NewFarkas(rows [][]float64, b []*big.Int, left *Budget) *Farkas {
	m := len(b)
	f := &Farkas{rows: rows, b: b, left: left, det: big.NewInt(1), basis: make([]int, m), x: make([]*big.Int, m),
		adj: make([][]*big.Int, m)}
	for i := range m {
		f.basis[i] = -1
		f.adj[i] = make([]*big.Int, m)
		for j := range m {
			f.adj[i][j] = new(big.Int)
		}
		sign := int64(1)
		if b[i].Sign() < 0 {
			sign = -1
		}
		f.adj[i][i].SetInt64(sign)
		f.x[i] = new(big.Int).Abs(b[i])
	}
	return f
}

// Solve returns y with yᵀa_i ≥ 0 for all i and yᵀb < 0, or nil and true if b is a combination of
// the rows. It returns nil and false if the budget is used up.
func (f *Farkas) Solve() (y []*big.Int, feasible bool) {
	for {
		y, feasible = f.prices()
		if feasible {
			return nil, true
		}
		i := f.entering(y)
		if i < 0 {
			return y, false
		}
		if f.left.Products <= 0 {
			return nil, false
		}
		f.pivot(i)
	}
}

// prices returns y, the dual prices multiplied by −det. It also reports whether all artificial
// variables are 0.
func (f *Farkas) prices() (y []*big.Int, feasible bool) {
	y, feasible = make([]*big.Int, len(f.b)), true
	for j := range y {
		y[j] = new(big.Int)
	}
	for i, id := range f.basis {
		if id >= 0 {
			continue
		}
		feasible = feasible && f.x[i].Sign() == 0
		for j := range y {
			y[j].Sub(y[j], f.adj[i][j])
		}
	}
	return y, feasible
}

// entering returns the index of the row a with the most negative yᵀa, or −1 if yᵀa ≥ 0 for all
// rows. It computes the products in floating point. If none of them is certainly negative, entering
// computes those with an uncertain sign again, in integers, and returns the first row with yᵀa < 0.
func (f *Farkas) entering(y []*big.Int) int {
	v := RoundedTo1(y)
	at, least := -1, 0.0
	var close []int
	for i, a := range f.rows {
		s, bound := BoundedDot(a, v)
		switch {
		case s < -bound && s < least:
			at, least = i, s
		case math.Abs(s) <= bound:
			close = append(close, i)
		}
	}
	if at >= 0 {
		return at
	}
	for _, i := range close {
		if ExactDot(y, f.rows[i]).Sign() < 0 {
			return i
		}
	}
	return -1
}

// pivot brings row i into the basis.
func (f *Farkas) pivot(i int) {
	a, _ := Integers(f.rows[i])
	m := len(f.b)
	u, t := make([]*big.Int, m), new(big.Int)
	for r := range m {
		u[r] = new(big.Int)
		for j, v := range a {
			if v != nil {
				u[r].Add(u[r], t.Mul(v, f.adj[r][j]))
			}
		}
	}
	out := -1
	for r := range m {
		if u[r].Sign() > 0 && (out < 0 || f.lexLess(r, out, u)) {
			out = r
		}
	}
	f.left.spend(m, u[out].BitLen())
	s := new(big.Int)
	exchange := func(v, w *big.Int, c *big.Int) { // v ← (v·u_out − c·w)/det
		v.Sub(t.Mul(v, u[out]), s.Mul(c, w))
		v.Quo(v, f.det)
	}
	for r := range m {
		if r == out {
			continue
		}
		for j := range m {
			exchange(f.adj[r][j], f.adj[out][j], u[r])
		}
		exchange(f.x[r], f.x[out], u[r])
	}
	f.det, f.basis[out] = u[out], i
}

// lexLess reports whether the vector (x_r, adj_r)/u_r comes before the vector (x_q, adj_q)/u_q in
// lexicographic order.
func (f *Farkas) lexLess(r, q int, u []*big.Int) bool {
	s, t := new(big.Int), new(big.Int)
	c := s.Mul(f.x[r], u[q]).Cmp(t.Mul(f.x[q], u[r]))
	for j := 0; c == 0 && j < len(f.b); j++ {
		c = s.Mul(f.adj[r][j], u[q]).Cmp(t.Mul(f.adj[q][j], u[r]))
	}
	return c < 0
}

// Shares returns the coefficients λ_i > 0 of a feasible solution and their row indices i.
func (f *Farkas) Shares() map[int]float64 {
	out := map[int]float64{}
	for r, id := range f.basis {
		if id < 0 || f.x[r].Sign() <= 0 {
			continue
		}
		_, e := Integers(f.rows[id])
		q := new(big.Float).Quo(new(big.Float).SetInt(f.x[r]), new(big.Float).SetInt(f.det))
		out[id], _ = q.SetMantExp(q, -e).Float64()
	}
	return out
}

// ExactDot returns yᵀa, multiplied by a positive number.
func ExactDot(y []*big.Int, a []float64) *big.Int {
	s, t := new(big.Int), new(big.Int)
	v, _ := Integers(a)
	for j, v := range v {
		if v != nil {
			s.Add(s, t.Mul(v, y[j]))
		}
	}
	return s
}

// BoundedDot returns s = vᵀa and an upper bound for the error of s. It assumes that the entries a_j
// are exact and that the entries v_j are rounded.
func BoundedDot(a, v []float64) (s, bound float64) {
	for j, x := range a {
		p := x * v[j]
		s += p
		bound += math.Abs(p)
	}
	return s, bound*float64(len(a)+2)*0x1p-52 + 0x1p-900 // the last term bounds the error that underflow causes
}

// RoundedTo1 returns y/2^k, rounded to float64. It chooses the exponent k so that the largest
// |y_j|/2^k is between ½ and 1.
func RoundedTo1(y []*big.Int) []float64 {
	bits := 0
	for _, v := range y {
		bits = max(bits, v.BitLen())
	}
	out := make([]float64, len(y))
	for j, v := range y {
		g, _ := new(big.Float).SetInt(v).Float64()
		if bits > 900 { // an exponent this large is near the limit of float64
			g, _ = new(big.Float).SetMantExp(new(big.Float).SetInt(v), -bits).Float64()
		} else {
			g = math.Ldexp(g, -bits)
		}
		out[j] = g
	}
	return out
}

// Integers returns integers v_j and an exponent e with v_j·2^e = a_j, where the integers are as
// small as possible. A nil v_j means 0.
func Integers(a []float64) (v []*big.Int, e int) {
	const digits = 53
	least := math.MaxInt
	mantissa, exponent := make([]int64, len(a)), make([]int, len(a))
	for j, v := range a {
		if v == 0 {
			continue
		}
		m, e := math.Frexp(v)
		mantissa[j], exponent[j] = int64(math.Ldexp(m, digits)), e-digits
		for mantissa[j]%2 == 0 {
			mantissa[j] /= 2
			exponent[j]++
		}
		least = min(least, exponent[j])
	}
	out := make([]*big.Int, len(a))
	for j, m := range mantissa {
		if m != 0 {
			out[j] = big.NewInt(m)
			out[j].Lsh(out[j], uint(exponent[j]-least))
		}
	}
	return out, least
}
