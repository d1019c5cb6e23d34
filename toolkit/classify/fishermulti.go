package classify

import (
	"errors"
	"fmt"
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/linalg"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/scatter"
)

var (
	_ Predictor = (*FisherMulti)(nil)
	_ Scorer    = (*FisherMulti)(nil)
	_ Prober    = (*FisherMulti)(nil)
)

// FisherMultiOptions of FitFisherMulti. The zero value gives all features that
// the classes have; a singular S_W is then an error.
type FisherMultiOptions struct {
	// Features is D′, at most K−1; 0 is as many as the class means span.
	Features int
	// Shrinkage and PseudoInverse handle a singular S_W as in FisherOptions.
	Shrinkage     float64
	PseudoInverse bool
	// Weights says how often each row counts; nil is once (see the package comment).
	Weights []float64
	// Priors and UniformPriors are the class probabilities of Scores, Posterior
	// and Predict, as in LDAOptions; by default the class shares N_k/N.
	Priors        []float64
	UniformPriors bool
}

// FisherMulti is Fisher's discriminant for K classes, PRML 4.1.6: the D′
// features y = Wᵀx (4.39) with the largest
//
//	J(W) = Tr{s_W⁻¹ s_B},  s_W = WᵀS_W W,  s_B = WᵀS_B W  (4.50).
//
// W holds the leading eigenvectors of S_W⁻¹S_B, D×D, scaled so that WᵀS_W W = I;
// J is the sum of their eigenvalues. (PRML (4.51) prints J with W for Wᵀ, which
// does not conform for W of D×D′, erratum P8; and the projection that keeps J is
// that onto the eigenvectors of S_W⁻¹S_B, not of S_B, erratum P9. Eigenvectors of
// s_W⁻¹s_B, as some notes say, would be circular: they have D′ components and
// depend on W.)
//
// It classifies in the projected space, where the scatter within the classes is
// round: by the Gaussian densities about the projected means with the shared
// covariance s_W/N = I/N and the class priors. With all K−1 features this is LDA.
//
// Equations: PRML (4.39), (4.47)–(4.51).
type FisherMulti struct {
	Names
	W *mat.Dense // D×D′; the largest component of each column is positive
	// Eigenvalues of S_W⁻¹S_B, the min(K−1, D) largest, in falling order; the
	// first D′ belong to the columns of W.
	Eigenvalues    []float64
	J              float64    // Tr{s_W⁻¹s_B} of the D′ features
	ProjectedMeans *mat.Dense // Wᵀm_k, K×D′
	Priors         []float64  // K
	Scatter        *Scatter
	Rank           int        // of S_W after shrinkage
	Reason         string     // how many features there are, and why
	z              *mat.Dense // Wᵀ(m_k − m), K×D′
}

// FitFisherMulti fits the discriminant features of k ≥ 2 classes to inputs x
// (N×D) and labels 0…k−1. A class without rows has prior 0 and contributes
// nothing.
//
// Errors: shapes that do not agree, NaN or Inf, labels out of range or of a
// single class, bad priors, more features than the class means span, and a
// singular S_W unless an option handles it.
//
// Equations: PRML (4.39), (4.50), (4.51); Notes on part I (eigenvectors).
func FitFisherMulti(x mat.Matrix, labels []int, k int, o FisherMultiOptions) (*FisherMulti, error) {
	m, err := fitFisherMulti(x, labels, k, o)
	if err != nil {
		return nil, weightedFailure("FitFisherMulti", o.Weights, err)
	}
	return m, nil
}

func fitFisherMulti(x mat.Matrix, labels []int, k int, o FisherMultiOptions) (*FisherMulti, error) {
	x, labels, err := weigh(x, labels, o.Weights)
	if err != nil {
		return nil, err
	}
	f, err := scatter.New(x, labels, k, false)
	if err != nil {
		return nil, err
	}
	shares, err := newShares(f.Counts, o.Priors, o.UniformPriors)
	if err != nil {
		return nil, err
	}
	m := &FisherMulti{Priors: shares.Priors}
	if m.Scatter, err = scatterOf(f); err != nil {
		return nil, err
	}
	p, err := f.Whiten(o.Shrinkage, o.PseudoInverse)
	if err != nil {
		return nil, err
	}
	m.Rank = p.Rank
	if err := m.features(f, p, o.Features); err != nil {
		return nil, err
	}
	if p.Rank < f.D {
		m.Reason += fmt.Sprintf("; pseudo-inverse of S_W of rank %d", p.Rank)
	} else if o.Shrinkage > 0 {
		m.Reason += fmt.Sprintf("; S_W shrunk with γ = %v", o.Shrinkage)
	}
	return m, nil
}

