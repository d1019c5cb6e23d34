package figures

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"github.com/hyperplane-notebooks/hyperplane/toolkit/classify"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/show"
)

var linearProperties = []property{
	{
		name: "fig-prml-4.1: the labelled distances are y(x)/‖w‖ and −w0/‖w‖",
		// With a bias of −3 the line does not have the distances that the check expects.
		wrong: drawWith(PRML4x1, PRML4x1Options{W0: -3}),
		verify: func(d show.Data) {
			checkGeometry(d, column(d, "w"))
			// The wanted distances are computed by hand: 4.8/2 = 2.4, and (4.65 cos 20° − 1.1 sin
			// 20°) − 2.4 = 1.593349.
			checkNear(singleNumber(d, "distance.origin"), 2.4, 1e-8, "the distance of the origin from the line")
			checkNear(singleNumber(d, "distance.x"), 1.593349, 1e-6, "the distance of x from the line")
		},
	},
	{
		name: "fig-prml-4.2: the hatched area is exactly where a scheme gives no single answer",
		// If the figure always chooses the class with the largest g, no region is hatched.
		wrong: drawWith(PRML4x2, PRML4x2Options{Largest: true}),
		verify: func(d show.Data) {
			kinds := map[string]bool{}
			for _, panel := range []string{"a.", "b.", "c."} {
				for i := range 41 {
					for j := range 41 {
						// a visible point of the plane that does not lie on a line
						x, y := inFrame(d, panel, (float64(i)+0.4711)/41.5, (float64(j)+0.2341)/41.5)
						want := answerOf(d, panel, x, y)
						require(inRegion(d, panel, want, x, y),
							"panel %s: the answer at (%v, %v) is %v, but a different answer is drawn",
							panel, x, y, want)
						if want < 0 {
							kinds[fmt.Sprint(panel, want)] = true
						}
					}
				}
			}
			// In the first panel (K−1 machines), several classes claim some of the regions. In the
			// second panel (K machines), there are regions that several classes claim and regions
			// that no class claims. In the third panel (one machine per pair), there is a region
			// where classes have equally many votes.
			require(len(kinds) == 4 && kinds["a.-1"] && kinds["b.-1"] && kinds["b.-2"] && kinds["c.-1"],
				"the kinds of regions without a single answer are %v, want a.-1, b.-1, b.-2 and c.-1", kinds)
		},
	},
	{
		name: "fig-prml-4.3: every segment between two points of a region stays in the region",
		// If the boundaries are circles, a region outside a circle is not convex.
		wrong: drawWith(PRML4x3, PRML4x3Options{Bend: 0.1}),
		verify: func(d show.Data) {
			points := map[int][][2]float64{}
			for i := range 12 {
				for j := range 12 {
					x, y := inFrame(d, "", (float64(i)+0.4711)/12, (float64(j)+0.2341)/12)
					for k := range 5 {
						if inRegion(d, "", float64(k), x, y) {
							points[k] = append(points[k], [2]float64{x, y})
						}
					}
				}
			}
			require(len(points) == 5, "%d regions are visible, want 5", len(points))
			for k, ps := range points {
				for i, p := range ps {
					for _, q := range ps[:i] {
						for _, s := range []float64{0.25, 0.5, 0.75} {
							x, y := p[0]+s*(q[0]-p[0]), p[1]+s*(q[1]-p[1])
							require(inRegion(d, "", float64(k), x, y),
								"the point (%v, %v) lies between two points of region %d, but not in the region", x, y,
								k+1)
						}
					}
				}
			}
			sx, sy, _ := drawnPart(d, "segment in a region")
			for k := range 5 {
				require(inRegion(d, "", float64(k), sx[0], sy[0]) == inRegion(d, "", float64(k), sx[1], sy[1]),
					"the ends (%v, %v) and (%v, %v) of the drawn segment lie in different regions", sx[0], sy[0], sx[1], sy[1])
			}
		},
	},
}

