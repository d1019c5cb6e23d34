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

// PRML4x11Options change figure 4.11. The zero value draws the printed form.
type PRML4x11Options struct {
	N      int     `default:"60"` // points of each class
	Spread float64 `default:"1"`  // multiplies the standard deviations
	// ClassCovariances estimates a separate covariance for each class, instead of a shared
	// covariance for C₁ and C₂. The boundary between C₁ and C₂ is then also curved.
	ClassCovariances bool
	Seed             uint64 // seed of the random data
}

// PRML4x11 draws three Gaussian class densities. C₁ and C₂ share a covariance. A second
// panel shows the posterior probabilities as mixtures of the class colours, and the
// boundaries between the classes.
//
// Numbers: a., the contours (see show.Densities), and b., the posterior and the
// boundaries (see show.Posterior); model.mean1, .cov1 (by rows) to .mean3, .cov3, and
// model.priors. Errors: a negative N or spread, too few points for a covariance.
//
// Equations: PRML (4.62)–(4.64), (4.78).
func PRML4x11(o PRML4x11Options) (_ *show.Figure, err error) {
	defer named("PRML 4.11", &err)
	o = filled(o)
	d := try(datasets.ThreeGaussians(datasets.SceneOptions{N: o.N, Spread: o.Spread, Seed: o.Seed}))
	own := try(classify.FitQDA(d.X, d.Labels, d.K(), classify.QDAOptions{}))
	covs := append([]*mat.SymDense(nil), own.Sigma...)
	if !o.ClassCovariances {
		// The maximum-likelihood estimate of the shared covariance is the mean of the two class
		// covariances, weighted by the class sizes as in (4.78).
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
	return fig, nil
}

// classViews draws contours of the densities of a model, and its posterior, on the same
// square part of the plane.
func classViews(d *datasets.Dataset, m interface {
	show.ClassDensities
	classify.Prober
}, densitiesTitle, posteriorTitle string) (densities, posterior *show.Figure) {
	x, y := square(d)
	densities = try(show.Densities(m, d,
		show.DensitiesOptions{Title: densitiesTitle, XLabel: "$x_1$", YLabel: "$x_2$", X: x, Y: y, Grid: 100}))
	posterior = try(show.Posterior(m, d,
		show.PosteriorOptions{Title: posteriorTitle, XLabel: "$x_1$", YLabel: "$x_2$", X: x, Y: y, HidePoints: true,
			Grid: 100}))
	return densities, posterior
}

// addGaussians appends the parameters of Gaussian classes to the numbers of a figure.
func addGaussians(fig *show.Figure, means *mat.Dense, covs []*mat.SymDense, priors []float64) {
	for k, c := range covs {
		fig.AddData(fmt.Sprintf("model.mean%d", k+1), mat.Row(nil, k, means))
		fig.AddData(fmt.Sprintf("model.cov%d", k+1), []float64{c.At(0, 0), c.At(0, 1), c.At(1, 0), c.At(1, 1)})
	}
	fig.AddData("model.priors", priors)
}

// gaussianClasses is a model of classes with given Gaussian densities and the scores
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
		need(ok, "a covariance is not positive definite; draw more points")
		m.normal = append(m.normal, n)
	}
	return m
}

// LogDensities returns ln p(x|C_k), N×K. LogDensities, Scores and Posterior always return a
// nil error.
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

// Posterior returns p(C_k|x), N×K, by (4.62).
func (m *gaussianClasses) Posterior(x mat.Matrix) (*mat.Dense, error) {
	a, _ := m.Scores(x)
	n, _ := a.Dims()
	for i := range n {
		kernels.Softmax(a.RawRowView(i), a.RawRowView(i))
	}
	return a, nil
}
