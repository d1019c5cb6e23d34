package show

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/hyperplane-notebooks/hyperplane/toolkit/classify"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/datasets"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/show/internal/contour"
)

// TestLinearBoundaryLiesOnTheLine draws a linear model that returns scores, posteriors, or only
// predictions. In each case, the boundary must be 1 − 2 x1 + 3 x2 = 0.
func TestLinearBoundaryLiesOnTheLine(t *testing.T) {
	at := func(x []float64) float64 { return 1 - 2*x[0] + 3*x[1] }
	for name, m := range map[string]classify.Predictor{
		"scores":    ScoreFunc(func(x []float64) []float64 { return []float64{at(x)} }),
		"posterior": logit(1, -2, 3),
		"predictions": PredictFunc(func(x []float64) int {
			if at(x) >= 0 {
				return 0
			}
			return 1
		}),
	} {
		t.Run(name, func(t *testing.T) {
			fig := must(Regions(m, square(), RegionsOptions{X: [2]float64{-2, 3}, Y: [2]float64{-1, 2}}))(t)
			// The tolerance allows for coordinates up to 3 that are rounded to nine digits and
			// multiplied by weights up to 3.
			line := onLevels(t, fig, "boundary.", nil, 1e-7, at)
			if len(line) != 2 {
				t.Fatalf("the boundary has the points %v, want two points", line)
			}
			// The line enters the box at (−1, −1) and leaves it at (3, 5/3).
			checkClose(t, "the length of the boundary", math.Hypot(line[0][0]-line[1][0], line[0][1]-line[1][1]),
				math.Hypot(4, 8.0/3), 1e-7)
		})
	}
}

// regionAreas returns, for each class, the sum of the areas of its rings. The areas of holes are
// negative.
func regionAreas(t *testing.T, f *Figure, k int) []float64 {
	rows, out := columns(t, f, "region.", "class", "ring", "x", "y"), make([]float64, k)
	start := 0
	for i, p := range rows {
		if p[1] != rows[start][1] {
			start = i
		}
		q := rows[start] // the corner after corner i; the first corner follows the last
		if i+1 < len(rows) && rows[i+1][1] == p[1] {
			q = rows[i+1]
		}
		out[int(p[0])] += (p[2]*q[3] - q[2]*p[3]) / 2
	}
	return out
}

func TestRegionsOfIris(t *testing.T) {
	d := petals(t)
	m := must(classify.FitLeastSquares(d.X, d.Labels, 3, classify.LeastSquaresOptions{}))(t)
	fig := must(Regions(m, d, RegionsOptions{Mistakes: true}))(t)
	for _, q := range columns(t, fig, "boundary.", "i", "j", "x", "y") {
		a := must(m.Scores(mat.NewDense(1, 2, q[2:])))(t).RawRowView(0)
		i, j := int(q[0]), int(q[1])
		checkClose(t, fmt.Sprint("the difference of the scores at ", q), a[i]-a[j], 0, 1e-8)
		for k := range a {
			if a[k] > a[i]+1e-8 {
				t.Errorf("at %v the score of class %d is larger than the scores of classes %d and %d on the boundary",
					q[2:], k, i, j)
			}
		}
	}
	w, h := must(newBox(d, [2]float64{}, [2]float64{}))(t).size()
	sum := 0.0
	for _, a := range regionAreas(t, fig, 3) {
		if a <= 0 {
			t.Errorf("a region has the area %v, want a positive area", a)
		}
		sum += a
	}
	checkClose(t, "the area of all regions", sum, w*h, 1e-6*w*h)
	wrong := 0
	for i, l := range must(m.Predict(d.X))(t) {
		if d.Labels[i] != l {
			wrong++
		}
	}
	if got := len(column(t, fig, "mistakes.row")); got != wrong {
		t.Errorf("%d mistakes have rings, want %d", got, wrong)
	}
}

func TestCurvedBoundary(t *testing.T) {
	circle := PredictFunc(func(x []float64) int {
		if x[0]*x[0]+x[1]*x[1] < 4 {
			return 1
		}
		return 0
	})
	fig := must(Regions(circle, square(), RegionsOptions{X: [2]float64{-3, 3}, Y: [2]float64{-4, 4}}))(t)
	line := onLevels(t, fig, "boundary.", nil, 1e-7, func(q []float64) float64 { return math.Hypot(q[0], q[1]) - 2 })
	if !slices.Equal(line[0], line[len(line)-1]) {
		t.Errorf("the circle is not closed: it begins at %v and ends at %v", line[0], line[len(line)-1])
	}
	for k, want := range []float64{48 - 4*math.Pi, 4 * math.Pi} { // the first region has a hole
		checkClose(t, "the area of a region", regionAreas(t, fig, 2)[k], want, 0.01)
	}
}