// checkGeometry checks the numbers of figure 4.1 for the weights w. Each labelled distance must be
// the length of a drawn arrow. The arrow must be parallel to w and have one end on the line.
func checkGeometry(d show.Data, w []float64) {
	norm, x, foot, below := math.Hypot(w[1], w[2]), column(d, "x"), column(d, "foot"), column(d, "below")
	for _, a := range []struct {
		name         string
		from, to, on []float64
		distance     float64
	}{
		{"origin", []float64{0, 0}, foot, foot, -w[0] / norm}, {"x", below, x, below, affine(w, x[0], x[1]) / norm},
	} {
		checkNear(singleNumber(d, "distance."+a.name), a.distance, 1e-7, "the distance from the line to the point "+a.name)
		for j := range 2 {
			checkNear(a.to[j]-a.from[j], a.distance*w[j+1]/norm, 1e-7, "a component of the arrow along w")
		}
		checkNear(affine(w, a.on[0], a.on[1]), 0, 1e-7, "the value of y at the end of an arrow")
	}
}

// inFrame returns a point of the rectangle that the regions fill. The point is at the fraction u of
// the width and at the fraction v of the height.
func inFrame(d show.Data, panel string, u, v float64) (x, y float64) {
	at := func(name string, share float64) float64 {
		values := column(d, panel+name)
		return (1-share)*slices.Min(values) + share*slices.Max(values)
	}
	return at("region.x", u), at("region.y", v)
}

// answerOf returns the class of (x, y), numbered from 0. For each of the three classes, answerOf
// counts the lines of the panel that claim the point for the class or vote for the class. It
// returns −1 if several classes tie, and −2 if no class claims the point.
func answerOf(d show.Data, panel string, x, y float64) float64 {
	first, second := column(d, panel+"lines.i"), column(d, panel+"lines.j")
	w0, w1, w2 := column(d, panel+"lines.w0"), column(d, panel+"lines.w1"), column(d, panel+"lines.w2")
	var votes [3]int
	rest := true
	for i := range w0 {
		rest = rest && second[i] < 0
		if w0[i]+w1[i]*x+w2[i]*y > 0 {
			votes[int(first[i])]++
		} else if second[i] >= 0 {
			votes[int(second[i])]++
		}
	}
	best, most, ties := -2.0, 0, 0
	for k, n := range votes {
		switch {
		case n > most:
			best, most, ties = float64(k), n, 1
		case n == most && n > 0:
			ties++
		}
	}
	switch {
	case ties > 1:
		return -1
	// with K − 1 machines, a point that no machine claims is assigned to the last class
	case ties == 0 && rest && len(w0) == 2:
		return 2
	}
	return best
}

