package figures

import (
	"errors"
	"fmt"
	"math"

	"github.com/hyperplane-notebooks/hyperplane/toolkit/classify"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/kernels"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/show"
)

// alpaydin10DescentProperties are those of figures 10.6 to 10.10.
func init() {
	addProperties([]property{
		{
			name:  "fig-alpaydin-10.6: the trace equals the updates of the algorithm",
			wrong: with(Alpaydin10x6, Alpaydin10x6Options{Rate: 0.011}),
			holds: func(d show.Data) error {
				if err := followsAlgorithm(d, 1, 0.01, 300); err != nil {
					return err
				}
				// Each panel has the line of its iteration.
				for i, n := range []int{0, 10, 300} {
					w := traceWeights(d, n)
					x, y, _ := drawn(d, "abc"[i:i+1]+".boundary")
					if len(x) == 0 {
						return fmt.Errorf("no line after %d iterations", n)
					}
					for j := range x {
						if g := w[0] + w[1]*x[j] + w[2]*y[j]; math.Abs(g) > 1e-7*math.Hypot(w[1], w[2]) {
							return fmt.Errorf("g is %v on the line drawn after %d iterations", g, n)
						}
					}
				}
				return nil
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
			holds: func(d show.Data) error { return followsAlgorithm(d, 3, 0.01, 1000) },
		},
		{
			name:  "fig-alpaydin-10.9: the thick boundary is where the two largest g agree",
			wrong: drawLeastSquares,
			holds: func(d show.Data) error {
				x, y, _ := drawn(d, "boundary")
				first, _ := d.Column("boundary.i")
				second, _ := d.Column("boundary.j")
				if len(x) != 6 {
					return fmt.Errorf("%d points of the boundary, want two of three pieces", len(x))
				}
				for n := range x {
					g := rawHeights(d, x[n], y[n])
					i, j := int(first[n]), int(second[n])
					third := g[3-i-j]
					if math.Abs(g[i]-g[j]) > 1e-6 || third > g[i]+1e-6 {
						return fmt.Errorf("g is %v on the boundary of classes %d and %d", g, i+1, j+1)
					}
				}
				return zerosOnLines(d)
			},
		},
		{
			name:  "fig-alpaydin-10.10: posteriors are the softmax of the discriminants and sum to 1",
			wrong: drawSigmoids,
			holds: func(d show.Data) error {
				for panel, transform := range map[string]func([]float64) []float64{
					"a.": func(g []float64) []float64 { return g },
					"b.": func(g []float64) []float64 { return kernels.Softmax(nil, g) },
				} {
					x, y, _ := drawn(d, panel[:1])
					if len(x) < 100 {
						return fmt.Errorf("panel %s has %d nodes", panel, len(x))
					}
					var z [3][]float64
					for k := range z {
						z[k], _ = d.Column(fmt.Sprintf("%sC%d.z", panel, k+1))
					}
					for i := range x {
						want := transform(rawHeights(d, x[i], y[i]))
						for k := range z {
							if math.Abs(z[k][i]-want[k]) > 1e-7 {
								return fmt.Errorf("sheet %d of panel %s is %v at (%v, %v), want %v", k+1, panel, z[k][i], x[i], y[i], want[k])
							}
						}
						if sum := z[0][i] + z[1][i] + z[2][i]; panel == "b." && math.Abs(sum-1) > 2e-9 {
							return fmt.Errorf("the posteriors at (%v, %v) sum to %v", x[i], y[i], sum)
						}
					}
				}
				return nil
			},
		},
	}...)
}

// followsAlgorithm runs figures 10.6 (k = 1) and 10.8 as they are printed, from
// the points and the first weights of the figure.
func followsAlgorithm(d show.Data, k int, rate float64, last int) error {
	x, y, class := drawn(d, "points")
	iteration, _ := d.Column("trace.iteration")
	if len(iteration) != last+1 {
		return fmt.Errorf("%d iterations, want %d", len(iteration)-1, last)
	}
	w := traceWeights(d, 0)
	for _, v := range w {
		if !(math.Abs(v) <= 0.01) {
			return fmt.Errorf("the first weights are %v, want all in [−0.01, 0.01]", w)
		}
	}
	for n := 1; n <= last; n++ {
		w = updated(w, x, y, class, k, rate)
		for i, v := range traceWeights(d, n) {
			if math.Abs(v-w[i]) > 1e-6 { // the points and first weights have nine digits
				return fmt.Errorf("iteration %d: w%d is %v, the algorithm has %v", n, i, v, w[i])
			}
		}
	}
	return nil
}

// updated makes one update of figure 10.6 (k = 1) or 10.8 as they are printed.
func updated(w, x, y, class []float64, k int, rate float64) []float64 {
	next := append([]float64(nil), w...)
	for t := range x {
		input, out := [3]float64{1, x[t], y[t]}, outputs(w, x[t], y[t], k)
		for i := range out {
			r := 0.0
			if int(class[t]) == i {
				r = 1
			}
			for j, v := range input {
				next[3*i+j] += rate * (r - out[i]) * v
			}
		}
	}
	return next
}

// outputs returns the y of these figures for one input.
func outputs(w []float64, x, y float64, k int) []float64 {
	out, sum := make([]float64, k), 0.0
	for i := range out {
		o := w[3*i] + w[3*i+1]*x + w[3*i+2]*y
		if k == 1 {
			return []float64{1 / (1 + math.Exp(-o))}
		}
		out[i] = math.Exp(o)
		sum += out[i]
	}
	for i := range out {
		out[i] /= sum
	}
	return out
}

// traceWeights returns all weights after n iterations.
func traceWeights(d show.Data, n int) (w []float64) {
	for j := 0; ; j++ {
		v, ok := d.Column(fmt.Sprintf("trace.w%d", j))
		if !ok {
			return w
		}
		w = append(w, v[n])
	}
}

func holdsNormGrows(d show.Data) error {
	norm, _ := d.Column("step.norm")
	wrong, _ := d.Column("step.misclassified")
	at, _ := d.Column("step.iteration")
	w0, _ := d.Column("step.w0")
	w, _ := d.Column("step.w")
	x, _ := d.Column("points.x")
	class, _ := d.Column("points.class")
	for i := range norm {
		if i > 0 && (!(norm[i] > norm[i-1]) || wrong[i] > wrong[i-1]) {
			return fmt.Errorf("‖w‖ %v, misclassified %v", norm, wrong)
		}
		if math.Abs(math.Hypot(w0[i], w[i])-norm[i]) > 1e-7*norm[i] {
			return fmt.Errorf("‖w‖ is %v, not that of (%v, %v)", norm[i], w0[i], w[i])
		}
		count := 0.0
		for n := range x {
			if (w0[i]+w[i]*x[n] > 0) != (class[n] == 0) {
				count++
			}
		}
		if count != wrong[i] {
			return fmt.Errorf("%v points are on the wrong side, the number says %v", count, wrong[i])
		}
		place, _ := d.Column("b.x")
		line, _ := d.Column(fmt.Sprintf("a.after %v iterations", at[i]))
		sigmoid, _ := d.Column(fmt.Sprintf("b.after %v iterations", at[i]))
		if len(line) == 0 || len(sigmoid) != len(line) {
			return errors.New("a curve is missing")
		}
		for n := range line {
			a := w0[i] + w[i]*place[n]
			if math.Abs(line[n]-a) > 1e-6 || math.Abs(sigmoid[n]-1/(1+math.Exp(-a))) > 1e-6 {
				return fmt.Errorf("at %v the line is %v and the sigmoid %v, want σ(%v)", place[n], line[n], sigmoid[n], a)
			}
		}
	}
	if len(norm) < 3 || wrong[len(wrong)-1] != 0 {
		return fmt.Errorf("misclassified %v", wrong)
	}
	return nil
}

// rawHeights returns g_i(x, y) of the weights among the numbers.
func rawHeights(d show.Data, x, y float64) []float64 {
	w0, _ := d.Column("W.w0")
	w1, _ := d.Column("W.w1")
	w2, _ := d.Column("W.w2")
	g := make([]float64, len(w0))
	for k := range g {
		g[k] = w0[k] + w1[k]*x + w2[k]*y
	}
	return g
}

// drawLeastSquares draws figure 10.9 with the boundary of least squares under the
// weights of logistic discrimination.
func drawLeastSquares() (*show.Figure, error) {
	d, m, err := Alpaydin10x9Options{}.filled().fit()
	if err != nil {
		return nil, err
	}
	ls, err := classify.FitLeastSquares(d.X, d.Labels, 3, classify.LeastSquaresOptions{})
	if err != nil {
		return nil, err
	}
	fig, err := show.Discriminants(ls, d, show.DiscriminantsOptions{X: whole(d, 0), Y: whole(d, 1)})
	if err != nil {
		return nil, err
	}
	return fig, addWeights(fig, m, 3)
}

// drawSigmoids draws figure 10.10 with a sigmoid of each discriminant, whose sum
// is not 1.
func drawSigmoids() (*show.Figure, error) {
	d, m, err := Alpaydin10x9Options{}.filled().fit()
	if err != nil {
		return nil, err
	}
	var g, p []show.Sheet
	for k := range 3 {
		name := fmt.Sprintf("$C_%d$", k+1)
		g = append(g, show.ScoreSheet(name, m, k))
		p = append(p, show.Sheet{Name: name, Z: func(a, b float64) float64 {
			return kernels.Sigmoid(m.W.At(0, k) + m.W.At(1, k)*a + m.W.At(2, k)*b)
		}})
	}
	left, err := show.Surfaces(show.SurfacesOptions{Data: d, Cells: 10}, g...)
	if err != nil {
		return nil, err
	}
	right, err := show.Surfaces(show.SurfacesOptions{Data: d, Cells: 10}, p...)
	if err != nil {
		return nil, err
	}
	fig, err := show.Panels(2, left, right)
	if err != nil {
		return nil, err
	}
	return fig, addWeights(fig, m, 3)
}