// contradictingModel is a model with linear scores and a Predict that contradicts the scores. Plots
// must follow Predict.
type contradictingModel struct{ ScoreFunc }

func (contradictingModel) Predict(x mat.Matrix) ([]int, error) {
	return PredictFunc(func(x []float64) int {
		if x[0] < 0.25 {
			return 1
		}
		return 0
	}).Predict(x)
}

func TestPredictionsOverruleScores(t *testing.T) {
	m := contradictingModel{func(x []float64) []float64 { return []float64{x[0] - 0.75} }}
	fig := must(Regions(m, square(), RegionsOptions{X: [2]float64{0, 1}, Y: [2]float64{0, 1}}))(t)
	onLevels(t, fig, "boundary.", nil, 1e-8, func(q []float64) float64 { return q[0] - 0.25 })
}

func TestBoundaries(t *testing.T) {
	fig := must(Boundaries(square(), BoundariesOptions{}, Named{"first", logit(0, 1, -1)},
		Named{"$\\sigma$", logit(-1, 1, 1)}))(t)
	onLevels(t, fig, "first.", nil, 1e-8, func(q []float64) float64 { return q[0] - q[1] })
	onLevels(t, fig, "σ.", nil, 1e-8, func(q []float64) float64 { return q[0] + q[1] - 1 })
}

// threeLines returns the values at x of three linear discriminants with pairwise different slopes.
func threeLines(x []float64) []float64 {
	return []float64{1 - 2*x[0] + 0.5*x[1], x[0] - x[1], 2*x[1] - 0.7 - 0.3*x[0]}
}

func TestDiscriminantsAreZeroOnTheirLines(t *testing.T) {
	for _, scale := range []float64{1, 1e9, 1e-9} {
		d := corners3()
		d.X.Scale(scale, d.X)
		m := ScoreFunc(func(x []float64) []float64 { return threeLines([]float64{x[0] / scale, x[1] / scale}) })
		fig := must(Discriminants(m, d, DiscriminantsOptions{Tint: true}))(t)
		seen := map[float64]int{}
		for _, q := range columns(t, fig, "zero.", "class", "x", "y") {
			seen[q[0]]++
			checkClose(t, fmt.Sprint("the discriminant at ", q), m(q[1:])[int(q[0])], 0, 1e-7)
		}
		for k := 0.0; k < 3; k++ {
			if seen[k] != 2 {
				t.Errorf("scale %g: the line of class %v has %d points, want its two ends", scale, k, seen[k])
			}
		}
		onLevels(t, fig, "boundary.", []string{"i", "j"}, 1e-7,
			func(q []float64) float64 { return m(q[2:])[int(q[0])] - m(q[2:])[int(q[1])] })
	}
}

func TestDiscriminantsArrowsPointToThePositiveSide(t *testing.T) {
	for _, sign := range []float64{1, -1} {
		h := must(newHeight(box{[2]float64{0, 2}, [2]float64{0, 1}}, contour.Grid{NX: 21, NY: 21},
			pointwise(func(x, _ float64) float64 { return sign * (x - 0.5) })))(t)
		lines, _, err := h.contour(0)
		s := must(newSideLayer(h, must(lines, err)(t), lineStyle(0)))(t)
		// The line is vertical. If its points are in upward order, the points with a smaller x are
		// on its left.
		leftIsSmallX := s.b.Y > s.a.Y
		if positiveIsSmallX := sign < 0; s.left != (leftIsSmallX == positiveIsSmallX) {
			t.Errorf("sign %v: the arrow on the line from %v to %v points to the left: %v, want the opposite", sign, s.a, s.b, s.left)
		}
	}
}

