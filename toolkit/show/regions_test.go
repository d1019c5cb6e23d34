package show

import (
	"errors"
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/hyperplane-notebooks/hyperplane/toolkit/classify"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/datasets"
)

func TestLinearBoundaryLiesOnTheLine(t *testing.T) {
	w := []float64{1, -2, 3} // 1 − 2 x1 + 3 x2 = 0
	at := func(x, y float64) float64 { return w[0] + w[1]*x + w[2]*y }
	for _, c := range []struct {
		name  string
		model classify.Predictor
	}{
		{"scores", ScoreFunc(func(x []float64) []float64 { return []float64{at(x[0], x[1])} })},
		{"posterior", logit(w[0], w[1], w[2])},
		{"predictions", PredictFunc(func(x []float64) int {
			if at(x[0], x[1]) >= 0 {
				return 0
			}
			return 1
		})},
	} {
		t.Run(c.name, func(t *testing.T) {
			fig := must(Regions(c.model, square(), RegionsOptions{X: [2]float64{-2, 3}, Y: [2]float64{-1, 2}}))(t)
			xs, ys := column(t, fig, "boundary.x"), column(t, fig, "boundary.y")
			if len(xs) != 2 {
				t.Fatalf("the boundary has %d points, want 2: %v %v", len(xs), xs, ys)
			}
			for i := range xs {
				// Nine digits of coordinates up to 3, times weights up to 3.
				if d := math.Abs(at(xs[i], ys[i])); d > 1e-7 {
					t.Errorf("(%v, %v) is %g off the boundary", xs[i], ys[i], d)
				}
			}
			// The line enters at (−1, −1) and leaves at (3, 5/3).
			if got := math.Hypot(xs[0]-xs[1], ys[0]-ys[1]); math.Abs(got-math.Hypot(4, 8.0/3)) > 1e-7 {
				t.Errorf("the boundary is %v long, want from (−1, −1) to (3, 5/3)", got)
			}
		})
	}
}

// regionAreas sums the areas of the rings of each class.
func regionAreas(t *testing.T, f *Figure, k int) []float64 {
	t.Helper()
	class, ring := column(t, f, "region.class"), column(t, f, "region.ring")
	xs, ys := column(t, f, "region.x"), column(t, f, "region.y")
	out := make([]float64, k)
	for i := 0; i < len(ring); {
		j := i
		for j < len(ring) && ring[j] == ring[i] {
			j++
		}
		for a := i; a < j; a++ {
			b := a + 1
			if b == j {
				b = i
			}
			out[int(class[i])] += (xs[a]*ys[b] - xs[b]*ys[a]) / 2
		}
		i = j
	}
	return out
}

func TestRegionsOfIris(t *testing.T) {
	d := petals(t)
	m := must(classify.FitLeastSquares(d.X, d.Labels, 3, classify.LeastSquaresOptions{}))(t)
	fig := must(Regions(m, d, RegionsOptions{Mistakes: true}))(t)
	renders(t, fig)
	is, js := column(t, fig, "boundary.i"), column(t, fig, "boundary.j")
	xs, ys := column(t, fig, "boundary.x"), column(t, fig, "boundary.y")
	for n := range xs {
		a := must(m.Scores(mat.NewDense(1, 2, []float64{xs[n], ys[n]})))(t)
		i, j := int(is[n]), int(js[n])
		if gap := a.At(0, i) - a.At(0, j); math.Abs(gap) > 1e-8 {
			t.Errorf("at (%v, %v) the scores of %d and %d differ by %g", xs[n], ys[n], i, j, gap)
		}
		for k := range 3 {
			if a.At(0, k) > a.At(0, i)+1e-8 {
				t.Errorf("at (%v, %v) class %d beats %d and %d", xs[n], ys[n], k, i, j)
			}
		}
	}
	b := must(newBox(d, [2]float64{}, [2]float64{}))(t)
	w, h := b.size()
	sum := 0.0
	for _, a := range regionAreas(t, fig, 3) {
		if a <= 0 {
			t.Errorf("a region has area %v", a)
		}
		sum += a
	}
	if math.Abs(sum-w*h) > 1e-6*w*h {
		t.Errorf("the regions cover %v of %v", sum, w*h)
	}
	predicted := must(m.Predict(d.X))(t)
	wrong := 0
	for i, l := range d.Labels {
		if predicted[i] != l {
			wrong++
		}
	}
	if got := len(column(t, fig, "mistakes.row")); got != wrong {
		t.Errorf("%d mistakes ringed, want %d", got, wrong)
	}
}

func TestCurvedBoundary(t *testing.T) {
	circle := PredictFunc(func(x []float64) int {
		if x[0]*x[0]+x[1]*x[1] < 4 {
			return 1
		}
		return 0
	})
	fig := must(Regions(circle, square(), RegionsOptions{X: [2]float64{-3, 3}, Y: [2]float64{-4, 4}}))(t)
	xs, ys := column(t, fig, "boundary.x"), column(t, fig, "boundary.y")
	for i := range xs {
		if d := math.Abs(math.Hypot(xs[i], ys[i]) - 2); d > 1e-7 {
			t.Errorf("(%v, %v) is %g off the circle", xs[i], ys[i], d)
		}
	}
	if n := len(xs) - 1; xs[0] != xs[n] || ys[0] != ys[n] {
		t.Error("the line around the disc is not closed")
	}
	// The area of a polygon inside the circle, with its points 0.02 picture
	// thousandths from it (package contour), misses π·4 by less than 0.01 %.
	if a := regionAreas(t, fig, 2)[1]; math.Abs(a/(4*math.Pi)-1) > 1e-4 {
		t.Errorf("the disc has area %v, want %v", a, 4*math.Pi)
	}
}

