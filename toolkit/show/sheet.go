package show

import (
	"fmt"
	"image/color"
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/hyperplane-notebooks/hyperplane/toolkit/classify"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/datasets"
)

// A Sheet is a function of two variables, to be drawn as a surface. [ScoreSheet],
// [PosteriorSheet] and [DensitySheet] make sheets of models.
type Sheet struct {
	Name string
	Z    func(a, b float64) float64
	// Color of the sheet; the zero colour is that of its class, for a sheet of
	// numbers that of the class of its place.
	Color color.NRGBA
	// Colors, if not nil, gives the colour at height z instead, for a single
	// sheet: [PosteriorColor], say.
	Colors func(z float64) color.NRGBA

	rows  heightFunc // in place of Z
	class int        // of its model, from 1; 0 for none
}

// number is the class of the sheet, else its place.
func (s Sheet) number(place int) int {
	if s.class > 0 {
		return s.class - 1
	}
	return place
}

// PosteriorColor returns the colour of a posterior p(C₁|x): that of C₂ at 0, white
// at one half and that of C₁ at 1.
func PosteriorColor(p float64) color.NRGBA { return posteriorColor(nil, p) }

// PosteriorColors is [PosteriorColor] with the colours that the first two classes of d
// have. Of a nil d it is PosteriorColor.
func PosteriorColors(d *datasets.Dataset) func(p float64) color.NRGBA {
	if d == nil {
		return PosteriorColor
	}
	hues := huesOf(d)
	return func(p float64) color.NRGBA { return posteriorColor(hues, p) }
}

func posteriorColor(hues []int, p float64) color.NRGBA {
	k := 0
	if p < 0.5 {
		k = 1
	}
	return mix(paper, ClassColor(hueIn(hues, k)), 0.85*min(1, math.Abs(2*p-1)))
}

// ScoreSheet returns the activation a_k(x) of a model as a sheet.
func ScoreSheet(name string, m classify.Scorer, k int) Sheet {
	return modelSheet(name, m, k, func(x mat.Matrix) (*mat.Dense, error) { return m.Scores(x) }, func(v float64) float64 { return v })
}

// PosteriorSheet returns the posterior p(C_k|x) of a model as a sheet.
func PosteriorSheet(name string, m classify.Prober, k int) Sheet {
	return modelSheet(name, m, k, func(x mat.Matrix) (*mat.Dense, error) { return m.Posterior(x) }, func(v float64) float64 { return v })
}

// DensitySheet returns the density p(x|C_k) of a model as a sheet.
func DensitySheet(name string, m ClassDensities, k int) Sheet {
	return modelSheet(name, m, k, func(x mat.Matrix) (*mat.Dense, error) { return m.LogDensities(x) }, math.Exp)
}

// modelSheet returns f of column k of a table of the model as a sheet.
func modelSheet(name string, m any, k int, t table, f func(float64) float64) Sheet {
	s := Sheet{Name: name, class: max(0, k) + 1}
	if isNil(m) {
		return s
	}
	s.rows = func(x *mat.Dense) ([]float64, error) {
		a, err := t(x)
		if err != nil {
			return nil, fmt.Errorf("the model has no answer for points of the plane (was it fitted on two features?): %w", err)
		}
		n, classes := 0, 0
		if a != nil {
			n, classes = a.Dims()
		}
		if want, _ := x.Dims(); n != want || k < 0 || k >= classes {
			return nil, fmt.Errorf("there is no class %d: the model returned %d×%d numbers for %d points", k, n, classes, want)
		}
		out := mat.Col(nil, k, a)
		for i, v := range out {
			out[i] = f(v)
		}
		return out, nil
	}
	return s
}

// values returns the heights at the rows of x, rounded.
func (s Sheet) values(x *mat.Dense) ([]float64, error) {
	f := s.rows
	if f == nil {
		if s.Z == nil {
			return nil, fmt.Errorf("the sheet %q has neither function nor model", s.Name)
		}
		f = pointwise(s.Z)
	}
	z, err := f.at(x)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", plain(s.Name), err)
	}
	return rounded9(z), nil
}
