package figures

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/hyperplane-notebooks/hyperplane/toolkit/classify"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/datasets"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/kernels"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/show"
)

// GambosiSigmoidOptions are the options of the figure that shows the symmetry of the sigmoid. The
// zero value draws the default figure.
type GambosiSigmoidOptions struct {
	A     float64 `default:"1.5"` // the marked heights are at a = A and at a = −A
	Range float64 `default:"6"`   // the a axis extends from −Range to Range
}

// GambosiSigmoid draws σ(a) and σ(−a) = 1 − σ(a), and marks two equal heights. At a = −A it marks
// the height from 0 to σ(−A). At a = A it marks the height from σ(A) to 1.
//
// The figure's Data contains "x", "σ(a)", "σ(−a)", and the marked heights: "marked.a",
// "marked.below" (σ(−A)) and "marked.above" (1 − σ(A)). Errors: A outside −Range … Range, or a
// Range that is negative or not finite.
//
// Equations: PRML (4.59), (4.60); Gambosi (sigmoid), (sigmoid-symmetry).
func GambosiSigmoid(o GambosiSigmoidOptions) (_ *show.Figure, err error) {
	defer returnFailure("Gambosi sigmoid", &err)
	o = withDefaults(o)
	require(o.Range > 0, "Range is %v; want a number above 0", o.Range)
	require(math.Abs(o.A) <= o.Range, "A is %v; it must lie between −%v and %v, the ends of the a axis (option Range)", o.A, o.Range, o.Range)
	fig := try(show.Curves(sigmoidAxes("$a$", o.Range),
		show.Curve{Name: `$\sigma(a)$`, F: kernels.Sigmoid},
		show.Curve{Name: `$\sigma(-a) = 1 - \sigma(a)$`, F: func(a float64) float64 { return kernels.Sigmoid(-a) }}))
	below, above := kernels.Sigmoid(-o.A), 1-kernels.Sigmoid(o.A)
	bar := show.Look{Width: 2.4}
	for _, s := range []struct {
		x, y0, y1 float64
		label     string
	}{{-o.A, 0, below, `$\sigma(-a)$`}, {o.A, 1 - above, 1, `$1 - \sigma(a)$`}} {
		check(fig.AddLine(0, "", []float64{s.x, s.x}, []float64{s.y0, s.y1}, bar))
		dx, align := 6.0, 0.0 // offset that moves the label away from the curve
		if s.x > 0 {
			dx, align = -6, -1
		}
		check(fig.AddText(0, s.label, s.x, (s.y0+s.y1)/2, dx, 0, show.Look{Align: align}))
	}
	check(fig.AddMarks(0, "", []float64{-o.A, o.A, 0}, []float64{below, 1 - above, 0.5}, show.Look{}))
	addNumbers(fig, "marked.a", o.A)
	addNumbers(fig, "marked.below", below)
	addNumbers(fig, "marked.above", above)
	fig.Alt = fmt.Sprintf("The logistic sigmoid and its mirror image; at a = %g its distance from 1 equals its value at −a.", o.A)
	return fig, nil
}

// GambosiGDAOptions are the options of the figure that shows Gaussian discriminant analysis. The
// zero value draws the default figure.
type GambosiGDAOptions struct {
	N1 int `default:"60"` // number of points of C₁; the priors are estimated from N1 and N2
	N2 int `default:"20"` // number of points of C₂
	// ClassCovariances means that each class has its own estimated covariance. The points of the
	// last panel then do not lie on the sigmoid, which assumes a shared covariance.
	ClassCovariances bool
	Seed             uint64 // seed of the random data
}

// GambosiGDA draws two Gaussian classes in four panels. Two panels show the class densities and the
// posterior p(C₁|x) as surfaces. The third panel shows contours of the densities and the boundary.
// The last panel shows the posterior of every point as a function of the point's activation a = wᵀx
// + w0.
//
// The name of each column of the figure's Data begins with a prefix:
//   - "a.", "b." and "model.": the columns of PRML4x10.
//   - "c.": the columns of show.Densities, and the boundary, which is called "c.p(C1|x) = 1/2".
//   - "d.": the sigmoid, and the activation and posterior of each point, "d.C1.a" and "d.C1.p",
//     "d.C2.a" and "d.C2.p".
//
// Errors: negative numbers of points, or too few points to estimate a covariance.
//
// Equations: PRML (4.64)–(4.67); Gambosi (gda-posterior), (gda-linear),
// (discriminant-condition).
func GambosiGDA(o GambosiGDAOptions) (_ *show.Figure, err error) {
	defer returnFailure("Gambosi GDA", &err)
	o = withDefaults(o)
	d := try(datasets.TwoGaussians(datasets.TwoGaussiansOptions{
		N1: o.N1, N2: o.N2, Mean1: []float64{0.8, -0.2}, Mean2: []float64{-0.8, 0.2},
		Cov1: mat.NewSymDense(2, []float64{0.7, 0.3, 0.3, 0.7}), Seed: o.Seed,
	}))
	m, shared := twoGaussianFit(d, o.ClassCovariances, nil)
	x, y := [2]float64{-3.5, 3.5}, [2]float64{-3.5, 3.5}
	densities, posterior := densitiesAndPosterior(m, show.SurfacesOptions{
		XLabel: "$x_1$", YLabel: "$x_2$", X: x, Y: y, Cells: 20, Smooth: 2, Azimuth: -110,
	})
	fig := try(show.Densities(m, d, show.DensitiesOptions{XLabel: "$x_1$", YLabel: "$x_2$", X: x, Y: y}))
	lx, ly := boundaryLine(m, d, x, y)
	check(fig.AddLine(0, `$p(C_1|\mathbf{x}) = 1/2$`, lx, ly, show.Look{Width: 2.2}))
	slope := o.drawSlope(shared, m, d)
	fig.Title, slope.Title = "their contours and the boundary", "the posterior across the slope"
	fig = try(show.Panels(2, densities, posterior, fig, slope))
	fig.Alt = fmt.Sprintf("Gaussian densities of two classes with %d and %d points, and their posterior: a sigmoid of a linear function.", o.N1, o.N2)
	addSharedModel(fig, shared)
	return fig, nil
}

