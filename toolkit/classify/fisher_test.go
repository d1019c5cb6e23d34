package classify_test

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat/distuv"

	"github.com/hyperplane-notebooks/hyperplane/toolkit/classify"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/datasets"
)

// TestFisherUnits checks that changing the unit of a column changes only the weight of this column,
// apart from a factor that all weights share. It also checks that LeastSquaresWeights returns an
// error after a fit with Shrinkage, and without a fit.
func TestFisherUnits(t *testing.T) {
	x, labels := clouds(200, 4, 2, 4)
	m := must(classify.FitFisher(x, targets(labels), classify.FisherOptions{}))(t)
	errorIf(t, misclassified(t, m, x, labels) > 70, "%d rows are misclassified, want at most 70",
		misclassified(t, m, x, labels))
	y, units := mat.DenseCopyOf(x), []float64{0x1p-400, 1, 0x1p300, 3}
	y.Apply(func(_, j int, v float64) float64 { return v * units[j] }, y)
	other := must(classify.FitFisher(y, targets(labels), classify.FisherOptions{}))(t)
	allClose(t, "J", []float64{other.J}, []float64{m.J}, 1e-14)
	for j, u := range units {
		ratio := m.Direction[j] / m.Direction[0]
		closeTo(t, other.Direction[j]/other.Direction[0]*u/units[0]/ratio, 1, 1e-13, "weight %d", j)
	}
	shrunk := must(classify.FitFisher(x, targets(labels), classify.FisherOptions{Shrinkage: 0.5}))(t)
	errorHas(t, errorOf(shrunk.LeastSquaresWeights()), "FitLeastSquares")
	errorHas(t, errorOf(new(classify.Fisher).LeastSquaresWeights()), "no weights")
}

// TestFisherThreshold checks that the weighted densities of the projected classes are equal at the
// Gaussian threshold. In three cases the threshold must be the midpoint, and Reason must say so: the
// weighted densities are not equal at any point, a class has no projected spread, or the option
// FisherThresholdMidpoint is set.
func TestFisherThreshold(t *testing.T) {
	weighted := func(m *classify.Fisher, k int) float64 {
		n := float64(m.Scatter.Counts[k])
		density := distuv.Normal{Mu: m.ProjectedMeans[k], Sigma: math.Sqrt(m.ProjectedScatters[k] / n)}
		return math.Log(n) + density.LogProb(m.Threshold)
	}
	iris := datasets.Iris()
	for _, c := range []struct {
		name   string
		x      mat.Matrix
		t      []float64
		o      classify.FisherOptions
		reason string
		equal  bool
	}{
		{"iris", iris.X, must(iris.Target("virginica"))(t), classify.FisherOptions{},
			"equal projected Gaussian densities", true},
		{"equal variances", mat.NewDense(4, 1, []float64{0, 2, 10, 12}), []float64{0, 0, 1, 1},
			classify.FisherOptions{}, "equal projected", true},
		{"unequal shares", mat.NewDense(7, 1, []float64{-1, 1, -1, 1, -1, 1.1, 0}), []float64{0, 0, 0, 0, 1, 1, 0},
			classify.FisherOptions{}, "outside the means", true},
		{"option FisherThresholdMidpoint", mat.NewDense(9, 1, []float64{-9, 9, -7, 7, -8, 8, 1, 4, -2}),
			[]float64{0, 0, 0, 0, 0, 0, 1, 0, 1}, classify.FisherOptions{Threshold: classify.FisherThresholdMidpoint},
			"midpoint", false},
		{"one class with a spread too small to square", mat.NewDense(4, 1, []float64{-1e-100, 1e-100, 0.9, 1.1}),
			[]float64{0, 0, 1, 1}, classify.FisherOptions{}, "equal projected", false},
		{"a point", mat.NewDense(3, 1, []float64{0, 1, 5}), []float64{0, 0, 1}, classify.FisherOptions{},
			"no projected spread", false},
		{"one class everywhere", mat.NewDense(8, 1, []float64{-3, -1, 0, 0, 1, 3, 0, 2}),
			[]float64{0, 0, 0, 0, 0, 0, 1, 1}, classify.FisherOptions{}, "everywhere", false},
	} {
		t.Run(c.name, func(t *testing.T) {
			m := must(classify.FitFisher(c.x, c.t, c.o))(t)
			errorHas(t, reasonError(m.Reason), c.reason)
			switch {
			case c.name == "one class with a spread too small to square":
				// The narrow density N(h|0,1e-100²) and the wide density N(h|1,0.1²) are equal at
				// about h = 24e-100.
				closeTo(t, m.Threshold*1e100, 20, 10, "threshold")
			case c.equal:
				closeTo(t, weighted(m, 0), weighted(m, 1), 1e-9, "log of the weighted density at the threshold")
			default:
				closeTo(t, m.Threshold, (m.ProjectedMeans[0]+m.ProjectedMeans[1])/2, 1e-15, "midpoint")
			}
		})
	}
}

