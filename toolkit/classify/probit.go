package classify

import (
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/block"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/codec"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/glm"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/kernels"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/linalg"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/solve"
)

var (
	_ Predictor   = (*Probit)(nil)
	_ Scorer      = (*Probit)(nil)
	_ Prober      = (*Probit)(nil)
	_ linearModel = (*Probit)(nil)
)

// ProbitOptions are the options of FitProbit. The fields have the same meaning and defaults as in
// LogisticOptions. The zero value means maximum likelihood.
type ProbitOptions LogisticOptions

// Probit is the probit regression of PRML 4.3.5,
//
//	p(C₁|x) = Φ(a), a = wᵀφ, φ = (1, x) (4.114),
//
// where w minimises E(w) = −Σ_n {t_n ln Φ(a_n) + (1−t_n) ln Φ(−a_n)}, plus the prior's penalty.
// Φ(a) is the probability that a exceeds a threshold drawn from N(0,1). If the threshold is drawn
// from N(m,s²), the probability is Φ((a−m)/s). The model is then the same, but with a different w:
// all weights are divided by s, and the bias is also shifted. PRML does not mention the shift
// (erratum P36).
//
// The probit link is not canonical, so the Hessian depends on t. Hessian, Covariance and the
// standard errors use the observed information (exercise 4.19). FisherInformation returns the
// expected information, which some packages use.
//
// The erf of (4.115) differs from the erf of numerical libraries (erratum P15). With the erf of
// libraries, Φ(a) = ½(1 + erf(a/√2)). As |a| grows, the smaller of Φ(a) and Φ(−a) falls like
// exp(−a²/2)/|a|, not like exp(−a²) (erratum P16). A mislabelled row far from the boundary
// therefore adds about a²/2 to E.
//
// Equations: PRML (4.111)–(4.116).
type Probit struct{ Estimate }

// FitProbit fits a two-class probit regression to inputs x (N×D) and targets t in [0,1]. t = 1
// means C₁.
//
// E is convex, and Newton's method uses the observed Hessian. The likelihood has a maximum if and
// only if the logistic likelihood of the same data has a maximum. FitProbit treats separable
// classes and dependent columns in the same way as FitLogistic.
//
// Errors: as for FitLogistic.
//
// Equations: PRML (4.111), (4.114), (4.122).
func FitProbit(x mat.Matrix, t []float64, o ProbitOptions) (*Probit, error) {
	return fitProbit("FitProbit", InMemory{X: x, T: t}, o)
}

// FitProbitFrom is like [FitProbit], but reads the rows from any source. It returns the errors of
// FitLogisticFrom.
//
// Equations: PRML (4.111), (4.114), (4.122).
func FitProbitFrom(s Source, o ProbitOptions) (*Probit, error) {
	return fitProbit("FitProbitFrom", s, o)
}

func fitProbit(function string, s Source, o ProbitOptions) (*Probit, error) {
	m, err := fitTwoClass(function, s, glm.ProbitLoss{}, LogisticOptions(o), probitProblem)
	if err != nil {
		return nil, err
	}
	return &Probit{*m}, nil
}

// probitProblem sets p.NonLogistic, because the probit likelihood has a maximum if and only if the logistic
// likelihood of the same data has a maximum. At 0, Φ is 1/√(π/8) times as steep as σ. Decay bounds the
// ratio e″/|e′| = a + N(a)/Φ(a) of the derivatives of the loss e(a) = −ln Φ(a) of a row with target 1.
// If a ≥ 0, the ratio is less than a + 0.8. If a < 0, it is less than 0.8.
func probitProblem(p *solve.Problem) {
	p.NonLogistic = &solve.NonLogistic{Steeper: 1 / math.Sqrt(math.Pi/8),
		Decay: func(a float64) float64 { return a + 0.8 }}
}

// ProbitObjective returns the function that FitProbit minimises, with an optional prior. The method
// Hessian returns the observed Hessian. Errors: as for FitProbit, except that targets of a single
// class are allowed.
//
// Equations: PRML (4.114), (4.122).
func ProbitObjective(x mat.Matrix, t []float64, prior Prior) (*Objective, error) {
	o, err := objectiveOf("ProbitObjective", x, t, prior)
	if err != nil {
		return nil, err
	}
	o.glm.Loss = glm.ProbitLoss{}
	return o, nil
}

func (m *Probit) estimate() *Estimate {
	if m == nil {
		return nil
	}
	return &m.Estimate
}

func (m *Probit) linearWeights() *mat.Dense { return twoColumns(m.W) }

// Scores returns an N×2 matrix with the activation a for C₁ and 0 for C₂.
func (m *Probit) Scores(x mat.Matrix) (*mat.Dense, error) {
	return m.estimate().pairs(x, scoreLink)
}

// Posterior returns an N×2 matrix with p(C₁|x) = Φ(a) and p(C₂|x) = Φ(−a). Each probability has
// full relative accuracy.
//
// Equations: PRML (4.111), (4.114).
func (m *Probit) Posterior(x mat.Matrix) (*mat.Dense, error) {
	return m.estimate().pairs(x, normalLink)
}

// Predict returns 0 (C₁) for rows with a ≥ 0 and 1 (C₂) for rows with a < 0.
func (m *Probit) Predict(x mat.Matrix) ([]int, error) { return m.estimate().predict(x) }

