package leastsquares

import (
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/hyperplane-notebooks/hyperplane/exercises/instance"
	"github.com/hyperplane-notebooks/hyperplane/exercises/judge"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/verify"
)

// TestProblems checks that the columns of [1 X], scaled to equal length, are linearly dependent in the
// problems marked Dependent, and independent in all other problems. It also checks that all targets
// satisfy their constraints, and that the check accepts the least-squares predictions.
func TestProblems(t *testing.T) {
	r := instance.Source(1, 1)
	two := mat.NewDense(2, 3, []float64{1, 2, 3, 0, 1, -1})
	list := append(SumsToOne(Full(r)), SumsToOne(Dependent(r))...)
	list = append(list, Full(r)[0].RandomTargets(r, 3).Obeying(two, []float64{4, 0}))
	for _, p := range list {
		ones := instance.WithOnes(p.X)
		n, d := ones.Dims()
		for j := range d {
			column := mat.NewVecDense(n, mat.Col(nil, j, ones))
			if length := mat.Norm(column, 2); length > 0 {
				column.ScaleVec(1/length, column)
			}
			ones.SetCol(j, column.RawVector().Data)
		}
		var svd mat.SVD
		if !svd.Factorize(ones, mat.SVDNone) || svd.Rank(1e-10) < d != p.Dependent {
			t.Errorf("%v: whether the columns of [1 X] are dependent: got %v, want the opposite", p, !p.Dependent)
		}
		for i := range n {
			for j, b := range p.B {
				if f := verify.AffineConstraint(p.A.RawRowView(j), b, p.T.RawRowView(i), verify.Tolerance{Rel: 1e-12}); !f.OK {
					t.Errorf("%v: target %d does not satisfy constraint %d: %s", p, i, j, f.Off())
				}
			}
		}
		if got := predictAll(Best, &judge.Call{}, p, 0); !equal(p, got).OK || !Satisfy(p, p.A, p.B, got).OK {
			t.Errorf("%v: the check rejects the least-squares prediction, want it accepted", p)
		}
	}
}
