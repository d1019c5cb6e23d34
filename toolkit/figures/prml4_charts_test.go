package figures

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/hyperplane-notebooks/hyperplane/toolkit/show"
)

// geometryFrames are those of figure 4.1: w has the length, angle and bias of the
// position, and both feet and arrows are where that line says.
func geometryFrames(o PRML4x1Options) stepped {
	chart := func() (*show.Chart, error) { return PRML4x1Chart(o) }
	o = filled(o)
	g := newGeometries(o)
	at := func(i int) (w []float64, y float64) {
		sin, cos := math.Sincos(g.angles[i/len(g.biases)] * math.Pi / 180)
		w = []float64{g.biases[i%len(g.biases)], o.Norm * cos, o.Norm * sin}
		return w, affine(w, o.X[0], o.X[1])
	}
	// The sliders pass through the values of the options.
	start, y0 := at(g.start[0]*len(g.biases) + g.start[1])
	near(y0, single(try(PRML4x1(o)).Data(), "y"), 1e-8, "y(x) at the start")
	near(start[0], o.W0, 1e-9, "w0 at the start")
	// label is a label that ends in a number, as the page shows it.
	label := func(what string, v float64) string {
		return what + " = " + minus(fmt.Sprintf("%.3g", math.Round(v*1e9)/1e9+0))
	}
	return stepped{
		chart: chart,
		draw:  func(i int) *show.Figure { return g.figure(i/len(g.biases), i%len(g.biases)) },
		holds: func(i int, d show.Data) {
			want, y := at(i)
			x, foot, below := column(d, "x"), column(d, "foot"), column(d, "below")
			for j, w := range column(d, "w") {
				near(w, want[j], 1e-7, fmt.Sprintf("w%d", j))
			}
			near(single(d, "y"), y, 1e-7, "y")
			near(single(d, "distance.x"), y/o.Norm, 1e-7, "the distance of x")
			near(single(d, "distance.origin"), -want[0]/o.Norm, 1e-7, "the distance of the origin")
			// Both feet lie on the line, and the arrows that end there are that long.
			near(affine(want, foot[0], foot[1]), 0, 1e-7, "y at the foot of 0")
			near(affine(want, below[0], below[1]), 0, 1e-7, "y at the foot of x")
			near(math.Hypot(foot[0], foot[1]), math.Abs(want[0]/o.Norm), 1e-7, "the length of the arrow from 0")
			near(math.Hypot(x[0]-below[0], x[1]-below[1]), math.Abs(y/o.Norm), 1e-7, "the length of the arrow to x")
		},
		says: func(i int) []string {
			w, y := at(i)
			return []string{label("−w₀/‖w‖", -w[0]/o.Norm), label("y(x)/‖w‖", y/o.Norm), "…" + label("y(x)", y)}
		},
	}
}

// outlierFrames are those of figure 4.4: least squares turns more with every position,
// from nothing, and logistic regression nowhere by 3° or more.
func outlierFrames() stepped {
	o := filled(PRML4x4Options{})
	counts, _ := outlierCounts(o.Outliers)
	p := newPull(o, 20)
	return stepped{
		chart: func() (*show.Chart, error) { return PRML4x4Chart(PRML4x4Options{}) },
		draw:  func(i int) *show.Figure { return p.live(counts[i]) },
		holds: func(i int, d show.Data) {
			near(float64(len(column(d, "b.points.x"))), float64(100+counts[i]), 0, "the number of points")
			turnsAsDrawn(d)
		},
		all: func(frames []show.Data) {
			need(len(frames) == 21 && counts[0] == 0 && counts[20] == 20, "%d frames for %v", len(frames), counts)
			before := -1.0
			for i, d := range frames {
				squares, logistic := single(d, "turn.least squares"), single(d, "turn.logistic")
				need(logistic < 3 && squares > before && (i > 0 || squares == 0 && logistic == 0), "position %d turns least squares by %v° after %v°, logistic regression by %v°", i, squares, before, logistic)
				before = squares
				if i == 1 || i == 8 || i == 20 { // a position is the printed figure of that many outliers
					printed := try(PRML4x4(PRML4x4Options{Outliers: i})).Data()
					need(single(printed, "turn.least squares") == squares && single(printed, "turn.logistic") == logistic, "%d outliers: the printed figure turns otherwise", i)
				}
			}
		},
		says: func(i int) []string {
			d := p.figure(counts[i]).Data()
			return []string{fmt.Sprintf("least squares turns by %.1f°, logistic regression by %.1f°", single(d, "turn.least squares"), single(d, "turn.logistic"))}
		},
	}
}

