package figures

import (
	"fmt"
	"math"
	"testing"

	"github.com/hyperplane-notebooks/hyperplane/toolkit/show"
)

// correctionFrames are those of figure 4.7: step n is the algorithm after n corrections,
// with the next one marked, and the last has no mistake.
func correctionFrames(o PRML4x7Options) stepped {
	c := newCorrections(filled(o))
	weights, rows := perceptron(c)
	d := c.data
	wrong := func(n int) (count float64) {
		for i, label := range d.Labels {
			if (affine(weights[n], d.X.At(i, 0), d.X.At(i, 1)) >= 0) != (label == 0) {
				count++
			}
		}
		return count
	}
	return stepped{
		chart: func() (*show.Chart, error) { return PRML4x7Chart(o) },
		draw:  c.step,
		holds: func(n int, numbers show.Data) {
			for j, w := range column(numbers, "w") {
				near(w, weights[n][j], 1e-7, fmt.Sprintf("w%d", j))
			}
			near(single(numbers, "mistakes"), wrong(n), 0, "the number of mistakes")
			x, y, _ := drawn(numbers, "square: the mistake to correct")
			need((len(x) == 0) == (n == len(rows)), "%d points are marked", len(x))
			if n < len(rows) {
				near(x[0], d.X.At(rows[n], 0), 1e-7, "x1 of the next mistake")
				near(y[0], d.X.At(rows[n], 1), 1e-7, "x2 of the next mistake")
			}
		},
		all: func(frames []show.Data) {
			need(len(frames) == len(weights) && single(frames[len(frames)-1], "mistakes") == 0, "%d frames for %d weights, or mistakes in the last", len(frames), len(weights))
		},
		says: func(n int) []string { return []string{stage(n, wrong(n))} },
	}
}

// perceptron is the algorithm of PRML 4.1.7 once more, without the toolkit: the
// weights at the start and after each correction (4.55), and the rows corrected.
func perceptron(c *corrections) (weights [][]float64, rows []int) {
	w := c.weights[0]
	weights = append(weights, w)
	for clean := 0; clean < c.data.N() && len(rows) < 1000; {
		for n, label := range c.data.Labels {
			x, y, t := c.data.X.At(n, 0), c.data.X.At(n, 1), float64(1-2*label)
			if clean++; clean > c.data.N() {
				break
			}
			if (affine(w, x, y) >= 0) != (t > 0) { // (4.53)
				clean = 0
				w = []float64{w[0] + c.rate*t, w[1] + c.rate*t*x, w[2] + c.rate*t*y}
				weights, rows = append(weights, w), append(rows, n)
			}
		}
	}
	return weights, rows
}

// The default seed of figure 4.7 is the first whose data tell a story.
func TestPRML4x7Seed(t *testing.T) {
	story := func(c *corrections) bool {
		ok := len(c.updates) == 3
		for i := range c.updates {
			w, before := c.weights[i+1], c.weights[i]
			turned := math.Remainder(math.Atan2(w[2], w[1])-math.Atan2(before[2], before[1]), 2*math.Pi)
			ok = ok && c.wrong[i+1] < c.wrong[i] && math.Abs(turned)*180/math.Pi > 20
		}
		return ok
	}
	first := filled(PRML4x7Options{}).Seed
	for seed := uint64(1); seed <= first; seed++ {
		if got := story(newCorrections(filled(PRML4x7Options{Seed: seed}))); got != (seed == first) {
			t.Errorf("seed %d: %v", seed, got)
		}
	}
}

func TestPRML4x7ManyCorrections(t *testing.T) {
	// Four panels stay four: the first three, and the end.
	fig := must(PRML4x7(PRML4x7Options{N: 60, Rate: 0.02, Angle: 300}))(t)
	mistakes := column(fig.Data(), "mistakes")
	if fig.Len() != 4 || len(mistakes) < 6 || mistakes[len(mistakes)-1] != 0 {
		t.Errorf("%d panels, mistakes %v", fig.Len(), mistakes)
	}
	// A start without mistakes is one panel.
	fig = must(PRML4x7(PRML4x7Options{N: 1, Angle: 45, Seed: 1}))(t)
	if mistakes := column(fig.Data(), "mistakes"); fig.Len() != len(mistakes) {
		t.Errorf("%d panels for %d weights", fig.Len(), len(mistakes))
	}
}

// centreFrames are those of figure 4.12, fitted anew at every position of both centres.
func centreFrames() stepped {
	o := filled(PRML4x12Options{})
	s, n := o.scene(), len(prml4x12Places)
	return stepped{
		chart: func() (*show.Chart, error) { return PRML4x12Chart(PRML4x12Options{}) },
		draw:  func(i int) *show.Figure { return o.frame(s, i/n, i%n) },
		holds: func(i int, d show.Data) {
			// The clouds lie around (−1.5, −1), the middle and (1.5, 1).
			f, g := prml4x12Places[i/n], prml4x12Places[i%n]
			fittedAnew(d, [2][2]float64{{-1.5 * f, -f}, {1.5 * g, g}})
		},
		says: func(i int) []string {
			return []string{mistaken(int(single(o.frame(s, i/n, i%n).Data(), "mistakes.φ")), 120) + "; without basis functions 40"}
		},
	}
}

// fittedAnew checks the numbers of figure 4.12 for these centres: the points of the
// second panel are φ of those of the first, the weights are the optimum there, the
// boundary in both panels is where they say, straight in φ, and the points counted as
// wrong are.
func fittedAnew(d show.Data, centres [2][2]float64) {
	const width, alpha = 1.3, 0.01
	phi := func(j int, x, y float64) float64 {
		return math.Exp(-(math.Pow(x-centres[j][0], 2) + math.Pow(y-centres[j][1], 2)) / (2 * width * width))
	}
	x, y, class := drawn(d, "a.points")
	px, py, _ := drawn(d, "b.points")
	w := column(d, "model.w")
	need(len(w) == 3 && len(px) == 120, "%d weights, %d points", len(w), len(px))
	// ∇E = Σ (y − t) φ + α w, without the bias in the prior.
	gradient := [3]float64{0, alpha * w[1], alpha * w[2]}
	for i := range px {
		near(px[i], phi(0, x[i], y[i]), 1e-8, "φ₁ of a point")
		near(py[i], phi(1, x[i], y[i]), 1e-8, "φ₂ of a point")
		r := sigmoid(affine(w, px[i], py[i])) - (1 - class[i])
		gradient[0], gradient[1], gradient[2] = gradient[0]+r, gradient[1]+r*px[i], gradient[2]+r*py[i]
	}
	for j, g := range gradient {
		near(g, 0, 1e-4, fmt.Sprintf("the gradient of the error in w%d", j))
	}
	near(single(d, "mistakes.φ"), wrongSide(d, "b.points", w), 0, "the number of mistakes")
	n := onLine(d, "b.boundary", w, 1e-7)
	need(n == 0 || n == 2, "the boundary in φ has %d points: a straight line has two", n)
	bx, by, _ := drawn(d, "a.boundary")
	for i := range bx {
		near(affine(w, phi(0, bx[i], by[i]), phi(1, bx[i], by[i]))/math.Hypot(w[1], w[2]), 0, 1e-6, "the distance of the boundary in x from the line in φ")
	}
}
