package figures

import (
	"math"

	"github.com/hyperplane-notebooks/hyperplane/toolkit/show"
)

var discriminantProperties = []property{
	{
		name:  "fig-prml-4.4: outliers turn least squares by more than 15°, logistic by less than 3°",
		wrong: with(PRML4x4, PRML4x4Options{Outliers: 1, N: 500}),
		holds: func(d show.Data) {
			ls, lg := single(d, "turn.least squares"), single(d, "turn.logistic")
			need(ls > 15 && lg < 3, "least squares turns by %v°, logistic by %v°", ls, lg)
			turnsAsDrawn(d)
		},
	},
	{
		name: "fig-prml-4.5: recall of the middle class below 0.5 for least squares, above 0.95 for logistic",
		// At the corners of a triangle no class is masked.
		wrong: with(PRML4x5, PRML4x5Options{Shift: 4}),
		holds: func(d show.Data) {
			ls, lg := column(d, "recall.least squares"), column(d, "recall.logistic")
			need(len(ls) == 3 && len(lg) == 3 && ls[1] < 0.5 && lg[1] > 0.95, "recall %v of least squares, %v of logistic", ls, lg)
			// The numbers are those of the drawn points in the drawn regions.
			for panel, want := range map[string][]float64{"a.": ls, "b.": lg} {
				near(want[1], drawnRecall(d, panel, 1), 1e-9, panel+": the share of the middle class in its region")
			}
		},
	},
	{
		name: "fig-prml-4.6: Fisher's J is the largest of all directions, its overlap less than half",
		// Round classes: both directions are nearly the same.
		wrong: with(PRML4x6, PRML4x6Options{Elongation: 1}),
		holds: func(d show.Data) {
			class, a, b := column(d, "Fisher.class"), column(d, "line of the means.y"), column(d, "Fisher.y")
			ja, gapA := fisherOf(a, class)
			jb, gapB := fisherOf(b, class)
			near(single(d, "line of the means.fisher"), ja, 1e-8, "J on the line of the means")
			near(single(d, "Fisher.fisher"), jb, 1e-8, "J on Fisher's direction")
			need(jb > 2*ja, "J is %v for Fisher, %v for the line of the means", jb, ja)
			// Any other direction's projection is a combination of these two.
			y := make([]float64, len(a))
			for degrees := range 180 {
				sin, cos := math.Sincos(float64(degrees) * math.Pi / 180)
				for i := range y {
					y[i] = cos*a[i] + sin*b[i]
				}
				j, _ := fisherOf(y, class)
				need(j <= jb*(1+1e-6), "a direction has J = %v, larger than %v of Fisher's", j, jb)
			}
			m, f := single(d, "line of the means.overlap"), single(d, "Fisher.overlap")
			need(f < m/2, "the histograms share %v on Fisher's direction, %v on the line of the means", f, m)
			// The line of the means keeps them farthest apart, (4.22).
			need(gapA >= gapB, "the projected means are %v apart on their line, %v on Fisher's", gapA, gapB)
		},
	},
	{
		name: "fig-prml-4.7: each step adds one misclassified φ, the last panel has no mistake",
		// Stopped too early, the last panel has mistakes.
		wrong: with(PRML4x7, PRML4x7Options{Steps: 2}),
		holds: func(d show.Data) {
			w0, w1, w2 := column(d, "w.0"), column(d, "w.1"), column(d, "w.2")
			x, y, t, eta := column(d, "mistake.x"), column(d, "mistake.y"), column(d, "mistake.t"), single(d, "rate")
			need(len(w0) == len(x)+1 && len(x) != 0, "%d weights and %d corrections", len(w0), len(x))
			for i := range x {
				need(affine([]float64{w0[i], w1[i], w2[i]}, x[i], y[i])*t[i] <= 0, "correction %d: the point (%v, %v) is on its own side already", i, x[i], y[i])
				for j, step := range []float64{w0[i+1] - w0[i] - eta*t[i], w1[i+1] - w1[i] - eta*t[i]*x[i], w2[i+1] - w2[i] - eta*t[i]*y[i]} {
					// PRML (4.55), with numbers rounded to nine digits
					need(math.Abs(step) <= 1e-8, "correction %d: weight %d is off η t φ by %v", i, j, step)
				}
			}
			// The last panel, counted on the drawn points.
			px, py, class := drawn(d, "d.points")
			last := len(w0) - 1
			need(len(px) > 0 && wrongSide(d, "d.points", []float64{w0[last], w1[last], w2[last]}) == 0, "the last of four panels has mistakes")
			for i := range px {
				need(inRegion(d, "d.", class[i], px[i], py[i]), "the point (%v, %v) is drawn on the wrong side", px[i], py[i])
			}
		},
	},
}

// turnsAsDrawn checks that the angles of figure 4.4 are those of the lines that are drawn.
func turnsAsDrawn(d show.Data) {
	near(single(d, "turn.least squares"), angle(d, "a.least squares", "b.least squares"), 1e-4, "the turn of least squares")
	near(single(d, "turn.logistic"), angle(d, "a.logistic regression", "b.logistic regression"), 1e-4, "the turn of logistic regression")
}

// drawnRecall returns the share of the drawn points of class k that lie in the
// drawn region of class k: inside an odd number of its rings.
func drawnRecall(d show.Data, panel string, k float64) float64 {
	px, py, class := drawn(d, panel+"points")
	in, n := 0.0, 0.0
	for i := range px {
		if class[i] == k {
			n++
			if inRegion(d, panel, k, px[i], py[i]) {
				in++
			}
		}
	}
	return in / n
}
