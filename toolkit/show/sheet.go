package show

import (
	"fmt"
	"image/color"
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/hyperplane-notebooks/hyperplane/toolkit/classify"
)

// A Sheet is a function of two variables, to be drawn as a surface. [ScoreSheet],
// [PosteriorSheet] and [DensitySheet] make sheets of models.
type Sheet struct {
	Name string
	Z    func(a, b float64) float64
	// Color of the sheet; the zero colour is that of the class of its number.
	Color color.NRGBA
	// Colors, if not nil, gives the colour at height z instead, for a single
	// sheet: [PosteriorColor], say.
	Colors func(z float64) color.NRGBA

	rows func(x *mat.Dense) ([]float64, error) // in place of Z
}

// PosteriorColor returns the colour of a posterior p(C₁|x): that of C₂ at 0, white
// at one half and that of C₁ at 1.
func PosteriorColor(p float64) color.NRGBA {
	k := 0
	if p < 0.5 {
		k = 1
	}
	return mix(paper, ClassColor(k), 0.85*min(1, math.Abs(2*p-1)))
}

// ScoreSheet returns the activation a_k(x) of a model as a sheet.
func ScoreSheet(name string, m classify.Scorer, k int) Sheet {
	s := Sheet{Name: name, Color: ClassColor(k)}
	if !isNil(m) {
		s.rows = columnOf(m.Scores, k, func(v float64) float64 { return v })
	}
	return s
}

// PosteriorSheet returns the posterior p(C_k|x) of a model as a sheet.
func PosteriorSheet(name string, m classify.Prober, k int) Sheet {
	s := Sheet{Name: name, Color: ClassColor(k)}
	if !isNil(m) {
		s.rows = columnOf(m.Posterior, k, func(v float64) float64 { return v })
	}
	return s
}

// DensitySheet returns the density p(x|C_k) of a model as a sheet.
func DensitySheet(name string, m ClassDensities, k int) Sheet {
	s := Sheet{Name: name, Color: ClassColor(k)}
	if !isNil(m) {
		s.rows = columnOf(m.LogDensities, k, math.Exp)
	}
	return s
}

// columnOf returns f of column k of a table of the model, row by row.
func columnOf(table func(mat.Matrix) (*mat.Dense, error), k int, f func(float64) float64) func(x *mat.Dense) ([]float64, error) {
	return func(x *mat.Dense) ([]float64, error) {
		a, err := table(x)
		if err != nil {
			return nil, fmt.Errorf("the model says nothing about points of the plane (was it fitted on two features?): %w", err)
		}
		n, classes := 0, 0
		if a != nil {
			n, classes = a.Dims()
		}
		if want, _ := x.Dims(); n != want || k < 0 || k >= classes {
			return nil, fmt.Errorf("there is no class %d: the model returned %d×%d numbers for %d points", k, n, classes, want)
		}
		out := make([]float64, n)
		for i := range out {
			out[i] = f(a.At(i, k))
		}
		return out, nil
	}
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
	z, err := (&height{f: f}).at(x)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", plain(s.Name), err)
	}
	out := make([]float64, len(z))
	for i, v := range z {
		out[i] = round9(v)
	}
	return out, nil
}
