package figures

import (
	"fmt"
	"math"

	"github.com/hyperplane-notebooks/hyperplane/toolkit/show"
)

var descentProperties = []property{
	{
		name:  "fig-alpaydin-10.6: the trace equals the updates of the algorithm",
		wrong: with(Alpaydin10x6, Alpaydin10x6Options{Rate: 0.011}),
		holds: func(d show.Data) {
			followsAlgorithm(d, 1, 0.01, 300)
			for i, n := range []int{0, 1, 10, 300} { // each panel has the line of its iteration
				need(onLine(d, "abcd"[i:i+1]+".boundary", traceWeights(d, n), 1e-7) > 0, "no line after %d iterations", n)
			}
		},
	},
	{
		name: "fig-alpaydin-10.7: ‖w‖ grows, misclassifications do not",
		// Steps so long that the line swings: after the first only one class is right.
		wrong: with(Alpaydin10x7, Alpaydin10x7Options{Rate: 2, Iterations: []int{1, 2, 3, 4, 5}}),
		holds: holdsNormGrows,
	},
	{
		name:  "fig-alpaydin-10.8: the trace equals the updates of the algorithm",
		wrong: with(Alpaydin10x8, Alpaydin10x8Options{Rate: 0.011}),
		holds: func(d show.Data) { followsAlgorithm(d, 3, 0.01, 1000) },
	},
}

// followsAlgorithm runs figures 10.6 (k = 1) and 10.8 as they are printed, from
// the points and the first weights of the figure.
func followsAlgorithm(d show.Data, k int, rate float64, last int) {
	x, y, class := drawn(d, "points")
	near(float64(len(column(d, "trace.iteration"))), float64(last+1), 0, "the number of iterations and the start")
	w := traceWeights(d, 0)
	for _, v := range w {
		near(v, 0, 0.01, "a first weight")
	}
	for n := 1; n <= last; n++ {
		w = updated(w, x, y, class, k, rate)
		for i, v := range traceWeights(d, n) { // the points and first weights have nine digits
			near(v, w[i], 1e-6, fmt.Sprintf("w%d after %d iterations", i, n))
		}
	}
}

// traceWeights returns all weights after n iterations.
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
		need(i == 0 || norm[i] > norm[i-1] && wrong[i] <= wrong[i-1], "‖w‖ %v, misclassified %v", norm, wrong)
		near(norm[i], math.Hypot(w0[i], w[i]), 1e-7*norm[i], "‖w‖")
		count := 0.0
		for n := range x {
			if (w0[i]+w[i]*x[n] > 0) != (class[n] == 0) {
				count++
			}
		}
		near(wrong[i], count, 0, "the number of points on the wrong side")
		line, curve := column(d, fmt.Sprintf("a.after %v iterations", at[i])), column(d, fmt.Sprintf("b.after %v iterations", at[i]))
		for n, x := range column(d, "b.x") {
			near(line[n], w0[i]+w[i]*x, 1e-6, "the line")
			near(curve[n], sigmoid(w0[i]+w[i]*x), 1e-6, "the sigmoid")
		}
	}
	need(len(norm) >= 3 && wrong[len(wrong)-1] == 0, "misclassified %v", wrong)
}
