package scatter_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat"

	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/block"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/check"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/scatter"
)

// TestScatter compares the scatter of each class, and its mean of column 0, with the results of
// gonum. It also checks that the matrix P of Whiten satisfies PᵀS_WP = I.
func TestScatter(t *testing.T) {
	rng := rand.New(rand.NewPCG(4, 1))
	for _, c := range []struct {
		n, k   int
		offset float64
		tol    float64
	}{{9, 2, 0, 1e-12}, {400, 3, 50, 1e-12}, {5000, 2, 1e6, 1e-9}} {
		x, labels, rows := mat.NewDense(c.n, 2, nil), make([]int, c.n), make([][]float64, c.k)
		for i := range c.n {
			k, a := i%c.k, rng.NormFloat64()
			x.SetRow(i, []float64{c.offset + a + float64(k), 1e-3 * (a + rng.NormFloat64())})
			labels[i], rows[k] = k, append(rows[k], x.RawRowView(i)...)
		}
		counts, err := check.Labels(labels, c.n, c.k)
		if err != nil {
			t.Fatal(err)
		}
		in := &check.Data{Src: block.NewSource(x), Labels: labels, K: c.k, Rows: counts}
		if err := in.Inspect(); err != nil {
			t.Fatal(err)
		}
		own, err := scatter.Of(in, true)
		if err != nil {
			t.Fatal(err)
		}
		within := mat.NewSymDense(2, nil)
		for k, data := range rows {
			class := mat.NewDense(len(data)/2, 2, data)
			var want mat.SymDense
			stat.CovarianceMatrix(&want, class, nil)
			want.ScaleSym(float64(len(data)/2-1), &want)
			within.AddSym(within, &want)
			mean := stat.Mean(mat.Col(nil, 0, class), nil)
			if got, err := own.Sym(own.Root[k], 1); err != nil || !mat.EqualApprox(got, &want, c.tol*want.At(0, 0)) ||
				math.Abs(own.Means.At(k, 0)-mean) > 1e-13*(1+c.offset) {
				t.Errorf("%+v: for class %d, the scatter and the mean of column 0 are %v and %v (error %v), want %v and %v",
					c, k, got, own.Means.At(k, 0), err,
					want, mean)
			}
		}
		all, err := scatter.Of(in, false)
		if err != nil {
			t.Fatal(err)
		}
		w, err := all.Whiten(0, false)
		if err != nil {
			t.Fatal(err)
		}
		var p, unit mat.Dense
		p.Mul(mat.NewDiagDense(2, all.Scale), w.P)
		unit.Product(p.T(), within, &p)
		if !mat.EqualApprox(&unit, mat.NewDiagDense(2, []float64{1, 1}), 10*c.tol) {
			t.Errorf("%+v: PᵀS_WP = %v, want the unit matrix", c, unit)
		}
	}
}
