package show

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/hyperplane-notebooks/hyperplane/toolkit/classify"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/show/internal/contour"
)

func gridOf(t *testing.T, n int) (g contour.Grid) {
	t.Helper()
	g = must(checkGrid(n))(t)
	return g
}

func fitQDA(t *testing.T, k int) *classify.QDA {
	t.Helper()
	d := petals(t)
	m := must(classify.FitQDA(d.X, d.Labels, k, classify.QDAOptions{}))(t)
	return m
}

// mahalanobis returns √((x−μ)ᵀΣ⁻¹(x−μ)) for 2×2.
func mahalanobis(x, y float64, mu []float64, s mat.Symmetric) float64 {
	a, b, c := s.At(0, 0), s.At(0, 1), s.At(1, 1)
	u, v := x-mu[0], y-mu[1]
	return math.Sqrt((c*u*u - 2*b*u*v + a*v*v) / (a*c - b*b))
}

func TestDensitiesOfGaussiansAreEllipses(t *testing.T) {
	m := fitQDA(t, 3)
	fig := must(Densities(m, petals(t), DensitiesOptions{X: [2]float64{-1, 9}, Y: [2]float64{-1, 4}}))(t)
	renders(t, fig)
	class, level := column(t, fig, "contour.class"), column(t, fig, "contour.level")
	x, y := column(t, fig, "contour.x"), column(t, fig, "contour.y")
	if len(x) < 9*20 {
		t.Errorf("nine ellipses have %d points", len(x))
	}
	for i := range x {
		k := int(class[i])
		want := math.Sqrt(-2 * math.Log(level[i])) // 1, 2, 3
		if got := mahalanobis(x[i], y[i], m.Means.RawRowView(k), m.Sigma[k]); math.Abs(got-want) > 1e-6 {
			t.Errorf("class %d: %v standard deviations on the contour of %v", k, got, want)
		}
	}
	for i, p := range column(t, fig, "peak.value") {
		if want := 1 / (2 * math.Pi * math.Sqrt(mat.Det(m.Sigma[i]))); math.Abs(p-want) > 1e-7*want {
			t.Errorf("class %d: the peak is %v, want %v", i, p, want)
		}
	}
}

func TestMarginalContoursLieOnTheirLevels(t *testing.T) {
	m := fitQDA(t, 3)
	fig := must(Marginal(m, petals(t), DensitiesOptions{Grid: 80}))(t)
	renders(t, fig)
	level, x, y := column(t, fig, "contour.level"), column(t, fig, "contour.x"), column(t, fig, "contour.y")
	peak := column(t, fig, "peak.value")[0]
	pts := mat.NewDense(len(x), 2, nil)
	pts.SetCol(0, x)
	pts.SetCol(1, y)
	p := must(m.LogMarginal(pts))(t)
	for i := range x {
		if got := math.Exp(p[i]) / peak; math.Abs(got-level[i]) > 1e-6 {
			t.Errorf("p is %v of the peak on the contour %v", got, level[i])
		}
	}
}

// noDensity returns a constant.
type noDensity float64

func (v noDensity) LogDensities(x mat.Matrix) (*mat.Dense, error) {
	n, _ := x.Dims()
	out := mat.NewDense(n, 2, nil)
	for i := range n {
		out.Set(i, 0, float64(v))
		out.Set(i, 1, math.Inf(-1))
	}
	return out, nil
}

func (v noDensity) LogMarginal(x mat.Matrix) ([]float64, error) {
	n, _ := x.Dims()
	out := make([]float64, n)
	for i := range out {
		out[i] = float64(v)
	}
	return out, nil
}

func TestDensitiesErrorsAndEmptyClasses(t *testing.T) {
	o := DensitiesOptions{Grid: 20}
	refused(Densities(nil, square(), o))(t, "show: Densities", "nil")
	refused(Marginal((*classify.QDA)(nil), square(), o))(t, "show: Marginal", "nil")
	refused(Densities(noDensity(math.NaN()), square(), o))(t, "NaN")
	refused(Densities(noDensity(math.Inf(1)), square(), o))(t, "infinite")
	refused(Densities(noDensity(math.Inf(-1)), square(), o))(t, "density is 0", "ranges")
	refused(Marginal(noDensity(math.Inf(-1)), square(), o))(t, "density is 0")
	refused(Marginal(noDensity(math.NaN()), square(), o))(t, "NaN")
	refused(Densities(noDensity(0), corners3(), o))(t, "3 classes")
	refused(Densities(fitQDA(t, 3), petals(t), DensitiesOptions{Levels: []float64{2}}))(t, "Levels")
	// A flat density, and a class without one.
	fig := must(Densities(noDensity(0), square(), o))(t)
	if c := column(t, fig, "peak.class"); len(c) != 1 || c[0] != 0 {
		t.Errorf("peaks of the classes %v, want that of class 0", c)
	}
	renders(t, fig)
}

