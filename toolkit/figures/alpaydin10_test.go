package figures

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/hyperplane-notebooks/hyperplane/toolkit/classify"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/show"
)

var lineProperties = []property{
	{
		name:  "fig-alpaydin-10.1: all points lie on the correct side",
		wrong: drawWith(Alpaydin10x1, Alpaydin10x1Options{W: [3]float64{0, 1, 0}}),
		verify: func(d show.Data) {
			w, points := column(d, "w"), column(d, "points.x")
			require(wrongSide(d, "points", w) == 0 && singleNumber(d, "wrong") == 0 && len(points) == 50,
				"%v of %d points are on the wrong side, want 0 of 50; the column \"wrong\" contains %v, want 0", wrongSide(d, "points", w), len(points), singleNumber(d, "wrong"))
			require(onLine(d, "boundary", w, 1e-7) > 0, "no line is drawn")
		},
	},
	{
		name:  "fig-alpaydin-10.2: the signed distances are g(x)/‖w‖ = 2 and w0/‖w‖ = −2, and both are drawn with the length 2",
		wrong: drawWith(Alpaydin10x2, Alpaydin10x2Options{W: [3]float64{-4, 1.2, 1.7}}),
		verify: func(d show.Data) {
			// The expected distances are computed by hand from ‖(1.2, 1.6)‖ = 2 and g(4, 2) = 4.8 +
			// 3.2 − 4 = 4.
			w := []float64{-4, 1.2, 1.6}
			for name, want := range map[string]float64{"point": 2, "origin": -2} {
				x, y, _ := drawnPart(d, name+".span")
				checkNear(singleNumber(d, name+".distance"), want, 1e-9,
					"the signed distance from the line to the "+name)
				// The drawn distance must begin on the line g(x) = 0 and be parallel to w.
				checkNear(affine(w, x[0], y[0]), 0, 1e-8, "the value of g at the beginning of the span of the "+name)
				checkNear(math.Hypot(x[1]-x[0], y[1]-y[0]), math.Abs(want), 1e-8,
					"the drawn distance from the line to the "+name)
				checkNear((x[1]-x[0])*1.6-(y[1]-y[0])*1.2, 0, 1e-8, "the component across w of the span of the "+name)
			}
			require(onLine(d, "line", w, 1e-8) == 2, "the drawn line has %d points, want 2", len(column(d, "line.x")))
		},
	},
	{
		name:  "fig-alpaydin-10.3: each line separates its class from the other classes",
		wrong: drawWith(Alpaydin10x3, Alpaydin10x3Options{Spread: 1.5}),
		verify: func(d show.Data) {
			x, y, class := drawnPart(d, "points")
			for i := range x {
				for k, g := range heights(machineWeights(d), x[i], y[i]) {
					require((g > 0) == (class[i] == float64(k)), "g%d is %v at the point (%v, %v) of class %v, want a positive number only at the points of its own class", k+1, g,
						x[i], y[i],
						class[i]+1)
				}
			}
			zerosOnLines(d)
		},
	},
	{
		name:  "fig-alpaydin-10.3: the hatched area is exactly where no g or several g are positive",
		wrong: drawLastIsRest,
		verify: func(d show.Data) {
			seen, w := map[float64]bool{}, machineWeights(d)
			for i := range 41 * 41 {
				x, y := -3.59+7.18*float64(i/41)/40, -2.79+6.38*float64(i%41)/40
				want, close := -2.0, false
				for k, g := range heights(w, x, y) {
					close = close || math.Abs(g) < 1e-3*math.Hypot(w[k][1], w[k][2])
					if g > 0 && want == -2 {
						want = float64(k)
					} else if g > 0 {
						want = -1
					}
				}
				require(close || inRegion(d, "", want, x, y),
					"the point (%v, %v) is not in the area drawn for the answer %v (−1 means several classes, −2 means no class)", x, y, want)
				seen[want] = true
			}
			require(len(seen) == 5, "the grid of points has only the answers %v, want five different answers", seen)
		},
	},
	{
		name:  "fig-alpaydin-10.4: C₁ is not separable from the other classes, but each pair of classes is separable",
		wrong: drawWith(Alpaydin10x4, Alpaydin10x4Options{Lift: 8}),
		verify: func(d show.Data) {
			x, y, class := drawnPart(d, "b.points")
			points, labels, t := mat.NewDense(len(x), 2, nil), make([]int, len(x)), make([]float64, len(x))
			for i := range x {
				points.SetRow(i, []float64{x[i], y[i]})
				if labels[i] = int(class[i]); labels[i] == 0 {
					t[i] = 1
				}
				require(inRegion(d, "b.", class[i], x[i], y[i]), "point %d is not drawn in the region of its class", i)
			}
			require(!try(classify.Separable(points, t)).Separable, "a line separates C₁ from the other classes, want no such line")
			for _, p := range try(classify.SeparablePairs(points, labels, 3)) {
				require(p.Separable, "no line separates the classes C%d and C%d, want a line for each pair", p.First+1, p.Second+1)
			}
			a, b := singleNumber(d, "a.right"), singleNumber(d, "b.right")
			require(a <= 60 && b == float64(len(x)),
				"one line per class classifies %v points correctly, one line per pair classifies %v of %d correctly; want at most 60 for the first scheme and all for the second", a, b, len(x))
		},
	},
	{
		name:  "fig-alpaydin-10.9: on the thick boundary the two largest g are equal",
		wrong: drawLeastSquares,
		verify: func(d show.Data) {
			x, y, _ := drawnPart(d, "boundary")
			first, second := column(d, "boundary.i"), column(d, "boundary.j")
			require(len(x) == 6, "the boundary has %d points, want two for each of three pieces", len(x))
			for n := range x {
				g, i, j := heights(machineWeights(d), x[n], y[n]), int(first[n]), int(second[n])
				require(math.Abs(g[i]-g[j]) <= 1e-6 && g[3-i-j] <= g[i]+1e-6,
					"the values of g are %v on the boundary of classes %d and %d, want equal values for these two classes, and no larger value for the third", g, i+1, j+1)
			}
			zerosOnLines(d)
		},
	},
	{
		name:  "fig-alpaydin-10.10: the posteriors are the softmax of the discriminants and sum to 1",
		wrong: drawSigmoids,
		verify: func(d show.Data) {
			for _, panel := range []string{"a", "b"} {
				x, y, _ := drawnPart(d, panel)
				require(len(x) >= 100, "panel %s has %d nodes, want at least 100", panel, len(x))
				var z [3][]float64
				for k := range z {
					z[k] = column(d, fmt.Sprintf("%s.C%d.z", panel, k+1))
				}
				for i := range x {
					want := heights(machineWeights(d), x[i], y[i])
					if panel == "b" {
						checkNear(z[0][i]+z[1][i]+z[2][i], 1, 2e-9, "the sum of the posteriors")
						sum := math.Exp(want[0]) + math.Exp(want[1]) + math.Exp(want[2])
						for k := range want {
							want[k] = math.Exp(want[k]) / sum
						}
					}
					for k := range z {
						checkNear(z[k][i], want[k], 1e-7, fmt.Sprintf("sheet %d of panel %s", k+1, panel))
					}
				}
			}
		},
	},
}

