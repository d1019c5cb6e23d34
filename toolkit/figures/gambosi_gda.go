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

// GambosiGDAOptions change the figure of Gaussian discriminant analysis. The zero
// value draws the printed form.
type GambosiGDAOptions struct {
	N1 int `default:"60"` // number of points of each class; the shares of the classes are the priors
	N2 int `default:"20"`
	// ClassCovariances estimates a covariance for each class. The points of the last panel are then
	// not on the sigmoid of the shared covariance.
	ClassCovariances bool
	Seed             uint64 // seed of the random data
}

// GambosiGDA draws two Gaussian class densities and the posterior p(C₁|x) as
// surfaces, the contours of the densities with the boundary, and the posterior
// of every point against its activation a = wᵀx + w0.
//
// Numbers: a. and b. as in PRML4x10; c., the contours and points (see show.Densities),
// and c.p(C1|x) = 1/2, the boundary; d., the sigmoid, and d.C1.a and .p, d.C2.a and .p, activation and posterior of
// each point; model. as in
// PRML4x10. Errors: negative numbers of points, or too few for a covariance.
//
// Equations: PRML (4.64)–(4.67); Gambosi (gda-posterior), (gda-linear),
// (discriminant-condition).
func GambosiGDA(o GambosiGDAOptions) (_ *show.Figure, err error) {
	defer named("Gambosi GDA", &err)
	o = filled(o)
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
	slope := o.slope(shared, m, d)
	fig.Title, slope.Title = "their contours and the boundary", "the posterior across the slope"
	fig = try(show.Panels(2, densities, posterior, fig, slope))
	fig.Alt = fmt.Sprintf("Gaussian densities of two classes with %d and %d points, and their posterior: a sigmoid of a linear function.", o.N1, o.N2)
	addSharedModel(fig, shared)
	return fig, nil
}

// GambosiGDAChart is [GambosiGDA] as an interactive chart that the mouse rotates. Errors: as in
// [GambosiGDA].
func GambosiGDAChart(o GambosiGDAOptions) (*show.Chart, error) {
	return show.Interactive(GambosiGDA(o))
}

// slope draws the posterior of each point by m against the activation of the point in the shared
// model.
func (o GambosiGDAOptions) slope(shared *classify.LDA, m classify.Prober, d *datasets.Dataset) *show.Figure {
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
	fig := try(show.Curves(show.CurvesOptions{
		XLabel: `$a = \mathbf{w}^T\mathbf{x} + w_0$`, YLabel: `$p(C_1|\mathbf{x})$`,
		From: -far, To: far, Y: [2]float64{-0.05, 1.05}, Guides: []float64{0, 0.5, 1},
	}, show.Curve{Name: `$\sigma(a)$`, F: kernels.Sigmoid}))
	for k := range a {
		check(fig.AddMarks(0, "", a[k], y[k], show.Look{Color: show.ClassColor(k), Marker: k}))
		fig.AddData(fmt.Sprintf("C%d.a", k+1), a[k])
		fig.AddData(fmt.Sprintf("C%d.p", k+1), y[k])
	}
	return fig
}
