package figures

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat/distmv"

	"github.com/hyperplane-notebooks/hyperplane/toolkit/classify"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/datasets"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/kernels"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/show"
)

// PRML4x9Options are the options of PRML figure 4.9. The zero value draws the default figure.
type PRML4x9Options struct {
	// λ² in the probit function Φ(λa); π/8 makes the slopes at a = 0 equal, see the text before (4.152)
	Lambda2 float64 `default:"0.39269908169872414" range:"0..1e12"`
	Range   float64 `default:"6"` // the axis of the activation a extends from −Range to Range
}

// PRML4x9 draws σ(a) and Φ(λa) in one panel, and the difference σ(a) − Φ(λa) in another.
//
// The figure's Data contains:
//   - The curves: "a.x", "a.σ(a)", "a.Φ(λa)", "b.x" and "b.σ(a) − Φ(λa)".
//   - "slopes.at 0": the slopes of σ(a) and Φ(λa) at a = 0.
//   - "gap.largest": the largest absolute difference of the two functions on the a axis.
//   - "gap.at": the a > 0 at which this difference occurs.
//
// Errors: a λ² outside 0 to 1e12, a Range that is negative or not finite.
//
// Equations: PRML (4.59).
func PRML4x9(o PRML4x9Options) (_ *show.Figure, err error) {
	defer returnFailure("PRML 4.9", &err)
	o = withDefaults(o)
	lambda := math.Sqrt(o.Lambda2)
	probit := func(a float64) float64 { return kernels.NormCDF(lambda * a) }
	// The function `gap` rounds the difference to nine decimals. Without this, the difference would
	// consist only of rounding errors where the functions are equal.
	gap := func(a float64) float64 { return math.Round((kernels.Sigmoid(a)-probit(a))*1e9) / 1e9 }
	opt := show.CurvesOptions{XLabel: "$a$", From: -o.Range, To: o.Range, Guides: []float64{0, 0.5, 1},
		Y: [2]float64{-0.05, 1.05}}
	curves := try(show.Curves(opt, show.Curve{Name: `$\sigma(a)$`, F: kernels.Sigmoid},
		show.Curve{Name: `$\Phi(\lambda a)$`, F: probit}))
	opt.Looks = []show.Look{{Color: show.LineColor(3)}} // the difference has a different colour from both curves
	opt.Guides, opt.Y, opt.YLabel = []float64{0}, [2]float64{}, `$\sigma(a) - \Phi(\lambda a)$`
	difference := try(show.Curves(opt, show.Curve{Name: opt.YLabel, F: gap}))
	curves.Title, difference.Title = `two sigmoids, $\lambda^2 = $`+lambdaLabel(o.Lambda2), "their difference"
	fig := try(show.Panels(2, curves, difference))
	largest, at := 0.0, 0.0
	const n = 2000 // number of grid points; with the default options, the largest difference is then accurate to 1e-7
	for i := 1; i <= n; i++ {
		a := o.Range * float64(i) / n
		if g := math.Abs(gap(a)); g > largest {
			largest, at = g, a
		}
	}
	addNumbers(fig, "slopes.at 0", 0.25, lambda*kernels.NormPDF(0)) // by (4.88), σ′(0) = σ(0)(1 − σ(0)) = 1/4
	addNumbers(fig, "gap.largest", largest)
	addNumbers(fig, "gap.at", at)
	fig.Alt = fmt.Sprintf("The logistic sigmoid and the probit function scaled by lambda, lambda squared = %.4g, and their difference, at most %.2g.", o.Lambda2, largest)
	return fig, nil
}

func lambdaLabel(v float64) string {
	if v == math.Pi/8 {
		return `$\pi/8$`
	}
	return fmt.Sprintf("%.4g", v)
}

// PRML4x10Options are the options of PRML figure 4.10. The zero value draws the default figure.
type PRML4x10Options struct {
	N     int     `default:"200"`              // the densities are estimated from N points of each class
	Prior float64 `default:"0.5" range:"0..1"` // p(C₁)
	// ClassCovariances means that each class has its own covariance. The posterior is then no
	// longer the sigmoid of a linear function of x.
	ClassCovariances bool
	Seed             uint64 // seed of the random data
}

