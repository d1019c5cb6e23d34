package figures

import (
	"gonum.org/v1/gonum/mat"

	"github.com/hyperplane-notebooks/hyperplane/toolkit/classify"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/datasets"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/show"
)

// PRML4x10Options change figure 4.10. The zero value draws the printed form.
type PRML4x10Options struct {
	N     int     `default:"200"`              // points of each class, from which the densities are estimated
	Prior float64 `default:"0.5" range:"0..1"` // p(C₁)
	// ClassCovariances gives each class a separate covariance. The posterior is then no
	// longer a sigmoid of a linear function.
	ClassCovariances bool
	Seed             uint64 // seed of the random data
}

// PRML4x10 draws two Gaussian class densities with a shared covariance. A second panel
// shows the posterior p(C₁|x) = σ(wᵀx + w0), with w and w0 from (4.66)–(4.67), as a surface
// that is coloured by its height.
//
// Numbers: the numbers of the two surfaces (see show.Surfaces), a. the densities and b. the
// posterior; model.w, bias first; model.mean1, .mean2 and .cov (by rows), the shared
// covariance, and model.prior, p(C₁). Errors: a negative N, a prior outside (0, 1), too
// few points for a covariance.
//
// Equations: PRML (4.57), (4.64)–(4.67).
func PRML4x10(o PRML4x10Options) (_ *show.Figure, err error) {
	defer named("PRML 4.10", &err)
	o = filled(o)
	scene := datasets.TwoGaussiansOptions{
		N1: o.N, N2: o.N, Mean1: []float64{0.7, 0.5}, Mean2: []float64{-0.7, -0.5},
		Cov1: mat.NewSymDense(2, []float64{0.5, -0.1, -0.1, 0.4}), Seed: o.Seed,
	}
	alt := "Two Gaussian bells of one shape, and their posterior, a sigmoid slope with straight contours."
	if o.ClassCovariances {
		scene.Cov2 = mat.NewSymDense(2, []float64{0.2, -0.1, -0.1, 0.6})
		alt = "Two Gaussian bells of different shapes, and their posterior, with curved contours."
	}
	d := try(datasets.TwoGaussians(scene))
	m, shared := twoGaussianFit(d, o.ClassCovariances, []float64{o.Prior, 1 - o.Prior})
	densities, posterior := densitiesAndPosterior(m, show.SurfacesOptions{
		XLabel: "$x_1$", YLabel: "$x_2$", X: [2]float64{-2.5, 2.5}, Y: [2]float64{-2.5, 2.5}, Cells: 20, Smooth: 2,
	})
	fig := try(show.Panels(2, densities, posterior))
	fig.Alt = alt
	addSharedModel(fig, shared)
	return fig, nil
}

// PRML4x10Chart is [PRML4x10] as an interactive chart that the mouse rotates. Errors: as in [PRML4x10].
func PRML4x10Chart(o PRML4x10Options) (*show.Chart, error) {
	return show.Interactive(PRML4x10(o))
}

// twoGaussianFit fits Gaussian densities. If own is true, the classes have separate covariances. It
// returns the model to draw, and the fit with a shared covariance.
func twoGaussianFit(d *datasets.Dataset, own bool, priors []float64) (m classify.Generative, shared *classify.LDA) {
	shared = try(classify.FitLDA(d.X, d.Labels, d.K(), classify.LDAOptions{Priors: priors}))
	if own {
		return try(classify.FitQDA(d.X, d.Labels, d.K(), classify.QDAOptions{Priors: priors})), shared
	}
	return shared, shared
}

// densitiesAndPosterior draws the densities of two classes, and p(C₁|x), as surfaces.
func densitiesAndPosterior(m classify.Generative, o show.SurfacesOptions) (densities, posterior *show.Figure) {
	o.Title, o.ZLabel, o.Low = "class densities", `$p(\mathbf{x}|C_k)$`, 0.02
	densities = try(show.Surfaces(o, show.DensitySheet(`$p(\mathbf{x}|C_1)$`, m, 0),
		show.DensitySheet(`$p(\mathbf{x}|C_2)$`, m, 1)))
	sheet := show.PosteriorSheet(`$p(C_1|\mathbf{x})$`, m, 0)
	sheet.Colors = show.PosteriorColor
	o.Title, o.ZLabel, o.Z, o.Low = "posterior", sheet.Name, [2]float64{0, 1}, 0
	return densities, try(show.Surfaces(o, sheet))
}

// addSharedModel appends the parameters of a model of two classes with a shared
// covariance to the numbers of a figure.
func addSharedModel(fig *show.Figure, m *classify.LDA) {
	fig.AddData("model.w", try(m.TwoClass()))
	fig.AddData("model.mean1", mat.Row(nil, 0, m.Means))
	fig.AddData("model.mean2", mat.Row(nil, 1, m.Means))
	fig.AddData("model.cov", []float64{m.Sigma.At(0, 0), m.Sigma.At(0, 1), m.Sigma.At(1, 0), m.Sigma.At(1, 1)})
	fig.AddData("model.prior", m.Priors[:1])
}