// FisherInformation returns the expected information at W for the inputs x,
//
//	Σ_n N(a_n|0,1)²/(Φ(a_n)Φ(−a_n))·φ_nφ_nᵀ,
//
// which is the expected Hessian of −ln p(t|w) if the targets are drawn from the model. If the fit
// had weights, pass the same weights. Without weights each row counts once. Errors: as for
// Activations, and invalid weights.
func (m *Probit) FisherInformation(x mat.Matrix, weights ...float64) (*mat.SymDense, error) {
	x, _, err := weightedRows(x, weights)
	if err != nil {
		return nil, failure("FisherInformation", err)
	}
	if _, err := m.Activations(x); err != nil {
		return nil, err
	}
	g := probitInformation(block.NewDesign(block.NewSource(x), nil, nil), m.W)
	return g.Sym(len(m.W)), nil
}

// ExpectedStandardErrors returns the square roots of the diagonal of the inverse of
// FisherInformation(x, weights...). R's glm reports these standard errors. Errors: as for
// FisherInformation, and an information that is singular in double precision.
func (m *Probit) ExpectedStandardErrors(x mat.Matrix, weights ...float64) ([]float64, error) {
	x, _, err := weightedRows(x, weights)
	if err != nil {
		return nil, failure("ExpectedStandardErrors", err)
	}
	if _, err := m.Activations(x); err != nil {
		return nil, err
	}
	src := block.NewSource(x)
	c := linalg.NewCoordinates(block.Inspect(src), nil)
	g := probitInformation(c.Design(src), c.Inner(m.W))
	r, _ := linalg.Cholesky(g.At, len(m.W))
	if r == nil {
		return nil, failure("ExpectedStandardErrors",
			noCovariance(m.Separable, m.Converged, "the Fisher information is singular in double precision: look for dependent columns"))
	}
	f := c.Columns(r.Inverse())
	se := make([]float64, len(m.W))
	for i := range se {
		se[i] = mat.Norm(f.RowView(i), 2)
	}
	return se, nil
}

// probitInformation returns the expected information, a weighted Gram matrix. The weight
// N²/(Φ·(1−Φ)) is the product of N/Φ and N/(1−Φ), where N is the normal density.
func probitInformation(d *block.Design, w []float64) *block.Gram {
	return block.Reduce(d, 0, func() *block.Gram { return block.NewGram(len(w)) },
		func(rows int) func(*block.Gram, *block.Block) {
			a := make([]float64, rows)
			return func(g *block.Gram, b *block.Block) {
				b.Margins(w, a)
				for r, v := range a[:b.N] {
					a[r] = math.Sqrt(kernels.InverseMills(v)) * math.Sqrt(kernels.InverseMills(-v))
				}
				b.ScaleRows(a)
				g.Add(b)
			}
		}, (*block.Gram).Merge)
}

// ConvolveProbit returns the integral of PRML (4.152) in closed form,
//
//	∫ Φ(λa) N(a|μ, σ²) da = Φ(λμ/√(1 + λ²σ²)),
//
// for a mean μ, a variance σ² ≥ 0 and any λ. The book's form Φ(μ/√(λ⁻² + σ²)) is correct only for
// λ > 0. For λ < 0 the book's form is 1 minus the integral (erratum P31). For a negative variance or
// a NaN argument, ConvolveProbit returns NaN.
//
// Equations: PRML (4.152).
func ConvolveProbit(lambda, mu, variance float64) float64 {
	if !(variance >= 0) {
		return math.NaN()
	}
	// Hypot avoids the overflow of λ²σ²
	return kernels.NormCDF(lambda * (mu / math.Hypot(1, lambda*math.Sqrt(variance))))
}

// ConvolveSigmoid returns ∫ σ(a) N(a|μ, σ²) da, PRML (4.151), to a relative error of about 10⁻¹³
// for any mean and any variance ≥ 0. The integral has no closed form. (4.153) approximates it by
// σ(Kappa(σ²)μ); see ModeratedSigmoid. For a negative variance or a NaN argument, ConvolveSigmoid
// returns NaN.
//
// Equations: PRML (4.146), (4.147), (4.151).
func ConvolveSigmoid(mu, variance float64) float64 {
	p, _ := kernels.SigmoidGaussian(mu, math.Sqrt(variance))
	return p
}

// ModeratedSigmoid returns σ(κ(σ²)μ), the approximation (4.153) of ConvolveSigmoid. For a variance that
// is negative or NaN, it returns NaN.
//
// Equations: PRML (4.153).
func ModeratedSigmoid(mu, variance float64) float64 {
	return kernels.Sigmoid(Kappa(variance) * mu)
}

// Kappa returns κ(σ²) = (1 + πσ²/8)^(−1/2), PRML (4.154). Multiplying the activation by κ accounts
// for the uncertainty of the activation and moves the posterior towards ½. Kappa returns NaN for a
// variance that is negative or NaN.
//
// Equations: PRML (4.154).
func Kappa(variance float64) float64 {
	if !(variance >= 0) {
		return math.NaN()
	}
	return 1 / math.Hypot(1, math.Sqrt(math.Pi/8)*math.Sqrt(variance))
}

var _ = codec.Register(codec.Kind[Probit]{Schema: "hyperplane-probit/1",
	Valid: func(m *Probit) error { return m.checkSizes(0) },
	New:   func() *Probit { return &Probit{unknownPenalty} }})
