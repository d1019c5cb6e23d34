package figures

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat"

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
	p, n := newPull(o, 20, slices.Max(cloudPlaces), true), len(cloudPlaces)
	drawn := slices.Index(cloudPlaces, asDrawn)
	return stepped{
		chart: func() (*show.Chart, error) { return PRML4x4Chart(PRML4x4Options{}) },
		draw:  func(i int) *show.Figure { return p.live(counts[i/n], cloudPlaces[i%n]) },
		holds: func(i int, d show.Data) {
			near(float64(len(column(d, "b.points.x"))), 100, 0, "the number of points")
			near(float64(len(column(d, "b.outliers.x"))), float64(counts[i/n]), 0, "the number of outliers")
			near(single(d, "outliers.place"), cloudPlaces[i%n], 1e-9, "the place of the cloud")
			if x := column(d, "b.outliers.x"); counts[i/n] > 0 { // the cloud's middle is 8.5 out, to a few spreads of 0.45
				near(stat.Mean(x, nil), 8.5*cloudPlaces[i%n], 1.5, "the place of the cloud")
			}
			turnsAsDrawn(d)
		},
		all: func(frames []show.Data) {
			need(len(frames) == 21*n && counts[0] == 0 && counts[20] == 20, "%d frames for %v", len(frames), counts)
			// The farther out, the more does least squares turn, and logistic regression at no place.
			farther := -1.0
			for _, d := range frames[20*n:] {
				squares, logistic := single(d, "turn.least squares"), single(d, "turn.logistic")
				need(squares > farther && logistic < 3, "least squares turns by %v° after %v°, logistic regression by %v°", squares, farther, logistic)
				farther = squares
			}
			before := -1.0
			for i := range counts {
				d := frames[i*n+drawn]
				squares, logistic := single(d, "turn.least squares"), single(d, "turn.logistic")
				need(i > 0 || squares == 0 && logistic == 0, "without outliers the boundaries turn by %v° and %v°", squares, logistic)
				need(squares > before, "position %d turns least squares by %v° after %v°", i, squares, before)
				need(logistic < 3, "position %d turns logistic regression by %v°", i, logistic)
				before = squares
				if i == 1 || i == 8 || i == 20 { // a position is the printed figure of that many outliers
					printed := try(PRML4x4(PRML4x4Options{Outliers: i})).Data()
					need(single(printed, "turn.least squares") == squares && single(printed, "turn.logistic") == logistic, "%d outliers: the printed figure turns otherwise", i)
				}
			}
		},
		says: func(i int) []string {
			d := p.figure(counts[i/n], cloudPlaces[i%n]).Data()
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
			at, apart := all[slices.Index(js, largest)], all[slices.Index(gaps, farthest)]
			need(at.name == fisherHeading, "J is largest at %s", at.label())
			need(apart.name == meansHeading, "the means are farthest apart at %s", apart.label())
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
