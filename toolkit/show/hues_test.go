package show

import (
	"image/color"
	"math"
	"strconv"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/hyperplane-notebooks/hyperplane/toolkit/classify"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/datasets"
)

// A class has one colour and one marker, those that it has in the whole set: no plot of
// versicolor and virginica shows the colour of setosa, and all show that of virginica.
func TestColoursBelongToClasses(t *testing.T) {
	iris := must(datasets.Iris().Columns("petal_length", "petal_width"))(t)
	d := must(iris.Class("versicolor", "virginica"))(t)
	target := must(d.Target("versicolor"))(t)
	lda := must(classify.FitLDA(d.X, d.Labels, d.K(), classify.LDAOptions{}))(t)
	logistic := must(classify.FitLogistic(d.X, target, classify.LogisticOptions{Prior: classify.Isotropic{Alpha: 0.1}}))(t)
	pairs := must(classify.FitOneVersusOne(d.X, d.Labels, d.K(), func(x mat.Matrix, t []float64) (classify.Scorer, error) {
		return classify.FitLogistic(x, t, classify.LogisticOptions{Prior: classify.Isotropic{Alpha: 0.1}})
	}, classify.OneVersusOneOptions{}))(t)
	raised := func() (*Figure, error) {
		s := PosteriorSheet("p", logistic, 0)
		s.Colors = PosteriorColors(d)
		return Surfaces(SurfacesOptions{Data: d}, s)
	}
	for name, draw := range map[string]func() (*Figure, error){
		"Regions":       func() (*Figure, error) { return Regions(lda, d, RegionsOptions{HidePoints: true}) },
		"points":        func() (*Figure, error) { return Boundaries(d, BoundariesOptions{}, Named{Name: "lda", Model: lda}) },
		"Posterior":     func() (*Figure, error) { return Posterior(logistic, d, PosteriorOptions{HidePoints: true}) },
		"Densities":     func() (*Figure, error) { return Densities(lda, d, DensitiesOptions{HidePoints: true}) },
		"Discriminants": func() (*Figure, error) { return Discriminants(lda, d, DiscriminantsOptions{HidePoints: true}) },
		"pairs": func() (*Figure, error) {
			return Discriminants(pairs, d, DiscriminantsOptions{HidePoints: true, Tint: true})
		},
		"Decisions": func() (*Figure, error) {
			return Decisions(DecideFunc(func(x []float64) int { return min(1, max(0, int(x[1]))) }), d, DecisionsOptions{HidePoints: true})
		},
		"Projections": func() (*Figure, error) {
			return Projections(d, ProjectionsOptions{}, Direction{Name: "w", W: []float64{1, 1}})
		},
		"Surfaces": func() (*Figure, error) {
			return Surfaces(SurfacesOptions{Data: d}, DensitySheet("1", lda, 0), DensitySheet("2", lda, 1))
		},
		"by number": func() (*Figure, error) {
			return Surfaces(SurfacesOptions{Data: d}, Sheet{Name: "1", Z: func(a, _ float64) float64 { return a }}, Sheet{Name: "2", Z: func(_, b float64) float64 { return b }})
		},
		"Colors": raised,
	} {
		svg := string(must(must(draw())(t).SVG())(t))
		if !hasHue(svg, ClassColor(2)) {
			t.Errorf("%s: virginica is not in its colour", name)
		}
		if hasHue(svg, ClassColor(0)) {
			t.Errorf("%s: the colour of setosa is in it", name)
		}
	}
	f := must(Regions(lda, d, RegionsOptions{}))(t)
	for i, it := range f.legend[:2] {
		style := it.thumbs[0].(pointLayer).style
		if got, want := style.Shape.(glyph).symbol, markers[i+1].(glyph).symbol; got != want {
			t.Errorf("%s has the marker %s, want %s", it.name, got, want)
		}
	}
	// Three classes, mixed by the posterior.
	turned := must(iris.Class("virginica", "setosa", "versicolor"))(t)
	m := must(classify.FitLDA(turned.X, turned.Labels, 3, classify.LDAOptions{}))(t)
	p := must(newPlane(m, turned, planeView{}))(t)
	img := must(p.mixture(func(x mat.Matrix) (*mat.Dense, error) {
		n, _ := x.Dims()
		certain := mat.NewDense(n, 3, nil)
		for i := range n {
			certain.Set(i, 0, 1)
		}
		return certain, nil
	}))(t)
	if got, want := img.At(3, 3), mix(paper, ClassColor(2), 0.55); got != want {
		t.Errorf("certain virginica is %v, want %v", got, want)
	}
}

// Colours that would meet in one are given anew.
func TestHuesThatMeet(t *testing.T) {
	d := must(datasets.Iris().Columns("petal_length", "petal_width"))(t)
	for _, hues := range [][]int{{1, 1 + MaxClasses, 3}, {2, 2, 0}} {
		d.Hues = hues
		for k, h := range huesOf(d) {
			if h != k {
				t.Errorf("hues %v: class %d is drawn as %d", hues, k, h)
			}
		}
	}
}

// hasHue reports whether a picture has a colour of the hue of c: tints and shades keep it.
func hasHue(svg string, c color.NRGBA) bool {
	want, _ := hueOf(c)
	for _, part := range strings.Split(svg, `"#`)[1:] {
		n, err := strconv.ParseUint(part[:6], 16, 32)
		if err != nil {
			continue
		}
		hue, colourful := hueOf(color.NRGBA{uint8(n >> 16), uint8(n >> 8), uint8(n), 255})
		if colourful && math.Abs(hue-want) < 5 {
			return true
		}
	}
	return false
}

// hueOf returns the angle of a colour on the wheel, and whether it is not nearly grey.
func hueOf(c color.NRGBA) (degrees float64, colourful bool) {
	r, g, b := float64(c.R), float64(c.G), float64(c.B)
	return 180 / math.Pi * math.Atan2(math.Sqrt(3)*(g-b), 2*r-g-b), max(r, g, b)-min(r, g, b) > 12
}