// drawLastIsRest draws figure 10.3 with a wrong scheme: only two classes have a line, and the last
// class has no line. But the Data contains the weights of all three lines of the right scheme.
func drawLastIsRest() (*show.Figure, error) {
	d := triangle(30, 0.45, 0)
	all := try(classify.FitOneVersusRest(d.X, d.Labels, 3, pairMachine, classify.OneVersusRestOptions{}))
	two := try(classify.FitOneVersusRest(d.X, d.Labels, 3, pairMachine,
		classify.OneVersusRestOptions{LastIsRest: true}))
	fig := try(show.Decisions(two, d, show.DecisionsOptions{X: [2]float64{-3.6, 3.6}, Y: [2]float64{-2.8, 3.6}}))
	addWeights(fig, all, 3)
	return fig, nil
}

// drawLeastSquares draws figure 10.9 with the boundary of least squares but with the weights of
// logistic discrimination.
func drawLeastSquares() (*show.Figure, error) {
	d, m := withDefaults(Alpaydin10x9Options{}).fit()
	ls := try(classify.FitLeastSquares(d.X, d.Labels, 3, classify.LeastSquaresOptions{}))
	fig := try(show.Discriminants(ls, d, show.DiscriminantsOptions{X: wholeRange(d, 0), Y: wholeRange(d, 1)}))
	addWeights(fig, m, 3)
	return fig, nil
}

// drawSigmoids draws figure 10.10 with the sigmoid of each discriminant instead of the posteriors.
// These sigmoids do not sum to 1.
func drawSigmoids() (*show.Figure, error) {
	d, m := withDefaults(Alpaydin10x9Options{}).fit()
	var g, p []show.Sheet
	for k := range 3 {
		g = append(g, show.ScoreSheet(className(k), m, k))
		p = append(p,
			show.Sheet{Name: className(k),
				Z: func(a, b float64) float64 { return sigmoid(affine(mat.Col(nil, k, m.W), a, b)) }})
	}
	o := show.SurfacesOptions{Data: d, Cells: 10}
	fig := try(show.Panels(2, try(show.Surfaces(o, g...)), try(show.Surfaces(o, p...))))
	addWeights(fig, m, 3)
	return fig, nil
}