type reasonError string

func (r reasonError) Error() string { return string(r) }

// TestFisherErrors checks that each error explains why the fit is impossible and what the caller
// can change.
func TestFisherErrors(t *testing.T) {
	x, labels := clouds(30, 4, 3, 6)
	target := targets(labels)
	for i := range labels {
		if labels[i] == 2 {
			labels[i] = 1
		}
	}
	with := func(f func(i int, row []float64)) *mat.Dense {
		y := mat.DenseCopyOf(x)
		for i := range 30 {
			f(i, y.RawRowView(i))
		}
		return y
	}
	wide, wl := clouds(4, 6, 2, 1)
	for _, c := range []struct {
		name string
		x    *mat.Dense
		t    []float64
		want []string
		fix  bool // true if PseudoInverse alone and Shrinkage alone each make the fit succeed
	}{
		{"duplicate", with(func(_ int, r []float64) { r[2] = r[0] }), target,
			[]string{"singular", "rank 3 of 4", "(counting from 0): 0, 2", "PseudoInverse", "Shrinkage"}, true},
		{"constant", with(func(_ int, r []float64) { r[1] = 7.3 }), target,
			[]string{"rank 3 of 4", "zero within-class variance (counting from 0): 1"}, true},
		{"constant in each class", with(func(i int, r []float64) { r[1] = float64(labels[i]) + 0.1 }), target,
			[]string{"zero within-class variance (counting from 0): 1"}, true},
		{"D > N", wide, targets(wl),
			[]string{"rank 2 of 6", "4 rows in 2 classes span only 2 directions for 6 columns"}, true},
		{"points", mat.NewDense(2, 1, []float64{1, 2}), []float64{0, 1}, []string{"S_W is zero", "add rows"}, false},
		{"equal means", mat.NewDense(4, 1, []float64{1, 2, 1, 2}), []float64{0, 0, 1, 1}, []string{"means coincide"},
			false},
		{"soft", mat.NewDense(2, 1, []float64{1, 2}), []float64{0, 0.5}, []string{"t[1] is 0.5"}, false},
		{"N = 1", mat.NewDense(1, 1, []float64{1}), []float64{1}, []string{"class"}, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			errorHas(t, errorOf(classify.FitFisher(c.x, c.t, classify.FisherOptions{})),
				append(c.want, "classify: FitFisher: ")...)
			for _, o := range []classify.FisherOptions{{PseudoInverse: true}, {Shrinkage: 0.3}} {
				m, err := classify.FitFisher(c.x, c.t, o)
				if errorIf(t, (err == nil) != c.fix, "%+v: got error %v, want an error: %v", o, err, !c.fix); err == nil {
					finite(t, "W", m.W...)
					errorIf(t, m.ProjectedMeans[0] <= m.ProjectedMeans[1],
						"%+v: the projected means are %v, want the larger mean first", o,
						m.ProjectedMeans)
				}
			}
		})
	}
	// With the pseudo-inverse, a column and its copy share equally the weight that the column alone
	// would have.
	m := must(classify.FitFisher(with(func(_ int, r []float64) { r[2] = r[0] }), target,
		classify.FisherOptions{PseudoInverse: true}))(t)
	single := must(classify.FitFisher(with(func(_ int, r []float64) { copy(r[2:], r[3:]) }).Slice(0, 30, 0, 3), target,
		classify.FisherOptions{}))(t)
	closeTo(t, m.Direction[0], m.Direction[2], 1e-12, "weight of the duplicate")
	closeTo(t, 2*m.Direction[0]/m.Direction[1], single.Direction[0]/single.Direction[1], 1e-10, "weights of both")
	multi := func(o classify.FisherMultiOptions) error { return errorOf(classify.FitFisherMulti(x, labels, 3, o)) }
	allFail(t, []failingCall{
		{"3 features", multi(classify.FisherMultiOptions{Features: 3}), []string{"FitFisherMulti", "1…2"}},
		{"2 features", multi(classify.FisherMultiOptions{Features: 2}), []string{"span only 1"}}, // class 2 is empty
		{"shrinkage", multi(classify.FisherMultiOptions{Shrinkage: 2}), []string{"[0,1]"}},
		{"priors", multi(classify.FisherMultiOptions{Priors: []float64{1, 1}}), []string{"Priors"}},
		{"no fit", errorOf(new(classify.FisherMulti).Transform(x)), []string{"FitFisherMulti"}},
	})
}

