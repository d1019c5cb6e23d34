package figures

import (
	"gonum.org/v1/gonum/mat"

	"github.com/hyperplane-notebooks/hyperplane/toolkit/classify"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/datasets"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/show"
)

// GambosiQDAOptions change the figure of quadratic discriminant analysis. The
// zero value draws the printed form.
type GambosiQDAOptions struct {
	N int `default:"60"` // points of each class
	// SharedCovariance gives all three densities the same covariance. The boundaries are then
	// straight.
	SharedCovariance bool
	Seed             uint64 // seed of the random data
}

// GambosiQDA draws three Gaussian class densities with one covariance each, the density p(x) of all
// classes, the posterior probabilities as mixed colours, and the decision regions with their
// boundaries.
//
// Numbers: a., the contours (see show.Densities); b., the contours of p(x) (see show.Marginal); c.,
// the posterior (see show.Posterior); d., the regions (see show.Regions); model. as in PRML4x11.
// Errors: a negative N, too few points for a covariance.
//
// Equations: Gambosi (qda-discriminant), (qda-boundary), (boundary-posteriors).
func GambosiQDA(o GambosiQDAOptions) (_ *show.Figure, err error) {
	defer named("Gambosi QDA", &err)
	o = filled(o)
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
	x, y := square(d)
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