// features finds W = P·U from the singular value decomposition USVᵀ of PᵀB, whose
// columns are √N_k·Pᵀ(m_k − m): S_B = BBᵀ, and S² holds the eigenvalues.
func (m *FisherMulti) features(f *scatter.Fit, p *scatter.Whitening, want int) error {
	b := mat.NewDense(p.Rank, f.K, nil)
	for k, delta := range f.Delta {
		v := linalg.MulVecT(p.P, delta)
		floats.Scale(math.Sqrt(f.Counts[k]), v)
		b.SetCol(k, v)
	}
	var svd mat.SVD
	if !scatter.AllFinite(b.RawMatrix().Data) || !svd.Factorize(b, mat.SVDThinU) {
		return scatter.ErrRange
	}
	sv := svd.Values(nil)
	span := 0
	for span < min(len(sv), f.Filled-1) && sv[span] > linalg.RankTolerance*sv[0] {
		span++
	}
	if span == 0 {
		return errors.New("the class means coincide: no projection separates them (S_B is zero)")
	}
	m.Eigenvalues = make([]float64, min(f.K-1, f.D))
	for i := range m.Eigenvalues {
		if i < len(sv) {
			m.Eigenvalues[i] = sv[i] * sv[i]
		}
	}
	switch {
	case want < 0 || want > min(f.K-1, f.D):
		return fmt.Errorf("Features is %d: with %d classes and %d columns there are 1…%d (0 is all)", want, f.K, f.D, min(f.K-1, f.D))
	case want > span:
		return fmt.Errorf("Features is %d, but the means of the classes that have rows span only %d directions: ask for at most %d", want, span, span)
	case want == 0:
		want = span
	}
	m.Reason = fmt.Sprintf("%d of at most %d features", want, min(f.K-1, f.D))
	if span < min(f.K-1, f.D) {
		m.Reason += fmt.Sprintf("; the class means span %d", span)
	}
	m.J = floats.Sum(m.Eigenvalues[:want])
	if math.IsInf(m.J, 0) {
		return errors.New("the largest eigenvalue of S_W⁻¹S_B leaves the range of float64: the classes have almost no scatter beside the distance of their means")
	}
	var u mat.Dense
	svd.UTo(&u)
	var in mat.Dense // in scaled inputs
	in.Mul(p.P, u.Slice(0, p.Rank, 0, want))
	m.W = mat.NewDense(f.D, want, nil)
	for j := range want {
		m.column(f, &in, j)
	}
	m.z, m.ProjectedMeans = mat.NewDense(f.K, want, nil), mat.NewDense(f.K, want, nil)
	for k := range f.K {
		m.z.SetRow(k, linalg.MulVecT(&in, f.Delta[k]))
	}
	m.ProjectedMeans.Mul(f.Means, m.W)
	if !scatter.AllFinite(m.W.RawMatrix().Data) || !scatter.AllFinite(m.ProjectedMeans.RawMatrix().Data) || !scatter.AllFinite(m.z.RawMatrix().Data) {
		return scatter.ErrRange
	}
	return nil
}

// column writes column j of W in the units of x, with the sign that makes its
// largest component positive.
func (m *FisherMulti) column(f *scatter.Fit, in *mat.Dense, j int) {
	col := mat.Col(nil, j, in)
	for i, s := range f.Scale {
		col[i] *= s
	}
	big := 0
	for i, v := range col {
		if math.Abs(v) > math.Abs(col[big]) {
			big = i
		}
	}
	if col[big] < 0 {
		floats.Scale(-1, col)
		for i := range f.D {
			in.Set(i, j, -in.At(i, j))
		}
	}
	m.W.SetCol(j, col)
}
