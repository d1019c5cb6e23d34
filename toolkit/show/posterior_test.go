package show

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/hyperplane-notebooks/hyperplane/toolkit/classify"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/datasets"
)

func TestPosteriorContoursLieOnTheirLevels(t *testing.T) {
	// a = 4 x1 − 3 x2 + 0.2; at level p the contour is the line a = ln p/(1−p).
	for _, scale := range []float64{1, 200} { // 200: the posterior is 0 or 1 nearly everywhere
		m := logit(0.2*scale, 4*scale, -3*scale)
		fig := must(Posterior(m, square(), PosteriorOptions{}))(t)
		renders(t, fig)
		level, x, y := column(t, fig, "contour.level"), column(t, fig, "contour.x"), column(t, fig, "contour.y")
		seen := map[float64]int{}
		for i := range x {
			seen[level[i]]++
			a := scale * (0.2 + 4*x[i] - 3*y[i])
			want := math.Log(level[i] / (1 - level[i]))
			if math.Abs(a-want) > 1e-7*scale { // nine digits of the coordinates
				t.Errorf("scale %v: a(%v, %v) = %v on the contour %v, want %v", scale, x[i], y[i], a, level[i], want)
			}
		}
		for _, l := range []float64{0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9} {
			if seen[l] != 2 {
				t.Errorf("scale %v: the contour %v has %d points, want the two ends of a straight line", scale, l, seen[l])
			}
		}
	}
}

// threeGaussians is the posterior of three round densities.
func threeGaussians(x []float64) []float64 {
	p := make([]float64, 3)
	sum := 0.0
	for k, m := range [][2]float64{{0, 0}, {1, 0}, {0.5, 1}} {
		p[k] = math.Exp(-4 * ((x[0]-m[0])*(x[0]-m[0]) + (x[1]-m[1])*(x[1]-m[1])))
		sum += p[k]
	}
	for k := range p {
		p[k] /= sum
	}
	return p
}

func TestPosteriorOfThreeClasses(t *testing.T) {
	d := plane(3, []int{0, 1, 2}, 0, 0, 1, 0, 0.5, 1)
	fig := must(Posterior(PosteriorFunc(threeGaussians), d, PosteriorOptions{Levels: []float64{0.6, 0.9}}))(t)
	renders(t, fig)
	class, level := column(t, fig, "contour.class"), column(t, fig, "contour.level")
	x, y := column(t, fig, "contour.x"), column(t, fig, "contour.y")
	for i := range x {
		if p := threeGaussians([]float64{x[i], y[i]})[int(class[i])]; math.Abs(p-level[i]) > 1e-7 {
			t.Errorf("p of class %v at (%v, %v) is %v, want %v", class[i], x[i], y[i], p, level[i])
		}
	}
	bi, bj := column(t, fig, "boundary.i"), column(t, fig, "boundary.j")
	bx, by := column(t, fig, "boundary.x"), column(t, fig, "boundary.y")
	for n := range bx {
		p := threeGaussians([]float64{bx[n], by[n]})
		if d := p[int(bi[n])] - p[int(bj[n])]; math.Abs(d) > 1e-7 {
			t.Errorf("the posteriors of %v and %v differ by %g at (%v, %v)", bi[n], bj[n], d, bx[n], by[n])
		}
	}
}

func TestPosteriorOfAFit(t *testing.T) {
	d := must(petals(t).Class("versicolor", "virginica"))(t)
	target := must(d.Target("versicolor"))(t)
	m := must(classify.FitLogistic(d.X, target, classify.LogisticOptions{}))(t)
	fig := must(Posterior(m, d, PosteriorOptions{Levels: []float64{0.5}}))(t)
	x, y := column(t, fig, "contour.x"), column(t, fig, "contour.y")
	if len(x) != 2 {
		t.Fatalf("the contour has %d points, want 2", len(x))
	}
	for i := range x {
		if a := m.W[0] + m.W[1]*x[i] + m.W[2]*y[i]; math.Abs(a) > 1e-6 {
			t.Errorf("a(%v, %v) = %v on p = 0.5", x[i], y[i], a)
		}
	}
}

func TestPosteriorErrors(t *testing.T) {
	ok := logit(0, 1, 1)
	for _, c := range []struct {
		name  string
		model classify.Prober
		d     *datasets.Dataset
		o     PosteriorOptions
		words []string
	}{
		{"nil model", nil, square(), PosteriorOptions{}, []string{"model is nil"}},
		{"nil function", PosteriorFunc(nil), square(), PosteriorOptions{}, []string{"model is nil"}},
		{"one class", ok, plane(1, []int{0}, 1, 2), PosteriorOptions{}, []string{"1 class"}},
		{"levels fall", ok, square(), PosteriorOptions{Levels: []float64{0.5, 0.2}}, []string{"Levels", "rise"}},
		{"level 1", ok, square(), PosteriorOptions{Levels: []float64{1}}, []string{"Levels"}},
		{"no distribution", PosteriorFunc(func([]float64) []float64 { return []float64{0.5, 0.7} }), square(), PosteriorOptions{}, []string{"sum to 1.2"}},
		{"negative", PosteriorFunc(func([]float64) []float64 { return []float64{-0.5, 1.5} }), square(), PosteriorOptions{}, []string{"class 0 is -0.5"}},
		{"above one", PosteriorFunc(func([]float64) []float64 { return []float64{1.5} }), square(), PosteriorOptions{}, []string{"class 1 is -0.5"}},
		{"NaN", PosteriorFunc(func([]float64) []float64 { return []float64{math.NaN()} }), square(), PosteriorOptions{}, []string{"NaN"}},
		{"nothing", PosteriorFunc(func([]float64) []float64 { return nil }), square(), PosteriorOptions{}, []string{"returned nothing"}},
		{"changing", PosteriorFunc(func(x []float64) []float64 {
			if x[0] > 0.5 {
				return []float64{0.2, 0.3, 0.5}
			}
			return []float64{0.5, 0.5}
		}), square(), PosteriorOptions{}, []string{"3 numbers", "2 before"}},
		{"no table", empty{}, square(), PosteriorOptions{}, []string{"no scores"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			refused(Posterior(c.model, c.d, c.o))(t, append(c.words, "show: Posterior")...)
		})
	}
}

type empty struct{}

func (empty) Posterior(mat.Matrix) (*mat.Dense, error) { return nil, nil }

func TestAdaptorsDoNotShareRows(t *testing.T) {
	x := mat.NewDense(2, 2, []float64{1, 2, 3, 4})
	var kept [][]float64
	f := ScoreFunc(func(row []float64) []float64 { kept = append(kept, row); row[0] = 99; return []float64{1} })
	if _, err := f.Predict(x); err != nil {
		t.Fatal(err)
	}
	if x.At(0, 0) != 1 || x.At(1, 0) != 3 {
		t.Error("a function that changes its argument changed the data")
	}
	if kept[0][1] != 2 {
		t.Error("a function that keeps its argument sees it change")
	}
}