func TestDiscriminantsOfPairs(t *testing.T) {
	d := petals(t)
	m := must(classify.FitOneVersusOne(d.X, d.Labels, 3, fitTwo, classify.OneVersusOneOptions{}))(t)
	fig := must(Discriminants(m, d, DiscriminantsOptions{HidePoints: true}))(t)
	seen := map[[2]int]bool{}
	for _, q := range columns(t, fig, "zero.", "i", "j", "x", "y") {
		at := [2]int{int(q[0]), int(q[1])}
		seen[at] = true
		for _, pair := range m.Pairs {
			if at == [2]int{pair.First, pair.Second} {
				a := must(pair.Machine.Scores(mat.NewDense(1, 2, q[2:])))(t)
				checkClose(t, fmt.Sprintf("the activation of the classifier for the pair %v on the pair's line", at), a.At(0, 0)-a.At(0, 1),
					0, 1e-6)
			}
		}
	}
	if len(seen) != 3 {
		t.Errorf("there are lines of %d pairs, want 3", len(seen))
	}
}

// TestDiscriminantsOfOneActivation checks that, for a machine with one activation, Discriminants
// draws a single line on which a discriminant is zero. This line is the boundary.
func TestDiscriminantsOfOneActivation(t *testing.T) {
	fig := must(Discriminants(ScoreFunc(func(x []float64) []float64 { return []float64{x[0] - 0.5} }), square(),
		DiscriminantsOptions{}))(t)
	if x := column(t, fig, "zero.x"); len(x) != 2 || x[0] != 0.5 || x[1] != 0.5 {
		t.Errorf("zero.x is %v, want 0.5 twice", x)
	}
}

// quarterMachine is a machine that claims class 0 for x > 0 and class 1 for y > 0.
func quarterMachine(x []float64) int {
	switch {
	case x[0] > 0 && x[1] > 0:
		return classify.Ambiguous
	case x[0] > 0:
		return 0
	case x[1] > 0:
		return 1
	}
	return classify.Rejected
}

func TestDecisionsShadeWhatIsUndecided(t *testing.T) {
	d := plane(2, []int{0, 1}, 1, -1, -1, 1)
	fig := must(Decisions(DecideFunc(quarterMachine), d, DecisionsOptions{X: [2]float64{-1, 1}, Y: [2]float64{-3,
		1}}))(t)
	// Each expected fraction is the product of half the width and one quarter or three quarters of
	// the height.
	want := map[float64]float64{0: 3.0 / 8, 1: 1.0 / 8, classify.Ambiguous: 1.0 / 8, classify.Rejected: 3.0 / 8}
	for _, q := range columns(t, fig, "share.", "class", "area") {
		// the tolerance is necessary, because the mesh rounds off the corner (0, 0)
		checkClose(t, fmt.Sprint("the share of answer ", q[0]), q[1], want[q[0]], 1e-4)
	}
	// Decisions must also draw a picture if the machine rejects every point and there is only one
	// class with one point.
	fig = must(Decisions(DecideFunc(func([]float64) int { return classify.Rejected }), plane(1, []int{0}, 1, 2),
		DecisionsOptions{}))(t)
	if a := column(t, fig, "share.area"); a[2] != 1 {
		t.Errorf("the shares of class 0, of ambiguous and of rejected points are %v, want 1 for rejected points", a)
	}
}

// threeGaussians returns the posterior for three classes with round Gaussian densities.
func threeGaussians(x []float64) []float64 {
	p := make([]float64, 3)
	sum := 0.0
	for k, m := range [][2]float64{{0, 0}, {1, 0}, {0.5, 1}} {
		p[k] = math.Exp(-4 * ((x[0]-m[0])*(x[0]-m[0]) + (x[1]-m[1])*(x[1]-m[1])))
		sum += p[k]
	}
	for k := range p {
		p[k] /= sum
	}
	return p
}

func TestAdaptorsDoNotShareRows(t *testing.T) {
	x := mat.NewDense(2, 2, []float64{1, 2, 3, 4})
	var kept [][]float64
	f := ScoreFunc(func(row []float64) []float64 { kept = append(kept, row); row[0] = 99; return []float64{1} })
	must(f.Predict(x))(t)
	if x.At(0, 0) != 1 || x.At(1, 0) != 3 {
		t.Error("a function that changes its argument also changed the data set, want it unchanged")
	}
	if kept[0][1] != 2 {
		t.Error("a later call changed the slice that the function had kept, want it unchanged")
	}
}

// bowl is the function ½(w₀−1)² + 2(w₁+1)² + w₂ of the weights.
func bowl(w []float64) float64 {
	return (w[0]-1)*(w[0]-1)/2 + 2*(w[1]+1)*(w[1]+1) + w[2]
}

