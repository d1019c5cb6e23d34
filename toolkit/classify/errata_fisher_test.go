package classify_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/hyperplane-notebooks/hyperplane/toolkit/classify"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/equation"
)

// groups are points of several classes with their means, and the scatter matrices
// of PRML (4.40)–(4.46) as they are written.
type groups struct {
	x      []*mat.Dense // one matrix a class
	means  [][]float64
	mean   []float64
	sw, sb *mat.SymDense
	n      int
}

func newGroups(r *rand.Rand, k, d int) *groups {
	g := &groups{mean: make([]float64, d), sw: mat.NewSymDense(d, nil), sb: mat.NewSymDense(d, nil)}
	for range k {
		rows := d + 2 + r.IntN(10)
		x, shift, m := normalMatrix(r, rows, d), normals(r, d), make([]float64, d)
		for i := range rows {
			floats.Add(x.RawRowView(i), shift)
			floats.Add(m, x.RawRowView(i))
		}
		floats.Add(g.mean, m)
		floats.Scale(1/float64(rows), m)
		g.x, g.means, g.n = append(g.x, x), append(g.means, m), g.n+rows
	}
	floats.Scale(1/float64(g.n), g.mean)
	for k, x := range g.x {
		rows, _ := x.Dims()
		for i := range rows {
			g.sw.SymRankOne(g.sw, 1, difference(x.RawRowView(i), g.means[k]))
		}
		g.sb.SymRankOne(g.sb, float64(rows), difference(g.means[k], g.mean))
	}
	return g
}

func difference(a, b []float64) *mat.VecDense {
	return mat.NewVecDense(len(a), floats.SubTo(make([]float64, len(a)), a, b))
}

// criterion is Tr{(WᵀS_W W)⁻¹ WᵀS_B W}; nil if the shapes do not fit.
func criterion(w, sw, sb mat.Matrix) any {
	var a, b, c mat.Dense
	if mat.Maybe(func() { a.Product(w.T(), sw, w); b.Product(w.T(), sb, w) }) != nil || c.Solve(&a, &b) != nil {
		return nil
	}
	return mat.Trace(&c)
}

// fisherDirection is S_W⁻¹(m_i − m_j), of length 1.
func (g *groups) fisherDirection(i, j int) []float64 {
	var v mat.VecDense
	_ = v.SolveVec(g.sw, difference(g.means[i], g.means[j]))
	w := v.RawVector().Data
	floats.Scale(1/floats.Norm(w, 2), w)
	return w
}