// dyadicClouds returns point clouds with coordinates that are multiples of 2⁻²⁰. Adding an offset
// of up to 2³¹ is therefore exact.
func dyadicClouds(n, d, k int, offset float64) (*mat.Dense, []int) {
	x, labels := clouds(n, d, k, 5)
	x.Apply(func(_, _ int, v float64) float64 { return math.Round(v*(1<<20))/(1<<20) + offset }, x)
	return x, labels
}

// near checks that each entry of `got` differs from the entry of `want` by at most `tol` times the
// largest absolute value in `want`.
func near(t *testing.T, name string, got, want mat.Matrix, tol float64) {
	t.Helper()
	g, w := flat(got), flat(want)
	if len(g) != len(w) {
		t.Fatalf("%s: got %d numbers, want %d", name, len(g), len(w))
	}
	var size float64
	for _, v := range w {
		size = math.Max(size, math.Abs(v))
	}
	for i := range w {
		errorIf(t, !(math.Abs(g[i]-w[i]) <= tol*size), "%s: number %d is %v, want %v ± %.2g", name, i, g[i], w[i], tol*size)
	}
}

// TestScatterFar covers classes that are far apart relative to their spread and whose rows alternate.
// It also covers inputs in units of 2⁻⁵⁰⁰ and 2⁵⁰⁰. If the squares of the inputs overflow, NewScatter
// must return an error.
func TestScatterFar(t *testing.T) {
	x, labels := dyadicClouds(300, 3, 3, 0)
	base := must(classify.NewScatter(x, labels, 3))(t)
	y := mat.DenseCopyOf(x)
	y.Apply(func(i, _ int, v float64) float64 { return v + float64(labels[i])*(1<<30) }, y)
	near(t, "S_W of far classes", must(classify.NewScatter(y, labels, 3))(t).Within, base.Within, 1e-13)
	for _, u := range []float64{0x1p-500, 0x1p500} {
		y.Apply(func(_, _ int, v float64) float64 { return v * u }, x)
		var w mat.Dense
		w.Scale(u*u, base.Within)
		near(t, "S_W in other units", must(classify.NewScatter(y, labels, 3))(t).Within, &w, 1e-14)
	}
	y.Apply(func(_, _ int, v float64) float64 { return v * 1e200 }, x)
	errorHas(t, errorOf(classify.NewScatter(y, labels, 3)), "NewScatter", "units")
}

// TestScatterMany covers an empty class. It also covers so many classes that a fit with a scatter
// for each class needs several passes.
func TestScatterMany(t *testing.T) {
	const k, d = 40, 70
	x, labels := clouds(k*90, d, k, 3)
	for i, l := range labels {
		if l == 7 {
			labels[i] = 8
		}
	}
	m := must(classify.FitQDA(x, labels, k, classify.QDAOptions{}))(t)
	for _, c := range []int{0, 8, 39} {
		mean, n := averageOf(x, labels, c)
		near(t, "Σ_k", m.Sigma[c], symmetric(1/n, scatterAbout(x, labels, c, mean)), 1e-13)
	}
	errorIf(t, m.Sigma[7] != nil || m.Priors[7] != 0 || m.Counts[8] != 180, "the empty class 7 has Σ %v and prior %v, want nil and 0; class 8 has %d rows, want 180", m.Sigma[7],
		m.Priors[7], m.Counts[8])
}