// PRML4x10 draws two Gaussian class densities with a shared covariance. A second panel shows the
// posterior p(C₁|x) = σ(wᵀx + w0) as a surface that is coloured by its height. The weights w and w0
// are computed with (4.66) and (4.67).
//
// The figure's Data contains:
//   - The columns of show.Surfaces, whose names begin with "a." for the densities and with "b." for
//     the posterior.
//   - "model.w": the weights, bias first.
//   - "model.mean1" and "model.mean2": the class means.
//   - "model.cov": the shared covariance, row by row.
//   - "model.prior": the prior p(C₁).
//
// Errors: a negative N, a prior outside (0, 1), too few points for a covariance.
//
// Equations: PRML (4.57), (4.64)–(4.67).
func PRML4x10(o PRML4x10Options) (_ *show.Figure, err error) {
	defer returnFailure("PRML 4.10", &err)
	o = withDefaults(o)
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

// PRML4x10Chart returns the figure of [PRML4x10] as an interactive chart, which the reader can
// rotate with the mouse. It returns the same errors as [PRML4x10].
func PRML4x10Chart(o PRML4x10Options) (*show.Chart, error) {
	return show.Interactive(PRML4x10(o))
}

// twoGaussianFit fits Gaussian densities to two classes. It returns the model m to draw and a fit
// with a shared covariance. If `own` is true, each class of m has its own covariance. Otherwise m
// is the fit with the shared covariance.
func twoGaussianFit(d *datasets.Dataset, own bool, priors []float64) (m classify.Generative, shared *classify.LDA) {
	shared = try(classify.FitLDA(d.X, d.Labels, d.K(), classify.LDAOptions{Priors: priors}))
	if own {
		return try(classify.FitQDA(d.X, d.Labels, d.K(), classify.QDAOptions{Priors: priors})), shared
	}
	return shared, shared
}

// densitiesAndPosterior draws the densities of two classes, and the posterior p(C₁|x), as surfaces.
func densitiesAndPosterior(m classify.Generative, o show.SurfacesOptions) (densities, posterior *show.Figure) {
	o.Title, o.ZLabel, o.Low = "class densities", `$p(\mathbf{x}|C_k)$`, 0.02
	densities = try(show.Surfaces(o, show.DensitySheet(`$p(\mathbf{x}|C_1)$`, m, 0),
		show.DensitySheet(`$p(\mathbf{x}|C_2)$`, m, 1)))
	sheet := show.PosteriorSheet(`$p(C_1|\mathbf{x})$`, m, 0)
	sheet.Colors = show.PosteriorColors(nil)
	o.Title, o.ZLabel, o.Z, o.Low = "posterior", sheet.Name, [2]float64{0, 1}, 0
	return densities, try(show.Surfaces(o, sheet))
}

// addSharedModel appends the parameters of a model to the Data of a figure. The model has two
// classes, which share a covariance.
func addSharedModel(fig *show.Figure, m *classify.LDA) {
	fig.AddData("model.w", try(m.TwoClass()))
	fig.AddData("model.mean1", mat.Row(nil, 0, m.Means))
	fig.AddData("model.mean2", mat.Row(nil, 1, m.Means))
	addNumbers(fig, "model.cov", m.Sigma.At(0, 0), m.Sigma.At(0, 1), m.Sigma.At(1, 0), m.Sigma.At(1, 1))
	fig.AddData("model.prior", m.Priors[:1])
}

// PRML4x11Options are the options of PRML figure 4.11. The zero value draws the default figure.
type PRML4x11Options struct {
	N      int     `default:"60"` // number of points of each class
	Spread float64 `default:"1"`  // factor by which all standard deviations are multiplied
	// ClassCovariances means that C₁ and C₂ do not share an estimated covariance: each class has
	// its own. The boundary between C₁ and C₂ is then curved, like the other boundaries.
	ClassCovariances bool
	Seed             uint64 // seed of the random data
}

// PRML4x11 draws three Gaussian class densities. C₁ and C₂ share a covariance. A second panel shows
// the posterior probabilities as mixtures of the class colours. It also shows the boundaries
// between the classes.
//
// The figure's Data contains:
//   - The columns of show.Densities, whose names begin with "a.".
//   - The columns of show.Posterior, whose names begin with "b.".
//   - "model.mean1", "model.mean2" and "model.mean3": the class means.
//   - "model.cov1", "model.cov2" and "model.cov3": the covariances, row by row.
//   - "model.priors": the priors of the classes.
//
// Errors: a negative N, a Spread outside 1e-100 to 1e100, too few points for a covariance.
//
// Equations: PRML (4.62)–(4.64), (4.78).
func PRML4x11(o PRML4x11Options) (_ *show.Figure, err error) {
	defer returnFailure("PRML 4.11", &err)
	o = withDefaults(o)
	d := try(datasets.ThreeGaussians(datasets.SceneOptions{N: o.N, Spread: o.Spread, Seed: o.Seed}))
	own := try(classify.FitQDA(d.X, d.Labels, d.K(), classify.QDAOptions{}))
	covs := append([]*mat.SymDense(nil), own.Sigma...)
	if !o.ClassCovariances {
		// The maximum-likelihood estimate of the shared covariance is a weighted mean of the two
		// class covariances. The weights are the class sizes, as in (4.78).
		n0, n1 := float64(own.Counts[0]), float64(own.Counts[1])
		shared := mat.NewSymDense(2, nil)
		for i := range 2 {
			for j := i; j < 2; j++ {
				shared.SetSym(i, j, (n0*covs[0].At(i, j)+n1*covs[1].At(i, j))/(n0+n1))
			}
		}
		covs[0], covs[1] = shared, shared
	}
	m := newGaussianClasses(own.Means, covs, own.Priors)
	densities, posterior := classViews(d, m, "class densities", "posterior")
	fig := equalPanels(2, densities, posterior)
	addGaussians(fig, own.Means, covs, own.Priors)
	fig.Alt = "Contours of three Gaussian class densities, and their posterior probabilities as mixed colours; the boundary of the two classes with a shared covariance is straight, the others are conics."
	if o.ClassCovariances {
		fig.Alt = "Contours of three Gaussian class densities, and the posterior probabilities of the classes as mixed colours; all boundaries are conics."
	}
	return fig, nil
}

// classViews draws two panels for the same square part of the plane: the contours of a model's
// densities, and the model's posterior.
func classViews(d *datasets.Dataset, m interface {
	show.ClassDensities
	classify.Prober
}, densitiesTitle, posteriorTitle string) (densities, posterior *show.Figure) {
	x, y := equalRanges(d)
	densities = try(show.Densities(m, d,
		show.DensitiesOptions{Title: densitiesTitle, XLabel: "$x_1$", YLabel: "$x_2$", X: x, Y: y, Grid: 100}))
	posterior = try(show.Posterior(m, d,
		show.PosteriorOptions{Title: posteriorTitle, XLabel: "$x_1$", YLabel: "$x_2$", X: x, Y: y, HidePoints: true,
			Grid: 100}))
	return densities, posterior
}

// addGaussians appends the parameters of Gaussian classes to the Data of a figure.
func addGaussians(fig *show.Figure, means *mat.Dense, covs []*mat.SymDense, priors []float64) {
	for k, c := range covs {
		fig.AddData(fmt.Sprintf("model.mean%d", k+1), mat.Row(nil, k, means))
		addNumbers(fig, fmt.Sprintf("model.cov%d", k+1), c.At(0, 0), c.At(0, 1), c.At(1, 0), c.At(1, 1))
	}
	fig.AddData("model.priors", priors)
}

// gaussianClasses is a model with a given Gaussian density for each class and the scores
//
//	a_k(x) = ln p(x|C_k)p(C_k)  (4.63).
type gaussianClasses struct {
	normal []*distmv.Normal
	priors []float64
}

func newGaussianClasses(means *mat.Dense, covs []*mat.SymDense, priors []float64) *gaussianClasses {
	m := &gaussianClasses{priors: priors}
	for k, c := range covs {
		n, ok := distmv.NewNormal(mat.Row(nil, k, means), c, nil)
		require(ok, "a covariance is not positive definite; draw more points")
		m.normal = append(m.normal, n)
	}
	return m
}

// LogDensities returns the N×K matrix of ln p(x|C_k). LogDensities, Scores and Posterior always
// return a nil error.
func (m *gaussianClasses) LogDensities(x mat.Matrix) (*mat.Dense, error) {
	n, d := x.Dims()
	out, row := mat.NewDense(n, len(m.normal), nil), make([]float64, d)
	for i := range n {
		mat.Row(row, i, x)
		for k, normal := range m.normal {
			out.Set(i, k, normal.LogProb(row))
		}
	}
	return out, nil
}

// Scores returns a_k(x), N×K.
func (m *gaussianClasses) Scores(x mat.Matrix) (*mat.Dense, error) {
	a, _ := m.LogDensities(x)
	a.Apply(func(_, k int, v float64) float64 { return v + math.Log(m.priors[k]) }, a)
	return a, nil
}

// Posterior returns the N×K matrix of p(C_k|x), computed with (4.62).
func (m *gaussianClasses) Posterior(x mat.Matrix) (*mat.Dense, error) {
	a, _ := m.Scores(x)
	n, _ := a.Dims()
	for i := range n {
		kernels.Softmax(a.RawRowView(i), a.RawRowView(i))
	}
	return a, nil
}
