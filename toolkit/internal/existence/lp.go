package existence

import (
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/linalg"
)

// LP decides by linear programming which of two statements holds: there is a vector v with a_nᵀv >
// 0 for all rows a_n, or a convex combination of the rows is 0. By Gordan's theorem exactly one of
// them holds. LP solves
//
//	min Σ_j (p_j + q_j) subject to Σ_n λ_n a_n + p − q = 0, Σ_n λ_n = 1, λ, p, q ≥ 0.
//
// The minimum s is the distance between 0 and the convex hull of the rows, measured as a sum of
// absolute values. The dual solution v satisfies a_nᵀv ≥ s for all n, and |v_j| ≤ 1.
//
// Rows may be added at any time, because the basis has M+1 columns for any number of rows. If
// a_nᵀv < s for a new row a_n, the next call of Solve can bring this row into the basis. LP does not
// use gonum's lp.Simplex, because lp.Simplex does not return the dual solution and can cycle for
// ever. TestAgainstEnumeration compares LP with a search on a grid.
type LP struct {
	m     int
	rows  [][]float64
	basis []int     // for each basic variable: the row index n of λ_n, −1−j for p_j, or −1−M−j for q_j
	value []float64 // values of the basic variables
	V     []float64 // the dual solution v, with |v_j| ≤ 1 at the optimum
	S     float64   // the minimum s of the program
	lu    mat.LU
}

const (
	// Optimal is the largest violation of a row's inequality that counts as a rounding error. It
	// assumes that rows have a length of about 1.
	Optimal = 1e-12
	// leastPivot is the smallest pivot element that the method `pivot` accepts.
	leastPivot = 1e-10
	// Zero is a tolerance. If s is less than Zero·(M+1), Solve concludes that 0 lies in the convex
	// hull of the rows.
	Zero = 1e-15
)

// NewLP returns a linear program with M columns and no rows.
func NewLP(m int) *LP {
	return &LP{m: m, V: make([]float64, m)}
}

// Add adds a row of M numbers. It keeps the slice `a`, so the caller must not change it.
func (l *LP) Add(a []float64) {
	l.rows = append(l.rows, a)
	if len(l.rows) > 1 {
		return
	}
	// The first basis contains the λ of the first row. For each entry c of this row it also
	// contains p_j or q_j, depending on which of them cancels c.
	for j, c := range a {
		if c <= 0 {
			l.basis = append(l.basis, -1-j)
		} else {
			l.basis = append(l.basis, -1-l.m-j)
		}
	}
	l.basis = append(l.basis, 0)
}

// column writes the column of the constraint matrix for the variable `id` to c.
func (l *LP) column(id int, c []float64) {
	clear(c)
	switch {
	case id >= 0:
		copy(c, l.rows[id])
		c[l.m] = 1
	case id >= -l.m:
		c[-1-id] = 1
	default:
		c[-1-l.m-id] = -1
	}
}

// Solve continues from the current basis to the optimum for all rows added so far. It returns false
// if rounding errors prevent further progress or if too many steps are necessary.
func (l *LP) Solve() bool {
	n := l.m + 1
	best, stall := math.Inf(1), 0
	for range 1000 + 100*n {
		if !l.refresh() {
			return false
		}
		if l.S < Zero*float64(n) {
			return true
		}
		if l.S < best-1e-14 {
			best, stall = l.S, 0
		} else {
			stall++
		}
		// After several degenerate steps, use Bland's rule, which cannot cycle.
		bland := stall > 2*n
		id, found := l.entering(bland)
		if !found {
			return true
		}
		if !l.pivot(id, bland) {
			return false
		}
	}
	return false
}

// refresh factorises the basis and computes the primal and the dual solution. It returns false if
// rounding errors make one of the solutions invalid.
func (l *LP) refresh() bool {
	n := l.m + 1
	b, cost, rhs := mat.NewDense(n, n, nil), mat.NewVecDense(n, nil), mat.NewVecDense(n, nil)
	col := make([]float64, n)
	for i, id := range l.basis {
		l.column(id, col)
		b.SetCol(i, col)
		if id < 0 {
			cost.SetVec(i, 1)
		}
	}
	rhs.SetVec(l.m, 1)
	l.lu.Factorize(b)
	var x, y mat.VecDense
	if !isUsable(l.lu.SolveVecTo(&x, false, rhs)) || !isUsable(l.lu.SolveVecTo(&y, true, cost)) {
		return false
	}
	l.value = x.RawVector().Data
	for i, a := range l.value {
		if math.IsNaN(a) || a < -1e-7 {
			return false
		}
		l.value[i] = math.Max(a, 0)
	}
	for j := range l.V {
		l.V[j] = -y.AtVec(j)
	}
	l.S = y.AtVec(l.m)
	return !math.IsNaN(l.S)
}

// isUsable reports whether a solution is usable, given the error err of the solver. It is usable if
// err is nil or if the condition number in err is finite.
func isUsable(err error) bool {
	c, ok := err.(mat.Condition)
	return err == nil || ok && !math.IsInf(float64(c), 0)
}

// entering returns the variable that enters the basis. This is the variable whose dual constraint
// is violated most. With Bland's rule it is the first variable whose dual constraint is violated.
func (l *LP) entering(bland bool) (id int, found bool) {
	worst := -Optimal
	try := func(i int, reduced float64) bool {
		if reduced < worst {
			id, found = i, true
			if bland {
				return true
			}
			worst = reduced
		}
		return false
	}
	for j := l.m - 1; j >= 0; j-- {
		if try(-1-l.m-j, 1-l.V[j]) {
			return
		}
	}
	for j := l.m - 1; j >= 0; j-- {
		if try(-1-j, 1+l.V[j]) {
			return
		}
	}
	for i, a := range l.rows {
		if try(i, linalg.Dot(a, l.V)-l.S) {
			return
		}
	}
	return
}

// pivot replaces a basic variable with the variable `id`. Up to rounding errors, several basic
// variables may limit the step equally. In this case pivot removes the variable with the largest
// pivot element, or with Bland's rule the variable with the lowest number. It returns false if
// rounding errors make the step impossible.
func (l *LP) pivot(id int, bland bool) bool {
	col := make([]float64, l.m+1)
	l.column(id, col)
	var d mat.VecDense
	if !isUsable(l.lu.SolveVecTo(&d, false, mat.NewVecDense(l.m+1, col))) {
		return false
	}
	step := math.Inf(1)
	for i, v := range l.value {
		if p := d.AtVec(i); p > leastPivot {
			step = math.Min(step, (v+1e-14)/p)
		}
	}
	out := -1
	for i, v := range l.value {
		p := d.AtVec(i)
		if p <= leastPivot || v/p > step {
			continue
		}
		if out < 0 || bland && l.basis[i] < l.basis[out] || !bland && p > d.AtVec(out) {
			out = i
		}
	}
	if out < 0 {
		return false
	}
	l.basis[out] = id
	return true
}

// Shares returns the coefficients λ_n > 0 of the current solution and their row indices n.
func (l *LP) Shares() map[int]float64 {
	out := map[int]float64{}
	for i, id := range l.basis {
		if id >= 0 && l.value[i] > 0 {
			out[id] = l.value[i]
		}
	}
	return out
}
