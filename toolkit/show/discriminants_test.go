package show

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/hyperplane-notebooks/hyperplane/toolkit/classify"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/datasets"
)

// threeLines are three linear discriminants, none parallel.
func threeLines(x []float64) []float64 {
	return []float64{1 - 2*x[0] + 0.5*x[1], x[0] - x[1], 2*x[1] - 0.7 - 0.3*x[0]}
}

func corners3() *datasets.Dataset { return plane(3, []int{0, 1, 2}, 0, 0, 1, 0, 0.5, 1) }

func TestDiscriminantsAreZeroOnTheirLines(t *testing.T) {
	for _, scale := range []float64{1, 1e9, 1e-9} {
		d := corners3()
		d.X.Scale(scale, d.X)
		m := ScoreFunc(func(x []float64) []float64 { return threeLines([]float64{x[0] / scale, x[1] / scale}) })
		fig := must(Discriminants(m, d, DiscriminantsOptions{Tint: true}))(t)
		renders(t, fig)
		class, x, y := column(t, fig, "zero.class"), column(t, fig, "zero.x"), column(t, fig, "zero.y")
		seen := map[float64]int{}
		for i := range x {
			seen[class[i]]++
			if g := threeLines([]float64{x[i] / scale, y[i] / scale})[int(class[i])]; math.Abs(g) > 1e-7 {
				t.Errorf("scale %g: g_%v(%v, %v) = %g", scale, class[i], x[i], y[i], g)
			}
		}
		for k := 0.0; k < 3; k++ {
			if seen[k] != 2 {
				t.Errorf("scale %g: the line of class %v has %d points, want its two ends", scale, k, seen[k])
			}
		}
		i, j, bx, by := column(t, fig, "boundary.i"), column(t, fig, "boundary.j"), column(t, fig, "boundary.x"), column(t, fig, "boundary.y")
		for n := range bx {
			g := threeLines([]float64{bx[n] / scale, by[n] / scale})
			if gap := g[int(i[n])] - g[int(j[n])]; math.Abs(gap) > 1e-7 {
				t.Errorf("scale %g: the largest discriminants differ by %g on the boundary", scale, gap)
			}
		}
	}
}

func TestDiscriminantsArrowsPointToThePositiveSide(t *testing.T) {
	for _, sign := range []float64{1, -1} {
		b := box{[2]float64{0, 2}, [2]float64{0, 1}}
		h := must(newHeight(b, gridOf(t, 20), pointwise(func(x, _ float64) float64 { return sign * (x - 0.5) })))(t)
		lines, _, err := h.contour(0)
		if err != nil {
			t.Fatal(err)
		}
		s := must(newSideLayer(h, lines, lineStyle(0)))(t)
		// The line is upright; its left side has smaller x if it runs upwards.
		leftIsSmallX := s.b.Y > s.a.Y
		if positiveIsSmallX := sign < 0; s.left != (leftIsSmallX == positiveIsSmallX) {
			t.Errorf("sign %v: the arrow points to the wrong side", sign)
		}
	}
}

func fitTwo(x mat.Matrix, t []float64) (classify.Scorer, error) {
	return classify.FitLogistic(x, t, classify.LogisticOptions{Prior: classify.Isotropic{Alpha: 0.1}})
}

func TestDiscriminantsOfDuels(t *testing.T) {
	d := petals(t)
	m := must(classify.FitOneVersusOne(d.X, d.Labels, 3, fitTwo, classify.OneVersusOneOptions{}))(t)
	fig := must(Discriminants(m, d, DiscriminantsOptions{HidePoints: true}))(t)
	i, j, x, y := column(t, fig, "zero.i"), column(t, fig, "zero.j"), column(t, fig, "zero.x"), column(t, fig, "zero.y")
	seen := map[[2]float64]bool{}
	for n := range x {
		seen[[2]float64{i[n], j[n]}] = true
		for _, duel := range m.Pairs {
			if float64(duel.First) != i[n] || float64(duel.Second) != j[n] {
				continue
			}
			a := must(duel.Machine.Scores(mat.NewDense(1, 2, []float64{x[n], y[n]})))(t)
			if g := a.At(0, 0) - a.At(0, 1); math.Abs(g) > 1e-6 {
				t.Errorf("the duel of %v and %v is %g on its line", i[n], j[n], g)
			}
		}
	}
	if len(seen) != 3 {
		t.Errorf("lines of %d duels, want 3", len(seen))
	}
}

func TestDiscriminantsWithoutLinesAndErrors(t *testing.T) {
	// A machine of one activation has one line, its boundary; a constant one none.
	fig := must(Discriminants(ScoreFunc(func(x []float64) []float64 { return []float64{x[0] - 0.5} }), square(), DiscriminantsOptions{}))(t)
	if x := column(t, fig, "zero.x"); len(x) != 2 || x[0] != 0.5 || x[1] != 0.5 {
		t.Errorf("zero.x is %v, want 0.5 twice", x)
	}
	fig = must(Discriminants(ScoreFunc(func([]float64) []float64 { return []float64{math.Inf(-1), 3} }), square(), DiscriminantsOptions{}))(t)
	renders(t, fig)
	if x := column(t, fig, "zero.x"); len(x) != 0 {
		t.Errorf("a machine without zeros has the line %v", x)
	}
	same := plane(2, []int{0, 1, 0}, 3, 3, 3, 3, 3, 3)
	renders(t, must(Discriminants(ScoreFunc(func(x []float64) []float64 { return []float64{x[0] - 3} }), same, DiscriminantsOptions{}))(t))
	ok := ScoreFunc(func(x []float64) []float64 { return []float64{x[0]} })
	refused(Discriminants(nilLogistic, square(), DiscriminantsOptions{}))(t, "show: Discriminants", "model is nil")
	refused(Discriminants(ok, plane(2, nil), DiscriminantsOptions{}))(t, "no rows")
	refused(Discriminants(ok, plane(8, []int{0}, 1, 1), DiscriminantsOptions{}))(t, "8 classes")
	refused(Discriminants(ok, corners3(), DiscriminantsOptions{}))(t, "2 scores", "3 classes")
	refused(Discriminants(ok, plane(2, []int{0, 1}, 1, math.NaN(), 2, 2), DiscriminantsOptions{}))(t, "row 0", "NaN")
	refused(Discriminants(ScoreFunc(func(x []float64) []float64 { return []float64{math.NaN()} }), square(), DiscriminantsOptions{}))(t, "NaN")
}