// mahalanobis returns √((x−μ)ᵀΣ⁻¹(x−μ)) for a 2×2 matrix Σ.
func mahalanobis(x, mu []float64, s mat.Symmetric) float64 {
	a, b, c := s.At(0, 0), s.At(0, 1), s.At(1, 1)
	u, v := x[0]-mu[0], x[1]-mu[1]
	return math.Sqrt((c*u*u - 2*b*u*v + a*v*v) / (a*c - b*b))
}

// onLevels checks that |differs(q)| is at most tol at every point of the lines in the columns with
// the given prefix, and returns the values of q. The argument q contains the numbers in the named
// columns, followed by the two coordinates of the point.
func onLevels(t *testing.T, fig *Figure, prefix string, names []string, tol float64,
	differs func(q []float64) float64) [][]float64 {
	t.Helper()
	rows := columns(t, fig, prefix, append(names, "x", "y")...)
	for _, q := range rows {
		checkClose(t, fmt.Sprint("the difference at ", q), differs(q), 0, tol)
	}
	return rows
}

func TestPosteriorContoursLieOnTheirLevels(t *testing.T) {
	names := []string{"class", "level"}
	for _, scale := range []float64{1, 200} { // with the scale 200, the posterior is close to 0 or 1 nearly everywhere
		fig := must(Posterior(logit(0.2*scale, 4*scale, -3*scale), square(), PosteriorOptions{}))(t)
		rows := onLevels(t, fig, "contour.", names, 1e-7*scale, func(q []float64) float64 {
			return scale*(0.2+4*q[2]-3*q[3]) - math.Log(q[1]/(1-q[1]))
		})
		if len(rows) != 18 {
			t.Errorf("scale %v: nine straight contours have %d points, want 18, two for each", scale, len(rows))
		}
	}
	d, m := fitLogistic(t)
	fig := must(Posterior(m, d, PosteriorOptions{Levels: []float64{0.5}}))(t)
	if rows := onLevels(t, fig, "contour.", names, 1e-6,
		func(q []float64) float64 { return m.W[0] + m.W[1]*q[2] + m.W[2]*q[3] }); len(rows) != 2 {
		t.Errorf("the contour has %d points, want 2", len(rows))
	}
	fig = must(Posterior(PosteriorFunc(threeGaussians), corners3(), PosteriorOptions{Levels: []float64{0.6, 0.9}}))(t)
	onLevels(t, fig, "contour.", names, 1e-7,
		func(q []float64) float64 { return threeGaussians(q[2:])[int(q[0])] - q[1] })
	onLevels(t, fig, "boundary.", []string{"i", "j"}, 1e-7, func(q []float64) float64 {
		p := threeGaussians(q[2:])
		return p[int(q[0])] - p[int(q[1])]
	})
}

func TestDensitiesLieOnTheirLevels(t *testing.T) {
	d, m := petals(t), fitQDA(t)
	fig := must(Densities(m, d, DensitiesOptions{X: [2]float64{-1, 9}, Y: [2]float64{-1, 4}}))(t)
	// contours at 1, 2 and 3 standard deviations
	rows := onLevels(t, fig, "contour.", []string{"class", "level"}, 1e-6, func(q []float64) float64 {
		k := int(q[0])
		return mahalanobis(q[2:], m.Means.RawRowView(k), m.Sigma[k]) - math.Sqrt(-2*math.Log(q[1]))
	})
	if len(rows) < 9*20 {
		t.Errorf("nine ellipses have %d points, want at least 180", len(rows))
	}
	for i, p := range column(t, fig, "peak.value") {
		want := 1 / (2 * math.Pi * math.Sqrt(mat.Det(m.Sigma[i])))
		checkClose(t, fmt.Sprint("the peak of class ", i), p, want, 1e-7*want)
	}
	fig = must(Marginal(m, d, DensitiesOptions{Grid: 80}))(t)
	peak := column(t, fig, "peak.value")[0]
	onLevels(t, fig, "contour.", []string{"level"}, 1e-6, func(q []float64) float64 {
		return math.Exp(must(m.LogMarginal(mat.NewDense(1, 2, q[1:])))(t)[0])/peak - q[0]
	})
	// One class has a constant density, and the density of the other class is 0.
	if c := column(t, must(Densities(noDensity(0), square(), DensitiesOptions{Grid: 20}))(t), "peak.class"); len(c) != 1 || c[0] != 0 {
		t.Errorf("there are peaks of the classes %v, want only class 0", c)
	}
}

// noDensity is a model of two classes. Its value is the log density of the first class everywhere. The
// second class has density 0.
type noDensity float64

