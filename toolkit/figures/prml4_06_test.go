package figures

import (
	"fmt"
	"math"
	"testing"

	"github.com/hyperplane-notebooks/hyperplane/toolkit/show"
)

func init() {
	addProperties(property{
		name: "fig-prml-4.6: Fisher's J is the largest of all directions, its overlap less than half",
		// Round classes: both directions are nearly the same.
		wrong: with(PRML4x6, PRML4x6Options{Elongation: 1}),
		holds: func(d show.Data) error {
			class, _ := d.Column("Fisher.class")
			a, _ := d.Column("line of the means.y")
			b, _ := d.Column("Fisher.y")
			ja, jb := fisherOf(a, class), fisherOf(b, class)
			if math.Abs(ja-value(d, "line of the means.fisher")) > 1e-8 || math.Abs(jb-value(d, "Fisher.fisher")) > 1e-8 {
				return fmt.Errorf("J of the drawn projections is %v and %v", ja, jb)
			}
			if !(jb > 2*ja) {
				return fmt.Errorf("J is %v for Fisher, %v for the line of the means", jb, ja)
			}
			// Any other direction's projection is a combination of these two.
			y := make([]float64, len(a))
			for degrees := range 180 {
				sin, cos := math.Sincos(float64(degrees) * math.Pi / 180)
				for i := range y {
					y[i] = cos*a[i] + sin*b[i]
				}
				if j := fisherOf(y, class); j > jb*(1+1e-6) {
					return fmt.Errorf("a direction has J = %v, larger than %v of Fisher's", j, jb)
				}
			}
			if m, f := value(d, "line of the means.overlap"), value(d, "Fisher.overlap"); !(f < m/2) {
				return fmt.Errorf("the histograms share %v on Fisher's direction, %v on the line of the means", f, m)
			}
			// The line of the means keeps them farthest apart, (4.22).
			if gapOf(a, class) < gapOf(b, class) {
				return fmt.Errorf("the projected means are %v apart on their line, %v on Fisher's", gapOf(a, class), gapOf(b, class))
			}
			return nil
		},
	})
}

// moments returns means and scatters Σ(y−m)² of both classes.
func moments(y, class []float64) (m, s [2]float64) {
	var n [2]float64
	for i, c := range class {
		n[int(c)]++
		m[int(c)] += y[i]
	}
	m[0], m[1] = m[0]/n[0], m[1]/n[1]
	for i, c := range class {
		s[int(c)] += (y[i] - m[int(c)]) * (y[i] - m[int(c)])
	}
	return m, s
}

// fisherOf returns J, PRML (4.25).
func fisherOf(y, class []float64) float64 {
	m, s := moments(y, class)
	return (m[1] - m[0]) * (m[1] - m[0]) / (s[0] + s[1])
}

func gapOf(y, class []float64) float64 {
	m, _ := moments(y, class)
	return math.Abs(m[1] - m[0])
}

func TestPRML4x6Errors(t *testing.T) {
	refuses(t, PRML4x6, map[string]PRML4x6Options{
		"negative N":         {N: -1},
		"one point":          {N: 1},
		"short long axis":    {Elongation: 0.5},
		"NaN elongation":     {Elongation: math.NaN()},
		"infinite angle":     {Angle: math.Inf(1)},
		"negative bin count": {Bins: -1},
	})
}