// More than twenty outliers: the slider ends there.
func TestOutlierCounts(t *testing.T) {
	if counts, start := outlierCounts(50); len(counts) != 21 || counts[0] != 0 || start != 20 || counts[start] != 50 || !slices.IsSorted(counts) {
		t.Errorf("counts %v, start %d", counts, start)
	}
}

// headingFrames are those of figure 4.6: J of every position is (4.26) there and that of
// the drawn points, is the largest at Fisher's, and the means lie farthest apart on their line.
func headingFrames() stepped {
	l := newElongated(filled(PRML4x6Options{}))
	all := l.headings()
	j, most := criterion(l)
	return stepped{
		chart: func() (*show.Chart, error) { return PRML4x6Chart(PRML4x6Options{}) },
		draw:  func(i int) *show.Figure { return l.projected(all[i], 30) },
		holds: func(i int, d show.Data) {
			drawn, _ := fisherOf(column(d, "direction.y"), column(d, "direction.class"))
			near(single(d, "direction.fisher"), j(all[i].degrees), 1e-7, "J")
			near(single(d, "direction.fisher"), drawn, 1e-7, "J")
			near(single(d, "degrees"), all[i].degrees, 1e-6, "the angle")
		},
		all: func(frames []show.Data) {
			need(len(frames) == 39 && all[0].degrees == 0 && all[38].degrees == 180, "%d positions from %v", len(frames), all[0])
			var js, gaps []float64
			for _, d := range frames {
				v, gap := fisherOf(column(d, "direction.y"), column(d, "direction.class"))
				js, gaps = append(js, v), append(gaps, gap)
			}
			largest, farthest := slices.Max(js), slices.Max(gaps)
			near(largest, most, 1e-7, "the largest J")
			need(all[slices.Index(js, largest)].name == fisherHeading && all[slices.Index(gaps, farthest)].name == meansHeading, "J is not largest at Fisher's direction, or the means are not farthest apart on their line")
		},
		says: func(i int) []string {
			return []string{fmt.Sprintf("J = %.3f (largest: %.3f)", j(all[i].degrees), most), all[i].label()}
		},
	}
}

// criterion returns J(w) = wᵀS_B w / wᵀS_W w, PRML (4.26), and its maximum, from
// matrices that are summed here, (4.27) and (4.28).
func criterion(l *elongated) (j func(degrees float64) float64, most float64) {
	var m [2][2]float64
	n := l.Counts()
	for i, k := range l.Labels {
		m[k][0] += l.X.At(i, 0) / float64(n[k])
		m[k][1] += l.X.At(i, 1) / float64(n[k])
	}
	within := mat.NewDense(2, 2, nil)
	for i, k := range l.Labels {
		d := mat.NewVecDense(2, []float64{l.X.At(i, 0) - m[k][0], l.X.At(i, 1) - m[k][1]})
		within.RankOne(within, 1, d, d)
	}
	gap := mat.NewVecDense(2, []float64{m[1][0] - m[0][0], m[1][1] - m[0][1]})
	var best mat.VecDense
	check(best.SolveVec(within, gap)) // (4.30)
	return func(degrees float64) float64 {
		sin, cos := math.Sincos(degrees * math.Pi / 180)
		w := mat.NewVecDense(2, []float64{cos, sin})
		return math.Pow(mat.Dot(w, gap), 2) / mat.Inner(w, within, w)
	}, mat.Dot(gap, &best)
}

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
