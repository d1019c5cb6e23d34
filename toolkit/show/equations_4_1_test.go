package show

import (
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/hyperplane-notebooks/hyperplane/toolkit/classify"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/equation"
)

// TestEquationsProjections compares the numbers of the figure, for a direction of any length, with
// the projections. It compares the criterion with the scatter matrices.
func TestEquationsProjections(t *testing.T) {
	draw := func(r *rand.Rand) (x *mat.Dense, labels []int, w []float64, fig *Figure) {
		n := 5 + r.IntN(20)
		rows := make([]float64, 2*n)
		for i := range rows {
			rows[i] = r.NormFloat64()
		}
		labels = make([]int, n)
		for i := range labels {
			labels[i] = i % 2
		}
		d := plane(2, labels, rows...)
		w = []float64{r.NormFloat64(), 3 * r.NormFloat64()}
		return d.X, labels, w, must(Projections(d, ProjectionsOptions{}, Direction{Name: "w", W: w}))(t)
	}
	// 1e-8: figures round to nine digits.
	equation.CheckTo(t, "prml-4.20", 1e-8, func(r *rand.Rand) (left, right any) {
		x, _, w, fig := draw(r)
		var y mat.VecDense
		y.MulVec(x, mat.NewVecDense(2, w))
		y.ScaleVec(1/math.Hypot(w[0], w[1]), &y)
		return column(t, fig, "w.y"), &y
	})
	// 1e-6: the figure computes J from rounded projections.
	equation.CheckTo(t, "prml-4.25", 1e-6, func(r *rand.Rand) (left, right any) {
		x, labels, w, fig := draw(r)
		s := must(classify.NewScatter(x, labels, 2))(t)
		apart := w[0]*(s.ClassMeans.At(1, 0)-s.ClassMeans.At(0, 0)) + w[1]*(s.ClassMeans.At(1, 1)-s.ClassMeans.At(0, 1))
		v := mat.NewVecDense(2, w)
		return column(t, fig, "w.fisher")[0], apart * apart / mat.Inner(v, s.Within, v)
	})
}