func TestContoursOfGaussians(t *testing.T) {
	for _, scale := range []float64{1, 1e9, 1e-9} {
		mean := []float64{2 * scale, -1 * scale}
		cov := mat.NewSymDense(2, []float64{4 * scale * scale, 1.2 * scale * scale, 1.2 * scale * scale, scale * scale})
		g := must(GaussianDensity("Laplace", mean, cov))(t)
		other := Density{Name: "exact", Log: func(a, b float64) float64 { return 7 + 2*g.Log(a, b) }}
		samples := mat.NewDense(2, 2, []float64{mean[0], mean[1], mean[0] + scale, mean[1]})
		fig := must(Contours(ContoursOptions{Samples: samples, Filled: true, XLabel: "$w_0$"}, g, other))(t)
		renders(t, fig)
		for _, c := range []struct {
			name string
			by   float64 // the second density is √2 narrower
		}{{"Laplace", 1}, {"exact", math.Sqrt2}} {
			level, x, y := column(t, fig, c.name+".level"), column(t, fig, c.name+".x"), column(t, fig, c.name+".y")
			for i := range x {
				want := math.Sqrt(-2*math.Log(level[i])) / c.by
				if got := mahalanobis(x[i], y[i], mean, cov); math.Abs(got-want) > 1e-6 {
					t.Errorf("scale %g %s: %v standard deviations, want %v", scale, c.name, got, want)
				}
			}
		}
		if p := column(t, fig, "exact.peak")[0]; math.Abs(p-7) > 1e-9 {
			t.Errorf("scale %g: the peak is %v, want 7", scale, p)
		}
	}
}

func TestContoursErrors(t *testing.T) {
	at := ContoursOptions{X: [2]float64{0, 1}, Y: [2]float64{0, 1}, Grid: 20}
	flat := func(v float64) Density { return Density{Name: "f", Log: func(_, _ float64) float64 { return v }} }
	for _, c := range []struct {
		name  string
		o     ContoursOptions
		d     []Density
		words []string
	}{
		{"none", at, nil, []string{"no density"}},
		{"seven", at, make([]Density, 7), []string{"7 densities"}},
		{"nil", at, []Density{{Name: "f"}}, []string{`"f" is nil`}},
		{"nowhere", ContoursOptions{}, []Density{flat(0)}, []string{"option X"}},
		{"NaN", at, []Density{flat(math.NaN())}, []string{"NaN"}},
		{"zero", at, []Density{flat(math.Inf(-1))}, []string{"f is 0", "ranges"}},
		{"infinite", at, []Density{flat(math.Inf(1))}, []string{"infinite"}},
		{"three columns", ContoursOptions{Samples: mat.NewDense(4, 3, nil)}, []Density{flat(0)}, []string{"4×3"}},
		{"bad sample", ContoursOptions{Samples: mat.NewDense(1, 2, []float64{math.NaN(), 0})}, []Density{flat(0)}, []string{"row 0", "NaN"}},
		{"indistinct", ContoursOptions{Samples: mat.NewDense(2, 2, []float64{1e9, 0, 1e9 + 1, 1})}, []Density{flat(0)}, []string{"nine digits"}},
		{"range", ContoursOptions{X: [2]float64{1, 0}, Y: [2]float64{0, 1}}, []Density{flat(0)}, []string{"range X"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			refused(Contours(c.o, c.d...))(t, append(c.words, "show: Contours")...)
		})
	}
	refused(GaussianDensity("g", []float64{1}, mat.NewSymDense(2, nil)))(t, "mean of 2")
	refused(GaussianDensity("g", []float64{1, 2}, mat.NewSymDense(2, []float64{1, 2, 2, 1})))(t, "positive definite")
	refused(GaussianDensity("g", []float64{1, 2}, (*mat.SymDense)(nil)))(t, "covariance")
}