// zerosOnLines checks that each g_i is zero at the points of its thin line.
func zerosOnLines(d show.Data) {
	x, y, class := drawnPart(d, "zero")
	require(len(x) >= 6, "the thin lines have %d points, want at least two for each of three lines", len(x))
	for i := range x {
		w := machineWeights(d)[int(class[i])]
		checkNear(affine(w, x[i], y[i])/math.Hypot(w[1], w[2]), 0, 1e-6,
			"the distance of a thin line from the line g = 0")
	}
}

var descentProperties = []property{
	{
		name:  "fig-alpaydin-10.6: the trace equals the updates of the algorithm",
		wrong: drawWith(Alpaydin10x6, Alpaydin10x6Options{Rate: 0.011}),
		verify: func(d show.Data) {
			followsAlgorithm(d, 1, 0.01, 300)
			for i, n := range []int{0, 1, 10, 300} { // Each panel must contain the line of its iteration.
				require(onLine(d, "abcd"[i:i+1]+".boundary", traceWeights(d, n), 1e-7) > 0,
					"the panel for iteration %d does not contain the line of this iteration",
					n)
			}
		},
	},
	{
		name: "fig-alpaydin-10.7: ‖w‖ grows and the number of misclassified points does not",
		// With this learning rate the steps are so long that the line oscillates. After the first
		// step all points of one class are misclassified.
		wrong:  drawWith(Alpaydin10x7, Alpaydin10x7Options{Rate: 2, Iterations: []int{1, 2, 3, 4, 5}}),
		verify: holdsNormGrows,
	},
	{
		name:   "fig-alpaydin-10.8: the trace equals the updates of the algorithm",
		wrong:  drawWith(Alpaydin10x8, Alpaydin10x8Options{Rate: 0.011}),
		verify: func(d show.Data) { followsAlgorithm(d, 3, 0.01, 1000) },
	},
}

// followsAlgorithm runs the algorithm printed in figure 10.6 (k = 1) or in figure 10.8 (k > 1). It
// begins with the points and the initial weights of our figure, and checks that the trace in the figure's
// Data has the same weights.
func followsAlgorithm(d show.Data, k int, rate float64, last int) {
	x, y, class := drawnPart(d, "points")
	checkNear(float64(len(column(d, "trace.iteration"))), float64(last+1), 0,
		"the number of steps, including the start,")
	w := traceWeights(d, 0)
	for _, v := range w {
		checkNear(v, 0, 0.01, "an initial weight")
	}
	for n := 1; n <= last; n++ {
		w = updatedWeights(w, x, y, class, k, rate)
		// the weights agree only to 1e-6, because the points and the initial weights in the Data
		// are rounded to nine digits
		for i, v := range traceWeights(d, n) {
			checkNear(v, w[i], 1e-6, fmt.Sprintf("w%d after %d iterations", i, n))
		}
	}
}

// traceWeights returns the weights w0, w1, … after n iterations, from the columns of the trace.
func traceWeights(d show.Data, n int) (w []float64) {
	for v, ok := d.Column("trace.w0"); ok; v, ok = d.Column(fmt.Sprintf("trace.w%d", len(w))) {
		w = append(w, v[n])
	}
	return w
}

func holdsNormGrows(d show.Data) {
	norm, wrong, at := column(d, "step.norm"), column(d, "step.misclassified"), column(d, "step.iteration")
	w0, w, x, class := column(d, "step.w0"), column(d, "step.w"), column(d, "points.x"), column(d, "points.class")
	for i := range norm {
		require(i == 0 || norm[i] > norm[i-1] && wrong[i] <= wrong[i-1],
			"the lengths ‖w‖ are %v, want an increasing sequence; the numbers of misclassified points are %v, want a sequence that never increases", norm, wrong)
		checkNear(norm[i], math.Hypot(w0[i], w[i]), 1e-7*norm[i], "‖w‖")
		checkNear(wrong[i], misclassified(x, class, w0[i], w[i]), 0, "the number of points on the wrong side")
		line, curve := column(d, fmt.Sprintf("a.after %v iterations", at[i])),
			column(d, fmt.Sprintf("b.after %v iterations", at[i]))
		for n, x := range column(d, "b.x") {
			checkNear(line[n], w0[i]+w[i]*x, 1e-6, "the line")
			checkNear(curve[n], sigmoid(w0[i]+w[i]*x), 1e-6, "the sigmoid")
		}
	}
	require(len(norm) >= 3 && wrong[len(wrong)-1] == 0, "the numbers of misclassified points are %v, want at least three numbers, the last of them 0", wrong)
}

// misclassified counts the points on the wrong side of w0 + wx = 0. The correct side for class 0 is
// w0 + wx > 0.
func misclassified(x, class []float64, w0, w float64) (n float64) {
	for i := range x {
		if (w0+w*x[i] > 0) != (class[i] == 0) {
			n++
		}
	}
	return n
}