func (v noDensity) LogDensities(x mat.Matrix) (*mat.Dense, error) {
	n, _ := x.Dims()
	out := mat.NewDense(n, 2, nil)
	for i := range n {
		out.SetRow(i, []float64{float64(v), math.Inf(-1)})
	}
	return out, nil
}

func (v noDensity) LogMarginal(x mat.Matrix) ([]float64, error) {
	a, err := v.LogDensities(x)
	return mat.Col(nil, 0, a), err
}

func TestContoursLieOnTheirLevels(t *testing.T) {
	for _, scale := range []float64{1, 1e9, 1e-9} {
		mean := []float64{2 * scale, -1 * scale}
		cov := mat.NewSymDense(2, []float64{4 * scale * scale, 1.2 * scale * scale, 1.2 * scale * scale, scale * scale})
		g := must(GaussianDensity("Laplace", mean, cov))(t)
		other := Density{Name: "exact", Log: func(a, b float64) float64 { return 7 + 2*g.Log(a, b) }}
		samples := mat.NewDense(2, 2, []float64{mean[0], mean[1], mean[0] + scale, mean[1]})
		fig := must(Contours(ContoursOptions{Samples: samples, XLabel: "$w_0$"}, g, other))(t)
		// The contours of the density with the name "exact" are narrower by the factor √2, because
		// the logarithm of this density decreases twice as fast.
		for name, by := range map[string]float64{"Laplace.": 1, "exact.": math.Sqrt2} {
			onLevels(t, fig, name, []string{"level"}, 1e-6, func(q []float64) float64 {
				return mahalanobis(q[1:], mean, cov) - math.Sqrt(-2*math.Log(q[0]))/by
			})
		}
		checkClose(t, "the peak", column(t, fig, "exact.peak")[0], 7, 1e-9)
	}
}

func TestLossLiesOnItsLevels(t *testing.T) {
	steps := Path{"steps",
		classify.Trace{{W: []float64{-1, 0, 5}, E: 9}, {W: []float64{0.5, -0.8, 2}, E: 3},
			{W: []float64{1, -1, 0.5}, E: 0.5}}}
	fig := must(Loss(ObjectiveFunc(bowl), LossOptions{Grid: 60}, steps))(t)
	seen := map[float64]bool{}
	for _, q := range onLevels(t, fig, "contour.", []string{"level"}, 1e-6,
		// the last iterate lies in the plane that Loss draws
		func(q []float64) float64 { return bowl([]float64{q[1], q[2], 0.5}) - q[0] }) {
		seen[q[0]] = true
	}
	if len(seen) != 16 {
		t.Errorf("the contours have %d levels, want 16", len(seen))
	}
	if p := columns(t, fig, "steps.", "x", "y"); p[1][0] != 0.5 || p[2][1] != -1 {
		t.Errorf("the path is %v, want x = 0.5 at its second point and y = -1 at its third point", p)
	}
	// The second plot shows other weights, has given levels and has no path.
	fig = must(Loss(ObjectiveFunc(bowl),
		LossOptions{I: 2, J: 0, At: []float64{0, 3, 0}, X: [2]float64{0, 1}, Y: [2]float64{0, 2},
			Levels: []float64{32.5, 33}, Grid: 30}))(t)
	onLevels(t, fig, "contour.", []string{"level"}, 1e-6,
		func(q []float64) float64 { return bowl([]float64{q[2], 3, q[1]}) - q[0] })
}

// TestOnBasisOfLess draws two models on basis functions. One has activations but no posterior, and
// the other only predicts classes. Plots must not call methods that a model does not have.
func TestOnBasisOfLess(t *testing.T) {
	d := must(datasets.Rings(datasets.RingsOptions{}))(t)
	basis := must(classify.BasisProducts(2))(t)
	squares := func(phi mat.Matrix) (*classify.LeastSquares, error) {
		return classify.FitLeastSquares(phi, d.Labels, d.K(), classify.LeastSquaresOptions{})
	}
	names := func(phi mat.Matrix) (classify.Predictor, error) {
		m, err := squares(phi)
		return struct{ classify.Predictor }{m}, err
	}
	for name, m := range map[string]classify.Predictor{
		"activations": must(classify.FitOnBasis(d.X, basis, squares))(t),
		"predictions": must(classify.FitOnBasis(d.X, basis, names))(t),
	} {
		if _, err := Regions(m, d, RegionsOptions{}); err != nil {
			t.Errorf("%s: Regions returns the error %v, want no error", name, err)
		}
	}
}
