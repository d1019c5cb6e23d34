package figures

import (
	"fmt"
	"math"
	"testing"

	"github.com/hyperplane-notebooks/hyperplane/toolkit/show"
)

func init() {
	addProperties(property{
		name: "fig-prml-4.12: the boundary is linear in φ, curved in x, and fewer points are misclassified",
		// Bells as wide as these are all but linear where the points are.
		wrong: with(PRML4x12, PRML4x12Options{Width: 100}),
		holds: func(d show.Data) error {
			w, _ := d.Column("model.w")
			x, _ := d.Column("b.boundary.x")
			y, _ := d.Column("b.boundary.y")
			if len(x) != 2 || len(w) != 3 {
				return fmt.Errorf("the boundary in φ has %d points: a straight line has two", len(x))
			}
			scale := math.Hypot(w[1], w[2])
			for i := range x {
				if a := (w[0] + w[1]*x[i] + w[2]*y[i]) / scale; math.Abs(a) > 1e-7 {
					return fmt.Errorf("(%v, %v) of the boundary in φ is %v off the line", x[i], y[i], a)
				}
			}
			// The curve in x is the same line: its points, through the basis functions (with the
			// default width), lie on it.
			cx, _ := d.Column("a.centres.x")
			cy, _ := d.Column("a.centres.y")
			x, _ = d.Column("a.boundary.x")
			y, _ = d.Column("a.boundary.y")
			piece, _ := d.Column("a.boundary.piece")
			phi := func(j int, x, y float64) float64 {
				return math.Exp(-(math.Pow(x-cx[j], 2) + math.Pow(y-cy[j], 2)) / (2 * 1.3 * 1.3))
			}
			bend := 0.0
			for i := range x {
				if a := (w[0] + w[1]*phi(0, x[i], y[i]) + w[2]*phi(1, x[i], y[i])) / scale; math.Abs(a) > 1e-6 {
					return fmt.Errorf("(%v, %v) of the boundary in x is %v off the line in φ", x[i], y[i], a)
				}
				if i > 1 && piece[i] == piece[i-2] { // three points in a row span a triangle
					dx, dy := x[i]-x[i-2], y[i]-y[i-2]
					bend = max(bend, math.Abs((x[i-1]-x[i-2])*dy-(y[i-1]-y[i-2])*dx))
				}
			}
			if bend < 1e-5 {
				return fmt.Errorf("the boundary in x is straight: it bends by %v", bend)
			}
			before, after := value(d, "mistakes.x"), value(d, "mistakes.φ")
			if !(after < before/10) {
				return fmt.Errorf("%v mistakes on x, %v on φ", before, after)
			}
			// The number is that of the points on the wrong side of the line drawn in φ.
			px, _ := d.Column("b.points.x")
			py, _ := d.Column("b.points.y")
			class, _ := d.Column("b.points.class")
			wrong := 0.0
			for i := range px {
				if (w[0]+w[1]*px[i]+w[2]*py[i] > 0) != (class[i] == 0) {
					wrong++
				}
			}
			if wrong != after {
				return fmt.Errorf("%v points are drawn on the wrong side, the number says %v", wrong, after)
			}
			return nil
		},
	})
}

func TestPRML4x12Errors(t *testing.T) {
	refuses(t, PRML4x12, map[string]PRML4x12Options{
		"negative N":       {N: -1},
		"negative width":   {Width: -1},
		"NaN width":        {Width: math.NaN()},
		"one centre":       {Centres: [][]float64{{0, 0}}},
		"no centres":       {Centres: [][]float64{}},
		"centre of three":  {Centres: [][]float64{{0, 0}, {1, 2, 3}}},
		"centre at ∞":      {Centres: [][]float64{{0, 0}, {1, math.Inf(1)}}},
		"centres of no xy": {Centres: [][]float64{nil, nil}},
	})
	// Far centres leave both functions at 0, and a boundary nowhere: not an error.
	for _, c := range [][]float64{{50, 50}, {-1.5, -1}} {
		if _, err := PRML4x12(PRML4x12Options{Centres: [][]float64{{-1.5, -1}, c}}); err != nil {
			t.Errorf("centre %v: %v", c, err)
		}
	}
}