// GambosiGDAChart returns the figure of [GambosiGDA] as an interactive chart, which the reader can
// rotate with the mouse. It returns the same errors as [GambosiGDA].
func GambosiGDAChart(o GambosiGDAOptions) (*show.Chart, error) {
	return show.Interactive(GambosiGDA(o))
}

// drawSlope draws the sigmoid, and a mark for each point. The height of the mark is the posterior
// that m returns. The x coordinate of the mark is the activation that the model with a shared
// covariance computes for the point.
func (o GambosiGDAOptions) drawSlope(shared *classify.LDA, m classify.Prober, d *datasets.Dataset) *show.Figure {
	w := try(shared.TwoClass())
	p := try(m.Posterior(d.X))
	var a, y [2][]float64
	far := 0.0
	for i, k := range d.Labels {
		v := w[0] + w[1]*d.X.At(i, 0) + w[2]*d.X.At(i, 1)
		a[k], y[k] = append(a[k], v), append(y[k], p.At(i, 0))
		far = max(far, math.Abs(v))
	}
	far = math.Ceil(far + 0.5)
	fig := try(show.Curves(sigmoidAxes(`$a = \mathbf{w}^T\mathbf{x} + w_0$`, far),
		show.Curve{Name: `$\sigma(a)$`, F: kernels.Sigmoid}))
	fig.Panel(0).Y.Label.Text = `$p(C_1|\mathbf{x})$`
	for k := range a {
		check(fig.AddMarks(0, "", a[k], y[k], show.Look{Color: show.ClassColor(k), Marker: k}))
		fig.AddData(fmt.Sprintf("C%d.a", k+1), a[k])
		fig.AddData(fmt.Sprintf("C%d.p", k+1), y[k])
	}
	return fig
}

// GambosiQDAOptions are the options of the figure that shows quadratic discriminant analysis. The
// zero value draws the default figure.
type GambosiQDAOptions struct {
	N int `default:"60"` // number of points of each class
	// SharedCovariance gives all three densities the same covariance. The boundaries are then
	// straight.
	SharedCovariance bool
	Seed             uint64 // seed of the random data
}

// GambosiQDA draws three Gaussian classes with separate covariances in four panels. The panels show
// the class densities, the density p(x) of all classes, the posterior probabilities as mixed
// colours, and the decision regions.
//
// The name of each column of the figure's Data begins with a prefix:
//   - "a.": the columns of show.Densities.
//   - "b.": the columns of show.Marginal.
//   - "c.": the columns of show.Posterior.
//   - "d.": the columns of show.Regions.
//   - "model.": the same columns as in PRML4x11.
//
// Errors: a negative N, too few points to estimate a covariance.
//
// Equations: Gambosi (qda-discriminant), (qda-boundary), (boundary-posteriors).
func GambosiQDA(o GambosiQDAOptions) (_ *show.Figure, err error) {
	defer returnFailure("Gambosi QDA", &err)
	o = withDefaults(o)
	d := try(datasets.Gaussians(datasets.GaussiansOptions{
		Means: [][]float64{{-1.4, -0.4}, {1.4, -0.8}, {0.3, 1.6}},
		Covs: []*mat.SymDense{
			mat.NewSymDense(2, []float64{0.15, 0.1, 0.1, 0.6}),
			mat.NewSymDense(2, []float64{0.4, 0, 0, 0.4}),
			mat.NewSymDense(2, []float64{1.3, -0.3, -0.3, 0.25}),
		},
		N: []int{o.N}, Seed: o.Seed,
	}))
	own := try(classify.FitQDA(d.X, d.Labels, d.K(), classify.QDAOptions{}))
	var m classify.Generative = own
	covs, kind := own.Sigma, "conics"
	if o.SharedCovariance {
		shared := try(classify.FitLDA(d.X, d.Labels, d.K(), classify.LDAOptions{}))
		m, covs, kind = shared, []*mat.SymDense{shared.Sigma, shared.Sigma, shared.Sigma}, "straight"
	}
	x, y := equalRanges(d)
	densities, posterior := classViews(d, m, `class densities $p(\mathbf{x}|C_k)$`, `posterior $p(C_k|\mathbf{x})$`)
	marginal := try(show.Marginal(m, d, show.DensitiesOptions{
		Title: `density of all points $p(\mathbf{x})$`, XLabel: "$x_1$", YLabel: "$x_2$", X: x, Y: y, HidePoints: true,
		Grid: 100,
	}))
	regions := try(show.Regions(m, d, show.RegionsOptions{
		Title: "decision regions", XLabel: "$x_1$", YLabel: "$x_2$", X: x, Y: y, Mistakes: true, Grid: 100,
	}))
	fig := equalPanels(2, densities, marginal, posterior, regions)
	addGaussians(fig, own.Means, covs, own.Priors)
	fig.Alt = "Three Gaussian classes: contours of their densities, the density of all points, the posterior probabilities as mixed colours, and the decision regions; their boundaries are " + kind + "."
	return fig, nil
}