func TestErrataFisher(t *testing.T) {
	// The ranks of the squares of K vectors m_k − m, as vectors of D² numbers, and of the
	// vectors themselves.
	equation.Misprint(t, "P41", func(r *rand.Rand) equation.Reading {
		k := 3 + r.IntN(2)
		g := newGroups(r, k, k-1)
		vectors, squares := mat.NewDense(k, k-1, nil), mat.NewDense(k, (k-1)*(k-1), nil)
		for i, m := range g.means {
			var square mat.Dense
			d := difference(m, g.mean)
			square.Outer(1, d, d)
			vectors.SetRow(i, d.RawVector().Data)
			squares.SetRow(i, square.RawMatrix().Data)
		}
		rank := func(m mat.Matrix) int {
			var s mat.SVD
			s.Factorize(m, mat.SVDNone)
			return s.Rank(1e-10)
		}
		return equation.Reading{True: []int{rank(squares), rank(vectors)}, Printed: []int{k - 1, k - 1}, Right: []int{k, k - 1}}
	})
	// As many features as min(D, K−1), which keep the whole criterion, with D ≤ K.
	equation.Holds(t, "P42", func(r *rand.Rand) error {
		k := 3 + r.IntN(3)
		d := 1 + r.IntN(k)
		g := newGroups(r, k, d)
		var x mat.Dense
		var labels []int
		for i, rows := range g.x {
			n, _ := rows.Dims()
			labels = append(labels, slices.Repeat([]int{i}, n)...)
			all := mat.DenseCopyOf(&x)
			if x.Reset(); i == 0 {
				x.CloneFrom(rows)
			} else {
				x.Stack(all, rows)
			}
		}
		m, err := classify.FitFisherMulti(&x, labels, k, classify.FisherMultiOptions{})
		if err != nil {
			return err
		}
		var c mat.Dense
		_ = c.Solve(g.sw, g.sb)
		if _, features := m.W.Dims(); features != min(d, k-1) || math.Abs(m.J-mat.Trace(&c)) > 1e-9*m.J {
			return fmt.Errorf("D = %d, K = %d: %d features with J = %v of %v", d, k, features, m.J, mat.Trace(&c))
		}
		return nil
	})
	// True is the criterion of the projected points, from their own scatter.
	equation.Misprint(t, "P8", func(r *rand.Rand) equation.Reading {
		g, w := newGroups(r, 3, 4), normalMatrix(r, 4, 2)
		sw, sb := mat.NewSymDense(2, nil), mat.NewSymDense(2, nil)
		image := func(v []float64) []float64 {
			var y mat.VecDense
			y.MulVec(w.T(), mat.NewVecDense(4, v))
			return y.RawVector().Data
		}
		for k, x := range g.x {
			rows, _ := x.Dims()
			for i := range rows {
				sw.SymRankOne(sw, 1, difference(image(x.RawRowView(i)), image(g.means[k])))
			}
			sb.SymRankOne(sb, float64(rows), difference(image(g.means[k]), image(g.mean)))
		}
		var c mat.Dense
		_ = c.Solve(sw, sb)
		return equation.Reading{True: mat.Trace(&c), Printed: criterion(w.T(), g.sw, g.sb), Right: criterion(w, g.sw, g.sb)}
	})
	// The criterion of all dimensions, and of two spans of K−1 vectors.
	equation.Misprint(t, "P9", func(r *rand.Rand) equation.Reading {
		g := newGroups(r, 3, 4)
		between, whitened := mat.NewDense(4, 2, nil), new(mat.Dense)
		for j := range 2 { // they span the eigenvectors of S_B with values above 0
			between.SetCol(j, difference(g.means[j], g.mean).RawVector().Data)
		}
		_ = whitened.Solve(g.sw, between)
		var c mat.Dense
		_ = c.Solve(g.sw, g.sb)
		return equation.Reading{True: mat.Trace(&c), Printed: criterion(between, g.sw, g.sb), Right: criterion(whitened, g.sw, g.sb)}
	})
	// The direction for which C₁ is at wᵀ(x−m) > 0, by least squares to N/N₁ and −N/N₂.
	equation.Misprint(t, "P11", func(r *rand.Rand) equation.Reading {
		g := newGroups(r, 2, 3)
		var rows [][]float64
		var targets []float64
		for k, x := range g.x {
			n, _ := x.Dims()
			for i := range n {
				rows = append(rows, append([]float64{1}, x.RawRowView(i)...))
				targets = append(targets, float64(1-2*k)*float64(g.n)/float64(n))
			}
		}
		design := mat.NewDense(g.n, 4, nil)
		for i, row := range rows {
			design.SetRow(i, row)
		}
		var w mat.VecDense
		_ = w.SolveVec(design, mat.NewVecDense(g.n, targets))
		direction := append([]float64{}, w.RawVector().Data[1:]...)
		floats.Scale(1/floats.Norm(direction, 2), direction)
		return equation.Reading{True: direction, Printed: g.fisherDirection(1, 0), Right: g.fisherDirection(0, 1)}
	})
	// The classes that the rules give to the two means, with y₀ between them.
	rules := func(r *rand.Rand) equation.Reading {
		g := newGroups(r, 2, 3)
		w := g.fisherDirection(1, 0)
		y0 := (floats.Dot(w, g.means[0]) + floats.Dot(w, g.means[1])) / 2
		var printed, right []int
		for _, m := range g.means {
			printed = append(printed, 2-int(truth(floats.Dot(w, m) >= y0)))
			right = append(right, 2-int(truth(floats.Dot(w, m) < y0)))
		}
		return equation.Reading{True: []int{1, 2}, Printed: printed, Right: right}
	}
	equation.Misprint(t, "P12", rules)
	equation.Misprint(t, "Q14", rules)
	equation.Holds(t, "P10", func(r *rand.Rand) error {
		g := newGroups(r, 2, 3)
		n1, _ := g.x[0].Dims()
		two := mat.NewSymDense(3, nil)
		two.SymRankOne(two, float64(n1*(g.n-n1))/float64(g.n), difference(g.means[1], g.means[0]))
		if !mat.EqualApprox(g.sb, two, 1e-9) {
			return fmt.Errorf("S_B of (4.46) is %v, N₁N₂/N times (4.27) is %v", g.sb, two)
		}
		return nil
	})
}
