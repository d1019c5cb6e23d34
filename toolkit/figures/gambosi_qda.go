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
	N int // points of each class; 0 is 60
	// SharedCovariance gives all three densities one covariance: the boundaries
	// become straight.
	SharedCovariance bool
	Seed             uint64 // of the random data
}

func (o GambosiQDAOptions) filled() GambosiQDAOptions {
	return filled(o, GambosiQDAOptions{N: 60})
}

func gambosiQDAEntry() Entry {
	return entry(Entry{
		ID:      "fig-gambosi-qda",
		Title:   "Three Gaussians with three covariances: quadratic discriminants",
		Source:  "Gambosi, slides on linear classification, quadratic discriminants",
		LookFor: "Every boundary is a conic: the quadratic terms of long, round and tilted clouds do not cancel.",
	}, GambosiQDA, nil)
}

// GambosiQDA draws three Gaussian class densities with a covariance each, p(x) of
// all classes, the posterior probabilities as mixed colours, and the decision
// regions with their boundaries.
//
// Numbers: a., the contours (see show.Densities); b., those of p(x) (see
// show.Marginal); c., the posterior (see show.Posterior); d., the regions (see show.Regions); model. as in
// PRML4x11. Errors: a negative N, too few points for a covariance.
func GambosiQDA(o GambosiQDAOptions) (_ *show.Figure, err error) {
	defer named("Gambosi QDA", &err)
	o = o.filled()
	d, err := datasets.Gaussians(datasets.GaussiansOptions{
		Means: [][]float64{{-1.4, -0.4}, {1.4, -0.8}, {0.3, 1.6}},
		Covs: []*mat.SymDense{
			mat.NewSymDense(2, []float64{0.15, 0.1, 0.1, 0.6}),
			mat.NewSymDense(2, []float64{0.4, 0, 0, 0.4}),
			mat.NewSymDense(2, []float64{1.3, -0.3, -0.3, 0.25}),
		},
		N: []int{o.N}, Seed: o.Seed,
	})
	if err != nil {
		return nil, err
	}
	own, err := classify.FitQDA(d.X, d.Labels, d.K(), classify.QDAOptions{})
	if err != nil {
		return nil, err
	}
	var m classify.Generative = own
	covs, kind := own.Sigma, "conics"
	if o.SharedCovariance {
		shared, err := classify.FitLDA(d.X, d.Labels, d.K(), classify.LDAOptions{})
		if err != nil {
			return nil, err
		}
		m, covs, kind = shared, []*mat.SymDense{shared.Sigma, shared.Sigma, shared.Sigma}, "straight"
	}
	fig, err := fourViews(m, d)
	if err != nil {
		return nil, err
	}
	addGaussians(fig, own.Means, covs, own.Priors)
	fig.Alt = "Three Gaussian classes: contours of their densities, the density of all points, the posterior probabilities as mixed colours, and the decision regions; their boundaries are " + kind + "."
	return fig, nil
}

// fourViews draws a generative model: densities, p(x), posterior, regions.
func fourViews(m classify.Generative, d *datasets.Dataset) (*show.Figure, error) {
	x, y := square(d)
	opt := show.DensitiesOptions{XLabel: "$x_1$", YLabel: "$x_2$", X: x, Y: y, Grid: 100}
	opt.Title = `class densities $p(\mathbf{x}|C_k)$`
	densities, err := show.Densities(m, d, opt)
	if err != nil {
		return nil, err
	}
	opt.Title, opt.HidePoints = `density of all points $p(\mathbf{x})$`, true
	marginal, err := show.Marginal(m, d, opt)
	if err != nil {
		return nil, err
	}
	posterior, err := show.Posterior(m, d, show.PosteriorOptions{
		Title: `posterior $p(C_k|\mathbf{x})$`, XLabel: "$x_1$", YLabel: "$x_2$", X: x, Y: y, HidePoints: true, Grid: 100,
	})
	if err != nil {
		return nil, err
	}
	regions, err := show.Regions(m, d, show.RegionsOptions{
		Title: "decision regions", XLabel: "$x_1$", YLabel: "$x_2$", X: x, Y: y, Mistakes: true, Grid: 100,
	})
	if err != nil {
		return nil, err
	}
	return equalPanels(densities, marginal, posterior, regions)
}