// stubborn scores like a line but rejects what it says: its Predict counts.
type stubborn struct{ ScoreFunc }

func (s stubborn) Predict(x mat.Matrix) ([]int, error) {
	n, _ := x.Dims()
	out := make([]int, n)
	for i := range out {
		if x.At(i, 0) < 0.25 {
			out[i] = 1
		}
	}
	return out, nil
}

func TestPredictionsOverruleScores(t *testing.T) {
	m := stubborn{func(x []float64) []float64 { return []float64{x[0] - 0.75} }}
	fig := must(Regions(m, square(), RegionsOptions{X: [2]float64{0, 1}, Y: [2]float64{0, 1}}))(t)
	for _, x := range column(t, fig, "boundary.x") {
		if math.Abs(x-0.25) > 1e-8 {
			t.Errorf("the boundary is at %v; the predictions change at 0.25", x)
		}
	}
}

func TestRegionsOfOddData(t *testing.T) {
	constant := PredictFunc(func([]float64) int { return 0 })
	for _, c := range []struct {
		name string
		d    *datasets.Dataset
	}{
		{"one class", plane(1, []int{0, 0}, 1, 2, 3, 4)},
		{"one point", plane(2, []int{1}, 1, 2)},
		{"all points equal", plane(2, []int{0, 1}, 5, 5, 5, 5)},
		{"huge", plane(2, []int{0, 1}, -1e9, 1e9, 1e9, -1e9)},
		{"tiny", plane(2, []int{0, 1}, 1e-9, 2e-9, 3e-9, 1e-9)},
		{"a class without points", plane(3, []int{0, 2}, 0, 0, 1, 1)},
	} {
		t.Run(c.name, func(t *testing.T) {
			fig := must(Regions(constant, c.d, RegionsOptions{}))(t)
			renders(t, fig)
		})
	}
}

func TestRegionsErrors(t *testing.T) {
	ok := PredictFunc(func([]float64) int { return 0 })
	many := make([]int, 9)
	nan := square()
	nan.X = mat.NewDense(2, 2, []float64{0, 0, 1, math.NaN()})
	for _, c := range []struct {
		name  string
		model classify.Predictor
		d     *datasets.Dataset
		o     RegionsOptions
		words []string
	}{
		{"nil model", nil, square(), RegionsOptions{}, []string{"model is nil"}},
		{"nil pointer", nilLogistic, square(), RegionsOptions{}, []string{"model is nil"}},
		{"nil data", ok, nil, RegionsOptions{}, []string{"data set is nil"}},
		{"no rows", ok, plane(2, nil), RegionsOptions{}, []string{"no rows"}},
		{"four features", ok, datasets.Iris(), RegionsOptions{}, []string{"4 features", "Columns"}},
		{"nine classes", ok, plane(9, many, make([]float64, 18)...), RegionsOptions{}, []string{"9 classes", "Class("}},
		{"NaN", ok, nan, RegionsOptions{}, []string{"row 1", "x2", "NaN"}},
		{"label out of range", ok, plane(1, []int{0, 4}, 0, 0, 1, 1), RegionsOptions{}, []string{"row 1", "label 4"}},
		{"class out of range", PredictFunc(func([]float64) int { return 7 }), square(), RegionsOptions{}, []string{"class 7", "0 to 1"}},
		{"falling range", ok, square(), RegionsOptions{X: [2]float64{2, 1}}, []string{"range X", "2 to 1"}},
		{"infinite range", ok, square(), RegionsOptions{Y: [2]float64{0, math.Inf(1)}}, []string{"range Y"}},
		{"far from zero", ok, plane(2, []int{0, 1}, 1e9, 1, 1e9+1, 2), RegionsOptions{}, []string{"x1", "1e+09 to 1.000000001e+09", "Standardize"}},
		{"grid", ok, square(), RegionsOptions{Grid: 3}, []string{"Grid is 3"}},
		{"NaN scores", ScoreFunc(func([]float64) []float64 { return []float64{math.NaN()} }), square(), RegionsOptions{}, []string{"NaN", "ScoreFunc"}},
		{"three scores, two classes", ScoreFunc(func([]float64) []float64 { return []float64{1, 0, 0} }), square(), RegionsOptions{}, []string{"3 scores", "2 classes"}},
		{"model fails", failing{}, square(), RegionsOptions{}, []string{"these two features", "no mood"}},
		{"too few predictions", short{}, square(), RegionsOptions{}, []string{"predicts 1 classes"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			refused(Regions(c.model, c.d, c.o))(t, append(c.words, "show: Regions")...)
		})
	}
}

type failing struct{}

func (failing) Predict(mat.Matrix) ([]int, error) { return nil, errors.New("no mood") }

type short struct{}

func (short) Predict(mat.Matrix) ([]int, error) { return []int{0}, nil }

func TestBoundaries(t *testing.T) {
	a, b := logit(0, 1, -1), logit(-1, 1, 1)
	fig := must(Boundaries(square(), BoundariesOptions{}, Named{"first", a}, Named{"$\\sigma$", b}))(t)
	renders(t, fig)
	x, y := column(t, fig, "first.x"), column(t, fig, "first.y")
	for i := range x {
		if math.Abs(x[i]-y[i]) > 1e-8 {
			t.Errorf("(%v, %v) is not on the line x1 = x2", x[i], y[i])
		}
	}
	column(t, fig, "σ.x")
	refused(Boundaries(square(), BoundariesOptions{}))(t, "no model")
	refused(Boundaries(square(), BoundariesOptions{}, Named{"bad", failing{}}))(t, "bad", "no mood")
	refused(Boundaries(square(), BoundariesOptions{}, make([]Named, 7)...))(t, "7 models")
}
