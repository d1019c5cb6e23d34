package classify_test

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/hyperplane-notebooks/hyperplane/toolkit/classify"
)

// pseudoInverse is the naive twin: W = Φ†T by the singular value decomposition.
func pseudoInverse(t *testing.T, x mat.Matrix, labels []int, k int) *mat.Dense {
	n, d := x.Dims()
	phi, target := mat.NewDense(n, d+1, nil), mat.NewDense(n, k, nil)
	for i := range n {
		phi.Set(i, 0, 1)
		for j := range d {
			phi.Set(i, j+1, x.At(i, j))
		}
		target.Set(i, labels[i], 1)
	}
	var svd mat.SVD
	if !svd.Factorize(phi, mat.SVDThin) {
		t.Fatal("no singular value decomposition")
	}
	var u, v mat.Dense
	svd.UTo(&u)
	svd.VTo(&v)
	var s, w mat.Dense
	s.Mul(u.T(), target)
	for i, sv := range svd.Values(nil) {
		for j := range k {
			if sv > 1e-10 {
				s.Set(i, j, s.At(i, j)/sv)
			} else {
				s.Set(i, j, 0)
			}
		}
	}
	w.Mul(&v, &s)
	return &w
}

func TestLeastSquaresTwin(t *testing.T) {
	for _, c := range []struct {
		name    string
		n, d, k int
		change  func(i, j int, v float64) float64
		rank    int
		say     string
	}{
		{"tall", 60, 4, 3, nil, 5, "orthogonal"},
		{"square", 5, 4, 3, nil, 5, "orthogonal"},
		{"wide", 6, 20, 3, nil, 6, "linearly dependent"},
		{"two rows", 2, 1, 2, nil, 2, "orthogonal"},
		{"constant column", 40, 3, 2, func(_, j int, v float64) float64 {
			if j == 1 {
				return 2.5
			}
			return v
		}, 3, "constant like the bias: 1"},
		{"all constant", 40, 2, 2, func(_, _ int, _ float64) float64 { return 3 }, 1, "constant like the bias: 0, 1"},
		{"large, normal equations", 30000, 30, 3, nil, 31, "normal equations"},
	} {
		t.Run(c.name, func(t *testing.T) {
			x, labels := clouds(c.n, c.d, c.k, 7)
			if c.change != nil {
				x.Apply(c.change, x)
			}
			m := must(classify.FitLeastSquares(x, labels, c.k, classify.LeastSquaresOptions{}))(t)
			if m.Rank != c.rank || !strings.Contains(m.Reason, c.say) || m.N != c.n {
				t.Errorf("rank %d, want %d; %s", m.Rank, c.rank, m.Reason)
			}
			want := pseudoInverse(t, x, labels, c.k)
			for i := range c.d + 1 {
				for j := range c.k {
					if math.Abs(m.W.At(i, j)-want.At(i, j)) > 1e-12 {
						t.Errorf("W(%d,%d) = %v, the pseudo-inverse gives %v", i, j, m.W.At(i, j), want.At(i, j))
					}
				}
			}
			// E_D by its definition (4.15), and the constraint of 4.1.3: y sums to 1.
			y := must(m.Scores(x))(t)
			var e float64
			for i := range c.n {
				var sum float64
				for j := range c.k {
					r := y.At(i, j) - truth(labels[i] == j)
					e += r * r / 2
					sum += y.At(i, j)
				}
				if math.Abs(sum-1) > 1e-12 {
					t.Fatalf("row %d: the y_k sum to %v", i, sum)
				}
			}
			if math.Abs(e-m.SumSquare) > 1e-11*(1+e) {
				t.Errorf("SumSquare = %v, by definition %v", m.SumSquare, e)
			}
		})
	}
}

// TestLeastSquaresDuplicate: two equal columns share the weight equally, the
// least-norm solution.
func TestLeastSquaresDuplicate(t *testing.T) {
	x, labels := clouds(50, 1, 2, 17)
	y := mat.NewDense(50, 2, nil)
	for i := range 50 {
		y.SetRow(i, []float64{x.At(i, 0), x.At(i, 0)})
	}
	a := must(classify.FitLeastSquares(x, labels, 2, classify.LeastSquaresOptions{}))(t)
	b := must(classify.FitLeastSquares(y, labels, 2, classify.LeastSquaresOptions{}))(t)
	for j := range 2 {
		if math.Abs(b.W.At(1, j)-a.W.At(1, j)/2) > 1e-14 || math.Abs(b.W.At(2, j)-a.W.At(1, j)/2) > 1e-14 || b.Rank != 2 {
			t.Errorf("weights %v and %v for a duplicated column of weight %v", b.W.At(1, j), b.W.At(2, j), a.W.At(1, j))
		}
	}
}

func TestLeastSquaresEmptyClass(t *testing.T) {
	x, labels := clouds(30, 2, 2, 47)
	m := must(classify.FitLeastSquares(x, labels, 4, classify.LeastSquaresOptions{}))(t)
	for i := range 3 {
		if m.W.At(i, 2) != 0 || m.W.At(i, 3) != 0 {
			t.Errorf("an empty class has weights %v, %v", m.W.At(i, 2), m.W.At(i, 3))
		}
	}
	for _, k := range []int{-1, 0, 1} {
		_, err := classify.FitLeastSquares(x, labels, k, classify.LeastSquaresOptions{})
		mentions(t, err, fmt.Sprintf("k is %d", k), "two classes")
	}
	_, err := classify.FitLeastSquares(x, labels, math.MaxInt, classify.LeastSquaresOptions{})
	mentions(t, err, "k is", "30 rows")
}