var discriminantProperties = []property{
	{
		name:  "fig-prml-4.4: outliers turn the line of least squares by more than 15°, the logistic line by less than 3°",
		wrong: drawWith(PRML4x4, PRML4x4Options{Outliers: 1, N: 500}),
		verify: func(d show.Data) {
			ls, lg := singleNumber(d, "turn.least squares"), singleNumber(d, "turn.logistic")
			require(ls > 15 && lg < 3, "least squares turns by %v°, want more than 15°; logistic regression turns by %v°, want less than 3°", ls, lg)
			turnsAsDrawn(d)
		},
	},
	{
		name: "fig-prml-4.5: the recall of the middle class is below 0.5 for least squares and above 0.95 for logistic regression",
		// Without Shift the means lie on a line. Shift moves the middle mean away from this line. The
		// means are then the corners of a triangle, and least squares masks no class.
		wrong: drawWith(PRML4x5, PRML4x5Options{Shift: 4}),
		verify: func(d show.Data) {
			ls, lg := column(d, "recall.least squares"), column(d, "recall.logistic")
			require(len(ls) == 3 && len(lg) == 3 && ls[1] < 0.5 && lg[1] > 0.95,
				"the recalls of the classes are %v for least squares, want the middle recall below 0.5; they are %v for logistic regression, want the middle recall above 0.95", ls, lg)
			// The recall of the middle class must equal the fraction of the plotted points of this
			// class that lie in its plotted region.
			for panel, want := range map[string][]float64{"a.": ls, "b.": lg} {
				checkNear(want[1], drawnRecall(d, panel, 1), 1e-9,
					panel+": the recall of the middle class")
			}
		},
	},
	{
		name: "fig-prml-4.6: J is largest at Fisher's direction, where the overlap is less than half as large as on the line of the means",
		// With round classes, Fisher's direction nearly agrees with the line of the means, so J is
		// nearly the same for both.
		wrong: drawWith(PRML4x6, PRML4x6Options{Elongation: 1}),
		verify: func(d show.Data) {
			class, a, b := column(d, "Fisher.class"), column(d, "line of the means.y"), column(d, "Fisher.y")
			ja, gapA := fisherOf(a, class)
			jb, gapB := fisherOf(b, class)
			checkNear(singleNumber(d, "line of the means.fisher"), ja, 1e-8, "J on the line of the means")
			checkNear(singleNumber(d, "Fisher.fisher"), jb, 1e-8, "J on Fisher's direction")
			require(jb > 2*ja, "J is %v for Fisher's direction, want more than twice J = %v of the line of the means", jb, ja)
			// a and b are the projections onto the two directions. The projection onto any other
			// direction is a linear combination of a and b.
			y := make([]float64, len(a))
			for degrees := range 180 {
				sin, cos := math.Sincos(float64(degrees) * math.Pi / 180)
				for i := range y {
					y[i] = cos*a[i] + sin*b[i]
				}
				j, _ := fisherOf(y, class)
				require(j <= jb*(1+1e-6), "a direction has J = %v, which is larger than J = %v of Fisher's direction",
					j, jb)
			}
			m, f := singleNumber(d, "line of the means.overlap"), singleNumber(d, "Fisher.overlap")
			require(f < m/2, "the overlap of the histograms is %v on Fisher's direction, want less than half of the overlap %v on the line of the means", f, m)
			// By (4.22), the projected means are farthest apart on the line through the means.
			require(gapA >= gapB, "the projected means are %v apart on the line of the means, want at least their distance %v on Fisher's direction", gapA, gapB)
		},
	},
	{
		name: "fig-prml-4.7: each correction adds η t φ of one misclassified point, and the last panel has no mistake",
		// If the run stops after two corrections, the last weights still misclassify points.
		wrong: drawWith(PRML4x7, PRML4x7Options{Steps: 2}),
		verify: func(d show.Data) {
			w0, w1, w2 := column(d, "w.0"), column(d, "w.1"), column(d, "w.2")
			x, y, t, eta := column(d, "mistake.x"), column(d, "mistake.y"), column(d, "mistake.t"), singleNumber(d,
				"rate")
			require(len(w0) == len(x)+1 && len(x) != 0, "there are %d weight vectors for %d corrections, want at least one correction, and one weight vector more than corrections", len(w0),
				len(x))
			for i := range x {
				require(affine([]float64{w0[i], w1[i], w2[i]}, x[i], y[i])*t[i] <= 0,
					"correction %d: the point (%v, %v) is already on the correct side", i, x[i], y[i])
				for j, step := range []float64{w0[i+1] - w0[i] - eta*t[i], w1[i+1] - w1[i] - eta*t[i]*x[i], w2[i+1] - w2[i] - eta*t[i]*y[i]} {
					// The correction must agree with PRML (4.55), except that the numbers are
					// rounded to nine digits.
					require(math.Abs(step) <= 1e-8, "correction %d: the change in weight %d differs from η t φ by %v",
						i, j, step)
				}
			}
			// The last panel must classify all drawn points correctly.
			px, py, class := drawnPart(d, "d.points")
			last := len(w0) - 1
			require(len(px) > 0 && wrongSide(d, "d.points", []float64{w0[last], w1[last], w2[last]}) == 0,
				"the last panel has %d points, of which the last weights misclassify %v; want at least one point and no misclassified point",
				len(px), wrongSide(d, "d.points", []float64{w0[last], w1[last], w2[last]}))
			for i := range px {
				require(inRegion(d, "d.", class[i], px[i], py[i]), "the point (%v, %v) is drawn on the wrong side",
					px[i],
					py[i])
			}
		},
	},
}

// turnsAsDrawn checks that the angles in the Data of figure 4.4 match the drawn lines.
func turnsAsDrawn(d show.Data) {
	checkNear(singleNumber(d, "turn.least squares"), angle(d, "a.least squares", "b.least squares"), 1e-4,
		"the turn of the line of least squares")
	checkNear(singleNumber(d, "turn.logistic"), angle(d, "a.logistic regression", "b.logistic regression"), 1e-4,
		"the turn of the line of logistic regression")
}

// drawnRecall returns the fraction of the drawn points of class k that lie in the drawn region of
// class k.
func drawnRecall(d show.Data, panel string, k float64) float64 {
	px, py, class := drawnPart(d, panel+"points")
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

var curveProperties = []property{
	{
		name: "fig-prml-4.8: the machine reads over 80 % of the characters at new places, and the weights show the characters",
		// A machine with four units cannot distinguish the characters.
		wrong: drawWith(PRML4x8, PRML4x8Options{Units: 4}),
		verify: func(d show.Data) {
			test, train := singleNumber(d, "accuracy.test"), singleNumber(d, "accuracy.training")
			require(test > 0.8 && train == 1, "the machine reads the fraction %v of the test pictures, want more than 0.8; it reads the fraction %v of the training pictures, want exactly 1", test, train)
			curve := column(d, "f.test, at other places.y")
			require(curve[len(curve)-1] == test && curve[0] <= 0.5, "the learning curve is %v, want at most 0.5 at its beginning and the test accuracy %v at its end", curve, test)
			// The weights at the inked cells of the first character must have a positive sum. At
			// the inked cells of the second character their sum must be negative.
			w := column(d, "e.image0")
			require(len(w) == 400, "the picture of the weights has %d cells, want 20 × 20", len(w))
			var under [2]float64
			for k, r := range []rune{'L', 'T'} {
				for i, v := range glyph(r).picture(0, 0) {
					under[k] += v * w[i]
				}
			}
			require(under[0] > 0 && under[1] < 0, "the sums of the weights under the two characters are %v, want a positive and a negative sum", under)
			// The first panel must show an L at some place.
			found := false
			for at := range 49 {
				found = found || slices.Equal(glyph('L').picture(at%7-3, at/7-3), column(d, "a.image0"))
			}
			require(found, "the first panel shows no L")
		},
	},
	{
		name:  "fig-prml-4.9: the slopes at 0 are equal, and the gap is at most 0.018",
		wrong: drawWith(PRML4x9, PRML4x9Options{Lambda2: 8 / math.Pi}),
		verify: func(d show.Data) {
			s, x := column(d, "slopes.at 0"), column(d, "a.x")
			checkNear(s[0], s[1], 1e-9, "the slope of σ(a) at 0, which must equal the slope of Φ(λa),")
			sigma, phi, gap, largest := column(d, "a.σ(a)"), column(d, "a.Φ(λa)"), column(d, "b.σ(a) − Φ(λa)"),
				singleNumber(d, "gap.largest")
			// The gap is largest where its derivative is 0, so where σ(1−σ) = λφ(λa) with the normal
			// density φ. Solved for a > 0 with mpmath (30 digits), this equation gives a = 2.763601
			// and the gap 0.0176711886. The figure searches a grid with spacing 0.003.
			checkNear(largest, 0.0176711886, 1e-7, "the largest gap")
			checkNear(singleNumber(d, "gap.at"), 2.763601, 3e-3, "the a at which the gap is largest")
			mid := len(x) / 2
			for _, y := range [][]float64{sigma, phi} {
				checkNear((y[mid+1]-y[mid-1])/(x[mid+1]-x[mid-1]), 0.25, 1e-4, "the slope of a drawn curve at 0")
			}
			for i := range x {
				d := sigma[i] - phi[i]
				require(math.Abs(d-gap[i]) <= 2e-9 && math.Abs(d) <= largest+1e-7,
					"at %v the curves differ by %v, the drawn gap is %v and the largest gap is %v; want a drawn gap equal to the difference, and no difference above the largest gap", x[i], d, gap[i],
					largest)
			}
		},
	},
	{
		name: "fig-prml-4.12: the boundary is straight in φ and curved in x, and the fit on φ misclassifies fewer points",
		// Basis functions of width 100 are nearly linear on the part of the plane that contains the
		// points, so the boundary is nearly straight in the plane of x, too.
		wrong: drawWith(PRML4x12, PRML4x12Options{Width: 100}),
		verify: func(d show.Data) {
			x, y, _ := drawnPart(d, "a.boundary")
			piece := column(d, "a.boundary.piece")
			largest := 0.0
			for i := 2; i < len(x); i++ {
				// The variable `largest` is twice the largest area of the triangle that three consecutive
				// points form.
				if piece[i] == piece[i-2] {
					dx, dy := x[i]-x[i-2], y[i]-y[i-2]
					largest = max(largest, math.Abs((x[i-1]-x[i-2])*dy-(y[i-1]-y[i-2])*dx))
				}
			}
			require(largest >= 1e-5, "the largest bend of the boundary in the plane of x is %v, want a curve with at least 1e-5", largest)
			before, after := singleNumber(d, "mistakes.x"), singleNumber(d, "mistakes.φ")
			require(after < before/10, "the fit on φ makes %v mistakes, want fewer than a tenth of the %v mistakes of the fit on x", after, before)
			checkFit(d, [2][2]float64{{-1.5, -1}, {1.5, 1}})
			require(len(column(d, "b.boundary.x")) == 2, "the boundary in the plane of φ has %d points, want two as for a straight line",
				len(column(d, "b.boundary.x")))
		},
	},
	{
		name: "fig-prml-4.13: the slope of f equals p at every a",
		// The slope of f equals p for all options. The wrong figure therefore combines a sigmoid
		// with N(0, 1), which is not the density of the sigmoid's threshold.
		wrong: func() (*show.Figure, error) {
			fig := try(show.NewFigure(1, show.NewPanel("a", "")))
			var x, p, f []float64
			for i := range 401 {
				a := -4 + 0.02*float64(i)
				x, p, f = append(x, a), append(p, math.Exp(-a*a/2)/math.Sqrt(2*math.Pi)), append(f, sigmoid(a))
			}
			check(fig.AddLine(0, `$p(\theta)$`, x, p, show.Look{}))
			return fig, fig.AddLine(0, `$f(a)$`, x, f, show.Look{})
		},
		verify: func(d show.Data) {
			x, f, _ := drawnPart(d, "f(a)")
			at, p, _ := drawnPart(d, "p(θ)")
			require(len(x) == 401 && len(p) == len(x), "the curves have %d and %d points, want 401 each", len(x),
				len(p))
			for i := 1; i < len(x)-1; i++ {
				// The central difference with h = 0.02 differs from the slope by at most
				// h²/6·max|p″|, which is less than 1e-4.
				slope := (f[i+1] - f[i-1]) / (x[i+1] - x[i-1])
				require(x[i] == at[i] && math.Abs(slope-p[i]) <= 1e-4, "at a = %v the slope of f is %v, want p = %v; p is drawn at a = %v, want the same a", x[i],
					slope, p[i], at[i])
			}
			// The tangent must have the slope p(a) and touch the curve f at a.
			tx, ty, _ := drawnPart(d, "tangent")
			slope := (ty[1] - ty[0]) / (tx[1] - tx[0])
			checkNear(slope, singleNumber(d, "marked.p"), 1e-7, "the slope of the tangent")
			checkNear(ty[0]+slope*(singleNumber(d, "marked.a")-tx[0]), singleNumber(d, "marked.f"), 1e-7,
				"the tangent at a")
			// An observed fraction must differ from f by less than 4·0.5/√n + 0.2·max p. The first
			// term is four standard errors, because a standard error is at most 0.5/√n. The second
			// term is the largest change in f within half a bin, because a bin is 0.4 wide.
			sx, sy, _ := drawnPart(d, "observed share")
			for i, n := range column(d, "observed.n") {
				checkNear(sy[i], f[int(math.Round((sx[i]+4)/0.02))], 2/math.Sqrt(n)+0.2*0.33, "an observed share")
			}
		},
	},
	{
		name:  "fig-prml-4.14: the mode and the curvature match, and the negative logarithms touch to second order",
		wrong: drawWith(PRML4x14, PRML4x14Options{Precision: 1}),
		verify: func(d show.Data) {
			z0 := singleNumber(d, "laplace.mode")
			s := sigmoid(20*z0 + 4)
			// At z0, the derivatives of −ln f = z²/2 − ln σ(20z + 4) are z0 − 20(1−s) and
			// 1 + 400s(1−s). The first must be 0, and the second must be A.
			checkNear(z0-20*(1-s), 0, 1e-6, "the slope of −ln f at the mode")
			checkNear(singleNumber(d, "laplace.A"), 1+400*s*(1-s), 1e-6, "the curvature")
			x, f, q := column(d, "b.x"), column(d, "b.−ln f(z)"), column(d, "b.−ln f(z0) + A(z−z0)2/2")
			close := 0
			for i := range x {
				// At the mode, the third derivative of −ln f is 8000·s(1−s)(1−2s) = −31. At the small
				// distance k from the mode, the remainder of the Taylor polynomial is therefore about
				// 31/6·k³ = 5.2k³. The higher derivatives increase the remainder on one side, but it stays
				// below 7k³ at the drawn points with k < 0.06.
				if k := math.Abs(x[i] - z0); k < 0.06 {
					close++
					checkNear(f[i], q[i], 7*k*k*k+1e-8, "−ln f near the mode")
				}
			}
			require(close >= 4, "%d points are closer to the mode than 0.06, want at least 4", close)
			// The densities p and q must match the negative logarithms in the second panel. The
			// area under each density must be 1, except for the tails.
			x = column(d, "a.x")
			p, g := column(d, "a.p(z)"), column(d, "a.q(z)")
			sumP, sumQ, h := 0.0, 0.0, x[1]-x[0]
			for i := range x {
				checkNear(p[i], math.Exp(-f[i]-singleNumber(d, "exact.logZ")), 1e-7, "p(z)")
				checkNear(g[i], math.Exp(-q[i]-singleNumber(d, "laplace.logZ")), 1e-7, "q(z), by (4.130),")
				sumP, sumQ = sumP+h*p[i], sumQ+h*g[i]
			}
			checkNear(sumP, 1, 1e-3, "the area under p")
			checkNear(sumQ, 1, 1e-3, "the area under q")
		},
	},
	{
		name:  "fig-alpaydin-10.5: the function is 1/2 at 0, with slope 1/4",
		wrong: drawWith(Alpaydin10x5, Alpaydin10x5Options{W: 2, W0: 1}),
		verify: func(d show.Data) {
			x, y := column(d, "x"), d[1].Values
			mid := len(x) / 2
			require(x[mid] == 0, "the middle of the x axis is at %v, want 0", x[mid])
			checkNear(y[mid], 0.5, 1e-9, "the curve at 0")
			// The central difference with h = 0.05 differs from the slope by at most h²/6·max|σ‴|,
			// which is less than 1e-4.
			checkNear((y[mid+1]-y[mid-1])/(x[mid+1]-x[mid-1]), 0.25, 1e-4, "the slope of the curve at 0")
			v, s := singleNumber(d, "middle.value"), singleNumber(d, "middle.slope")
			require(v == 0.5 && s == 0.25, "in the Data, the middle of the curve has the value %v and the slope %v, want value 0.5 and slope 0.25", v, s)
		},
	},
	{
		name:  "fig-alpaydin-10.5: the middle of σ(−4x + 2) is at x = 1/2, with slope −1",
		draw:  drawWith(Alpaydin10x5, Alpaydin10x5Options{W: -4, W0: 2}),
		wrong: drawWith(Alpaydin10x5, Alpaydin10x5Options{W: -4}),
		verify: func(d show.Data) {
			x, s := singleNumber(d, "middle.x"), singleNumber(d, "middle.slope")
			require(x == 0.5 && s == -1, "the middle of the curve is at %v with slope %v, want 0.5 with slope -1", x, s)
		},
	},
	{
		name: "fig-gambosi-sigmoid: σ(−a) = 1 − σ(a)",
		// The identity σ(−a) = 1 − σ(a) holds for all options, so the wrong figure draws a
		// different curve.
		wrong: func() (*show.Figure, error) {
			return show.Curves(show.CurvesOptions{From: -6, To: 6},
				show.Curve{Name: `$\sigma(a)$`, F: func(a float64) float64 { return sigmoid(a + 0.5) }},
				show.Curve{Name: `$\sigma(-a) = 1 - \sigma(a)$`,
					F: func(a float64) float64 { return sigmoid(0.5 - a) }})
		},
		verify: func(d show.Data) {
			up, down := column(d, "σ(a)"), column(d, "σ(−a) = 1 − σ(a)")
			for i := range up {
				checkNear(up[i]+down[i], 1, 2e-9, "σ(a) + σ(−a)")
				checkNear(up[i]+up[len(up)-1-i], 1, 2e-9, "the sum of the curve and its mirror image")
			}
			checkNear(singleNumber(d, "marked.above"), singleNumber(d, "marked.below"), 1e-9, "the marked height")
		},
	},
}

func TestGlyphs(t *testing.T) {
	seen := map[dots]rune{}
	for r, text := range glyphs {
		if g := glyph(r); seen[g] != 0 || len(text) != 6*glyphHeight-1 {
			t.Errorf("the character %c has the same picture as %c, or its text has %d bytes; want a different picture and 41 bytes (7 rows of 5 dots, separated by spaces)",
				r, seen[g], len(text))
		} else {
			seen[g] = r
		}
	}
}

// TestLabelsStandClear checks five labels of figure 4.1, the labels that a placer places: the two
// distances and the names of w, x and the foot of x. For all combinations of the chart's slider
// positions, none of them may cover a line or another of them, or extend beyond the picture.
func TestLabelsStandClear(t *testing.T) {
	o := withDefaults(PRML4x1Options{})
	g := newGeometries(o)
	total := 0
	for _, angle := range g.angles {
		for _, bias := range g.biases {
			sin, cos := math.Sincos(angle * math.Pi / 180)
			h := must(classify.NewHyperplane([]float64{bias, o.Norm * cos, o.Norm * sin}))(t)
			_, n := drawGeometry(h, turning4x1, o.X, must(h.Project(o.X[:]))(t), must(h.Foot())(t),
				must(h.Value(o.X[:]))(t))
			if n > 0 {
				t.Logf("angle %v, bias %v: the penalty for labels that cover lines, labels or edges is %d", angle, bias, n)
			}
			total += n
		}
	}
	if total > 0 {
		t.Errorf("the penalties for labels that cover lines, labels or edges add up to %d over all %d positions, want 0", total, len(g.angles)*len(g.biases))
	}
}

// TestLineMeetsBox checks that lineMeetsBox returns true for a line that passes through the box,
// begins in it or lies in it. For a line that has no point in the box, lineMeetsBox must return
// false.
func TestLineMeetsBox(t *testing.T) {
	b := [4]float64{0, 0, 2, 1}
	for l, want := range map[[4]float64]bool{
		{-1, 0.5, 3, 0.5}: true, {1, 0.5, 1, 9}: true, {0.5, 0.5, 1, 0.6}: true, {-1, -1, 3, 2}: true,
		{-1, 2, 3, 2}: false, {3, 0, 3, 1}: false, {-1, 0.9, 0.5, 3}: false, {-2, 0.5, -1, 0.5}: false,
	} {
		if lineMeetsBox(l, b) != want {
			t.Errorf("lineMeetsBox(%v, %v) is %v, want the opposite", l, b, !want)
		}
	}
}
